"""Commission: seed 004, Commission, and its rounding (R12)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.domain.rounds.hands import LOSES, PUSHES, WINS
from tests.domain.rounds.table import a_sheet, a_table, played, settle


def commission_on(cents: int, rounding: str | None = "half_up", *, hand: str = WINS, bp: int = 500) -> int:
    changes: dict[str, Any] = {"commission": {"bp": bp, "rounding": rounding}} if rounding else {}
    sheet = a_sheet(
        wagers={"main": {"min_cents": 1}}, without=() if rounding else ("commission",), id="trial", **changes
    )
    outcome = a_table(sheet=sheet).given(*played({5: {"main": cents}}, {5: hand})).when(settle())
    return outcome.line("5.main").commission_cents


@pytest.mark.parametrize(
    ("won", "taken"),
    [(1, 0), (9, 0), (10, 1), (29, 1), (30, 2), (5_00, 25), (6_00, 30), (11_00, 55), (20_00, 1_00), (50_01, 2_50)],
)
def test_R12_half_up_rounds_each_wager_to_the_cent(won: int, taken: int) -> None:
    assert commission_on(won) == taken


@pytest.mark.parametrize(
    ("won", "taken"), [(1, 25), (4_99, 25), (5_00, 25), (5_01, 50), (6_00, 50), (11_00, 75), (20_00, 1_00)]
)
def test_R12_up_to_quarter_goes_up_to_the_next_quarter_and_an_exact_quarter_stays(won: int, taken: int) -> None:
    assert commission_on(won, "up_to_quarter") == taken


@pytest.mark.parametrize("hand", [PUSHES, LOSES], ids=["push", "lose"])
@pytest.mark.parametrize("rounding", ["half_up", "up_to_quarter"])
def test_seed_004_commission_is_on_winning_wagers_only(hand: str, rounding: str) -> None:
    assert commission_on(50_00, rounding, hand=hand) == 0


def test_a_sheet_without_commission_takes_none() -> None:
    assert commission_on(50_00, None) == 0


def test_the_rate_is_the_sheets() -> None:
    assert commission_on(50_00, bp=250) == 1_25
    assert commission_on(50_00, bp=0) == 0


def test_seed_004_commission_none_on_bonus_and_progressive() -> None:
    # Seat 5 holds four of a kind: 25 to 1 and 75 for 1 without commission.
    orders = played(
        {5: {"main": 50_00, "fortune": 5_00, "progressive": 1_00}},
        {0: "Qs Jd 9c 7h 6s 3d 2c", 5: "8c 8d 8h 8s Ac Kd 3s"},
    )
    a_table().given(*orders).when(settle()).lines(
        ("5.main", "win", 50_00, 50_00, 2_50),
        ("5.fortune", "win", 125_00, 5_00, 0),
        ("5.progressive", "win", 75_00, 0, 0),
    )
