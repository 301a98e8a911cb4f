"""Backers: seed 004, Players Playing on Another Players Hand, and the rulings' words on them."""

from __future__ import annotations

import pytest

from domain.rounds.events import WagerPlaced
from tests.domain.rounds.hands import LOSES, PUSHES, WINS
from tests.domain.rounds.table import a_sheet, a_table, back, place, played, settle, toke


def test_seed_004_a_player_may_bet_on_another_players_hand() -> None:
    table = a_table().given(place(3, "main", 20_00))
    table.when(back(3, "B1", 5_00)).then(WagerPlaced(3, "B1", "main", 5_00, 5_00, bettor="B1"))
    table.when(back(3, "B1", 5_00)).then(WagerPlaced(3, "B1", "main", 5_00, 10_00, bettor="B1"))
    table.when(back(3, "P4", 5_00)).then(WagerPlaced(3, "P4", "main", 5_00, 5_00, bettor="P4"))


def test_a_backer_comes_after_the_seats_own_main() -> None:
    table = a_table()
    table.when(back(3, "B1", 5_00)).refused("wager.needs-main")
    table.given(place(3, "main", 20_00)).when(back(3, "B1", 5_00)).accepted()


@pytest.mark.parametrize("wager", ["fortune", "progressive"])
def test_a_backer_backs_only_the_main(wager: str) -> None:
    table = a_table().given(place(3, "main", 20_00), place(3, wager, 1_00))
    table.when(place(3, wager, 1_00, bettor="B1")).refused("wager.backer")


def test_a_backer_is_not_the_seats_own_player() -> None:
    table = a_table(seats={3: "P3", 4: "P4"}).given(place(3, "main", 20_00))
    table.when(back(3, "P3", 5_00)).refused("wager.backer")
    table.when(back(3, "P4", 5_00)).accepted()


def test_seed_004_the_total_of_all_wagers_cannot_exceed_the_table_maximum() -> None:
    table = a_table().given(place(3, "main", 600_00), back(3, "B1", 300_00), toke(3, "main", 100_00))
    assert "place $100.00 or less" in table.when(back(3, "B2", 100_01)).refused("wager.limit")
    table.when(place(3, "main", 100_01)).refused("wager.limit")
    table.given(back(3, "B2", 99_99)).when(place(3, "main", 2)).refused("wager.limit")
    table.when(place(3, "main", 1)).accepted()


def test_the_minimum_does_not_bind_a_backer() -> None:
    a_table().given(place(3, "main", 20_00)).when(back(3, "B1", 1)).accepted()


def test_seed_004_the_original_bettor_owes_all_commissions_rounded_for_each_wager() -> None:
    # 5 % of 0.30 is 1.5 cents each: 2 + 2 on the seat's own line, where one sum of 20.60 would give 103.
    further = [back(3, "B1", 30), back(3, "B2", 30)]
    outcome = a_table().given(*played({3: {"main": 20_00}}, {3: WINS}, further=further)).when(settle())
    outcome.lines(
        ("3.main", "win", 20_00, 20_00, 1_04),
        ("3.main.by.B1", "win", 30, 30, 0),
        ("3.main.by.B2", "win", 30, 30, 0),
    )
    line = outcome.line("3.main.by.B1")
    assert (line.player, line.bettor, line.seat, line.toke) == ("B1", "B1", 3, False)


def test_seed_004_commissions_of_backers_by_the_quarter_are_rounded_for_each_wager() -> None:
    sheet = a_sheet(id="trial", commission={"bp": 500, "rounding": "up_to_quarter"})
    orders = played({3: {"main": 20_00}}, {3: WINS}, further=[back(3, "B1", 30), back(3, "B2", 5_00)])
    line = a_table(sheet=sheet).given(*orders).when(settle()).line("3.main")
    assert line.commission_cents == 1_00 + 25 + 25


@pytest.mark.parametrize(("hand", "outcome", "back_cents"), [(PUSHES, "push", 30_00), (LOSES, "lose", 0)])
def test_a_backers_outcome_is_the_hands(hand: str, outcome: str, back_cents: int) -> None:
    orders = played({3: {"main": 20_00}}, {3: hand}, further=[back(3, "B1", 30_00)])
    settled = a_table().given(*orders).when(settle())
    line = settled.line("3.main.by.B1")
    assert (line.outcome, line.won_cents, line.returned_cents) == (outcome, 0, back_cents)
    assert settled.line("3.main").commission_cents == 0


def test_a_backer_earns_no_bonus_of_the_hand() -> None:
    orders = played(
        {3: {"main": 20_00, "fortune": 5_00}},
        {0: "Qs Jd 9c 7h 6s 3d 2c", 3: "8c 8d 8h 8s Ac Kd 3s"},
        further=[back(3, "B1", 30_00)],
    )
    lines = a_table().given(*orders).when(settle()).settled()
    assert [line.wager for line in lines if line.player == "B1"] == ["main"]


def test_a_seats_lines_come_in_order_own_then_toke_then_backers_as_they_came() -> None:
    further = [back(3, "B2", 1_00), back(3, "B1", 1_00), toke(3, "main", 1_00)]
    orders = played({3: {"main": 20_00, "fortune": 5_00}}, {3: "8c 8d 8h 8s Ac Kd 3s"}, further=further)
    lines = a_table().given(*orders).when(settle()).settled()
    expected = ["3.main", "3.main.toke", "3.main.by.B2", "3.main.by.B1", "3.fortune"]
    assert [line.line_id for line in lines] == expected
