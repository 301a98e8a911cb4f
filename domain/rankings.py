"""What high and low hands are worth against each other, and the lists of classes of hand that tables pay."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from domain.cards import ACE, JOKER, Hand, rank_of

CATEGORIES: Final = (
    "high_card",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_aces",
)

RANKINGS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "seven_card_bonus": (
            "seven_card_straight_flush",
            "royal_match",
            "seven_card_straight_flush_joker",
            "five_aces",
            "royal_flush",
            "straight_flush",
            "four_of_a_kind",
            "full_house",
            "flush",
            "three_of_a_kind",
            "straight",
            "three_pair",
            "two_pair",
            "one_pair",
            "high_card",
        ),
        "six_card": (
            "six_card_straight_flush",
            "five_aces",
            "royal_flush",
            "straight_flush",
            "four_of_a_kind",
            "two_three_of_a_kinds",
            "full_house",
            "six_card_flush",
            "flush",
            "six_card_straight",
            "straight",
            "three_of_a_kind",
            "three_pair",
            "two_pair",
            "one_pair",
            "high_card",
        ),
        "flush_length": tuple(f"flush_{length}" for length in range(7, 1, -1)),
        "straight_flush_length": tuple(f"straight_flush_{length}" for length in range(7, 2, -1)),
        "insurance": (
            "king_high",
            "queen_high",
            "jack_high",
            "ten_high",
            "nine_high",
            "eight_high",
            "king_high_or_less",
        ),
        "ace_high": ("both_ace_high", "dealer_ace_high_joker", "dealer_ace_high"),
        "tiger_9": ("tiger_9",),
        "win": ("win",),
    }
)
"""The classes of every ranking list, highest first."""

# A strength is a category above five ranks of four bits each, the deciding ranks first. A low hand has only two ranks
# and zeros after them, so that it compares with a high hand as it stands.
_RANK_AT: Final = (16, 12, 8, 4, 0)
_PAIR, _STRAIGHT, _FLUSH, _STRAIGHT_FLUSH, _ROYAL_FLUSH = (
    CATEGORIES.index(name) << 20 for name in ("one_pair", "straight", "flush", "straight_flush", "royal_flush")
)
_PATTERNS: Final = {
    (1, 1, 1, 1, 1): "high_card",
    (2, 1, 1, 1): "one_pair",
    (2, 2, 1): "two_pair",
    (3, 1, 1): "three_of_a_kind",
    (3, 2): "full_house",
    (4, 1): "four_of_a_kind",
    (5,): "five_aces",
}


def _ranked(ranks: tuple[int, ...]) -> int:
    """Five ranks as the lower part of a strength."""
    return sum(rank << place for rank, place in zip(ranks, _RANK_AT, strict=True))


_FIVE: Final = 3
_BROADWAY: Final = _ranked((12, 11, 10, 9, 8))


def _straights(wheel: str) -> dict[int, int]:
    """The ten straights: a mask of their ranks to the lower part of their strength."""
    runs = [tuple(range(top, top - 5, -1)) for top in range(4, 13)]
    # The wheel as A-5-4-3-2 comes just below A-K-Q-J-T, as 5-4-3-2-A just below 6-5-4-3-2 (ruling R7).
    runs.append((12, 3, 2, 1, 0) if wheel == "second" else (3, 2, 1, 0, 12))
    return {sum(1 << rank for rank in run): _ranked(run) for run in runs}


def _completed(straights: dict[int, int]) -> dict[int, int]:
    """The masks of four ranks that a joker makes a straight, to the best one: it is the highest card that fits."""
    best: dict[int, int] = {}
    for mask, strength in straights.items():
        for rank in range(13):
            if mask >> rank & 1:
                four = mask & ~(1 << rank)
                best[four] = max(best.get(four, 0), strength)
    return best


_STRAIGHTS: Final = {wheel: _straights(wheel) for wheel in ("second", "lowest")}
_JOKER_STRAIGHTS: Final = {wheel: _completed(straights) for wheel, straights in _STRAIGHTS.items()}


def _shape(equal_neighbours: int) -> tuple[int, tuple[int, ...]]:
    """The category of five falling ranks of which these neighbours are equal, and the order in which they decide."""
    groups: list[list[int]] = [[0]]
    for place in range(1, 5):
        if equal_neighbours >> (4 - place) & 1:
            groups[-1].append(place)
        else:
            groups.append([place])
    groups.sort(key=len, reverse=True)
    pattern = tuple(map(len, groups))
    return CATEGORIES.index(_PATTERNS[pattern]) << 20, tuple(place for group in groups for place in group)


_SHAPES: Final = tuple(map(_shape, range(16)))


def five(cards: Hand, wheel: str = "second") -> int:
    """The strength of a five-card hand: the higher beats the lower, equal strengths are a copy (R25).

    `wheel` says where A-2-3-4-5 ranks, `second` or `lowest` (R7). The joker completes a straight, a flush or a straight
    flush as the highest card that fits, and is an ace otherwise (seed 004).

    >>> from domain.cards import parse
    >>> five(parse("9s 9d 4c 4h 2s")) > five(parse("9c 9h 3c 3h As"))
    True
    """
    a, b, c, d, e = sorted(cards, reverse=True)
    if a == JOKER:
        return _with_joker(b, c, d, e, wheel)
    p, q, r, s, t = a >> 2, b >> 2, c >> 2, d >> 2, e >> 2
    if p > q > r > s > t:
        straight = _STRAIGHTS[wheel].get(1 << p | 1 << q | 1 << r | 1 << s | 1 << t, 0)
        suited = a & 3 == b & 3 == c & 3 == d & 3 == e & 3
        return _distinct(straight, suited, p << 16 | q << 12 | r << 8 | s << 4 | t)
    return _grouped(p, q, r, s, t)


known_five = lru_cache(maxsize=4096)(five)
"""`five`, remembered: a hand that was set is looked at again at settling, the banker's once for every seat."""


