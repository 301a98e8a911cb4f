"""Deals every spot its hand from a shuffled deck, fairly or with big hands made frequent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cli.simulation.chance import Chance
from domain.cards import ACE, JOKER, Card, Hand, deck
from domain.games.game import Game

_RANKS, _SUITS = 13, 4
_KING, _QUEEN, _TEN = 11, 10, 8
_STRAIGHT = 5
_TRIES = 12

Builder = Callable[[Chance, int], list[Card]]
"""Cards that make a class of hand, at most so many; of a game's deck, or with a joker that it may lack."""


@dataclass(frozen=True)
class Dealt:
    """The cards of every spot, 0 is the dealer, and what was left of the deck."""

    hands: dict[int, Hand]
    stub: Hand


def deal(chance: Chance, game: Game, positions: int, *, bias: bool = False) -> Dealt:
    """One fair deal; with `bias` up to four spots start from a hand that pays, some of them from equal ones."""
    left = chance.shuffled(deck(joker=game.joker))
    spots = range(positions + 1)
    started: dict[int, list[Card]] = {spot: [] for spot in spots}
    if bias:
        chosen = chance.some(spots, chance.between(1, 4))
        for spot, cards in zip(chosen, _beginnings(chance, game, len(chosen)), strict=True):
            if all(card in left for card in cards):
                started[spot] = cards
                left = [card for card in left if card not in cards]
    hands: dict[int, Hand] = {}
    for spot in spots:
        missing = game.hand_size - len(started[spot])
        hands[spot] = tuple(chance.shuffled([*started[spot], *left[:missing]]))
        left = left[missing:]
    return Dealt(hands, tuple(left))


def _beginnings(chance: Chance, game: Game, count: int) -> list[list[Card]]:
    """Beginnings of hands; after a big one there is sometimes its like in another suit."""
    made: list[list[Card]] = []
    for _ in range(count):
        alike = made and chance.in_ten_thousand(3_000)
        made.append(_in_another_suit(chance, made[-1]) if alike else _big_hand(chance, game))
    return made


def _big_hand(chance: Chance, game: Game) -> list[Card]:
    """A big hand that the game can deal; none where a dozen tries find none."""
    for _ in range(_TRIES):
        wanted = chance.pick(_BIG_HANDS)(chance, game.hand_size)
        if len(wanted) <= game.hand_size and (game.joker or JOKER not in wanted):
            return wanted
    return []


def _in_another_suit(chance: Chance, cards: Sequence[Card]) -> list[Card]:
    turn = chance.between(1, _SUITS - 1)
    return [card if card == JOKER else Card(card - card % _SUITS + (card + turn) % _SUITS) for card in cards]


def _suited(suit: int, ranks: Sequence[int]) -> list[Card]:
    return [Card(_SUITS * rank + suit) for rank in ranks]


def _of_a_rank(chance: Chance, rank: int, count: int) -> list[Card]:
    return [Card(_SUITS * rank + suit) for suit in chance.some(range(_SUITS), count)]


def _run(chance: Chance, length: int) -> list[Card]:
    """Suited cards in a row; a row that starts at -1 starts with the ace below the two."""
    lowest = chance.between(-1, _RANKS - length)
    ranks = [ACE if rank < 0 else rank for rank in range(lowest, lowest + length)]
    return _suited(chance.below(_SUITS), ranks)


def _quads(chance: Chance, _: int) -> list[Card]:
    return _of_a_rank(chance, chance.below(_RANKS), 4)


def _full_house(chance: Chance, _: int) -> list[Card]:
    trips, pair = chance.some(range(_RANKS), 2)
    return [*_of_a_rank(chance, trips, 3), *_of_a_rank(chance, pair, 2)]


def _two_trips(chance: Chance, _: int) -> list[Card]:
    first, second = chance.some(range(_RANKS), 2)
    return [*_of_a_rank(chance, first, 3), *_of_a_rank(chance, second, 3)]


def _flush(chance: Chance, size: int) -> list[Card]:
    ranks = chance.some(range(_RANKS), chance.between(_STRAIGHT - 1, size))
    return _suited(chance.below(_SUITS), ranks)


def _straight_flush(chance: Chance, size: int) -> list[Card]:
    return _run(chance, chance.between(3, size))


def _longest_straight_flush(chance: Chance, size: int) -> list[Card]:
    return _run(chance, size)


def _straight_flush_with_joker(chance: Chance, size: int) -> list[Card]:
    run = _run(chance, chance.between(_STRAIGHT, size))
    run[chance.below(len(run))] = JOKER
    return run


def _royal(chance: Chance, _: int) -> list[Card]:
    return _suited(chance.below(_SUITS), range(_TEN, ACE + 1))


def _royal_match(chance: Chance, _: int) -> list[Card]:
    royal, match = chance.some(range(_SUITS), 2)
    return [*_suited(royal, range(_TEN, ACE + 1)), *_suited(match, (_KING, _QUEEN))]


def _five_aces(chance: Chance, _: int) -> list[Card]:
    return [*_of_a_rank(chance, ACE, 4), JOKER]


_BIG_HANDS: Sequence[Builder] = (
    _quads,
    _quads,
    _full_house,
    _two_trips,
    _flush,
    _flush,
    _straight_flush,
    _straight_flush,
    _longest_straight_flush,
    _straight_flush_with_joker,
    _royal,
    _royal_match,
    _five_aces,
)
