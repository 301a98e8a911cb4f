"""`670a.11(d)`: how the dealer sets six cards, with R3, R4 and the rows of "House way `cardroom`, made complete"."""

from collections.abc import Callable
from functools import lru_cache

from tests.oracle.cards import ACE, JOKER, Cards, times, value
from tests.oracle.contained import TESTS
from tests.oracle.splits import Choice, Split, all_splits


def standing(card: str) -> int:
    """How high a card is for the low hand; the dealer's joker is the highest."""
    return ACE + 1 if card == JOKER else value(card)


@lru_cache(1000)
def split_six(cards: Cards, wheel: str) -> Split:
    """The first row that fits; of a row's splits, the highest card low."""
    choice = Choice(cards, wheel)
    counts = times(cards)
    trips = sorted(rank for rank, count in counts.items() if count >= 3)
    pairs = sorted(rank for rank, count in counts.items() if count == 2)

    def highest_low(wanted: Callable[[Split], bool]) -> Split:
        return max(filter(wanted, all_splits(cards)), key=lambda split: standing(split.low[0]))

    def high_is(*names: str) -> Split:
        return highest_low(lambda split: choice.is_one_of(split, names))

    if TESTS["five_aces"](cards):
        return high_is("five_aces")
    if TESTS["straight_flush"](cards):
        # (d)(2), (4), (5); the lowest possible of six in a row leaves the highest card.
        return high_is("straight_flush", "royal_flush")
    if TESTS["four_of_a_kind"](cards):
        return high_is("four_of_a_kind")
    if TESTS["two_three_of_a_kinds"](cards):
        # (d)(1)(i)
        return highest_low(lambda split: value(split.low[0]) == trips[1])
    if TESTS["full_house"](cards):
        return high_is("full_house")
    if TESTS["flush"](cards):
        # (d)(2), (3)
        return high_is("flush")
    if TESTS["straight"](cards):
        return high_is("straight")
    if trips:
        return high_is("three_of_a_kind")
    if len(pairs) == 3:
        # (d)(1)(ii)
        return highest_low(lambda split: value(split.low[0]) == pairs[2])
    if len(pairs) == 2:
        return high_is("two_pair")
    if pairs:
        return high_is("one_pair")
    # (d)(6): the highest card stays high.
    second = sorted(cards, key=standing, reverse=True)[1]
    return highest_low(lambda split: split.low == (second,))
