"""All ways to split cards into a high and a low hand, and the best of some of them."""

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from tests.oracle.cards import ACE, Cards, times, value, values
from tests.oracle.hands import CATEGORIES, Key, five, is_foul, low, low_rank, worth


class Split(NamedTuple):
    """A way to set cards."""

    high: Cards
    low: Cards


def all_splits(cards: Cards) -> list[Split]:
    """Seven cards as five and two, six as five and one; fouls are among them."""
    return [
        Split(tuple(card for card in cards if card not in below), below)
        for below in combinations(cards, len(cards) - 5)
    ]


class Choice:
    """The legal splits of a hand, to be narrowed down by a house way."""

    def __init__(self, cards: Cards, wheel: str) -> None:
        self.cards = cards
        self.wheel = wheel
        self.splits = [split for split in all_splits(cards) if not is_foul(split.high, split.low, False, wheel)]

    def best(self, wanted: Callable[[Split], bool]) -> Split:
        """Of the splits that are wanted, the best low hand, then the best high hand."""
        return max(filter(wanted, self.splits), key=lambda split: (low(split.low), worth(self.high(split))))

    def high(self, split: Split) -> Key:
        """What the high hand is."""
        return five(split.high, self.wheel)

    def is_one_of(self, split: Split, categories: tuple[str, ...]) -> bool:
        """Whether the high hand is of one of the categories."""
        assert set(categories) <= set(CATEGORIES)
        return self.high(split)[0] in categories


def low_pair_of(rank: int) -> Callable[[Split], bool]:
    """Splits with this pair low."""
    return lambda split: values(split.low) == [rank, rank]


def high_holds(rank: int, count: int) -> Callable[[Split], bool]:
    """Splits with so many cards of the rank high, and none low."""
    return lambda split: times(split.high).get(rank, 0) == count and times(split.low).get(rank, 0) == 0


def has_low_ace(split: Split) -> bool:
    """An ace or the joker lies low."""
    return any(value(card) == ACE for card in split.low)


def has_low_pair(split: Split) -> bool:
    """A pair lies low."""
    return low_rank(split.low) == "one_pair"
