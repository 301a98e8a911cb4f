"""Six-Card Fortune Pai Gow Poker, 670a.11(c) to (i) paragraph by paragraph, with R1, R2, R7, R8, R10, R16, R17, R22."""

from __future__ import annotations

import pytest

from domain.rounds.events import DealerSet, DoubledDown, HandReset, HandSet
from tests.domain.games.playing import (
    dealt,
    envy_lines,
    open_at,
    pays,
    played,
    said,
    settled,
    sheet,
)
from tests.domain.rounds.table import (
    Content,
    Outcome,
    back,
    dealer_sets,
    double_down,
    house_way,
    place,
    reset_hand,
    set_low,
    settle,
    toke,
)

REF = "six-card-fortune@1"
EIGHTS = "8c 8d Qh Jd 5s 2c"
"""The dealer's 8-8-J-5-2 with a queen low: a pair of eights."""
SEVENS = "7c 7d Qh Jd 5s 2c"
"""The dealer's 7-7-J-5-2 with a queen low: no pair of eights."""
JOKER_LOW = "4s 5d 6c 7h 8s Jk"
"""The dealer's 8-7-6-5-4 with the joker low (R4)."""
NOTHING = "Kc Js 9d 6h 4c 2s"
"""The dealer's K-9-6-4-2 with a jack low."""

BRANCHES = {
    "(f)(1)(i)": ("7h 7s Th 9d 4c 3d", "Th", "lose"),
    "(f)(1)(ii)": ("7h 7s Qd 9d 4c 3d", "Qd", "lose"),
    "(f)(1)(iii)": ("8h 8s Jc 5c 2d Tc", "Tc", "lose"),
    "(f)(1)(iv)": ("8h 8s Jc 5c 2d Qs", "Qs", "lose"),
    "(f)(1)(v)": ("Ah Kh 9c 6d 4d 3h", "Ah", "lose"),
    "(f)(2)(i)": ("9h 9s Th 7d 4c 3d", "Th", "push"),
    "(f)(2)(ii)": ("7h 7s Kd 9d 4c 3d", "Kd", "push"),
    "(f)(3)": ("9h 9s Kd 7d 4c 3d", "Kd", "win"),
}
"""Against EIGHTS: the paragraph, six cards, the one set low, and what becomes of the main wager."""
GAPS = {
    "the high hand won, the low one identical": ("9h 9s Qd 7d 4c 3d", "Qd"),
    "the high hand identical, the low one won": ("8h 8s Jc 5c 2d Kd", "Kd"),
    "the high hand identical, a joker low": ("8h 8s Jc 5c 2d Jk", "Jk"),
}
"""Against EIGHTS: what no paragraph of (f) covers."""
NOT_COVERED = "670a.11(f): not covered by its paragraphs"

MAIN = {"main": 20_00}
FORTUNE = {"main": 20_00, "fortune": 5_00}
INSURED = {"main": 20_00, "insurance": 5_00}
PROGRESSIVE = {"main": 20_00, "progressive": 1_00}


def main_line(hand: str, low: str, dealer: str, content: Content | None = None) -> tuple[str, str, str | None]:
    """What is said of seat 5's main wager, its hand set with `low` low."""
    outcome = settled(content or sheet(REF), {5: MAIN}, {0: dealer, 5: hand}, lows={5: low})
    return said(outcome, "5.main")


def doubled(hand: str, low: str, dealer: str, content: Content | None = None) -> Outcome:
    """Seat 5 doubles down."""
    return settled(content or sheet(REF), {5: MAIN}, {0: dealer, 5: hand}, lows={5: low}, decisions=[double_down(5)])


def beside(wagers: dict[str, int], hand: str, content: Content | None = None) -> Outcome:
    """Seat 5 has these wagers and this hand, set the house way, against whatever the dealer holds."""
    return settled(content or sheet(REF), {5: wagers}, {5: hand})


