"""A player banks: seed 004, Paying and Taking: Player Banker, and the contract's `house` and `bank` lines."""

from __future__ import annotations

import pytest

from domain.rounds.events import BankTaken, HandReset, ReturnedWager, RoundSettled, RoundVoided
from tests.domain.rounds.hands import COPIES, DEALER, LOSES, PLAIN, PUSHES, QUADS, WINS, WINS_TOO
from tests.domain.rounds.table import (
    Outcome,
    a_sheet,
    a_table,
    back,
    bank,
    close,
    forfeit,
    house_way,
    place,
    played,
    set_low,
    settle,
    toke,
    void,
    withdraw,
)

BANKER = DEALER
"""The banker holds Q-7-6-3-2 and J-9, so the hands by name do against him what they do against the dealer."""


def main(cents: int) -> dict[str, int]:
    return {"main": cents}


def banked(stakes: dict[int, dict[str, int]], hands: dict[int, str], *, house: int = 10_00) -> Outcome:
    """A round that seat 3 banks with BANKER; `hands` has the house's at 0."""
    return a_table().given(*played(stakes, {3: BANKER, **hands}, banker=bank(3, house=house))).when(settle())


# Taking the bank


def test_seed_004_player_banker_is_told_how_much_is_at_risk() -> None:
    table = a_table().given(place(1, "main", 20_00), place(2, "main", 30_00), back(1, "B1", 5_00))
    table.when(bank(3, chips=65_00, house=5_00)).then(BankTaken(3, "P3", 65_00, 5_00, 60_00))


def test_seed_004_player_banker_must_cover_all_wagers() -> None:
    table = a_table().given(place(1, "main", 20_00), place(2, "main", 30_00))
    message = table.when(bank(3, chips=59_99, house=10_00)).refused("bank.uncovered")
    assert "$59.99 for $60.00" in message and "buy in for $0.01 more" in message
    table.when(bank(3, chips=60_00, house=10_00)).accepted()


def test_bonus_wagers_and_their_tokes_are_the_houses_risk_not_the_bankers() -> None:
    table = a_table().given(place(1, "main", 20_00), place(1, "fortune", 100_00), toke(1, "fortune", 4_00))
    table.when(bank(3, chips=30_00, house=10_00)).accepted()


def test_a_later_main_or_backer_that_would_exceed_the_chips_is_refused() -> None:
    table = a_table().given(place(1, "main", 20_00), bank(3, chips=60_00, house=10_00))
    assert "place $30.00 or less" in table.when(place(2, "main", 30_01)).refused("bank.uncovered")
    table.given(place(2, "main", 20_00)).when(back(2, "B1", 10_01)).refused("bank.uncovered")
    table.given(back(2, "B1", 10_00)).when(place(1, "main", 1)).refused("bank.uncovered")
    table.when(place(1, "fortune", 100_00)).accepted()


def test_a_withdrawn_main_makes_room_for_another() -> None:
    table = a_table().given(place(1, "main", 20_00), bank(3, chips=30_00, house=10_00))
    table.when(place(2, "main", 5_00)).refused("bank.uncovered")
    table.given(withdraw(1, "main", 5_00)).when(place(2, "main", 5_00)).accepted()


def test_a_sheet_without_player_bank_has_none() -> None:
    a_table(sheet=a_sheet(id="trial", player_bank=False)).when(bank(3)).refused("bank.refused")


def test_the_bank_is_taken_once() -> None:
    table = a_table().given(bank(3))
    table.when(bank(4)).refused("bank.refused")
    table.when(bank(3)).refused("bank.refused")


def test_a_seat_with_a_main_does_not_take_the_bank() -> None:
    table = a_table().given(place(3, "main", 20_00))
    table.when(bank(3)).refused("bank.refused")
    table.given(withdraw(3, "main", 20_00)).when(bank(3)).accepted()


def test_the_banker_places_no_main_and_nobody_backs_him() -> None:
    table = a_table().given(bank(3))
    table.when(place(3, "main", 20_00)).refused("bank.refused")
    table.when(back(3, "B1", 20_00)).refused("wager.needs-main")


@pytest.mark.parametrize("wager", ["fortune", "progressive"])
def test_the_banker_holds_optional_wagers_without_a_main(wager: str) -> None:
    table = a_table()
    table.when(place(3, wager, 1_00)).refused("wager.needs-main")
    table.given(bank(3)).when(place(3, wager, 1_00)).accepted()


