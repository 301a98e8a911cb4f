"""Makes the feed that `rounds demo` plays: an evening of every game, with what a floor sees in a month.

`python -m tests.cli.demo_feed` writes `cli/data/demo.jsonl.gz` anew. The seed is one whose evening has a large
progressive hit, fouls, banks, misdeals, corrections and voids.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from cli.commands.demo import FEED, SOURCE
from cli.simulation.feed import feed
from cli.simulation.habits import ROOM

SEED = 67
ROUNDS = 320
HABITS = replace(
    ROOM,
    bank=2_000,
    backed=400,
    toke=800,
    progressive=7_500,
    careless=500,
    misdeal=150,
    void_unsettled=60,
    void_settled=60,
    correction=25,
    wrong_payment=600,
    dealer_differs=80,
    forfeit=40,
)


def commands(seed: int = SEED) -> Iterator[dict[str, Any]]:
    """The feed's commands; their source tells a demonstration's store from any other."""
    for command in feed(seed, ROUNDS, habits=HABITS):
        yield {**command, "source": SOURCE}


def main() -> None:
    """Writes the file, the same bytes each time."""
    lines = "".join(json.dumps(command, separators=(",", ":")) + "\n" for command in commands())
    FEED.parent.mkdir(exist_ok=True)
    FEED.write_bytes(gzip.compress(lines.encode(), mtime=0))


if __name__ == "__main__":
    main()
