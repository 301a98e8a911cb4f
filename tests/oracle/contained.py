"""Which classes of a ranking list cards contain. The line paid is the first class contained that the table has."""

from collections.abc import Callable
from functools import lru_cache

from tests.oracle.cards import ACE, JOKER, SUITS, Cards, times, value

PAIRS_AND_LESS = ("three_pair", "two_pair", "one_pair", "high_card")
RANKINGS: dict[str, tuple[str, ...]] = {
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
        *PAIRS_AND_LESS,
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
        *PAIRS_AND_LESS,
    ),
    "flush_length": tuple(f"flush_{count}" for count in range(7, 1, -1)),
    "straight_flush_length": tuple(f"straight_flush_{count}" for count in range(7, 2, -1)),
    "insurance": ("king_high", "queen_high", "jack_high", "ten_high", "nine_high", "eight_high", "king_high_or_less"),
}
ROYAL = {10, 11, 12, 13, 14}


def ranks_of(cards: Cards) -> set[int]:
    """The values of the natural cards; an ace is a 1 as well."""
    found = {value(card) for card in cards if card != JOKER}
    return found | {1} if ACE in found else found


def of_suit(cards: Cards, suit: str) -> Cards:
    """The natural cards of a suit."""
    return tuple(card for card in cards if card != JOKER and card[1] == suit)


def has_run(cards: Cards, length: int, joker: bool, only: set[int] | None = None) -> bool:
    """Whether so many consecutive ranks are there, the joker in a gap; `only` names the run that is meant."""
    there = ranks_of(cards)
    for lowest in range(1, 16 - length):
        wanted = set(range(lowest, lowest + length))
        if (only is None or wanted == only) and len(wanted - there) <= int(joker):
            return True
    return False


def has_suited_run(cards: Cards, length: int, only: set[int] | None = None) -> bool:
    """The same within one suit."""
    return any(has_run(of_suit(cards, suit), length, JOKER in cards, only) for suit in SUITS)


def has_suited(cards: Cards, length: int) -> bool:
    """Whether so many cards are of one suit, the joker of any."""
    return any(len(of_suit(cards, suit)) + cards.count(JOKER) >= length for suit in SUITS)


def royal_match(cards: Cards) -> bool:
    """R26: K-Q of one suit without the joker, and a royal flush in the five cards left."""
    for suit in SUITS:
        pair = {"K" + suit, "Q" + suit}
        if pair <= set(cards) and has_suited_run(tuple(card for card in cards if card not in pair), 5, ROYAL):
            return True
    return False


def _at_least(cards: Cards, *counts: int) -> bool:
    """Whether different ranks have at least these counts, the joker as an ace."""
    there = sorted(times(cards).values(), reverse=True)
    return len(there) >= len(counts) and all(have >= want for have, want in zip(there, counts, strict=False))


TESTS: dict[str, Callable[[Cards], bool]] = {
    "seven_card_straight_flush": lambda cards: JOKER not in cards and has_suited_run(cards, 7),
    "seven_card_straight_flush_joker": lambda cards: JOKER in cards and has_suited_run(cards, 7),
    "six_card_straight_flush": lambda cards: has_suited_run(cards, 6),
    "royal_match": royal_match,
    "five_aces": lambda cards: times(cards).get(ACE, 0) == 5,
    "royal_flush": lambda cards: has_suited_run(cards, 5, ROYAL),
    "straight_flush": lambda cards: has_suited_run(cards, 5),
    "four_of_a_kind": lambda cards: _at_least(cards, 4),
    "two_three_of_a_kinds": lambda cards: _at_least(cards, 3, 3),
    "full_house": lambda cards: _at_least(cards, 3, 2),
    "six_card_flush": lambda cards: has_suited(cards, 6),
    "flush": lambda cards: has_suited(cards, 5),
    "six_card_straight": lambda cards: has_run(cards, 6, JOKER in cards),
    "straight": lambda cards: has_run(cards, 5, JOKER in cards),
    "three_of_a_kind": lambda cards: _at_least(cards, 3),
    "three_pair": lambda cards: _at_least(cards, 2, 2, 2),
    "two_pair": lambda cards: _at_least(cards, 2, 2),
    "one_pair": lambda cards: _at_least(cards, 2),
    "high_card": lambda cards: True,
}


def is_nothing(cards: Cards) -> bool:
    """No pair, straight or flush, the joker an ace or whatever it completes."""
    return not any(TESTS[name](cards) for name in ("one_pair", "straight", "flush"))


def is_ace_high(cards: Cards) -> bool:
    """688a.1: ace high and nothing better; the joker is an ace."""
    return is_nothing(cards) and max(times(cards)) == ACE


def longest_suit(cards: Cards) -> int:
    """How many cards the longest suit has."""
    return max(len(of_suit(cards, suit)) for suit in SUITS)


def longest_suited_run(cards: Cards, ace: str) -> int:
    """The longest straight flush in High Card Flush; `ace` is the token of R5."""
    found = 1
    for suit in SUITS:
        there = ranks_of(of_suit(cards, suit))
        if ace == "high_only":
            there = there - {1}
        for lowest in there:
            length = 1
            while lowest + length in there:
                length += 1
            found = max(found, length)
    return found


def insurance_classes(cards: Cards) -> tuple[str, ...]:
    """670a.11(h)(2): king-high or less, by its exact top card first (R22: the joker is an ace)."""
    names = {13: "king", 12: "queen", 11: "jack", 10: "ten", 9: "nine", 8: "eight"}
    top = max(times(cards))
    return (f"{names[top]}_high", "king_high_or_less") if is_nothing(cards) and top != ACE else ()


@lru_cache(10_000)
def contained(cards: Cards, ranking: str, ace: str = "high_and_low") -> tuple[str, ...]:
    """Every class of the ranking list that the cards contain, highest first."""
    if ranking == "insurance":
        return insurance_classes(cards)
    if ranking == "flush_length":
        return tuple(f"flush_{count}" for count in range(longest_suit(cards), 1, -1))
    if ranking == "straight_flush_length":
        return tuple(f"straight_flush_{count}" for count in range(longest_suited_run(cards, ace), 2, -1))
    return tuple(name for name in RANKINGS[ranking] if TESTS[name](cards))
