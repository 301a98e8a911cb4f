"""Pai Gow Poker, 645a.11 as other sections cite it and seed 004 completes it, with R7, R8, R10 and R12."""

from __future__ import annotations

import pytest

from domain.rounds.events import HandReset, HandSet
from tests.domain.games.playing import (
    dealt,
    envy_lines,
    open_at,
    pays,
    played,
    said,
    settled,
    sheet,
    went_back,
)
from tests.domain.rounds.table import (
    Content,
    Outcome,
    back,
    bank,
    forfeit,
    house_way,
    place,
    reset_hand,
    set_low,
    settle,
    toke,
    void,
)

REF = "pai-gow-pa@1"
QUEEN_HIGH = "Qs Jd 9c 7h 6s 3d 2c"
"""The dealer's Q-7-6-3-2 with J-9 low."""
WINS = "As Ad Kh Th 8c 5h 4h"
LOSES = "Jc Ts 8s 5s 4s 3c 2h"
PUSHES = "9s 9d 7s 6d 5c 4c 2d"
COPIES = "Qd Js 9h 7c 6c 3h 2s"
FOUL = ("Kh Kd Qc Tc 8h 5h 4h", "Kh Kd")
QUADS = "4s 4d 4h 4c Kh 8h 5d"
F = "645a.11(f), as seed 004, "

MAIN = {"main": 20_00}
FORTUNE = {"main": 20_00, "fortune": 5_00}
PROGRESSIVE = {"main": 20_00, "progressive": 1_00}


def against_the_dealer(hand: str, *, low: str | None = None, content: Content | None = None) -> Outcome:
    """Seat 5 against QUEEN_HIGH, set the house way, or with `low` low."""
    lows = {} if low is None else {5: low}
    return settled(content or sheet(REF), {5: MAIN}, {0: QUEEN_HIGH, 5: hand}, lows=lows)


def with_bank(**changes: object) -> Content:
    """The sample with a player bank."""
    return sheet(REF, player_bank=True, **changes)  # type: ignore[arg-type]


# 645a.11(f) The main wager


@pytest.mark.parametrize(
    ("hand", "low", "expected"),
    [
        pytest.param(WINS, None, ("win", f"{F}Object of the Game: both hands beat the banker's", None), id="both won"),
        pytest.param(PUSHES, None, ("push", f"{F}Object of the Game: one hand wins, one loses", None), id="one won"),
        pytest.param(
            LOSES, None, ("lose", f"{F}Object of the Game: the banker wins both, ties are his", None), id="none won"
        ),
        pytest.param(
            COPIES, None, ("lose", f"{F}Object of the Game: the banker wins both, ties are his", None), id="two copies"
        ),
        pytest.param(
            "8s 8d 6d 5c 4s Jc 9d",
            "Jc 9d",
            ("push", f"{F}Object of the Game: one hand wins, one loses", None),
            id="one won, one copied",
        ),
        pytest.param(*FOUL, ("lose", f"{F}Irregularities: a foul hand loses", None), id="a foul"),
    ],
)
def test_645a_11_f_says_what_becomes_of_the_main_wager(
    hand: str, low: str | None, expected: tuple[str, str, str | None]
) -> None:
    assert said(against_the_dealer(hand, low=low), "5.main") == expected


def test_645a_11_f_a_win_is_paid_even_money_less_five_percent() -> None:
    against_the_dealer(WINS).lines(("5.main", "win", 20_00, 20_00, 1_00))


@pytest.mark.parametrize(("hand", "returned"), [(PUSHES, 20_00), (LOSES, 0)])
def test_645a_11_f_no_commission_on_what_is_not_won(hand: str, returned: int) -> None:
    (line,) = against_the_dealer(hand).settled()
    assert (line.returned_cents, line.commission_cents, line.net_cents) == (returned, 0, returned - 20_00)


