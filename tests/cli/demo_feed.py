"""Makes the feed that `rounds demo` plays: an evening at five Fortune tables, with what a floor sees in a month.

`python -m tests.cli.demo_feed` writes `cli/data/demo-fortune.jsonl.gz` anew. Its seed is one whose evening has five
aces on the progressive, fouls, banks, misdeals, corrections and voids.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.generators.fortune import feed
from tests.generators.scene import Habits

SEED = 106
ROUNDS = 300
UNREASONABLE_MICROS = 2_000_000
"""High enough that an ordinary contribution is no finding."""
FILE = Path(__file__).parents[2] / "cli" / "data" / "demo-fortune.jsonl.gz"
HABITS = Habits(
    progressive=700,
    odd_cents=10,
    withdrawn=20,
    no_start=4,
    misdeal=8,
    void_unsettled=4,
    void_settled=5,
    careless=60,
    banker_early=20,
    forfeit=6,
    dealer_differs=6,
    payment=60,
    wrong_payment=40,
    correction=3,
    jackpot=950,
)


def commands(seed: int = SEED) -> Iterator[dict[str, Any]]:
    """The feed's commands; their source tells a demonstration's store from any other."""
    for command in feed(seed, ROUNDS, retries=2, habits=HABITS):
        guarded = {"unreasonable_micros": UNREASONABLE_MICROS} if command["command"] == "open_meter" else {}
        yield {**command, **guarded, "source": "demo"}


def main() -> None:
    """Writes the file, the same bytes each time."""
    lines = "".join(json.dumps(command, separators=(",", ":")) + "\n" for command in commands())
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_bytes(gzip.compress(lines.encode(), mtime=0))


if __name__ == "__main__":
    main()
