"""High Card Flush, 678a.11(b) to (e) paragraph by paragraph, with R5, R6, R16 and R18."""

from __future__ import annotations

import pytest

from domain.rounds.events import Folded, Raised
from tests.domain.games.playing import dealt, open_at, pays, played, said, settled, sheet, went_back
from tests.domain.rounds.table import Outcome, fold, forfeit, place, raise_, settle, void

REF = "high-card-flush@1"
QUALIFIES = "9c 7c 5c 4d 3h 2s Kd"
"""The dealer's nine high in three clubs."""
EIGHT_HIGH = "8c 7c 5c 4d 3h 2s Kd"
"""The dealer's eight high in three clubs."""

HANDS = {
    2: "Ah Kh Qd Jd Tc 8c 6s",
    3: "Ah Kh 2h Qd Jd Tc 6s",
    4: "Ah Kh 8h 2h Qd Jd Ts",
    5: "Ah Kh 8h 6h 2h Qd Js",
    6: "Ah Kh Th 8h 6h 2h Qd",
    7: "Ah Kh Th 8h 6h 4h 2h",
}
"""Cards by the length of their flush; none has three of one suit in a row."""

ANTE = {"ante": 10_00}
BONUS = {"ante": 10_00, "flush_bonus": 5_00}
STRAIGHT = {"ante": 10_00, "straight_flush_bonus": 5_00}
PROGRESSIVE = {"ante": 10_00, "progressive": 1_00}
ALL = {"ante": 10_00, "flush_bonus": 5_00, "straight_flush_bonus": 5_00, "progressive": 1_00}


def against(dealer: str, hand: str) -> Outcome:
    """Seat 5 raises the ante once with these cards."""
    return settled(sheet(REF), {5: ANTE}, {0: dealer, 5: hand})


# (b) Raising, (c) folding


@pytest.mark.parametrize(
    ("length", "most", "paragraph"), [(2, 1, 1), (3, 1, 1), (4, 1, 1), (5, 2, 2), (6, 3, 3), (7, 3, 3)]
)
def test_678a_11_b_a_raise_is_at_most_so_many_antes(length: int, most: int, paragraph: int) -> None:
    """678a.11(b)(1) one ante to four suited cards, (2) two to five, (3) three to six and seven."""
    assert paragraph == most
    table = dealt(sheet(REF), {5: ANTE}, {0: QUALIFIES, 5: HANDS[length]})
    table.when(raise_(5, (most + 1) * 10_00)).refused("raise.limit")
    table.when(raise_(5, most * 10_00)).then(Raised(5, "P5", most * 10_00))


def test_R18_a_raise_is_at_least_the_ante_under_either_token() -> None:
    for token in ("multiples", "any_amount"):
        table = dealt(sheet(REF, options={"R18": token}), {5: ANTE}, {0: QUALIFIES, 5: HANDS[7]})
        table.when(raise_(5, 9_99)).refused("raise.limit")
        table.when(raise_(5, 10_00)).accepted()


@pytest.mark.parametrize("cents", [10_01, 15_00, 20_01, 29_99])
def test_R18_between_whole_multiples_only_any_amount_allows(cents: int) -> None:
    whole = dealt(sheet(REF), {5: ANTE}, {0: QUALIFIES, 5: HANDS[6]})
    assert "R18" in whole.when(raise_(5, cents)).refused("raise.limit")
    free = dealt(sheet(REF, options={"R18": "any_amount"}), {5: ANTE}, {0: QUALIFIES, 5: HANDS[6]})
    free.when(raise_(5, cents)).then(Raised(5, "P5", cents))


def test_R18_any_amount_has_the_hands_maximum_too() -> None:
    table = dealt(sheet(REF, options={"R18": "any_amount"}), {5: ANTE}, {0: QUALIFIES, 5: HANDS[6]})
    table.when(raise_(5, 30_01)).refused("raise.limit")
    table.when(raise_(5, 30_00)).accepted()


def test_an_ante_is_not_backed_by_another_player() -> None:
    """The text on backing is the cardroom's, and speaks of its main wager."""
    table = open_at(sheet(REF)).given(place(5, "ante", 10_00))
    table.when(place(5, "ante", 5_00, bettor="B1")).refused("wager.backer")
    table.when(place(5, "ante", 5_00)).accepted()


