"""Placing and withdrawing a seat's own wagers, and no more bets (the contract's Phases, Wagers)."""

from __future__ import annotations

import pytest

from domain.rounds.events import BettingClosed, WagerPlaced, WagerWithdrawn
from tests.domain.rounds.table import (
    a_house,
    a_level,
    a_sheet,
    a_table,
    back,
    bank,
    close,
    open_meter,
    open_property,
    open_round,
    place,
    played,
    publish,
    settle,
    toke,
    void,
    withdraw,
)


def test_a_wager_is_placed_with_its_owner_and_the_sum_that_stands() -> None:
    a_table().when(place(3, "main", 20_00)).then(WagerPlaced(3, "P3", "main", 20_00, 20_00))


def test_placing_again_adds_to_what_stands() -> None:
    table = a_table().given(place(3, "main", 20_00))
    table.when(place(3, "main", 5_00)).then(WagerPlaced(3, "P3", "main", 5_00, 25_00))


def test_wagers_of_two_seats_of_one_player_are_two_wagers() -> None:
    table = a_table(seats={2: "P1", 5: "P1"}).given(place(2, "main", 20_00))
    table.when(place(5, "main", 30_00)).then(WagerPlaced(5, "P1", "main", 30_00, 30_00))


@pytest.mark.parametrize("wager", ["tiger_9", "ante", "house", "bank", "envy", "Main", "double_down"])
def test_a_wager_that_is_not_on_the_sheet_is_not_offered(wager: str) -> None:
    message = a_table().given(place(3, "main", 20_00)).when(place(3, wager, 10_00)).refused("wager.not-offered")
    assert "main, fortune, progressive" in message


def test_a_wager_of_the_game_that_the_sheet_lacks_is_not_offered() -> None:
    sheet = a_sheet(id="trial")
    del sheet["wagers"]["fortune"]
    table = a_table(sheet=sheet).given(place(3, "main", 20_00))
    table.when(place(3, "fortune", 5_00)).refused("wager.not-offered")


def test_nobody_wagers_on_an_empty_seat() -> None:
    table = a_table(seats={2: "P2"})
    assert "seats taken: 2" in table.when(place(3, "main", 20_00)).refused("seat.empty")
    table.when(withdraw(3, "main", 20_00)).refused("seat.empty")
    table.when(bank(3)).refused("seat.empty")


# Limits


@pytest.mark.parametrize(
    ("wager", "cents", "code"),
    [
        ("main", 4_99, "wager.limit"),
        ("main", 5_00, None),
        ("main", 1000_00, None),
        ("main", 1000_01, "wager.limit"),
        ("fortune", 99, "wager.limit"),
        ("fortune", 1_00, None),
        ("fortune", 100_00, None),
        ("fortune", 100_01, "wager.limit"),
        ("progressive", 99, "wager.limit"),
        ("progressive", 1_00, None),
        ("progressive", 1_01, "wager.limit"),
    ],
)
def test_a_wager_keeps_to_the_sheets_limits(wager: str, cents: int, code: str | None) -> None:
    table = a_table() if wager == "main" else a_table().given(place(3, "main", 5_00))
    outcome = table.when(place(3, wager, cents))
    assert (outcome.refusal.code if outcome.refusal else None) == code


def test_the_limit_is_on_what_stands_not_on_what_is_added() -> None:
    table = a_table().given(place(3, "main", 900_00))
    message = table.when(place(3, "main", 100_01)).refused("wager.limit")
    assert "$1,000.01" in message and "place $100.00 or less" in message
    table.given(place(3, "main", 100_00))
    assert "place $0.00 or less" in table.when(place(3, "main", 5_00)).refused("wager.limit")


def test_an_addition_may_be_below_the_minimum() -> None:
    a_table().given(place(3, "main", 5_00)).when(place(3, "main", 1)).accepted()


# Optional wagers need the main


@pytest.mark.parametrize("wager", ["fortune", "progressive"])
def test_an_optional_wager_needs_the_seats_main_first(wager: str) -> None:
    table = a_table().given(place(2, "main", 5_00))
    table.when(place(3, wager, 1_00)).refused("wager.needs-main")
    table.given(place(3, "main", 5_00)).when(place(3, wager, 1_00)).accepted()


def test_the_main_of_the_same_players_other_seat_does_not_do() -> None:
    table = a_table(seats={2: "P1", 3: "P1"}).given(place(2, "main", 5_00))
    table.when(place(3, "fortune", 1_00)).refused("wager.needs-main")


