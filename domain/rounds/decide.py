"""Decides a command about a round: first its phase, then what the command's own module says. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain import commands as order
from domain.errors import NotInGame, OutOfPhase
from domain.games import game
from domain.games.game import SETTING
from domain.rounds import aftermath, betting, claims, dealing, deciding, setting
from domain.rounds.events import Event
from domain.rounds.mystery import reveal_mystery
from domain.rounds.refusals import RoundMisdeal, RoundUnknown
from domain.rounds.scene import Scene
from domain.rounds.settlement import settle
from domain.rounds.state import Round
from domain.surroundings import Surroundings, meter_at, pinned_sheet

Decider = Callable[[Any, Scene], tuple[Event, ...]]


def _settle(command: order.Settle, scene: Scene) -> tuple[Event, ...]:
    named = [name for terms in scene.sheet.wagers.values() for name in terms.meters]
    open_ = {name: meter for name in named if (meter := meter_at(scene.around, name)) is not None}
    meters = {name: meter.in_force(command.at) for name, meter in open_.items()}
    return settle(scene, meters)


PHASES: Mapping[str, Mapping[type[order.RoundCommand], Decider]] = {
    "open": {
        order.PlaceWager: betting.place_wager,
        order.WithdrawWager: betting.withdraw_wager,
        order.TakeBank: betting.take_bank,
        order.CloseBetting: betting.close_betting,
    },
    "closed": {
        order.DrawStart: dealing.draw_start,
        order.Forfeit: aftermath.forfeit,
        order.Deal: dealing.deal,
    },
    "dealt": {
        order.ExposeCard: dealing.expose_card,
        order.SetHand: setting.set_hand,
        order.ResetHand: setting.reset_hand,
        order.DoubleDown: deciding.double_down,
        order.Raise: deciding.raise_,
        order.Fold: deciding.fold,
        order.SetDealer: setting.set_dealer,
        order.Forfeit: aftermath.forfeit,
        order.Settle: _settle,
    },
    "settled": {
        order.ReportPayment: aftermath.report_payment,
        order.CorrectLine: aftermath.correct_line,
        order.ValidateJackpot: claims.validate_jackpot,
        order.PayJackpot: claims.pay_jackpot,
        order.RefuseJackpot: claims.refuse_jackpot,
        order.RevealMystery: reveal_mystery,
    },
    "voided": {order.RevealMystery: reveal_mystery},
}
"""Which commands a phase accepts; a void is accepted in every phase."""

GAME_COMMANDS = SETTING | {"double_down", "raise", "fold"}
"""Commands that some games lack."""


def decide_in_round(command: order.RoundCommand, around: Surroundings) -> tuple[Event, ...]:
    """The events that `command` leaves in its round's stream; raises a Refusal where the rules say no."""
    round_ = around.round(command.round)
    if round_ is None:
        raise RoundUnknown(f"no round {command.round}; open it first with open_round")
    scene = scene_of(round_, around)
    decider = _decider(command, round_)
    if command.NAME in GAME_COMMANDS and command.NAME not in scene.game.decisions:
        raise NotInGame(f"{command.NAME} is no part of {scene.game.title}")
    return decider(command, scene)


def scene_of(round_: Round, around: Surroundings) -> Scene:
    """The view in which a command about `round_` is decided: under the sheet it pinned."""
    sheet = pinned_sheet(around, round_.opened.sheet, round_.opened.sheet_fingerprint)
    return Scene(round_, sheet, game(sheet.game), around)


def _decider(command: order.RoundCommand, round_: Round) -> Decider:
    if isinstance(command, order.VoidRound):
        return aftermath.void_round
    if round_.misdealt and round_.phase != "voided":
        why = "; ".join(finding.text for finding in round_.findings if finding.code != "start.not-recorded")
        raise RoundMisdeal(f"round {round_.key} is a misdeal ({why}); void it and deal a new hand")
    accepted = PHASES[round_.phase]
    decider = accepted.get(type(command))
    if decider is None or (isinstance(command, order.DrawStart) and round_.start is not None):
        names = ", ".join(each.NAME for each in accepted)
        raise OutOfPhase(
            f"{command.NAME} comes too early or too late: round {round_.key} is {round_.phase} and accepts {names}"
        )
    return decider
