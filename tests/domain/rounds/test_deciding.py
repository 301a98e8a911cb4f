"""Doubling down, raising and folding, and turns: what other games do between the deal and settling."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from domain.cards import Hand, deck, parse
from domain.rounds.events import DoubledDown, Folded, Raised
from domain.sheets import sample
from tests.domain.rounds.table import (
    Content,
    Order,
    Table,
    a_house,
    back,
    bank,
    close,
    deal_cards,
    dealer_sets,
    double_down,
    fold,
    forfeit,
    house_way,
    open_round,
    place,
    publish,
    raise_,
    reset_hand,
    set_low,
    settle,
    start,
    void,
)

SIX = {0: "Ac 2d 4h 6s 8c Tc", 5: "Ad Kd 9c 9h 5s 3c"}
"""Six cards each: the dealer has no pair."""
FLUSHES = {
    0: "Kc Jc 9c 4d 3h 2s 7d",
    6: "Ah Kh 2h 3d 4s 5c 8d",
    5: "Ad Kd Qd 9d 6d 3s 2c",
    4: "As Ks Qs Js 8s 6s 4h",
}
"""Seven cards each: seat 6 has three suited, seat 5 five, seat 4 six; the dealer has three, king high."""


def dealt(hands: Mapping[int, str], *, joker: bool, size: int) -> dict[int, Hand]:
    given = {spot: parse(text) for spot, text in hands.items()}
    rest = [card for card in deck(joker) if all(card not in hand for hand in given.values())]
    missing = [spot for spot in range(7) if spot not in given]
    return given | {spot: tuple(rest[place * size : place * size + size]) for place, spot in enumerate(missing)}


def at(sheet: Content, *, seats: Mapping[int, str] | None = None) -> Table:
    """A round of the sheet's game."""
    house = a_house().given(publish(sheet))
    named = {"sheet": f"{sheet['id']}@{sheet['version']}", "game": sheet["game"]}
    return house.given(open_round(seats=seats or {seat: f"P{seat}" for seat in range(1, 7)}, **named))


def six_card(**changes: object) -> Table:
    """Seat 5 has its six cards, against a dealer without a pair."""
    table = at(dict(sample("six-card-fortune@1")) | changes).given(place(5, "main", 20_00), back(5, "B1", 5_00))
    return table.given(close(), start(1), deal_cards(dealt(SIX, joker=True, size=6), stub=11))


def flush(*, option: str = "multiples", **changes: object) -> Table:
    content: Content = dict(sample("high-card-flush@1")) | changes
    content["options"] = {**content["options"], "R18": option}
    table = at(content).given(*(place(seat, "ante", 10_00) for seat in (6, 5, 4)), close())
    return table.given(deal_cards(dealt(FLUSHES, joker=False, size=7), stub=3))


# Six-Card Fortune


def test_670a_11_c_a_double_down_is_the_players_own_main_without_backers() -> None:
    six_card().when(double_down(5)).then(DoubledDown(5, "P5", 20_00))


def test_670a_11_c_a_double_down_is_settled_as_a_wager_of_its_own() -> None:
    table = six_card().given(double_down(5), house_way(5))
    line = table.when(settle()).line("5.double_down")
    assert (line.outcome, line.stake_cents, line.returned_cents, line.cite) == (
        "returned",
        20_00,
        20_00,
        "670a.11(g)(2)",
    )


def test_a_double_down_is_made_once_and_before_the_dealers_hand() -> None:
    table = six_card().given(double_down(5))
    table.when(double_down(5)).refused("hand.decided")
    six_card().given(dealer_sets("Tc")).when(double_down(5)).refused("hand.decided")


def test_a_double_down_needs_a_main_and_a_sheet_that_offers_it() -> None:
    six_card().when(double_down(4)).refused("hand.not-in-play")
    wagers = {id_: terms for id_, terms in sample("six-card-fortune@1")["wagers"].items() if id_ != "double_down"}
    six_card(wagers=wagers).when(double_down(5)).refused("wager.not-offered")


def test_a_double_down_is_not_placed_before_the_deal() -> None:
    table = at(dict(sample("six-card-fortune@1"))).given(place(5, "main", 20_00))
    table.when(place(5, "double_down", 20_00)).refused("wager.not-offered")


def test_a_double_down_may_be_forfeited_and_goes_back_in_a_void() -> None:
    table = six_card().given(double_down(5), forfeit(5, "double_down"), house_way(5))
    assert table.when(settle()).line("5.double_down").outcome == "forfeited"
    returned = table.when(void()).events[0].returned  # type: ignore[attr-defined]
    assert [each.line_id for each in returned] == ["5.main", "5.main.by.B1", "5.double_down"]


# High Card Flush


@pytest.mark.parametrize(
    ("seat", "cents", "allowed"),
    [
        (6, 10_00, True),
        (6, 20_00, False),
        (5, 20_00, True),
        (5, 30_00, False),
        (4, 30_00, True),
        (4, 40_00, False),
        (4, 9_99, False),
        (5, 15_00, False),
    ],
)
def test_678a_11_b_and_R18_a_raise_is_a_whole_multiple_up_to_what_the_hand_allows(
    seat: int, cents: int, allowed: bool
) -> None:
    outcome = flush().when(raise_(seat, cents))
    if allowed:
        outcome.then(Raised(seat, f"P{seat}", cents))
    else:
        outcome.refused("raise.limit")


