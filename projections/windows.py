"""Times as a person gives them, read on each property's own wall clock: `21:30`, `9:30pm`, `2026-05-01 21:30`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from domain.desk import Property
from domain.times import gaming_day_bounds, instant, wall_clock
from ledger.service import Ledger
from projections.filters import Window
from projections.reading import view
from projections.rounds import Rounds
from projections.statements import equal, select
from projections.store import distinct

MOST_WINDOWS = 400
"""A question about a time of day looks at so many days and properties; a database takes only so long a question."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_ONE_DAY = timedelta(days=1)
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(?::(\d{2}))?\s*([ap])?\.?m?\.?", re.IGNORECASE)
_LENGTH = re.compile(r"(\d+)\s*(s|sec|m|min|h|hours?)?", re.IGNORECASE)
_UNITS = {"s": 1, "m": 60, "h": 3600}

Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked of the time of opening, as it was typed; None leaves a part out."""

    property: str | None = None
    day: str | None = None
    first: str | None = None
    last: str | None = None
    around: str | None = None
    within: str | None = None


def windows(ledger: Ledger, asked: Asked) -> tuple[Window, ...]:
    """The windows that `asked` means, for each property on its own clock. ValueError says what cannot be read."""
    properties = _properties(ledger, asked.property)
    days = _days(ledger, properties) if _any_day(asked) else {}
    found = [
        Window(name, (start - _EPOCH) // _SECOND, (end - _EPOCH) // _SECOND)
        for name, entry in properties.items()
        for start, end in _spans(asked, entry, days.get(name, ()))
    ]
    if len(found) > MOST_WINDOWS:
        raise ValueError(f"{asked.around} on {len(found)} days is too much to look at; give --day, or --from and --to")
    return tuple(found)


def moments(ledger: Ledger, asked: Asked) -> tuple[datetime | None, datetime | None]:
    """What `first` and `last` name on the clock of the property asked for, None where they are left out. ValueError."""
    (at,) = _properties(ledger, asked.property).values()
    for text in (asked.first, asked.last):
        if text is not None and asked.day is None and _clock(text) is not None:
            raise ValueError(f"{text} is on every day; write the date before it: 2026-05-01 {text}")
    first = None if asked.first is None else _moment(asked.first, asked.day, at)[0]
    return first, None if asked.last is None else _moment(asked.last, asked.day, at)[1]


def length(text: str) -> timedelta:
    """A length of time: `20m`, `90s`, `1h`, or minutes as a number. ValueError where it is none."""
    found = _LENGTH.fullmatch(text.strip())
    if found is None or int(found[1]) > 100_000:
        raise ValueError(f"{text!r} is no length of time; write it like 20m or 1h")
    return timedelta(seconds=int(found[1]) * _UNITS[(found[2] or "m")[0].lower()])


def _any_day(asked: Asked) -> bool:
    return asked.around is not None and asked.day is None and _clock(asked.around) is not None


def _properties(ledger: Ledger, name: str | None) -> Mapping[str, Property]:
    # The entry without a name repeats the property opened last.
    return {key[1]: entry for key, entry in ledger.desk.entries("property") if key[1] and name in (None, key[1])}


def _days(ledger: Ledger, properties: Mapping[str, Property]) -> Mapping[str, Sequence[str]]:
    """The gaming days on which each property has rounds."""
    days: dict[str, list[str]] = {name: [] for name in properties}
    with view(ledger, Rounds) as open_:
        if open_.projection is None:
            return days
        rounds = open_.projection.rounds
        for day in distinct(open_.connection, rounds, "gaming_day"):
            on_it = equal(rounds["gaming_day"], day)
            for name in properties:
                if open_.connection.first(select("1", rounds, [on_it, equal(rounds["property"], name)], "LIMIT 1")):
                    days[name].append(day)
    return days


def _spans(asked: Asked, at: Property, days: Sequence[str]) -> Iterator[Span]:
    first = _EPOCH if asked.first is None else _moment(asked.first, asked.day, at)[0]
    last = datetime.max.replace(tzinfo=UTC) if asked.last is None else _moment(asked.last, asked.day, at)[1]
    if asked.around is None:
        if first <= last:
            yield first, last
        return
    within = length(asked.within or "30m")
    for middle in _middles(asked.around, asked.day, at, days):
        start, end = max(middle - within, first), min(middle + within, last)
        if start <= end:
            yield start, end


def _middles(text: str, day: str | None, at: Property, days: Sequence[str]) -> Iterator[datetime]:
    clock = _clock(text)
    if clock is None:
        yield _moment(text, day, at)[0]
        return
    for each in days if day is None else (day,):
        yield from _on_gaming_day(clock, each, at)


def _moment(text: str, day: str | None, at: Property) -> Span:
    """What a time names: an instant, or a gaming day from its first second to its last."""
    clock = _clock(text)
    if clock is not None:
        if day is None:
            raise ValueError(f"{text} is on every day; give --day, or write the date before it: 2026-05-01 {text}")
        (moment, *_) = _on_gaming_day(clock, day, at)
        return moment, moment
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        start, end = gaming_day_bounds(text, at.zone, at.day_starts)
        return start, end - _SECOND
    named = re.fullmatch(r"(\d{4}-\d{2}-\d{2})[ T](.+)", text)
    read = None if named is None else _clock(named[2])
    if named is not None and read is not None:
        (moment, *_) = wall_clock(datetime.combine(_date(named[1]), read), at.zone)
        return moment, moment
    try:
        moment = instant(text)
    except ValueError:
        raise ValueError(
            f"{text!r} is no time; write it like 21:30, 9:30pm, '2026-05-01 21:30', 2026-05-01 or "
            "2026-05-01T21:30:00-04:00"
        ) from None
    return moment, moment


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no date; write it like 2026-05-01") from None


def _clock(text: str) -> time | None:
    """A time of day, None where `text` is something else."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None or (found[2] is None and found[4] is None):
        return None
    hour, minute, second = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    if found[4] is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found[4].lower() == "p" else 0)
    return time(hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None


def _on_gaming_day(clock: time, day: str, at: Property) -> list[datetime]:
    """The instants of the gaming day at which the property's clock reads `clock`, which may be after midnight."""
    start, end = gaming_day_bounds(day, at.zone, at.day_starts)
    dates = (_date(day), _date(day) + _ONE_DAY)
    found = [moment for each in dates for moment in wall_clock(datetime.combine(each, clock), at.zone)]
    return [moment for moment in found if start <= moment < end] or found[:1]
