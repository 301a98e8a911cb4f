"""Face Up Pai Gow Poker, 688a.7(b) to (f) and the definitions of 688a.1, with R8, R10, R13, R23 and R24."""

from __future__ import annotations

import pytest

from domain.rounds.events import HandReset, HandSet
from tests.domain.games.playing import dealt, envy_lines, open_at, pays, played, said, settled, sheet
from tests.domain.rounds.table import (
    Content,
    Outcome,
    a_house,
    close,
    dealer_sets,
    forfeit,
    house_way,
    open_round,
    place,
    publish,
    reset_hand,
    set_low,
    settle,
    withdraw,
)

REF = "face-up@1"
QUEEN_HIGH = "Qs Jd 9c 7h 6s 3d 2c"
"""The dealer's Q-7-6-3-2 with J-9 low."""
ACE_HIGH = "As Jd 9c 7h 6s 3d 2c"
"""An Ace High Pai Gow without the joker: A-7-6-3-2 with J-9 low."""
ACE_HIGH_JOKER = "Jk Jd 9c 7h 6s 3d 2c"
"""An Ace High Pai Gow with the joker."""
FOUL = "Kh Kd Qc Tc 8h 5h 4h"
"""With the kings low it is a foul."""

MAIN = {"main": 20_00}
ACE_WAGER = {"main": 20_00, "ace_high": 5_00}
FORTUNE = {"main": 20_00, "fortune": 5_00}
PROGRESSIVE = {"main": 20_00, "progressive": 1_00}
PUSHED = ("push", "688a.1, Ace High Pai Gow: the dealer is ace-high", None)


def main_line(hand: str, dealer: str, *, low: str | None = None) -> tuple[str, str, str | None]:
    """What is said of seat 5's main wager; its hand is set the house way, or with `low` low."""
    return said(settled(sheet(REF), {5: MAIN}, {0: dealer, 5: hand}, lows={} if low is None else {5: low}), "5.main")


def beside(wagers: dict[str, int], hand: str, content: Content | None = None) -> Outcome:
    """Seat 5 has these wagers and this hand, set the house way, against whatever the dealer holds."""
    return settled(content or sheet(REF), {5: wagers}, {5: hand})


# 688a.7(b), (c), (d) Wagers


def test_688a_7_b_abandoned_wagers_may_be_treated_as_losing_R23() -> None:
    """The hand would have won."""
    hand, stakes = "Ah Ad Kh Th 8c 5h 4h", {5: {"main": 20_00, "ace_high": 5_00, "fortune": 5_00}}
    table = dealt(sheet(REF), stakes, {0: QUEEN_HIGH, 5: hand}).given(
        *(forfeit(5, wager) for wager in ("main", "ace_high", "fortune")), house_way(5)
    )
    outcome = table.when(settle())
    assert {line.outcome for line in outcome.settled()} == {"forfeited"}
    assert {line.ruling for line in outcome.settled()} == {"R23"}
    outcome.lines(
        ("5.main", "forfeited", 0, 0, 0), ("5.ace_high", "forfeited", 0, 0, 0), ("5.fortune", "forfeited", 0, 0, 0)
    )


def test_688a_7_b_a_wager_left_to_play_is_settled() -> None:
    hand = "Ah Ad Kh Th 8c 5h 4h"
    table = played(sheet(REF), {5: ACE_WAGER}, {0: QUEEN_HIGH, 5: hand}, decisions=[forfeit(5, "ace_high")])
    table.when(settle()).lines(("5.main", "win", 20_00, 20_00, 0), ("5.ace_high", "forfeited", 0, 0, 0))


def test_688a_7_c_nothing_is_made_raised_or_withdrawn_after_no_more_bets() -> None:
    table = open_at(sheet(REF)).given(place(5, "main", 20_00))
    orders = [place(5, "main", 5_00), place(5, "ace_high", 5_00), withdraw(5, "main", 20_00)]
    table.when(place(5, "main", 5_00)).accepted()
    table.given(withdraw(5, "main", 5_00), close())
    for order in orders:
        table.when(order).refused("command.out-of-phase")


