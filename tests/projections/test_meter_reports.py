"""The meter report: its equation day by day, what belongs to which gaming day, and that it can fail."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from domain.house_events import MeterRead, PropertyOpened
from domain.meters import Held
from domain.rounds.events import Event, Finding, MeterReversal
from domain.streams import Stream
from projections import catalog
from projections.meter_book import MeterBook
from projections.meter_reports import Asked, end_of, meter_report
from projections.reading import view
from projections.statements import select
from tests.projections.hands import contribution, hit, meter, opened, settled, voided
from tests.projections.sources import HandMade
from tests.projections.test_meter_entries import adjusted, retired, transferred

METER, OTHER = Stream("meter", "PROG"), Stream("meter", "OTHER")
BASE = 100_000_000
DAY, NEXT = "2026-05-04", "2026-05-05"
NEXT_AT = "2026-05-05T18:00:00-04:00"
Row = dict[str, Any]


def begun(log: HandMade, zone: str = "America/New_York", day_starts: str = "06:00", at: str | None = None) -> HandMade:
    """A property with its meter."""
    at = at or f"{DAY}T12:00:00-04:00"
    log.add(Stream("property", "NORTH"), PropertyOpened("NORTH", zone, day_starts, "USD"), at=at)
    log.add(METER, meter(), at=at)
    return log


def play(log: HandMade, key: str, *events: Event, day: str = DAY, table: str = "T1", at: str = NEXT_AT) -> None:
    log.in_round(key, opened(key, gaming_day=day, table=table), *events, at=at)


def report(log: HandMade, day: str | None = None, **asked: Any) -> Row:
    """The document, which must be there and hold."""
    document = meter_report(log, Asked(day, **asked)).document
    assert document is not None and document["holds"], document
    return document


def level(log: HandMade, day: str | None = None, name: str = "PROG", **asked: Any) -> Row:
    (found,) = [each for each in report(log, day, **asked)["meters"] if each["meter"] == name]
    (only,) = found["levels"]
    return dict(only)


def read(shown: int, expected: int, day: str = DAY) -> MeterRead:
    return MeterRead("PROG", "NORTH", "major", shown, expected, expected * 10_000, day)


def test_a_day_opens_with_the_base_and_the_next_with_what_it_closed_with(log: HandMade) -> None:
    begun(log)
    play(log, "R1", contribution(180_000, 20_000), hit(BASE + 180_000, 10_010_000, reserve=20_000), settled())
    play(log, "R2", contribution(180_000, 20_000), day=NEXT)
    first, second = level(log, DAY), level(log, NEXT)
    assert (first["opening"], first["increments"], first["wins"], first["hits"]) == (BASE, 180_000, 10_010_000, 1)
    assert first["closing"] == second["opening"] == BASE + 180_000 - 10_010_000
    assert (second["increments"], second["in_count"], second["wins"]) == (180_000, 1, 0)
    assert (first["hidden_closing"], second["hidden_opening"], second["hidden_closing"]) == (20_000, 20_000, 40_000)


def test_days_without_any_movement_answer_too_but_none_before_the_opening(log: HandMade) -> None:
    begun(log)
    play(log, "R1", contribution(5))
    later = level(log, "2026-05-20")
    assert (later["opening"], later["increments"], later["closing"]) == (BASE + 5, 0, BASE + 5)
    assert meter_report(log, Asked("2026-05-03")).document is None


def test_without_a_day_it_is_the_latest_with_a_movement_or_a_reading(log: HandMade) -> None:
    begun(log)
    assert report(log)["day"] == DAY
    log.add(METER, read(10_000, 10_000, NEXT), at=NEXT_AT)
    assert report(log)["day"] == NEXT


def test_a_movement_belongs_to_its_rounds_day_however_late_it_comes(log: HandMade) -> None:
    begun(log)
    play(log, "R2", contribution(7), day=NEXT)
    play(log, "R1", contribution(5), day=DAY)
    assert (level(log, DAY)["increments"], level(log, NEXT)["increments"]) == (5, 7)
    assert level(log, NEXT)["opening"] == BASE + 5


def test_a_mystery_that_is_told_later_leaves_the_day_that_was_reported_as_it_was(log: HandMade) -> None:
    begun(log)
    play(log, "R1", contribution(180, 20), settled(), at=f"{DAY}T20:00:00-04:00")
    before = level(log, DAY)
    told = replace(hit(BASE + 180, 10_000, reserve=20, percent=100), wager="mystery", line_id="1.mystery.PROG.major")
    log.in_round("R1", told, at="2026-05-06T05:59:59-04:00")
    assert level(log, DAY) == before
    second = level(log, NEXT)
    assert (second["wins"], second["hits"], [each["line_id"] for each in second["hit_lines"]]) == (
        10_000,
        1,
        [told.line_id],
    )
    assert level(log, "2026-05-06")["opening"] == second["closing"] == BASE + 180 - 10_000


def test_a_void_is_in_the_columns_of_its_own_day_with_a_minus(log: HandMade) -> None:
    begun(log)
    play(log, "R1", contribution(180, 20), hit(BASE + 180, 10_000, reserve=20), settled(), at=f"{DAY}T20:00:00-04:00")
    back = MeterReversal("PROG", "major", 180, 20, 1, 10_000, 0, 0, 1)
    log.in_round("R1", voided(meters=(back,)), at=NEXT_AT)
    first, second = level(log, DAY), level(log, NEXT)
    assert (first["increments"], first["wins"], first["hits"]) == (180, 10_000, 1)
    figures = ("increments", "hidden_increments", "wins", "hits", "in_count")
    assert [second[figure] for figure in figures] == [-180, -20, -10_000, -1, -1]
    assert (second["closing"], second["hidden_closing"]) == (BASE, 0)
    (exception,) = [each for each in report(log, NEXT)["exceptions"] if each["code"] == "round.voided"]
    assert exception["round"] == "R1"
    assert "+$0.00982, and -$0.00002 of its reserve: " in exception["text"]


def test_approvers_are_named_whole(log: HandMade) -> None:
    begun(log)
    people = ("Anna Berg", "M2")
    log.add(METER, replace(adjusted(-80, Held(BASE, 0)), approved_by=people))
    back = MeterReversal("PROG", "major", 5, 0, 1, 0, 0, 0, 0)
    log.in_round("R1", opened("R1"), contribution(5), replace(voided(meters=(back,)), approved_by=people))
    texts = [each["text"] for each in report(log, DAY)["exceptions"]]
    assert len(texts) == 2 and all(text.endswith("approved by Anna Berg and M2") for text in texts)


def test_entries_have_their_columns_and_adjustments_their_reasons(log: HandMade) -> None:
    begun(log)
    log.add(OTHER, replace(meter(), meter="OTHER"), at=f"{DAY}T12:00:00-04:00")
    play(log, "R1", contribution(180, 20))
    log.add(METER, adjusted(-80, Held(BASE + 180, 20)), adjusted(-5, Held(BASE + 100, 20), hidden=True))
    log.add(METER, transferred(100, Held(BASE + 100, 15), Held(BASE, 0)), retired(Held(BASE, 15), Held(BASE + 100, 0)))
    here, there = level(log, DAY), level(log, DAY, "OTHER")
    assert (here["adjustments"], here["adjustments_by_reason"]) == (-80, {"equipment_fault": -80})
    assert (here["transfers_out"], here["closing"], here["retired_day"]) == (BASE + 100, 0, DAY)
    assert (here["hidden_adjustments"], here["hidden_transfers_out"], here["hidden_closing"]) == (-5, 15, 0)
    assert (there["transfers_in"], there["closing"]) == (BASE + 115, 2 * BASE + 115)


def test_a_level_that_has_ended_is_left_out_of_later_days_unless_it_is_asked_for(log: HandMade) -> None:
    begun(log)
    log.add(METER, retired(Held(BASE, 0), None))
    assert meter_report(log, Asked(NEXT)).document is None
    assert level(log, NEXT, meter="PROG")["closing"] == 0


def test_the_month_and_the_year_to_a_day_add_their_days_up(log: HandMade) -> None:
    begun(log)
    for number, day in enumerate(("2026-05-04", "2026-05-31", "2026-06-01", "2026-06-02")):
        play(log, f"R{number}", contribution(10**number), day=day)
    month, year = level(log, "2026-06-01", period="month"), level(log, "2026-06-01", period="year")
    assert (month["opening"], month["increments"], month["closing"]) == (BASE + 11, 100, BASE + 111)
    assert (year["opening"], year["increments"]) == (BASE, 111)


def test_the_last_reading_by_its_time_counts_and_one_beyond_the_tolerance_is_an_exception(log: HandMade) -> None:
    begun(log)
    log.add(METER, read(9_990, 10_000), at=f"{DAY}T23:00:00-04:00")
    log.add(METER, read(10_000, 10_000), at=f"{DAY}T22:00:00-04:00")
    found = level(log, DAY)
    assert (found["read_display"], found["difference"], found["within_tolerance"]) == (9_990, -10, False)
    assert [each["code"] for each in report(log, DAY)["exceptions"]] == ["meter.reading-off"]
    assert report(log, DAY, tolerance_cents=10)["exceptions"] == []


def test_one_meter_or_property_can_be_asked_for(log: HandMade) -> None:
    begun(log)
    south = PropertyOpened("SOUTH", "America/Chicago", "06:00", "USD")
    log.add(Stream("property", "SOUTH"), south)
    log.add(OTHER, replace(meter(), meter="OTHER", property="SOUTH"))
    assert [each["meter"] for each in report(log)["meters"]] == ["OTHER", "PROG"]
    assert [each["meter"] for each in report(log, property="SOUTH")["meters"]] == ["OTHER"]
    assert [each["meter"] for each in report(log, meter="PROG")["meters"]] == ["PROG"]


def test_the_tables_that_fed_a_meter_are_named(log: HandMade) -> None:
    begun(log)
    play(log, "R1", contribution(1), table="T2")
    play(log, "R2", contribution(1), table="T1")
    play(log, "R3", contribution(1), table="T3", day=NEXT)
    assert report(log, DAY)["meters"][0]["tables"] == ["T1", "T2"]


def test_contributions_that_were_unreasonable_are_exceptions_of_their_day(log: HandMade) -> None:
    begun(log)
    finding = Finding("meter.unreasonable", "too much")
    play(log, "R1", replace(contribution(10**9), findings=(finding,)))
    (exception,) = report(log, DAY)["exceptions"]
    assert (exception["code"], exception["round"], exception["text"]) == ("meter.unreasonable", "R1", "too much")
    assert report(log, NEXT)["exceptions"] == []


def test_above_the_limit_and_below_nothing_are_exceptions(log: HandMade) -> None:
    log.add(Stream("property", "NORTH"), PropertyOpened("NORTH", "America/New_York", "06:00", "USD"))
    log.add(METER, meter(limit=BASE + 100))
    play(log, "R1", contribution(150))
    assert [each["code"] for each in report(log, DAY)["exceptions"]] == ["meter.above-limit"]
    assert (level(log, DAY)["overflow"], level(log, DAY)["display_cents"]) == (50, 10_000)
    back = MeterReversal("PROG", "major", BASE + 500, 9, 0, 0, 0, 0, 0)
    log.in_round("R1", voided(meters=(back,)), at=f"{DAY}T23:00:00-04:00")
    codes = [each["code"] for each in report(log, DAY)["exceptions"]]
    assert codes == ["meter.negative", "meter.negative", "round.voided"]
    assert level(log, DAY)["display_cents"] == 0


def test_a_reading_recorded_wrong_in_a_hit_fails_the_report(log: HandMade) -> None:
    begun(log)
    play(log, "R1", contribution(180), hit(BASE, 10_000), settled())
    document = meter_report(log, Asked(DAY)).document
    assert document is not None and not document["holds"]
    assert [each["code"] for each in document["exceptions"]] == ["meter.differs"]


@pytest.mark.parametrize(
    "column", ["increments_micros", "accrued_change_micros", "wins_micros", "reserve_change_micros"]
)
def test_a_row_that_was_changed_fails_the_report(log: HandMade, column: str) -> None:
    begun(log)
    play(log, "R1", contribution(180, 20), hit(BASE + 180, 10_000, reserve=20), settled())
    report(log)
    with view(log, MeterBook) as open_:
        assert open_.projection is not None
        days = open_.projection.days
    with log.store.writing() as connection:
        connection.exec_driver_sql(f"UPDATE {days} SET {column} = {column} + 1 WHERE hits > 0")
    document = meter_report(log, Asked(DAY)).document
    assert document is not None and not document["holds"]
    (only,) = document["meters"][0]["levels"]
    assert only["differences"]


def test_paging_changes_no_row(log: HandMade) -> None:
    begun(log)
    for number in range(12):
        taken = hit(BASE + 180 + number * 80, 100, reserve=20 * (number + 1))
        play(log, f"R{number}", contribution(180, 20), taken, settled(), at=f"{DAY}T{10 + number}:00:00-04:00")
    catalog.catch_up(log, ["meter_book"], page=1)
    whole = catalog.digest(log, "meter_book")
    catalog.rebuild(log, "meter_book", page=7)
    assert catalog.digest(log, "meter_book") == whole


def days_of_a_void(log: HandMade, zone: str, day_starts: str, *times: str) -> list[str]:
    """The gaming days that voids at `times` move a meter on."""
    begun(log, zone, day_starts, at=times[0])
    back = MeterReversal("PROG", "major", 1, 0, 1, 0, 0, 0, 0)
    for number, at in enumerate(times):
        log.in_round(f"R{number}", opened(f"R{number}"), voided(key=f"R{number}", meters=(back,)), at=at)
    catalog.catch_up(log)
    with view(log, MeterBook) as open_:
        assert open_.projection is not None
        entries = open_.projection.entries
        return open_.connection.column(select(entries["gaming_day"], entries, then=f"ORDER BY {entries.order}"))


@pytest.mark.parametrize(
    ("day_starts", "times", "days"),
    [
        # The clock goes from 02:00 to 03:00 on 2026-03-08: the day has 23 hours, a cut-off of 02:30 is skipped.
        ("06:00", ("2026-03-08T05:59:59-04:00", "2026-03-08T06:00:00-04:00"), ("2026-03-07", "2026-03-08")),
        ("02:30", ("2026-03-08T01:59:59-05:00", "2026-03-08T03:00:00-04:00"), ("2026-03-07", "2026-03-08")),
        # It goes back from 02:00 to 01:00 on 2026-11-01: 25 hours, and 01:30 comes twice; the first one counts.
        ("01:30", ("2026-11-01T01:29:59-04:00", "2026-11-01T01:30:00-04:00"), ("2026-10-31", "2026-11-01")),
        ("01:30", ("2026-11-01T01:10:00-05:00", "2026-11-02T01:29:59-05:00"), ("2026-11-01", "2026-11-01")),
    ],
)
def test_gaming_days_follow_the_wall_clock_where_it_is_set(
    log: HandMade, day_starts: str, times: tuple[str, ...], days: tuple[str, ...]
) -> None:
    assert days_of_a_void(log, "America/New_York", day_starts, *times) == list(days)
    catalog.rebuild(log)


@pytest.mark.parametrize(("day", "hours"), [("2026-03-07", 23), ("2026-05-04", 24), ("2026-10-31", 25)])
def test_a_gaming_day_has_23_24_or_25_hours(day: str, hours: int) -> None:
    before = (date.fromisoformat(day) - timedelta(days=1)).isoformat()
    ends = [end_of(each, "America/New_York", "06:00") for each in (before, day)]
    assert (ends[1] - ends[0]) == timedelta(hours=hours)


def test_a_date_that_a_zone_left_out_ends_with_the_one_before() -> None:
    assert end_of("2011-12-30", "Pacific/Apia", "06:00") == end_of("2011-12-29", "Pacific/Apia", "06:00")
