"""What six cards are worth: the one-card low hand, fouls, the classes that tables pay, and the insurance."""

from collections.abc import Collection
from itertools import combinations
from typing import Final

from domain.cards import ACE, Hand, parse, rank_of
from domain.masks import by_suit, longest_run
from domain.rankings import RANKINGS, five

# Where `five` has the highest rank of a hand without a pair.
_TOP_RANK_AT: Final = 16
_LOWEST_PAIR_OF_EIGHTS: Final = five(parse("8c 8d 4c 3c 2c"))

_FALLING: Final = RANKINGS["six_card"]
# One bit for each class that six cards can contain, the highest class the highest bit.
_BIT: Final = {name: 1 << place for place, name in enumerate(reversed(_FALLING))}
_BY_BIT_LENGTH: Final = ("", *reversed(_FALLING))
# By the number of different ranks that are paired.
_HAS_PAIRS: Final = (
    _BIT["high_card"],
    _BIT["high_card"] | _BIT["one_pair"],
    _BIT["high_card"] | _BIT["one_pair"] | _BIT["two_pair"],
    _BIT["high_card"] | _BIT["one_pair"] | _BIT["two_pair"] | _BIT["three_pair"],
)
_HAS_TRIPS: Final = _BIT["three_of_a_kind"]
_HAS_FULL_HOUSE: Final = _BIT["full_house"]
_HAS_TWO_TRIPS: Final = _BIT["two_three_of_a_kinds"]
_HAS_QUADS: Final = _BIT["four_of_a_kind"]
_HAS_FIVE_ACES: Final = _BIT["five_aces"]
_HAS_STRAIGHT: Final = _BIT["straight"]
_HAS_FLUSH: Final = _BIT["flush"]
_ACES: Final = 1 << ACE
_TEN_TO_ACE: Final = 0b11111 << 8

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
    held = _classes(cards)
    return frozenset(name for name, bit in _BIT.items() if held & bit)


def best(cards: Hand) -> str:
    """The highest class of `six_card` that six cards contain; a straight is above trips in that list.

    >>> best(parse("As 2d 3c 4h 5s 6d")), best(parse("As Kd Jk Ad Kh 6d"))
    ('six_card_straight', 'full_house')
    """
    return _BY_BIT_LENGTH[_classes(cards).bit_length()]


def first_class(cards: Hand, among: Collection[str]) -> str | None:
    """The highest class that six cards contain and `among` holds, such as the hands of a paytable, or None."""
    held = _classes(cards)
    return next((name for name in _FALLING if name in among and held & _BIT[name]), None)


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


def _classes(cards: Hand) -> int:
    """The bits of the classes that six cards contain."""
    *suits, joker = by_suit(cards)
    clubs, diamonds, hearts, spades = suits
    found = _rank_classes(clubs, diamonds, hearts, spades, joker)
    running = longest_run(clubs | diamonds | hearts | spades, joker)
    if running >= 5:
        found |= _HAS_STRAIGHT | (_BIT["six_card_straight"] if running == 6 else 0)
    for suit in suits:
        if suit.bit_count() + joker >= 5:
            found |= _HAS_FLUSH | _suited_classes(suit, joker)
    return found


def _rank_classes(clubs: int, diamonds: int, hearts: int, spades: int, joker: int) -> int:
    """The bits of what is made of equal ranks, from the ranks held in each suit."""
    black, red = clubs | spades, diamonds | hearts
    both_black, both_red = clubs & spades, diamonds & hearts
    twos = both_black | both_red | black & red
    threes = both_black & red | both_red & black
    fours = both_black & both_red
    found = 0
    if joker:
        # The joker pairs aces only: aces move up by one, all other ranks stay.
        found = _HAS_FIVE_ACES if fours & _ACES else 0
        fours |= threes & _ACES
        threes |= twos & _ACES
        twos |= (black | red) & _ACES
    pairs = twos.bit_count()
    found |= _HAS_PAIRS[pairs]
    if threes:
        found |= _HAS_TRIPS | (_HAS_FULL_HOUSE if pairs > 1 else 0) | (_HAS_QUADS if fours else 0)
        found |= _HAS_TWO_TRIPS if threes.bit_count() == 2 else 0
    return found


def _suited_classes(suit: int, joker: int) -> int:
    """The bits of what is made of one suit, that suit having at least five cards with the joker."""
    found = _BIT["six_card_flush"] if suit.bit_count() + joker == 6 else 0
    running = longest_run(suit, joker)
    if running >= 5:
        found |= _BIT["straight_flush"] | (_BIT["six_card_straight_flush"] if running == 6 else 0)
        found |= _BIT["royal_flush"] if (suit & _TEN_TO_ACE).bit_count() + joker >= 5 else 0
    return found
