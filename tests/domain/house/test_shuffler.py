"""A shuffler that reports an error: seed 004, Shuffle and Misdealt Hands 5, and the contract's words on it."""

from __future__ import annotations

import pytest

from domain.house_events import ShufflerCleared, ShufflerFailed
from domain.rounds.events import Finding, RoundMisdealt
from domain.streams import Stream
from tests.domain.rounds.hands import WINS
from tests.domain.rounds.table import (
    Table,
    a_house,
    a_table,
    clear_shuffler,
    close,
    deal,
    deal_cards,
    dealt,
    house_way,
    open_property,
    open_round,
    place,
    played,
    settle,
    shuffler_error,
    start,
    void,
)

FAILED = ShufflerFailed("NORTH", "T1")


def closed() -> Table:
    return a_table().given(place(5, "main", 20_00), close(), start(1))


def test_before_the_deal_an_error_blocks_it_until_it_is_cleared() -> None:
    table = closed()
    table.when(shuffler_error()).then(FAILED)
    table.when(deal({5: WINS})).refused("shuffler.failed")
    table.when(clear_shuffler()).then(ShufflerCleared("NORTH", "T1", ("F1",)))
    table.given(deal({5: WINS}), house_way(5)).when(settle()).accepted()


def test_an_error_blocks_nothing_but_the_deal() -> None:
    table = a_house().given(shuffler_error(), open_round(), place(5, "main", 20_00), close(), start(1))
    table.when(deal({5: WINS})).refused("shuffler.failed")


def test_an_error_blocks_its_own_table_only() -> None:
    table = closed().given(shuffler_error(table="T2"), open_property("SOUTH"), shuffler_error(property="SOUTH"))
    table.when(deal({5: WINS})).accepted()


def test_seed_004_misdealt_hands_5_an_error_after_the_deal_makes_the_round_a_misdeal() -> None:
    table = closed().given(deal({5: WINS}), house_way(5))
    finding = Finding("shuffler.failed", "the shuffler signalled an error after the deal")
    table.when(shuffler_error()).then(RoundMisdealt((finding,)), ShufflerFailed("NORTH", "T1", "R1"))
    assert table.findings() == [("shuffler.failed", None)]
    table.when(settle()).refused("round.misdeal")
    table.when(void()).accepted()


def test_after_the_void_of_such_a_round_the_next_deal_waits_for_the_supervisor() -> None:
    table = closed().given(deal({5: WINS}), shuffler_error(), void())
    table.given(open_round("R2", number=2), place(5, "main", 20_00), close(), start(1))
    table.when(deal({5: WINS})).refused("shuffler.failed")
    table.given(clear_shuffler()).when(deal({5: WINS})).accepted()


def test_a_round_that_is_a_misdeal_already_is_not_made_one_again() -> None:
    table = closed().given(deal_cards(dealt({5: WINS}), stub=3))
    table.when(shuffler_error()).then(ShufflerFailed("NORTH", "T1", "R1"))
    table = closed().given(deal({5: WINS}), shuffler_error(), clear_shuffler())
    table.when(shuffler_error()).then(ShufflerFailed("NORTH", "T1", "R1"))


@pytest.mark.parametrize("after", ["settled", "never"])
def test_a_table_between_rounds_has_no_hand_to_spoil(after: str) -> None:
    table = a_house()
    if after == "settled":
        table.given(open_round(), *played({5: {"main": 20_00}}, {5: WINS}), settle())
    table.when(shuffler_error()).then(FAILED)


def test_the_table_stream_and_the_rounds_stream_both_have_their_event() -> None:
    table = closed().given(deal({5: WINS}), shuffler_error())
    assert len(table.house.streams[Stream("table", '["NORTH", "T1"]')]) == 1
    assert isinstance(table.house.streams[Stream("round", "R1")][-1], RoundMisdealt)


def test_an_error_may_be_reported_again_and_is_cleared_once() -> None:
    table = closed().given(shuffler_error(), shuffler_error(), clear_shuffler())
    table.when(clear_shuffler()).refused("shuffler.not-failed")


def test_there_is_nothing_to_clear_at_a_table_whose_shuffler_works() -> None:
    closed().when(clear_shuffler()).refused("shuffler.not-failed")


def test_the_property_must_be_open() -> None:
    a_house().when(shuffler_error(property="SOUTH")).refused("property.unknown")
    a_house().when(clear_shuffler(property="SOUTH")).refused("property.unknown")


@pytest.mark.parametrize("wrong", [(), ("C1",), ("D1",), ("F1", "D1")])
def test_seed_004_a_supervisor_clears_it_not_the_author_and_not_the_dealer(wrong: tuple[str, ...]) -> None:
    table = closed().given(shuffler_error())
    table.when(clear_shuffler(approved_by=wrong)).refused("approval.insufficient")
    table.when(clear_shuffler(approved_by=("F1",))).accepted()


def test_without_a_round_there_is_no_dealer_who_may_not_clear_it() -> None:
    a_house().given(shuffler_error()).when(clear_shuffler(approved_by=("D1",))).accepted()
