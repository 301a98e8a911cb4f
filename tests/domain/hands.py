"""Seeded deals for tests, some of them crowded into a few ranks or suits so that the rare rows come up too."""

from collections.abc import Iterator
from random import Random

from domain.cards import JOKER, SUITS, Card, Hand, deck, rank_of, suit_of

WHOLE_DECK = deck(joker=True)


def random_hands(size: int, count: int, seed: int) -> Iterator[Hand]:
    """Hands dealt from the whole deck with the joker."""
    random = Random(seed)
    for _ in range(count):
        yield tuple(random.sample(WHOLE_DECK, size))


def crowded_hands(size: int, count: int, seed: int) -> Iterator[Hand]:
    """Hands dealt from the joker and a few ranks, or from the joker and one suit with a few cards more."""
    random = Random(seed)
    for _ in range(count):
        if random.random() < 0.6:
            ranks = random.sample(range(13), random.randint(2, 7))
            few = [card for card in WHOLE_DECK if card == JOKER or rank_of(card) in ranks]
        else:
            suit = random.randrange(4)
            few = [card for card in WHOLE_DECK if card == JOKER or suit_of(card) == suit or random.random() < 0.2]
        yield tuple(random.sample(few, size))


def with_suits_renamed(cards: Hand, random: Random) -> Hand:
    """The same cards after the four suits have changed places, in another order."""
    renamed = random.sample(range(len(SUITS)), len(SUITS))
    moved = [card if card == JOKER else Card(card // 4 * 4 + renamed[suit_of(card)]) for card in cards]
    return tuple(random.sample(moved, len(moved)))