# (b) Setting, and (d) the dealer's


def test_670a_11_b_the_high_hand_may_equal_the_low_hand() -> None:
    """An ace high beside an ace low is legal (R8 `equal_legal`)."""
    table = played(sheet(REF), {5: MAIN}, {0: EIGHTS, 5: "Ah Ac 9c 6d 4d 3h"}, lows={5: "Ac"})
    assert not table.events(HandSet)[0].foul


def test_670a_11_b_and_R8_strict_makes_equality_a_foul() -> None:
    strict = sheet(REF, options={"R8": "strict"})
    table = played(strict, {5: MAIN}, {0: EIGHTS, 5: "Ah Ac 9c 6d 4d 3h"}, lows={5: "Ac"})
    assert table.events(HandSet)[0].foul
    assert said(table.when(settle()), "5.main") == ("lose", "670a.11(f)(1)(v)", None)


def test_670a_11_b_a_joker_low_is_an_ace_in_the_foul_test_whatever_R2_says() -> None:
    for token in ("ace", "above_ace"):
        content = sheet(REF, options={"R2": token})
        table = dealt(content, {5: MAIN}, {0: EIGHTS, 5: "Jk Ac 9c 6d 4d 3h"})
        assert not table.when(set_low(5, "Jk")).one(HandSet).foul


def test_670a_11_d_settling_goes_by_the_rules_whatever_the_dealer_did() -> None:
    """8-8 high and a queen low by (d)(1); with the jack low the player's queen would have won."""
    hand, low = GAPS["the high hand won, the low one identical"]
    table = played(sheet(REF), {5: MAIN}, {0: EIGHTS, 5: hand}, lows={5: low, 0: "Jd"})
    assert table.findings() == [("dealer.not-house-way", None)]
    assert said(table.when(settle()), "5.main") == ("push", NOT_COVERED, "R1")


def test_670a_11_d_the_house_way_of_the_player_is_the_dealers() -> None:
    table = dealt(sheet(REF), {5: MAIN}, {0: EIGHTS, 5: "9h 9s 9d 4c 4d 4h"})
    event = table.when(house_way(5)).one(HandSet)
    assert event.rule == "(d)(1)(i) two three of a kinds: a card of the higher low"


def test_670a_11_d_a_right_setting_with_another_card_of_the_rank_is_none_of_a_finding() -> None:
    table = dealt(sheet(REF), {5: MAIN}, {0: "8c 8d Qh Qd 5s 5c", 5: "9h 9s 9d 4c 4d 4h"})
    assert table.when(dealer_sets("Qh")).findings == []
    assert table.events(DealerSet)[0].rule.startswith("(d)(1)(ii)")


# (e) and (f) The main wager


@pytest.mark.parametrize("paragraph", BRANCHES)
def test_670a_11_f_says_what_becomes_of_the_main_wager(paragraph: str) -> None:
    hand, low, outcome = BRANCHES[paragraph]
    assert main_line(hand, low, EIGHTS) == (outcome, f"670a.11{paragraph}", None)


@pytest.mark.parametrize(("outcome", "won", "back"), [("lose", 0, 0), ("push", 0, 20_00), ("win", 20_00, 20_00)])
def test_670a_11_f_a_loss_is_collected_a_tie_returned_a_win_paid_without_commission(
    outcome: str, won: int, back: int
) -> None:
    for hand, low, result in BRANCHES.values():
        if result == outcome:
            table = played(sheet(REF), {5: MAIN}, {0: EIGHTS, 5: hand}, lows={5: low})
            table.when(settle()).lines(("5.main", outcome, won, back, 0))


def test_670a_11_f_1_v_a_foul_loses_whatever_the_dealer_holds() -> None:
    hand, low, _ = BRANCHES["(f)(1)(v)"]
    assert main_line(hand, low, NOTHING) == ("lose", "670a.11(f)(1)(v)", None)