@pytest.mark.parametrize("wager", ["ace_high", "fortune", "progressive"])
def test_688a_7_d_and_e_an_optional_wager_needs_the_main_wager_and_the_submission(wager: str) -> None:
    order = place(5, wager, 1_00)
    table = open_at(sheet(REF))
    table.when(order).refused("wager.needs-main")
    table.given(place(5, "main", 20_00)).when(order).accepted()
    without = open_at(sheet(REF, off=[wager])).given(place(5, "main", 20_00))
    without.when(order).refused("wager.not-offered")


# 688a.7(d) The main wager


def test_688a_7_d_both_hands_won_pay_even_money_without_commission() -> None:
    outcome = settled(sheet(REF), {5: MAIN}, {0: QUEEN_HIGH, 5: "Ah Ad Kh Th 8c 5h 4h"})
    assert said(outcome, "5.main") == ("win", "688a.7(d): both hands beat the dealer's", None)
    outcome.lines(("5.main", "win", 20_00, 20_00, 0))


@pytest.mark.parametrize(
    ("hand", "low"),
    [
        pytest.param("9s 9d 7s 6d 5c 4c 2d", "7s 6d", id="high won, low lost"),
        pytest.param("Kc Kh 8s 6d 5c Jc 9d", "Jc 9d", id="high won, low copied"),
        pytest.param("Qh 7s 5d 3c 2h Jc Th", "Jc Th", id="low won, high lost"),
    ],
)
def test_688a_7_d_one_hand_won_pushes(hand: str, low: str) -> None:
    assert main_line(hand, QUEEN_HIGH, low=low) == ("push", "688a.7(d): one hand wins, one loses", None)


@pytest.mark.parametrize(
    ("hand", "low"),
    [
        pytest.param("Jc Ts 8s 5s 4s 3c 2h", "Ts 8s", id="both lost"),
        pytest.param("Qd Js 9h 7c 6c 3h 2s", "Js 9h", id="both copied"),
        pytest.param("Qd 7c 6c 3h 2s Jc 8s", "Jc 8s", id="high copied, low lost"),
    ],
)
def test_688a_7_d_no_hand_won_loses_and_copies_are_the_dealers(hand: str, low: str) -> None:
    assert main_line(hand, QUEEN_HIGH, low=low) == ("lose", "688a.7(d): the dealer wins both, ties are his", None)


def test_688a_1_high_hand_a_high_hand_below_the_low_hand_is_a_foul_and_loses() -> None:
    cite = "688a.1, High hand: the high hand must not rank below the low hand"
    assert main_line(FOUL, QUEEN_HIGH, low="Kh Kd") == ("lose", cite, None)


def test_688a_1_high_hand_equal_to_the_low_hand_is_legal_and_R8_strict_a_foul() -> None:
    for token, foul in (("equal_legal", False), ("strict", True)):
        content = sheet(REF, options={"R8": token})
        table = dealt(content, {5: MAIN}, {0: QUEEN_HIGH, 5: "Ah Kd 8h 5h 4c Ac Kc"})
        assert table.when(set_low(5, "Ac Kc")).one(HandSet).foul is foul


# 688a.1 Ace High Pai Gow


@pytest.mark.parametrize("dealer", [ACE_HIGH, ACE_HIGH_JOKER])
@pytest.mark.parametrize(
    ("hand", "low"),
    [
        pytest.param("Ah Ad Kh Th 8c 5h 4h", "Kh Th", id="would win"),
        pytest.param("Jc Ts 8s 5s 4s 3c 2h", "Ts 8s", id="would lose"),
        pytest.param("9s 9d 7s 6d 5c 4c 2d", "7s 6d", id="would push"),
        pytest.param(FOUL, "Kh Kd", id="a foul"),
    ],
)
def test_688a_1_an_ace_high_dealer_pushes_every_main_wager(dealer: str, hand: str, low: str) -> None:
    outcome = settled(sheet(REF), {5: MAIN}, {0: dealer, 5: hand}, lows={5: low})
    assert said(outcome, "5.main") == PUSHED
    outcome.lines(("5.main", "push", 0, 20_00, 0))


