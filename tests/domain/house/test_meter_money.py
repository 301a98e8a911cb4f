"""Adjusting, moving and retiring a meter's levels: closed reasons, two approvals, and nothing that it holds is lost."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from domain.house_events import MeterAdjusted, MeterRead, MeterRetired, MeterTransferred
from domain.meter_decide import LOWERING, MOVING, RAISING
from domain.meters import Held, LevelTerms, NewTerms
from domain.money import MAX_MICROS
from domain.rounds.events import ContributionTaken, WagerSettled
from tests.domain.rounds.hands import PLAIN, QUADS
from tests.domain.rounds.table import (
    AT,
    Table,
    a_house,
    a_level,
    a_sheet,
    a_table,
    adjust_meter,
    change_meter,
    close,
    open_meter,
    open_property,
    open_round,
    place,
    played,
    read_meter,
    retire_meter,
    settle,
    shares,
    transfer_meter,
    void,
)

BOTH = {"main": 10_00, "progressive": 1_00}
BASE = 10_000_000_000


def fed() -> Table:
    """One dollar was taken: 180,000 micros to the major level, 20,000 to its reserve."""
    return a_table().given(*played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}), settle())


def with_shares(percent: int = 100, more: Sequence[LevelTerms] = ()) -> Table:
    """A table where four of a kind wins a share of the major level."""
    sheet = a_sheet(
        id="trial",
        paytables={"trial": shares(("four_of_a_kind", percent, "major"))},
        wagers={"progressive": {"paytable": "trial"}},
    )
    return a_table(sheet=sheet, levels=[a_level("major", BASE), *more])


def test_an_adjustment_says_what_the_level_held_before_and_after() -> None:
    table = a_house()
    table.when(adjust_meter(-500_000, "equipment_fault")).then(
        MeterAdjusted(
            "PROG",
            "NORTH",
            "major",
            -500_000,
            "equipment_fault",
            "form 7",
            ("F1", "M1"),
            "2026-05-04",
            Held(BASE, 0),
            Held(BASE - 500_000, 0),
        )
    )
    assert table.level("major").accrued_micros == BASE - 500_000
    assert table.level("minor").accrued_micros == 500_000_000


def test_the_reasons_are_these_and_no_others() -> None:
    assert set(LOWERING) == {
        "equipment_fault",
        "over_limit",
        "hidden_to_revenue",
        "seed_recovery",
        "rate_correction",
        "regulator_order",
    }
    assert set(RAISING) == {"equipment_fault", "rate_correction", "regulator_order", "house_added"}
    assert set(MOVING) == {"equipment_replaced", "table_moved", "game_removed", "regulator_order"}


@pytest.mark.parametrize("reason", sorted({*LOWERING, *RAISING, *MOVING, "because"}))
def test_a_level_is_lowered_and_raised_for_the_reasons_of_its_list_only(reason: str) -> None:
    for amount, allowed in ((-1, LOWERING), (1, RAISING)):
        outcome = fed().when(adjust_meter(amount, reason))
        if reason in allowed:
            outcome.accepted()
        else:
            assert all(each in outcome.refused("meter.reason") for each in allowed)


@pytest.mark.parametrize("reason", sorted({*LOWERING, *RAISING, *MOVING}))
def test_a_level_is_moved_and_retired_for_the_reasons_of_its_list_only(reason: str) -> None:
    for order in (transfer_meter(1, "revenue", reason=reason), retire_meter("revenue", reason=reason)):
        outcome = a_house().when(order)
        outcome.accepted() if reason in MOVING else outcome.refused("meter.reason")


@pytest.mark.parametrize("wrong", [(), ("F1",), ("F1", "F1"), ("C1", "F1"), ("F1", "M1", "C1")])
def test_two_others_than_the_author_approve(wrong: tuple[str, ...]) -> None:
    for order in (adjust_meter(1, "house_added"), transfer_meter(1, "revenue"), retire_meter("revenue")):
        a_house().when(order.but(approved_by=wrong)).refused("approval.insufficient")


def test_hidden_money_that_goes_to_revenue_comes_from_the_reserve() -> None:
    table = fed()
    before = table.level("major").held
    event = table.when(adjust_meter(-20_000, "hidden_to_revenue")).one(MeterAdjusted)
    assert (event.before, event.after) == (before, Held(before.accrued_micros, 0))
    assert table.level("major").held == event.after
    assert "reserve" in table.when(adjust_meter(-1, "hidden_to_revenue")).refused("meter.insufficient")


def test_no_more_is_taken_than_a_level_has_accrued() -> None:
    held = BASE + 180_000
    orders = (adjust_meter(-held, "equipment_fault"), transfer_meter(held, "revenue"))
    for order, more in zip(orders, (-held - 1, held + 1), strict=True):
        table = fed()
        assert "$10,000.18" in table.when(order.but(amount_micros=more)).refused("meter.insufficient")
        table.given(order)
        assert table.level("major").held == Held(0, 20_000)


def test_what_can_succeed_later_unchanged_says_so() -> None:
    table = fed()
    for order, later in (
        (transfer_meter(2 * BASE, "revenue"), True),
        (transfer_meter(1, "revenue", meter="OTHER"), True),
        (transfer_meter(1, "OTHER"), True),
        (transfer_meter(1, "revenue", level="mega"), False),
    ):
        refusal = table.when(order).refusal
        assert refusal is not None and refusal.retry is later, order


def below_nothing() -> Table:
    """All that was accrued was moved away; then the round that had brought the last of it was voided."""
    table = fed().given(transfer_meter(BASE + 180_000, "revenue"), void())
    assert table.level("major").held == Held(-180_000, 0)
    return table


def test_a_level_below_nothing_is_raised_by_any_part_and_not_lowered() -> None:
    table = below_nothing().given(adjust_meter(1, "rate_correction"))
    assert table.level("major").accrued_micros == -179_999
    for order in (adjust_meter(-1, "rate_correction"), transfer_meter(1, "revenue")):
        assert table.when(order).refused("meter.insufficient").endswith("wait until it holds something")


def test_a_level_below_nothing_is_retired_and_what_it_lacks_moves_too() -> None:
    table = below_nothing().given(open_meter(meter="OTHER"))
    event = table.when(retire_meter("OTHER")).one(MeterRetired)
    assert (event.shown_micros, event.after, event.to_after) == (0, Held(0, 0), Held(BASE - 180_000, 0))


def test_a_day_that_is_to_come_is_not_put_right() -> None:
    message = a_house().when(adjust_meter(1, "rate_correction", gaming_day="2026-05-05")).refused("meter.time")
    assert "2026-05-04" in message
    a_house().when(adjust_meter(1, "rate_correction", gaming_day="2026-05-04")).accepted()


def test_a_wrong_rate_is_put_right_by_one_entry_for_each_day_and_the_contributions_stay() -> None:
    table = fed()
    taken = table.events(ContributionTaken)
    first = adjust_meter(20_000, "rate_correction", gaming_day="2026-05-02")
    event = table.when(first).one(MeterAdjusted)
    assert (event.gaming_day, event.corrected_day) == ("2026-05-04", "2026-05-02")
    table.given(adjust_meter(20_000, "rate_correction", gaming_day="2026-05-03"))
    assert (
        table.when(adjust_meter(1, "rate_correction", gaming_day="2026-05-04")).one(MeterAdjusted).corrected_day is None
    )
    assert table.level("major").accrued_micros == BASE + 180_000 + 40_001
    assert table.events(ContributionTaken) == taken


def test_lowering_for_the_limit_more_than_was_above_it_is_noted() -> None:
    levels = [a_level("major", 1_200_000_000, limit=1_000_000_000)]
    table = a_house(levels=levels)
    assert table.when(adjust_meter(-200_000_000, "over_limit")).findings == []
    outcome = table.when(adjust_meter(-1, "over_limit"))
    assert outcome.findings == [("meter.over-limit", None)]


def test_a_level_can_not_hold_more_than_is_accounted_for() -> None:
    table = a_house()
    table.when(adjust_meter(MAX_MICROS, "house_added")).refused("amount.invalid")
    table.given(open_meter([a_level("major", MAX_MICROS), a_level("minor", 0)], meter="FULL"))
    table.when(transfer_meter(1, "FULL")).refused("amount.invalid")
    table.when(retire_meter("FULL")).refused("amount.invalid")


def test_a_transfer_moves_a_part_of_what_is_accrued_and_leaves_the_reserve() -> None:
    table = fed().given(open_meter(meter="OTHER"))
    event = table.when(transfer_meter(180_000, "OTHER")).one(MeterTransferred)
    assert (event.before, event.after) == (Held(BASE + 180_000, 20_000), Held(BASE, 20_000))
    assert (event.to_before, event.to_after) == (Held(BASE, 0), Held(BASE + 180_000, 0))
    assert table.level("major").held == event.after
    assert table.level("major", "OTHER").held == event.to_after


def test_a_transfer_to_revenue_has_no_other_meter() -> None:
    event = a_house().when(transfer_meter(BASE, "revenue")).one(MeterTransferred)
    assert (event.after, event.to_before, event.to_after) == (Held(0, 0), None, None)


def test_money_is_moved_to_another_meter_of_the_property_with_the_same_level_names() -> None:
    table = a_house().given(
        open_property("SOUTH"),
        open_meter(meter="SOUTH-1", property="SOUTH"),
        open_meter([a_level("major", 0)], meter="LESS"),
        open_meter(meter="SAME"),
    )
    for order in (transfer_meter(1, "revenue"), retire_meter("revenue")):
        assert "SOUTH" in table.when(order.but(to="SOUTH-1")).refused("meter.target")
        assert "itself" in table.when(order.but(to="PROG")).refused("meter.target")
        assert "minor" in table.when(order.but(to="LESS")).refused("meter.levels")
        assert "NONE" in table.when(order.but(to="NONE")).refused("meter.unknown")
        assert "grand" in table.when(order.but(level="grand")).refused("meter.unknown")
    table.given(retire_meter("revenue", "minor", meter="SAME"))
    table.when(transfer_meter(1, "SAME", level="minor")).refused("meter.retired")
    table.when(transfer_meter(1, "SAME")).accepted()


def test_no_meter_is_named_like_the_revenue() -> None:
    a_house().when(open_meter(meter="revenue")).refused("meter.exists")


def test_a_retired_level_moves_accrued_and_reserve_into_what_the_other_has_accrued() -> None:
    table = fed().given(open_meter(meter="OTHER"))
    event = table.when(retire_meter("OTHER")).one(MeterRetired)
    assert (event.before, event.after, event.shown_micros) == (Held(BASE + 180_000, 20_000), Held(0, 0), BASE + 180_000)
    assert event.to_after == Held(2 * BASE + 200_000, 0)
    assert table.level("major").retired and table.level("major").held == Held(0, 0)
    assert not table.meter().ended()
    table.given(retire_meter("OTHER", "minor"))
    assert table.meter().ended()


def test_a_wager_on_a_retired_meter_is_refused_and_the_message_names_the_sheet() -> None:
    table = a_table().given(place(5, "main", 10_00), retire_meter("revenue"), retire_meter("revenue", "minor"))
    assert "fortune-cardroom@1" in table.when(place(5, "progressive", 1_00)).refused("meter.retired")


def test_a_wager_whose_table_pays_from_a_retired_level_is_refused_another_feeds_what_is_left() -> None:
    table = with_shares().given(place(5, "main", 10_00), retire_meter("revenue"))
    assert "trial@1" in table.when(place(5, "progressive", 1_00)).refused("meter.retired")
    other = with_shares(more=[a_level("minor", 0)]).given(place(5, "main", 10_00), retire_meter("revenue", "minor"))
    taken = other.given(place(5, "progressive", 1_00)).when(close()).one(ContributionTaken)
    assert [part.level for part in taken.levels] == ["major"]


def test_a_hand_that_was_in_play_is_paid_what_the_retired_level_showed_by_the_house() -> None:
    table = with_shares(10).given(*played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}), retire_meter("revenue"))
    line = table.when(settle()).line("5.progressive")
    assert line.won_cents == (BASE + 180_000) // 10 // 10_000
    assert line.hit is not None
    assert (line.hit.accrued_before_micros, line.hit.reset_micros) == (0, line.hit.win_micros)
    assert table.level("major").held == Held(0, 0)


def test_a_hand_in_play_is_due_what_the_level_showed_when_it_was_retired_first() -> None:
    table = with_shares().given(*played({5: BOTH}, {0: PLAIN}), settle())
    table.given(open_round("R2", number=2, sheet="trial@1"), *played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}))
    table.given(retire_meter("revenue"), void(round="R1"), retire_meter("revenue"))
    assert table.when(settle()).line("5.progressive").won_cents == (BASE + 360_000) // 10_000


def test_several_whole_hits_of_a_retired_level_share_it() -> None:
    table = with_shares().given(*played({5: BOTH, 4: BOTH}, {0: PLAIN, 5: QUADS[0], 4: QUADS[1]}))
    table.given(retire_meter("revenue"))
    won = {line.line_id: line.won_cents for line in table.when(settle()).settled() if line.wager == "progressive"}
    assert won == dict.fromkeys(("5.progressive", "4.progressive"), (BASE + 360_000) // 2 // 10_000)
    assert table.level("major").held == Held(0, 0)


def test_what_a_void_gives_back_to_a_retired_level_is_moved_on_and_what_it_takes_back_too() -> None:
    table = with_shares().given(*played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}), settle())
    table.given(open_meter([a_level("major", 0)], meter="OTHER"), retire_meter("OTHER"), void())
    assert table.level("major").held == Held(BASE - 5_000_000_000, -20_000 + 20_000)
    table.given(retire_meter("OTHER"))
    assert table.level("major").held == Held(0, 0)
    assert table.level("major", "OTHER").accrued_micros == BASE
    table.when(retire_meter("OTHER")).refused("meter.retired")


def test_a_reading_is_kept_beside_what_the_sign_should_have_shown() -> None:
    table = fed()
    table.when(read_meter(10_000_17)).then(
        MeterRead("PROG", "NORTH", "major", 10_000_17, 10_000_18, BASE + 180_000, "2026-05-04")
    )
    assert table.when(read_meter(0)).one(MeterRead).display_cents == 0


def halved() -> tuple[Table, tuple[tuple[str, int], ...]]:
    """A level above its limit, which is half of that from a day later on; both times with what is shown then."""
    later = "2026-05-05T18:00:00-04:00"
    table = a_house(levels=[a_level("major", 2 * BASE, limit=BASE)])
    # Lowered meanwhile, since no limit may be below what is shown.
    table.given(adjust_meter(-2 * BASE, "equipment_fault"))
    table.given(change_meter(NewTerms("major", limit_micros=BASE // 2), effective_from=later))
    return table.given(adjust_meter(2 * BASE, "equipment_fault")), ((AT, BASE), (later, BASE // 2))


def test_an_entry_and_a_reading_are_held_against_the_limit_in_force() -> None:
    for at, shown in halved()[1]:
        table, _ = halved()
        reading = table.when(read_meter(0, at=at)).one(MeterRead)
        assert (reading.expected_cents, reading.accrued_micros) == (shown // 10_000, 2 * BASE)
        assert table.when(adjust_meter(shown - 2 * BASE, "over_limit", at=at)).findings == []
        assert table.when(adjust_meter(-1, "over_limit", at=at)).findings == [("meter.over-limit", None)]


def test_a_retired_level_showed_no_more_than_the_limit_in_force() -> None:
    for at, shown in halved()[1]:
        assert halved()[0].when(retire_meter("revenue", at=at)).one(MeterRetired).shown_micros == shown


def test_shown_and_hidden_together_are_what_was_before_less_what_went_to_revenue() -> None:
    chance = Random(7)
    for _ in range(30):
        table = fed().given(open_meter(meter="OTHER"))
        whole = sum_of(table)
        for _ in range(8):
            to = chance.choice(["OTHER", "revenue"])
            moved = chance.randrange(1, 10**9)
            order = chance.choice(
                [transfer_meter(moved, to), adjust_meter(-moved, "equipment_fault"), retire_meter(to)]
            )
            outcome = table.when(order)
            if outcome.refusal is not None:
                continue
            (event,) = outcome.events
            if isinstance(event, MeterAdjusted):
                whole += event.amount_micros
            elif isinstance(event, MeterTransferred) and to == "revenue":
                whole -= event.amount_micros
            elif isinstance(event, MeterRetired) and to == "revenue":
                whole -= event.before.accrued_micros + event.before.reserve_micros
            assert sum_of(table) == whole


def sum_of(table: Table) -> int:
    levels = [level for name in ("PROG", "OTHER") for level in table.meter(name).levels.values()]
    return sum(level.accrued_micros + level.reserve_micros for level in levels)


def test_the_lines_of_a_round_are_fixed_whatever_the_meter_does_later() -> None:
    table = with_shares().given(*played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}), settle())
    before = table.events(WagerSettled)
    table.given(
        adjust_meter(-1, "equipment_fault"), retire_meter("revenue"), open_round("R2", number=2, sheet="trial@1")
    )
    assert table.events(WagerSettled, "R1") == before