def test_678a_11_b_seats_decide_in_any_order() -> None:
    table = dealt(sheet(REF), {6: ANTE, 5: ANTE, 1: ANTE}, {0: QUALIFIES, 5: HANDS[3]})
    table.given(raise_(6, 10_00), fold(1), raise_(5, 10_00)).when(settle()).accepted()


def test_678a_11_c_1_a_raise_is_settled_beside_the_ante() -> None:
    outcome = against(QUALIFIES, HANDS[3])
    outcome.lines(("5.ante", "win", 10_00, 10_00, 0), ("5.raise", "win", 10_00, 10_00, 0))


def test_678a_11_c_2_a_fold_loses_the_ante_even_with_the_better_hand() -> None:
    table = dealt(sheet(REF), {5: ANTE}, {0: QUALIFIES, 5: HANDS[7]})
    table.when(fold(5)).then(Folded(5, "P5"))
    outcome = table.when(settle())
    assert said(outcome, "5.ante") == ("lose", "678a.11(c)(2): folded", None)
    outcome.lines(("5.ante", "lose", 0, 0, 0))


def test_678a_11_c_2_i_optional_wagers_stay_live_after_a_fold() -> None:
    """Five in a row in hearts, and a fold."""
    hand = "9h 8h 7h 6h 5h Kd Qs"
    outcome = settled(sheet(REF), {5: ALL}, {0: QUALIFIES.replace("Kd", "Ks"), 5: hand}, decisions=[fold(5)])
    outcome.lines(
        ("5.ante", "lose", 0, 0, 0),
        ("5.flush_bonus", "win", 50_00, 5_00, 0),
        ("5.straight_flush_bonus", "win", 500_00, 5_00, 0),
        ("5.progressive", "win", 250_00, 0, 0),
    )


def test_678a_11_c_2_ii_without_optional_wagers_a_fold_leaves_the_ante_alone() -> None:
    outcome = settled(sheet(REF), {6: ANTE, 5: ANTE}, {0: QUALIFIES, 5: HANDS[7]}, decisions=[fold(5)])
    assert [line.line_id for line in outcome.settled()] == ["6.ante", "6.raise", "5.ante"]


# (d)(1) The dealer does not qualify


def test_678a_11_d_1_the_ante_wins_and_the_raise_is_returned_whatever_the_player_holds() -> None:
    """A two-card flush, below the dealer's three cards."""
    outcome = against(EIGHT_HIGH, "Ah Kh Qs Jd Tc 9s 7d")
    assert said(outcome, "5.ante") == ("win", "678a.11(d)(1): the dealer does not qualify", None)
    assert said(outcome, "5.raise") == ("returned", "678a.11(d)(1): the dealer does not qualify", None)
    outcome.lines(("5.ante", "win", 10_00, 10_00, 0), ("5.raise", "returned", 0, 10_00, 0))


def test_678a_11_d_1_who_folded_has_lost_although_the_dealer_does_not_qualify() -> None:
    table = played(sheet(REF), {6: ANTE, 5: ANTE}, {0: EIGHT_HIGH}, decisions=[fold(5)])
    table.when(settle()).lines(
        ("6.ante", "win", 10_00, 10_00, 0), ("6.raise", "returned", 0, 10_00, 0), ("5.ante", "lose", 0, 0, 0)
    )


def test_678a_11_d_1_i_optional_wagers_are_settled_by_e() -> None:
    stakes, hands = {5: ALL}, {0: EIGHT_HIGH, 5: "Ah Qh Th 8h 6s 4s 2d"}
    settled(sheet(REF), stakes, hands).lines(
        ("5.ante", "win", 10_00, 10_00, 0),
        ("5.raise", "returned", 0, 10_00, 0),
        ("5.flush_bonus", "win", 5_00, 5_00, 0),
        ("5.straight_flush_bonus", "lose", 0, 0, 0),
        ("5.progressive", "lose", 0, 0, 0),
    )


def test_678a_11_d_1_ii_without_optional_wagers_ante_and_raise_are_all() -> None:
    assert [line.wager for line in against(EIGHT_HIGH, HANDS[3]).settled()] == ["ante", "raise"]


