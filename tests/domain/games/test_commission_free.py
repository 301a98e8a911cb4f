"""Commission-free Pai Gow Poker, 645c.1(c) to (g) paragraph by paragraph, with R9 and R10."""

from __future__ import annotations

import pytest

from domain.rounds.events import HandReset
from domain.sheets.node import SheetInvalid
from domain.sheets.reading import read_sheet
from tests.domain.games.playing import envy_lines, open_at, pays, played, said, settled, sheet
from tests.domain.rounds.table import Outcome, back, forfeit, place, reset_hand, settle, toke

REF = "commission-free@1"
TIGER_9 = "Tc Td 9h 7h 6s 3d 2c"
"""The dealer's T-T-6-3-2 with 9-7 low."""
QUEEN_HIGH = "Qs Jd 9c 7h 6s 3d 2c"
"""The dealer's Q-7-6-3-2 with J-9 low: no Tiger 9."""
WINS = "As Ad Kh Th 8c 5h 4h"
LOSES = "Jc Ts 8s 5s 4s 3c 2h"
PUSHES = "9s 9d 7s 6d 5c 4c 2d"
FOUL = ("Kh Kd Qc Js 8h 5h 4h", "Kh Kd")

MAIN = {"main": 20_00}
TIGER = {"main": 20_00, "tiger_9": 5_00}
ALL = {"main": 20_00, "tiger_9": 5_00, "fortune": 5_00, "progressive": 1_00}
PUSHED = "645c.1(e)(1): the dealer has a Tiger 9"


def against(dealer: str, hand: str, *, low: str | None = None) -> Outcome:
    """Seat 5 has a main and a Tiger 9 wager; its hand is set the house way, or with `low` low."""
    return settled(sheet(REF), {5: TIGER}, {0: dealer, 5: hand}, lows={} if low is None else {5: low})


# (a) No vigorish


def test_645c_1_a_a_sheet_with_commission_is_refused() -> None:
    with pytest.raises(SheetInvalid, match=r"^sheet\.commission: "):
        read_sheet(sheet(REF, commission={"bp": 500, "rounding": "half_up"}))
    assert read_sheet(sheet(REF)).commission is None


def test_645c_1_a_a_winning_main_wager_is_paid_whole() -> None:
    against(QUEEN_HIGH, WINS).lines(("5.main", "win", 20_00, 20_00, 0), ("5.tiger_9", "lose", 0, 0, 0))


# (e)(1) The dealer has a Tiger 9


@pytest.mark.parametrize("hand", [WINS, LOSES, PUSHES], ids=["would win", "would lose", "would push"])
def test_645c_1_e_1_a_tiger_9_pushes_every_main_wager(hand: str) -> None:
    outcome = settled(sheet(REF), {5: MAIN}, {0: TIGER_9, 5: hand})
    assert said(outcome, "5.main") == ("push", PUSHED, None)
    outcome.lines(("5.main", "push", 0, 20_00, 0))


def test_R9_a_foul_is_pushed_too() -> None:
    outcome = against(TIGER_9, FOUL[0], low=FOUL[1])
    assert said(outcome, "5.main") == ("push", PUSHED, "R9")
    assert outcome.line("5.main").returned_cents == 20_00


def test_645c_1_e_1_backers_and_tokes_go_back_as_the_main_wager_does() -> None:
    content = sheet(REF, wagers={"main": {"toke_max_cents": 5_00}})
    further = [back(5, "B1", 10_00), toke(5, "main", 1_00)]
    settled(content, {5: MAIN}, {0: TIGER_9}, further=further).lines(
        ("5.main", "push", 0, 20_00, 0), ("5.main.toke", "push", 0, 1_00, 0), ("5.main.by.B1", "push", 0, 10_00, 0)
    )


def test_645c_1_e_1_a_forfeited_main_wager_stays_lost_R23() -> None:
    table = played(sheet(REF), {5: TIGER}, {0: TIGER_9}, decisions=[forfeit(5, "main")])
    outcome = table.when(settle())
    assert said(outcome, "5.main")[::2] == ("forfeited", "R23")
    assert outcome.line("5.tiger_9").outcome == "win"


