"""Deals seven cards to every spot from a shuffled deck, fairly or with big hands made frequent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from domain.cards import ACE, JOKER, Card, Hand, deck
from tests.generators.chance import Chance

HAND_SIZE = 7

_KING, _QUEEN, _TEN = 11, 10, 8


@dataclass(frozen=True)
class Dealt:
    """The cards of every spot, 0 is the dealer, and what was left of the deck."""

    hands: dict[int, Hand]
    stub: Hand


def deal(chance: Chance, positions: int, *, bias: bool = False) -> Dealt:
    """One fair deal; with `bias` up to four spots start from a hand that pays from a meter."""
    left = chance.shuffled(deck(joker=True))
    spots = range(positions + 1)
    started: dict[int, list[Card]] = {spot: [] for spot in spots}
    if bias:
        for spot in chance.some(spots, chance.between(1, min(4, len(spots)))):
            started[spot] = _big_hand(chance, left)
            left = [card for card in left if card not in started[spot]]
    hands: dict[int, Hand] = {}
    for spot in spots:
        missing = HAND_SIZE - len(started[spot])
        hands[spot] = tuple(chance.shuffled([*started[spot], *left[:missing]]))
        left = left[missing:]
    return Dealt(hands, tuple(left))


def _big_hand(chance: Chance, left: Sequence[Card]) -> list[Card]:
    """Cards of a big hand that the deck still has; none where a dozen tries find none."""
    for _ in range(12):
        wanted = chance.pick(_BIG_HANDS)(chance)
        if all(card in left for card in wanted):
            return wanted
    return []


def _cards(suit: int, ranks: Sequence[int]) -> list[Card]:
    return [Card(4 * rank + suit) for rank in ranks]


def _quads(chance: Chance) -> list[Card]:
    rank = chance.below(13)
    return [Card(4 * rank + suit) for suit in range(4)]


def _full_house(chance: Chance) -> list[Card]:
    trips, pair = chance.some(range(13), 2)
    suits = chance.shuffled(range(4))
    return [Card(4 * trips + suit) for suit in suits[:3]] + [Card(4 * pair + suit) for suit in suits[:2]]


def _run(chance: Chance, length: int) -> list[Card]:
    """Suited cards in a row; a row that starts at -1 starts with the ace below the two."""
    lowest = chance.between(-1, 13 - length)
    return _cards(chance.below(4), [ACE if rank < 0 else rank for rank in range(lowest, lowest + length)])


def _straight_flush(chance: Chance) -> list[Card]:
    return _run(chance, 5)


def _seven_card_straight_flush(chance: Chance) -> list[Card]:
    return _run(chance, 7)


def _seven_card_straight_flush_with_joker(chance: Chance) -> list[Card]:
    run = _run(chance, 7)
    run[chance.below(7)] = JOKER
    return run


def _royal(chance: Chance) -> list[Card]:
    return _cards(chance.below(4), range(_TEN, ACE + 1))


def _royal_match(chance: Chance) -> list[Card]:
    royal, match = chance.some(range(4), 2)
    return _cards(royal, range(_TEN, ACE + 1)) + _cards(match, (_KING, _QUEEN))


def _five_aces(chance: Chance) -> list[Card]:
    return [*(Card(4 * ACE + suit) for suit in range(4)), JOKER]


_BIG_HANDS: Sequence[Callable[[Chance], list[Card]]] = (
    _quads,
    _quads,
    _full_house,
    _straight_flush,
    _straight_flush,
    _seven_card_straight_flush,
    _seven_card_straight_flush_with_joker,
    _royal,
    _royal_match,
    _five_aces,
)
