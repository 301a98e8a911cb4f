"""A winning progressive line as a jackpot: claimed at settling, validated or refused, paid once on a slip."""

from __future__ import annotations

from domain.commands import LineCommand, PayJackpot, RefuseJackpot, ValidateJackpot
from domain.desk import Property
from domain.money import dollars
from domain.rounds.aftermath import line_of
from domain.rounds.events import Event, Finding, JackpotPaid, JackpotRefused, JackpotValidated, WagerSettled
from domain.rounds.mystery import MYSTERY_WAGER
from domain.rounds.refusals import (
    JackpotApproval,
    JackpotFromRack,
    JackpotNothingDue,
    JackpotNotValidated,
    JackpotRefusal,
    LineUnknown,
    SlipUsed,
)
from domain.rounds.scene import Scene
from domain.rounds.state import Round
from domain.surroundings import property_at, slip_at
from domain.tax import tax_on
from domain.times import calendar_year, gaming_day

JACKPOT_WAGERS = ("progressive", MYSTERY_WAGER)


def validate_jackpot(command: ValidateJackpot, scene: Scene) -> tuple[Event, ...]:
    """A floorperson or above, never the dealer, verifies a claim (670a.11(h)(3)(i)(B)); the amount is the line's.

    That is fixed at `settle` and nothing that the meter does later changes it; a correction of the line does.
    """
    _not_the_dealer(command.validated_by, scene)
    line = _open_claim(command, scene)
    findings: tuple[Finding, ...] = ()
    if not command.signal:
        text = "the progressive system showed no light for this hand"
        findings = (Finding("jackpot.no-signal", text, line.seat, line.wager),)
    return (
        JackpotValidated(
            line.line_id,
            line.seat,
            line.wager,
            won_now_cents(line, scene.round),
            command.validated_by,
            command.signal,
            findings,
        ),
    )


def refuse_jackpot(command: RefuseJackpot, scene: Scene) -> tuple[Event, ...]:
    """A claim is refused instead of validated, once."""
    _not_the_dealer(command.refused_by, scene)
    line = _open_claim(command, scene)
    amount = won_now_cents(line, scene.round)
    return (JackpotRefused(line.line_id, line.seat, line.wager, amount, command.refused_by, command.reason),)


def pay_jackpot(command: PayJackpot, scene: Scene) -> tuple[Event, ...]:
    """A validated claim is paid, once, on a slip of its own; a share of the meter never from the rack.

    It pays what its line says by now: a line that was corrected says what the correction made it say.
    """
    _check_people(command, scene)
    line = _claim(command, scene)
    if line.line_id in scene.round.jackpots_paid:
        raise JackpotRefusal(
            f"line {line.line_id} was paid on slip {scene.round.jackpots_paid[line.line_id].slip}; it is paid once"
        )
    if line.line_id in scene.round.jackpots_refused:
        raise JackpotRefusal(f"line {line.line_id} was refused, so it is not paid")
    if line.line_id not in scene.round.validated:
        raise JackpotNotValidated(f"line {line.line_id} is not validated; a floorperson validates it before it is paid")
    won = _won_to_pay(line, scene)
    if line.paid_by == "meter" and command.paid_from == "rack":
        raise JackpotFromRack(f"line {line.line_id} is {line.odds}, a share of the meter; pay it from the cage")
    used = slip_at(scene.around, command.slip)
    if used is not None:
        raise SlipUsed(f"slip {command.slip} paid line {used.line_id} of round {used.round}; use the next slip")
    property_ = property_at(scene.around, scene.round.opened.property)
    paid = won if command.amount_cents is None else command.amount_cents
    _check_supervisor(command, paid - won, property_)
    tax = tax_on(
        paid + line.returned_cents,
        _wager_cents(line, scene),
        year=calendar_year(command.at, property_.zone),
        currency=property_.currency,
        reported=property_.reported_winnings,
    )
    return (
        JackpotPaid(
            scene.round.key,
            line.line_id,
            line.seat,
            line.wager,
            won,
            command.slip,
            command.paid_from,
            command.paid_by,
            command.witness,
            paid,
            paid - won,
            gaming_day(command.at, property_.zone, property_.day_starts),
            command.supervisor,
            None if tax is None else tax.figures_year,
            None if tax is None else tax.form,
            command.form,
            0 if tax is None else tax.withheld_cents,
        ),
    )


def won_now_cents(line: WagerSettled, round_: Round) -> int:
    """What the line wins by now: what it is due after its corrections, less the stake that it gives back."""
    return max(round_.due_cents[line.line_id] + line.commission_cents - line.returned_cents, 0)


def _won_to_pay(line: WagerSettled, scene: Scene) -> int:
    won = won_now_cents(line, scene.round)
    if won == 0 < line.won_cents:
        raise JackpotNothingDue(
            f"line {line.line_id} was {dollars(line.won_cents)} and was corrected to nothing, so there is nothing to "
            "pay; correct_line with what is due where the correction was wrong"
        )
    return won


def _wager_cents(line: WagerSettled, scene: Scene) -> int:
    """What was wagered for the line; a mystery was won by the stake that fed its meter."""
    if line.hit is None or line.wager != MYSTERY_WAGER:
        return line.stake_cents
    fed = [taken for taken in scene.round.contributions if (taken.seat, taken.meter) == (line.seat, line.hit.meter)]
    return fed[0].stake_cents


def _check_people(command: PayJackpot, scene: Scene) -> None:
    """Who witnesses does not pay, and a supervisor is somebody else again: not the author, the payer or the dealer."""
    if command.paid_by == command.witness:
        raise JackpotApproval(f"{command.paid_by} can't witness the own payment; name another witness")
    if command.supervisor in (command.by, command.paid_by, scene.round.opened.dealer):
        raise JackpotApproval(f"{command.supervisor} can't supervise this payment; name another supervisor")


def _check_supervisor(command: PayJackpot, difference_cents: int, property_: Property) -> None:
    # N.J.A.C. 13:69D-1.40(e): a supervisor overrides where the slip asks for another amount than the system's.
    if command.supervisor is None and abs(difference_cents) >= property_.supervisor_from_cents:
        raise JackpotApproval(
            f"the slip differs from the line by {dollars(difference_cents)}; from "
            f"{dollars(property_.supervisor_from_cents)} on `supervisor` names who allows it"
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
    if line.wager not in JACKPOT_WAGERS or line.outcome != "win":
        raise LineUnknown(f"line {line.line_id} is no winning progressive line, so no jackpot")
    return line


def _not_the_dealer(person: str, scene: Scene) -> None:
    if person == scene.round.opened.dealer:
        raise JackpotApproval(f"{person} dealt the round; a floorperson or above decides on its jackpots")
