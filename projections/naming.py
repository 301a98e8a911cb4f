"""What a hand is called at the table: "a pair of fours", "A-K high", "eights full of kings"."""

from __future__ import annotations

from typing import NamedTuple

from domain.cards import JOKER, RANKS, SUITS, Hand, suit_of
from domain.flushes import strength as flush_strength
from domain.games.game import Split
from domain.masks import by_suit
from domain.rankings import category

_RANK_AT = (16, 12, 8, 4, 0)
"""Where a strength of `domain.rankings` has its ranks, the deciding one first."""
_ONE = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_EIGHT, _ACE = 6, 12


class Name(NamedTuple):
    """A hand's name; `many` where it takes "beat" and not "beats"."""

    text: str
    many: bool = False


def name_of(split: Split, cards: Hand, *, high: bool, wheel: str, whole: bool = False) -> Name:
    """The name of a high or a low hand; `whole` names what decides between two of one name, such as the kickers.

    >>> from domain.cards import parse
    >>> from domain.games.seven_card import SPLIT
    >>> name_of(SPLIT, parse("4s 4d"), high=False, wheel="second").text
    'a pair of fours'
    >>> name_of(SPLIT, parse("9s 9d Jk Kh 2c"), high=True, wheel="second", whole=True).text
    'a pair of nines with A-K-2'
    """
    if not high and cards == (JOKER,):
        return Name("the joker")
    strength = split.high(cards, wheel) if high else split.low(cards)
    ranks = [strength >> place & 15 for place in _RANK_AT][: len(cards)]
    return _NAMES[category(strength)](ranks, whole)


def name_of_flush(cards: Hand) -> Name:
    """The name of the best flush of cards of a 52-card deck.

    >>> from domain.cards import parse
    >>> name_of_flush(parse("As Ts 5s Kd Qd Jc 9c")).text
    'a 3-card flush, A-T-5 of spades'
    """
    best = flush_strength(cards)
    length, ranks = best >> 13, best & 0x1FFF
    suit = next(suit for suit, held in enumerate(by_suit(cards)[:4]) if held == ranks)
    return Name(f"a {length}-card flush, {_of_suit(cards, suit)} of {_SUITS[SUITS[suit]]}")


def _of_suit(cards: Hand, suit: int) -> str:
    return "-".join(RANKS[card >> 2] for card in sorted(cards, reverse=True) if suit_of(card) == suit)


def _run(ranks: list[int]) -> str:
    return "-".join(RANKS[rank] for rank in ranks)


def _plural(rank: int) -> str:
    return _ONE[rank] + ("es" if _ONE[rank] == "six" else "s")


def _an(rank: int) -> str:
    return f"{'an' if rank in (_EIGHT, _ACE) else 'a'} {_ONE[rank]}"


def _high_card(ranks: list[int], whole: bool) -> Name:
    return Name(_an(ranks[0]) if len(ranks) == 1 else f"{_run(ranks)} high")


def _with(name: str, kickers: list[int], whole: bool) -> str:
    return f"{name} with {_run(kickers)}" if whole and kickers else name


def _one_pair(ranks: list[int], whole: bool) -> Name:
    return Name(_with(f"a pair of {_plural(ranks[0])}", ranks[2:], whole))


def _two_pair(ranks: list[int], whole: bool) -> Name:
    return Name(_with(f"{_plural(ranks[0])} and {_plural(ranks[2])}", ranks[4:], whole), many=True)


def _three(ranks: list[int], whole: bool) -> Name:
    return Name(_with(f"three {_plural(ranks[0])}", ranks[3:], whole), many=True)


def _straight(ranks: list[int], whole: bool) -> Name:
    return Name(f"a straight, {_run(ranks)}")


def _flush(ranks: list[int], whole: bool) -> Name:
    return Name(f"a flush, {_run(ranks)}")


def _full_house(ranks: list[int], whole: bool) -> Name:
    return Name(f"{_plural(ranks[0])} full of {_plural(ranks[3])}", many=True)


def _four(ranks: list[int], whole: bool) -> Name:
    return Name(_with(f"four {_plural(ranks[0])}", ranks[4:], whole), many=True)


def _straight_flush(ranks: list[int], whole: bool) -> Name:
    return Name(f"a straight flush, {_run(ranks)}")


def _royal_flush(ranks: list[int], whole: bool) -> Name:
    return Name("a royal flush")


def _five_aces(ranks: list[int], whole: bool) -> Name:
    return Name("five aces", many=True)


_NAMES = {
    "high_card": _high_card,
    "one_pair": _one_pair,
    "two_pair": _two_pair,
    "three_of_a_kind": _three,
    "straight": _straight,
    "flush": _flush,
    "full_house": _full_house,
    "four_of_a_kind": _four,
    "straight_flush": _straight_flush,
    "royal_flush": _royal_flush,
    "five_aces": _five_aces,
}
