"""Counts the classes of all 22,957,480 six-card hands, the dealer's pairs of eights and the hands that insurance pays.

`python -m tests.exhaustive.six_card` judges one hand for each renaming of the suits; `--full` judges every hand.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import combinations

from domain.cards import JOKER, Hand, deck, rank_of
from domain.six_card import best, insurance_first, pair_of_eights_or_better
from tests.exhaustive.folding import folded_hands
from tests.exhaustive.tally import WeightedHand, run

BY_CLASS = {
    "six_card_straight_flush": 220,
    "five_aces": 48,
    "royal_flush": 1_100,
    "straight_flush": 8_060,
    "four_of_a_kind": 19_752,
    "two_three_of_a_kinds": 1_536,
    "full_house": 195_360,
    "six_card_flush": 10_588,
    "flush": 304_356,
    "six_card_straight": 80_340,
    "straight": 615_888,
    "three_of_a_kind": 853_264,
    "three_pair": 71_280,
    "two_pair": 2_802_672,
    "one_pair": 10_809_876,
    "ace high with joker": 570_240,
    "ace high without joker": 3_095_400,
    "king high": 1_804_980,
    "queen high or less": 1_712_520,
}
"""The table of counts: each hand in the first line it fits, A-2-3-4-5 and A-2-3-4-5-6 counted as runs."""

EXPECTED = {
    **BY_CLASS,
    "dealer: a pair of eights or better": 10_940_908,
    "insurance: king high or less": 3_517_500,
    "all hands": 22_957_480,
}

_KING = 11


def lines_of(hand: Hand) -> Iterator[str]:
    """The lines of the table that a six-card hand counts in."""
    yield _class_line(hand)
    if pair_of_eights_or_better(hand, "second"):
        yield "dealer: a pair of eights or better"
    if insurance_first(hand, {"king_high_or_less"}):
        yield "insurance: king high or less"


def _class_line(hand: Hand) -> str:
    name = best(hand)
    if name != "high_card":
        return name
    if JOKER in hand:
        return "ace high with joker"
    top = max(map(rank_of, hand))
    return "ace high without joker" if top > _KING else "king high" if top == _KING else "queen high or less"


def folded() -> Iterator[WeightedHand]:
    """One hand for each renaming of the suits."""
    for joker in (False, True):
        yield from folded_hands(6, joker)


def every() -> Iterator[WeightedHand]:
    """Every hand."""
    return ((hand, 1) for hand in combinations(deck(joker=True), 6))


def main() -> int:
    """Counts, prints the table, and answers 0 where every line agrees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="judge every single hand")
    options = parser.parse_args()
    return run(every() if options.full else folded(), lines_of, EXPECTED)


if __name__ == "__main__":
    sys.exit(main())
