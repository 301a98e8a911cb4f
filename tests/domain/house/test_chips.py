"""Buy-ins and cash-outs, each of its property's gaming day."""

from __future__ import annotations

import pytest

from domain.house_events import PlayerBoughtIn, PlayerCashedOut
from domain.streams import Stream
from tests.domain.rounds.table import a_house, buy_in, cash_out, open_property


def test_chips_bought_and_cashed_are_the_players() -> None:
    house = a_house()
    house.when(buy_in("P1", 200_00)).then(PlayerBoughtIn("NORTH", "T1", "P1", 200_00, "2026-05-04"))
    house.when(cash_out("P1", 50_00)).then(PlayerCashedOut("NORTH", "T1", "P1", 50_00, "2026-05-04"))
    assert len(house.house.streams[Stream("player", "P1")]) == 2


def test_a_player_may_cash_out_more_than_he_bought() -> None:
    a_house().when(cash_out("P1", 1_000_00)).accepted()


@pytest.mark.parametrize(
    ("at", "day"), [("2026-05-05T05:59:59-04:00", "2026-05-04"), ("2026-05-05T06:00:00-04:00", "2026-05-05")]
)
def test_the_gaming_day_is_cut_at_the_propertys_hour(at: str, day: str) -> None:
    assert a_house().when(buy_in("P1", 1, at=at)).one(PlayerBoughtIn).gaming_day == day
    assert a_house().when(cash_out("P1", 1, at=at)).one(PlayerCashedOut).gaming_day == day


def test_the_property_must_be_open() -> None:
    house = a_house()
    house.when(buy_in("P1", 1, property="SOUTH")).refused("property.unknown")
    house.when(cash_out("P1", 1, property="SOUTH")).refused("property.unknown")
    house.given(open_property("SOUTH")).when(buy_in("P1", 1, property="SOUTH")).accepted()
