"""Envy: seed 004, Envy Bonus and appendix 2, and R13."""

from __future__ import annotations

from typing import Any

import pytest

from tests.domain.rounds.hands import PLAIN, QUADS, WINS
from tests.domain.rounds.table import (
    Content,
    Outcome,
    a_sheet,
    a_table,
    back,
    bank,
    forfeit,
    played,
    settle,
    toke,
)

MAIN = {"main": 10_00}
FIVE = {"main": 10_00, "fortune": 5_00}
Envy = tuple[int, int | None, str | None, int]


def envy(outcome: Outcome) -> list[Envy]:
    """Payee, holder, kind and cents of each envy line, in order."""
    return [(line.seat, line.for_seat, line.kind, line.won_cents) for line in outcome.settled() if line.wager == "envy"]


def with_progressive_envy(**hands: int) -> Content:
    """A sheet whose progressive wager earns envy too."""
    return a_sheet(id="trial", envy_tables={"prog": hands}, wagers={"progressive": {"envy": "prog"}})


def test_seed_004_envy_pays_every_other_player_with_five_dollars_on_the_bonus() -> None:
    stakes = {6: FIVE, 5: FIVE, 4: {"main": 10_00, "fortune": 4_99}, 3: MAIN, 2: FIVE}
    outcome = a_table().given(*played(stakes, {0: PLAIN, 5: QUADS[0]})).when(settle())
    assert envy(outcome) == [(6, 5, "fortune", 5_00), (2, 5, "fortune", 5_00)]


def test_seed_004_envy_line_is_house_money_without_stake_or_commission() -> None:
    outcome = a_table().given(*played({6: FIVE, 5: FIVE}, {0: PLAIN, 5: QUADS[0]})).when(settle())
    line = outcome.line("6.envy.fortune.5")
    assert (line.player, line.stake_cents, line.won_cents, line.returned_cents) == ("P6", 0, 5_00, 0)
    assert (line.outcome, line.odds, line.paid_by, line.commission_cents) == ("win", "fixed", "house", 0)
    assert (line.ruling, line.hand, line.cite) == ("R13", "four_of_a_kind", "seed 004, Envy Bonus and appendix 2")


@pytest.mark.parametrize(
    ("hand", "cents"),
    [
        ("4d 5d 6d 7d 8d 9d Td", 1000_00),
        ("Ac Kc Qc Jc Tc Kd Qd", 750_00),
        ("4d 5d 6d 7d 8d Jk Td", 250_00),
        ("Ac Ad As Ah Jk Kc 5c", 100_00),
        ("Ac Kc Qc Jc Tc 5h 4h", 50_00),
        ("4d 5d 6d 7d 8d 9s 7c", 20_00),
        ("8c 8d 8h 8s Ac Kd 3s", 5_00),
        ("8c 8d 8h Ac Ad Kd 3s", 0),
    ],
)
def test_seed_004_appendix_2_each_envy_hand(hand: str, cents: int) -> None:
    orders = played({6: FIVE, 5: MAIN}, {0: "9h 7h 6h 3h 2c Qs Js", 5: hand})
    outcome = a_table().given(*orders).when(settle())
    assert [line[3] for line in envy(outcome)] == ([cents] if cents else [])


def test_R13_a_holder_needs_no_bonus_wager_of_his_own() -> None:
    outcome = a_table().given(*played({6: FIVE, 5: MAIN}, {0: PLAIN, 5: QUADS[0]})).when(settle())
    assert envy(outcome) == [(6, 5, "fortune", 5_00)]


def test_R13_two_holders_earn_envy_for_each_other_but_not_for_themselves() -> None:
    hands = {0: PLAIN, 5: QUADS[0], 4: QUADS[1]}
    outcome = a_table().given(*played({5: FIVE, 4: FIVE}, hands)).when(settle())
    assert envy(outcome) == [(5, 4, "fortune", 5_00), (4, 5, "fortune", 5_00)]


def test_R13_no_envy_for_a_hand_of_the_same_player() -> None:
    table = a_table(seats={6: "P1", 5: "P1", 4: "P4"})
    outcome = table.given(*played({6: FIVE, 5: FIVE, 4: FIVE}, {0: PLAIN, 5: QUADS[0]})).when(settle())
    assert envy(outcome) == [(4, 5, "fortune", 5_00)]


def test_R13_one_for_each_of_a_players_two_positions() -> None:
    table = a_table(seats={6: "P1", 5: "P5", 4: "P1"})
    outcome = table.given(*played({6: FIVE, 5: MAIN, 4: FIVE}, {0: PLAIN, 5: QUADS[0]})).when(settle())
    assert envy(outcome) == [(6, 5, "fortune", 5_00), (4, 5, "fortune", 5_00)]


def test_R13_no_envy_for_the_dealers_hand() -> None:
    outcome = a_table().given(*played({6: FIVE}, {0: QUADS[1], 6: WINS})).when(settle())
    assert envy(outcome) == []


def test_R13_no_envy_for_an_empty_spot_or_a_seat_that_sits_out() -> None:
    table = a_table(seats={6: "P6", 5: "P5"})
    outcome = table.given(*played({6: FIVE}, {0: PLAIN, 5: QUADS[0], 3: QUADS[1]})).when(settle())
    assert envy(outcome) == []


