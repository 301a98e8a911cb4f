"""The start position, the deal, exposed cards and misdeals: seed 004, Dealing the Cards and Misdealt Hands."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from domain.cards import Hand, deck, parse
from domain.rounds.events import HOUSE, CardExposed, HandsDealt, RoundMisdealt, StartDrawn
from domain.rounds.state import Round
from tests.domain.rounds.hands import DEALER, WINS
from tests.domain.rounds.table import (
    Order,
    Table,
    a_house,
    a_sheet,
    a_table,
    bank,
    close,
    deal,
    deal_cards,
    dealt,
    expose,
    house_way,
    open_round,
    place,
    settle,
    start,
    void,
)

A_CARD_SHORT = deal_cards(dealt({5: WINS}), stub=3)


def closed(seat: int = 5) -> Table:
    return a_table().given(place(seat, "main", 20_00), close())


def without(hands: Mapping[int, Hand], *spots: int) -> dict[int, Hand]:
    return {spot: hand for spot, hand in hands.items() if spot not in spots}


def spare_cards(hands: Mapping[int, Hand]) -> Hand:
    """What is left of the deck."""
    used = {card for hand in hands.values() for card in hand}
    return tuple(card for card in deck(joker=True) if card not in used)


# Where the first hand goes


@pytest.mark.parametrize(("number", "position"), [(1, HOUSE), (2, 6), (3, 5), (6, 2), (7, 1)])
def test_seed_004_counting_starts_at_the_dealer_as_one_and_goes_counter_clockwise(number: int, position: int) -> None:
    closed().when(start(number)).then(StartDrawn("rng", number, position))


@pytest.mark.parametrize(("number", "position"), [(1, 3), (2, 2), (3, 1), (4, HOUSE), (5, 6), (7, 4)])
def test_seed_004_counting_starts_at_a_player_banker(number: int, position: int) -> None:
    table = a_table().given(place(5, "main", 20_00), bank(3), close())
    table.when(start(number)).then(StartDrawn("rng", number, position))


@pytest.mark.parametrize(("dice", "position"), [((1, 1, 1), 5), ((2, 3, 3), HOUSE), ((3, 3, 3), 6), ((6, 6, 6), 4)])
def test_seed_004_three_dice_are_counted_by_their_total(dice: tuple[int, ...], position: int) -> None:
    closed().when(start(dice=dice)).then(StartDrawn("dice", sum(dice), position, dice))


@pytest.mark.parametrize("number", [0, 8, 18])
def test_the_machine_draws_one_to_positions_plus_one(number: int) -> None:
    closed().when(start(number)).refused("start.number")


def test_the_start_is_drawn_at_most_once() -> None:
    closed().given(start(1)).when(start(1)).refused("command.out-of-phase")


def test_a_joker_game_dealt_without_a_start_has_a_finding() -> None:
    assert closed().when(deal({5: WINS})).findings == [("start.not-recorded", None)]
    assert closed().given(start(1)).when(deal({5: WINS})).findings == []


# The deal


def test_seed_004_every_spot_gets_seven_cards_and_four_are_left() -> None:
    table = closed().given(start(1))
    hands = table.when(deal({5: WINS})).one(HandsDealt)
    assert [(each.seat, len(each.cards)) for each in hands.hands] == [(spot, 7) for spot in range(7)]
    assert (hands.stub, hands.stub_cards) == (4, None)
    assert table.state().phase == "dealt" and not table.state().misdealt


def test_the_stub_is_the_rest_of_the_deck_at_a_smaller_table() -> None:
    sheet = a_sheet(id="trial", positions=3)
    table = a_table(seats={2: "P2"}, sheet=sheet).given(place(2, "main", 20_00), close(), start(1))
    hands = dealt({2: WINS}, positions=3)
    outcome = table.when(deal_cards(hands, stub=25))
    assert outcome.findings == []
    assert table.given(house_way(2)).when(settle()).line("2.main").outcome == "win"


def test_the_known_cards_of_the_stub_are_kept() -> None:
    hands = dealt({5: WINS})
    left = spare_cards(hands)
    outcome = closed().given(start(1)).when(deal_cards(hands, stub_cards=left))
    assert outcome.findings == [] and outcome.one(HandsDealt).stub_cards == left


def misdealt(order: Order) -> list[tuple[str, int | None]]:
    """The findings of a deal that is recorded and makes the round a misdeal."""
    table = closed().given(start(1))
    outcome = table.when(order)
    assert [type(event) for event in outcome.events] == [HandsDealt, RoundMisdealt]
    assert table.state().misdealt
    return outcome.findings


@pytest.mark.parametrize("stub", [0, 3, 5])
def test_seed_004_misdealt_hands_1_not_four_cards_left(stub: int) -> None:
    assert misdealt(deal_cards(dealt({5: WINS}), stub=stub)) == [("deal.stub-count", None)]


def test_seed_004_misdealt_hands_1_more_or_fewer_known_cards_than_were_counted() -> None:
    assert misdealt(deal_cards(dealt({5: WINS}), stub_cards=())) == [("deal.stub-count", None)]


@pytest.mark.parametrize(("spot", "seat"), [(4, 4), (5, 5), (HOUSE, None)])
def test_seed_004_misdealt_hands_2_a_missed_spot(spot: int, seat: int | None) -> None:
    assert misdealt(deal_cards(without(dealt({5: WINS}), spot))) == [("deal.missed-spot", seat)]


@pytest.mark.parametrize("size", [0, 1, 6, 8])
def test_seed_004_misdealt_hands_4_any_hand_of_another_size(size: int) -> None:
    hands = dealt({5: WINS})
    wrong = (*hands[2], spare_cards(hands)[0])[:size]
    assert misdealt(deal_cards({**hands, 2: wrong})) == [("deal.hand-size", 2)]


def test_a_card_that_is_there_twice_is_a_misdeal() -> None:
    hands = dealt({5: WINS})
    assert misdealt(deal_cards({**hands, 2: (hands[5][0], *hands[2][1:])})) == [("deal.duplicate-card", None)]
    assert misdealt(deal_cards({**hands, 2: (hands[2][1], *hands[2][1:])})) == [("deal.duplicate-card", None)]


def test_a_card_of_a_hand_that_lies_in_the_stub_too_is_a_misdeal() -> None:
    hands = dealt({5: WINS})
    left = spare_cards(hands)
    assert misdealt(deal_cards(hands, stub_cards=(hands[5][0], *left[1:]))) == [("deal.duplicate-card", None)]


def test_a_misdeals_findings_say_everything_that_is_wrong() -> None:
    hands = dealt({5: WINS})
    wrong = {**without(hands, 4), 2: hands[2][:6], 3: (hands[5][0], *hands[3][1:])}
    assert misdealt(deal_cards(wrong, stub=5)) == [
        ("deal.stub-count", None),
        ("deal.hand-size", 2),
        ("deal.missed-spot", 4),
        ("deal.duplicate-card", None),
    ]


def test_a_hand_for_a_spot_that_does_not_exist_is_refused() -> None:
    hands = dealt({5: WINS})
    table = closed()
    table.when(deal_cards({**hands, 7: hands[4]})).refused("deal.spot-unknown")
    assert table.state().phase == "closed"


def test_a_misdeal_accepts_only_a_void_and_blocks_the_table_until_then() -> None:
    table = closed().given(start(1), A_CARD_SHORT)
    assert "3 cards are left" in table.when(house_way(5)).refused("round.misdeal")
    table.when(settle()).refused("round.misdeal")
    table.when(expose(5, "As")).refused("round.misdeal")
    table.when(place(5, "main", 5_00)).refused("round.misdeal")
    table.when(open_round("R2", number=2)).refused("table.busy")
    table.given(void()).when(open_round("R2", number=2)).accepted()


def test_after_the_void_of_a_misdeal_commands_are_out_of_phase() -> None:
    table = closed().given(start(1), A_CARD_SHORT, void())
    table.when(house_way(5)).refused("command.out-of-phase")


def test_a_misdeal_without_a_recorded_start_is_not_blamed_on_it() -> None:
    table = closed().given(A_CARD_SHORT)
    assert table.findings() == [("start.not-recorded", None), ("deal.stub-count", None)]
    assert "machine number" not in table.when(settle()).refused("round.misdeal")


# Exposed cards


def shown(count: int) -> Table:
    """A round in which so many of seat 5's cards were exposed."""
    table = closed().given(start(1), deal({5: WINS}))
    return table.given(*(expose(5, name) for name in WINS.split()[:count]))


