"""Opening a progressive meter with its levels (the contract's open_meter)."""

from __future__ import annotations

import pytest

from domain.house_events import MeterOpened
from domain.streams import Stream
from tests.domain.rounds.table import House, Table, a_house, a_level, open_meter, open_property, standard_levels


def test_a_meter_is_opened_with_every_level_at_its_base() -> None:
    table = Table(House()).given(open_property())
    event = table.when(open_meter()).one(MeterOpened)
    assert (event.meter, event.property, event.levels) == ("PROG", "NORTH", standard_levels())
    assert (event.unreasonable_micros, event.approved_by) == (1_000_000, ("M1",))
    for terms in standard_levels():
        level = table.level(terms.level)
        assert (level.accrued_micros, level.reserve_micros, level.in_count) == (terms.base_micros, 0, 0)
        assert (level.hits, level.wins_micros, level.resets_micros) == (0, 0, 0)
    assert Stream("meter", "PROG") in table.house.streams


def test_a_meter_is_opened_once() -> None:
    house = a_house()
    house.when(open_meter()).refused("meter.exists")
    house.when(open_meter(meter="OTHER")).accepted()


def test_the_property_must_be_open() -> None:
    house = a_house()
    house.when(open_meter(meter="OTHER", property="SOUTH")).refused("property.unknown")


def test_two_levels_of_one_name_are_refused() -> None:
    twice = [a_level("major", 1_000_000), a_level("major", 2_000_000)]
    a_house().when(open_meter(twice, meter="OTHER")).refused("meter.levels")


@pytest.mark.parametrize("wrong", [(), ("C1",), ("M1", "C1")])
def test_somebody_else_than_the_author_approves_a_meter(wrong: tuple[str, ...]) -> None:
    a_house().when(open_meter(meter="OTHER", approved_by=wrong)).refused("approval.insufficient")
    a_house().when(open_meter(meter="OTHER", approved_by=("M1",))).accepted()


def test_parameters_may_be_zero() -> None:
    level = a_level("major", 0, reset=0, rate_bp=0, hidden_rate_bp=0, limit=None)
    a_house().when(open_meter([level], meter="OTHER", unreasonable_micros=0)).accepted()


def test_a_limit_may_be_below_the_base_and_null_not_zero_is_no_limit() -> None:
    house = a_house()
    levels = [a_level("low", 3_000_000, limit=1_000_000), a_level("none", 3_000_000, limit=0)]
    house.given(open_meter(levels, meter="OTHER"))
    low, none = house.level("low", "OTHER"), house.level("none", "OTHER")
    assert (low.display_cents, low.overflow_micros) == (100, 2_000_000)
    assert (none.display_cents, none.overflow_micros) == (0, 3_000_000)
