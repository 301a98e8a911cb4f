"""Opening a round: property, sheet, seats, number and table (the contract's Phases, Opening)."""

from __future__ import annotations

import pytest

from domain.rounds.events import RoundOpened, SeatTaken
from domain.sheets.reading import read_sheet
from tests.domain.rounds.hands import WINS
from tests.domain.rounds.table import (
    Table,
    a_house,
    a_sheet,
    open_property,
    open_round,
    played,
    publish,
    settle,
    void,
)


def test_the_first_event_pins_the_sheet_by_id_version_and_fingerprint() -> None:
    a_house().when(open_round(seats={5: "P5", 2: "P2"}, deck="BLUE-12")).then(
        RoundOpened(
            round="R1",
            property="NORTH",
            table="T1",
            number=1,
            gaming_day="2026-05-04",
            game="fortune",
            sheet="fortune-cardroom@1",
            sheet_fingerprint=read_sheet(a_sheet()).fingerprint,
            dealer="D1",
            seats=(SeatTaken(2, "P2"), SeatTaken(5, "P5")),
            deck="BLUE-12",
        )
    )


def test_a_rounds_key_is_unique_in_the_ledger() -> None:
    house = a_house().given(open_round("R1"))
    house.when(open_round("R1", number=2, table="T2")).refused("round.exists")
    house.when(open_round("R2", number=2, table="T2")).accepted()


def test_a_table_with_an_unfinished_round_is_busy() -> None:
    house = a_house().given(open_round("R1"))
    assert "R1" in house.when(open_round("R2", number=2)).refused("table.busy")
    house.when(open_round("R3", table="T2")).accepted()
    house.given(void(round="R1")).when(open_round("R2", number=2)).accepted()


def test_a_settled_round_leaves_the_table_free() -> None:
    house = a_house().given(open_round("R1"), *played({5: {"main": 20_00}}, {5: WINS}))
    house.when(open_round("R2", number=2)).refused("table.busy")
    house.given(settle()).when(open_round("R2", number=2)).accepted()


def test_the_property_must_be_open() -> None:
    house = a_house()
    house.when(open_round(property="SOUTH")).refused("property.unknown")
    house.given(open_property("SOUTH")).when(open_round(property="SOUTH")).accepted()


def test_the_same_table_name_of_another_property_is_another_table() -> None:
    house = a_house().given(open_property("SOUTH"), open_round("R1"))
    house.when(open_round("R2", property="SOUTH")).accepted()


# The sheet


@pytest.mark.parametrize("ref", ["fortune-cardroom@2", "other@1"])
def test_the_sheet_must_be_published(ref: str) -> None:
    a_house().when(open_round(sheet=ref)).refused("sheet.unknown")


def test_the_sheet_must_be_of_the_game() -> None:
    a_house().when(open_round(game="pai_gow")).refused("sheet.other-game")
    a_house().when(open_round(game="fortune")).accepted()


@pytest.mark.parametrize(
    ("at", "code"),
    [
        ("2026-05-04T18:29:59.999-04:00", "sheet.not-effective"),
        ("2026-05-04T18:30:00-04:00", None),
        ("2026-05-04T22:30:00Z", None),
        ("2026-05-04T18:31:00-04:00", None),
    ],
)
def test_the_sheet_must_be_effective_at_the_rounds_time(at: str, code: str | None) -> None:
    house = a_house().given(publish(a_sheet(id="late"), effective_from="2026-05-04T18:30:00-04:00"))
    outcome = house.when(open_round(sheet="late@1", at=at))
    assert (outcome.refusal.code if outcome.refusal else None) == code


def test_an_older_version_stays_usable_after_a_newer_one_is_effective() -> None:
    house = a_house().given(publish(a_sheet(version=2)))
    assert house.when(open_round(sheet="fortune-cardroom@1")).one(RoundOpened).sheet == "fortune-cardroom@1"


# Seats


