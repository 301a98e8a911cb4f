"""A line on a terminal's standard error that says how far a long piece of work is; nothing anywhere else."""

from __future__ import annotations

import sys
import time

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

    @property
    def is_due(self) -> bool:
        """Whether it is time to say something again."""
        return self._on and time.monotonic() - self._said >= _SECONDS_BETWEEN

    def say(self, text: str) -> None:
        """Puts `text` in the place of what was said last."""
        if self.is_due:
            self._said = time.monotonic()
            click.echo(f"\r\x1b[K{text}", nl=False, err=True)

    def clear(self) -> None:
        """Takes the line away, before anything else is said."""
        if self._on and self._said:
            click.echo("\r\x1b[K", nl=False, err=True)