def test_seed_004_misdealt_hands_3_three_exposed_cards_are_no_misdeal() -> None:
    table = shown(3)
    assert not table.state().misdealt and table.findings() == []
    assert table.given(house_way(5)).when(settle()).line("5.main").outcome == "win"


def test_seed_004_misdealt_hands_3_the_fourth_exposed_card_makes_it_one() -> None:
    outcome = shown(3).when(expose(0, "Qs"))
    assert [type(event) for event in outcome.events] == [CardExposed, RoundMisdealt]
    assert outcome.findings == [("deal.exposed", None)]
    assert shown(3).when(expose(5, "Th")).findings == [("deal.exposed", 5)]


def test_an_exposed_card_is_recorded_with_the_count() -> None:
    card = parse("Ad")[0]
    shown(1).when(expose(5, "Ad")).then(CardExposed(5, card, 2))


def test_a_card_is_exposed_once_and_in_the_hand_that_holds_it() -> None:
    table = shown(1)
    table.when(expose(5, "As")).refused("deal.card-not-there")
    table.when(expose(4, "As")).refused("deal.card-not-there")
    table.when(expose(7, "As")).refused("deal.spot-unknown")
    table.when(expose(0, DEALER.split()[0])).accepted()


def test_a_card_of_a_spot_without_a_wager_may_be_exposed_too() -> None:
    table = closed().given(start(1), deal({5: WINS, 1: "9s 9d 7s 6d 5c 4c 2d"}))
    table.when(expose(1, "9s")).accepted()


def test_nobody_sits_at_every_spot_and_every_spot_is_dealt() -> None:
    house = a_house().given(open_round(seats={5: "P5"}), place(5, "main", 20_00), close(), start(1))
    round_: Round = house.given(deal({5: WINS})).state()
    assert set(round_.hands) == set(range(7)) and set(round_.seats) == {5}
