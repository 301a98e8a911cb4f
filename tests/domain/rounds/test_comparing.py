"""The main wager against the house bank: seed 004, Object of the Game, and what a hand's identity is (R25)."""

from __future__ import annotations

import pytest

from domain.rounds.events import RoundSettled
from tests.domain.rounds.hands import COPIES, DEALER, LOSES, PUSHES, WINS, WINS_TOO
from tests.domain.rounds.table import Order, a_sheet, a_table, played, settle

FIFTY = {"main": 50_00}


def main_outcome(hand: str, dealer: str, *, low: str | None = None, options: dict[str, str] | None = None) -> str:
    """What becomes of seat 5's main wager."""
    sheet = a_sheet(options=options)
    lows = {} if low is None else {5: low}
    outcome = a_table(sheet=sheet).given(*played({5: FIFTY}, {0: dealer, 5: hand}, lows=lows)).when(settle())
    return outcome.line("5.main").outcome


def test_seed_004_object_every_outcome_against_one_dealer() -> None:
    stakes = dict.fromkeys((2, 3, 4, 5, 6), FIFTY)
    hands = {0: DEALER, 6: WINS, 5: WINS_TOO, 4: PUSHES, 3: LOSES, 2: COPIES}
    a_table().given(*played(stakes, hands)).when(settle()).lines(
        ("6.main", "win", 50_00, 50_00, 2_50),
        ("5.main", "win", 50_00, 50_00, 2_50),
        ("4.main", "push", 0, 50_00, 0),
        ("3.main", "lose", 0, 0, 0),
        ("2.main", "lose", 0, 0, 0),
    )


def test_seed_004_object_one_hand_won_and_one_lost_pushes_without_commission() -> None:
    outcome = a_table().given(*played({5: FIFTY}, {5: PUSHES})).when(settle())
    line = outcome.line("5.main")
    assert (line.outcome, line.returned_cents, line.commission_cents, line.net_cents) == ("push", 50_00, 0, 0)
    assert (line.odds, line.paid_by, line.ruling) == (None, "house", None)


def test_seed_004_object_low_won_and_high_lost_pushes() -> None:
    assert main_outcome("Ac Kc 8s 6d 5s 4d 3h", "Qs Qd 9c 7h 6s 3d 2c", low="Kc 8s") == "push"


def test_seed_004_object_both_hands_copied_go_to_the_banker() -> None:
    assert main_outcome(COPIES, DEALER) == "lose"


def test_seed_004_object_a_copied_low_hand_with_a_high_hand_won_pushes() -> None:
    # A pair against queen high; J-9 against J-9.
    assert main_outcome("8s 8d 6d 5c 4s Jc 9d", DEALER, low="Jc 9d") == "push"


def test_seed_004_object_a_copied_high_hand_with_a_low_hand_won_pushes() -> None:
    # Q-7-6-3-2 twice; J-T against J-9.
    assert main_outcome("Qh 7s 6d 3c 2h Jc Td", DEALER, low="Jc Td") == "push"


def test_seed_004_object_a_copy_and_a_loss_lose() -> None:
    # Q-7-6-3-2 twice; J-8 against J-9.
    assert main_outcome("Qh 7s 6d 3c 2h Jc 8d", DEALER, low="Jc 8d") == "lose"


def test_R25_a_kicker_decides_where_the_pairs_are_equal() -> None:
    dealer = "8s 8d Kc 7h 5s Jd 9c"  # House way: 8-8-9-7-5, K-J.
    assert main_outcome("8c 8h Tc 7d 5d Ad 2h", dealer, low="Ad Tc") == "push"  # 8-8-7-5-2 is below
    assert main_outcome("8c 8h Td 7d 5d Ad Kh", dealer, low="Ad Kh") == "win"  # 8-8-T-7-5 is above 8-8-9-7-5


def test_R25_suits_never_break_a_tie() -> None:
    # Five spades and the same five ranks in hearts: a copy.
    assert main_outcome("Ah Qh 9h 6h 3h Kc Tc", "As Qs 9s 6s 3s Kd Td") == "lose"


def test_R25_the_whole_flush_is_compared() -> None:
    assert main_outcome("Ah Qh 9h 6h 4h Kc Tc", "As Qs 9s 6s 3s Kd 8d") == "win"


@pytest.mark.parametrize(
    ("wheel", "outcome"), [pytest.param("second", "win", id="second"), pytest.param("lowest", "push", id="lowest")]
)
def test_R7_the_wheel_is_the_second_highest_straight_unless_the_sheet_says_lowest(wheel: str, outcome: str) -> None:
    hand, dealer = "Ac 2d 3c 4h 5s Kh Jc", "Kd Qs Jd Th 9h 8c 2s"  # the dealer: K-Q-J-T-9 and 8-2
    assert main_outcome(hand, dealer, low="Kh Jc", options={"R7": wheel}) == outcome


def test_seed_004_the_joker_in_the_low_hand_is_an_ace() -> None:
    dealer = "Qs Qd Ac 7h 6s 3d 2c"  # Q-Q-6-3-2 and A-7
    assert main_outcome("Kc Kd 8s 5d 4s Jk 9h", dealer, low="Jk 9h") == "win"
    assert main_outcome("Kc Kd 8s 5d 4s Jk 7c", dealer, low="Jk 7c") == "push"


def test_the_winning_line_names_its_rule_odds_and_counterparty() -> None:
    line = a_table().given(*played({5: FIFTY}, {5: WINS})).when(settle()).line("5.main")
    assert line.cite.startswith("seed 004, Object of the Game")
    assert (line.odds, line.paid_by, line.player, line.seat, line.stake_cents) == ("1 to 1", "house", "P5", 5, 50_00)


def test_settling_records_the_dealers_hands_by_the_house_way_and_the_rule() -> None:
    settled = a_table().given(*played({5: FIFTY}, {5: WINS})).when(settle()).one(RoundSettled)
    assert len(settled.dealer_high) == 5 and len(settled.dealer_low) == 2
    assert settled.dealer_rule == "no pair: the highest card high, the next two low"


def test_totals_sum_to_zero_and_name_who_gained() -> None:
    # Seat 6 wins 50.00 less 2.50, seat 3 loses 20.00: the house is 27.50 down.
    orders: list[Order] = played({6: FIFTY, 3: {"main": 20_00}}, {6: WINS, 3: LOSES})
    outcome = a_table().given(*orders).when(settle())
    assert outcome.totals() == (27_50 * 10_000, -27_50 * 10_000, 0, 0, 0)


def test_a_seat_without_any_wager_sits_out() -> None:
    # Nobody wagers at the seat that holds four of a kind: no line, and no envy for seat 6.
    orders = played({6: {"main": 50_00, "fortune": 5_00}}, {6: WINS, 1: "Jc Jh Js Qc Qh Kc 2d"})
    a_table().given(*orders).when(settle()).lines(
        ("6.main", "win", 50_00, 50_00, 2_50),
        ("6.fortune", "lose", 0, 0, 0),
    )


def test_a_round_in_which_nobody_wagered_settles_without_lines() -> None:
    a_table().given(*played({}, {})).when(settle()).lines()
