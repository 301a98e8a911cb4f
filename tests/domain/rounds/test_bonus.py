"""Fortune and progressive by the sheet's tables: seed 004, Bonus Hands and appendix 2; R11, R26, kinds of line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.domain.rounds.hands import DEALER
from tests.domain.rounds.table import Content, Outcome, a_sheet, a_table, played, settle

STRAIGHT = "4c 5d 6h 7c 8s Kd Kh"
TRIPS = "8c 8d 8h Ac Kd 5s 4s"
TRIPS_AND_STRAIGHT = "8c 8d 8h 7c 6d 5s 4s"


def fortune(hand: str, *, dealer: str = DEALER, low: str | None = None, sheet: Content | None = None) -> Outcome:
    lows = {} if low is None else {5: low}
    orders = played({5: {"main": 10_00, "fortune": 2_00}}, {0: dealer, 5: hand}, lows=lows)
    return a_table(sheet=sheet).given(*orders).when(settle())


@pytest.mark.parametrize(
    ("hand", "odds", "won"),
    [
        pytest.param("4d 5d 6d 7d 8d 9d Td", "2500 to 1", 5000_00, id="seven card straight flush"),
        pytest.param("Ah Kh Qh Jh Th Kc Qc", "1000 to 1", 2000_00, id="royal match"),
        pytest.param("4d 5d 6d 7d 8d Jk Td", "750 to 1", 1500_00, id="seven card straight flush with joker"),
        pytest.param("As Ac Ad Ah Jk Kc 5c", "250 to 1", 500_00, id="five aces"),
        pytest.param("Ah Kh Qh Jh Th 5c 4c", "125 to 1", 250_00, id="royal flush"),
        pytest.param("4d 5d 6d 7d 8d 9s 7c", "50 to 1", 100_00, id="straight flush"),
        pytest.param("8c 8d 8h 8s Ac Kd 3s", "25 to 1", 50_00, id="four of a kind"),
        pytest.param("8c 8d 8h Ac Ad Kd 3s", "5 to 1", 10_00, id="full house"),
        pytest.param("Ah Th 8h 5h 4h Kd Kc", "4 to 1", 8_00, id="flush"),
        pytest.param(TRIPS, "3 to 1", 6_00, id="three of a kind"),
        pytest.param(STRAIGHT, "2 to 1", 4_00, id="straight"),
        pytest.param("4d 5d 6c 7d 8d 9s Tc", "2 to 1", 4_00, id="seven in a row of three suits"),
        pytest.param("8c 8d Ac Ad Kd Kc 3s", None, 0, id="three pairs"),
        pytest.param("8c 8d Ac Ad Kd 4c 3s", None, 0, id="two pairs"),
    ],
)
def test_seed_004_appendix_2_each_bonus_hand(hand: str, odds: str | None, won: int) -> None:
    line = fortune(hand).line("5.fortune")
    assert (line.outcome, line.odds, line.won_cents) == ("win" if odds else "lose", odds, won)
    assert (line.returned_cents, line.commission_cents) == (2_00 if odds else 0, 0)


def test_R11_a_straight_pays_because_the_table_has_it() -> None:
    line = fortune(STRAIGHT).line("5.fortune")
    assert (line.outcome, line.ruling, line.hand) == ("win", "R11", "straight")
    assert fortune(TRIPS).line("5.fortune").ruling is None


def test_seed_004_bonus_three_of_a_kind_pays_before_a_straight() -> None:
    line = fortune(TRIPS_AND_STRAIGHT).line("5.fortune")
    assert (line.hand, line.odds) == ("three_of_a_kind", "3 to 1")


def test_seed_004_bonus_however_the_hand_is_set() -> None:
    assert fortune("8c 8d 8h 8s Ac Kd 3s", low="8c 8d").line("5.fortune").odds == "25 to 1"


def test_seed_004_bonus_of_a_foul_hand_pays() -> None:
    outcome = fortune(TRIPS, low="8c 8d")
    outcome.lines(("5.main", "lose", 0, 0, 0), ("5.fortune", "win", 6_00, 2_00, 0))


def test_the_table_pays_the_first_class_that_it_has_a_line_for() -> None:
    # Without a line for quads the cards still contain a full house only where they hold a pair: here trips.
    lines = [{"hand": "full_house", "kind": "to_1", "n": 9}, {"hand": "three_of_a_kind", "kind": "to_1", "n": 4}]
    sheet = a_sheet(id="trial", paytables={"few": lines}, wagers={"fortune": {"paytable": "few"}})
    assert fortune("8c 8d 8h 8s Ac Kd 3s", sheet=sheet).line("5.fortune").odds == "4 to 1"
    assert fortune("8c 8d 8h 8s Ac Ad 3s", sheet=sheet).line("5.fortune").odds == "9 to 1"


@pytest.mark.parametrize(
    ("line", "outcome", "odds", "won", "returned"),
    [
        ({"kind": "to_1", "n": 7}, "win", "7 to 1", 14_00, 2_00),
        ({"kind": "to_1", "n": 0}, "push", None, 0, 2_00),
        ({"kind": "for_1", "n": 7}, "win", "7 for 1", 14_00, 0),
        ({"kind": "fixed", "cents": 33_33}, "win", "fixed", 33_33, 0),
    ],
)
def test_sheet_format_every_kind_of_line(
    line: dict[str, Any], outcome: str, odds: str | None, won: int, returned: int
) -> None:
    sheet = a_sheet(
        id="trial",
        paytables={"one": [{"hand": "three_of_a_kind", **line}]},
        wagers={"fortune": {"paytable": "one"}},
    )
    settled = fortune(TRIPS, sheet=sheet).line("5.fortune")
    assert (settled.outcome, settled.odds) == (outcome, odds)
    assert (settled.won_cents, settled.returned_cents) == (won, returned)


def test_R26_the_joker_may_stand_in_the_royal_flush_of_a_royal_match() -> None:
    assert fortune("Ah Kh Qh Jk Th Kc Qc").line("5.fortune").odds == "1000 to 1"


def test_R26_the_joker_may_not_stand_in_the_king_and_queen() -> None:
    assert fortune("Ah Kh Qh Jh Th Kc Jk").line("5.fortune").odds == "125 to 1"


def test_seed_004_bonus_is_settled_whatever_becomes_of_the_main_wager() -> None:
    # A full house against quads and K-K low: the main loses, the bonus pays.
    outcome = fortune("8c 8d 8h 3c 3d Jd 9s", dealer="Tc Td Th Ts Kc Kd 2c")
    outcome.lines(("5.main", "lose", 0, 0, 0), ("5.fortune", "win", 10_00, 2_00, 0))


def test_a_progressive_by_odds_is_house_money_and_keeps_the_stake() -> None:
    orders = played({5: {"main": 10_00, "progressive": 1_00}}, {5: "8c 8d 8h 8s Ac Kd 3s"})
    outcome = a_table().given(*orders).when(settle())
    line = outcome.line("5.progressive")
    assert (line.odds, line.won_cents, line.returned_cents, line.paid_by, line.hit) == (
        "75 for 1",
        75_00,
        0,
        "house",
        None,
    )
    assert line.cite == "sheet fortune-cardroom@1, paytable SAMPLE-PROG-7"