@pytest.mark.parametrize(
    ("stake", "half_up", "up_to_quarter"),
    [(5_00, 25, 25), (5_01, 25, 50), (5_10, 26, 50), (11_00, 55, 75), (20_00, 1_00, 1_00), (20_09, 1_00, 1_25)],
)
def test_R12_commission_is_rounded_as_the_sheet_says(stake: int, half_up: int, up_to_quarter: int) -> None:
    for rounding, expected in (("half_up", half_up), ("up_to_quarter", up_to_quarter)):
        content = sheet(REF, commission={"bp": 500, "rounding": rounding})
        outcome = settled(content, {5: {"main": stake}}, {0: QUEEN_HIGH, 5: WINS})
        outcome.lines(("5.main", "win", stake, stake, expected))


def test_a_sheet_without_commission_takes_none() -> None:
    content = sheet(REF)
    del content["commission"]
    against_the_dealer(WINS, content=content).lines(("5.main", "win", 20_00, 20_00, 0))


def test_R16_the_main_wager_pays_by_its_table_and_the_commission_is_on_the_win() -> None:
    content = sheet(REF, lines={"main": pays(win=2)})
    against_the_dealer(WINS, content=content).lines(("5.main", "win", 40_00, 20_00, 2_00))


@pytest.mark.parametrize(("wheel", "outcome"), [("second", "win"), ("lowest", "push")])
def test_R7_where_a_wheel_ranks_against_a_king_high_straight(wheel: str, outcome: str) -> None:
    content = sheet(REF, options={"R7": wheel})
    hands = {0: "Kd Qs Jd Th 9h 8c 2s", 5: "Ac 2d 3c 4h 5s Kh Jc"}
    assert settled(content, {5: MAIN}, hands, lows={5: "Kh Jc"}).line("5.main").outcome == outcome


@pytest.mark.parametrize(("token", "foul"), [("equal_legal", False), ("strict", True)])
def test_R8_equal_hands_are_legal_unless_the_sheet_is_strict(token: str, foul: bool) -> None:
    table = dealt(sheet(REF, options={"R8": token}), {5: MAIN}, {0: QUEEN_HIGH, 5: "Ah Kd 8h 5h 4c Ac Kc"})
    assert table.when(set_low(5, "Ac Kc")).one(HandSet).foul is foul


# R10


def test_R10_a_foul_loses_and_the_floor_resets_none() -> None:
    table = played(sheet(REF), {5: MAIN}, {0: QUEEN_HIGH, 5: FOUL[0]}, lows={5: FOUL[1]})
    table.when(reset_hand(5)).refused("hand.reset-refused")
    assert table.when(settle()).line("5.main").outcome == "lose"


def test_R10_lose_or_reset_lets_the_floor_reset_a_foul_while_the_house_banks() -> None:
    content = with_bank(options={"R10": "lose_or_reset"})
    table = played(content, {5: MAIN}, {0: QUEEN_HIGH, 5: FOUL[0]}, lows={5: FOUL[1]})
    assert table.when(reset_hand(5)).one(HandReset).set_by == "floor"
    assert table.when(settle()).line("5.main").outcome == "win"
    banked = dealt(content, {5: MAIN}, {0: QUEEN_HIGH, 5: FOUL[0]}, further=[bank(3)]).given(set_low(5, FOUL[1]))
    banked.when(reset_hand(5)).refused("hand.reset-refused")


# The player bank (645a.11, as seed 004, Player Banker)

BANKER = "Qh Jh 9h 7c 6c 3h 2s"
"""Q-7-6-3-2 with J-9 low: the dealer's QUEEN_HIGH is a copy."""


def test_player_bank_lines_come_house_first_and_the_bank_after_the_seats() -> None:
    content = with_bank()
    outcome = settled(content, {6: FORTUNE, 4: MAIN}, {0: QUEEN_HIGH, 3: BANKER}, further=[bank(3)])
    assert [line.line_id for line in outcome.settled()] == ["0.house", "6.main", "6.fortune", "4.main", "3.bank"]
    assert {line.line_id: line.paid_by for line in outcome.settled()} == {
        "0.house": "bank",
        "6.main": "bank",
        "6.fortune": "house",
        "4.main": "bank",
        "3.bank": "bank",
    }


