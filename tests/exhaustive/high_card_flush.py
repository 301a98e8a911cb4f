"""Counts the flushes and straight flushes of all 133,784,560 seven-card hands of a 52-card deck.

`python -m tests.exhaustive.high_card_flush` judges one hand for each renaming of the suits.
"""

import argparse
import sys
from collections.abc import Iterator

from domain.cards import Hand
from domain.flushes import best, qualifies, straight_flush_length
from tests.exhaustive.folding import folded_hands
from tests.exhaustive.tally import run

ALL_HANDS = 133_784_560

FLUSHES = {
    "flush_7": 6_864,
    "flush_6": 267_696,
    "flush_5": 3_814_668,
    "flush_4": 26_137_540,
    "flush_3": 78_881_088,
    "flush_2": 24_676_704,
}
"""Hands by their longest suit."""

STRAIGHT_FLUSHES = {
    "high_and_low": {7: 32, 6: 1_592, 5: 39_960, 4: 676_196, 3: 8_642_932},
    "high_only": {7: 28, 6: 1_416, 5: 36_000, 4: 615_480, 3: 7_940_748},
}
"""Hands by their longest run in one suit, for each place of the ace (R5)."""


def straight_flush_line(length: int, ace: str) -> str:
    """The line of a straight flush of this length; all under three share one."""
    return f"straight flush, ace {ace}: {length if length > 2 else 'under 3'}"


EXPECTED = {
    **FLUSHES,
    "dealer qualifies": 100_825_036,
    **{
        straight_flush_line(length, ace): count
        for ace, counts in STRAIGHT_FLUSHES.items()
        for length, count in (*counts.items(), (2, ALL_HANDS - sum(counts.values())))
    },
    "all hands": ALL_HANDS,
}


def lines_of(hand: Hand) -> Iterator[str]:
    """The lines of the table that a seven-card hand counts in."""
    yield best(hand)
    if qualifies(hand):
        yield "dealer qualifies"
    for ace in STRAIGHT_FLUSHES:
        yield straight_flush_line(straight_flush_length(hand, ace), ace)


def main() -> int:
    """Counts, prints the table, and answers 0 where every line agrees."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    return run(folded_hands(7, joker=False), lines_of, EXPECTED)


if __name__ == "__main__":
    sys.exit(main())
