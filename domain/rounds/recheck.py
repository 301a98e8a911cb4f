"""Recomputes a settled round from its own events and sheet, and names every difference to what was recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from domain.cards import show
from domain.desk import Key, PublishedSheet, sheet_key
from domain.house_events import MeterChanged, MeterOpened, MeterRetired
from domain.meters import Change, Held, Level, Meter, Mystery, open_meter
from domain.mystery import commitment_of, trigger_of
from domain.rounds.aftermath import check_void, taken_back
from domain.rounds.betting import contribution
from domain.rounds.decide import scene_of
from domain.rounds.events import (
    HOUSE,
    ContributionTaken,
    DealerSet,
    Event,
    HandReset,
    HandSet,
    Hit,
    MysteryRevealed,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagerSettled,
)
from domain.rounds.mystery import MYSTERY_WAGER, award, crossing_of
from domain.rounds.scene import Scene
from domain.rounds.settlement import settle
from domain.rounds.state import Round


class OnlyTheSheet:
    """Surroundings of a recheck: nothing outside the round but the sheet that it pinned."""

    def __init__(self, sheet: PublishedSheet) -> None:
        self._sheet = sheet

    def get(self, key: Key) -> Any:
        return self._sheet if key == sheet_key(self._sheet.ref) else None

    def round(self, key: str) -> Round | None:
        return None


class Terms(NamedTuple):
    """The round's meters by name under the terms that were in force when it took stakes, when it was settled, and when
    a mystery that it hit was revealed."""

    closing: Mapping[str, Meter]
    settling: Mapping[str, Meter]
    revealing: Mapping[str, Meter] = MappingProxyType({})


def meter_of(events: Iterable[Event], at: str) -> Meter:
    """A meter's terms in force at `at` (RFC 3339) after `events` of its own stream; what it held is left aside."""
    meter: Meter | None = None
    for event in events:
        if isinstance(event, MeterOpened):
            meter = open_meter(
                event.meter, event.property, event.effective_from, event.unreasonable_micros, event.levels
            )
        assert meter is not None, "a meter's stream begins with its opening"
        if isinstance(event, MeterChanged):
            meter = meter.changed(Change(event.effective_from, event.levels, event.unreasonable_micros))
        if isinstance(event, MeterRetired):
            meter = meter.retiring(event.level, event.shown_micros, event.after)
    assert meter is not None
    return meter.in_force(at)


def recheck(events: Sequence[Event], sheet: PublishedSheet, terms: Terms) -> list[str]:
    """What differs, in words, between the round's recorded facts and the same computed anew.

    `events` is the round's whole stream: its contributions, hands, settlement and void are computed. `terms` gives the
    meters that it fed and hit; what a level held is taken from the recorded hits (the meter's own projection recomputes
    that). Empty: everything matches.
    """
    opened = events[0]
    assert isinstance(opened, RoundOpened)
    round_, around = Round(opened), OnlyTheSheet(sheet)
    scene = scene_of(round_, around)
    differences: list[str] = []
    settling = False
    for place, event in enumerate(events[1:], start=1):
        if isinstance(event, ContributionTaken):
            differences += _recheck_contribution(event, scene, terms.closing)
        if isinstance(event, _SET):
            differences += _recheck_hand(event, scene)
        if isinstance(event, MysteryRevealed):
            differences += _recheck_mystery(events[place : place + 2], scene, terms.revealing)
        if isinstance(event, RoundVoided):
            differences += _recheck_void(event, scene)
        elif not settling and begins_settling(event):
            settling = True
            differences += _recheck_settlement(events[place:], scene, terms.settling)
        round_.evolve(event)
    return differences


_SET = (HandSet, HandReset, DealerSet)
_SETTLED = (WagerSettled, RoundSettled)


def begins_settling(event: Event) -> bool:
    """The first event that `settle` leaves: a banker's foul reset, a line, or the end of a round without any."""
    return isinstance(event, _SETTLED) or (isinstance(event, HandReset) and event.set_by == "house_way")


def _recheck_contribution(recorded: ContributionTaken, scene: Scene, meters: Mapping[str, Meter]) -> list[str]:
    """What a stake adds to a meter is the stake times the rate that was in force."""
    stakes = {(wager.seat, wager.wager): cents for wager, cents in scene.round.stakes.items()}
    stake = stakes.get((recorded.seat, recorded.wager), 0)
    meter = _as_marked(meters[recorded.meter], recorded)
    computed = contribution(recorded.seat, recorded.player, recorded.wager, stake, meter)
    if recorded == computed:
        return []
    return [f"seat {recorded.seat} {each}" for each in _fields(recorded, computed)]


def _as_marked(meter: Meter, recorded: ContributionTaken) -> Meter:
    """The meter with its mystery levels where the contribution says that it found them."""
    for part in recorded.levels:
        mark, level = part.mystery, meter.levels.get(part.level)
        if mark is None or level is None:
            continue
        cycle = Mystery(mark.cycle, "", 0, mark.peak_before_micros)
        found = replace(level, accrued_micros=mark.after_micros - part.increment_micros, mystery=cycle)
        meter = replace(meter, levels={**meter.levels, part.level: found})
    return meter


