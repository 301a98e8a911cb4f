"""Dealer tokes: seed 004, Dealer Tokes, and the rulings' words on them."""

from __future__ import annotations

import pytest

from domain.rounds.events import Totals, WagerPlaced
from domain.rounds.lines import line_id
from domain.rounds.state import Wager
from tests.domain.rounds.hands import LOSES, PUSHES, WINS
from tests.domain.rounds.table import (
    a_sheet,
    a_table,
    back,
    bank,
    close,
    place,
    played,
    settle,
    toke,
)


def test_seed_004_tokes_ride_on_the_original_wager_and_the_bonus() -> None:
    table = a_table().given(place(3, "main", 20_00), place(3, "fortune", 5_00))
    table.when(toke(3, "main", 5)).then(WagerPlaced(3, "P3", "main", 5, 5, toke=True))
    table.when(toke(3, "fortune", 4_00)).then(WagerPlaced(3, "P3", "fortune", 4_00, 4_00, toke=True))


@pytest.mark.parametrize("wager", ["main", "fortune"])
def test_a_toke_needs_the_players_own_wager_first(wager: str) -> None:
    table = a_table()
    if wager == "fortune":
        table.given(place(3, "main", 20_00))
    table.when(toke(3, wager, 1_00)).refused("wager.needs-main")
    table.given(place(3, wager, 20_00)).when(toke(3, wager, 1_00)).accepted()


@pytest.mark.parametrize(
    ("wager", "cents", "code"),
    [
        ("main", 100_00, None),
        ("main", 100_01, "wager.limit"),
        ("fortune", 4_00, None),
        ("fortune", 4_01, "wager.limit"),
    ],
)
def test_seed_004_tokes_a_tenth_of_the_limit_on_the_main_and_four_dollars_on_the_bonus(
    wager: str, cents: int, code: str | None
) -> None:
    table = a_table().given(place(3, "main", 20_00), place(3, "fortune", 5_00))
    outcome = table.when(toke(3, wager, cents))
    assert (outcome.refusal.code if outcome.refusal else None) == code


def test_a_tokes_limit_is_on_all_that_stands_of_it() -> None:
    table = a_table().given(place(3, "main", 20_00), place(3, "fortune", 5_00), toke(3, "fortune", 3_00))
    table.when(toke(3, "fortune", 1_01)).refused("wager.limit")
    table.when(toke(3, "fortune", 1_00)).then(WagerPlaced(3, "P3", "fortune", 1_00, 4_00, toke=True))


def test_a_toke_is_not_bound_by_the_minimum_and_not_counted_to_the_maximum() -> None:
    table = a_table().given(place(3, "main", 1000_00))
    table.when(toke(3, "main", 1)).accepted()
    table.when(toke(3, "main", 99_99)).accepted()


def test_a_sheet_without_a_limit_for_tokes_has_none() -> None:
    sheet = a_sheet(id="trial")
    del sheet["wagers"]["main"]["toke_max_cents"]
    table = a_table(sheet=sheet).given(place(3, "main", 20_00), place(3, "fortune", 5_00))
    table.when(toke(3, "main", 1_00)).refused("wager.not-offered")
    table.when(toke(3, "fortune", 1_00)).accepted()


def test_a_backer_gives_no_toke() -> None:
    table = a_table().given(place(3, "main", 20_00))
    table.when(back(3, "B1", 1_00, toke=True)).refused("wager.backer")


def test_seed_004_tokes_while_a_player_banks_ride_on_the_bonus_only() -> None:
    table = a_table().given(place(3, "main", 20_00), place(3, "fortune", 5_00), bank(2))
    table.when(toke(3, "main", 1_00)).refused("wager.main-toke-with-bank")
    table.when(toke(3, "fortune", 1_00)).accepted()
    table.given(place(2, "fortune", 5_00)).when(toke(2, "fortune", 1_00)).accepted()


def test_seed_004_tokes_on_a_main_keep_the_bank_from_being_taken() -> None:
    table = a_table().given(place(3, "main", 20_00), place(3, "fortune", 5_00), toke(3, "fortune", 1_00))
    table.given(toke(3, "main", 1_00)).when(bank(2)).refused("wager.main-toke-with-bank")


def test_seed_004_tokes_no_commission_on_a_winning_toke() -> None:
    orders = played({3: {"main": 20_00}}, {3: WINS}, further=[toke(3, "main", 50_00)])
    outcome = a_table().given(*orders).when(settle())
    outcome.lines(("3.main", "win", 20_00, 20_00, 1_00), ("3.main.toke", "win", 50_00, 50_00, 0))
    line = outcome.line("3.main.toke")
    assert (line.toke, line.player, line.bettor, line.paid_by) == (True, "P3", None, "house")


@pytest.mark.parametrize(("hand", "outcome", "back_cents"), [(PUSHES, "push", 50_00), (LOSES, "lose", 0)])
def test_a_tokes_outcome_is_the_wagers(hand: str, outcome: str, back_cents: int) -> None:
    orders = played({3: {"main": 20_00}}, {3: hand}, further=[toke(3, "main", 50_00)])
    line = a_table().given(*orders).when(settle()).line("3.main.toke")
    assert (line.outcome, line.won_cents, line.returned_cents) == (outcome, 0, back_cents)


def test_a_toke_on_the_bonus_is_paid_by_the_table_and_follows_its_wagers_line() -> None:
    orders = played(
        {3: {"main": 20_00, "fortune": 5_00}},
        {3: "8c 8d 8h 8s Ac Kd 3s"},
        further=[toke(3, "fortune", 4_00), toke(3, "main", 1_00)],
    )
    outcome = a_table().given(*orders).when(settle())
    assert [line.line_id for line in outcome.settled()] == ["3.main", "3.main.toke", "3.fortune", "3.fortune.toke"]
    line = outcome.line("3.fortune.toke")
    assert (line.won_cents, line.returned_cents, line.commission_cents) == (100_00, 4_00, 0)


def test_a_tokes_stake_leaves_the_player_and_what_comes_back_is_the_dealers() -> None:
    # The player wins 20.00 less 1.00 and stakes a toke of 50.00; the dealers have 100.00; the house pays 69.00.
    orders = played({3: {"main": 20_00}}, {3: WINS}, further=[toke(3, "main", 50_00)])
    totals = a_table().given(*orders).when(settle()).totals()
    assert totals == (-31_00 * 10_000, -69_00 * 10_000, 100_00 * 10_000, 0, 0)
    assert Totals(*totals).sum_micros == 0


def test_a_tokes_line_has_a_name_of_its_own() -> None:
    assert line_id(Wager(3, "main", toke=True)) == "3.main.toke"
    table = a_table().given(place(3, "main", 20_00), back(3, "toke", 5_00), toke(3, "main", 5_00), close())
    assert {line_id(wager) for wager in table.state().stakes} == {"3.main", "3.main.by.toke", "3.main.toke"}