@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        pytest.param("9c 3c 2c Kd Qd Jh Th", True, id="three cards nine high"),
        pytest.param("8c 7c 6c Kd Qd Jh Th", False, id="three cards eight high"),
        pytest.param("5c 4c 3c 2c Kd Qd Jh", True, id="four cards five high"),
        pytest.param("Ac Kc Qd Jd Th 9h 8s", False, id="two cards ace high"),
        pytest.param("8c 7c 6c Ad 3d 2d Kh", True, id="three cards in two suits: the higher counts"),
    ],
)
def test_678a_11_d_the_dealer_needs_a_three_card_flush_nine_high(dealer: str, qualifies: bool) -> None:
    raised = settled(sheet(REF), {5: ANTE}, {0: dealer}).line("5.raise")
    assert (raised.outcome != "returned") is qualifies


# (d)(2) The dealer qualifies


def test_678a_11_d_2_ii_A_a_higher_hand_wins_ante_and_raise() -> None:
    outcome = against(QUALIFIES, HANDS[3])
    for line in ("5.ante", "5.raise"):
        assert said(outcome, line) == ("win", "678a.11(d)(2)(ii)(A)", None)


def test_678a_11_d_2_ii_B_an_equal_hand_pushes_ante_and_raise() -> None:
    outcome = against(QUALIFIES, "9h 7h 5h Ad Qd Jc Ts")
    for line in ("5.ante", "5.raise"):
        assert said(outcome, line) == ("push", "678a.11(d)(2)(ii)(B)", None)
    outcome.lines(("5.ante", "push", 0, 10_00, 0), ("5.raise", "push", 0, 10_00, 0))


def test_678a_11_d_2_ii_C_a_lower_hand_loses_ante_and_raise() -> None:
    outcome = against(QUALIFIES, "9h 7h 4h Ad Qd Jc Ts")
    for line in ("5.ante", "5.raise"):
        assert said(outcome, line) == ("lose", "678a.11(d)(2)(ii)(C)", None)
    outcome.lines(("5.ante", "lose", 0, 0, 0), ("5.raise", "lose", 0, 0, 0))


@pytest.mark.parametrize(
    ("hand", "outcome"),
    [
        pytest.param("6h 5h 4h 2h Kd Qs Js", "win", id="four low cards beat three"),
        pytest.param("9h 7h 5h Kd Qd Ac As", "push", id="cards of other suits are no kickers"),
        pytest.param("9h 8h 2h Kd Qd Jc Ts", "win", id="the second card decides"),
        pytest.param("9h 7h 6h Kd Qd Jc Ts", "win", id="the third card decides"),
        pytest.param("Ah Kh Qd Jd Tc 8c 6s", "lose", id="two cards, ace high"),
        pytest.param("9h 7h 5h Td 6d 2d Ac", "win", id="of two three-card flushes the higher"),
    ],
)
def test_678a_6_flushes_compare_by_length_and_then_card_by_card(hand: str, outcome: str) -> None:
    assert against("9c 7c 5c 4d 3h 2s 8s", hand).line("5.ante").outcome == outcome


def test_678a_11_d_2_a_larger_raise_is_paid_at_the_same_odds() -> None:
    outcome = settled(sheet(REF), {5: ANTE}, {0: QUALIFIES, 5: HANDS[6]}, decisions=[raise_(5, 30_00)])
    outcome.lines(("5.ante", "win", 10_00, 10_00, 0), ("5.raise", "win", 30_00, 30_00, 0))


def test_R16_the_odds_of_ante_and_raise_are_the_tables() -> None:
    content = sheet(REF, lines={"ante": pays(win=2), "raise": pays(win=3)})
    settled(content, {5: ANTE}, {0: QUALIFIES, 5: HANDS[3]}).lines(
        ("5.ante", "win", 20_00, 10_00, 0), ("5.raise", "win", 30_00, 10_00, 0)
    )


# (e) The optional wagers


@pytest.mark.parametrize(("length", "odds"), [(2, None), (3, None), (4, 1), (5, 10), (6, 100), (7, 300)])
def test_678a_11_e_1_a_flush_bonus_pays_four_cards_and_more(length: int, odds: int | None) -> None:
    outcome = settled(sheet(REF), {5: BONUS}, {0: QUALIFIES, 5: HANDS[length]})
    line = outcome.line("5.flush_bonus")
    if odds is None:
        assert (line.outcome, line.cite, line.returned_cents) == ("lose", "678a.11(e)(1)(i)", 0)
    else:
        assert (line.outcome, line.cite, line.returned_cents) == ("win", "678a.11(e)(1)(ii)", 5_00)
        assert line.won_cents == odds * 5_00


