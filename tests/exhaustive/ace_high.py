"""Counts the deals of two seven-card hands, dealer's and bettor's, by what they hold of the `ace_high` list.

No deal is looked at: which ranks each hand has and which suits they get are counted apart. A hand is ace-high (688a.1)
when its ranks are seven different ones with an ace or the joker, and hold no straight, and its suits hold no flush.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

ACE = 12
HAND_SIZE = 7
ALL_HANDS = comb(53, HAND_SIZE)
ALL_DEALS = ALL_HANDS * comb(53 - HAND_SIZE, HAND_SIZE)
_RUNS = [frozenset(ranks) for ranks in ((ACE, 0, 1, 2, 3), *(range(lowest, lowest + 5) for lowest in range(9)))]

Suits = tuple[int, ...]


class Shape(NamedTuple):
    """An ace-high hand's natural cards: how many there are, and how many of one suit are still no flush."""

    cards: int
    most_suited: int


NATURAL = Shape(7, 4)
WITH_JOKER = Shape(6, 3)


def ace_high_ranks(shape: Shape) -> list[frozenset[int]]:
    """The ranks that the natural cards of an ace-high hand can have: with the joker no ace, and no four of a run."""
    if shape == NATURAL:
        others = combinations(range(ACE), shape.cards - 1)
        return [
            ranks for ranks in (frozenset((ACE, *each)) for each in others) if not any(map(ranks.issuperset, _RUNS))
        ]
    chosen = map(frozenset, combinations(range(ACE), shape.cards))
    return [ranks for ranks in chosen if all(len(ranks & run) < 4 for run in _RUNS)]


@cache
def pairs_of_suits(dealer: Shape, bettor: Shape, shared: int) -> int:
    """In how many ways both hands get suits, `shared` ranks being in both and then in different suits."""
    ways: Counter[tuple[Suits, Suits]] = Counter({((0,) * 4, (0,) * 4): 1})
    for place in range(dealer.cards + bettor.cards - shared):
        grown: Counter[tuple[Suits, Suits]] = Counter()
        for (dealers, bettors), count in ways.items():
            for mine, yours in _next_card(place, shared, dealer.cards):
                pair = _with(dealers, mine), _with(bettors, yours)
                if max(pair[0]) <= dealer.most_suited and max(pair[1]) <= bettor.most_suited:
                    grown[pair] += count
        ways = grown
    return ways.total()


def _next_card(place: int, shared: int, dealers: int) -> Iterator[tuple[int | None, int | None]]:
    """The suits that the next rank can have at the dealer and at the bettor: first the shared, then each one's own."""
    if place < shared:
        yield from ((mine, yours) for mine in range(4) for yours in range(4) if mine != yours)
    elif place < dealers:
        yield from ((mine, None) for mine in range(4))
    else:
        yield from ((None, yours) for yours in range(4))


def _with(suits: Suits, suit: int | None) -> Suits:
    return suits if suit is None else (*suits[:suit], suits[suit] + 1, *suits[suit + 1 :])


def both_ace_high(dealer: Shape, bettor: Shape) -> int:
    """The deals in which both hands are ace-high and of these shapes."""
    bettors = ace_high_ranks(bettor)
    shared = Counter(len(mine & yours) for mine in ace_high_ranks(dealer) for yours in bettors)
    return sum(count * pairs_of_suits(dealer, bettor, ranks) for ranks, count in shared.items())


def ace_high(shape: Shape) -> int:
    """The ace-high hands of this shape."""
    nobody = Shape(0, 0)
    return len(ace_high_ranks(shape)) * pairs_of_suits(shape, nobody, 0)


def count_deals() -> Counter[frozenset[str]]:
    """How many deals hold exactly these classes of `ace_high`; without an ace-high dealer they hold none."""
    both, joker, dealer = "both_ace_high", "dealer_ace_high_joker", "dealer_ace_high"
    rest = comb(53 - HAND_SIZE, HAND_SIZE)
    with_joker, natural = ace_high(WITH_JOKER) * rest, ace_high(NATURAL) * rest
    both_with_joker = both_ace_high(WITH_JOKER, NATURAL)
    both_natural = both_ace_high(NATURAL, NATURAL) + both_ace_high(NATURAL, WITH_JOKER)
    return Counter(
        {
            frozenset({both, joker, dealer}): both_with_joker,
            frozenset({joker, dealer}): with_joker - both_with_joker,
            frozenset({both, dealer}): both_natural,
            frozenset({dealer}): natural - both_natural,
            frozenset(): ALL_DEALS - with_joker - natural,
        }
    )
