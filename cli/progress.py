"""A line on a terminal's standard error that says how far a long piece of work is; nothing anywhere else."""

from __future__ import annotations

import sys
import time
from typing import Self

import click

from cli.options import Settings

_SECONDS_BETWEEN = 0.2


class ProgressLine:
    """Says `text` again and again in one place, at most five times a second."""

    def __init__(self, settings: Settings, *, with_answer: bool = False) -> None:
        """`with_answer`: the answer is written meanwhile, so on one terminal with it the line would disturb it."""
        together = with_answer and settings.output in (None, "-") and sys.stdout.isatty()
        self._on = sys.stderr.isatty() and not settings.quiet and not together
        self._said = 0.0
        self._what = ""
        self._begun_at = 0
        self._began = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    @property
    def is_due(self) -> bool:
        """Whether it is time to say something again."""
        return self._on and time.monotonic() - self._said >= _SECONDS_BETWEEN

    def say(self, text: str) -> None:
        """Puts `text` in the place of what was said last."""
        if self.is_due:
            self._said = time.monotonic()
            click.echo(f"\r\x1b[K{text}", nl=False, err=True)

    def count(self, what: str, done: int, total: int) -> None:
        """Says how many of how many `what` are done, and how fast that goes."""
        if what != self._what or done < self._begun_at:
            self._what, self._begun_at, self._began = what, done, time.monotonic()
        if self.is_due:
            seconds = time.monotonic() - self._began
            pace = f", {(done - self._begun_at) / seconds:,.0f} a second" if seconds >= _SECONDS_BETWEEN else ""
            self.say(f"{done:,} of {total:,} {what}{pace}")

    def clear(self) -> None:
        """Takes the line away, before anything else is said."""
        if self._on and self._said:
            click.echo("\r\x1b[K", nl=False, err=True)