def test_645c_1_e_1_and_g_a_tiger_9_wager_is_paid_30_to_1() -> None:
    outcome = against(TIGER_9, LOSES)
    assert said(outcome, "5.tiger_9") == ("win", "645c.1(e)(1), (g)", None)
    line = outcome.line("5.tiger_9")
    assert (line.won_cents, line.returned_cents, line.odds, line.hand) == (150_00, 5_00, "30 to 1", "tiger_9")


@pytest.mark.parametrize(
    ("dealer", "tiger"),
    [
        pytest.param("Ts Td 9c 7h 6d 3s 2c", True, id="9-7"),
        pytest.param("Ts Td 9c 8h 6d 3s 2c", True, id="9-8"),
        pytest.param("Ts Td Th 9c 2d 3s 3c", False, id="3-3 under a full house"),
        pytest.param("Js Td 9c 8h 7d 9s 2c", True, id="9-2 beside a straight"),
        pytest.param("Ts Td 8c 7h 6d 3s 2c", False, id="8-7"),
        pytest.param("9s 9d Tc 7h 6d 3s 2c", False, id="T-7"),
        pytest.param("As Ad 9c 9h Kd 3s 2c", False, id="a pair of nines"),
        pytest.param("Jk Ad 9c 7h 6d 3s 2c", True, id="9-7 under joker and ace"),
    ],
)
def test_645c_1_h_a_tiger_9_is_a_nine_high_without_a_pair_low(dealer: str, tiger: bool) -> None:
    outcome = settled(sheet(REF), {5: TIGER}, {0: dealer})
    assert (outcome.line("5.tiger_9").outcome == "win") is tiger
    assert (outcome.line("5.main").cite == PUSHED) is tiger


def test_645c_1_d_the_house_way_settles_whatever_low_hand_the_dealer_showed() -> None:
    """9-6 was laid low; the house way lays J-9."""
    table = played(sheet(REF), {5: TIGER}, {0: QUEEN_HIGH, 5: LOSES}, lows={0: "9c 6s"})
    assert table.findings() == [("dealer.not-house-way", None)]
    assert table.when(settle()).line("5.tiger_9").outcome == "lose"


# (e)(2) The dealer has none


@pytest.mark.parametrize(
    ("hand", "low", "expected"),
    [
        pytest.param(WINS, None, ("win", "645c.1(e)(2), 645a.11(f): both hands beat the dealer's", None), id="win"),
        pytest.param(
            PUSHES, None, ("push", "645c.1(e)(2), 645a.11(f): one hand wins, one loses", None), id="one of two"
        ),
        pytest.param(
            LOSES, None, ("lose", "645c.1(e)(2), 645a.11(f): the dealer wins both, ties are his", None), id="none"
        ),
        pytest.param(
            "Qd Js 9h 7c 6c 3h 2s",
            None,
            ("lose", "645c.1(e)(2), 645a.11(f): the dealer wins both, ties are his", None),
            id="two copies",
        ),
        pytest.param(*FOUL, ("lose", "645c.1(e)(2), 645a.11(f): a foul hand loses", None), id="a foul"),
    ],
)
def test_645c_1_e_2_without_a_tiger_9_the_main_wager_is_settled_by_645a_11_f(
    hand: str, low: str | None, expected: tuple[str, str, str | None]
) -> None:
    outcome = against(QUEEN_HIGH, hand, low=low)
    assert said(outcome, "5.main") == expected
    assert said(outcome, "5.tiger_9") == ("lose", "645c.1(e)(2): the dealer has no Tiger 9", None)


# (c) and (f) Fortune and progressive


@pytest.mark.parametrize("wager", ["tiger_9", "fortune", "progressive"])
def test_645c_1_c_additional_wagers_need_the_main_wager_and_an_offer(wager: str) -> None:
    order = place(5, wager, 1_00)
    table = open_at(sheet(REF))
    table.when(order).refused("wager.needs-main")
    table.given(place(5, "main", 20_00)).when(order).accepted()
    open_at(sheet(REF, off=[wager])).given(place(5, "main", 20_00)).when(order).refused("wager.not-offered")


