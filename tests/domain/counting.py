"""Choices of ranks and the ways to give them suits, for counting all hands without dealing each."""

from collections.abc import Iterator
from math import comb

from domain.cards import Card, Hand


def choices_of_ranks(cards: int, ranks: int = 13) -> Iterator[tuple[int, ...]]:
    """How many cards of each rank a hand may hold."""
    if ranks == 0:
        if cards == 0:
            yield ()
        return
    for of_this in range(min(cards, 4) + 1):
        for others in choices_of_ranks(cards - of_this, ranks - 1):
            yield (of_this, *others)


def ways_with_a_long_suit(counts: tuple[int, ...], least: int) -> int:
    """In how many ways these ranks get suits so that some suit has at least `least` cards: no two suits can."""
    ways = [1]  # by the number of cards that one given suit has
    for held in counts:
        with_it, without_it = (comb(3, held - 1) if held else 0), comb(3, held)
        ways = [without_it * a + with_it * b for a, b in zip([*ways, 0], [0, *ways], strict=True)]
    return 4 * sum(ways[least:])


def dealt_round_the_suits(counts: tuple[int, ...]) -> Hand:
    """A hand of these ranks whose suits are as equal in length as they can be."""
    ranks = [rank for rank, held in enumerate(counts) for _ in range(held)]
    return tuple(Card(rank * 4 + place % 4) for place, rank in enumerate(ranks))