def test_688a_1_an_ace_high_dealer_does_not_spare_the_setting() -> None:
    table = dealt(sheet(REF), {5: MAIN}, {0: ACE_HIGH}).given(dealer_sets("Jd 9c"))
    table.when(settle()).refused("hand.not-set")
    assert said(table.given(house_way(5)).when(settle()), "5.main") == PUSHED


@pytest.mark.parametrize(
    ("dealer", "ace_high"),
    [
        pytest.param(ACE_HIGH, True, id="an ace"),
        pytest.param(ACE_HIGH_JOKER, True, id="the joker as the ace"),
        pytest.param("Ks Jd 9c 7h 6s 3d 2c", False, id="king high"),
        pytest.param("As Ad 9c 7h 6s 3d 2c", False, id="a pair of aces"),
        pytest.param("Jk Ad 9c 7h 6s 3d 2c", False, id="joker and ace are a pair"),
        pytest.param("As Kd Qc Jh Ts 3d 2c", False, id="a straight"),
        pytest.param("As 2d 3c 4h 5s 9d 7c", False, id="a wheel"),
        pytest.param("As Js 9s 7s 2s 3d 4c", False, id="a flush"),
        pytest.param("Jk Td 9c 8h 6s 3d 2c", False, id="the joker completes a straight"),
        pytest.param("Jk Js 9s 7s 2s 3d 4c", False, id="the joker completes a flush"),
        pytest.param("As 3s 9c 9h 6s 3d 2c", False, id="two pairs beside an ace"),
    ],
)
def test_688a_1_ace_high_is_no_pair_straight_or_flush_with_an_ace(dealer: str, ace_high: bool) -> None:
    outcome = settled(sheet(REF), {5: ACE_WAGER}, {0: dealer})
    assert (outcome.line("5.ace_high").outcome == "win") is ace_high
    assert (said(outcome, "5.main") == PUSHED) is ace_high


# 688a.7(e)(1) Ace High Bonus

KING_HIGH = "Kh Td 8c 6d 5h 4d 2s"
PLAYERS_ACE_HIGH = "Ah Td 8c 6d 5h 4d 2s"


@pytest.mark.parametrize(
    ("dealer", "hand", "odds"),
    [
        pytest.param(ACE_HIGH, KING_HIGH, 5, id="the dealer without the joker"),
        pytest.param(ACE_HIGH_JOKER, KING_HIGH, 15, id="the dealer with the joker"),
        pytest.param(ACE_HIGH, PLAYERS_ACE_HIGH, 40, id="both"),
        pytest.param(ACE_HIGH_JOKER, PLAYERS_ACE_HIGH, 40, id="both, the dealer with the joker"),
        pytest.param(ACE_HIGH, "Jk Qd Tc 8h 5h 4d 2s", 40, id="both, the player with the joker"),
    ],
)
def test_688a_7_e_1_an_ace_high_dealer_pays_the_ace_high_bonus(dealer: str, hand: str, odds: int) -> None:
    outcome = settled(sheet(REF), {5: ACE_WAGER}, {0: dealer, 5: hand})
    assert said(outcome, "5.ace_high") == ("win", "688a.7(e)(1)", None)
    line = outcome.line("5.ace_high")
    assert (line.won_cents, line.returned_cents, line.commission_cents) == (odds * 5_00, 5_00, 0)


def test_688a_7_e_1_another_dealers_hand_collects_the_ace_high_bonus() -> None:
    outcome = settled(sheet(REF), {5: ACE_WAGER}, {0: QUEEN_HIGH, 5: PLAYERS_ACE_HIGH})
    assert said(outcome, "5.ace_high") == ("lose", "688a.7(e)(1)", None)
    assert outcome.line("5.ace_high").returned_cents == 0