def test_the_bank_is_taken_before_no_more_bets() -> None:
    a_table().given(close()).when(bank(3)).refused("command.out-of-phase")


# Paying and taking


def test_seed_004_player_banker_surplus_is_his_less_commission_on_the_net() -> None:
    # The house loses 10, seat 1 loses 20, seat 2 wins 15, seat 4 pushes 25: L 30, W 15, at risk 70.
    outcome = banked({1: main(20_00), 2: main(15_00), 4: main(25_00)}, {0: LOSES, 1: COPIES, 2: WINS, 4: PUSHES})
    outcome.lines(
        ("0.house", "lose", 0, 0, 0),
        ("4.main", "push", 0, 25_00, 0),
        ("2.main", "win", 15_00, 15_00, 75),
        ("1.main", "lose", 0, 0, 0),
        ("3.bank", "win", 15_00, 70_00, 75),
    )
    line = outcome.line("3.bank")
    assert (line.player, line.stake_cents, line.net_cents, line.paid_by, line.odds) == (
        "P3",
        70_00,
        14_25,
        "bank",
        None,
    )


def test_seed_004_player_banker_shortage_is_paid_by_the_banker() -> None:
    # The house wins 10, seat 2 wins 15, seat 1 loses 5: L 5, W 25, at risk 30.
    outcome = banked({1: main(5_00), 2: main(15_00)}, {0: WINS_TOO, 1: LOSES, 2: WINS})
    outcome.lines(
        ("0.house", "win", 10_00, 10_00, 0),
        ("2.main", "win", 15_00, 15_00, 75),
        ("1.main", "lose", 0, 0, 0),
        ("3.bank", "lose", 0, 10_00, 0),
    )
    assert outcome.line("3.bank").net_cents == -20_00


def test_the_bank_line_pushes_where_won_and_lost_are_equal() -> None:
    outcome = banked({1: main(10_00)}, {0: WINS, 1: LOSES})
    outcome.lines(("0.house", "win", 10_00, 10_00, 0), ("1.main", "lose", 0, 0, 0), ("3.bank", "push", 0, 20_00, 0))


def test_the_bank_line_pushes_where_everything_pushes() -> None:
    banked({1: main(10_00)}, {0: PUSHES, 1: "8s 8d Ts 7c 6c 4h 2h"}).lines(
        ("0.house", "push", 0, 10_00, 0), ("1.main", "push", 0, 10_00, 0), ("3.bank", "push", 0, 20_00, 0)
    )


def test_the_banker_may_lose_all_that_was_at_risk() -> None:
    outcome = banked({1: main(20_00)}, {0: WINS, 1: WINS_TOO})
    line = outcome.line("3.bank")
    assert (line.outcome, line.stake_cents, line.returned_cents, line.net_cents) == ("lose", 30_00, 0, -30_00)


def test_nobody_else_wagers_and_the_house_alone_plays_against_the_bank() -> None:
    banked({}, {0: LOSES}).lines(("0.house", "lose", 0, 0, 0), ("3.bank", "win", 10_00, 10_00, 50))


def test_the_house_line_has_seat_0_no_player_and_never_a_commission() -> None:
    line = banked({}, {0: WINS}, house=50_00).line("0.house")
    assert (line.seat, line.player, line.wager, line.stake_cents, line.paid_by) == (0, None, "house", 50_00, "bank")
    assert (line.outcome, line.odds, line.commission_cents, line.net_cents) == ("win", "1 to 1", 0, 50_00)


def test_seed_004_object_the_player_banker_wins_copies_also_against_the_house() -> None:
    banked({}, {0: COPIES}).lines(("0.house", "lose", 0, 0, 0), ("3.bank", "win", 10_00, 10_00, 50))
    banked({1: main(20_00)}, {0: PUSHES, 1: COPIES}).lines(
        ("0.house", "push", 0, 10_00, 0), ("1.main", "lose", 0, 0, 0), ("3.bank", "win", 20_00, 30_00, 1_00)
    )


def test_R12_the_bank_lines_commission_is_rounded_by_the_sheets_rule() -> None:
    sheet = a_sheet(id="trial", commission={"bp": 500, "rounding": "up_to_quarter"})
    orders = played({1: main(20_00)}, {3: BANKER, 0: LOSES, 1: COPIES}, banker=bank(3, house=10_00))
    assert a_table(sheet=sheet).given(*orders).when(settle()).line("3.bank").commission_cents == 1_50
    orders = played({1: main(20_01)}, {3: BANKER, 0: LOSES, 1: COPIES}, banker=bank(3, house=10_00))
    assert a_table(sheet=sheet).given(*orders).when(settle()).line("3.bank").commission_cents == 1_75


