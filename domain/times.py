"""Times: reading an instant strictly, and finding the gaming day it belongs to on a property's wall clock."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, available_timezones

_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_DAY_STARTS = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ONE_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)
# A gaming day of the calendar's first or last year could reach beyond the calendar.
_FIRST_YEAR, _LAST_YEAR = 2, 9998


@lru_cache(maxsize=8192)
def instant(text: str) -> datetime:
    """The instant that `text` names, in UTC; `text` is RFC 3339 with an offset. ValueError says what is wrong.

    Digits beyond microseconds are cut. A leap second (`:60`) is refused.

    >>> instant("2026-05-04T18:00:00-04:00").isoformat()
    '2026-05-04T22:00:00+00:00'
    """
    if not _INSTANT.fullmatch(text):
        raise ValueError("no RFC 3339 time with an offset, such as 2026-05-04T18:00:00-04:00")
    try:
        moment = datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"no time of the calendar ({error})") from None
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise ValueError(f"outside the years {_FIRST_YEAR} to {_LAST_YEAR}")
    return moment


def valid_instant(text: str) -> bool:
    """Whether `instant` takes `text`; quick where another time of the same date was asked for before."""
    if text[:11] in _known_dates and _TIME_OF_DAY.fullmatch(text, 11):
        return True
    try:
        moment = instant(text)
    except ValueError:
        return False
    # Within these years no offset leads out of the calendar.
    if _FIRST_YEAR < moment.year < _LAST_YEAR:
        if len(_known_dates) >= _DATES_KEPT:
            _known_dates.clear()
        _known_dates.add(text[:11])
    return True


_TIME_OF_DAY = re.compile(
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_DATES_KEPT = 1024
_known_dates: set[str] = set()
"""Beginnings of valid instants, up to the T."""


def valid_day_starts(text: str) -> bool:
    """Whether `text` is a wall-clock time of the form `06:00`."""
    return _DAY_STARTS.fullmatch(text) is not None


def valid_day(text: str) -> bool:
    """Whether `text` is a date of the form `2026-05-04`."""
    if not _DAY.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def calendar_year(at: str, zone: str) -> int:
    """The year that the calendar in `zone` shows at the instant `at` (RFC 3339).

    >>> calendar_year("2027-01-01T03:00:00Z", "America/New_York")
    2026
    """
    return instant(at).astimezone(ZoneInfo(zone)).year


def local(at: str, zone: str) -> str:
    """The instant `at` (RFC 3339) as the clock in `zone` shows it, with its offset.

    >>> local("2026-05-02T00:23:58Z", "America/New_York")
    '2026-05-01T20:23:58-04:00'
    """
    return instant(at).astimezone(ZoneInfo(zone)).isoformat()


def valid_zone(name: str) -> bool:
    """Whether `name` is an IANA time zone known here; it is looked up in the list of zones, never opened as a path."""
    return name in _zones()


def gaming_day(at: str, zone: str, day_starts: str) -> str:
    """The gaming day (`2026-05-04`) of the instant `at` (RFC 3339) at a property in `zone`, cut off at `day_starts`.

    A gaming day starts at the first instant at which the wall clock of that date reads at least `day_starts`, and
    lasts until the next one starts, which around changes of the clock is not 24 hours. A date whose wall clock never
    reads `day_starts` or later has none. ValueError where `at` is no instant.

    >>> gaming_day("2026-05-05T03:00:00-04:00", "America/New_York", "06:00")
    '2026-05-04'
    """
    moment = instant(at)
    recent = _recent.get((zone, day_starts))
    if recent is None or not recent[0] <= moment < recent[1]:
        recent = _recent[zone, day_starts] = _day_around(moment, zone, day_starts)
    return recent[2]


def gaming_day_bounds(day: str, zone: str, day_starts: str) -> tuple[datetime, datetime]:
    """The first instant, in UTC, of the gaming day of the date `day` (`2026-05-04`), and that of the next one.

    ValueError where `day` is no date, or one whose wall clock never reads `day_starts` or later.

    >>> gaming_day_bounds("2026-05-04", "America/New_York", "06:00")[0].isoformat()
    '2026-05-04T10:00:00+00:00'
    """
    date_ = date.fromisoformat(day)
    start = _start(zone, day_starts, date_) if _FIRST_YEAR < date_.year < _LAST_YEAR else None
    if start is None:
        raise ValueError(f"{day} has no gaming day in {zone}")
    return start, _next_start(zone, day_starts, date_ + _ONE_DAY)


def wall_clock(wall: datetime, zone: str) -> list[datetime]:
    """The instants, in UTC, at which the clock of `zone` reads `wall`: one, or two where it was set back.

    Where the clock skips `wall`, the instant that it would have been by the offset before.
    """
    clock = ZoneInfo(zone)
    instants = {wall.replace(tzinfo=clock, fold=fold).astimezone(UTC) for fold in (0, 1)}
    read = sorted(each for each in instants if _reads(each, clock) == wall)
    return read or [wall.replace(tzinfo=clock, fold=0).astimezone(UTC)]


# The last gaming day asked for at each clock, since a feed mostly stays in one: its start, its end and its name.
_recent: dict[tuple[str, str], tuple[datetime, datetime, str]] = {}


def _day_around(moment: datetime, zone: str, day_starts: str) -> tuple[datetime, datetime, str]:
    """The gaming day that holds `moment`: its first instant, the next day's, and its date."""
    # Where the clock falls back across midnight a moment can lie in the gaming day of the date after its own.
    day = moment.astimezone(ZoneInfo(zone)).date() + _ONE_DAY
    end = _next_start(zone, day_starts, day + _ONE_DAY)
    while True:
        start = _start(zone, day_starts, day)
        if start is not None:
            if start <= moment:
                return start, end, day.isoformat()
            end = start
        day -= _ONE_DAY


def _next_start(zone: str, day_starts: str, day: date) -> datetime:
    while (start := _start(zone, day_starts, day)) is None:
        day += _ONE_DAY
    return start


@lru_cache(maxsize=4096)
def _start(zone: str, day_starts: str, day: date) -> datetime | None:
    """The first instant, in UTC, at which the wall clock of `day` reads at least `day_starts`, or None."""
    clock = ZoneInfo(zone)
    wall = datetime.combine(day, time.fromisoformat(day_starts))
    # fold=0 is the first of two instants that read the same.
    first = wall.replace(tzinfo=clock).astimezone(UTC)
    if _reads(first, clock) == wall:
        return first
    # The clock skips `wall`: with the offset after the gap the instant lies before it, with the one before it, after.
    before = wall.replace(tzinfo=clock, fold=1).astimezone(UTC)
    end_of_gap = _first_reading(wall, clock, before, first)
    return end_of_gap if _reads(end_of_gap, clock).date() == day else None


def _first_reading(wall: datetime, clock: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """The first whole second in (before, after] whose wall clock reads at least `wall`."""
    while after - before > _SECOND:
        middle = before + (after - before) // _SECOND // 2 * _SECOND
        if _reads(middle, clock) < wall:
            before = middle
        else:
            after = middle
    return after


def _reads(moment: datetime, clock: ZoneInfo) -> datetime:
    return moment.astimezone(clock).replace(tzinfo=None, fold=0)


@cache
def _zones() -> frozenset[str]:
    # Two files of a zone directory name no place: the machine's own zone, and the one of a machine never set up.
    return frozenset(available_timezones() - {"localtime", "Factory"})