# Withdrawing


def test_a_wager_is_withdrawn_whole_or_down_to_the_minimum() -> None:
    table = a_table().given(place(3, "main", 20_00))
    table.when(withdraw(3, "main", 15_01)).refused("wager.limit")
    table.when(withdraw(3, "main", 15_00)).then(WagerWithdrawn(3, "P3", "main", 15_00, 5_00))
    table.when(withdraw(3, "main", 5_00)).then(WagerWithdrawn(3, "P3", "main", 5_00, 0))
    table.when(withdraw(3, "main", 1)).refused("wager.none")


def test_at_most_what_stands_is_withdrawn() -> None:
    table = a_table().given(place(3, "main", 20_00))
    assert "$20.00 on it; $20.01" in table.when(withdraw(3, "main", 20_01)).refused("wager.none")


@pytest.mark.parametrize("wager", ["fortune", "tiger_9"])
def test_a_wager_that_does_not_stand_is_not_withdrawn(wager: str) -> None:
    a_table().given(place(3, "main", 20_00)).when(withdraw(3, wager, 1_00)).refused("wager.none")


@pytest.mark.parametrize("wager", ["fortune", "progressive"])
def test_a_main_is_not_withdrawn_from_under_an_optional_wager(wager: str) -> None:
    table = a_table().given(place(3, "main", 20_00), place(3, wager, 1_00))
    assert wager in table.when(withdraw(3, "main", 20_00)).refused("wager.needs-main")
    table.when(withdraw(3, "main", 15_00)).accepted()
    table.given(withdraw(3, wager, 1_00)).when(withdraw(3, "main", 5_00)).accepted()


def test_another_seats_wagers_hold_nothing_back() -> None:
    table = a_table().given(place(3, "main", 20_00), place(2, "main", 20_00), place(2, "fortune", 1_00))
    table.when(withdraw(3, "main", 20_00)).accepted()


def test_a_wager_is_not_withdrawn_from_under_a_toke() -> None:
    table = a_table().given(place(3, "main", 20_00), place(3, "fortune", 5_00), toke(3, "fortune", 4_00))
    table.when(withdraw(3, "fortune", 5_00)).refused("wager.needs-main")
    table.when(withdraw(3, "fortune", 4_00)).accepted()
    table.given(withdraw(3, "fortune", 4_00, toke=True)).when(withdraw(3, "fortune", 1_00)).accepted()


def test_a_main_is_not_withdrawn_from_under_a_backer() -> None:
    table = a_table().given(place(3, "main", 20_00), back(3, "B1", 5_00))
    assert "B1's wager" in table.when(withdraw(3, "main", 20_00)).refused("wager.needs-main")
    table.given(withdraw(3, "main", 5_00, bettor="B1")).when(withdraw(3, "main", 20_00)).accepted()


def test_withdrawing_names_the_wager_by_its_bettor_and_toke() -> None:
    table = a_table().given(place(3, "main", 20_00), back(3, "B1", 5_00), toke(3, "main", 6_00))
    table.when(withdraw(3, "main", 1_00, bettor="B2")).refused("wager.none")
    table.when(withdraw(3, "main", 5_00, bettor="B1")).then(WagerWithdrawn(3, "B1", "main", 5_00, 0, bettor="B1"))
    table.when(withdraw(3, "main", 6_00, toke=True)).then(WagerWithdrawn(3, "P3", "main", 6_00, 0, toke=True))


def test_a_toke_or_a_backers_wager_may_be_left_below_the_minimum() -> None:
    table = a_table().given(place(3, "main", 20_00), back(3, "B1", 5_00), toke(3, "main", 6_00))
    table.when(withdraw(3, "main", 4_99, bettor="B1")).accepted()
    table.when(withdraw(3, "main", 5_99, toke=True)).accepted()


def test_a_withdrawn_wager_may_be_placed_again() -> None:
    table = a_table().given(place(3, "main", 20_00), withdraw(3, "main", 20_00))
    table.when(place(3, "main", 5_00)).then(WagerPlaced(3, "P3", "main", 5_00, 5_00))


# The progressive's meter


def test_a_progressive_wager_needs_an_open_meter() -> None:
    sheet = a_sheet(id="trial", wagers={"progressive": {"meter": "OTHER"}})
    table = a_table(sheet=sheet).given(place(3, "main", 5_00))
    refusal = table.when(place(3, "progressive", 1_00)).refusal
    assert refusal is not None and (refusal.code, refusal.retry) == ("meter.not-open", True)
    table.given(open_meter(meter="OTHER")).when(place(3, "progressive", 1_00)).accepted()