def _with_joker(b: int, c: int, d: int, e: int, wheel: str) -> int:
    """The strength of the joker with four other cards in falling order."""
    q, r, s, t = b >> 2, c >> 2, d >> 2, e >> 2
    if q > r > s > t:
        straight = _JOKER_STRAIGHTS[wheel].get(1 << q | 1 << r | 1 << s | 1 << t, 0)
        suited = b & 3 == c & 3 == d & 3 == e & 3
        if straight or suited:
            # In a flush the joker is the highest card of the suit that is not there already.
            missing = next(rank for rank in range(ACE, -1, -1) if rank not in (q, r, s, t))
            return _distinct(straight, suited, _ranked(tuple(sorted((missing, q, r, s, t), reverse=True))))
    return _grouped(ACE, q, r, s, t)


def _distinct(straight: int, suited: bool, ranks: int) -> int:
    """The strength of five different ranks, given the straight they make (or 0) and whether they are of one suit."""
    if straight:
        if suited:
            return (_ROYAL_FLUSH if straight == _BROADWAY else _STRAIGHT_FLUSH) | straight
        return _STRAIGHT | straight
    return _FLUSH | ranks if suited else ranks


def _grouped(p: int, q: int, r: int, s: int, t: int) -> int:
    """The strength of five ranks in falling order by the pairs, trips and quads among them."""
    category, (v, w, x, y, z) = _SHAPES[(p == q) << 3 | (q == r) << 2 | (r == s) << 1 | (s == t)]
    ranks = p, q, r, s, t
    return category | ranks[v] << 16 | ranks[w] << 12 | ranks[x] << 8 | ranks[y] << 4 | ranks[z]


def two(cards: Hand) -> int:
    """The strength of a two-card hand, comparable with `five`: a pair or two ranks, the joker an ace.

    >>> from domain.cards import parse
    >>> two(parse("3c 3d")) > two(parse("Jk Kd")) > two(parse("Ks Qd"))
    True
    """
    a, b = cards
    first, second = rank_of(a), rank_of(b)
    if first == second:
        return _PAIR | first << 16 | second << 12
    return first << 16 | second << 12 if first > second else second << 16 | first << 12


def category(strength: int) -> str:
    """The name of the category of a strength that `five` or `two` gave, from `high_card` to `five_aces`."""
    return CATEGORIES[strength >> 20]


def is_foul(high: Hand, low: Hand, *, wheel: str, strict: bool) -> bool:
    """Whether the two-card hand outranks the five-card hand or, where `strict`, equals it (R8).

    Only two hands without a pair can be equal, by the same two top cards; a pair is above the same pair low by its
    further cards.
    """
    above, below = known_five(high, wheel), two(low)
    return below > above or (strict and below < _PAIR and below >> 12 == above >> 12)


def arranged(cards: Hand, wheel: str = "second") -> Hand:
    """A five-card hand in the order in which it is read: what makes the hand first, the joker where it stands in.

    >>> from domain.cards import parse, show
    >>> show(arranged(parse("2s 9d Jk Ac 9h"))), show(arranged(parse("6c 9s Jk 8d 5h")))
    ('Ac Jk 9h 9d 2s', '9s 8d Jk 6c 5h')
    """
    falling = sorted(cards, reverse=True)
    a, b, c, d, e = falling
    if a == JOKER:
        return _arranged_with_joker(cards, wheel)
    p, q, r, s, t = a >> 2, b >> 2, c >> 2, d >> 2, e >> 2
    if p > q > r > s > t:
        # Of the wheel, ace and five on top, the ace is read last where it ranks lowest (R7).
        return (b, c, d, e, a) if wheel == "lowest" and p == ACE and q == _FIVE else (a, b, c, d, e)
    v, w, x, y, z = _SHAPES[(p == q) << 3 | (q == r) << 2 | (r == s) << 1 | (s == t)][1]
    return falling[v], falling[w], falling[x], falling[y], falling[z]


def _arranged_with_joker(cards: Hand, wheel: str) -> Hand:
    strength = five(cards, wheel)
    rest = sorted(cards)
    in_order = []
    for place in _RANK_AT:
        rank = strength >> place & 15
        # Sorted cards end with the highest suit of the rank; what no natural card can be is the joker.
        chosen = max((card for card in rest if card >> 2 == rank), default=JOKER)
        rest.remove(chosen)
        in_order.append(chosen)
    return tuple(in_order)
