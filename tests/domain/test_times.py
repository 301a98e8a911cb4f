"""Instants are read strictly, and a gaming day starts when the property's clock first reads its hour."""

import doctest
import itertools
from datetime import UTC, date, datetime, timedelta, timezone
from datetime import time as wall_time
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import domain.times
from domain.times import gaming_day, instant, valid_day_starts, valid_zone

NEW_YORK = "America/New_York"
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
# Each date is near a change of that zone's clock: at night, across midnight, by half an hour, by a whole day.
CHANGES = [
    (NEW_YORK, date(2026, 3, 8)),
    (NEW_YORK, date(2026, 11, 1)),
    ("Australia/Lord_Howe", date(2026, 4, 5)),
    ("Australia/Lord_Howe", date(2026, 10, 4)),
    ("America/Santiago", date(2025, 9, 7)),
    ("America/Santiago", date(2026, 4, 4)),
    ("America/St_Johns", date(2010, 3, 14)),
    ("America/St_Johns", date(2010, 11, 7)),
    ("America/Havana", date(2026, 11, 1)),
    ("America/Nuuk", date(2024, 3, 30)),
    ("America/Nuuk", date(2024, 10, 26)),
    ("Asia/Beirut", date(2026, 10, 25)),
    ("Pacific/Apia", date(2011, 12, 30)),
    ("Pacific/Kwajalein", date(1993, 8, 21)),
    ("Asia/Kathmandu", date(2026, 6, 1)),
]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2026-05-04T18:00:00-04:00", "2026-05-04T22:00:00+00:00"),
        ("2026-05-04T18:00:00Z", "2026-05-04T18:00:00+00:00"),
        ("2026-05-04t18:00:00z", "2026-05-04T18:00:00+00:00"),
        ("2026-05-04T18:00:00.5+05:45", "2026-05-04T12:15:00.500000+00:00"),
        ("2026-05-04T18:00:00.1234567Z", "2026-05-04T18:00:00.123456+00:00"),
        ("2024-02-29T23:59:59-00:00", "2024-02-29T23:59:59+00:00"),
    ],
)
def test_an_instant_is_rfc_3339_with_an_offset(text: str, same: str) -> None:
    assert instant(text).isoformat() == same
    assert instant(text).tzinfo is UTC


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-05-04",
        "2026-05-04T18:00:00",
        "2026-05-04T18:00-04:00",
        "2026-05-04 18:00:00-04:00",
        "2026-05-04T18:00:00-0400",
        "2026-05-04T18:00:00-04",
        "2026-05-04T18:00:00-04:00:30",
        "2026-05-04T18:00:00,5Z",
        "2026-05-04T18:00:00.Z",
        "20260504T180000Z",
        "2026-W19-1T18:00:00Z",
        "2026-05-04T24:00:00Z",
        "2026-05-04T18:60:00Z",
        "2026-05-04T18:00:60Z",
        "2026-02-29T18:00:00Z",
        "2026-13-01T18:00:00Z",
        "2026-05-04T18:00:00+24:00",
        "2026-05-04T18:00:00Z\n",
        " 2026-05-04T18:00:00Z",
        "٢٠٢٦-05-04T18:00:00Z",
        "0000-05-04T18:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "0001-06-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
    ],
)
def test_what_is_no_rfc_3339_instant_of_the_calendar_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"time|year"):
        instant(text)


@given(st.integers(0, 9_990 * 365 * 24 * 60), st.integers(0, 999_999), st.integers(-1439, 1439))
def test_any_written_instant_reads_back(minutes: int, micros: int, offset_minutes: int) -> None:
    moment = datetime(2, 1, 2, tzinfo=UTC) + timedelta(minutes=minutes, microseconds=micros)
    offset = timezone(timedelta(minutes=offset_minutes))
    assert instant(moment.astimezone(offset).isoformat()) == moment


@pytest.mark.parametrize("text", ["00:00", "06:00", "19:30", "20:00", "23:59"])
def test_a_day_starts_at_a_time_of_the_clock(text: str) -> None:
    assert valid_day_starts(text)


@pytest.mark.parametrize("text", ["", "6:00", "24:00", "06:60", "06:00:00", "06.00", "06:00 ", "०६:००", "-6:00"])
def test_a_day_starts_at_nothing_else(text: str) -> None:
    assert not valid_day_starts(text)


@pytest.mark.parametrize("name", [NEW_YORK, "UTC", "Etc/GMT+5", "America/Argentina/Buenos_Aires"])
def test_an_iana_zone_is_known(name: str) -> None:
    assert valid_zone(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "America",
        "America/",
        "America/New York",
        "america/new_york",
        "EST5EDT4",
        "/etc/localtime",
        "../UTC",
        "America/../UTC",
        "./UTC",
        "zone.tab",
        "posix/UTC",
        "localtime",
        "Factory",
        "UTC\0",
        "-04:00",
    ],
)
def test_a_zone_name_is_never_a_path(name: str) -> None:
    assert not valid_zone(name)


@pytest.mark.parametrize(
    ("day_starts", "at", "day"),
    [
        ("06:00", "2026-05-04T06:00:00-04:00", "2026-05-04"),
        ("06:00", "2026-05-04T05:59:59.999999-04:00", "2026-05-03"),
        ("06:00", "2026-05-04T10:00:00Z", "2026-05-04"),
        ("00:00", "2026-05-04T00:00:00-04:00", "2026-05-04"),
        # 8 March 2026 has no 02:30: the clock goes from 02:00 to 03:00.
        ("02:30", "2026-03-08T01:59:59-05:00", "2026-03-07"),
        ("02:30", "2026-03-08T03:00:00-04:00", "2026-03-08"),
        # 1 November 2026 has two of 01:30.
        ("01:30", "2026-11-01T01:29:59-04:00", "2026-10-31"),
        ("01:30", "2026-11-01T01:30:00-04:00", "2026-11-01"),
        ("01:30", "2026-11-01T01:00:00-05:00", "2026-11-01"),
    ],
)
def test_a_gaming_day_in_new_york(day_starts: str, at: str, day: str) -> None:
    assert gaming_day(at, NEW_YORK, day_starts) == day