def test_688a_7_e_1_without_a_line_for_both_or_the_joker_the_next_one_pays() -> None:
    content = sheet(REF, lines={"ace_high": pays(dealer_ace_high_joker=15, dealer_ace_high=5)})
    for dealer, odds in ((ACE_HIGH_JOKER, 15), (ACE_HIGH, 5)):
        outcome = settled(content, {5: ACE_WAGER}, {0: dealer, 5: PLAYERS_ACE_HIGH})
        assert outcome.line("5.ace_high").won_cents == odds * 5_00
    plain = sheet(REF, lines={"ace_high": pays(dealer_ace_high=5)})
    joker = settled(plain, {5: ACE_WAGER}, {0: ACE_HIGH_JOKER, 5: KING_HIGH})
    assert joker.line("5.ace_high").won_cents == 25_00


def test_688a_7_e_1_a_table_without_a_line_for_the_hand_loses() -> None:
    content = sheet(REF, lines={"ace_high": pays(dealer_ace_high_joker=15)})
    outcome = settled(content, {5: ACE_WAGER}, {0: ACE_HIGH, 5: KING_HIGH})
    assert said(outcome, "5.ace_high") == ("lose", "688a.7(e)(1)", None)


def test_688a_7_e_1_both_ace_high_looks_at_the_cards_of_the_seat_that_bets() -> None:
    stakes = {6: ACE_WAGER, 5: ACE_WAGER}
    outcome = settled(sheet(REF), stakes, {0: ACE_HIGH, 6: PLAYERS_ACE_HIGH, 5: "Kh Ts 8h 6c 5d 4c 2h"})
    assert outcome.line("6.ace_high").hand == "both_ace_high"
    assert outcome.line("5.ace_high").hand == "dealer_ace_high"


# 688a.7(e)(2) Fortune and (e)(3) Progressive

THREE_PAIRS = "9s 9d 7s 7d 4h 4c Kd"


@pytest.mark.parametrize(
    ("hand", "odds"),
    [
        pytest.param("9s 9d 7s 7d 4h 3c Kd", None, id="two pairs"),
        pytest.param("4s 5d 6h 7d 8h Kc 2c", 2, id="a straight"),
        pytest.param("9s 9d 9h 7d 4h 3c Kd", 3, id="three of a kind"),
        pytest.param("2s 5s 7s 9s Js Kc 3c", 4, id="a flush"),
        pytest.param("9s 9d 9h 7d 7h 3c Kd", 5, id="a full house"),
        pytest.param("9s 9d 9h 9c 7h 3c Kd", 20, id="four of a kind"),
    ],
)
def test_688a_7_e_2_fortune_pays_above_three_pairs_by_the_table(hand: str, odds: int | None) -> None:
    outcome = beside(FORTUNE, hand)
    assert said(outcome, "5.fortune") == ("lose" if odds is None else "win", "688a.7(e)(2)", None)
    assert outcome.line("5.fortune").won_cents == (odds or 0) * 5_00


def test_R24_three_pairs_push_where_the_table_says_0_to_1() -> None:
    outcome = beside(FORTUNE, THREE_PAIRS)
    assert said(outcome, "5.fortune") == ("push", "688a.7(e)(2)", "R24")
    assert (outcome.line("5.fortune").returned_cents, outcome.line("5.fortune").odds) == (5_00, None)


def test_R24_three_pairs_win_where_the_table_pays_and_lose_where_it_has_no_line() -> None:
    paying = beside(FORTUNE, THREE_PAIRS, sheet(REF, lines={"fortune": pays(straight=2, three_pair=1)}))
    assert said(paying, "5.fortune") == ("win", "688a.7(e)(2)", "R24")
    assert paying.line("5.fortune").won_cents == 5_00
    silent = beside(FORTUNE, THREE_PAIRS, sheet(REF, lines={"fortune": pays(straight=2)}))
    assert said(silent, "5.fortune") == ("lose", "688a.7(e)(2)", None)


def test_R24_three_pairs_rank_below_a_straight_of_the_same_cards() -> None:
    """The joker pairs the ace and stands for the king in A-K-Q-J-T."""
    outcome = beside(FORTUNE, "Ah Jk Qs Qd Js Jd Tc")
    assert (outcome.line("5.fortune").hand, outcome.line("5.fortune").ruling) == ("straight", None)
    content = sheet(REF, lines={"fortune": pays(three_pair=1)})
    assert beside(FORTUNE, "Ah Jk Qs Qd Js Jd Tc", content).line("5.fortune").hand == "three_pair"


