"""Recomputes a settled round from its own events and sheet, and names every difference to what was recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.cards import show
from domain.commands import VoidRound
from domain.desk import Key, PublishedSheet, sheet_key
from domain.meters import Level, LevelTerms, Meter
from domain.rounds.aftermath import void_round
from domain.rounds.decide import scene_of
from domain.rounds.events import (
    HOUSE,
    DealerSet,
    Event,
    HandReset,
    HandSet,
    Hit,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagerSettled,
)
from domain.rounds.scene import Scene
from domain.rounds.settlement import settle
from domain.rounds.state import Round


class _OnlyTheSheet:
    """Surroundings of a recheck: nothing outside the round but the sheet that it pinned."""

    def __init__(self, sheet: PublishedSheet) -> None:
        self._sheet = sheet

    def get(self, key: Key) -> Any:
        return self._sheet if key == sheet_key(self._sheet.ref) else None

    def round(self, key: str) -> Round | None:
        return None


def recheck(events: Sequence[Event], sheet: PublishedSheet, terms: Mapping[tuple[str, str], LevelTerms]) -> list[str]:
    """What differs, in words, between the round's recorded hands, settlement and void and the same computed anew.

    `events` is the round's whole stream. `terms` gives the terms of the meter levels that it hit; what a level held
    is taken from the recorded hits (the meter's own projection recomputes that). Empty: everything matches.
    """
    opened = events[0]
    assert isinstance(opened, RoundOpened)
    round_, around = Round(opened), _OnlyTheSheet(sheet)
    scene = scene_of(round_, around)
    differences: list[str] = []
    settling = False
    for place, event in enumerate(events[1:], start=1):
        if isinstance(event, HandSet | HandReset | DealerSet):
            differences += _recheck_hand(event, scene)
        if isinstance(event, RoundVoided):
            differences += _recheck_void(event, scene)
        elif not settling and _begins_settling(event):
            settling = True
            differences += _recheck_settlement(events[place:], scene, terms)
        round_.evolve(event)
    return differences


def _begins_settling(event: Event) -> bool:
    """The first event that `settle` leaves: a banker's foul reset, a line, or the end of a round without any."""
    return isinstance(event, WagerSettled | RoundSettled) or (
        isinstance(event, HandReset) and event.set_by == "house_way"
    )


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


def _recheck_settlement(
    events: Sequence[Event], scene: Scene, terms: Mapping[tuple[str, str], LevelTerms]
) -> list[str]:
    """Nothing is compared where the stream ends within the settlement, as a replay of an earlier moment may."""
    last = next((place for place, event in enumerate(events) if isinstance(event, RoundSettled)), None)
    if last is None:
        return []
    recorded = events[: last + 1]
    hits = [event.hit for event in recorded if isinstance(event, WagerSettled) and event.hit is not None]
    return _differences(recorded, settle(scene, _meters_before(hits, terms)))


def _recheck_void(recorded: RoundVoided, scene: Scene) -> list[str]:
    command = VoidRound(
        command_id="", at="", by="", round=scene.round.key, reason=recorded.reason, approved_by=recorded.approved_by
    )
    return _differences((recorded,), void_round(command, scene))


def _meters_before(hits: Sequence[Hit], terms: Mapping[tuple[str, str], LevelTerms]) -> dict[str, Meter]:
    """The meters hit, as the recorded hits say that they were before the first of them."""
    levels: dict[str, dict[str, Level]] = {}
    for hit in hits:
        before = Level(terms[hit.meter, hit.level], hit.accrued_before_micros, hit.reserve_before_micros)
        levels.setdefault(hit.meter, {}).setdefault(hit.level, before)
    return {meter: Meter(meter, "", "", 0, held) for meter, held in levels.items()}


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