@pytest.mark.parametrize(
    ("zone", "day", "day_starts", "hours"),
    [
        (NEW_YORK, date(2026, 5, 4), "06:00", 24),
        (NEW_YORK, date(2026, 3, 7), "06:00", 23),
        (NEW_YORK, date(2026, 10, 31), "06:00", 25),
        (NEW_YORK, date(2026, 3, 7), "02:30", 23.5),
        (NEW_YORK, date(2026, 3, 8), "02:30", 23.5),
        ("Australia/Lord_Howe", date(2026, 4, 4), "06:00", 24.5),
        ("Australia/Lord_Howe", date(2026, 10, 3), "06:00", 23.5),
        # Midnight of 7 September 2025 was skipped in Santiago: that day starts at 01:00.
        ("America/Santiago", date(2025, 9, 6), "00:00", 24),
        ("America/Santiago", date(2025, 9, 7), "00:00", 23),
        ("America/Santiago", date(2026, 4, 4), "00:00", 25),
    ],
)
def test_a_gaming_day_lasts_until_the_next_one_starts(zone: str, day: date, day_starts: str, hours: float) -> None:
    next_day = day + timedelta(days=1)
    assert start_of(next_day, zone, day_starts) - start_of(day, zone, day_starts) == hours * HOUR


def test_the_wall_clock_of_a_skipped_date_starts_no_gaming_day() -> None:
    # Apia went from 29 to 31 December 2011.
    assert gaming_day("2011-12-31T05:59:59+14:00", "Pacific/Apia", "06:00") == "2011-12-29"
    assert gaming_day("2011-12-31T06:00:00+14:00", "Pacific/Apia", "06:00") == "2011-12-31"


def test_a_clock_that_falls_back_across_midnight_stays_in_the_day_that_began() -> None:
    # In St John's 7 November 2010 read 00:00 for a minute before the clock went back to 23:01 of the day before.
    assert gaming_day("2010-11-07T00:00:30-02:30", "America/St_Johns", "00:00") == "2010-11-07"
    assert gaming_day("2010-11-06T23:30:00-03:30", "America/St_Johns", "00:00") == "2010-11-07"


def test_the_order_of_the_questions_changes_no_answer() -> None:
    late, early = "2026-05-05T07:00:00-04:00", "2026-05-04T07:00:00-04:00"
    for order in itertools.permutations([(late, "2026-05-05"), (early, "2026-05-04"), (late, "2026-05-05")]):
        for at, day in order:
            assert gaming_day(at, NEW_YORK, "06:00") == day


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(CHANGES), st.integers(-48 * 60, 48 * 60), st.integers(0, 24 * 60 - 1))
@example(("America/Nuuk", date(2024, 3, 30)), 60, 23 * 60 + 30)
@example(("America/St_Johns", date(2010, 11, 7)), 0, 0)
def test_every_gaming_day_agrees_with_a_search_minute_by_minute(
    change: tuple[str, date], offset_minutes: int, day_starts_minutes: int
) -> None:
    zone, near = change
    moment = datetime.combine(near, wall_time(), UTC) + offset_minutes * MINUTE
    starts = wall_time(day_starts_minutes // 60, day_starts_minutes % 60)
    assert gaming_day(moment.isoformat(), zone, f"{starts:%H:%M}") == searched_day(moment, ZoneInfo(zone), starts)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(sorted(available_timezones())), st.integers(0, 210 * 365 * 24))
def test_gaming_days_of_any_zone_never_run_backwards(zone: str, hours: int) -> None:
    moments = [datetime(1890, 1, 1, tzinfo=UTC) + (hours + 7 * step) * HOUR for step in range(6)]
    days = [gaming_day(moment.isoformat(), zone, "06:00") for moment in moments]
    assert days == sorted(days)


@pytest.mark.parametrize("at", ["0002-01-01T00:00:00Z", "9998-12-31T23:59:59Z"])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"])
def test_the_ends_of_the_calendar_have_gaming_days(at: str, zone: str) -> None:
    assert gaming_day(at, zone, "12:00")[:4] in ("0001", "0002", "9998", "9999")


def test_a_text_that_is_no_instant_has_no_gaming_day() -> None:
    with pytest.raises(ValueError, match="RFC 3339"):
        gaming_day("yesterday", NEW_YORK, "06:00")


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(domain.times).failed == 0


def start_of(day: date, zone: str, day_starts: str) -> datetime:
    """The first second of `day`, found by asking for the gaming days around it."""
    low = datetime.combine(day, wall_time(), UTC) - 48 * HOUR
    high = low + 96 * HOUR
    while high - low > timedelta(seconds=1):
        middle = low + timedelta(seconds=(high - low).total_seconds() // 2)
        if gaming_day(middle.isoformat(), zone, day_starts) < day.isoformat():
            low = middle
        else:
            high = middle
    return high


def searched_day(moment: datetime, clock: ZoneInfo, starts: wall_time) -> str:
    """The date that last began by `moment`; one begins at the first minute whose clock reads late enough."""
    began: set[date] = set()
    last = moment.date()
    tick = datetime.combine(moment.date(), wall_time(), UTC) - 96 * HOUR
    while tick <= moment:
        reading = tick.astimezone(clock)
        if reading.time() >= starts and reading.date() not in began:
            began.add(reading.date())
            last = reading.date()
        tick += MINUTE
    return last.isoformat()
