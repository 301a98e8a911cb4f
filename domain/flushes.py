"""What seven cards are worth in High Card Flush: the longest flush, and the longest run in one suit (678a.6)."""

from collections.abc import Collection
from typing import Final

from domain.cards import Hand
from domain.masks import by_suit, longest_run

# A strength is the number of cards above a bit for each of their ranks: of two flushes of one length the higher number
# has the highest card that the other lacks (678a.6(c)).
_LENGTH_AT: Final = 13
_NINE: Final = 7
_QUALIFYING: Final = 3 << _LENGTH_AT | 1 << _NINE


def strength(cards: Hand) -> int:
    """The strength of the best flush among cards of a 52-card deck: the higher beats the lower, equal ones push.

    The longer flush comes first, then the ranks in falling order; cards of other suits play no part (678a.6(b), (c)).

    >>> from domain.cards import parse
    >>> strength(parse("As Ts 5s Kd Qd Jd 9c")) > strength(parse("Kd Qd Jd As Ts 9c 8c"))
    True
    """
    return max(suit.bit_count() << _LENGTH_AT | suit for suit in by_suit(cards)[:4])


def length(cards: Hand) -> int:
    """How many cards the best flush has, 2 to 7 of seven cards; it limits the raise (678a.11(b))."""
    return strength(cards) >> _LENGTH_AT


def best(cards: Hand) -> str:
    """The class of `flush_length` that the best flush is.

    >>> from domain.cards import parse
    >>> best(parse("Ah Th 7h 4h 6s 7s 8s"))
    'flush_4'
    """
    return f"flush_{length(cards)}"


def qualifies(cards: Hand) -> bool:
    """Whether the dealer's best flush is at least three cards, nine high (678a.11(d))."""
    return strength(cards) >= _QUALIFYING


def straight_flush_length(cards: Hand, ace: str) -> int:
    """How many cards of one suit follow each other, at most, in whichever suit that is (678a.6(d)).

    `ace` is R5: `high_and_low` puts it above the king and below the two, never in the middle; `high_only` above alone.

    >>> from domain.cards import parse
    >>> straight_flush_length(parse("As 2s 3s Ks 9d 8d 4h"), "high_and_low")
    3
    """
    return max(longest_run(suit, 0, ace == "high_and_low") for suit in by_suit(cards)[:4])


def first_flush(cards: Hand, among: Collection[str]) -> str | None:
    """The longest flush that the cards contain and `among` holds, such as the hands of a paytable, or None."""
    return _first("flush", length(cards), among)


def first_straight_flush(cards: Hand, among: Collection[str], ace: str) -> str | None:
    """The longest straight flush that the cards contain and `among` holds, or None; `ace` is R5."""
    return _first("straight_flush", straight_flush_length(cards, ace), among)


def _first(kind: str, longest: int, among: Collection[str]) -> str | None:
    """The first class of the kind that is no longer than that and among those."""
    contained = (f"{kind}_{cards}" for cards in range(longest, 0, -1))
    return next((name for name in contained if name in among), None)
