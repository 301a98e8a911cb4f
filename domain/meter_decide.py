"""Decides commands about progressive meters around the play: opening, new terms, adjusting, moving, ending, reading.

A level is lowered or raised for the reasons of a closed list only, with evidence and two approvals, and every event
says what each level held before and after: nothing that a meter holds, shown or hidden, is lost on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import singledispatch
from typing import ClassVar

from domain import commands as order
from domain import house_events as happened
from domain.approvals import require_approval
from domain.desk import Property
from domain.errors import AmountInvalid, Refusal
from domain.meters import REVENUE, Held, Level, LevelChange, LevelTerms, Meter
from domain.money import FULL_MICROS, MAX_MICROS, dollars_of_micros
from domain.rounds.events import Event, Finding
from domain.rounds.refusals import LevelFull, MeterMystery, MeterRetired
from domain.surroundings import Surroundings, commitment_at, meter_at, property_at
from domain.times import gaming_day, instant

METER_PEOPLE = 2
HIDDEN_TO_REVENUE = "hidden_to_revenue"
OVER_LIMIT = "over_limit"
LOWERING = (
    "equipment_fault",
    OVER_LIMIT,
    HIDDEN_TO_REVENUE,
    "seed_recovery",
    "rate_correction",
    "regulator_order",
)
RAISING = ("equipment_fault", "rate_correction", "regulator_order", "house_added")
MOVING = ("equipment_replaced", "table_moved", "game_removed", "regulator_order")
"""Why a level may be lowered, raised, and moved or retired; WAC 230-15-695 and 68 IAC 2-6-33 have such lists."""


class MeterExists(Refusal):
    """The meter is open already."""

    code: ClassVar[str] = "meter.exists"


class MeterLevels(Refusal):
    """Two levels of the meter have one name, or two meters have different ones."""

    code: ClassVar[str] = "meter.levels"


class MeterUnknown(Refusal):
    """No such meter, or it has no such level."""

    code: ClassVar[str] = "meter.unknown"
    retry: ClassVar[bool] = True


class LevelUnknown(MeterUnknown):
    """The meter has no such level, and will not get it."""

    retry: ClassVar[bool] = False


class MeterReason(Refusal):
    """The reason is not on the list for what is asked."""

    code: ClassVar[str] = "meter.reason"


class MeterInsufficient(Refusal):
    """The level holds less than is to be taken from it."""

    code: ClassVar[str] = "meter.insufficient"
    retry: ClassVar[bool] = True


class MeterFull(AmountInvalid):
    """The level would hold more than is accounted for."""


class MeterTarget(Refusal):
    """Nothing can be moved to this meter."""

    code: ClassVar[str] = "meter.target"


class MeterLimit(Refusal):
    """A limit below what the level shows."""

    code: ClassVar[str] = "meter.limit"


class MeterChangeNeedless(Refusal):
    """Nothing would be changed."""

    code: ClassVar[str] = "meter.unchanged"


class MeterBackdated(Refusal):
    """New terms for wagers that were made already, or an entry for a day to come."""

    code: ClassVar[str] = "meter.time"


@singledispatch
def decide_meter(command: order.MeterCommand, around: Surroundings) -> Event:
    """The event that `command` leaves in its meter's stream; raises a Refusal where the rules say no."""
    raise TypeError(f"no command about a meter: {command.NAME}")


@decide_meter.register
def _(command: order.OpenMeter, around: Surroundings) -> Event:
    require_approval(command.approved_by, by=command.by)
    property_at(around, command.property)
    if meter_at(around, command.meter) is not None:
        raise MeterExists(f"meter {command.meter} is open already")
    if command.meter == REVENUE:
        raise MeterExists(f"{REVENUE!r} is where retired money may go, so no meter has this name; choose another")
    names = [terms.level for terms in command.levels]
    if len(set(names)) != len(names):
        raise MeterLevels(f"meter {command.meter} names a level twice: {', '.join(names)}")
    for terms in command.levels:
        _check_mystery(terms)
    _check_commitments(command, around)
    return happened.MeterOpened(
        command.meter,
        command.property,
        command.levels,
        command.unreasonable_micros,
        command.effective_from,
        command.approved_by,
    )