RUNS = {
    2: "Kh Qh Tc 9c 7d 6d 4s",
    3: "Kh Qh Jh 9c 7d 6d 4s",
    4: "Kh Qh Jh Th 7d 6d 4s",
    5: "Kh Qh Jh Th 9h 6d 4s",
    6: "Kh Qh Jh Th 9h 8h 4s",
    7: "Kh Qh Jh Th 9h 8h 7h",
}
"""Cards by the length of their straight flush."""


@pytest.mark.parametrize(("length", "odds"), [(2, None), (3, 9), (4, 50), (5, 100), (6, 200), (7, 500)])
def test_678a_11_e_2_a_straight_flush_bonus_pays_three_cards_and_more(length: int, odds: int | None) -> None:
    outcome = settled(sheet(REF), {5: STRAIGHT}, {5: RUNS[length]})
    line = outcome.line("5.straight_flush_bonus")
    if odds is None:
        assert said(outcome, line.line_id) == ("lose", "678a.11(e)(2)(i)", None)
        assert line.returned_cents == 0
    else:
        assert said(outcome, line.line_id) == ("win", "678a.11(e)(2)(ii)", None)
        assert (line.won_cents, line.returned_cents) == (odds * 5_00, 5_00)


@pytest.mark.parametrize(("length", "wins"), [(2, None), (3, 5), (4, 50), (5, 250)])
def test_678a_11_e_3_a_progressive_wager_is_paid_for_1_from_the_tables_lowest_hand(
    length: int, wins: int | None
) -> None:
    line = settled(sheet(REF), {5: PROGRESSIVE}, {5: RUNS[length]}).line("5.progressive")
    if wins is None:
        assert (line.outcome, line.cite) == ("lose", "678a.11(e)(3): below the table's lowest hand")
    else:
        assert (line.outcome, line.cite, line.won_cents) == ("win", "678a.11(e)(3)", wins * 1_00)
    assert (line.returned_cents, line.paid_by) == (0, "house")


@pytest.mark.parametrize(("length", "won", "odds"), [(6, 5000_09, "50% of major"), (7, 10_000_18, "100% of major")])
def test_678a_11_e_3_iv_a_percentage_comes_from_the_meter(length: int, won: int, odds: str) -> None:
    line = settled(sheet(REF), {5: PROGRESSIVE}, {5: RUNS[length]}).line("5.progressive")
    assert (line.outcome, line.won_cents, line.odds, line.paid_by) == ("win", won, odds, "meter")
    assert (line.cite, line.ruling) == ("678a.11(e)(3)", "R21")


def test_678a_11_e_2_the_straight_flush_may_lie_in_another_suit_than_the_flush() -> None:
    """Four hearts and three spades in a row."""
    outcome = settled(sheet(REF), {5: ALL}, {5: "Ah Th 7h 4h 6s 7s 8s"})
    assert outcome.line("5.flush_bonus").hand == "flush_4"
    assert outcome.line("5.straight_flush_bonus").hand == "straight_flush_3"
    assert outcome.line("5.progressive").hand == "straight_flush_3"


@pytest.mark.parametrize(
    ("hand", "both", "high_only"),
    [
        pytest.param("Ah 2h 3h Tc 9d 7d 5s", 3, None, id="A-2-3"),
        pytest.param("Ah Kh Qh Tc 9d 7d 5s", 3, 3, id="A-K-Q"),
        pytest.param("Kh Ah 2h Tc 9d 7d 5s", None, None, id="K-A-2 is no run"),
        pytest.param("Ah 2h 3h 4h 9d 7d 5s", 4, 3, id="A-2-3-4"),
    ],
)
def test_R5_the_ace_in_a_straight_flush(hand: str, both: int | None, high_only: int | None) -> None:
    for token, length in (("high_and_low", both), ("high_only", high_only)):
        content = sheet(REF, options={"R5": token})
        outcome = settled(content, {5: {**STRAIGHT, "progressive": 1_00}}, {5: hand})
        expected = None if length is None else f"straight_flush_{length}"
        assert outcome.line("5.straight_flush_bonus").hand == expected
        assert outcome.line("5.progressive").hand == expected


