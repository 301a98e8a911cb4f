"""Recomputes a settled round from its own events and sheet, and names every difference to what was recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
    RoundSettled,
    RoundVoided,
    WagerSettled,
)
from domain.rounds.settlement import reading, settle
from domain.rounds.state import Round, fold


class _OnlyTheSheet:
    """Surroundings of a recheck: nothing outside the round but the sheet that it pinned."""

    def __init__(self, sheet: PublishedSheet) -> None:
        self._sheet = sheet

    def get(self, key: Key) -> Any:
        return self._sheet if key == sheet_key(self._sheet.ref) else None

    def round(self, key: str) -> Round | None:
        return None


def recheck(events: Sequence[Event], sheet: PublishedSheet, terms: Mapping[tuple[str, str], LevelTerms]) -> list[str]:
    """What differs, in words, between the round's recorded settlement and void and the same computed anew.

    `events` is the round's whole stream. `terms` gives the terms of the meter levels that it hit; what a level held
    is taken from the recorded hits (the meter's own projection recomputes that). Empty: everything matches.
    """
    around = _OnlyTheSheet(sheet)
    differences: list[str] = []
    for place, event in enumerate(events):
        if isinstance(event, HandSet | HandReset | DealerSet):
            differences += _recheck_hand(events[:place], event, around)
        elif isinstance(event, RoundSettled):
            differences += _recheck_settlement(events, place, around, terms)
        elif isinstance(event, RoundVoided):
            differences += _recheck_void(events[:place], event, around)
    return differences


def _recheck_hand(before: Sequence[Event], event: HandSet | HandReset | DealerSet, around: _OnlyTheSheet) -> list[str]:
    """A hand that the house way set is set by it, and a foul is one."""
    round_ = fold(before)
    assert round_ is not None
    scene = scene_of(round_, around)
    seat = HOUSE if isinstance(event, DealerSet) else event.seat
    setting = scene.set_the_house_way(round_.hands[seat])
    if isinstance(event, DealerSet):
        recorded = (event.house_high, event.house_low, event.rule)
    elif isinstance(event, HandSet) and event.set_by == "player":
        foul = scene.split.foul(event.high, event.low, wheel=scene.wheel, strict=scene.strict)
        return [] if foul == event.foul else [f"seat {seat} foul: recorded {event.foul}, computed {foul}"]
    else:
        recorded = (event.high, event.low, event.rule or "")
    computed = (setting.high, setting.low, setting.rule)
    return [] if recorded == computed else [f"seat {seat} house way: recorded {recorded}, computed {computed}"]


def _recheck_settlement(
    events: Sequence[Event], last: int, around: _OnlyTheSheet, terms: Mapping[tuple[str, str], LevelTerms]
) -> list[str]:
    first = last
    while isinstance(events[first - 1], WagerSettled) or _is_bank_reset(events[first - 1]):
        first -= 1
    recorded = events[first : last + 1]
    round_ = fold(events[:first])
    assert round_ is not None
    hits = [event.hit for event in recorded if isinstance(event, WagerSettled) and event.hit is not None]
    computed = settle(scene_of(round_, around), reading(hits, _meters(hits, terms)))
    return _differences(recorded, computed)


def _is_bank_reset(event: Event) -> bool:
    return isinstance(event, HandReset) and event.set_by == "house_way"


def _recheck_void(before: Sequence[Event], recorded: RoundVoided, around: _OnlyTheSheet) -> list[str]:
    round_ = fold(before)
    assert round_ is not None
    command = VoidRound(
        command_id="", at="", by="", round=round_.key, reason=recorded.reason, approved_by=recorded.approved_by
    )
    return _differences((recorded,), void_round(command, scene_of(round_, around)))


def _meters(hits: Sequence[Hit], terms: Mapping[tuple[str, str], LevelTerms]) -> dict[str, Meter]:
    meters: dict[str, Meter] = {}
    for hit in hits:
        known = meters.get(hit.meter) or Meter(hit.meter, "", "", 0, {})
        level = Level(terms[hit.meter, hit.level], 0)
        meters[hit.meter] = Meter(hit.meter, "", "", 0, {**known.levels, hit.level: level})
    return meters


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
