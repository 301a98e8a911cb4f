"""Every row that a house way can say of a hand, as its module words it; the rules page shows a hand for each.

A test deals thousands of hands and finds no other row; a new house way is listed here with its own.
"""

from __future__ import annotations

from collections.abc import Mapping

_SIX_CARD = (
    "(d)(1) five aces: kept, the sixth card low",
    "(d)(2) six-card straight flush: the lowest five high, the highest card low",
    "(d)(1) straight flush: kept",
    "(d)(1) four of a kind: kept, the highest other card low",
    "(d)(1)(i) two three of a kinds: a card of the higher low",
    "(d)(1) full house: kept, the sixth card low",
    "(d)(2) six-card flush: the lowest five high, the highest card low",
    "(d)(1) flush: kept",
    "(d)(2) six-card straight: the lowest five high, the highest card low",
    "(d)(1) straight: kept",
    "(d)(1) three of a kind: kept, the highest other card low",
    "(d)(1)(ii) three pairs: the two lower high, a card of the highest low",
    "(d)(1) two pairs: kept, the highest other card low",
    "(d)(1) one pair: kept, the highest other card low",
    "(d)(6) nothing: the highest card high, the second highest low",
    "(d)(5) six-card flush and straight flush: the straight flush high",
    "(d)(4) straight and straight flush: the straight flush high",
    "(d)(3) straight and flush: the flush high",
    "(d)(1) flush over a pair: the flush high, as the higher hand (R3)",
    "(d)(1) straight over a pair: the straight high, as the higher hand (R3)",
)
_CARDROOM = (
    "five aces and a pair of kings: the kings low",
    "five aces: three high, two low",
    "four of a kind and three of a kind: a pair of the three low",
    "four aces and a pair: a pair of aces low, two pairs high",
    "four of a kind and a pair: the pair low",
    "four of a kind, high: split",
    "four of a kind, low: kept together",
    "four of a kind, medium, with an ace: kept together, the ace low",
    "four of a kind, medium: split",
    "two three of a kinds: a pair of the higher low",
    "three aces and two pairs: a pair of aces low, two pairs high",
    "full house and a pair: the higher pair low",
    "full house: the pair low",
    "three pairs: the highest low",
    "straight or flush, no pair: kept high",
    "straight or flush, one pair: kept high",
    "straight or flush, three of a kind: kept high",
    "straight or flush, two pairs: kept high",
    "straight or flush, a high pair and an ace: the ace low, the pair high",
    "straight or flush, two pairs under 7: kept high",
    "three aces: two high, one low",
    "three of a kind: kept high",
    "two pairs, high and high: split",
    "two pairs, high and low, with an ace: kept together, the ace low",
    "two pairs, high and low: split",
    "two pairs, high and medium: split",
    "two pairs, low and low: kept together",
    "two pairs, medium and low, with an ace: kept together, the ace low",
    "two pairs, medium and low: split",
    "two pairs, medium and medium, with an ace: kept together, the ace low",
    "two pairs, medium and medium: split",
    "one pair: the pair high, the next two cards low",
    "no pair: the highest card high, the next two low",
)
_MBS = (
    "five aces and a pair of kings: the kings low",
    "five aces: three high, two low",
    "four of a kind and three of a kind: a pair of the three low",
    "four aces and a pair under kings: a pair of aces low",
    "four of a kind and a pair: the pair low",
    "four of a kind, aces: split",
    "four of a kind, high: split",
    "four of a kind, medium: split",
    "four of a kind, low: kept together",
    "four of a kind, medium, with an ace: kept together",
    "two three of a kinds: a pair of the higher low",
    "full house and a pair: the higher pair low",
    "full house with twos, an ace and a king: kept, ace-king low",
    "full house: the pair low",
    "three pairs: the highest low",
    "straight or flush, no pair: kept, the best low hand beside it",
    "straight or flush, one pair: kept, the best low hand beside it",
    "straight or flush, three of a kind: a pair of the three low",
    "three aces: two high, one low",
    "three of a kind: kept high",
    "two pairs, aces and high: split",
    "two pairs, aces and low: split",
    "two pairs, aces and medium: split",
    "two pairs, high and high: split",
    "two pairs, high and low, with an ace: kept together",
    "two pairs, high and low: split",
    "two pairs, high and medium: split",
    "two pairs, low and low, with a king: kept together",
    "two pairs, low and low, with an ace: kept together",
    "two pairs, low and low: split",
    "two pairs, medium and low, with a king: kept together",
    "two pairs, medium and low, with an ace: kept together",
    "two pairs, medium and low: split",
    "two pairs, medium and medium, with an ace: kept together",
    "two pairs, medium and medium: split",
    "one pair: the pair high, the next two cards low",
    "no pair: the highest card high, the next two low",
)
_TRUMP_OWN = (
    "four of a kind and a pair: the pair low",
    "four of a kind, medium, with a king or ace: kept together",
    "four of a kind, low: kept together",
    "four of a kind, high, with an ace: kept together",
    "four of a kind: split",
)

# Four of a kind has rows of its own there; all others are taken over from Marina Bay Sands.
_REPLACED_BY_TRUMP = {row for row in _MBS if row.startswith("four ") and "three of a kind" not in row}

ROWS: Mapping[str, tuple[str, ...]] = {
    "670a.11(d)": _SIX_CARD,
    "cardroom": _CARDROOM,
    "mbs": _MBS,
    "trump": (*_TRUMP_OWN, *(row for row in _MBS if row not in _REPLACED_BY_TRUMP)),
}
"""By the id of the house way."""

NOT_SHOWN: Mapping[str, frozenset[str]] = {"trump": frozenset(ROWS["trump"]) - frozenset(_TRUMP_OWN)}
"""Rows that no recorded round has to show: those that a house way takes over from another, which shows them."""