@pytest.mark.parametrize(
    ("hand", "wins"),
    [
        pytest.param("2s 5s 7s 9s Js Kc 3c", None, id="a flush"),
        pytest.param(THREE_PAIRS, None, id="three pairs"),
        pytest.param("9s 9d 9h 7d 7h 3c Kd", 4, id="a full house"),
        pytest.param("9s 9d 9h 9c 7h 3c Kd", 75, id="four of a kind"),
        pytest.param("4s 5s 6s 7s 8s Kc 3c", 100, id="a straight flush"),
        pytest.param("As Ks Qs Js Ts 4c 3c", 500, id="a royal flush"),
        pytest.param("As Ac Ad Ah Jk 4c 3c", 25_000, id="five aces"),
    ],
)
def test_688a_7_e_3_the_progressive_pays_a_full_house_or_better(hand: str, wins: int | None) -> None:
    outcome = beside(PROGRESSIVE, hand)
    assert said(outcome, "5.progressive") == ("lose" if wins is None else "win", "688a.7(e)(3)", None)
    line = outcome.line("5.progressive")
    assert (line.won_cents, line.returned_cents) == ((wins or 0) * 1_00, 0)


def test_688a_7_e_3_a_percentage_is_the_meters() -> None:
    line = beside(PROGRESSIVE, "As Ks Qs Js Ts Kc Qc").line("5.progressive")
    assert (line.odds, line.paid_by, line.won_cents, line.ruling) == ("50% of major", "meter", 5000_09, "R21")


def test_688a_7_e_optional_wagers_do_not_depend_on_the_main_wager() -> None:
    """The dealer is ace-high: the main pushes, the others are settled by their own."""
    stakes = {"main": 20_00, "progressive": 1_00, "fortune": 5_00, "ace_high": 5_00}
    outcome = settled(sheet(REF), {5: stakes}, {0: ACE_HIGH, 5: "Kc Kd Kh Tc Td 4h 2s"})
    outcome.lines(
        ("5.main", "push", 0, 20_00, 0),
        ("5.ace_high", "win", 25_00, 5_00, 0),
        ("5.fortune", "win", 25_00, 5_00, 0),
        ("5.progressive", "win", 4_00, 0, 0),
    )


# 688a.1 Envy Bonus: qualifying wagers and hands

QUADS = "4s 4d 4h 4c Kd Td 8s"


def test_688a_1_a_fortune_wager_of_five_dollars_qualifies() -> None:
    for cents, envy in ((5_00, [(6, 5, "fortune", 5_00)]), (4_99, [])):
        stakes = {6: {"main": 20_00, "fortune": cents}, 5: MAIN}
        outcome = settled(sheet(REF), stakes, {0: QUEEN_HIGH, 5: QUADS})
        assert envy_lines(outcome) == envy


def test_688a_1_any_progressive_wager_qualifies_R13() -> None:
    outcome = settled(sheet(REF), {6: PROGRESSIVE, 5: MAIN}, {0: QUEEN_HIGH, 5: QUADS})
    assert envy_lines(outcome) == [(6, 5, "progressive", 3_00)]


def test_688a_1_both_kinds_of_envy_are_paid_each_with_its_cite() -> None:
    stakes = {6: {**FORTUNE, **PROGRESSIVE}, 5: MAIN}
    outcome = settled(sheet(REF), stakes, {0: QUEEN_HIGH, 5: QUADS})
    assert envy_lines(outcome) == [(6, 5, "fortune", 5_00), (6, 5, "progressive", 3_00)]
    for kind in ("fortune", "progressive"):
        assert said(outcome, f"6.envy.{kind}.5") == ("win", "688a.1, Envy Bonus", "R13")