def test_670a_11_f_2_ii_a_joker_low_ties_although_the_high_hand_is_lower() -> None:
    assert main_line("7h 7s Jk 9d 4c 3d", "Jk", EIGHTS) == ("push", "670a.11(f)(2)(ii)", None)


def test_670a_11_f_3_a_joker_low_beats_the_dealers_ace() -> None:
    dealer = "8c 8d Ah Jd 5s 2c"
    assert main_line("9h 9s Jk 7d 4c 3d", "Jk", dealer) == ("win", "670a.11(f)(3)", None)
    assert main_line("9h 9s As 7d 4c 3d", "As", dealer) == ("push", NOT_COVERED, "R1")


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize(("token", "back"), [("push", 20_00), ("lose", 0)])
def test_R1_what_no_paragraph_of_670a_11_f_covers_goes_by_the_sheet(gap: str, token: str, back: int) -> None:
    hand, low = GAPS[gap]
    content = sheet(REF, options={"R1": token})
    outcome = settled(content, {5: MAIN}, {0: EIGHTS, 5: hand}, lows={5: low})
    assert said(outcome, "5.main") == (token, NOT_COVERED, "R1")
    outcome.lines(("5.main", token, 0, back, 0))


@pytest.mark.parametrize(
    ("hand", "with_ace", "with_above_ace"),
    [
        pytest.param("9c 9d 9h 3c 3d As", ("push", NOT_COVERED, "R1"), ("push", "670a.11(f)(2)(i)", None), id="higher"),
        pytest.param(
            "4c 5h 6d 7s 8c As",
            ("lose", "670a.11(f)(1)(iv)", None),
            ("lose", "670a.11(f)(1)(iii)", None),
            id="identical",
        ),
        pytest.param(
            "Kc Kd 9c 7d 4c As", ("lose", "670a.11(f)(1)(ii)", None), ("lose", "670a.11(f)(1)(i)", None), id="lower"
        ),
    ],
)
def test_R2_the_dealers_joker_is_an_ace_or_above_it_against_a_players_ace(
    hand: str, with_ace: tuple[str, str, str | None], with_above_ace: tuple[str, str, str | None]
) -> None:
    assert main_line(hand, "As", JOKER_LOW, sheet(REF, options={"R2": "ace"})) == with_ace
    assert main_line(hand, "As", JOKER_LOW, sheet(REF, options={"R2": "above_ace"})) == with_above_ace


def test_R2_decides_money_where_the_sheet_lets_R1_lose() -> None:
    for token, outcome in (("ace", "lose"), ("above_ace", "push")):
        content = sheet(REF, options={"R1": "lose", "R2": token})
        assert main_line("9c 9d 9h 3c 3d As", "As", JOKER_LOW, content)[0] == outcome


@pytest.mark.parametrize("token", ["ace", "above_ace"])
def test_R2_a_players_king_is_below_the_dealers_joker_either_way(token: str) -> None:
    content = sheet(REF, options={"R2": token})
    assert main_line("9c 9d 9h 3c 3d Ks", "Ks", JOKER_LOW, content) == ("push", "670a.11(f)(2)(i)", None)


def test_670a_11_f_the_whole_five_card_hand_is_compared() -> None:
    """8-8-J-5-3 is above 8-8-J-5-2, 8-8-T-5-3 below (R25)."""
    assert main_line("8h 8s Jc 5c 3d Kd", "Kd", EIGHTS)[1] == "670a.11(f)(3)"
    assert main_line("8h 8s Tc 5c 3d Kd", "Kd", EIGHTS)[1] == "670a.11(f)(2)(ii)"


@pytest.mark.parametrize(("wheel", "paragraph"), [("second", "(f)(3)"), ("lowest", "(f)(2)(ii)")])
def test_R7_where_a_wheel_ranks_against_the_dealers_straight(wheel: str, paragraph: str) -> None:
    dealer = "Kd Qs Jd Th 9h 2c"
    content = sheet(REF, options={"R7": wheel})
    assert main_line("Ac 2d 3c 4h 5s Kh", "Kh", dealer, content)[1] == f"670a.11{paragraph}"


