"""A winning progressive line as a jackpot: claimed at settling, validated or refused, paid once on a slip."""

from __future__ import annotations

from domain.commands import LineCommand, PayJackpot, RefuseJackpot, ValidateJackpot
from domain.rounds.aftermath import line_of
from domain.rounds.events import Event, Finding, JackpotPaid, JackpotRefused, JackpotValidated, WagerSettled
from domain.rounds.refusals import (
    JackpotApproval,
    JackpotFromRack,
    JackpotNotValidated,
    JackpotRefusal,
    LineUnknown,
    SlipUsed,
)
from domain.rounds.scene import Scene
from domain.surroundings import slip_at

JACKPOT_WAGER = "progressive"


def validate_jackpot(command: ValidateJackpot, scene: Scene) -> tuple[Event, ...]:
    """A floorperson or above, never the dealer, verifies a claim (670a.11(h)(3)(i)(B)); the amount is the line's."""
    _not_the_dealer(command.validated_by, scene)
    line = _open_claim(command, scene)
    findings: tuple[Finding, ...] = ()
    if not command.signal:
        text = "the progressive system showed no light for this hand"
        findings = (Finding("jackpot.no-signal", text, line.seat, line.wager),)
    return (
        JackpotValidated(
            line.line_id, line.seat, line.wager, line.won_cents, command.validated_by, command.signal, findings
        ),
    )


def refuse_jackpot(command: RefuseJackpot, scene: Scene) -> tuple[Event, ...]:
    """A claim is refused instead of validated, once."""
    _not_the_dealer(command.refused_by, scene)
    line = _open_claim(command, scene)
    return (JackpotRefused(line.line_id, line.seat, line.wager, line.won_cents, command.refused_by, command.reason),)


def pay_jackpot(command: PayJackpot, scene: Scene) -> tuple[Event, ...]:
    """A validated claim is paid, once, on a slip of its own; a share of the meter never from the rack."""
    if command.paid_by == command.witness:
        raise JackpotApproval(f"{command.paid_by} can't witness the own payment; name another witness")
    line = _claim(command, scene)
    if line.line_id in scene.round.jackpots_paid:
        raise JackpotRefusal(
            f"line {line.line_id} was paid on slip {scene.round.jackpots_paid[line.line_id].slip}; it is paid once"
        )
    if line.line_id in scene.round.jackpots_refused:
        raise JackpotRefusal(f"line {line.line_id} was refused, so it is not paid")
    if line.line_id not in scene.round.validated:
        raise JackpotNotValidated(f"line {line.line_id} is not validated; a floorperson validates it before it is paid")
    if line.paid_by == "meter" and command.paid_from == "rack":
        raise JackpotFromRack(f"line {line.line_id} is {line.odds}, a share of the meter; pay it from the cage")
    used = slip_at(scene.around, command.slip)
    if used is not None:
        raise SlipUsed(f"slip {command.slip} paid line {used.line_id} of round {used.round}; use the next slip")
    return (
        JackpotPaid(
            scene.round.key,
            line.line_id,
            line.seat,
            line.wager,
            line.won_cents,
            command.slip,
            command.paid_from,
            command.paid_by,
            command.witness,
        ),
    )


def _open_claim(command: LineCommand, scene: Scene) -> WagerSettled:
    line = _claim(command, scene)
    if line.line_id in scene.round.validated:
        by = scene.round.validated[line.line_id].validated_by
        raise JackpotRefusal(f"line {line.line_id} was validated by {by}")
    if line.line_id in scene.round.jackpots_refused:
        raise JackpotRefusal(f"line {line.line_id} was refused")
    return line


def _claim(command: LineCommand, scene: Scene) -> WagerSettled:
    line = line_of(command, scene.round)
    if line.wager != JACKPOT_WAGER or line.outcome != "win":
        raise LineUnknown(f"line {line.line_id} is no winning progressive line, so no jackpot")
    return line


def _not_the_dealer(person: str, scene: Scene) -> None:
    if person == scene.round.opened.dealer:
        raise JackpotApproval(f"{person} dealt the round; a floorperson or above decides on its jackpots")