@pytest.mark.parametrize(
    ("at", "code"),
    [
        ("2026-05-04T18:29:59-04:00", "meter.not-open"),
        ("2026-05-04T15:30:00-07:00", None),
        ("2026-05-04T18:30:01-04:00", None),
    ],
)
def test_a_progressive_wager_needs_a_meter_effective_at_its_time(at: str, code: str | None) -> None:
    sheet = a_sheet(id="trial", wagers={"progressive": {"meter": "LATE"}})
    table = a_table(sheet=sheet).given(
        open_meter(meter="LATE", effective_from="2026-05-04T18:30:00-04:00"), place(3, "main", 5_00)
    )
    outcome = table.when(place(3, "progressive", 1_00, at=at))
    assert (outcome.refusal.code if outcome.refusal else None) == code


def test_a_progressive_wager_needs_a_meter_of_the_rounds_property() -> None:
    house = a_house().given(open_property("SOUTH"))
    table = house.given(open_round(property="SOUTH"), place(3, "main", 5_00))
    assert "belongs to property NORTH" in table.when(place(3, "progressive", 1_00)).refused("meter.not-open")


def test_a_progressive_wager_needs_every_level_that_its_table_pays_from() -> None:
    table = a_table(levels=[a_level("major", 10_000_000_000)]).given(place(3, "main", 5_00))
    assert "no level minor" in table.when(place(3, "progressive", 1_00)).refused("meter.not-open")


def test_a_sheet_may_name_a_meter_that_is_not_open_while_nobody_wagers_on_it() -> None:
    sheet = a_sheet(id="trial", wagers={"progressive": {"meter": "NOT-YET"}})
    a_table(sheet=sheet).given(place(3, "main", 5_00)).when(close()).accepted()


def test_a_toke_on_the_progressive_is_not_offered() -> None:
    table = a_table().given(place(3, "main", 5_00), place(3, "progressive", 1_00))
    table.when(toke(3, "progressive", 1_00)).refused("wager.not-offered")


# No more bets


def test_no_more_bets_records_what_stands_on_the_layout() -> None:
    table = a_table().given(place(3, "main", 20_00), back(3, "B1", 5_00), toke(3, "main", 6_00))
    table.when(close()).then(BettingClosed(31_00, 0))


def test_a_round_may_be_closed_without_any_wager() -> None:
    a_table().when(close()).then(BettingClosed(0, 0))


def test_a_round_is_played_under_the_sheet_that_it_pinned_whatever_is_published_later() -> None:
    table = a_table().given(publish(a_sheet(version=2, wagers={"main": {"min_cents": 50_00}})))
    table.when(place(3, "main", 5_00)).accepted()


# Sums that a store can hold

TRILLION = 10**12


def test_amounts_up_to_the_contracts_largest_are_settled_and_voided() -> None:
    limits = {"max_cents": TRILLION, "toke_max_cents": TRILLION}
    sheet = a_sheet(id="trial", wagers={"main": limits, "fortune": limits})
    stakes = {seat: {"main": TRILLION, "fortune": 4_000_000_000} for seat in range(1, 7)}
    further = [toke(seat, "fortune", 4_000_000_000) for seat in stakes]
    hands = {6: "4d 5d 6d 7d 8d 9d Td", 5: "Ac Kc Qc Jc Tc Kh Qh"}
    outcome = a_table(sheet=sheet).given(*played(stakes, hands, further=further)).when(settle())
    assert outcome.line("6.fortune").won_cents == 10**13
    assert max(map(abs, outcome.totals())) < 2**63
    outcome.table.when(void()).accepted()


def test_a_wager_that_could_win_more_than_can_be_accounted_for_is_above_the_limit() -> None:
    limits = {"max_cents": TRILLION, "toke_max_cents": TRILLION}
    table = a_table(sheet=a_sheet(id="trial", wagers={"fortune": limits})).given(place(5, "main", 5_00))
    assert "2500 times" in table.when(place(5, "fortune", 4_000_000_001)).refused("wager.limit")
    table.given(place(5, "fortune", 4_000_000_000)).when(place(5, "fortune", 1)).refused("wager.limit")
    table.when(toke(5, "fortune", 4_000_000_001)).refused("wager.limit")
    table.when(toke(5, "fortune", 4_000_000_000)).accepted()