def test_670a_11_e_hands_are_settled_from_the_dealers_right() -> None:
    outcome = settled(sheet(REF), {2: MAIN, 6: MAIN, 4: MAIN}, {0: EIGHTS})
    assert [line.line_id for line in outcome.settled()] == ["6.main", "4.main", "2.main"]


def test_R16_the_odds_of_the_main_wager_are_the_tables() -> None:
    hand, low, _ = BRANCHES["(f)(3)"]
    content = sheet(REF, lines={"main": pays(win=2)})
    outcome = settled(content, {5: MAIN}, {0: EIGHTS, 5: hand}, lows={5: low})
    outcome.lines(("5.main", "win", 40_00, 20_00, 0))


def test_R10_a_foul_loses_and_the_floor_resets_none() -> None:
    hand, low, _ = BRANCHES["(f)(1)(v)"]
    table = played(sheet(REF), {5: MAIN}, {0: EIGHTS, 5: hand}, lows={5: low})
    table.when(reset_hand(5)).refused("hand.reset-refused")
    assert said(table.when(settle()), "5.main") == ("lose", "670a.11(f)(1)(v)", None)


def test_R10_lose_or_reset_lets_the_floor_reset_a_foul_by_670a_11_d() -> None:
    hand, low, _ = BRANCHES["(f)(1)(v)"]
    content = sheet(REF, options={"R10": "lose_or_reset"})
    table = played(content, {5: MAIN}, {0: EIGHTS, 5: hand}, lows={5: low})
    event = table.when(reset_hand(5)).one(HandReset)
    assert (event.set_by, event.rule) == ("floor", "(d)(6) nothing: the highest card high, the second highest low")
    assert said(table.when(settle()), "5.main") == ("push", "670a.11(f)(2)(ii)", None)


# (c) and (g) Double Down


def test_670a_11_c_a_double_down_equals_the_main_without_backers_and_tokes() -> None:
    content = sheet(REF, wagers={"main": {"toke_max_cents": 5_00}})
    table = dealt(content, {5: MAIN}, {0: EIGHTS}, further=[back(5, "B1", 10_00), toke(5, "main", 1_00)])
    table.when(double_down(5)).then(DoubledDown(5, "P5", 20_00))


def test_670a_11_c_a_double_down_is_offered_once_the_cards_are_seen() -> None:
    table = played(sheet(REF), {5: MAIN}, {0: EIGHTS})
    table.when(double_down(5)).accepted()  # The hand may be set already.
    table.when(double_down(5)).refused("hand.decided")


def test_670a_11_c_a_double_down_comes_before_the_dealers_hand() -> None:
    table = dealt(sheet(REF), {5: MAIN, 4: MAIN}, {0: EIGHTS}).given(double_down(4), dealer_sets("Qh"))
    table.when(double_down(5)).refused("hand.decided")


def test_670a_11_c_a_double_down_needs_a_main_of_the_seats_own() -> None:
    table = dealt(sheet(REF), {5: MAIN}, {0: EIGHTS})
    table.when(double_down(4)).refused("hand.not-in-play")
    table.when(double_down(5)).accepted()


@pytest.mark.parametrize("paragraph", BRANCHES)
def test_670a_11_g_1_against_eights_the_double_down_goes_as_the_main_wager(paragraph: str) -> None:
    hand, low, outcome = BRANCHES[paragraph]
    both = doubled(hand, low, EIGHTS)
    assert said(both, "5.double_down") == (outcome, f"670a.11(g)(1), 670a.11{paragraph}", None)
    main, double = both.line("5.main"), both.line("5.double_down")
    assert (double.stake_cents, double.won_cents, double.returned_cents) == (
        main.stake_cents,
        main.won_cents,
        main.returned_cents,
    )


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("token", ["push", "lose"])
def test_R1_decides_the_double_down_too(gap: str, token: str) -> None:
    both = doubled(*GAPS[gap], EIGHTS, sheet(REF, options={"R1": token}))
    assert said(both, "5.double_down") == (token, f"670a.11(g)(1), {NOT_COVERED}", "R1")