def test_a_sheet_without_commission_takes_none_from_the_bank() -> None:
    sheet = a_sheet(id="trial", without=("commission",))
    orders = played({1: main(20_00)}, {3: BANKER, 0: LOSES, 1: COPIES}, banker=bank(3, house=10_00))
    assert a_table(sheet=sheet).given(*orders).when(settle()).line("3.bank").net_cents == 30_00


def test_seed_004_each_winning_player_pays_his_own_commission_also_for_his_backers() -> None:
    orders = played(
        {2: main(15_00)}, {3: BANKER, 0: LOSES, 2: WINS}, banker=bank(3, house=10_00), further=[back(2, "B1", 5_00)]
    )
    a_table().given(*orders).when(settle()).lines(
        ("0.house", "lose", 0, 0, 0),
        ("2.main", "win", 15_00, 15_00, 1_00),
        ("2.main.by.B1", "win", 5_00, 5_00, 0),
        ("3.bank", "lose", 0, 20_00, 0),
    )


def test_backers_are_part_of_what_is_at_risk_and_their_losses_go_to_the_pool() -> None:
    orders = played(
        {2: main(15_00)}, {3: BANKER, 0: PUSHES, 2: LOSES}, banker=bank(3, house=10_00), further=[back(2, "B1", 5_00)]
    )
    outcome = a_table().given(*orders).when(settle())
    assert outcome.line("2.main.by.B1").paid_by == "bank"
    assert (outcome.line("3.bank").stake_cents, outcome.line("3.bank").won_cents) == (30_00, 20_00)


def test_seed_004_the_house_covers_all_bonus_bets_regardless_of_a_player_banker() -> None:
    stakes = {2: {"main": 15_00, "fortune": 5_00}, 3: {"fortune": 5_00, "progressive": 1_00}}
    orders = played(stakes, {3: QUADS[0], 2: "Kc Kd Qc Th 7h 6c 4h", 0: PLAIN}, banker=bank(3))
    settled = a_table().given(*orders).when(settle())
    assert settled.line("2.fortune").paid_by == "house" and settled.line("2.fortune").outcome == "lose"
    assert settled.line("3.fortune").paid_by == "house" and settled.line("3.fortune").won_cents == 125_00
    assert settled.line("3.progressive").paid_by == "house"
    # Bonuses are no part of the pool: the house's 5.00 and seat 2's 15.00 are lost to the banker.
    assert settled.line("3.bank").stake_cents == 20_00


def test_the_lines_in_order_house_first_seats_down_bank_after_the_last_seat_then_envy() -> None:
    stakes = {
        6: {"main": 5_00, "fortune": 5_00},
        3: {"fortune": 5_00, "progressive": 1_00},
        1: {"main": 5_00, "fortune": 5_00},
    }
    orders = played(stakes, {0: PLAIN, 3: QUADS[0], 6: QUADS[2]}, banker=bank(3))
    assert [line.line_id for line in a_table().given(*orders).when(settle()).settled()] == [
        "0.house",
        "6.main",
        "6.fortune",
        "3.fortune",
        "3.progressive",
        "1.main",
        "1.fortune",
        "3.bank",
        "6.envy.fortune.3",
        "3.envy.fortune.6",
        "1.envy.fortune.6",
        "1.envy.fortune.3",
    ]


def test_a_bankers_second_seat_plays_against_the_bank_like_any_other() -> None:
    table = a_table(seats={3: "P3", 5: "P3"})
    table.given(*played({5: main(20_00)}, {3: BANKER, 0: PUSHES, 5: WINS}, banker=bank(3, house=10_00)))
    table.when(settle()).lines(
        ("0.house", "push", 0, 10_00, 0),
        ("5.main", "win", 20_00, 20_00, 1_00),
        ("3.bank", "lose", 0, 10_00, 0),
    )


def test_totals_with_a_player_bank_sum_to_zero() -> None:
    # Players: +14.25 -20.00 +14.25 +0 = 8.50; the house loses 10.00 and has 1.50 of commission.
    outcome = banked({1: main(20_00), 2: main(15_00), 4: main(25_00)}, {0: LOSES, 1: COPIES, 2: WINS, 4: PUSHES})
    assert outcome.totals() == (8_50 * 10_000, -8_50 * 10_000, 0, 0, 0)


