"""Cards as a feed writes them: `As`, `Td`, `Jk`. An ace is 14, and so is the joker where it completes nothing."""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "Jk"
ACE, KING, QUEEN, JACK, TEN = 14, 13, 12, 11, 10
DECK_52 = tuple(rank + suit for rank in RANKS for suit in SUITS)
DECK_53 = (*DECK_52, JOKER)

Cards = tuple[str, ...]


def cards_of(text: str) -> Cards:
    """The cards of a text such as `"As Td Jk"`, in its order."""
    return tuple(text.split())


def value(card: str) -> int:
    """2 to 14; the joker counts as an ace."""
    return ACE if card == JOKER else RANKS.index(card[0]) + 2


def values(cards: Cards) -> list[int]:
    """The values of the cards, highest first."""
    return sorted((value(card) for card in cards), reverse=True)


def times(cards: Cards) -> dict[int, int]:
    """How many cards there are of each value that occurs, the joker as an ace."""
    found: dict[int, int] = {}
    for card in cards:
        found[value(card)] = found.get(value(card), 0) + 1
    return found