@pytest.mark.parametrize("paragraph", BRANCHES)
def test_670a_11_g_2_without_eights_the_double_down_is_returned_whatever_the_main_does(paragraph: str) -> None:
    hand, low, _ = BRANCHES[paragraph]
    used = {"7h": "6h", "7s": "6s", "7d": "6c"}
    both = doubled(" ".join(used.get(card, card) for card in hand.split()), low, SEVENS)
    assert said(both, "5.double_down") == ("returned", "670a.11(g)(2)", None)
    assert (both.line("5.double_down").returned_cents, both.line("5.double_down").won_cents) == (20_00, 0)


@pytest.mark.parametrize(
    ("dealer", "stands"),
    [
        pytest.param("8c 8d Qh Jd 5s 2c", True, id="eights"),
        pytest.param("7c 7d Ah Kd 5s 2c", False, id="sevens"),
        pytest.param("3c 3d 2h 2d Ks 7c", True, id="two small pairs"),
        pytest.param("Ah 2d 3s 4c 5d Kc", True, id="a wheel"),
        pytest.param("2h 5h 7h 9h Jh Kc", True, id="a flush"),
        pytest.param("Jk Ad Kh 9d 5s 2c", True, id="joker and ace"),
        pytest.param("Jk Kd 9h 7d 5s 2c", False, id="the joker alone"),
        pytest.param("Ad Kd 9h 7d 5s 2c", False, id="ace high"),
    ],
)
def test_670a_11_g_a_pair_of_eights_or_better_is_what_the_dealer_needs(dealer: str, stands: bool) -> None:
    both = settled(sheet(REF), {5: MAIN}, {0: dealer}, decisions=[double_down(5)])
    assert (both.line("5.double_down").outcome != "returned") is stands


def test_R17_the_odds_of_a_double_down_are_its_tables() -> None:
    hand, low, _ = BRANCHES["(f)(3)"]
    doubled(hand, low, EIGHTS, sheet(REF, lines={"double_down": pays(win=3)})).lines(
        ("5.main", "win", 20_00, 20_00, 0), ("5.double_down", "win", 60_00, 20_00, 0)
    )


# (h)(1) Fortune Bonus and its envy


@pytest.mark.parametrize(
    ("hand", "odds"),
    [
        ("9c 9d 4c 4d 2h 2d", None),
        ("9c 9d 4c 4d 2h 7d", None),
        ("Ac Ad Kc Qd 2h 7d", None),
        ("9c 9d 9h 4d 2h 7d", 5),
        ("4d 5c 6d 7h 8d Td", 7),
        ("4d 5c 6d 7h 8d 9d", 10),
        ("2h 5h 7h 9h Jh Kh", 20),
        ("2h 5h 7h 9h Jh Kd", 10),
        ("9c 9d 9h 4d 4h 7d", 15),
        ("9c 9d 9h 4d 4h 4c", 40),
        ("9c 9d 9h 9s 4h 4d", 50),
        ("4h 5h 6h 7h 8h Kd", 100),
        ("Ah Kh Qh Jh Th 2d", 250),
        ("Ah Kh Qh Jh Jk 2d", 250),
        ("Ac Ad Ah As Jk 4h", 1000),
        ("4h 5h 6h 7h 8h 9h", 2000),
        ("9h 9d Jk Ad As 2h", 15),
    ],
)
def test_670a_11_h_1_i_A_and_B_three_of_a_kind_or_higher_is_paid(hand: str, odds: int | None) -> None:
    outcome = beside(FORTUNE, hand)
    line = outcome.line("5.fortune")
    if odds is None:
        assert (line.outcome, line.cite, line.won_cents) == ("lose", "670a.11(h)(1)(i)(A)", 0)
    else:
        assert (line.outcome, line.cite, line.won_cents) == ("win", "670a.11(h)(1)(i)(B)", odds * 5_00)
        assert line.returned_cents == 5_00
    assert line.ruling is None


