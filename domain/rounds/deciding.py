"""Decisions after the cards are seen: doubling down, raising and folding."""

from __future__ import annotations

from domain.commands import DoubleDown, Fold, Raise
from domain.money import dollars
from domain.rounds.events import DoubledDown, Event, Folded, Raised
from domain.rounds.refusals import HandDecided, HandNotInPlay, RaiseLimit, WagerNotOffered
from domain.rounds.scene import Scene


def double_down(command: DoubleDown, scene: Scene) -> tuple[Event, ...]:
    """A wager equal to the seat's own main, offered before the dealer's cards are turned (670a.11(c))."""
    player = scene.player_at(command.seat)
    stake = _own_stake(command.seat, scene)
    if "double_down" not in scene.sheet.wagers:
        raise WagerNotOffered(f"sheet {scene.sheet.ref} does not offer double_down")
    if scene.round.stake_cents(command.seat, "double_down"):
        raise HandDecided(f"seat {command.seat} has doubled down already")
    if scene.round.dealer_set is not None:
        raise HandDecided("the dealer's hand is set; a double down comes before that")
    return (DoubledDown(command.seat, player, stake),)


def raise_(command: Raise, scene: Scene) -> tuple[Event, ...]:
    """A raise within what the hand's longest flush allows (678a.11(b), R18)."""
    player = scene.player_at(command.seat)
    ante = _own_stake(command.seat, scene)
    if "raise" not in scene.sheet.wagers:
        raise WagerNotOffered(f"sheet {scene.sheet.ref} does not offer raise")
    _check_undecided(command.seat, scene)
    assert scene.game.most_antes is not None
    most = scene.game.most_antes(scene.round.hands[command.seat]) * ante
    if not ante <= command.amount_cents <= most:
        raise RaiseLimit(
            f"a raise of {dollars(command.amount_cents)} on an ante of {dollars(ante)}: with this hand {dollars(ante)} "
            f"to {dollars(most)} are allowed"
        )
    if scene.sheet.options["R18"] == "multiples" and command.amount_cents % ante:
        raise RaiseLimit(f"{dollars(command.amount_cents)} is no whole multiple of the ante of {dollars(ante)} (R18)")
    return (Raised(command.seat, player, command.amount_cents),)


def fold(command: Fold, scene: Scene) -> tuple[Event, ...]:
    """The ante is given up; side wagers stay live (678a.11(c)(2))."""
    player = scene.player_at(command.seat)
    _own_stake(command.seat, scene)
    _check_undecided(command.seat, scene)
    return (Folded(command.seat, player),)


def _own_stake(seat: int, scene: Scene) -> int:
    stake = scene.round.stake_cents(seat, scene.base)
    if not stake:
        raise HandNotInPlay(f"seat {seat} has no {scene.base} wager: it sits out")
    return stake


def _check_undecided(seat: int, scene: Scene) -> None:
    if seat in scene.round.folded:
        raise HandDecided(f"seat {seat} has folded")
    if scene.round.stake_cents(seat, "raise"):
        raise HandDecided(f"seat {seat} has raised")
