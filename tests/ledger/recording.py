"""Records a feed in a process of its own: `python -m tests.ledger.recording URL FEED`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("feed", type=Path)
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--source", default="cli")
    given = parser.parse_args()
    with Ledger.open(given.url) as ledger:
        for group in groups(given.feed, given.size):
            named = [(replace(command, source=given.source), digest) for command, digest in group]
            for receipt in ledger.submit(named):
                if receipt.status == "recorded":
                    print(receipt.command_id, receipt.position, flush=True)


if __name__ == "__main__":
    main()