def test_R13_the_bankers_hand_earns_the_others_envy_and_he_earns_it_too() -> None:
    orders = played({6: FIVE, 5: {"fortune": 5_00}, 4: MAIN}, {0: PLAIN, 5: QUADS[0], 4: QUADS[1]}, banker=bank(5))
    outcome = a_table().given(*orders).when(settle())
    assert envy(outcome) == [(6, 5, "fortune", 5_00), (6, 4, "fortune", 5_00), (5, 4, "fortune", 5_00)]
    assert {line.paid_by for line in outcome.settled() if line.wager == "envy"} == {"house"}


def test_R13_payees_from_the_highest_seat_down_and_for_each_the_holders_likewise() -> None:
    stakes = {2: FIVE, 6: FIVE, 4: FIVE}
    hands = {0: PLAIN, 6: QUADS[0], 4: QUADS[1], 2: QUADS[2]}
    outcome = a_table().given(*played(stakes, hands)).when(settle())
    assert [line[:2] for line in envy(outcome)] == [(6, 4), (6, 2), (4, 6), (4, 2), (2, 6), (2, 4)]


def test_R13_a_fouled_hand_earns_the_others_envy() -> None:
    # A pair of eights low above a flush's remains: king high.
    hand, low = "4d 5d 6d 7d 8d 8c Kc", "8d 8c"
    orders = played({6: FIVE, 5: MAIN}, {0: "9h 7h 6h 3h 2c Qs Js", 5: hand}, lows={5: low})
    outcome = a_table().given(*orders).when(settle())
    assert outcome.line("5.main").cite == "seed 004, Irregularities: a foul hand loses"
    assert envy(outcome) == [(6, 5, "fortune", 20_00)]


def test_R23_a_forfeited_hand_earns_the_others_envy_and_a_forfeited_stake_still_counts() -> None:
    orders = played({6: FIVE, 5: FIVE}, {0: PLAIN, 5: QUADS[0], 6: QUADS[1]})
    table = a_table().given(*orders, forfeit(5, "main"), forfeit(6, "fortune"))
    assert envy(table.when(settle())) == [(6, 5, "fortune", 5_00), (5, 6, "fortune", 5_00)]


def test_R13_tokes_and_backers_earn_nothing_and_do_not_help_a_stake_to_the_minimum() -> None:
    stakes: dict[int, dict[str, int]] = {6: {"main": 10_00, "fortune": 4_00}, 5: MAIN, 3: FIVE}
    further = [toke(6, "fortune", 4_00), toke(3, "fortune", 4_00), back(3, "B1", 10_00)]
    outcome = a_table().given(*played(stakes, {0: PLAIN, 5: QUADS[0]}, further=further)).when(settle())
    assert envy(outcome) == [(3, 5, "fortune", 5_00)]


def test_R13_a_backer_of_the_holder_earns_envy_only_for_his_own_seat() -> None:
    orders = played({6: FIVE, 5: MAIN}, {0: PLAIN, 5: QUADS[0]}, further=[back(5, "P6", 10_00), back(5, "B1", 10_00)])
    assert envy(a_table().given(*orders).when(settle())) == [(6, 5, "fortune", 5_00)]


def test_R13_the_minimum_does_not_bind_the_progressive_wager() -> None:
    sheet = with_progressive_envy(four_of_a_kind=7_00)
    stakes: dict[int, dict[str, int]] = {6: {"main": 10_00, "progressive": 1_00}, 5: MAIN, 4: MAIN}
    outcome = a_table(sheet=sheet).given(*played(stakes, {0: PLAIN, 5: QUADS[0]})).when(settle())
    assert envy(outcome) == [(6, 5, "progressive", 7_00)]


def test_all_fortune_envy_comes_before_all_progressive_envy() -> None:
    sheet = with_progressive_envy(four_of_a_kind=7_00)
    both = FIVE | {"progressive": 1_00}
    orders = played({6: both, 5: both, 3: MAIN}, {0: PLAIN, 3: QUADS[0]})
    assert envy(a_table(sheet=sheet).given(*orders).when(settle())) == [
        (6, 3, "fortune", 5_00),
        (5, 3, "fortune", 5_00),
        (6, 3, "progressive", 7_00),
        (5, 3, "progressive", 7_00),
    ]


def test_the_envy_table_is_looked_up_in_the_ranking_of_the_wagers_paytable() -> None:
    # Quads without an envy line of their own still contain trips, for which this table has one.
    sheet = with_progressive_envy(three_of_a_kind=2_00, straight=9_00)
    stakes: dict[int, dict[str, int]] = {6: {"main": 10_00, "progressive": 1_00}, 5: MAIN}
    outcome = a_table(sheet=sheet).given(*played(stakes, {0: PLAIN, 5: QUADS[0]})).when(settle())
    assert envy(outcome) == [(6, 5, "progressive", 2_00)]


def test_a_sheet_without_an_envy_table_pays_none() -> None:
    content: dict[str, Any] = a_sheet(id="trial")
    del content["wagers"]["fortune"]["envy"]
    outcome = a_table(sheet=content).given(*played({6: FIVE, 5: MAIN}, {0: PLAIN, 5: QUADS[0]})).when(settle())
    assert envy(outcome) == []


@pytest.mark.parametrize(("minimum", "paid"), [(4_99, 1), (5_00, 1), (5_01, 0)])
def test_the_minimum_is_the_sheets(minimum: int, paid: int) -> None:
    sheet = a_sheet(id="trial", envy_minimum_cents=minimum)
    outcome = a_table(sheet=sheet).given(*played({6: FIVE, 5: MAIN}, {0: PLAIN, 5: QUADS[0]})).when(settle())
    assert len(envy(outcome)) == paid
