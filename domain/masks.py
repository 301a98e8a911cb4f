"""Hands as bit masks: the ranks held in each suit, how often, and how far ranks follow each other."""

from functools import cache
from typing import Final

from domain.cards import ACE, Hand, deck, rank_of, suit_of

# Each suit has thirteen bits of its own, the two the lowest; the joker's bit is above them all.
_PLACE: Final = (*(1 << 13 * suit_of(card) + rank_of(card) for card in deck(joker=False)), 1 << 52)
_SUIT: Final = (1 << 13) - 1
_ACES: Final = 1 << ACE


def by_suit(cards: Hand) -> tuple[int, int, int, int, int]:
    """The ranks held in clubs, diamonds, hearts and spades, bit 0 for a two to bit 12 for an ace, and how many jokers.

    >>> from domain.cards import parse
    >>> by_suit(parse("2c 4c As Jk"))
    (5, 0, 0, 4096, 1)
    """
    held = sum(map(_PLACE.__getitem__, cards))
    return held & _SUIT, held >> 13 & _SUIT, held >> 26 & _SUIT, held >> 39 & _SUIT, held >> 52


def alike(clubs: int, diamonds: int, hearts: int, spades: int, joker: int) -> tuple[int, int, int, int]:
    """The ranks held at least twice, three, four and five times, from those held in each suit; the joker is an ace.

    >>> from domain.cards import parse
    >>> alike(*by_suit(parse("4c 4d 4h As Jk")))
    (4100, 4, 0, 0)
    """
    black, red = clubs | spades, diamonds | hearts
    both_black, both_red = clubs & spades, diamonds & hearts
    twos = both_black | both_red | black & red
    threes = both_black & red | both_red & black
    fours = both_black & both_red
    if not joker:
        return twos, threes, fours, 0
    # The joker pairs aces only (seed 004): aces move up by one, all other ranks stay.
    fives = fours & _ACES
    fours |= threes & _ACES
    threes |= twos & _ACES
    return twos | (black | red) & _ACES, threes, fours, fives


@cache
def longest_run(ranks: int, jokers: int = 0, ace_low: bool = True) -> int:
    """How many of these ranks follow each other, at most, a joker standing for any one that is missing.

    The ace is above the king, and below the two as well where `ace_low`; no run goes on around it.

    >>> longest_run(0b1_0000_0000_0111), longest_run(0b1_0000_0000_0111, ace_low=False)
    (4, 3)
    """
    held = ranks << 1 | (ranks >> ACE if ace_low else 0)
    longest = 0
    for lowest in range(14):
        while longest < 13 and (held >> lowest & (2 << longest) - 1).bit_count() + jokers > longest:
            longest += 1
    return longest