def test_670a_11_h_the_six_cards_are_rearranged_however_they_were_set() -> None:
    """Three nines parted, and a foul: the bonus counts the six cards."""
    hand = "9c 9d 9h 4d 2h 7d"
    for low in ("9c", "7d"):
        outcome = settled(sheet(REF), {5: FORTUNE}, {0: NOTHING.replace("9d", "9s"), 5: hand}, lows={5: low})
        assert outcome.line("5.fortune").won_cents == 25_00
    foul = settled(sheet(REF), {5: INSURED}, {0: NOTHING, 5: "Qh Td 7c 6d 5h 3d"}, lows={5: "Qh"})
    assert (foul.line("5.main").cite, foul.line("5.insurance").outcome) == ("670a.11(f)(1)(v)", "win")


QUADS = ("3c 3d 3h 3s Qh 7d", "Tc Td Th Ts 5d 8h")
"""Two hands that qualify for envy."""
JUST_ENVY = {6: FORTUNE, 5: MAIN}


def test_670a_11_h_1_i_C_a_qualifying_hand_without_a_fortune_wager_pays_envy_to_others() -> None:
    outcome = settled(sheet(REF), JUST_ENVY, {0: NOTHING, 5: QUADS[0]})
    assert envy_lines(outcome) == [(6, 5, "fortune", 5_00)]
    assert said(outcome, "6.envy.fortune.5") == ("win", "670a.11(h)(1)(ii)", "R13")
    assert [line for line in outcome.settled() if line.line_id == "5.fortune"] == []


def test_670a_11_h_1_ii_each_of_several_qualifying_hands_pays() -> None:
    outcome = settled(sheet(REF), {6: FORTUNE, 5: FORTUNE, 4: MAIN}, {0: NOTHING, 5: QUADS[0], 4: QUADS[1]})
    assert envy_lines(outcome) == [(6, 5, "fortune", 5_00), (6, 4, "fortune", 5_00), (5, 4, "fortune", 5_00)]


def test_670a_11_h_1_ii_no_envy_for_ones_own_hand() -> None:
    assert envy_lines(settled(sheet(REF), {5: FORTUNE}, {0: NOTHING, 5: QUADS[0]})) == []


def test_670a_11_h_1_ii_no_envy_for_the_hand_of_the_dealer() -> None:
    assert envy_lines(settled(sheet(REF), {5: FORTUNE}, {0: QUADS[0], 5: NOTHING})) == []


def test_R13_no_envy_for_the_other_hand_of_the_same_player() -> None:
    content = sheet(REF, two_hands="any")
    stakes, hands = {6: FORTUNE, 5: FORTUNE}, {0: NOTHING, 5: QUADS[0]}
    assert envy_lines(settled(content, stakes, hands, seats={6: "P1", 5: "P1"})) == []
    assert envy_lines(settled(content, stakes, hands, seats={6: "P1", 5: "P2"})) == [(6, 5, "fortune", 5_00)]


def test_R13_no_envy_below_the_minimum_and_none_for_a_spot_that_nobody_plays() -> None:
    below = {6: {"main": 20_00, "fortune": 4_99}, 5: MAIN}
    assert envy_lines(settled(sheet(REF), below, {0: NOTHING, 5: QUADS[0]})) == []
    assert envy_lines(settled(sheet(REF), {6: FORTUNE}, {0: NOTHING, 5: QUADS[0]})) == []