@pytest.mark.parametrize(("cents", "allowed"), [(9_99, False), (10_00, True), (15_37, True), (20_01, False)])
def test_R18_any_amount_from_the_ante_up_to_the_maximum(cents: int, allowed: bool) -> None:
    outcome = flush(option="any_amount").when(raise_(5, cents))
    assert (outcome.refusal is None) is allowed


def test_678a_11_c_a_seat_raises_or_folds_not_both_and_once() -> None:
    table = flush().given(raise_(5, 10_00))
    table.when(fold(6)).then(Folded(6, "P6"))
    for order in (raise_(5, 10_00), fold(5), raise_(6, 10_00), fold(6)):
        table.when(order).refused("hand.decided")


def test_settling_waits_until_every_seat_has_decided() -> None:
    table = flush().given(raise_(5, 10_00), fold(6))
    assert "seat 4" in table.when(settle()).refused("hand.not-set")
    table.given(fold(4)).when(settle()).lines(
        ("6.ante", "lose", 0, 0, 0),
        ("5.ante", "win", 10_00, 10_00, 0),
        ("5.raise", "win", 10_00, 10_00, 0),
        ("4.ante", "lose", 0, 0, 0),
    )


@pytest.mark.parametrize("order", [raise_(3, 10_00), fold(3)])
def test_a_seat_without_an_ante_decides_nothing(order: Order) -> None:
    flush().when(order).refused("hand.not-in-play")


def test_a_sheet_may_not_offer_the_raise() -> None:
    wagers = {id_: terms for id_, terms in sample("high-card-flush@1")["wagers"].items() if id_ != "raise"}
    flush(wagers=wagers).when(raise_(5, 10_00)).refused("wager.not-offered")


@pytest.mark.parametrize(
    "order", [house_way(5), set_low(5, "Ad Kd"), reset_hand(5), dealer_sets("Kc Jc"), double_down(5)]
)
def test_hands_that_are_not_split_are_not_set(order: Order) -> None:
    flush().when(order).refused("command.not-in-game")


def test_a_joker_in_a_game_of_52_cards_is_a_misdeal() -> None:
    table = at(dict(sample("high-card-flush@1"))).given(place(5, "ante", 10_00), close())
    hands = dealt(FLUSHES, joker=False, size=7)
    outcome = table.when(deal_cards({**hands, 2: (*hands[2][:6], *parse("Jk"))}, stub=3))
    assert outcome.findings == [("deal.wrong-deck", None)]


def test_a_game_without_a_joker_needs_no_start() -> None:
    table = at(dict(sample("high-card-flush@1"))).given(place(5, "ante", 10_00), close())
    assert table.when(deal_cards(dealt(FLUSHES, joker=False, size=7), stub=3)).findings == []


# Face Up


def face_up(low_seat: int, high_seat: int) -> Table:
    """P1 has two hands with these mains (cents) on seats 3 and 4; the dealer's hand is set."""
    table = at(dict(sample("face-up@1")), seats={3: "P1", 4: "P1", 5: "P5"}).given(
        place(3, "main", low_seat), place(4, "main", high_seat), place(5, "main", 5_00), close(), start(1)
    )
    dealer = "Qs Jd 9c 7h 6s 3d 2c"
    return table.given(deal_cards(dealt({0: dealer}, joker=True, size=7)), dealer_sets("Jd 9c"))


def test_688a_7_f_the_larger_wagers_hand_is_set_first() -> None:
    table = face_up(20_00, 10_00)
    assert "seat 3 first" in table.when(house_way(4)).refused("hand.out-of-turn")
    table.given(house_way(3)).when(house_way(4)).accepted()


def test_688a_7_f_of_equal_wagers_the_higher_seats_hand_is_set_first() -> None:
    table = face_up(10_00, 10_00)
    table.when(house_way(3)).refused("hand.out-of-turn")
    table.given(house_way(4)).when(house_way(3)).accepted()


def test_688a_7_f_other_players_hands_do_not_wait() -> None:
    face_up(20_00, 10_00).when(house_way(5)).accepted()


# The player bank


@pytest.mark.parametrize("ref", ["six-card-fortune@1", "high-card-flush@1", "face-up@1", "commission-free@1"])
def test_a_game_without_player_banks_lacks_the_command(ref: str) -> None:
    at(dict(sample(ref))).when(bank(3)).refused("command.not-in-game")


def test_a_game_with_player_banks_whose_sheet_has_none_refuses_the_bank() -> None:
    at(dict(sample("pai-gow-pa@1")) | {"player_bank": False}).when(bank(3)).refused("bank.refused")


def test_a_main_on_which_a_double_down_could_win_too_much_is_above_the_limit() -> None:
    content = dict(sample("six-card-fortune@1"))
    lines = [{"hand": "win", "kind": "to_1", "n": 1_000_000}]
    content["paytables"] = content["paytables"] | {"million": {"source": "invented for trials", "lines": lines}}
    content["wagers"] = content["wagers"] | {"double_down": {"paytable": "million"}}
    content["wagers"]["main"] = content["wagers"]["main"] | {"max_cents": 10**12}
    table = at(content)
    table.when(place(5, "main", 10_000_001)).refused("wager.limit")
    table.when(place(5, "main", 10_000_000)).accepted()
