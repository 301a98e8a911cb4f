"""What comes beside and after the play: abandoned wagers, payments as they really moved, corrections and voids."""

from __future__ import annotations

from collections.abc import Iterator

from domain.approvals import require_approval
from domain.commands import CorrectLine, Forfeit, LineCommand, ReportPayment, VoidRound
from domain.money import dollars
from domain.rounds.events import (
    Event,
    Finding,
    LineCorrected,
    MeterReversal,
    PaymentReported,
    PlayerReversal,
    ReturnedWager,
    RoundVoided,
    WagerForfeited,
    WagerSettled,
)
from domain.rounds.lines import line_id
from domain.rounds.mystery import MYSTERY_WAGER
from domain.rounds.refusals import (
    AlreadyVoided,
    CorrectionNeedless,
    JackpotPaidOut,
    LineUnknown,
    WagerForfeitedAlready,
    WagerNone,
)
from domain.rounds.scene import Scene
from domain.rounds.state import Round, Wager
from domain.surroundings import property_at
from domain.times import gaming_day

VOID_PEOPLE = 2
CORRECTION_PEOPLE = 2


def forfeit(command: Forfeit, scene: Scene) -> tuple[Event, ...]:
    """A floorperson declares abandoned wagers lost (R23): one, or all of that id on the seat."""
    require_approval(command.approved_by, by=command.by, dealer=scene.round.opened.dealer)
    scene.player_at(command.seat)
    meant = [wager for wager in scene.round.stakes if _is_meant(wager, command)]
    if not meant:
        raise WagerNone(f"seat {command.seat} has no such {command.wager} wager in round {scene.round.key}")
    left = [wager for wager in meant if wager not in scene.round.forfeited]
    if not left:
        raise WagerForfeitedAlready(f"seat {command.seat}'s {command.wager} wager is forfeited already")
    return tuple(
        WagerForfeited(
            wager.seat,
            scene.round.owner(wager),
            wager.wager,
            command.reason,
            command.approved_by,
            wager.toke,
            wager.bettor,
        )
        for wager in left
    )


def report_payment(command: ReportPayment, scene: Scene) -> tuple[Event, ...]:
    """What really moved for a line, before commission; a difference to what was due is a finding."""
    line = line_of(command, scene.round)
    expected = line.won_cents + line.returned_cents
    findings: tuple[Finding, ...] = ()
    if command.paid_cents != expected:
        text = f"paid {dollars(command.paid_cents)}, due was {dollars(expected)}"
        findings = (Finding("payment.difference", text, line.seat, line.wager),)
    return (PaymentReported(line.line_id, line.seat, line.wager, command.paid_cents, expected, findings),)


def correct_line(command: CorrectLine, scene: Scene) -> tuple[Event, ...]:
    """A linked correction by the difference to what the line is due so far, on the correction's own gaming day."""
    opened = scene.round.opened
    require_approval(command.approved_by, by=command.by, dealer=opened.dealer, people=CORRECTION_PEOPLE)
    line = line_of(command, scene.round)
    if line.player is None:
        raise CorrectionNeedless(f"line {line.line_id} is the house's own; only a player's line is corrected")
    due = scene.round.due_cents[line.line_id]
    if command.due_cents == due:
        raise CorrectionNeedless(f"line {line.line_id} is due {dollars(due)} already; name another amount")
    property_ = property_at(scene.around, opened.property)
    return (
        LineCorrected(
            line.line_id,
            line.seat,
            line.player,
            line.wager,
            command.due_cents,
            due,
            command.due_cents - due,
            gaming_day(command.at, property_.zone, property_.day_starts),
            command.reason,
            command.approved_by,
            line.toke,
        ),
    )


def void_round(command: VoidRound, scene: Scene) -> tuple[Event, ...]:
    """The round does not count: every stake goes back and everything that it moved is taken back exactly."""
    check_void(scene, command.approved_by, by=command.by)
    property_ = property_at(scene.around, scene.round.opened.property)
    day = gaming_day(command.at, property_.zone, property_.day_starts)
    return (taken_back(scene, command.reason, command.approved_by, day),)


def check_void(scene: Scene, approved_by: tuple[str, ...], *, by: str) -> None:
    """Refuses the void of a round that is void, or paid a jackpot, and one that too few approved."""
    round_ = scene.round
    if round_.voided is not None:
        raise AlreadyVoided(f"round {round_.key} is void already: {round_.voided.reason}")
    if round_.jackpots_paid:
        paid = next(iter(round_.jackpots_paid.values()))
        raise JackpotPaidOut(f"line {paid.line_id} was paid on slip {paid.slip}; correct the lines instead of a void")
    require_approval(approved_by, by=by, dealer=round_.opened.dealer, people=VOID_PEOPLE)


