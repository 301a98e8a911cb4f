"""Counts hands by the lines of a table that they belong to, and says which lines differ from the published ones."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from domain.cards import Hand

WeightedHand = tuple[Hand, int]
"""A hand and the number of hands that it stands for."""


def tally(hands: Iterable[WeightedHand], lines_of: Callable[[Hand], Iterable[str]]) -> Counter[str]:
    """How many hands each line has, and all of them under `all hands`."""
    counted: Counter[str] = Counter()
    for hand, weight in hands:
        counted["all hands"] += weight
        for line in lines_of(hand):
            counted[line] += weight
    return counted


def differences(counted: Mapping[str, int], expected: Mapping[str, int]) -> list[str]:
    """The lines whose count is not the table's, in words."""
    return [
        f"{line}: counted {counted.get(line, 0):,}, the table has {expected.get(line, 0):,}"
        for line in sorted(counted.keys() | expected.keys())
        if counted.get(line, 0) != expected.get(line, 0)
    ]


def run(hands: Iterable[WeightedHand], lines_of: Callable[[Hand], Iterable[str]], expected: Mapping[str, int]) -> int:
    """Counts, prints the table, and answers 0 where every line agrees; the time goes to standard error meanwhile."""
    started = time.perf_counter()
    counted = tally(_timed(hands, started), lines_of)
    for line in expected:
        print(f"{line:<48}{counted[line]:>14,}")
    wrong = differences(counted, expected)
    print("\n".join(wrong) if wrong else f"every line agrees, after {time.perf_counter() - started:.0f} s")
    return 1 if wrong else 0


def _timed(hands: Iterable[WeightedHand], started: float) -> Iterable[WeightedHand]:
    for place, weighted in enumerate(hands, start=1):
        yield weighted
        if place % 500_000 == 0:
            print(f"{place:,} judged after {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
