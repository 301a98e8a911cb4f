"""Players' balances, each rule of the contract by itself, and all of them against a plain fold of whole rounds."""

from __future__ import annotations

from typing import Any

import pytest

from domain.house_events import PlayerBoughtIn, PlayerCashedOut
from domain.rounds.events import Event, PlayerReversal
from domain.streams import Stream
from ledger.service import Ledger
from projections import catalog
from projections.asof import AsOf, parse
from projections.asof import log as whole_log
from projections.balances import balances
from projections.rounds import list_rounds
from tests.projections import naive
from tests.projections.hands import corrected, line, opened, placed, settled, voided, withdrawn
from tests.projections.sources import HandMade

FIGURES = ("staked_cents", "won_cents", "returned_cents", "commission_cents", "corrected_cents", "net_cents", "rounds")


def figures(log: HandMade, player: str, as_of: AsOf | None = None) -> dict[str, Any]:
    """The figures of a player that are not 0."""
    (row,) = balances(log, player, as_of).rows
    return {name: row[name] for name in FIGURES if row[name]}


def after(log: HandMade, *events: Event) -> HandMade:
    """The log with the events of round R1."""
    log.in_round("R1", opened(), *events)
    return log


def test_a_row_has_the_keys_of_the_contract_in_its_order(log: HandMade) -> None:
    after(log, placed(100))
    (row,) = balances(log).rows
    assert list(row) == [
        "player",
        "bought_in_cents",
        "cashed_out_cents",
        "staked_cents",
        "won_cents",
        "returned_cents",
        "commission_cents",
        "corrected_cents",
        "net_cents",
        "balance_cents",
        "rounds",
        "position",
    ]


def test_a_stake_is_staked_from_the_moment_it_is_placed(log: HandMade) -> None:
    assert figures(after(log, placed(500), placed(200, standing=700)), "P1") == {"staked_cents": 700, "net_cents": -700}


def test_a_withdrawn_stake_comes_back(log: HandMade) -> None:
    after(log, placed(500), withdrawn(300, 200))
    assert figures(log, "P1") == {"staked_cents": 200, "net_cents": -200}


def test_a_stake_leaves_once_and_a_line_gives_back_what_it_won_and_returned(log: HandMade) -> None:
    after(log, placed(500), line(stake=500, won=500, returned=500, commission=25), settled())
    assert figures(log, "P1") == {
        "staked_cents": 500,
        "won_cents": 500,
        "returned_cents": 500,
        "commission_cents": 25,
        "net_cents": 475,
        "rounds": 1,
    }


def test_a_toke_is_staked_by_the_player_and_what_it_brings_is_the_dealers(log: HandMade) -> None:
    after(log, placed(500, toke=True), line(stake=500, won=500, returned=500, toke=True), settled())
    assert figures(log, "P1") == {"staked_cents": 500, "net_cents": -500, "rounds": 1}


def test_a_backers_wager_and_line_are_the_bettors(log: HandMade) -> None:
    backing = placed(500, player="P9", bettor="P9")
    after(log, placed(100), backing, line("P9", stake=500, won=500, returned=500, bettor="P9"), settled())
    assert figures(log, "P9") == {
        "staked_cents": 500,
        "won_cents": 500,
        "returned_cents": 500,
        "net_cents": 500,
        "rounds": 1,
    }
    assert figures(log, "P1") == {"staked_cents": 100, "net_cents": -100}


def test_the_bank_is_staked_with_its_line(log: HandMade) -> None:
    after(log, line("P1", stake=5_500, won=1_500, returned=5_500, commission=75, wager="bank"), settled())
    assert figures(log, "P1") == {
        "staked_cents": 5_500,
        "won_cents": 1_500,
        "returned_cents": 5_500,
        "commission_cents": 75,
        "net_cents": 1_425,
        "rounds": 1,
    }


def test_the_houses_line_is_no_players(log: HandMade) -> None:
    after(log, line(None, stake=1_000, won=1_000, returned=1_000, wager="house", seat=0), settled())
    assert balances(log).rows == []


def test_an_envy_line_is_won_without_a_stake(log: HandMade) -> None:
    after(log, line(won=500, wager="envy", for_seat=2, kind="fortune"), settled())
    assert figures(log, "P1") == {"won_cents": 500, "net_cents": 500, "rounds": 1}


def test_a_correction_counts_in_corrected_and_in_net(log: HandMade) -> None:
    after(log, line(stake=0), settled(), corrected(50), corrected(-20))
    assert figures(log, "P1") == {"corrected_cents": 30, "net_cents": 30, "rounds": 1}


def test_the_correction_of_a_toke_is_the_dealers(log: HandMade) -> None:
    after(log, placed(500, toke=True), line(stake=500, toke=True), settled(), corrected(50, toke=True))
    assert figures(log, "P1") == {"staked_cents": 500, "net_cents": -500, "rounds": 1}