def taken_back(scene: Scene, reason: str, approved_by: tuple[str, ...], day: str | None) -> RoundVoided:
    """The void of the round as it stands, on the gaming day `day`."""
    round_ = scene.round
    return RoundVoided(
        round_.key,
        round_.opened.property,
        round_.opened.table,
        round_.phase,
        reason,
        approved_by,
        tuple(_returned(scene)),
        tuple(_player_reversals(round_)),
        tuple(_meter_reversals(round_)),
        day,
    )


def line_of(command: LineCommand, round_: Round) -> WagerSettled:
    """The settled line that the command names; without the optional keys the player's own."""
    if command.wager == MYSTERY_WAGER:
        return _mystery_line(command, round_)
    if command.meter is not None or command.level is not None:
        raise LineUnknown(f"`meter` and `level` name mystery lines, not {command.wager} lines; leave them out")
    wager = Wager(command.seat, command.wager, command.bettor, command.toke)
    name = line_id(wager, for_seat=command.for_seat, kind=command.kind)
    line = round_.lines.get(name)
    if line is None:
        known = ", ".join(each for each in round_.lines if each.startswith(f"{command.seat}.")) or "none"
        raise LineUnknown(f"round {round_.key} has no line {name}; lines of seat {command.seat}: {known}")
    return line


def _mystery_line(command: LineCommand, round_: Round) -> WagerSettled:
    """The seat's mystery line; where it has several, `meter` and `level` say which."""
    own = [line for line in round_.lines.values() if (line.seat, line.wager) == (command.seat, MYSTERY_WAGER)]
    meant = [
        line
        for line in own
        if line.hit is not None and command.meter in (None, line.hit.meter) and command.level in (None, line.hit.level)
    ]
    if len(meant) != 1:
        known = ", ".join(line.line_id for line in own) or "none"
        raise LineUnknown(
            f"round {round_.key} has {len(meant) or 'no'} such mystery lines of seat {command.seat}, which has "
            f"{known}; name one with `meter` and `level`"
        )
    return meant[0]


def _is_meant(wager: Wager, command: Forfeit) -> bool:
    if wager[:2] != (command.seat, command.wager):
        return False
    if command.toke or command.bettor is not None:
        return (wager.bettor, wager.toke) == (command.bettor, bool(command.toke))
    return True


def _returned(scene: Scene) -> Iterator[ReturnedWager]:
    for wager, cents in scene.stakes():
        paid_by = scene.paid_by(wager.wager)
        owner = scene.round.owner(wager)
        yield ReturnedWager(line_id(wager), wager.seat, owner, wager.wager, cents, paid_by, wager.toke, wager.bettor)


def _player_reversals(round_: Round) -> Iterator[PlayerReversal]:
    """Everything the balances counted: stakes from when they were placed, lines and the bank from settling."""
    lines = [line for line in round_.lines.values() if line.player is not None]
    owners = {round_.owner(wager) for wager in round_.stakes}
    for player in sorted(owners | {line.player for line in lines if line.player is not None}):
        mine = [line for line in lines if line.player == player]
        staked = sum(cents for wager, cents in round_.stakes.items() if round_.owner(wager) == player)
        staked += sum(line.stake_cents for line in mine if line.wager == "bank")
        back = [line for line in mine if not line.toke]
        yield PlayerReversal(
            player,
            staked,
            sum(line.won_cents for line in back),
            sum(line.returned_cents for line in back),
            sum(line.commission_cents for line in back),
            sum(each.difference_cents for each in round_.corrections if each.player == player and not each.toke),
            1 if mine else 0,
        )


def _meter_reversals(round_: Round) -> Iterator[MeterReversal]:
    moved: dict[tuple[str, str], list[int]] = {}
    for taken in round_.contributions:
        for part in taken.levels:
            sums = moved.setdefault((taken.meter, part.level), [0] * 7)
            _add(sums, part.increment_micros, part.hidden_micros, 1, 0, 0, 0, 0)
    for hit in (line.hit for line in round_.lines.values() if line.hit is not None):
        sums = moved.setdefault((hit.meter, hit.level), [0] * 7)
        _add(sums, 0, 0, 0, hit.win_micros, hit.reset_micros, hit.reserve_used_micros, 1)
    for (meter, level), sums in moved.items():
        yield MeterReversal(meter, level, *sums)


def _add(sums: list[int], *amounts: int) -> None:
    for place, amount in enumerate(amounts):
        sums[place] += amount
