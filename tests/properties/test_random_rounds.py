"""Random play of Fortune: no refusal that was not meant, sums of zero, and every second look finds the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from projections.balances import balances
from projections.catalog import digest, rebuild
from projections.meters import discrepancies, list_meters, show_meter
from tests.generators.fortune import feed
from tests.generators.scene import EVENTFUL, Habits
from tests.properties import naive_balances
from tests.properties.naive_meters import Level, Meters
from tests.properties.naive_rules import broken_lines
from tests.properties.naive_sums import sums
from tests.properties.played import Played, play, record

LONG_PLAYS = [(seed, seed % 2 == 0, EVENTFUL if seed % 3 == 0 else Habits()) for seed in range(101, 113)]


@pytest.fixture(params=LONG_PLAYS, ids=lambda each: f"seed-{each[0]}", scope="module")
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Sixty rounds at five tables, each seed recorded once for all tests here."""
    seed, bias, habits = request.param
    commands = feed(seed, 60, bias=bias, retries=20, habits=habits)
    with play(commands, tmp_path_factory.mktemp(f"seed-{seed}")) as finished:
        yield finished


def test_nothing_is_refused_and_retries_are_repeated(played: Played) -> None:
    assert_nothing_refused(played)
    ids = [command["command_id"] for command in played.commands]
    repeated = [receipt.command_id for receipt in played.receipts if receipt.status == "repeated"]
    assert len(ids) - len(set(ids)) == len(repeated) > 0


def test_every_settled_round_sums_to_zero_over_players_house_dealers_meter_and_reserve(played: Played) -> None:
    assert_sums_are_zero(played)


def test_commission_and_payout_limits_are_those_of_the_sheet(played: Played) -> None:
    assert broken_lines(list(played.recorded), played.documents) == []


def test_every_round_is_settled_again_to_the_same_lines(played: Played) -> None:
    assert_rechecks(played)


def test_balances_agree_with_a_naive_fold(played: Played) -> None:
    assert_balances_agree(played)


def test_meters_agree_with_a_naive_fold_and_every_hit_paid_its_share(played: Played) -> None:
    assert_meters_agree(played)


def test_a_rebuild_gives_the_same_rows_as_catching_up(played: Played) -> None:
    names = ("balances", "meters", "rounds")
    list_meters(played.ledger)
    balances(played.ledger)
    before = [digest(played.ledger, name) for name in names]
    rebuild(played.ledger, page=97)
    assert [digest(played.ledger, name) for name in names] == before


def test_recording_a_feed_twice_changes_nothing_the_second_time(played: Played) -> None:
    head = played.ledger.head()
    again = record(played.ledger, played.commands)
    assert {receipt.status for receipt in again} == {"repeated"}
    assert played.ledger.head() == head
    assert [receipt.position for receipt in again] == [receipt.position for receipt in played.receipts]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), bias=st.booleans(), eventful=st.booleans(), tables=st.integers(1, 5))
def test_any_seed_keeps_the_books(seed: int, bias: bool, eventful: bool, tables: int) -> None:
    commands = feed(seed, 8, bias=bias, tables=tables, habits=EVENTFUL if eventful else None)
    with TemporaryDirectory() as folder, play(commands, Path(folder)) as played:
        assert_nothing_refused(played)
        assert_sums_are_zero(played)
        assert broken_lines(list(played.recorded), played.documents) == []
        assert_rechecks(played)
        assert_balances_agree(played)
        assert_meters_agree(played)


def test_payments_that_are_right_are_never_a_finding(tmp_path: Path) -> None:
    habits = Habits(payment=1000, wrong_payment=0, careless=500, bank=400, forfeit=100, correction=0)
    with play(feed(7, 80, habits=habits), tmp_path) as played:
        codes = [finding["code"] for document in played.documents.values() for finding in document["findings"]]
        assert "hand.foul" in codes
        assert "payment.difference" not in codes


def assert_nothing_refused(played: Played) -> None:
    """The generator means every command to be taken."""
    refused = [receipt for receipt in played.receipts if receipt.status == "refused"]
    assert [(receipt.command_id, receipt.message) for receipt in refused] == []


def assert_sums_are_zero(played: Played) -> None:
    """Each round by itself, and as its own totals say."""
    meters = naive_meters_of(played)
    totals = {
        record.stream.key: record.event.totals for record in records_of(played) if record.event.NAME == "round.settled"
    }
    assert totals
    for key, recorded in totals.items():
        own = sums(played.documents[key], meters.moves[key])
        assert sum(own) == 0, key
        assert own == (
            recorded.players_micros,
            recorded.house_micros,
            recorded.dealers_micros,
            recorded.meter_micros,
            recorded.reserve_micros,
        ), key
    for document in played.documents.values():
        if document["status"] == "voided":
            assert [line["net_cents"] for line in document["lines"] if line["net_cents"]] == []


def assert_rechecks(played: Played) -> None:
    """Settling again by the pinned sheet gives the recorded lines, and every hash of the round holds."""
    for document in played.documents.values():
        assert document["recheck"] == {"matches": True, "differences": []}, document["round"]
        assert document["integrity"]["verified"] is True


def assert_balances_agree(played: Played) -> None:
    """The projection's rows, positions apart; who has only zeros may have a row or none."""
    shown = {row["player"]: row for row in balances(played.ledger).rows}
    naive = naive_balances.balances(played.recorded, played.documents)
    for player in shown.keys() | naive.keys():
        row = shown.get(player, {})
        assert {name: row.get(name, 0) for name in naive_balances.NAMES} == naive.get(
            player, dict.fromkeys(naive_balances.NAMES, 0)
        ), player


def assert_meters_agree(played: Played) -> None:
    """Every level's reading, and what each hit was paid."""
    naive = naive_meters_of(played)
    assert naive.wrong == []
    assert naive.levels
    for (meter, name), level in naive.levels.items():
        assert shown_level(played, meter, name, level) == level.shown()
    assert discrepancies(played.ledger).rows == []


def shown_level(played: Played, meter: str, name: str, level: Level) -> dict[str, Any]:
    """The same figures of the projection."""
    (row,) = show_meter(played.ledger, meter).rows
    shown = next(each for each in row["levels"] if each["level"] == name)
    return {key: shown[key] for key in level.shown()}


def naive_meters_of(played: Played) -> Meters:
    """The naive meters after the whole feed."""
    meters = Meters(played.documents)
    meters.take(played.recorded)
    return meters


def records_of(played: Played) -> Iterator[Any]:
    """The whole log."""
    position = 0
    while page := played.ledger.records(position):
        yield from page
        position = page[-1].position
