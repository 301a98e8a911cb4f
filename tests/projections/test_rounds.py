"""The list of rounds: what a row says, its filters, its order, and the indexes that keep it quick."""

from __future__ import annotations

from typing import Any

import pytest

from domain.cards import parse as cards
from domain.rounds.events import (
    BankTaken,
    BettingClosed,
    DealtHand,
    Event,
    Finding,
    HandsDealt,
    PlayerReversal,
    RoundMisdealt,
)
from ledger.service import Ledger
from projections import catalog
from projections.asof import log as whole_log
from projections.reading import view
from projections.rounds import Filters, Rounds, list_rounds, selection, similar_rounds, stream_rounds
from tests.projections import naive
from tests.projections.hands import line, opened, placed, settled, voided
from tests.projections.sources import HandMade

DEALT = HandsDealt((DealtHand(0, cards("Jh Jd As 9c 7d 4s 2h")),), 4)


def only(log: HandMade) -> dict[str, object]:
    """The only round of the log."""
    (row,) = list_rounds(log).rows
    return row


def keys(log: HandMade, **filters: Any) -> list[str]:
    """The keys of the rounds that the filters mean."""
    return [row["round"] for row in list_rounds(log, Filters(**filters)).rows]


def test_a_row_says_where_the_round_stands_and_who_played(log: HandMade) -> None:
    log.in_round("R1", opened(), placed(500), placed(70, player="P9", bettor="P9"))
    assert only(log) == {
        "round": "R1",
        "property": "NORTH",
        "table": "T1",
        "number": 1,
        "gaming_day": "2026-05-04",
        "game": "fortune",
        "sheet": "fortune-cardroom@1",
        "dealer": "D1",
        "deck": None,
        "status": "open",
        "phase": "open",
        "misdealt": False,
        "bank": "house",
        "opened_at": "2026-05-04T18:00:00-04:00",
        "settled_at": None,
        "voided_at": None,
        "players": ["P1", "P2", "P9"],
        "staked_cents": 570,
        "won_cents": 0,
        "returned_cents": 0,
        "commission_cents": 0,
        "corrected_cents": 0,
        "net_cents": -570,
        "findings": [],
        "seats_found": [],
        "version": 3,
        "position": 3,
        "opened_position": 1,
    }


@pytest.mark.parametrize(
    ("events", "phase", "status"),
    [
        ((), "open", "open"),
        ((BettingClosed(0),), "closed", "open"),
        ((BettingClosed(0), DEALT), "dealt", "open"),
        ((BettingClosed(0), DEALT, line(), settled()), "settled", "settled"),
        ((BettingClosed(0), DEALT, line(), settled(), voided()), "voided", "voided"),
        ((voided(),), "voided", "voided"),
    ],
)
def test_phase_and_status_follow_the_round(log: HandMade, events: tuple[Event, ...], phase: str, status: str) -> None:
    log.in_round("R1", opened(), *events)
    assert (only(log)["phase"], only(log)["status"]) == (phase, status)


def test_times_of_settling_and_void_are_the_events_own(log: HandMade) -> None:
    log.in_round("R1", opened())
    log.in_round("R1", settled(), at="2026-05-04T18:05:00-04:00")
    log.in_round("R1", voided(), at="2026-05-04T19:00:00-04:00")
    row = only(log)
    assert (row["settled_at"], row["voided_at"]) == ("2026-05-04T18:05:00-04:00", "2026-05-04T19:00:00-04:00")


def test_the_bank_is_the_bankers_seat(log: HandMade) -> None:
    log.in_round("R1", opened(), BankTaken(2, "P2", 10_000, 1_000, 3_000))
    assert only(log)["bank"] == 2


def test_a_misdeal_is_marked_and_stays_open(log: HandMade) -> None:
    finding = Finding("deal.stub-count", "3 cards are left, 4 should be")
    log.in_round("R1", opened(), BettingClosed(0), DEALT, RoundMisdealt((finding,)))
    row = only(log)
    assert (row["misdealt"], row["status"], row["findings"]) == (True, "open", ["deal.stub-count"])


def test_a_code_is_listed_once_however_many_findings_it_has(log: HandMade) -> None:
    twice = (Finding("deal.hand-size", "seat 1", 1), Finding("deal.hand-size", "seat 2", 2))
    log.in_round("R1", opened(), BettingClosed(0), DEALT, RoundMisdealt((*twice, Finding("deal.stub-count", "3"))))
    assert only(log)["findings"] == ["deal.hand-size", "deal.stub-count"]


def test_a_voided_round_moved_nothing(log: HandMade) -> None:
    played = (placed(500), line(stake=500, won=500, returned=500, commission=25), settled())
    log.in_round("R1", opened(), *played, voided(PlayerReversal("P1", 500, 500, 500, 25, 0, 1)))
    row = only(log)
    assert [row[name] for name in ("staked_cents", "won_cents", "returned_cents", "net_cents")] == [0, 0, 0, 0]


