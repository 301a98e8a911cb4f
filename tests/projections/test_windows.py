"""Times as people give them: on each property's own clock, through its gaming days and changes of the clock."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from domain.times import gaming_day_bounds, wall_clock
from ledger.service import Ledger
from projections.filters import Filters, Window
from projections.rounds import list_rounds
from projections.windows import Asked, length, windows
from tests.projections.sources import record_all, url


@pytest.fixture
def two_coasts(tmp_path: Path) -> Ledger:
    """EAST in New York, WEST in Los Angeles; both start their day at 06:00."""
    ledger = Ledger.open(url(tmp_path / "coasts.db"))
    record_all(
        ledger,
        [
            {
                "command": "open_property",
                "command_id": name,
                "at": "2026-01-01T00:00:00Z",
                "by": "M1",
                "property": name,
                "zone": zone,
                "day_starts": "06:00",
                "currency": "USD",
            }
            for name, zone in (("EAST", "America/New_York"), ("WEST", "America/Los_Angeles"))
        ],
    )
    return ledger


def spans(ledger: Ledger, **asked: str) -> list[tuple[str | None, str, str]]:
    """The windows with their ends as UTC times."""
    return [(each.property, _utc(each.first), _utc(each.last)) for each in windows(ledger, Asked(**asked))]


def _utc(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%d %H:%M:%S")


def test_a_time_of_day_is_read_on_each_propertys_clock(two_coasts: Ledger) -> None:
    assert spans(two_coasts, day="2026-05-04", around="21:30", within="20m") == [
        ("EAST", "2026-05-05 01:10:00", "2026-05-05 01:50:00"),
        ("WEST", "2026-05-05 04:10:00", "2026-05-05 04:50:00"),
    ]


@pytest.mark.parametrize("said", ["21:30", "9:30pm", "9:30 PM", "9.30 p.m.", "21:30:00", "2026-05-04 21:30"])
def test_the_same_time_said_otherwise(said: str, two_coasts: Ledger) -> None:
    found = spans(two_coasts, property="EAST", day="2026-05-04", around=said)
    assert found == [("EAST", "2026-05-05 01:00:00", "2026-05-05 02:00:00")]


def test_after_midnight_it_is_still_the_gaming_day(two_coasts: Ledger) -> None:
    found = spans(two_coasts, property="EAST", day="2026-05-04", first="23:00", last="1:15am")
    assert found == [("EAST", "2026-05-05 03:00:00", "2026-05-05 05:15:00")]


def test_a_date_is_a_gaming_day_from_its_first_second_to_its_last(two_coasts: Ledger) -> None:
    found = spans(two_coasts, property="WEST", first="2026-05-04", last="2026-05-05")
    assert found == [("WEST", "2026-05-04 13:00:00", "2026-05-06 12:59:59")]


def test_an_instant_is_the_same_at_every_property(two_coasts: Ledger) -> None:
    found = spans(two_coasts, around="2026-05-04T18:00:00-04:00", within="90s")
    assert {span[1:] for span in found} == {("2026-05-04 21:58:30", "2026-05-04 22:01:30")}


def test_a_time_is_cut_to_what_is_asked_beside_it(two_coasts: Ledger) -> None:
    asked = {"property": "EAST", "day": "2026-05-04", "around": "21:30", "within": "1h"}
    assert spans(two_coasts, **asked, first="21:00") == [("EAST", "2026-05-05 01:00:00", "2026-05-05 02:30:00")]
    assert spans(two_coasts, **asked, last="20:00") == []


def test_a_clock_set_back_reads_twice_and_one_set_forward_not_at_all() -> None:
    twice = wall_clock(datetime.fromisoformat("2026-11-01 01:30"), "America/New_York")
    assert [each.isoformat() for each in twice] == ["2026-11-01T05:30:00+00:00", "2026-11-01T06:30:00+00:00"]
    (skipped,) = wall_clock(datetime.fromisoformat("2026-03-08 02:30"), "America/New_York")
    assert skipped.isoformat() == "2026-03-08T07:30:00+00:00"


def test_a_gaming_day_ends_where_the_next_begins() -> None:
    start, end = gaming_day_bounds("2026-03-07", "America/New_York", "02:30")
    # The next morning's 02:30 is skipped; that day starts at 03:00.
    assert (start.isoformat(), end.isoformat()) == ("2026-03-07T07:30:00+00:00", "2026-03-08T07:00:00+00:00")
    for day in ("0001-01-02", "9999-01-01", "2026-02-30"):
        with pytest.raises(ValueError, match="day"):
            gaming_day_bounds(day, "UTC", "06:00")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"around": "half past nine"}, "is no time"),
        ({"first": "21:30"}, "is on every day"),
        ({"first": "2026-13-01 21:30"}, "is no date"),
        ({"around": "25:00"}, "is no time"),
        ({"day": "2026-05-04", "around": "21:30", "within": "soon"}, "is no length of time"),
    ],
)
def test_what_is_no_time_is_said_with_the_way_to_write_it(asked: dict[str, str], says: str, two_coasts: Ledger) -> None:
    with pytest.raises(ValueError, match=says):
        windows(two_coasts, Asked(**asked))


def test_a_length_without_a_unit_is_minutes() -> None:
    assert [length(text).total_seconds() for text in ("20", "20m", "1h", "90 s", "2 hours")] == [
        1200,
        1200,
        3600,
        90,
        7200,
    ]


def test_on_any_day_means_every_day_with_rounds(long: Ledger) -> None:
    found = windows(long, Asked(around="21:30", within="24h"))
    every = list_rounds(long).rows
    days = {(row["property"], row["gaming_day"]) for row in every}
    assert len(found) == len(days)
    assert len(list_rounds(long, Filters(windows=found)).rows) > 0


def test_windows_keep_rounds_of_their_property_and_seconds(long: Ledger) -> None:
    row = list_rounds(long).rows[3]
    second = int(datetime.fromisoformat(row["opened_at"]).timestamp())
    exact = (Window(row["property"], second, second),)
    assert row["round"] in [each["round"] for each in list_rounds(long, Filters(windows=exact)).rows]
    elsewhere = (Window("NOWHERE", second, second), Window(row["property"], second + 1, second))
    assert list_rounds(long, Filters(windows=elsewhere)).rows == []


def test_too_many_days_are_refused_with_the_way_out(long: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.windows.MOST_WINDOWS", 0)
    with pytest.raises(ValueError, match="give --day, or --from and --to"):
        windows(long, Asked(around="21:30"))
