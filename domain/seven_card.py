"""What seven cards are worth: the classes that tables pay for the whole hand, however it is set."""

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from domain.cards import ACE, KING, Hand
from domain.classes import Classes
from domain.masks import by_suit, longest_run

_CLASSES: Final = Classes("seven_card_bonus")
_STRAIGHT: Final = _CLASSES.bit["straight"]
_FLUSH: Final = _CLASSES.bit["flush"]
_STRAIGHT_FLUSH: Final = _CLASSES.bit["straight_flush"]
_ROYAL_FLUSH: Final = _CLASSES.bit["royal_flush"]
_ROYAL_MATCH: Final = _CLASSES.bit["royal_match"]
# By whether there is a joker.
_ALL_SEVEN: Final = _CLASSES.bit["seven_card_straight_flush"], _CLASSES.bit["seven_card_straight_flush_joker"]

_TEN_TO_ACE: Final = 0b11111 << ACE - 4
_KING_QUEEN: Final = 0b11 << KING - 1


def seven_card_classes(cards: Hand) -> frozenset[str]:
    """Every class of `seven_card_bonus` that seven cards contain, however they are set.

    Quads contain trips and a pair, quads with a pair contain a full house, a royal flush contains a straight flush, a
    flush and a straight. The joker serves each class as suits it best.
    """
    return _CLASSES.named(_contained(cards))


def best(cards: Hand) -> str:
    """The highest class of `seven_card_bonus` that seven cards contain; trips are above a straight in that list.

    >>> from domain.cards import parse
    >>> best(parse("9s 9d 9h 8c 7d 6s 5s"))
    'three_of_a_kind'
    """
    return _CLASSES.highest(_contained(cards))


def first_class(cards: Hand, among: Collection[str]) -> str | None:
    """The highest class that seven cards contain and `among` holds, such as the hands of a paytable, or None."""
    return _CLASSES.first(_remembered(cards), among)


def _contained(cards: Hand) -> int:
    """The bits of the classes that seven cards contain."""
    clubs, diamonds, hearts, spades, joker = by_suit(cards)
    found = _CLASSES.of_equal_ranks(clubs, diamonds, hearts, spades, joker)
    if longest_run(clubs | diamonds | hearts | spades, joker) >= 5:
        found |= _STRAIGHT
    suits = clubs, diamonds, hearts, spades
    for suit in suits:
        if suit.bit_count() + joker >= 5:
            found |= _FLUSH | _of_one_suit(suit, suits, joker)
    return found


def _of_one_suit(suit: int, suits: tuple[int, ...], joker: int) -> int:
    """The bits of what is made of consecutive cards of one suit, that suit having at least five with the joker."""
    running = longest_run(suit, joker)
    if running < 5:
        return 0
    found = _STRAIGHT_FLUSH
    if (suit & _TEN_TO_ACE).bit_count() + joker >= 5:
        # The joker may stand in the royal flush, not in the king and queen of another suit (R26).
        found |= _ROYAL_FLUSH | (_ROYAL_MATCH if _KING_QUEEN in suits else 0)
    return found | (_ALL_SEVEN[joker] if running == 7 else 0)


# Settling asks for a hand once for every bonus and envy on it.
_remembered = lru_cache(maxsize=1024)(_contained)
