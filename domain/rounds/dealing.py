"""The deal: where the first hand goes, what every spot got, what makes a misdeal (seed 004, Misdealt Hands)."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from domain.cards import JOKER, show
from domain.commands import Deal, DrawStart, ExposeCard
from domain.rounds.events import (
    HOUSE,
    CardExposed,
    DealtHand,
    Event,
    Finding,
    HandsDealt,
    RoundMisdealt,
    StartDrawn,
)
from domain.rounds.refusals import CardNotThere, ShufflerFailed, SpotUnknown, StartNumber
from domain.rounds.scene import Scene
from domain.seating import start_position
from domain.surroundings import table_at


def draw_start(command: DrawStart, scene: Scene) -> tuple[Event, ...]:
    """The shuffler's number or three dice, counted from the banker counter-clockwise."""
    number = command.number if command.dice is None else sum(command.dice)
    spots = len(scene.spots)
    assert number is not None
    if command.dice is None and not 1 <= number <= spots:
        raise StartNumber(f"number {number}: the machine draws 1 to {spots} at this table")
    position = start_position(number, bank=scene.round.bank_seat, positions=scene.sheet.positions)
    return (StartDrawn(command.method, number, position, command.dice),)


def deal(command: Deal, scene: Scene) -> tuple[Event, ...]:
    """Every spot's cards, wager or not; well-formed but wrong cards are recorded and make the hand a misdeal."""
    opened = scene.round.opened
    if table_at(scene.around, opened.property, opened.table).shuffler_failed:
        raise ShufflerFailed(f"the shuffler of table {opened.table} reported an error; have it cleared before the deal")
    spots = scene.spots
    for spot in command.hands:
        if spot not in spots:
            raise SpotUnknown(
                f"a hand for spot {spot}; this table has the dealer and seats 1 to {scene.sheet.positions}"
            )
    dealt = HandsDealt(
        hands=tuple(DealtHand(spot, command.hands[spot]) for spot in sorted(command.hands)),
        stub=command.stub,
        stub_cards=command.stub_cards,
        findings=_start_not_recorded(scene),
    )
    wrong = tuple(_what_is_wrong(command, scene))
    return (dealt, RoundMisdealt(wrong)) if wrong else (dealt,)


def expose_card(command: ExposeCard, scene: Scene) -> tuple[Event, ...]:
    """A card was seen; past the game's limit the hand is a misdeal (seed 004, Misdealt Hands 3)."""
    hand = scene.round.hands.get(command.seat)
    if hand is None:
        raise SpotUnknown(f"{_spot(command.seat)} was not dealt in round {scene.round.key}")
    if command.card not in hand:
        raise CardNotThere(f"{show((command.card,))} is not in the hand of {_spot(command.seat)}: {show(hand)}")
    if (command.seat, command.card) in scene.round.exposed:
        raise CardNotThere(f"{show((command.card,))} of {_spot(command.seat)} is recorded as exposed already")
    exposed = len(scene.round.exposed) + 1
    event = CardExposed(command.seat, command.card, exposed)
    limit = scene.game.exposed_limit
    if limit is None or exposed <= limit:
        return (event,)
    text = f"{exposed} cards were exposed during the deal; {limit} are the most"
    return (event, RoundMisdealt((Finding("deal.exposed", text, command.seat or None),)))


def _start_not_recorded(scene: Scene) -> tuple[Finding, ...]:
    if scene.round.start is not None or not scene.game.joker:
        return ()
    return (Finding("start.not-recorded", "no machine number or dice were recorded for where the first hand goes"),)


def _what_is_wrong(command: Deal, scene: Scene) -> list[Finding]:
    spots, size = scene.spots, scene.game.hand_size
    expected = scene.game.deck_size - len(spots) * size
    wrong: list[Finding] = []
    if command.stub != expected:
        wrong.append(Finding("deal.stub-count", f"{command.stub} cards are left, {expected} should be"))
    if command.stub_cards is not None and len(command.stub_cards) != command.stub:
        text = f"{len(command.stub_cards)} cards of the stub are known, {command.stub} were counted"
        wrong.append(Finding("deal.stub-count", text))
    for spot in spots:
        hand = command.hands.get(spot)
        if hand is None:
            wrong.append(Finding("deal.missed-spot", f"{_spot(spot)} got no hand", spot or None))
        elif len(hand) != size:
            wrong.append(
                Finding("deal.hand-size", f"{_spot(spot)} got {len(hand)} cards instead of {size}", spot or None)
            )
    cards = [*chain.from_iterable(command.hands.values()), *(command.stub_cards or ())]
    if len(set(cards)) != len(cards):
        for card, count in sorted(Counter(cards).items()):
            if count > 1:
                wrong.append(Finding("deal.duplicate-card", f"{show((card,))} is there {count} times"))
    if JOKER in cards and not scene.game.joker:
        wrong.append(Finding("deal.wrong-deck", "a joker in a game of 52 cards"))
    return wrong


def _spot(seat: int) -> str:
    return "the dealer" if seat == HOUSE else f"seat {seat}"
