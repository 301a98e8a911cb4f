"""Meters: the level's equation, hits read again, voids, and every level against a plain fold of whole rounds."""

from __future__ import annotations

import pytest

from domain.rounds.events import Event, MeterReversal
from domain.streams import Stream
from ledger.service import Ledger
from projections import catalog
from projections.asof import AsOf, parse
from projections.asof import log as whole_log
from projections.meters import discrepancies, list_meters, show_meter
from tests.projections import naive
from tests.projections.hands import contribution, hit, meter, opened, settled, voided
from tests.projections.sources import HandMade

METER = Stream("meter", "PROG")
LEVEL_KEYS = [
    "level",
    "base_micros",
    "reset_micros",
    "rate_bp",
    "hidden_rate_bp",
    "limit_micros",
    "in_count",
    "accrued_micros",
    "display_cents",
    "overflow_micros",
    "reserve_micros",
    "hits",
    "wins_micros",
    "position",
]


def level(log: HandMade, as_of: AsOf | None = None) -> dict[str, int]:
    """The only level of meter PROG."""
    (document,) = show_meter(log, "PROG", as_of).rows
    (only,) = document["levels"]
    return dict(only)


def after(log: HandMade, *events: Event, limit: int | None = None) -> HandMade:
    """The log with the meter open and the events of round R1."""
    log.add(METER, meter(limit))
    log.in_round("R1", opened(), *events)
    return log


def test_show_has_the_keys_of_the_contract_in_its_order(log: HandMade) -> None:
    after(log)
    (document,) = show_meter(log, "PROG").rows
    assert list(document)[:3] == ["meter", "property", "levels"]
    assert list(document["levels"][0])[:14] == LEVEL_KEYS


def test_a_level_opens_at_its_base(log: HandMade) -> None:
    found = level(after(log))
    assert (found["accrued_micros"], found["display_cents"], found["position"]) == (100_000_000, 10_000, 1)


def test_a_contribution_adds_to_accrued_reserve_and_in_count(log: HandMade) -> None:
    found = level(after(log, contribution(180_000, 20_000), contribution(180_000, 20_000)))
    assert (found["accrued_micros"], found["reserve_micros"], found["in_count"]) == (100_360_000, 40_000, 2)
    assert (found["increments_micros"], found["hidden_increments_micros"]) == (360_000, 40_000)


def test_the_display_is_cut_to_cents_and_stops_at_the_limit_the_rest_is_overflow(log: HandMade) -> None:
    found = level(after(log, contribution(189_999), limit=100_150_000))
    assert (found["display_cents"], found["overflow_micros"]) == (10_015, 39_999)


def test_a_hit_takes_its_win_and_a_reset_comes_back_from_the_reserve_first(log: HandMade) -> None:
    taken = hit(100_180_000, 100_180_000, reset=50_000_000, reserve=20_000, used=20_000, percent=100)
    found = level(after(log, contribution(180_000, 20_000), taken, settled()))
    assert (found["accrued_micros"], found["reserve_micros"]) == (50_000_000, 0)
    assert (found["hits"], found["wins_micros"], found["resets_micros"]) == (1, 100_180_000, 50_000_000)
    assert found["position"] == 4


def test_an_accrued_below_zero_shows_nothing(log: HandMade) -> None:
    found = level(after(log, hit(100_000_000, 120_000_000), settled()))
    assert (found["accrued_micros"], found["display_cents"]) == (-20_000_000, 0)


def test_a_void_takes_back_exactly_the_rounds_own_movements(log: HandMade) -> None:
    taken = hit(100_180_000, 100_180_000, reset=50_000_000, reserve=20_000, used=20_000, percent=100)
    after(log, contribution(180_000, 20_000), taken, settled())
    opening = level(log, parse("1"))
    log.in_round("R2", opened("R2"), contribution(7, 3))
    back = MeterReversal("PROG", "major", 180_000, 20_000, 1, 100_180_000, 50_000_000, 20_000, 1)
    log.in_round("R1", voided(meters=(back,)))
    found = level(log)
    expected = opening | {
        "accrued_micros": 100_000_007,
        "reserve_micros": 3,
        "in_count": 1,
        "increments_micros": 7,
        "hidden_increments_micros": 3,
        "position": 8,
    }
    assert found == expected


def test_a_hit_that_was_read_right_is_no_discrepancy(log: HandMade) -> None:
    after(log, contribution(180_000, 20_000), hit(100_180_000, 10_010_000, reserve=20_000), settled())
    assert discrepancies(log).rows == []


