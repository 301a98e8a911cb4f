"""Records a feed in a process of its own, and dies where it is told to: `python -m tests.ledger.recording URL FEED`."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from domain.commands import Command
from domain.errors import Refusal
from domain.intake import command_and_digest
from ledger.service import Ledger


def commands(feed: Path) -> Iterator[tuple[Command, bytes]]:
    """The commands of a feed, without the lines that are none."""
    for line in feed.read_bytes().splitlines():
        if line.strip():
            try:
                yield command_and_digest(line)
            except Refusal:
                continue


def groups(feed: Path, size: int) -> list[list[tuple[Command, bytes]]]:
    """The commands of a feed in groups."""
    every = list(commands(feed))
    return [every[start : start + size] for start in range(0, len(every), size)]


class Death:
    """Kills this process, as a power cut would, when it is told for the n-th time that a step is done."""

    def __init__(self, at: int) -> None:
        self._left = at

    def step(self) -> None:
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1


def watch(engine: sa.Engine, death: Death) -> None:
    """A step before and after each statement and each commit."""

    def statement(*_: Any) -> None:
        death.step()

    sa.event.listen(engine, "before_cursor_execute", statement)
    sa.event.listen(engine, "after_cursor_execute", statement)
    commit: Callable[[Any], None] = engine.dialect.do_commit

    def watched(connection: Any) -> None:
        death.step()
        commit(connection)
        death.step()

    engine.dialect.do_commit = watched  # type: ignore[assignment, method-assign]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("feed", type=Path)
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--die-at-step", type=int)
    parser.add_argument("--source", default="cli")
    given = parser.parse_args()
    with Ledger.open(given.url) as ledger:
        if given.die_at_step is not None:
            watch(ledger.engine, Death(given.die_at_step))
        for group in groups(given.feed, given.size):
            named = [(replace(command, source=given.source), digest) for command, digest in group]
            for receipt in ledger.submit(named):
                if receipt.status == "recorded":
                    print(receipt.command_id, receipt.position, flush=True)


if __name__ == "__main__":
    main()
