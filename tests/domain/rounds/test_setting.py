"""Setting hands, fouls and the floor's reset: seed 004, Card Placement and Irregularities; R8, R10."""

from __future__ import annotations

import pytest

from domain.cards import parse
from domain.rounds.events import DealerSet, HandReset, HandSet, RoundSettled
from tests.domain.rounds.hands import DEALER, LOSES, WINS
from tests.domain.rounds.table import (
    Table,
    a_sheet,
    a_table,
    bank,
    close,
    deal,
    dealer_sets,
    forfeit,
    house_way,
    place,
    reset_hand,
    set_low,
    settle,
    start,
)

TRIPS = "8c 8d 8h Ac Kd 5s 4s"
"""Set with two eights low it is a foul: a pair above ace high."""


def dealt_to(hand: str, *, options: dict[str, str] | None = None, dealer: str = DEALER) -> Table:
    table = a_table(sheet=a_sheet(id="trial", options=options)).given(place(5, "main", 20_00), close(), start(1))
    return table.given(deal({0: dealer, 5: hand}))


# A player's hand


def test_a_player_sets_two_cards_low_and_the_rest_is_high() -> None:
    event = dealt_to(WINS).when(set_low(5, "Kh Th")).one(HandSet)
    assert (event.high, event.low) == (parse("As Ad 8c 5h 4h"), parse("Kh Th"))
    assert (event.set_by, event.foul, event.rule, event.findings) == ("player", False, None, ())


def test_the_dealer_may_set_a_players_hand_the_house_way() -> None:
    event = dealt_to(WINS).when(house_way(5)).one(HandSet)
    assert (sorted(event.high), sorted(event.low)) == (sorted(parse("As Ad 8c 5h 4h")), sorted(parse("Kh Th")))
    assert (event.set_by, event.foul) == ("house_way", False)
    assert event.rule == "one pair: the pair high, the next two cards low"


@pytest.mark.parametrize("low", ["Kh", "Kh Th 8c", "Kh Kh", "Kh Tc", "Jk Kh"])
def test_low_is_two_of_the_seats_own_cards(low: str) -> None:
    table = dealt_to(WINS)
    assert "As Ad Kh Th 8c 5h 4h" in table.when(set_low(5, low)).refused("hand.cards")
    table.when(set_low(5, "Kh Th")).accepted()


def test_a_hand_is_set_once() -> None:
    table = dealt_to(WINS).given(set_low(5, "Kh Th"))
    table.when(set_low(5, "Kh Th")).refused("hand.set")
    table.when(house_way(5)).refused("hand.set")


def test_seed_004_no_hand_is_set_once_the_dealer_turned_over_his_cards() -> None:
    table = dealt_to(WINS).given(dealer_sets("Jd 9c"))
    table.when(house_way(5)).refused("hand.set")


def test_a_seat_that_sits_out_has_no_hand_to_set() -> None:
    table = dealt_to(WINS)
    table.when(house_way(4)).refused("hand.not-in-play")


def test_an_empty_seat_has_no_hand_to_set() -> None:
    table = a_table(seats={5: "P5"}).given(place(5, "main", 20_00), close(), start(1), deal({5: WINS}))
    table.when(house_way(4)).refused("seat.empty")
    table.when(reset_hand(4)).refused("seat.empty")


def test_settling_waits_for_every_hand_in_play() -> None:
    table = a_table().given(place(5, "main", 20_00), place(3, "main", 20_00), close(), start(1))
    table.given(deal({5: WINS, 3: LOSES}))
    assert "3, 5" in table.when(settle()).refused("hand.not-set")
    table.given(house_way(5)).when(settle()).refused("hand.not-set")
    table.given(house_way(3)).when(settle()).accepted()


def test_settling_waits_for_the_hand_of_a_forfeited_wager_too() -> None:
    table = dealt_to(WINS).given(forfeit(5, "main"))
    table.when(settle()).refused("hand.not-set")
    table.given(house_way(5)).when(settle()).accepted()


def test_settling_waits_for_the_bankers_hand() -> None:
    table = a_table().given(place(5, "main", 20_00), bank(3), close(), start(1), deal({5: WINS, 3: LOSES}))
    table.given(house_way(5)).when(settle()).refused("hand.not-set")
    table.given(house_way(3)).when(settle()).accepted()


def test_settling_does_not_wait_for_the_dealers_hand() -> None:
    assert dealt_to(WINS).given(house_way(5)).when(settle()).line("5.main").outcome == "win"


# Fouls


def test_seed_004_a_low_hand_above_the_high_hand_is_a_foul_with_a_finding() -> None:
    outcome = dealt_to(TRIPS).when(set_low(5, "8c 8d"))
    assert outcome.one(HandSet).foul
    assert outcome.findings == [("hand.foul", 5)]


def test_seed_004_a_foul_hand_loses_although_both_hands_would_win() -> None:
    outcome = dealt_to(TRIPS).given(set_low(5, "8c 8d")).when(settle())
    line = outcome.line("5.main")
    assert (line.outcome, line.net_cents) == ("lose", -20_00)
    assert line.cite == "seed 004, Irregularities: a foul hand loses"