@pytest.mark.parametrize("page", [1, 500])
def test_a_hit_that_was_read_wrong_is_a_discrepancy_with_both_figures(log: HandMade, page: int) -> None:
    after(log, contribution(180_000, 20_000), hit(100_170_000, 10_010_000, reserve=20_000), settled())
    catalog.catch_up(log, page=page)
    expected = {
        "position": 4,
        "figure": "accrued_micros",
        "round": "R1",
        "line_id": "1.progressive",
        "meter": "PROG",
        "level": "major",
        "recorded_micros": 100_170_000,
        "summed_micros": 100_180_000,
    }
    assert discrepancies(log).rows == [expected]
    assert show_meter(log, "PROG").rows[0]["discrepancies"] == [expected]


def test_the_reserve_of_a_hit_is_read_again_too(log: HandMade) -> None:
    after(log, contribution(180_000, 20_000), hit(100_180_000, 10_010_000, reserve=19_999), settled())
    assert [(row["figure"], row["summed_micros"]) for row in discrepancies(log).rows] == [("reserve_micros", 20_000)]


def test_a_contribution_to_a_meter_that_never_opened_stops_the_projection(log: HandMade) -> None:
    log.in_round("R1", opened(), contribution(1))
    (status,) = catalog.catch_up(log, ["meters"])
    assert (status.position, status.error_position) == (1, 2)


def test_as_of_a_position_folds_the_log_up_to_it(log: HandMade) -> None:
    after(log, contribution(5), contribution(7))
    assert level(log, parse("3"))["accrued_micros"] == 100_000_005
    assert show_meter(log, "PROG", parse("3")).position == 3


def test_as_of_a_time_goes_by_at_and_before_its_opening_there_is_no_meter(log: HandMade) -> None:
    log.add(METER, meter(), at="2026-05-04T12:00:00Z")
    log.in_round("R1", opened(), contribution(5), at="2026-05-04T14:00:00Z")
    log.in_round("R2", opened("R2"), contribution(7), at="2026-05-04T13:00:00Z")
    assert level(log, parse("2026-05-04T13:30:00Z"))["accrued_micros"] == 100_000_007
    assert show_meter(log, "PROG", parse("2026-05-04T11:00:00Z")).rows == []


def test_an_unknown_meter_has_no_document(log: HandMade) -> None:
    after(log)
    assert show_meter(log, "PRAG").rows == []
    assert show_meter(log, "PRAG", parse("9")).rows == []


def test_meters_come_by_name_and_levels_as_they_were_opened(long: Ledger) -> None:
    documents = list_meters(long).rows
    assert [each["meter"] for each in documents] == sorted(each["meter"] for each in documents)
    assert {tuple(each["level"] for each in document["levels"]) for document in documents} == {("major", "minor")}


def test_levels_agree_with_a_plain_fold_of_whole_rounds(long: Ledger) -> None:
    expected = naive.meters(whole_log(long.feed.after))
    assert any(figures["hits"] for figures in expected.values())
    for document in list_meters(long).rows:
        for found in document["levels"]:
            figures = expected[document["meter"], found["level"]]
            assert {name: found[name] for name in figures} == figures


def test_every_level_holds_its_equation_and_every_hit_was_read_right(long: Ledger) -> None:
    for document in list_meters(long).rows:
        for found in document["levels"]:
            in_, out = found["increments_micros"] + found["resets_micros"], found["wins_micros"]
            assert found["accrued_micros"] == found["base_micros"] + in_ - out
            assert found["reserve_micros"] == found["hidden_increments_micros"] - found["reserve_used_micros"]
    assert discrepancies(long).rows == []


def test_as_of_any_position_agrees_with_a_plain_fold_of_the_log_up_to_it(long: Ledger) -> None:
    position = long.head().position * 2 // 3
    expected = naive.meters(record for record in whole_log(long.feed.after) if record.position <= position)
    for (name, wanted), figures in expected.items():
        (document,) = show_meter(long, name, AsOf(position=position)).rows
        (found,) = (each for each in document["levels"] if each["level"] == wanted)
        assert {figure: found[figure] for figure in figures} == figures


def test_as_of_the_end_of_the_log_is_what_is_projected(long: Ledger) -> None:
    for now in list_meters(long).rows:
        assert show_meter(long, now["meter"], AsOf(position=long.head().position)).rows == [now]