@decide_meter.register
def _(command: order.ChangeMeter, around: Surroundings) -> Event:
    require_approval(command.approved_by, by=command.by, people=METER_PEOPLE)
    meter = _meter(command.meter, around)
    if instant(command.effective_from) < instant(command.at):
        raise MeterBackdated(
            f"new terms from {command.effective_from} would be older than this command ({command.at}); give a time "
            "from then on, and put the past right with adjust_meter, reason rate_correction"
        )
    then = meter.in_force(command.effective_from)
    guard = command.unreasonable_micros
    levels = tuple(_level_changes(command, meter.in_force(command.at), then))
    if not levels and guard in (None, then.unreasonable_micros):
        raise MeterChangeNeedless(
            f"meter {command.meter} has these terms from {command.effective_from} on; name what is to be new"
        )
    return happened.MeterChanged(
        command.meter,
        meter.property,
        command.effective_from,
        levels,
        command.approved_by,
        _day(command, _property(meter, around)),
        then.unreasonable_micros,
        guard,
        command.reason,
        command.evidence,
    )


@decide_meter.register
def _(command: order.AdjustMeter, around: Surroundings) -> Event:
    require_approval(command.approved_by, by=command.by, people=METER_PEOPLE)
    meter, level = _open_level(command.meter, command.level, around, command.at)
    _check_reason(command.reason, *((LOWERING, "lowers") if command.amount_micros < 0 else (RAISING, "raises")))
    _check_not_full(command, level)
    property_ = _property(meter, around)
    day = _day(command, property_)
    if command.gaming_day is not None and command.gaming_day > day:
        raise MeterBackdated(f"gaming day {command.gaming_day} is not over before {day}; name the day that was wrong")
    return happened.MeterAdjusted(
        command.meter,
        meter.property,
        command.level,
        command.amount_micros,
        command.reason,
        command.evidence,
        command.approved_by,
        day,
        level.held,
        _adjusted(command, level),
        command.gaming_day if command.gaming_day != day else None,
        _over_limit_findings(command, level),
    )


@decide_meter.register
def _(command: order.TransferMeter, around: Surroundings) -> Event:
    require_approval(command.approved_by, by=command.by, people=METER_PEOPLE)
    meter, level = _open_level(command.meter, command.level, around, command.at)
    _check_reason(command.reason, MOVING, "moves")
    _check_not_full(command, level)
    if command.amount_micros > level.accrued_micros:
        raise MeterInsufficient(
            f"{_name(command)} has accrued {dollars_of_micros(level.accrued_micros)}; "
            f"{dollars_of_micros(command.amount_micros)} can't be moved, {_at_most(level.accrued_micros, 'move')}"
        )
    to_before = _target(command, meter, around)
    return happened.MeterTransferred(
        command.meter,
        meter.property,
        command.level,
        command.to,
        command.amount_micros,
        command.reason,
        command.evidence,
        command.approved_by,
        _day(command, _property(meter, around)),
        level.held,
        Held(level.accrued_micros - command.amount_micros, level.reserve_micros),
        to_before,
        _raised(to_before, command.amount_micros),
    )


@decide_meter.register
def _(command: order.RetireMeter, around: Surroundings) -> Event:
    require_approval(command.approved_by, by=command.by, people=METER_PEOPLE)
    meter = _meter(command.meter, around).in_force(command.at)
    level = _level(meter, command.level)
    _check_reason(command.reason, MOVING, "retires")
    moved = level.accrued_micros + level.reserve_micros
    # What a void gives back to a retired level can be moved on; nothing may be lost there.
    if level.retired and level.held == Held(0, 0):
        raise MeterRetired(f"{_name(command)} is retired and holds nothing")
    to_before = _target(command, meter, around)
    return happened.MeterRetired(
        command.meter,
        meter.property,
        command.level,
        command.to,
        command.reason,
        command.evidence,
        command.approved_by,
        _day(command, _property(meter, around)),
        level.shown_micros,
        level.held,
        Held(0, 0),
        to_before,
        _raised(to_before, moved),
    )


