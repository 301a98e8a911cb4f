"""Every hand up to a renaming of the suits, each with the number of hands it stands for."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod

from domain.cards import JOKER, Card, Hand

# What one suit may hold, by number of cards: a tuple of ranks each.
_HOLDINGS = {size: tuple(combinations(range(13), size)) for size in range(8)}
_IN_SUIT = [
    {ranks: tuple(Card(rank * 4 + suit) for rank in ranks) for holdings in _HOLDINGS.values() for ranks in holdings}
    for suit in range(4)
]


def folded_hands(size: int, joker: bool, least_in_one_suit: int = 0) -> Iterator[tuple[Hand, int]]:
    """Each way to hold `size` cards, with or without the joker, once for all renamings of the suits, and how many.

    The suits are put in an order (the longer first, then by ranks); renaming gives 24 hands, fewer where suits hold the
    same ranks. `least_in_one_suit` leaves out the hands whose longest suit is shorter, the joker not counted.
    """
    end: Hand = (JOKER,) if joker else ()
    for lengths in _lengths(size - joker, 4, size):
        if lengths[0] < least_in_one_suit:
            continue
        for suits in product(*(combinations_with_replacement(_HOLDINGS[n], k) for n, k in Counter(lengths).items())):
            holdings = [ranks for same_length in suits for ranks in same_length]
            hand = end
            for place, ranks in enumerate(holdings):
                hand = _IN_SUIT[place][ranks] + hand
            yield hand, 24 // prod(map(factorial, Counter(holdings).values()))


def _lengths(cards: int, suits: int, longest: int) -> Iterator[tuple[int, ...]]:
    """The ways to spread cards over suits, the longest suit first."""
    if suits == 0:
        if cards == 0:
            yield ()
        return
    for length in range(min(cards, longest), -1, -1):
        for rest in _lengths(cards - length, suits - 1, length):
            yield (length, *rest)
