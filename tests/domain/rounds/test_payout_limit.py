"""The sheet's payout limit: the most that a seat's own lines and envy may win in a round, meter lines aside."""

from __future__ import annotations

import pytest

from tests.domain.rounds.hands import DEALER, LOSES, PLAIN, QUADS, WINS
from tests.domain.rounds.table import (
    Order,
    Outcome,
    a_level,
    a_sheet,
    a_table,
    back,
    bank,
    played,
    settle,
    shares,
    toke,
)

ALL = {"main": 100_00, "fortune": 5_00, "progressive": 1_00}
"""With four tens: 100 on the main, 125 on the bonus, 75 for 1, and 5 of envy for seat 5's quads: 305 dollars."""


def limited(limit: int, further: list[Order] | None = None) -> Outcome:
    """Seats 6 and 5 hold quads, under a payout limit."""
    sheet = a_sheet(id="trial", payout_limit_cents=limit)
    orders = played({6: ALL, 5: {"main": 10_00}}, {0: PLAIN, 6: QUADS[2], 5: QUADS[1]}, further=further or [])
    return a_table(sheet=sheet).given(*orders).when(settle())


def won(outcome: Outcome, seat: int = 6) -> dict[str, int]:
    return {line.line_id: line.won_cents for line in outcome.settled() if line.seat == seat}


def test_a_seat_below_its_limit_is_not_cut() -> None:
    outcome = limited(305_00)
    assert won(outcome) == {
        "6.main": 100_00,
        "6.fortune": 125_00,
        "6.progressive": 75_00,
        "6.envy.fortune.5": 5_00,
    }
    assert outcome.findings == []


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (302_00, {"6.main": 100_00, "6.fortune": 125_00, "6.progressive": 75_00, "6.envy.fortune.5": 2_00}),
        (300_00, {"6.main": 100_00, "6.fortune": 125_00, "6.progressive": 75_00}),
        (299_99, {"6.main": 100_00, "6.fortune": 125_00, "6.progressive": 74_99}),
        (225_00, {"6.main": 100_00, "6.fortune": 125_00, "6.progressive": 0}),
        (200_00, {"6.main": 100_00, "6.fortune": 100_00, "6.progressive": 0}),
        (50_00, {"6.main": 50_00, "6.fortune": 0, "6.progressive": 0}),
        (1, {"6.main": 1, "6.fortune": 0, "6.progressive": 0}),
    ],
)
def test_the_excess_is_cut_in_reverse_settling_order_envy_first(limit: int, expected: dict[str, int]) -> None:
    assert won(limited(limit)) == expected


def test_commission_is_on_what_is_left_of_the_win() -> None:
    assert limited(50_00).line("6.main").commission_cents == 2_50
    assert limited(1).line("6.main").commission_cents == 0


def test_the_stake_comes_back_whole_from_a_line_that_is_cut() -> None:
    line = limited(50_00).line("6.fortune")
    assert (line.outcome, line.odds, line.won_cents, line.returned_cents) == ("win", "25 to 1", 0, 5_00)


def test_every_line_that_is_cut_has_a_finding() -> None:
    outcome = limited(200_00)
    assert [line.line_id for line in outcome.settled() if line.findings] == ["6.main", "6.fortune", "6.progressive"]
    assert outcome.findings == [("payout.limited", 6)] * 3
    assert {finding.wager for finding in outcome.details} == {"envy", "fortune", "progressive"}


def test_an_envy_line_that_is_cut_away_leaves_its_finding_with_the_seats_first_line() -> None:
    outcome = limited(300_00)
    assert [line.line_id for line in outcome.settled() if line.findings] == ["6.main"]
    assert outcome.line("6.main").findings[0].wager == "envy"


def test_other_seats_are_not_cut() -> None:
    outcome = limited(50_00)
    assert outcome.line("5.main").won_cents == 10_00
    assert {seat for _, seat in outcome.findings} == {6}


def test_tokes_and_backers_neither_count_nor_are_cut() -> None:
    further = [toke(6, "main", 100_00), toke(6, "fortune", 4_00), back(6, "B1", 200_00)]
    outcome = limited(305_00, further)
    assert outcome.findings == []
    outcome = limited(50_00, further)
    assert outcome.line("6.main.toke").won_cents == 100_00
    assert outcome.line("6.fortune.toke").won_cents == 100_00
    assert outcome.line("6.main.by.B1").won_cents == 200_00
    # 5 % of the seat's 50.00 that are left and of the backer's 200.00.
    assert outcome.line("6.main").commission_cents == 2_50 + 10_00


def test_a_backer_who_sits_elsewhere_is_not_cut_there_for_what_he_backed() -> None:
    outcome = limited(50_00, [back(6, "P5", 200_00)])
    assert outcome.line("6.main.by.P5").won_cents == 200_00 and outcome.line("5.main").won_cents == 10_00


def test_meter_lines_neither_count_nor_are_cut() -> None:
    sheet = a_sheet(
        id="trial",
        payout_limit_cents=225_00,
        paytables={"trial": shares(("four_of_a_kind", 100, "major"))},
        wagers={"progressive": {"paytable": "trial"}},
    )
    orders = played({6: ALL}, {0: PLAIN, 6: QUADS[2]})
    outcome = a_table(sheet=sheet, levels=[a_level("major", 10_000_000_000, rate_bp=0)]).given(*orders).when(settle())
    assert won(outcome) == {"6.main": 100_00, "6.fortune": 125_00, "6.progressive": 10_000_00}
    assert outcome.findings == []


def test_the_bank_line_is_not_cut_and_pays_only_what_is_left_of_the_others_wins() -> None:
    sheet = a_sheet(id="trial", payout_limit_cents=20_00)
    orders = played({1: {"main": 50_00}}, {3: DEALER, 0: LOSES, 1: WINS}, banker=bank(3, house=5_00))
    a_table(sheet=sheet).given(*orders).when(settle()).lines(
        ("0.house", "lose", 0, 0, 0),
        ("1.main", "win", 20_00, 50_00, 1_00),
        ("3.bank", "lose", 0, 40_00, 0),
    )
    orders = played({1: {"main": 50_00}}, {3: WINS, 0: LOSES, 1: DEALER}, banker=bank(3, house=5_00))
    assert a_table(sheet=sheet).given(*orders).when(settle()).line("3.bank").won_cents == 55_00


def test_a_line_that_won_nothing_has_nothing_to_cut() -> None:
    sheet = a_sheet(id="trial", payout_limit_cents=60_00)
    outcome = a_table(sheet=sheet).given(*played({6: ALL}, {0: DEALER, 6: WINS})).when(settle())
    assert won(outcome) == {"6.main": 60_00, "6.fortune": 0, "6.progressive": 0}
    assert [line.line_id for line in outcome.settled() if line.findings] == ["6.main"]


def test_two_seats_of_one_player_have_a_limit_each() -> None:
    sheet = a_sheet(id="trial", payout_limit_cents=60_00)
    table = a_table(seats={6: "P1", 5: "P1"}, sheet=sheet)
    orders = played({6: {"main": 50_00}, 5: {"main": 50_00}}, {0: PLAIN, 6: QUADS[2], 5: QUADS[1]})
    outcome = table.given(*orders).when(settle())
    assert [line.won_cents for line in outcome.settled()] == [50_00, 50_00]


def test_a_cut_leaves_the_sum_at_zero() -> None:
    totals = limited(200_00).totals()
    assert sum(totals) == 0
    # Players: 95 and 9.50 of mains, 100 of bonus, less the progressive's dollar.
    assert totals[0] == (95_00 + 9_50 + 100_00 - 1_00) * 10_000