@decide_meter.register
def _(command: order.ReadMeter, around: Surroundings) -> Event:
    meter, level = _open_level(command.meter, command.level, around, command.at)
    return happened.MeterRead(
        command.meter,
        meter.property,
        command.level,
        command.display_cents,
        level.display_cents,
        level.accrued_micros,
        _day(command, _property(meter, around)),
    )


def _check_mystery(terms: LevelTerms) -> None:
    """A mystery level has both its keys, no limit beside them, and starts and resets below what it must hit by."""
    must_hit_by = terms.must_hit_by_micros
    if must_hit_by is None and terms.commitment is None:
        return
    if must_hit_by is None or terms.commitment is None:
        raise MeterMystery(f"level {terms.level} needs must_hit_by_micros and commitment, or neither")
    if terms.limit_micros is not None:
        raise MeterMystery(f"level {terms.level} must hit by {dollars_of_micros(must_hit_by)}; write null as its limit")
    if max(terms.base_micros, terms.reset_micros) >= must_hit_by:
        raise MeterMystery(
            f"level {terms.level} must hit by {dollars_of_micros(must_hit_by)}; base and reset are to be below that"
        )


def _check_commitments(command: order.OpenMeter, around: Surroundings) -> None:
    """Every mystery has a secret of its own: once one is told, everybody knows what else it would draw."""
    given = [terms.commitment for terms in command.levels if terms.commitment is not None]
    for commitment in given:
        if given.count(commitment) > 1:
            raise MeterMystery(f"{commitment} is the commitment of two levels; draw a secret for each")
        known = commitment_at(around, commitment)
        if known is not None:
            raise MeterMystery(
                f"{commitment} is or was the commitment of level {known.level} of meter {known.meter}; draw a new "
                "secret"
            )


def _meter(name: str, around: Surroundings) -> Meter:
    meter = meter_at(around, name)
    if meter is None:
        raise MeterUnknown(f"no meter {name!r} in this ledger; open it first with open_meter")
    return meter


def _level(meter: Meter, name: str) -> Level:
    level = meter.levels.get(name)
    if level is None:
        raise LevelUnknown(f"meter {meter.meter} has no level {name!r}; its levels are {', '.join(meter.levels)}")
    return level


def _open_level(name: str, level: str, around: Surroundings, at: str) -> tuple[Meter, Level]:
    """The meter under the terms in force at `at`, and its level, which must not be retired."""
    meter = _meter(name, around).in_force(at)
    found = _level(meter, level)
    if found.retired:
        raise MeterRetired(f"level {level} of meter {name} is retired")
    return meter, found


def _property(meter: Meter, around: Surroundings) -> Property:
    return property_at(around, meter.property)


def _day(command: order.MeterCommand, property_: Property) -> str:
    return gaming_day(command.at, property_.zone, property_.day_starts)


def _check_reason(reason: str, allowed: tuple[str, ...], what: str) -> None:
    if reason not in allowed:
        raise MeterReason(f"{reason!r} is no reason that {what} a meter; the reasons are {', '.join(allowed)}")