@pytest.mark.parametrize(("seat", "code"), [(1, None), (6, None), (7, "seat.unknown")])
def test_seats_are_one_to_positions(seat: int, code: str | None) -> None:
    outcome = a_house().when(open_round(seats={seat: "P1"}))
    assert (outcome.refusal.code if outcome.refusal else None) == code


def test_a_smaller_table_has_fewer_seats() -> None:
    house = a_house(sheet=a_sheet(positions=4))
    house.when(open_round(seats={5: "P1"})).refused("seat.unknown")
    house.when(open_round(seats={4: "P1"})).accepted()


@pytest.mark.parametrize(
    ("token", "seats", "allowed"),
    [
        ("any", (1, 6), True),
        ("any", (1, 2, 3), False),
        ("adjacent", (3, 4), True),
        ("adjacent", (3, 5), False),
        ("adjacent", (1, 6), False),
        ("adjacent", (1, 2, 3), False),
        ("no", (3, 4), False),
        ("no", (3,), True),
    ],
)
def test_two_hands_of_one_player_keep_to_the_sheets_token(token: str, seats: tuple[int, ...], allowed: bool) -> None:
    house = a_house(sheet=a_sheet(two_hands=token))
    others = {seat: f"P{seat}" for seat in range(1, 7)}
    outcome = house.when(open_round(seats=others | dict.fromkeys(seats, "X")))
    if allowed:
        outcome.accepted()
    else:
        assert outcome.refused("seat.two-hands").startswith("X holds seats")


# Numbers and gaming days


def finished(house: Table, round_: str, **keys: object) -> Table:
    return house.given(open_round(round_, **keys), void())  # type: ignore[arg-type]


def test_a_number_is_used_once_for_a_table_and_gaming_day() -> None:
    house = finished(a_house(), "R1", number=1)
    message = house.when(open_round("R2", number=1)).refused("round.number-used")
    assert "2026-05-04" in message
    house.when(open_round("R2", number=2)).accepted()
    house.when(open_round("R3", number=1, table="T2")).accepted()


def test_the_same_number_is_free_again_on_the_next_gaming_day() -> None:
    house = finished(a_house(), "R1", number=1)
    house.when(open_round("R2", number=1, at="2026-05-05T05:59:59-04:00")).refused("round.number-used")
    opened = house.when(open_round("R2", number=1, at="2026-05-05T06:00:00-04:00")).one(RoundOpened)
    assert opened.gaming_day == "2026-05-05"


def test_numbers_need_not_come_in_order() -> None:
    house = a_house()
    for number in (3, 1, 2, 9, 1_000_000_000):
        finished(house, f"R{number}", number=number)
    for number in (1, 2, 3, 9):
        house.when(open_round("AGAIN", number=number)).refused("round.number-used")
    house.when(open_round("AGAIN", number=4)).accepted()


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-05-04T06:00:00-04:00", "2026-05-04"),
        ("2026-05-04T05:59:59-04:00", "2026-05-03"),
        ("2026-05-04T10:00:00Z", "2026-05-04"),
        ("2026-11-01T05:59:59-05:00", "2026-10-31"),  # the clock was set back that night
        ("2026-11-01T06:00:00-05:00", "2026-11-01"),
    ],
)
def test_a_round_is_of_the_gaming_day_of_its_opening(at: str, day: str) -> None:
    house = a_house()
    house.given(publish(a_sheet(id="early"), effective_from="2020-01-01T00:00:00Z"))
    assert house.when(open_round(sheet="early@1", at=at)).one(RoundOpened).gaming_day == day


def test_the_gaming_day_is_the_propertys() -> None:
    house = a_house().given(open_property("WEST", zone="America/Los_Angeles", day_starts="04:00"))
    opened = house.when(open_round(property="WEST", at="2026-05-05T06:59:00-04:00")).one(RoundOpened)
    assert opened.gaming_day == "2026-05-04"  # 03:59 there