def test_R13_a_fouled_hand_that_qualifies_still_pays_envy_to_others() -> None:
    """King high beside an ace low, out of a straight."""
    content = sheet(REF, envy={"fortune": {"straight": 7_00}})
    hands = {0: NOTHING, 5: "Ac Kd Qd Jh Th 3c"}
    table = played(content, JUST_ENVY, hands, lows={5: "Ac"})
    assert table.findings() == [("hand.foul", 5)]
    assert envy_lines(table.when(settle())) == [(6, 5, "fortune", 7_00)]


# (h)(2) Insurance


@pytest.mark.parametrize(
    ("hand", "odds"),
    [
        ("Kh Td 8c 5d 3h 2d", 2),
        ("Qh Td 8c 5d 3h 2d", 3),
        ("Jh Td 8c 5d 3h 2d", 6),
        ("Th 9c 8c 5d 3h 2d", 15),
        ("9h 8d 7c 5d 3h 2d", 50),
        ("8h 7d 6c 5d 3h 2d", 200),
    ],
)
def test_670a_11_h_2_ii_king_high_or_less_is_paid_by_its_top_card(hand: str, odds: int) -> None:
    line = beside(INSURED, hand).line("5.insurance")
    assert (line.outcome, line.cite, line.ruling) == ("win", "670a.11(h)(2)(ii)", None)
    assert (line.won_cents, line.returned_cents) == (odds * 5_00, 5_00)


def test_670a_11_h_2_ii_one_line_may_stand_for_all_of_them_and_an_exact_one_goes_before() -> None:
    content = sheet(REF, lines={"insurance": pays(queen_high=9, king_high_or_less=2)})
    assert beside(INSURED, "Kh Td 8c 5d 3h 2d", content).line("5.insurance").won_cents == 10_00
    assert beside(INSURED, "Qh Td 8c 5d 3h 2d", content).line("5.insurance").won_cents == 45_00


@pytest.mark.parametrize(
    ("hand", "ruling"),
    [
        pytest.param("3h 3d 8c 5d Th 2d", None, id="a pair"),
        pytest.param("Ah Td 8c 5d 3h 2d", None, id="ace high"),
        pytest.param("8h 7d 6c 5d 4h Qd", None, id="a straight"),
        pytest.param("2h 5h 7h 9h Jh Kd", None, id="a flush"),
        pytest.param("Jk Td 8c 5d 3h 2d", "R22", id="the joker alone"),
        pytest.param("Jk Ad 8c 5d 3h 2d", None, id="the joker with an ace: a pair"),
        pytest.param("Jk 7d 8c 5d 6h 2d", None, id="the joker in a straight"),
    ],
)
def test_670a_11_h_2_i_and_R22_better_than_king_high_is_collected(hand: str, ruling: str | None) -> None:
    outcome = beside(INSURED, hand)
    assert said(outcome, "5.insurance") == ("lose", "670a.11(h)(2)(i)", ruling)
    assert outcome.line("5.insurance").returned_cents == 0


def test_a_hand_of_king_high_or_less_without_a_line_loses_by_the_tables_word() -> None:
    content = sheet(REF, lines={"insurance": pays(king_high=2)})
    outcome = beside(INSURED, "Qh Td 8c 5d 3h 2d", content)
    assert said(outcome, "5.insurance") == ("lose", "670a.11(h)(2)(ii): the table has no line for the hand", None)


# (h)(3) Progressive and its envy


@pytest.mark.parametrize(
    ("hand", "wins"),
    [
        ("9c 9s 9h 4d 2h 7d", None),
        ("9c 9s 4s 4d 2h 7d", None),
        ("4d 5c 6d 7h 8d Td", 5),
        ("4d 5c 6d 7h 8d 9h", 5),
        ("2h 5h 7h 9h Jh Kd", 8),
        ("2h 5h 7h 9h Jh Kh", 15),
        ("9c 9s 9h 4d 4h 7d", 20),
        ("9c 9s 9h 4d 4h 4s", 20),
    ],
)
def test_670a_11_h_3_i_A_and_B_a_straight_or_better_is_paid_for_1(hand: str, wins: int | None) -> None:
    line = beside(PROGRESSIVE, hand).line("5.progressive")
    expected = ("lose", "670a.11(h)(3)(i)(A)") if wins is None else ("win", "670a.11(h)(3)(i)(B)")
    assert (line.outcome, line.cite) == expected
    assert (line.won_cents, line.returned_cents, line.ruling) == ((wins or 0) * 1_00, 0, None)


