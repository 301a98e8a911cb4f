"""Abandoned wagers: a floorperson's decision, never automatic (R23)."""

from __future__ import annotations

import pytest

from domain.rounds.events import WagerForfeited
from tests.domain.rounds.hands import PLAIN, QUADS, WINS
from tests.domain.rounds.table import (
    Table,
    a_level,
    a_sheet,
    a_table,
    back,
    close,
    deal,
    forfeit,
    house_way,
    place,
    played,
    settle,
    shares,
    start,
    toke,
)


def everything() -> Table:
    """Seat 5 has every kind of wager and a hand that wins them."""
    further = [toke(5, "main", 5_00), toke(5, "fortune", 4_00), back(5, "B1", 10_00), back(5, "B2", 10_00)]
    stakes = {5: {"main": 20_00, "fortune": 5_00}}
    return a_table().given(*played(stakes, {0: PLAIN, 5: QUADS[1]}, further=further))


def test_R23_a_forfeited_line_loses_its_stake_and_says_so() -> None:
    table = a_table().given(*played({5: {"main": 20_00, "fortune": 5_00}}, {5: WINS}))
    table.when(forfeit(5, "main")).then(WagerForfeited(5, "P5", "main", "left the table", ("F1",)))
    outcome = table.when(settle())
    outcome.lines(("5.main", "forfeited", 0, 0, 0), ("5.fortune", "lose", 0, 0, 0))
    line = outcome.line("5.main")
    assert (line.net_cents, line.ruling, line.paid_by, line.odds) == (-20_00, "R23", "house", None)


def test_R23_nothing_is_forfeited_by_itself() -> None:
    assert everything().when(settle()).line("5.main").outcome == "win"


def test_R23_without_further_keys_every_wager_of_the_id_is_meant() -> None:
    table = everything()
    outcome = table.when(forfeit(5, "main"))
    assert [(event.player, event.bettor, event.toke) for event in outcome.events] == [  # type: ignore[attr-defined]
        ("P5", None, False),
        ("P5", None, True),
        ("B1", "B1", False),
        ("B2", "B2", False),
    ]
    lines = {line.line_id: line.outcome for line in table.when(settle()).settled()}
    assert lines == {
        "5.main": "forfeited",
        "5.main.toke": "forfeited",
        "5.main.by.B1": "forfeited",
        "5.main.by.B2": "forfeited",
        "5.fortune": "win",
        "5.fortune.toke": "win",
    }


@pytest.mark.parametrize(("keys", "line_id"), [({"toke": True}, "5.main.toke"), ({"bettor": "B1"}, "5.main.by.B1")])
def test_R23_with_further_keys_one_wager_is_meant(keys: dict[str, object], line_id: str) -> None:
    table = everything().given(forfeit(5, "main", **keys))
    forfeited = [line.line_id for line in table.when(settle()).settled() if line.outcome == "forfeited"]
    assert forfeited == [line_id]


def test_R23_no_commission_on_a_forfeited_main() -> None:
    outcome = everything().given(forfeit(5, "main")).when(settle())
    assert sum(line.commission_cents for line in outcome.settled()) == 0


def test_R23_no_commission_for_a_forfeited_backer_of_a_winning_hand() -> None:
    outcome = everything().given(forfeit(5, "main", bettor="B1")).when(settle())
    assert outcome.line("5.main").commission_cents == 1_00 + 50


def test_R23_a_second_forfeit_of_a_wager_is_refused() -> None:
    table = everything().given(forfeit(5, "main", bettor="B1"))
    table.when(forfeit(5, "main", bettor="B1")).refused("wager.forfeited")
    # The rest of that id may still be forfeited, and then nothing of it is left.
    assert len(table.when(forfeit(5, "main")).accepted().events) == 3
    table.when(forfeit(5, "main")).refused("wager.forfeited")


def test_R23_a_wager_that_does_not_stand_is_not_forfeited() -> None:
    table = everything()
    table.when(forfeit(5, "progressive")).refused("wager.none")
    table.when(forfeit(5, "main", bettor="B9")).refused("wager.none")
    table.when(forfeit(4, "main")).refused("wager.none")
    a_table(seats={5: "P5"}).given(place(5, "main", 5_00), close()).when(forfeit(4, "main")).refused("seat.empty")


def test_R23_a_floorperson_approves_not_the_author_and_not_the_dealer() -> None:
    for wrong in ((), ("C1",), ("D1",)):
        everything().when(forfeit(5, "main", approved_by=wrong)).refused("approval.insufficient")
    everything().when(forfeit(5, "main", approved_by=("F1",))).accepted()


def test_R23_a_wager_is_forfeited_after_no_more_bets_before_or_after_the_deal() -> None:
    table = a_table().given(place(5, "main", 20_00))
    table.when(forfeit(5, "main")).refused("command.out-of-phase")
    table.given(close(), forfeit(5, "main"), start(1), deal({5: WINS}), house_way(5))
    assert table.when(settle()).line("5.main").outcome == "forfeited"
    table.when(forfeit(5, "main")).refused("command.out-of-phase")


def test_R23_a_forfeited_progressive_hits_no_meter_but_its_stake_still_counts_there() -> None:
    sheet = a_sheet(
        id="trial",
        paytables={"trial": shares(("four_of_a_kind", 100, "major"))},
        wagers={"progressive": {"paytable": "trial"}},
    )
    levels = [a_level("major", 10_000_000_000)]
    orders = played({5: {"main": 20_00, "progressive": 1_00}}, {0: PLAIN, 5: QUADS[1]})
    table = a_table(sheet=sheet, levels=levels).given(*orders, forfeit(5, "progressive"))
    line = table.when(settle()).line("5.progressive")
    assert (line.outcome, line.hit, line.paid_by, line.net_cents) == ("forfeited", None, "house", -1_00)
    level = table.level("major")
    assert (level.accrued_micros, level.in_count, level.hits) == (10_000_180_000, 1, 0)


def test_a_wager_of_another_seat_or_id_is_not_touched() -> None:
    orders = played({5: {"main": 20_00, "fortune": 4_00}, 4: {"main": 20_00}}, {0: PLAIN, 5: QUADS[1], 4: QUADS[2]})
    outcome = a_table().given(*orders, forfeit(5, "main")).when(settle())
    assert [(line.line_id, line.outcome) for line in outcome.settled()] == [
        ("5.main", "forfeited"),
        ("5.fortune", "win"),
        ("4.main", "win"),
    ]


def test_a_forfeited_toke_is_the_dealers_loss_of_nothing_and_the_players_of_its_stake() -> None:
    outcome = everything().given(forfeit(5, "main", toke=True)).when(settle())
    assert outcome.line("5.main.toke").net_cents == -5_00
    assert outcome.totals()[2] == (100_00 + 4_00) * 10_000  # the bonus toke alone