def test_player_bank_a_surplus_is_the_bankers_less_five_percent() -> None:
    """The house's five dollars are a copy, 40 are lost to him, 20 are won from him."""
    stakes, hands = {6: MAIN, 5: {"main": 40_00}}, {0: QUEEN_HIGH, 3: BANKER, 6: WINS.replace("Th", "Td"), 5: LOSES}
    outcome = settled(with_bank(), stakes, hands, further=[bank(3)])
    outcome.lines(
        ("0.house", "lose", 0, 0, 0),
        ("6.main", "win", 20_00, 20_00, 1_00),
        ("5.main", "lose", 0, 0, 0),
        ("3.bank", "win", 25_00, 65_00, 1_25),
    )
    assert said(outcome, "3.bank") == ("win", "645a.11, as seed 004, Paying and Taking: Player Banker", None)


def test_player_bank_a_shortage_is_paid_by_the_banker() -> None:
    stakes, hands = {6: {"main": 40_00}, 5: MAIN}, {0: QUEEN_HIGH, 3: BANKER, 6: WINS.replace("Th", "Td"), 5: LOSES}
    outcome = settled(with_bank(), stakes, hands, further=[bank(3)])
    assert said(outcome, "3.bank") == ("lose", "645a.11, as seed 004, Paying and Taking: Player Banker", None)
    line = outcome.line("3.bank")
    assert (line.stake_cents, line.won_cents, line.returned_cents, line.net_cents) == (65_00, 0, 50_00, -15_00)
    assert line.commission_cents == 0


def test_player_bank_an_even_round_pushes() -> None:
    stakes, hands = {6: {"main": 25_00}, 5: MAIN}, {0: QUEEN_HIGH, 3: BANKER, 6: WINS.replace("Th", "Td"), 5: LOSES}
    outcome = settled(with_bank(), stakes, hands, further=[bank(3)])
    assert said(outcome, "3.bank") == ("push", "645a.11, as seed 004, Paying and Taking: Player Banker", None)
    assert outcome.line("3.bank").net_cents == 0


def test_player_bank_a_fouled_bankers_hand_is_reset_the_house_way() -> None:
    content = with_bank()
    table = dealt(content, {5: MAIN}, {0: QUEEN_HIGH, 3: FOUL[0], 5: LOSES}, further=[bank(3)])
    outcome = table.given(house_way(5), set_low(3, FOUL[1])).when(settle())
    assert outcome.findings == [("bank.foul-reset", 3)]
    assert outcome.line("5.main").outcome == "lose"


def test_player_bank_no_toke_rides_on_a_main_wager() -> None:
    content = with_bank(wagers={"main": {"toke_max_cents": 5_00}, "fortune": {"toke_max_cents": 4_00}})
    table = open_at(content).given(place(5, "main", 20_00), place(5, "fortune", 5_00), bank(3))
    table.when(toke(5, "main", 1_00)).refused("wager.main-toke-with-bank")
    table.when(toke(5, "fortune", 1_00)).accepted()


def test_player_bank_bonus_and_envy_stay_the_houses() -> None:
    content = with_bank()
    stakes, hands = {6: FORTUNE, 5: FORTUNE}, {0: QUEEN_HIGH, 3: BANKER, 5: QUADS.replace("Kh", "Kd")}
    outcome = settled(content, stakes, hands, further=[bank(3)])
    assert {outcome.line(id_).paid_by for id_ in ("5.fortune", "6.fortune", "6.envy.fortune.5")} == {"house"}
    assert outcome.settled()[-1].wager == "envy"


def test_player_bank_commission_of_a_backer_is_the_seats() -> None:
    outcome = settled(
        with_bank(),
        {6: MAIN},
        {0: QUEEN_HIGH, 3: BANKER, 6: WINS.replace("Th", "Td")},
        further=[back(6, "B1", 10_00), bank(3)],
    )
    assert outcome.line("6.main").commission_cents == 1_50
    assert outcome.line("6.main.by.B1").commission_cents == 0


# 645a.11(h) Fortune, progressive and envy