def _level_changes(command: order.ChangeMeter, now: Meter, then: Meter) -> Iterator[LevelChange]:
    """What differs between the terms that would be in force then and the new ones."""
    for new in command.levels:
        level = _level(now, new.level)
        if level.retired:
            raise MeterRetired(f"level {new.level} of meter {now.meter} is retired")
        before = then.levels[new.level].terms
        after = new.of(before)
        if level.mystery is not None:
            _check_mystery(after)
        limit = after.limit_micros if after.limit_micros != before.limit_micros else None
        # By then a higher limit, or none, may show more of the same money.
        shown = max(level.shown_micros, then.levels[new.level].shown_micros)
        if limit is not None and limit < shown:
            raise MeterLimit(
                f"level {new.level} of meter {now.meter} shows {dollars_of_micros(shown)}"
                f"{'' if shown == level.shown_micros else ' by then'}; a limit of {dollars_of_micros(limit)} is below "
                "that, set it to that or more"
            )
        if after != before:
            yield LevelChange(before, after)


def _adjusted(command: order.AdjustMeter, level: Level) -> Held:
    """What the level holds after the entry; the reserve is moved where hidden money goes to revenue."""
    hidden = command.reason == HIDDEN_TO_REVENUE
    before = level.reserve_micros if hidden else level.accrued_micros
    after = before + command.amount_micros
    if after < 0 and command.amount_micros < 0:
        what = "has a reserve of" if hidden else "has accrued"
        raise MeterInsufficient(
            f"{_name(command)} {what} {dollars_of_micros(before)}; it can't be lowered by "
            f"{dollars_of_micros(-command.amount_micros)}, {_at_most(before, 'lower it by')}"
        )
    _check_room(after)
    return replace(level.held, reserve_micros=after) if hidden else replace(level.held, accrued_micros=after)


def _over_limit_findings(command: order.AdjustMeter, level: Level) -> tuple[Finding, ...]:
    if command.reason != OVER_LIMIT or -command.amount_micros <= level.overflow_micros:
        return ()
    text = (
        f"{_name(command)} is lowered by {dollars_of_micros(-command.amount_micros)}, above its limit were "
        f"{dollars_of_micros(level.overflow_micros)}"
    )
    return (Finding("meter.over-limit", text),)


def _target(command: order.TransferMeter | order.RetireMeter, meter: Meter, around: Surroundings) -> Held | None:
    """What the same level of the other meter holds; None where the money goes to revenue."""
    if command.to == REVENUE:
        return None
    if command.to == command.meter:
        raise MeterTarget(f"{command.to} is the meter itself; name another meter or {REVENUE!r}")
    other = _meter(command.to, around)
    if other.property != meter.property:
        raise MeterTarget(
            f"meter {other.meter} belongs to property {other.property}, {meter.meter} to {meter.property}"
        )
    if set(other.levels) != set(meter.levels):
        raise MeterLevels(
            f"meter {other.meter} has the levels {', '.join(other.levels)}, {meter.meter} has "
            f"{', '.join(meter.levels)}; move to a meter with the same ones or to {REVENUE!r}"
        )
    level = other.levels[command.level]
    if level.retired:
        raise MeterRetired(f"level {command.level} of meter {command.to} is retired")
    return level.held


def _raised(held: Held | None, amount_micros: int) -> Held | None:
    if held is None:
        return None
    _check_room(held.accrued_micros + amount_micros)
    return replace(held, accrued_micros=held.accrued_micros + amount_micros)


def _check_room(accrued_micros: int) -> None:
    if accrued_micros > MAX_MICROS:
        raise MeterFull(
            f"a level would hold {dollars_of_micros(accrued_micros)}, above what is accounted for; move less"
        )


def _check_not_full(command: order.AdjustMeter | order.TransferMeter, level: Level) -> None:
    if level.full:
        raise LevelFull(
            f"{_name(command)} has taken in and paid more than the {dollars_of_micros(FULL_MICROS)} that are accounted "
            "for; retire it and open another meter"
        )


def _at_most(held_micros: int, do: str) -> str:
    """The way out for who asks for more than a level holds; a void may have left it nothing, or less."""
    return f"{do} that or less" if held_micros > 0 else "wait until it holds something"


def _name(command: order.AdjustMeter | order.TransferMeter | order.RetireMeter) -> str:
    return f"level {command.level} of meter {command.meter}"
