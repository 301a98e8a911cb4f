"""Cards as small integers: reading them, showing them, and the decks they are dealt from."""

from collections.abc import Iterable
from typing import Final, NewType

# Four times the rank plus the suit, both counted from 0 in the order of RANKS and SUITS; the joker comes last.
Card = NewType("Card", int)
Hand = tuple[Card, ...]

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
KING: Final = 11
ACE: Final = 12
JOKER: Final = Card(52)

_NAMES: Final = (*(rank + suit for rank in RANKS for suit in SUITS), "Jk")
_CARDS: Final = {name: Card(index) for index, name in enumerate(_NAMES)}
_RANK_OF: Final = (*(index >> 2 for index in range(52)), ACE)
_SUIT_OF: Final = (*(index & 3 for index in range(52)), len(SUITS))


def card(text: str) -> Card:
    """The card that `text` names, such as `Td`, `As` or `Jk`; anything else is a ValueError that quotes it."""
    try:
        return _CARDS[text]
    except KeyError:
        raise ValueError(f"{text!r} is no card: write a rank of {RANKS} with a suit of {SUITS}, or Jk") from None


def parse(text: str) -> Hand:
    """The cards that `text` names, separated by spaces, in its order; a token that is no card is a ValueError.

    >>> parse("2c As Jk")
    (0, 51, 52)
    """
    names = text.split()
    try:
        return tuple(map(_CARDS.__getitem__, names))
    except KeyError:
        return tuple(map(card, names))


def show(cards: Iterable[Card]) -> str:
    """The cards in the form that `parse` reads.

    >>> show(parse("As Kd Jk"))
    'As Kd Jk'
    """
    return " ".join(_NAMES[card] for card in cards)


def rank_of(card: Card) -> int:
    """The card's rank, 0 for a two to 12 for an ace; the joker's is an ace's (seed 004, "Object of the game")."""
    return _RANK_OF[card]


def suit_of(card: Card) -> int:
    """The card's suit, 0 to 3 in the order of SUITS; the joker has 4, a suit that no other card has."""
    return _SUIT_OF[card]


def deck(joker: bool) -> Hand:
    """A whole deck in rising order: 52 cards, or 53 with the joker."""
    return tuple(map(Card, range(53 if joker else 52)))
