"""Makes the feed that `rounds demo` plays: an evening of every game, with what a floor sees in a month.

`python -m tests.cli.demo_feed` writes `cli/data/demo.jsonl.gz` anew. The seed is one whose evening has a
seven-card straight flush on the progressive, a foul that the floor reset and that won, a player bank, an ace-high
dealer, a Tiger 9, folds, misdeals, corrections and voids; the rates are a little above those of a room.
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

SEED = 147
ROUNDS = 600
HABITS = replace(
    ROOM,
    bank=1_500,
    backed=150,
    toke=800,
    progressive=7_500,
    careless=250,
    misdeal=60,
    void_unsettled=25,
    void_settled=40,
    correction=15,
    wrong_payment=400,
    dealer_differs=60,
    forfeit=30,
    new_sheet=60,
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
