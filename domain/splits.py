"""What house ways are made of: cards grouped by rank, the low hands that a row allows, and the best of them."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from domain.cards import JOKER, Hand, deck, rank_of
from domain.house_ways import Setting
from domain.rankings import arranged, category, five, two
from domain.seven_card import first_class

# High ranks first, of one rank the higher suit, the joker after the aces it counts with.
_AS_READ: Final = sorted(deck(joker=True), key=lambda card: (-rank_of(card), card == JOKER, -card))
_PLACE: Final = {card: place for place, card in enumerate(_AS_READ)}
_MADE: Final = {"straight", "flush", "straight_flush", "royal_flush"}


class Row(NamedTuple):
    """What a row of a house way does, and every low hand that satisfies it."""

    rule: str
    lows: Sequence[Hand]


def by_rank(cards: Hand) -> list[Hand]:
    """The cards by rank, the most of a rank first, then the higher rank; the joker is the last of the aces.

    >>> from domain.cards import parse, show
    >>> [show(group) for group in by_rank(parse("9c Jk 4s 9h As Kd 4d"))]
    ['As Jk', '9h 9c', '4s 4d', 'Kd']
    """
    groups: dict[int, Hand] = {}
    for card in sorted(cards, key=_PLACE.__getitem__):
        rank = rank_of(card)
        groups[rank] = (*groups[rank], card) if rank in groups else (card,)
    return sorted(groups.values(), key=len, reverse=True)


def pairs_of(cards: Hand) -> Sequence[Hand]:
    """Every pair of cards among these."""
    return list(combinations(cards, 2))


def without(cards: Hand, low: Hand) -> Hand:
    """The cards that stay high when these go low."""
    return tuple([card for card in cards if card not in low])


def lows_beside_a_straight_or_flush(cards: Hand, wheel: str) -> Sequence[Hand]:
    """The low hands that leave a straight, a flush or a straight flush high; empty where seven cards hold none."""
    if first_class(cards, ("flush", "straight")) is None:
        return []
    return [low for low in pairs_of(cards) if category(five(without(cards, low), wheel)) in _MADE]


def best_setting(row: Row, cards: Hand, wheel: str) -> Setting:
    """The setting with the best low hand of the row, then the best high hand, then by suit, the joker kept high."""
    return setting(row.rule, _best_low(row.lows, cards, wheel), cards, wheel)


def setting(rule: str, low: Hand, cards: Hand, wheel: str) -> Setting:
    """The cards with these low, both hands in the order in which they are read."""
    return Setting(arranged(without(cards, low), wheel), tuple(sorted(low, key=_PLACE.__getitem__)), rule)


def _best_low(lows: Sequence[Hand], cards: Hand, wheel: str) -> Hand:
    if len(lows) == 1:
        return lows[0]
    strongest = max(map(two, lows))
    finalists = (low for low in lows if two(low) == strongest)
    return max(finalists, key=lambda low: (five(without(cards, low), wheel), -max(low), -min(low)))