def test_R6_three_cards_lose_both_wagers_where_the_tables_have_no_line() -> None:
    """The text of (e)(2)(ii) pays every three-card straight flush; the table's word is taken."""
    content = sheet(
        REF, lines={"straight_flush_bonus": pays(straight_flush_4=60), "progressive": pays(straight_flush_4=50)}
    )
    stakes = {5: {**STRAIGHT, "progressive": 1_00}}
    outcome = settled(content, stakes, {5: RUNS[3]})
    assert said(outcome, "5.straight_flush_bonus") == (
        "lose",
        "678a.11(e)(2)(ii): the table has no line for the hand",
        "R6",
    )
    assert said(outcome, "5.progressive") == ("lose", "678a.11(e)(3): below the table's lowest hand", None)
    longer = settled(content, stakes, {5: RUNS[4]})
    assert [longer.line(f"5.{id_}").outcome for id_ in ("straight_flush_bonus", "progressive")] == ["win", "win"]


def test_678a_11_e_a_longer_hand_takes_the_line_below_where_the_table_skips_its_own() -> None:
    content = sheet(REF, lines={"flush_bonus": pays(flush_4=2), "straight_flush_bonus": pays(straight_flush_3=7)})
    outcome = settled(content, {5: {**BONUS, **STRAIGHT}}, {5: RUNS[6]})
    assert outcome.line("5.flush_bonus").won_cents == 10_00
    assert outcome.line("5.straight_flush_bonus").won_cents == 35_00


def test_678a_11_e_lines_come_in_the_order_of_the_text() -> None:
    stakes = dict(reversed(ALL.items()))
    ante_first = {"ante": stakes.pop("ante"), **stakes}
    outcome = settled(sheet(REF), {2: ANTE, 6: ante_first, 4: ANTE}, {0: QUALIFIES}, decisions=[fold(4)])
    assert [line.line_id for line in outcome.settled()] == [
        "6.ante",
        "6.raise",
        "6.flush_bonus",
        "6.straight_flush_bonus",
        "6.progressive",
        "4.ante",
        "2.ante",
        "2.raise",
    ]


# Abandoned wagers and voids


def test_R23_a_forfeited_raise_is_lost_whatever_the_dealer_holds() -> None:
    table = played(sheet(REF), {5: ANTE}, {0: EIGHT_HIGH}, decisions=[raise_(5, 10_00), forfeit(5, "raise")])
    outcome = table.when(settle())
    assert outcome.line("5.ante").outcome == "win"
    assert said(outcome, "5.raise")[::2] == ("forfeited", "R23")
    outcome.lines(("5.ante", "win", 10_00, 10_00, 0), ("5.raise", "forfeited", 0, 0, 0))


def test_R23_a_forfeited_antes_hand_still_raises_or_folds() -> None:
    table = dealt(sheet(REF), {5: BONUS}, {0: QUALIFIES, 5: HANDS[5]}).given(forfeit(5, "ante"))
    table.when(settle()).refused("hand.not-set")
    table.given(fold(5)).when(settle()).lines(
        ("5.ante", "forfeited", 0, 0, 0), ("5.flush_bonus", "win", 50_00, 5_00, 0)
    )


def test_a_void_returns_raises_and_the_ante_of_who_folded_whole() -> None:
    decisions = [raise_(6, 30_00), fold(5)]
    table = played(sheet(REF), {6: ALL, 5: BONUS}, {0: QUALIFIES, 6: HANDS[7]}, decisions=decisions)
    expected = {
        "6.ante": 10_00,
        "6.raise": 30_00,
        "6.flush_bonus": 5_00,
        "6.straight_flush_bonus": 5_00,
        "6.progressive": 1_00,
        "5.ante": 10_00,
        "5.flush_bonus": 5_00,
    }
    assert went_back(table.when(void())) == expected
    again = played(sheet(REF), {6: ALL, 5: BONUS}, {0: QUALIFIES, 6: HANDS[7]}, decisions=decisions)
    assert went_back(again.given(settle()).when(void())) == expected