EQUAL = "As Kd Ah Kc 9d 5s 3h"
"""A-K low of two pairs: the high hand can be A-K-9-5-3."""


@pytest.mark.parametrize(("token", "foul"), [("equal_legal", False), ("strict", True)])
def test_R8_equal_hands_are_legal_unless_the_sheet_is_strict(token: str, foul: bool) -> None:
    table = dealt_to(EQUAL, options={"R8": token})
    assert table.when(set_low(5, "Ah Kc")).one(HandSet).foul is foul


@pytest.mark.parametrize("token", ["equal_legal", "strict"])
def test_R8_the_same_pair_high_and_low_is_always_legal(token: str) -> None:
    table = dealt_to("8c 8d 8h 8s Ac Kd 3s", options={"R8": token})
    assert not table.when(set_low(5, "8c 8d")).one(HandSet).foul


# The floor's reset


def fouled(**options: str) -> Table:
    return dealt_to(TRIPS, options=options).given(set_low(5, "8c 8d"))


def test_R10_the_floor_resets_a_foul_hand_the_house_way_and_it_may_win() -> None:
    table = fouled()
    event = table.when(reset_hand(5)).one(HandReset)
    assert (event.seat, event.set_by, event.approved_by, event.findings) == (5, "floor", ("F1",), ())
    assert sorted(event.low) == sorted(parse("Ac Kd"))
    assert table.state().set_hands[5].foul is False
    assert table.when(settle()).line("5.main").outcome == "win"


def test_R10_a_reset_is_approved_by_somebody_else_than_author_and_dealer() -> None:
    for wrong in ((), ("C1",), ("D1",), ("F1", "D1")):
        fouled().when(reset_hand(5, approved_by=wrong)).refused("approval.insufficient")
    fouled().when(reset_hand(5, approved_by=("F1",))).accepted()


def test_R10_a_sheet_whose_token_is_lose_has_no_reset() -> None:
    table = fouled(R10="lose")
    table.when(reset_hand(5)).refused("hand.reset-refused")
    assert table.when(settle()).line("5.main").outcome == "lose"


def test_R10_only_a_foul_hand_is_reset_and_only_once() -> None:
    dealt_to(TRIPS).when(reset_hand(5)).refused("hand.reset-refused")
    dealt_to(TRIPS).given(house_way(5)).when(reset_hand(5)).refused("hand.reset-refused")
    fouled().given(reset_hand(5)).when(reset_hand(5)).refused("hand.reset-refused")


def test_R10_a_reset_comes_before_the_dealers_cards_are_compared() -> None:
    fouled().given(dealer_sets("Jd 9c")).when(reset_hand(5)).refused("hand.reset-refused")
    fouled().given(settle()).when(reset_hand(5)).refused("command.out-of-phase")


def test_R10_no_reset_while_a_player_banks() -> None:
    table = a_table().given(
        place(5, "main", 20_00), bank(3), close(), start(1), deal({5: TRIPS, 3: "9s 9d 7s 6d 5c 4c 2d"})
    )
    table.given(set_low(5, "8c 8d")).when(reset_hand(5)).refused("hand.reset-refused")


def test_a_reset_hand_is_not_set_again() -> None:
    fouled().given(reset_hand(5)).when(house_way(5)).refused("hand.set")


# The dealer's hand


def test_what_the_dealer_did_is_recorded_beside_the_house_way() -> None:
    outcome = dealt_to(WINS).given(house_way(5)).when(dealer_sets("Jd 9c"))
    event = outcome.one(DealerSet)
    assert outcome.findings == []
    assert (sorted(event.low), sorted(event.house_low)) == (sorted(parse("Jd 9c")),) * 2
    assert event.rule == "no pair: the highest card high, the next two low"


def test_a_dealer_who_set_otherwise_is_a_finding_and_the_house_way_settles() -> None:
    # With Q-J low and 9 high the dealer would lose the high hand to any hand: the house way settles.
    table = dealt_to("Qd Js 9h 7c 6c 3h 2s").given(house_way(5))
    assert table.when(dealer_sets("Qs Jd")).findings == [("dealer.not-house-way", None)]
    outcome = table.when(settle())
    assert outcome.line("5.main").outcome == "lose"
    assert sorted(outcome.one(RoundSettled).dealer_low) == sorted(parse("Jd 9c"))


def test_a_dealer_who_put_down_another_card_of_the_same_rank_set_the_house_way() -> None:
    dealer = "Kc Kd Kh Ks 7s 3d 2c"  # four of a kind, high: split
    for low in ("Kc Kd", "Kh Ks", "Ks Kc"):
        assert dealt_to(LOSES, dealer=dealer).when(dealer_sets(low)).findings == []
    assert dealt_to(LOSES, dealer=dealer).when(dealer_sets("7s 3d")).findings == [("dealer.not-house-way", None)]


def test_the_dealers_hand_is_set_once_and_from_his_own_cards() -> None:
    table = dealt_to(WINS)
    table.when(dealer_sets("As Ad")).refused("hand.cards")
    table.when(dealer_sets("Jd")).refused("hand.cards")
    table.given(dealer_sets("Jd 9c")).when(dealer_sets("Jd 9c")).refused("hand.set")
