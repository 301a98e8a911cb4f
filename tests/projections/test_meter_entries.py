"""Meters: what moves them outside the rounds, new terms by their time, and readings that are summed up again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.house_events import MeterAdjusted, MeterChanged, MeterRetired, MeterTransferred
from domain.meters import Held, LevelChange
from domain.rounds.events import Event
from domain.streams import Stream
from projections import catalog
from projections.asof import AsOf, parse
from projections.meters import discrepancies, list_meters, show_meter, unwritten_discrepancies
from projections.standing import ProjectionAhead
from tests.projections.hands import contribution, hit, meter, opened, settled
from tests.projections.sources import HandMade

METER, OTHER = Stream("meter", "PROG"), Stream("meter", "OTHER")
BASE = 100_000_000
TWO = ("F1", "M1")
DAY = "2026-05-04"
NOON, LATER = "2026-05-05T12:00:00Z", "2026-05-06T12:00:00Z"


def level(log: HandMade, name: str = "PROG", as_of: AsOf | None = None) -> dict[str, Any]:
    (document,) = show_meter(log, name, as_of).rows
    (only,) = document["levels"]
    return dict(only)


def both(log: HandMade, *events: Event) -> HandMade:
    """Both meters are open and the first one has events."""
    log.add(METER, meter())
    log.add(OTHER, replace(meter(), meter="OTHER"))
    log.add(METER, *events)
    return log


def adjusted(amount: int, before: Held, *, hidden: bool = False) -> MeterAdjusted:
    after = (
        replace(before, reserve_micros=before.reserve_micros + amount)
        if hidden
        else replace(before, accrued_micros=before.accrued_micros + amount)
    )
    reason = "hidden_to_revenue" if hidden else "equipment_fault"
    return MeterAdjusted("PROG", "NORTH", "major", amount, reason, "form 7", TWO, DAY, before, after)


def transferred(amount: int, before: Held, to_before: Held | None) -> MeterTransferred:
    after = replace(before, accrued_micros=before.accrued_micros - amount)
    to_after = None if to_before is None else replace(to_before, accrued_micros=to_before.accrued_micros + amount)
    to = "revenue" if to_before is None else "OTHER"
    return MeterTransferred(
        "PROG", "NORTH", "major", to, amount, "table_moved", "form 8", TWO, DAY, before, after, to_before, to_after
    )


def retired(before: Held, to_before: Held | None) -> MeterRetired:
    moved = before.accrued_micros + before.reserve_micros
    to_after = None if to_before is None else replace(to_before, accrued_micros=to_before.accrued_micros + moved)
    to = "revenue" if to_before is None else "OTHER"
    return MeterRetired(
        "PROG", "NORTH", "major", to, "game_removed", "form 9", TWO, DAY, 0, before, Held(0, 0), to_before, to_after
    )


def changed(effective_from: str, guard: int | None = None, **new: Any) -> MeterChanged:
    (before,) = meter().levels
    changes = (LevelChange(before, replace(before, **new)),) if new else ()
    return MeterChanged("PROG", "NORTH", effective_from, changes, TWO, DAY, 1_000_000, guard)


def test_an_adjustment_moves_accrued_and_is_summed_apart(log: HandMade) -> None:
    found = level(both(log, adjusted(-500, Held(BASE, 0)), adjusted(200, Held(BASE - 500, 0))))
    assert (found["accrued_micros"], found["adjustments_micros"]) == (BASE - 300, -300)


def test_hidden_money_leaves_the_reserve(log: HandMade) -> None:
    both(log).in_round("R1", opened(), contribution(180, 20))
    log.add(METER, adjusted(-20, Held(BASE + 180, 20), hidden=True))
    found = level(log)
    assert (found["accrued_micros"], found["reserve_micros"]) == (BASE + 180, 0)
    assert (found["adjustments_micros"], found["reserve_adjustments_micros"]) == (0, -20)


@pytest.mark.parametrize("page", [1, 500])
def test_a_transfer_leaves_one_meter_and_reaches_the_other(log: HandMade, page: int) -> None:
    both(log, transferred(700, Held(BASE, 0), Held(BASE, 0)), transferred(1, Held(BASE - 700, 0), None))
    catalog.catch_up(log, page=page)
    out, in_ = level(log), level(log, "OTHER")
    assert (out["accrued_micros"], out["transfers_out_micros"], out["transfers_in_micros"]) == (BASE - 701, 701, 0)
    assert (in_["accrued_micros"], in_["transfers_out_micros"], in_["transfers_in_micros"]) == (BASE + 700, 0, 700)
    assert (out["position"], in_["position"]) == (4, 3)


def test_a_retired_level_is_said_to_be_and_holds_nothing(log: HandMade) -> None:
    both(log).in_round("R1", opened(), contribution(180, 20))
    log.add(METER, retired(Held(BASE + 180, 20), Held(BASE, 0)))
    out, in_ = level(log), level(log, "OTHER")
    assert (out["accrued_micros"], out["reserve_micros"], out["retired"]) == (0, 0, True)
    assert (out["transfers_out_micros"], out["reserve_transfers_out_micros"]) == (BASE + 180, 20)
    assert (in_["accrued_micros"], in_["transfers_in_micros"], in_["retired"]) == (2 * BASE + 200, BASE + 200, False)


def test_the_equations_hold_after_every_kind_of_entry(log: HandMade) -> None:
    both(log).in_round("R1", opened(), contribution(180, 20), hit(BASE + 180, 30_000, reserve=20), settled())
    log.add(METER, adjusted(-80, Held(BASE - 29_820, 20)), transferred(100, Held(BASE - 29_900, 20), Held(BASE, 0)))
    log.add(METER, retired(Held(BASE - 30_000, 20), Held(BASE + 100, 0)))
    assert discrepancies(log).rows == []
    for document in list_meters(log).rows:
        (row,) = document["levels"]
        in_ = row["increments_micros"] + row["resets_micros"] + row["adjustments_micros"] + row["transfers_in_micros"]
        assert row["accrued_micros"] == row["base_micros"] + in_ - row["transfers_out_micros"] - row["wins_micros"]
        hidden = row["hidden_increments_micros"] - row["reserve_used_micros"] + row["reserve_adjustments_micros"]
        assert row["reserve_micros"] == hidden - row["reserve_transfers_out_micros"]


def test_an_entry_that_found_another_reading_is_a_discrepancy(log: HandMade) -> None:
    both(log, adjusted(-1, Held(BASE + 5, 0)), transferred(1, Held(BASE - 1, 0), Held(BASE, 9)))
    found = [(row["position"], row["meter"], row["figure"], row["line_id"]) for row in discrepancies(log).rows]
    assert found == [
        (3, "PROG", "accrued_micros", "meter.adjusted"),
        (4, "OTHER", "reserve_micros", "meter.transferred"),
    ]
    assert discrepancies(log).rows[0]["round"] == "PROG"


def test_discrepancies_are_found_without_a_write_from_wherever_the_read_model_stands(log: HandMade) -> None:
    both(log, adjusted(-1, Held(BASE + 5, 0)))
    assert catalog.status(log, ["meters"])[0].position == 0
    first = unwritten_discrepancies(log)
    assert catalog.status(log, ["meters"])[0].position == 0
    assert first == discrepancies(log).rows
    log.add(METER, transferred(1, Held(BASE - 1, 0), Held(BASE, 9)))
    both_found = unwritten_discrepancies(log)
    assert [row["position"] for row in both_found] == [3, 4]
    assert catalog.status(log, ["meters"])[0].lag == 1
    assert both_found == discrepancies(log).rows


def test_a_read_model_that_knows_more_than_the_log_is_not_taken_for_whole(log: HandMade) -> None:
    both(log)
    catalog.catch_up(log, ["meters"])
    with log.store.writing() as connection:
        connection.exec_driver_sql("UPDATE projection_builds SET position = 99")
    with pytest.raises(ProjectionAhead):
        unwritten_discrepancies(log)


def test_one_meter_as_of_a_position_is_folded_without_the_other(log: HandMade) -> None:
    both(log, transferred(700, Held(BASE, 0), Held(BASE, 0)), adjusted(1, Held(BASE - 700, 0)))
    assert level(log, "OTHER", parse("3"))["accrued_micros"] == BASE + 700
    assert level(log, "OTHER", parse("2"))["accrued_micros"] == BASE
    for name in ("PROG", "OTHER"):
        assert show_meter(log, name, parse("4")).rows == show_meter(log, name).rows


def test_terms_are_those_in_force_at_the_latest_movement_or_the_time_asked_for(log: HandMade) -> None:
    log.add(METER, meter(), changed(LATER, 5, rate_bp=2_000, limit_micros=BASE), at=NOON)
    log.in_round("R1", opened(), contribution(180), at=NOON)
    (document,) = show_meter(log, "PROG").rows
    assert (document["levels"][0]["rate_bp"], document["unreasonable_micros"]) == (1_800, 1_000_000)
    assert [(each["figure"], each["after"], each["in_force"]) for each in document["changes"]] == [
        ("unreasonable_micros", 5, False),
        ("limit_micros", BASE, False),
        ("rate_bp", 2_000, False),
    ]
    assert level(log, as_of=parse(LATER))["rate_bp"] == 2_000
    log.in_round("R2", opened("R2"), contribution(180), at=LATER)
    (document,) = show_meter(log, "PROG").rows
    (found,) = document["levels"]
    assert (found["rate_bp"], found["overflow_micros"], document["unreasonable_micros"]) == (2_000, 360, 5)
    assert all(each["in_force"] for each in document["changes"])


def test_of_two_changes_the_one_in_force_later_counts_whichever_was_recorded_first(log: HandMade) -> None:
    log.add(METER, meter(), changed(LATER, rate_bp=3), changed(NOON, rate_bp=2, hidden_rate_bp=1), at=NOON)
    assert level(log, as_of=parse(NOON))["rate_bp"] == 2
    found = level(log, as_of=parse(LATER))
    assert (found["rate_bp"], found["hidden_rate_bp"]) == (3, 1)


def test_a_limit_that_is_lifted_is_none(log: HandMade) -> None:
    log.add(METER, meter(limit=BASE // 2), at=NOON)
    (before,) = meter(limit=BASE // 2).levels
    lifted = LevelChange(before, replace(before, limit_micros=None))
    log.add(METER, MeterChanged("PROG", "NORTH", LATER, (lifted,), TWO, DAY, 1_000_000), at=NOON)
    assert level(log)["display_cents"] == BASE // 2 // 10_000
    found = level(log, as_of=parse(LATER))
    assert (found["limit_micros"], found["display_cents"], found["overflow_micros"]) == (None, BASE // 10_000, 0)