def _recheck_mystery(events: Sequence[Event], scene: Scene, meters: Mapping[str, Meter]) -> list[str]:
    """The secret fits its commitment, draws the trigger, and the winner is whose wager passed it; a line follows."""
    told = events[0]
    assert isinstance(told, MysteryRevealed)
    found = []
    if commitment_of(told.secret) != told.commitment:
        found.append(f"mystery {told.level} of {told.meter}: the secret does not fit its commitment")
    trigger = trigger_of(told.secret, told.begins_micros, told.must_hit_by_micros)
    if trigger != told.trigger_micros:
        found.append(f"mystery {told.level} of {told.meter} trigger: recorded {told.trigger_micros}, drawn {trigger}")
    crossing = crossing_of(scene.round, told.meter, told.level, told.cycle, trigger)
    if crossing is None:
        return [*found, f"mystery {told.level} of {told.meter}: no wager of the round passed the trigger"]
    recorded = [event for event in events[1:2] if isinstance(event, WagerSettled) and event.wager == MYSTERY_WAGER]
    computed = [award(crossing, told.meter, _level_hit(line, meters)) for line in recorded]
    if told.seat is not None and not recorded:
        found.append(f"mystery {told.level} of {told.meter}: the winner's line is missing")
    return [*found, *_differences(recorded, computed)]


def _level_hit(line: WagerSettled, meters: Mapping[str, Meter]) -> Level:
    """The level as the line's hit says that it was before."""
    hit = line.hit
    assert hit is not None, f"line {line.line_id} says nothing of its meter"
    held = Held(hit.accrued_before_micros, hit.reserve_before_micros)
    return meters[hit.meter].holding(hit.level, held).levels[hit.level]


def _recheck_hand(event: HandSet | HandReset | DealerSet, scene: Scene) -> list[str]:
    """A hand is made of the cards dealt, what the house way set is set by it, and a foul is one."""
    seat = HOUSE if isinstance(event, DealerSet) else event.seat
    whose, cards = "the dealer" if seat == HOUSE else f"seat {seat}", scene.round.hands[seat]
    if sorted((*event.high, *event.low)) != sorted(cards):
        return [f"{whose}: set {show((*event.high, *event.low))}, dealt {show(cards)}"]
    if isinstance(event, HandSet) and event.set_by == "player":
        foul = scene.split.foul(event.high, event.low, wheel=scene.wheel, strict=scene.strict)
        return [] if foul == event.foul else [f"{whose} foul: recorded {event.foul}, computed {foul}"]
    setting = scene.set_the_house_way(cards)
    computed = (setting.high, setting.low, setting.rule)
    if isinstance(event, DealerSet):
        recorded = (event.house_high, event.house_low, event.rule)
    else:
        recorded = (event.high, event.low, event.rule or "")
    return [] if recorded == computed else [f"{whose} house way: recorded {recorded}, computed {computed}"]


def _recheck_settlement(events: Sequence[Event], scene: Scene, meters: Mapping[str, Meter]) -> list[str]:
    """Nothing is compared where the stream ends within the settlement, as a replay of an earlier moment may."""
    last = next((place for place, event in enumerate(events) if isinstance(event, RoundSettled)), None)
    if last is None:
        return []
    recorded = events[: last + 1]
    hits = [event.hit for event in recorded if isinstance(event, WagerSettled) and event.hit is not None]
    return _differences(recorded, settle(scene, meters_before(hits, meters)))


def _recheck_void(recorded: RoundVoided, scene: Scene) -> list[str]:
    check_void(scene, recorded.approved_by, by="")
    again = taken_back(scene, recorded.reason, recorded.approved_by, recorded.gaming_day)
    return _differences((recorded,), (again,))


def meters_before(hits: Sequence[Hit], meters: Mapping[str, Meter]) -> dict[str, Meter]:
    """The meters hit, as the recorded hits say that they were before the first of them."""
    before: dict[str, Meter] = {}
    for hit in reversed(hits):
        held = Held(hit.accrued_before_micros, hit.reserve_before_micros)
        before[hit.meter] = before.get(hit.meter, meters[hit.meter]).holding(hit.level, held)
    return before


def _differences(recorded: Sequence[Event], computed: Sequence[Event]) -> list[str]:
    found = []
    for before, now in zip(recorded, computed, strict=False):
        if before != now:
            found += _fields(before, now)
    for extra in recorded[len(computed) :]:
        found.append(f"{_label(extra)} is recorded and not computed")
    for missing in computed[len(recorded) :]:
        found.append(f"{_label(missing)} is computed and not recorded")
    return found


def _fields(before: Event, now: Event) -> list[str]:
    if type(before) is not type(now):
        return [f"{_label(before)} is recorded, {_label(now)} is computed"]
    return [
        f"{_label(before)} {name}: recorded {getattr(before, name)!r}, computed {getattr(now, name)!r}"
        for name in type(before).__dataclass_fields__
        if getattr(before, name) != getattr(now, name)
    ]


def _label(event: Event) -> str:
    return f"line {event.line_id}" if isinstance(event, WagerSettled) else event.NAME