def two_rounds(log: HandMade) -> HandMade:
    """R2 opened before R1, at other places, with other people and a finding of its own."""
    late = (Finding("payment.difference", "paid $1.00"),)
    log.in_round(
        "R2",
        opened("R2", {3: "P3"}, table="T2", property="SOUTH", dealer="D2", gaming_day="2026-05-03", game="pai_gow"),
        placed(500, player="P8", bettor="P8", seat=3),
        BettingClosed(500, findings=late),
    )
    log.in_round("R1", opened(), settled())
    return log


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("property", "SOUTH", "NORTH"),
        ("table", "T2", "T1"),
        ("day", "2026-05-03", "2026-05-04"),
        ("dealer", "D2", "D1"),
        ("game", "pai_gow", "fortune"),
        ("status", "open", "settled"),
        ("player", "P3", "P2"),
    ],
)
def test_each_filter_keeps_its_own(log: HandMade, name: str, first: str, second: str) -> None:
    two_rounds(log)
    assert keys(log, **{name: first}) == ["R2"]
    assert keys(log, **{name: second}) == ["R1"]
    assert keys(log, **{name: "nothing"}) == []


def test_the_player_filter_finds_backers_and_the_finding_filter_codes(log: HandMade) -> None:
    two_rounds(log)
    assert keys(log, player="P8") == ["R2"]
    assert keys(log, finding="payment.difference") == ["R2"]
    assert keys(log, finding="payment") == []


def test_filters_hold_together(log: HandMade) -> None:
    two_rounds(log)
    assert keys(log, table="T2", status="open", player="P3") == ["R2"]
    assert keys(log, table="T2", status="settled") == []


def test_round_order_is_the_order_of_opening(log: HandMade) -> None:
    two_rounds(log)
    log.in_round("R2", settled("R2"))
    assert keys(log) == ["R2", "R1"]
    assert [row["round"] for row in list_rounds(log, limit=1).rows] == ["R2"]


def test_more_rounds_than_a_page_are_all_listed_and_streamed_in_order(log: HandMade) -> None:
    expected = [f"R{number:04}" for number in range(1, 1_203)]
    for key in expected:
        log.in_round(key, opened(key))
    assert keys(log) == expected
    assert [row["round"] for row in stream_rounds(log)] == expected
    assert [row["round"] for row in stream_rounds(log, Filters(player="P1"))] == expected
    assert len(list_rounds(log, limit=700).rows) == 700


def test_streaming_leaves_out_what_is_opened_after_it_began(log: HandMade) -> None:
    log.in_round("R1", opened())
    rows = stream_rounds(log)
    assert next(rows)["round"] == "R1"
    log.in_round("R2", opened("R2"))
    assert list(rows) == []


def test_a_mistyped_key_is_answered_with_its_likes(log: HandMade) -> None:
    for key in ("PG01-20260314-1", "PG01-20260314-2", "BJ99"):
        log.in_round(key, opened(key))
    assert similar_rounds(log, "PG01-20260314-11")[0] == "PG01-20260314-1"
    assert "BJ99" not in similar_rounds(log, "PG01-20260314-11")
    assert similar_rounds(log, "pg01-20260314-2")[0] == "PG01-20260314-2"
    assert similar_rounds(log, "zzz") == []


def test_an_event_of_a_round_that_never_opened_stops_the_projection(log: HandMade) -> None:
    log.in_round("R1", placed(500))
    (status,) = catalog.catch_up(log, ["rounds"])
    assert (status.position, status.error_position) == (0, 1)


def test_rows_agree_with_a_plain_look_at_whole_rounds(long: Ledger) -> None:
    expected = naive.rounds(whole_log(long.feed.after))
    found = list_rounds(long).rows
    for row in found:
        row["findings"] = set(row["findings"])
    assert [{name: row[name] for name in expected[0]} for row in found] == expected
    assert {row["status"] for row in expected} >= {"settled", "voided"}


def _only(name: str) -> Filters:
    """One filter, whatever it is."""
    given: dict[str, Any] = {name: "x"}
    return Filters(**given)


@pytest.mark.parametrize("name", ["table", "day", "dealer", "player", "finding", "status"])
def test_a_filter_is_answered_by_an_index(long: Ledger, name: str) -> None:
    with view(long, Rounds) as open_:
        assert open_.projection is not None
        few = [1, 2] if name in ("player", "finding") else None
        statement = selection(open_.projection, _only(name), 0, few)
        plan = open_.connection.all(statement._replace(text=f"EXPLAIN QUERY PLAN {statement.text}"))
        steps = [step for *_, step in plan]
    assert steps
    assert not [step for step in steps if step.startswith(("SCAN", "USE TEMP B-TREE"))], steps