@pytest.mark.parametrize(
    ("hands", "seats"),
    [
        pytest.param({0: QUEEN_HIGH, 6: QUADS}, {6: "P6", 5: "P5"}, id="one's own"),
        pytest.param({0: QUADS, 6: QUEEN_HIGH}, {6: "P6", 5: "P5"}, id="the dealer's"),
        pytest.param({0: QUEEN_HIGH, 5: QUADS}, {6: "P6", 5: "P6"}, id="the same player's second hand"),
        pytest.param({0: QUEEN_HIGH, 4: QUADS}, {6: "P6", 5: "P5"}, id="a spot that nobody plays"),
    ],
)
def test_688a_1_only_another_players_hand_pays_envy(hands: dict[int, str], seats: dict[int, str]) -> None:
    outcome = settled(sheet(REF), {6: {**FORTUNE, **PROGRESSIVE}, 5: MAIN}, hands, seats=seats)
    assert envy_lines(outcome) == []


# 688a.7(f) Two adjacent hands


def test_688a_7_f_a_players_two_areas_are_adjacent() -> None:
    house, order = a_house().given(publish(sheet(REF))), open_round(game="face_up", sheet=REF)
    house.when(order.but(seats={1: "P1", 3: "P1"})).refused("seat.two-hands")
    house.when(order.but(seats={1: "P1", 2: "P1", 3: "P3"})).accepted()


def test_688a_7_f_the_cards_of_each_area_are_played_separately() -> None:
    hands = {0: QUEEN_HIGH, 4: "Ah Ad Kh Th 8c 5h 4h", 3: "Jc Ts 8s 5s 4s 3c 2h"}
    outcome = settled(sheet(REF), {4: MAIN, 3: MAIN}, hands, seats={4: "P1", 3: "P1"})
    outcome.lines(("4.main", "win", 20_00, 20_00, 0), ("3.main", "lose", 0, 0, 0))


@pytest.mark.parametrize(
    ("lower_seat", "higher_seat", "first"), [(30_00, 20_00, 3), (20_00, 30_00, 4), (20_00, 20_00, 4)]
)
def test_688a_7_f_the_larger_wagers_hand_is_set_first_of_equal_ones_the_higher_seats(
    lower_seat: int, higher_seat: int, first: int
) -> None:
    stakes, second = {3: {"main": lower_seat}, 4: {"main": higher_seat}}, 7 - first
    table = dealt(sheet(REF), stakes, {0: QUEEN_HIGH}, seats={3: "P1", 4: "P1"}).given(dealer_sets("Jd 9c"))
    table.when(house_way(second)).refused("hand.out-of-turn")
    table.given(house_way(first)).when(house_way(second)).accepted()


def test_688a_7_f_a_hand_once_set_may_not_be_changed() -> None:
    table = played(sheet(REF), {5: MAIN}, {0: QUEEN_HIGH}, lows={0: "Jd 9c"})
    table.when(house_way(5)).refused("hand.set")


# The dealer first, and R10


def test_688a_players_set_after_the_dealer_did() -> None:
    table = dealt(sheet(REF), {5: MAIN, 4: MAIN}, {0: QUEEN_HIGH}).given(dealer_sets("Jd 9c"))
    table.when(house_way(5)).accepted()
    table.when(dealer_sets("Jd 9c")).refused("hand.set")
    table.when(house_way(4)).accepted()


def test_R10_a_foul_loses_and_the_floor_resets_none() -> None:
    table = played(sheet(REF), {5: MAIN}, {0: QUEEN_HIGH, 5: FOUL}, lows={5: "Kh Kd"})
    table.when(reset_hand(5)).refused("hand.reset-refused")
    assert table.when(settle()).line("5.main").outcome == "lose"


def test_R10_lose_or_reset_lets_the_floor_reset_before_the_dealers_hand_is_recorded() -> None:
    content = sheet(REF, options={"R10": "lose_or_reset"})
    table = played(content, {5: MAIN}, {0: QUEEN_HIGH, 5: FOUL}, lows={5: "Kh Kd"})
    assert table.when(reset_hand(5)).one(HandReset).set_by == "floor"
    assert table.when(settle()).line("5.main").outcome == "win"
    late = played(content, {5: MAIN}, {0: QUEEN_HIGH, 5: FOUL}, lows={5: "Kh Kd", 0: "Jd 9c"})
    late.when(reset_hand(5)).refused("hand.reset-refused")
