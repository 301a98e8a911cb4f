"""How the dealer of Six-Card Fortune sets six cards: 58 Pa. Code 670a.11(d)(1) to (6), completed by rulings R3 and R4.

The highest category of five-card hand is kept, within it the one that leaves the highest card low (R3). So the low hand
is the top of a six-card straight, flush or straight flush, a card of the higher of two trips, or one of the highest of
three pairs. The joker counts as the highest card: it goes low where the five others keep the category (R4).
"""

from typing import Final

from domain.cards import JOKER, Card, Hand, rank_of
from domain.house_ways import Setting
from domain.rankings import category, five
from domain.six_card import best, six_card_classes
from domain.splits import setting, without

ID = "670a.11(d)"
HAND_SIZE = 6

# The five-card hands that each class of six cards is played as, and the paragraph that says so.
_ROWS: Final = {
    "five_aces": (("five_aces",), "(d)(1) five aces: kept, the sixth card low"),
    "six_card_straight_flush": (
        ("straight_flush", "royal_flush"),
        "(d)(2) six-card straight flush: the lowest five high, the highest card low",
    ),
    "royal_flush": (("straight_flush", "royal_flush"), "(d)(1) straight flush: kept"),
    "straight_flush": (("straight_flush", "royal_flush"), "(d)(1) straight flush: kept"),
    "four_of_a_kind": (("four_of_a_kind",), "(d)(1) four of a kind: kept, the highest other card low"),
    "two_three_of_a_kinds": (("full_house",), "(d)(1)(i) two three of a kinds: a card of the higher low"),
    "full_house": (("full_house",), "(d)(1) full house: kept, the sixth card low"),
    "six_card_flush": (("flush",), "(d)(2) six-card flush: the lowest five high, the highest card low"),
    "flush": (("flush",), "(d)(1) flush: kept"),
    "six_card_straight": (("straight",), "(d)(2) six-card straight: the lowest five high, the highest card low"),
    "straight": (("straight",), "(d)(1) straight: kept"),
    "three_of_a_kind": (("three_of_a_kind",), "(d)(1) three of a kind: kept, the highest other card low"),
    "three_pair": (("two_pair",), "(d)(1)(ii) three pairs: the two lower high, a card of the highest low"),
    "two_pair": (("two_pair",), "(d)(1) two pairs: kept, the highest other card low"),
    "one_pair": (("one_pair",), "(d)(1) one pair: kept, the highest other card low"),
}


def set_hand(cards: Hand, wheel: str) -> Setting:
    """Six cards set as the regulation has the dealer set them; `wheel` ranks A-2-3-4-5, `second` or `lowest` (R7).

    Of cards of equal rank the lower suit goes low, so that the order of `cards` plays no part.

    >>> from domain.cards import parse, show
    >>> as_set = set_hand(parse("As 2d 3c 4h 5s 6d"), "second")
    >>> show(as_set.high), show(as_set.low)
    ('6d 5s 4h 3c 2d', 'As')
    """
    held = best(cards)
    if held == "high_card":
        low = sorted(cards, key=_height)[-2]
        return setting("(d)(6) nothing: the highest card high, the second highest low", (low,), cards, wheel)
    categories = {card: category(five(without(cards, (card,)), wheel)) for card in cards}
    kept, rule = _ROWS[held]
    low = max((card for card, name in categories.items() if name in kept), key=_height)
    return setting(_conflict(cards, held, set(categories.values())) or rule, (low,), cards, wheel)


def _conflict(cards: Hand, held: str, makes: set[str]) -> str | None:
    """The rule where the six cards also hold another set, given the categories that five of them make, or None."""
    classes = six_card_classes(cards)
    match held:
        case "straight_flush" | "royal_flush" if "six_card_flush" in classes:
            return "(d)(5) six-card flush and straight flush: the straight flush high"
        case "straight_flush" | "royal_flush" if "straight" in makes:
            return "(d)(4) straight and straight flush: the straight flush high"
        case "flush" if "straight" in makes:
            return "(d)(3) straight and flush: the flush high"
        case "flush" if "one_pair" in classes:
            return "(d)(1) flush over a pair: the flush high, as the higher hand (R3)"
        case "straight" if "one_pair" in classes:
            return "(d)(1) straight over a pair: the straight high, as the higher hand (R3)"
    return None


def _height(card: Card) -> tuple[int, bool, int]:
    """Sorts the card that goes low first to the end: the joker above the aces, of equal ranks the lower suit."""
    return rank_of(card), card == JOKER, -card