def test_670a_11_h_3_i_B_a_percentage_is_paid_by_the_meter_and_cut_to_the_cent_R21() -> None:
    """A tenth of the major level: 10,000 dollars and the stake's own 18 cents."""
    line = beside(PROGRESSIVE, "4h 5h 6h 7h 8h Kd").line("5.progressive")
    assert (line.won_cents, line.paid_by, line.odds) == (1000_01, "meter", "10% of major")
    assert (line.cite, line.ruling) == ("670a.11(h)(3)(i)(B)", "R21")


def test_670a_11_h_3_i_C_and_ii_a_qualifying_hand_pays_every_other_progressive_wager() -> None:
    """Seat 5 has no progressive wager; seat 6's dollar earns envy, there is no minimum (R13)."""
    outcome = settled(sheet(REF), {6: PROGRESSIVE, 5: MAIN, 4: MAIN}, {0: NOTHING, 5: QUADS[0]})
    assert envy_lines(outcome) == [(6, 5, "progressive", 2_00)]
    assert said(outcome, "6.envy.progressive.5") == ("win", "670a.11(h)(3)(ii)", "R13")


def test_670a_11_h_3_ii_each_of_several_hands_pays_none_ones_own_and_none_the_dealers() -> None:
    stakes = {6: PROGRESSIVE, 5: PROGRESSIVE}
    both = settled(sheet(REF), stakes, {0: "Kc Js 9d 6h 4c 2s", 6: QUADS[1], 5: QUADS[0]})
    assert envy_lines(both) == [(6, 5, "progressive", 2_00), (5, 6, "progressive", 2_00)]
    dealers = settled(sheet(REF), stakes, {0: QUADS[0], 6: "Kc Js 9d 6h 4c 2s", 5: "Kd Jh 9s 6c 4d 2h"})
    assert envy_lines(dealers) == []


def test_670a_11_h_fortune_envy_comes_before_progressive_envy() -> None:
    both = {"main": 20_00, "fortune": 5_00, "progressive": 1_00}
    outcome = settled(sheet(REF), {6: both, 5: both, 4: MAIN}, {0: NOTHING, 4: QUADS[0]})
    assert envy_lines(outcome) == [
        (6, 4, "fortune", 5_00),
        (5, 4, "fortune", 5_00),
        (6, 4, "progressive", 2_00),
        (5, 4, "progressive", 2_00),
    ]


def test_670a_11_i_every_optional_wager_is_settled_with_its_seat() -> None:
    stakes = {"main": 20_00, "progressive": 1_00, "insurance": 5_00, "fortune": 5_00}
    outcome = settled(sheet(REF), {6: MAIN, 5: stakes, 4: MAIN}, {0: NOTHING}, decisions=[double_down(5)])
    assert [line.line_id for line in outcome.settled()] == [
        "6.main",
        "5.main",
        "5.double_down",
        "5.fortune",
        "5.insurance",
        "5.progressive",
        "4.main",
    ]


@pytest.mark.parametrize("wager", ["fortune", "insurance", "progressive"])
def test_an_optional_wager_that_the_sheet_lacks_is_not_on_offer(wager: str) -> None:
    order = place(5, wager, 1_00)
    open_at(sheet(REF, off=[wager])).given(place(5, "main", 20_00)).when(order).refused("wager.not-offered")
    open_at(sheet(REF)).given(place(5, "main", 20_00)).when(order).accepted()