def test_settling_records_bank_and_banker() -> None:
    settled = banked({}, {0: LOSES}).one(RoundSettled)
    assert (settled.bank, settled.banker) == (3, "P3")


# Fouls and forfeits


FOUL = "8c 8d 8h Ac Kd 5s 4s"


def test_seed_004_a_bankers_foul_hand_is_reset_the_house_way_at_settling() -> None:
    orders = played({}, {3: FOUL, 0: "9s 9h 7s 6d 5c 4c 2d"}, banker=bank(3, house=10_00), lows={3: "8c 8d"})
    table = a_table().given(*orders)
    assert table.findings()[-1] == ("hand.foul", 3)
    outcome = table.when(settle())
    reset = outcome.one(HandReset)
    assert (reset.seat, reset.set_by, reset.approved_by) == (3, "house_way", ())
    assert outcome.findings == [("bank.foul-reset", 3)]
    assert outcome.events[0] is reset
    # Three eights and A-K beat the house: the foul would have lost.
    outcome.lines(("0.house", "lose", 0, 0, 0), ("3.bank", "win", 10_00, 10_00, 50))
    assert table.state().set_hands[3].foul is False


def test_R10_a_bankers_foul_is_reset_also_where_the_sheet_knows_no_reset_by_the_floor() -> None:
    sheet = a_sheet(id="trial", options={"R10": "lose"})
    orders = played({}, {3: FOUL, 0: "9s 9h 7s 6d 5c 4c 2d"}, banker=bank(3, house=10_00), lows={3: "8c 8d"})
    assert a_table(sheet=sheet).given(*orders).when(settle()).findings == [("bank.foul-reset", 3)]


def test_seed_004_any_other_players_foul_loses_to_the_banker() -> None:
    orders = played(
        {1: main(20_00)},
        {3: "9s 9h 7s 6d 5c 4c 2d", 1: FOUL, 0: "Qs Qd Jc 7h 6s 3d 2c"},
        banker=bank(3, house=10_00),
        lows={1: "8c 8d"},
    )
    outcome = a_table().given(*orders).when(settle())
    assert (outcome.line("1.main").outcome, outcome.line("1.main").paid_by) == ("lose", "bank")
    assert outcome.line("1.main").cite == "seed 004, Irregularities: a foul hand loses"


def test_R23_a_forfeited_main_goes_to_the_pool() -> None:
    orders = played({1: main(20_00)}, {3: BANKER, 0: PUSHES, 1: WINS}, banker=bank(3, house=10_00))
    a_table().given(*orders, forfeit(1, "main")).when(settle()).lines(
        ("0.house", "push", 0, 10_00, 0),
        ("1.main", "forfeited", 0, 0, 0),
        ("3.bank", "win", 20_00, 30_00, 1_00),
    )


def test_seed_004_the_banker_sets_last_or_it_is_a_finding() -> None:
    orders = played({1: main(20_00), 4: main(20_00)}, {3: BANKER, 1: WINS, 4: LOSES}, banker=bank(3))[:-3]
    table = a_table().given(*orders, house_way(1))
    assert table.when(set_low(3, "Jd 9c")).findings == [("bank.set-early", 3)]
    table = a_table().given(*orders, house_way(1), house_way(4))
    assert table.when(house_way(3)).findings == []


def test_a_banker_who_sets_early_and_foul_has_both_findings() -> None:
    orders = played({1: main(20_00)}, {3: FOUL, 1: "9s 9h 7s 6d 5c 4c 2d"}, banker=bank(3))[:-2]
    assert a_table().given(*orders).when(set_low(3, "8c 8d")).findings == [("bank.set-early", 3), ("hand.foul", 3)]


def test_the_void_of_a_banked_round_has_no_house_and_no_bank_line() -> None:
    orders = played({1: main(20_00), 3: {"fortune": 5_00}}, {3: BANKER, 0: PUSHES, 1: WINS}, banker=bank(3))
    voided = a_table().given(*orders, settle()).when(void())
    returned = [(each.line_id, each.stake_cents, each.paid_by) for each in _returned(voided)]
    assert returned == [("3.fortune", 5_00, "house"), ("1.main", 20_00, "bank")]


def _returned(outcome: Outcome) -> tuple[ReturnedWager, ...]:
    return outcome.one(RoundVoided).returned
