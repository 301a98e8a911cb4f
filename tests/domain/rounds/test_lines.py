"""The contract's Lines in detail, sentence by sentence, where no other module of these tests holds it."""

from __future__ import annotations

from tests.domain.rounds.hands import DEALER, PLAIN, QUADS, WINS
from tests.domain.rounds.table import a_table, back, bank, forfeit, played, settle, toke

ALL = {"main": 10_00, "fortune": 5_00, "progressive": 1_00}


def test_one_line_for_each_wager_that_stood_at_no_more_bets() -> None:
    table = a_table().given(*played({6: ALL, 3: {"main": 10_00}, 1: ALL}, {0: PLAIN}))
    outcome = table.when(settle())
    assert [line.line_id for line in outcome.settled()] == [
        "6.main",
        "6.fortune",
        "6.progressive",
        "3.main",
        "1.main",
        "1.fortune",
        "1.progressive",
    ]


def test_seats_from_the_highest_number_down_however_the_wagers_were_placed() -> None:
    outcome = a_table().given(*played({1: ALL, 6: ALL, 3: ALL}, {0: PLAIN})).when(settle())
    assert [line.seat for line in outcome.settled()] == [6, 6, 6, 3, 3, 3, 1, 1, 1]


def test_in_a_seat_main_then_fortune_then_progressive_however_they_were_placed() -> None:
    stakes = {5: {"main": 10_00, "progressive": 1_00, "fortune": 5_00}}
    outcome = a_table().given(*played(stakes, {0: PLAIN})).when(settle())
    assert [line.wager for line in outcome.settled()] == ["main", "fortune", "progressive"]


def test_odds_are_null_unless_the_line_wins() -> None:
    stakes = {6: ALL, 5: ALL, 4: ALL}
    orders = played(stakes, {0: PLAIN, 6: QUADS[1], 5: QUADS[0]})
    for line in a_table().given(*orders, forfeit(4, "main")).when(settle()).settled():
        assert (line.odds is not None) == (line.outcome == "win"), line.line_id


def test_paid_by_names_the_counterparty_on_lost_lines_too() -> None:
    orders = played({6: ALL, 3: {"fortune": 5_00}}, {3: WINS, 6: DEALER}, banker=bank(3))
    lines = {line.line_id: (line.outcome, line.paid_by) for line in a_table().given(*orders).when(settle()).settled()}
    assert lines["6.main"] == ("lose", "bank")
    assert lines["6.fortune"] == ("lose", "house")
    assert lines["6.progressive"] == ("lose", "house")
    assert lines["3.fortune"] == ("lose", "house")


def test_every_line_cites_a_text_or_a_table_and_its_id_is_its_own() -> None:
    further = [toke(6, "main", 1_00), back(6, "B1", 1_00)]
    outcome = a_table().given(*played({6: ALL, 5: ALL}, {0: PLAIN, 5: QUADS[1]}, further=further)).when(settle())
    ids = [line.line_id for line in outcome.settled()]
    assert len(ids) == len(set(ids))
    assert all(line.cite for line in outcome.settled())


def test_net_is_won_and_returned_less_stake_and_commission() -> None:
    outcome = a_table().given(*played({6: ALL}, {0: PLAIN, 6: QUADS[1]})).when(settle())
    assert [line.net_cents for line in outcome.settled()] == [9_50, 125_00, 74_00]