@pytest.mark.parametrize(
    ("hand", "odds"),
    [
        pytest.param("9s 9d 7s 7d 4h 4c Kd", None, id="three pairs"),
        pytest.param("4s 5d 6h 7d 8h Kc 2c", 2, id="a straight"),
        pytest.param("9s 9d 9h 7d 4h 3c Kd", 3, id="three of a kind"),
        pytest.param("9s 9d 9h 7d 7h 3c Kd", 5, id="a full house"),
        pytest.param(QUADS, 25, id="four of a kind"),
        pytest.param("As Ks Qs Js Ts Kd Qd", 2000, id="royal flush and royal match"),
    ],
)
def test_645a_11_h_fortune_is_paid_by_the_table_without_commission(hand: str, odds: int | None) -> None:
    outcome = settled(sheet(REF), {5: FORTUNE}, {5: hand})
    outcome_, cite, ruling = said(outcome, "5.fortune")
    assert (outcome_, cite, ruling) == ("lose" if odds is None else "win", "645a.11(h), 645a.7(e)(1)", None)
    line = outcome.line("5.fortune")
    assert (line.won_cents, line.commission_cents) == ((odds or 0) * 5_00, 0)


@pytest.mark.parametrize(("hand", "wins"), [("9s 9d 9h 7d 4h 3c Kd", None), ("9s 9d 9h 7d 7h 3c Kd", 4), (QUADS, 75)])
def test_645a_11_h_the_progressive_is_paid_for_1_by_the_table(hand: str, wins: int | None) -> None:
    outcome = settled(sheet(REF), {5: PROGRESSIVE}, {5: hand})
    expected = ("lose" if wins is None else "win", "645a.11(h), 645a.7(e)(4)", None)
    assert said(outcome, "5.progressive") == expected
    line = outcome.line("5.progressive")
    assert (line.won_cents, line.returned_cents) == ((wins or 0) * 1_00, 0)


def test_645a_11_h_envy_of_either_kind_is_paid_for_another_players_hand() -> None:
    stakes = {6: {**FORTUNE, **PROGRESSIVE}, 5: MAIN}
    outcome = settled(sheet(REF), stakes, {0: QUEEN_HIGH, 5: QUADS})
    assert envy_lines(outcome) == [(6, 5, "fortune", 5_00), (6, 5, "progressive", 3_00)]
    assert said(outcome, "6.envy.fortune.5") == ("win", "645a.11(h), as seed 004, Envy Bonus", "R13")
    assert said(outcome, "6.envy.progressive.5") == (
        "win",
        "645a.11(h), the sheet's progressive envy table",
        "R13",
    )


def test_645a_11_h_no_envy_for_the_dealers_hand_or_ones_own() -> None:
    stakes = {6: {**FORTUNE, **PROGRESSIVE}, 5: MAIN}
    assert envy_lines(settled(sheet(REF), stakes, {0: QUADS})) == []
    assert envy_lines(settled(sheet(REF), stakes, {0: QUEEN_HIGH, 6: QUADS})) == []


def test_645a_11_h_envy_for_the_bankers_hand() -> None:
    outcome = settled(with_bank(), {6: FORTUNE}, {0: QUEEN_HIGH, 3: QUADS}, further=[bank(3)])
    assert envy_lines(outcome) == [(6, 3, "fortune", 5_00)]


# Abandoned wagers and voids


def test_R23_a_forfeited_main_goes_to_the_bank_that_it_was_against() -> None:
    further = [bank(3)]
    hands = {0: QUEEN_HIGH, 3: BANKER, 6: WINS.replace("Th", "Td")}
    outcome = settled(with_bank(), {6: MAIN}, hands, further=further, decisions=[forfeit(6, "main")])
    outcome.lines(("0.house", "lose", 0, 0, 0), ("6.main", "forfeited", 0, 0, 0), ("3.bank", "win", 25_00, 25_00, 1_25))


def test_a_void_returns_every_wager_whole_before_and_after_settling() -> None:
    stakes = {6: {**FORTUNE, **PROGRESSIVE}, 5: MAIN}
    expected = {"6.main": 20_00, "6.fortune": 5_00, "6.progressive": 1_00, "5.main": 20_00}
    table = played(sheet(REF), stakes, {0: QUEEN_HIGH, 6: QUADS})
    assert went_back(table.when(void())) == expected
    settled_first = played(sheet(REF), stakes, {0: QUEEN_HIGH, 6: QUADS}).given(settle())
    assert went_back(settled_first.when(void())) == expected