@pytest.mark.parametrize("dealer", [TIGER_9, QUEEN_HIGH])
def test_645c_1_f_fortune_and_progressive_are_settled_with_and_without_a_tiger_9(dealer: str) -> None:
    outcome = settled(sheet(REF), {5: ALL}, {0: dealer, 5: "4s 4d 4h 4c Kh 8h 5d"})
    assert said(outcome, "5.fortune") == ("win", "645c.1(f), 645a.11(h), 645a.7(e)(1)", None)
    assert said(outcome, "5.progressive") == ("win", "645c.1(f), 645a.11(h), 645a.7(e)(4)", None)
    assert [outcome.line(f"5.{id_}").won_cents for id_ in ("fortune", "progressive")] == [100_00, 75_00]


@pytest.mark.parametrize("dealer", [TIGER_9, QUEEN_HIGH])
def test_645c_1_f_losing_fortune_and_progressive_wagers_do_not_push_with_the_main(dealer: str) -> None:
    outcome = settled(sheet(REF), {5: ALL}, {0: dealer, 5: "Kh Kd 8s 5d 4c 3h 2h"})
    assert [outcome.line(f"5.{id_}").outcome for id_ in ("fortune", "progressive")] == ["lose", "lose"]
    assert outcome.line("5.fortune").cite == "645c.1(f), 645a.11(h), 645a.7(e)(1)"


def test_645c_1_f_the_tiger_9_wager_comes_after_the_main_and_before_fortune() -> None:
    outcome = settled(sheet(REF), {5: ALL}, {0: TIGER_9})
    assert [line.wager for line in outcome.settled()] == ["main", "tiger_9", "fortune", "progressive"]


def test_645c_1_f_envy_of_fortune_and_of_the_progressive_wager() -> None:
    content = sheet(REF, envy={"fortune": {"four_of_a_kind": 7_00}, "progressive": {"four_of_a_kind": 3_00}})
    outcome = settled(content, {6: ALL, 5: MAIN}, {0: TIGER_9, 5: "4s 4d 4h 4c Kh 8h 5d"})
    assert envy_lines(outcome) == [(6, 5, "fortune", 7_00), (6, 5, "progressive", 3_00)]
    for kind in ("fortune", "progressive"):
        assert said(outcome, f"6.envy.{kind}.5") == ("win", "645c.1(f), 645a.11(h)", "R13")


def test_645c_1_f_envy_by_the_sample_needs_more_than_four_of_a_kind() -> None:
    outcome = settled(sheet(REF), {6: ALL, 5: MAIN}, {0: TIGER_9, 5: "4s 4d 4h 4c Kh 8h 5d"})
    assert envy_lines(outcome) == []


def test_R16_the_main_wager_pays_by_its_table() -> None:
    content = sheet(REF, lines={"main": pays(win=2)})
    settled(content, {5: MAIN}, {0: QUEEN_HIGH, 5: WINS}).lines(("5.main", "win", 40_00, 20_00, 0))


# R10


def test_R10_a_foul_loses_and_the_floor_resets_none() -> None:
    table = played(sheet(REF), {5: MAIN}, {0: QUEEN_HIGH, 5: FOUL[0]}, lows={5: FOUL[1]})
    table.when(reset_hand(5)).refused("hand.reset-refused")
    assert table.when(settle()).line("5.main").outcome == "lose"


def test_R10_lose_or_reset_lets_the_floor_reset_a_foul_the_house_way() -> None:
    content = sheet(REF, options={"R10": "lose_or_reset"})
    table = played(content, {5: MAIN}, {0: QUEEN_HIGH, 5: FOUL[0]}, lows={5: FOUL[1]})
    assert table.when(reset_hand(5)).one(HandReset).rule == "one pair: the pair high, the next two cards low"
    assert table.when(settle()).line("5.main").outcome == "win"


def test_R9_and_R10_a_reset_hand_is_no_foul_any_more() -> None:
    content = sheet(REF, options={"R10": "lose_or_reset"})
    table = played(content, {5: MAIN}, {0: TIGER_9, 5: FOUL[0]}, lows={5: FOUL[1]}).given(reset_hand(5))
    assert said(table.when(settle()), "5.main") == ("push", PUSHED, None)
