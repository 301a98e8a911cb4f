"""What six cards are worth: the one-card low hand, fouls, the classes that tables pay, and the insurance."""

from collections.abc import Collection
from functools import lru_cache
from itertools import combinations
from typing import Final

from domain.cards import ACE, Hand, parse, rank_of
from domain.classes import Classes
from domain.masks import by_suit, longest_run
from domain.rankings import RANKINGS, five

# Where `five` has the highest rank of a hand without a pair.
_TOP_RANK_AT: Final = 16
_LOWEST_PAIR_OF_EIGHTS: Final = five(parse("8c 8d 4c 3c 2c"))

_CLASSES: Final = Classes("six_card")
_STRAIGHT: Final = _CLASSES.bit["straight"]
_SIX_CARD_STRAIGHT: Final = _CLASSES.bit["six_card_straight"]
_FLUSH: Final = _CLASSES.bit["flush"]
_SIX_CARD_FLUSH: Final = _CLASSES.bit["six_card_flush"]
_STRAIGHT_FLUSH: Final = _CLASSES.bit["straight_flush"]
_SIX_CARD_STRAIGHT_FLUSH: Final = _CLASSES.bit["six_card_straight_flush"]
_ROYAL_FLUSH: Final = _CLASSES.bit["royal_flush"]
_TEN_TO_ACE: Final = 0b11111 << ACE - 4

_KING_HIGH_OR_LESS: Final = "king_high_or_less"
_BY_TOP_RANK: Final = {ACE - 1 - place: name for place, name in enumerate(RANKINGS["insurance"][:-1])}


def one(cards: Hand) -> int:
    """The strength of a one-card low hand, comparable with `five`: its rank, the joker's an ace's.

    A player's joker beats every low card of the dealer (670a.11(f)(2)(ii), (f)(3)), and a sheet may put the dealer's
    above an ace (R2): whoever compares two low hands has to look for the joker first.

    >>> one(parse("Jk")) == one(parse("Ad")) > one(parse("Kd"))
    True
    """
    (card,) = cards
    return rank_of(card) << _TOP_RANK_AT


def is_foul(high: Hand, low: Hand, *, wheel: str, strict: bool) -> bool:
    """Whether the one-card hand outranks the five-card hand or, where `strict`, equals it (670a.11(b), R8).

    Equal are a hand without a pair and its own top card; a joker in the low hand is an ace here, whatever R2 says.
    """
    above, below = five(high, wheel), one(low)
    # A pair or better is above every rank, so that its higher part equals none.
    return below > above or (strict and above >> _TOP_RANK_AT == below >> _TOP_RANK_AT)


def six_card_classes(cards: Hand) -> frozenset[str]:
    """Every class of `six_card` that six cards contain, however they are set; the joker serves each as suits it best.

    A six-card flush contains a flush, two three of a kinds a full house, quads trips and a pair. A-2-3-4-5-6 is a run.
    """
    return _CLASSES.named(_contained(cards))


def best(cards: Hand) -> str:
    """The highest class of `six_card` that six cards contain; a straight is above trips in that list.

    >>> best(parse("As 2d 3c 4h 5s 6d")), best(parse("As Kd Jk Ad Kh 6d"))
    ('six_card_straight', 'full_house')
    """
    return _CLASSES.highest(_contained(cards))


def first_class(cards: Hand, among: Collection[str]) -> str | None:
    """The highest class that six cards contain and `among` holds, such as the hands of a paytable, or None."""
    return _CLASSES.first(_remembered(cards), among)


def pair_of_eights_or_better(cards: Hand, wheel: str) -> bool:
    """Whether the best five of the dealer's six cards are at least a pair of eights (670a.11(g)).

    `wheel` ranks A-2-3-4-5 (R7), which is above every pair either way.
    """
    return max(five(high, wheel) for high in combinations(cards, 5)) >= _LOWEST_PAIR_OF_EIGHTS


def insurance_class(cards: Hand) -> str | None:
    """The class of `insurance` that six cards are by their top card, or None for better than king-high (670a.11(h)(2)).

    The joker is an ace, also where it completes nothing (R22).

    >>> insurance_class(parse("Ts 9c 7c 5d 3c 2s")), insurance_class(parse("Jk 9c 7c 5d 3c 2s"))
    ('ten_high', None)
    """
    return _BY_TOP_RANK.get(max(map(rank_of, cards))) if best(cards) == "high_card" else None


def insurance_first(cards: Hand, among: Collection[str]) -> str | None:
    """The first of `among` that insures six cards: the line of their top card, then the one for all of them."""
    exact = insurance_class(cards)
    return next((name for name in (exact, _KING_HIGH_OR_LESS) if exact and name in among), None)


def _contained(cards: Hand) -> int:
    """The bits of the classes that six cards contain."""
    clubs, diamonds, hearts, spades, joker = by_suit(cards)
    found = _CLASSES.of_equal_ranks(clubs, diamonds, hearts, spades, joker)
    running = longest_run(clubs | diamonds | hearts | spades, joker)
    if running >= 5:
        found |= _STRAIGHT | (_SIX_CARD_STRAIGHT if running == 6 else 0)
    for suit in (clubs, diamonds, hearts, spades):
        if suit.bit_count() + joker >= 5:
            found |= _FLUSH | _of_one_suit(suit, joker)
    return found


def _of_one_suit(suit: int, joker: int) -> int:
    """The bits of what is made of one suit, that suit having at least five cards with the joker."""
    found = _SIX_CARD_FLUSH if suit.bit_count() + joker == 6 else 0
    running = longest_run(suit, joker)
    if running >= 5:
        found |= _STRAIGHT_FLUSH | (_SIX_CARD_STRAIGHT_FLUSH if running == 6 else 0)
        found |= _ROYAL_FLUSH if (suit & _TEN_TO_ACE).bit_count() + joker >= 5 else 0
    return found


# Settling asks for a hand once for every bonus and envy on it.
_remembered = lru_cache(maxsize=1024)(_contained)