def test_a_void_takes_back_every_figure_of_the_round(log: HandMade) -> None:
    played = (placed(500), line(stake=500, won=500, returned=500, commission=25), settled(), corrected(25))
    after(log, *played, voided(PlayerReversal("P1", 500, 500, 500, 25, 25, 1)))
    assert figures(log, "P1") == {}


def test_a_round_counts_once_however_many_lines_a_player_has_and_only_when_it_is_settled(log: HandMade) -> None:
    after(log, placed(500), line(), line(line_id="1.fortune", wager="fortune"), line("P2", seat=2))
    assert figures(log, "P1") == {"staked_cents": 500, "net_cents": -500}
    log.in_round("R1", settled())
    assert figures(log, "P1")["rounds"] == 1
    assert figures(log, "P2")["rounds"] == 1


def test_a_settlement_across_pages_counts_the_round_once(log: HandMade) -> None:
    after(log, line(), line(line_id="1.fortune", wager="fortune"), settled())
    log.in_round("R2", opened("R2"), line("P2"), settled("R2"))
    catalog.catch_up(log, page=1)
    assert [(row["player"], row["rounds"]) for row in balances(log).rows] == [("P1", 1), ("P2", 1)]


def test_balance_is_bought_in_less_cashed_out_plus_net_and_may_be_negative(log: HandMade) -> None:
    stream = Stream("player", "P1")
    log.add(stream, PlayerBoughtIn("NORTH", "T1", "P1", 300, "2026-05-04"))
    log.add(stream, PlayerCashedOut("NORTH", "T1", "P1", 100, "2026-05-04"))
    after(log, placed(500))
    (row,) = balances(log).rows
    assert (row["bought_in_cents"], row["cashed_out_cents"], row["balance_cents"]) == (300, 100, -300)


def test_position_is_that_of_the_last_event_that_moved_something_of_the_player(log: HandMade) -> None:
    after(log, placed(500), placed(100, player="P2", seat=2))
    assert [(row["player"], row["position"]) for row in balances(log).rows] == [("P1", 2), ("P2", 3)]


def test_players_come_by_name_and_an_unknown_one_has_no_row(log: HandMade) -> None:
    after(log, placed(1, player="Pb"), placed(1, player="PA"), placed(1, player="Pa"))
    assert [row["player"] for row in balances(log).rows] == ["PA", "Pa", "Pb"]
    assert balances(log, "P77").rows == []


def test_as_of_a_position_folds_the_log_up_to_it(log: HandMade) -> None:
    after(log, placed(500), line(stake=500, won=500, returned=500), settled())
    assert figures(log, "P1", parse("2")) == {"staked_cents": 500, "net_cents": -500}
    assert balances(log, as_of=parse("1")).rows == []
    assert balances(log, as_of=parse("3")).position == 3


def test_as_of_a_time_goes_by_at(log: HandMade) -> None:
    log.in_round("R1", opened(), placed(500), at="2026-05-04T18:00:00-04:00")
    log.in_round("R2", opened("R2"), placed(70), at="2026-05-04T17:00:00-04:00")
    assert figures(log, "P1", parse("2026-05-04T21:30:00Z")) == {"staked_cents": 70, "net_cents": -70}


def test_balances_agree_with_a_plain_fold_of_whole_rounds(long: Ledger) -> None:
    expected = naive.balances(whole_log(long.feed.after))
    rows = {row.pop("player"): row for row in balances(long).rows}
    positions = {player: row.pop("position") for player, row in rows.items()}
    assert rows == expected
    assert max(positions.values()) <= long.head().position


@pytest.mark.parametrize("share", [0.1, 0.4, 0.75, 1.0])
def test_as_of_any_position_agrees_with_a_plain_fold_of_the_log_up_to_it(long: Ledger, share: float) -> None:
    position = int(long.head().position * share)
    expected = naive.balances(record for record in whole_log(long.feed.after) if record.position <= position)
    rows = {row.pop("player"): row for row in balances(long, as_of=AsOf(position=position)).rows}
    for row in rows.values():
        assert row.pop("position") <= position
    assert rows == expected


def test_as_of_the_end_of_the_log_is_what_is_projected(long: Ledger) -> None:
    now = balances(long)
    assert balances(long, as_of=AsOf(position=long.head().position)) == now
    assert balances(long, as_of=parse("9000-01-01T00:00:00Z")) == now


def test_the_players_net_is_the_sum_of_the_rounds_net(long: Ledger) -> None:
    players = sum(row["net_cents"] for row in balances(long).rows)
    assert players == sum(row["net_cents"] for row in list_rounds(long).rows)
