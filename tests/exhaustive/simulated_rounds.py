"""Plays a great many rounds of all games and looks twice at every one, as every test run does with 2,000 of them.

`python -m tests.exhaustive.simulated_rounds --rounds 100000`; each 500 rounds are a feed and a ledger of their own.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from cli.simulation.feed import PLAYERS, feed
from cli.simulation.habits import EVENTFUL, ROOM
from tests.properties.checks import faults
from tests.properties.played import play

ROUNDS_OF_A_FEED = 500


def sizes(rounds: int) -> Iterator[int]:
    """The rounds of each feed."""
    while rounds > 0:
        yield min(rounds, ROUNDS_OF_A_FEED)
        rounds -= ROUNDS_OF_A_FEED


def look_at(seed: int, rounds: int, seen: Counter[str]) -> list[str]:
    """Plays one feed and answers what does not hold; what it saw is counted in `seen`."""
    habits = (ROOM, EVENTFUL)[seed % 2]
    commands = feed(seed, rounds, habits=habits, bias=seed % 4 > 1, players=PLAYERS // (1 + seed % 3))
    with TemporaryDirectory() as folder, play(commands, Path(folder)) as played:
        seen["commands"] += len(played.commands)
        seen["events"] += played.ledger.head().position
        for document in played.documents.values():
            seen["rounds"] += 1
            seen[f"game {document['game']}"] += 1
            seen[f"status {document['status']}"] += 1
            seen["lines"] += len(document["lines"])
            seen.update(f"finding {finding['code']}" for finding in document["findings"])
        return faults(played)


def main() -> int:
    """Plays and looks; answers 0 where everything holds."""
    parser = argparse.ArgumentParser(prog="python -m tests.exhaustive.simulated_rounds", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000, help="how many rounds (default: 100,000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first feed (default: 1)")
    options = parser.parse_args()
    started = time.perf_counter()
    seen: Counter[str] = Counter()
    wrong = 0
    for seed, rounds in zip(count(options.seed), sizes(options.rounds), strict=False):
        for fault in look_at(seed, rounds, seen):
            wrong += 1
            print(f"seed {seed}: {fault}", flush=True)
        told = f"{seen['rounds']:,} rounds, {seen['lines']:,} lines, {wrong} at fault"
        print(f"{told} after {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    for name, number in sorted(seen.items()):
        print(f"{name:<36}{number:>12,}")
    print(f"{wrong} at fault, after {time.perf_counter() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
