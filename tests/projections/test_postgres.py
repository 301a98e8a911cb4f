"""Projections in PostgreSQL: the rows of a SQLite file to the byte, several runners, rebuilds beside readers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from cli.simulation.feed import feed
from cli.simulation.habits import EVENTFUL
from ledger.errors import LedgerError, StoreLost
from ledger.postgres import Postgres
from ledger.service import Ledger
from projections import balances, catalog, meters, reading, runner, store
from projections.balances import Balances
from projections.filters import FEW, Filters, Window
from projections.hand_words import hand_meant
from projections.missing import missing_numbers
from projections.rechecks import recheck_rounds
from projections.replays import replay_all
from projections.rounds import list_rounds, round_keys
from projections.rules import Rules
from projections.runner import RebuildTakenOver
from projections.statements import Transaction, select
from projections.suggesting import few_names, similar_names
from tests.postgres import Database
from tests.projections.sources import Following, record_all, url

NAMES = [kind.NAME for kind in catalog.KINDS]
COMMANDS = list(feed(11, 25, habits=EVENTFUL, bias=True))


@pytest.fixture
def ledger(database: Database) -> Iterator[Ledger]:
    """The feed in PostgreSQL."""
    with Ledger.open(database.url) as opened:
        record_all(opened, COMMANDS)
        yield opened


def digests(ledger: Ledger) -> dict[str, str]:
    """The hash of every projection's rows."""
    return {name: catalog.digest(ledger, name) for name in NAMES}


@pytest.mark.parametrize("page", [7, 500])
def test_the_same_feed_gives_the_rows_and_reports_of_a_file(ledger: Ledger, tmp_path: Path, page: int) -> None:
    with Ledger.open(url(tmp_path / "rounds.db")) as file:
        record_all(file, COMMANDS)
        for each in (ledger, file):
            catalog.catch_up(each, page=page)
        assert digests(ledger) == digests(file)
        assert balances.balances(ledger) == balances.balances(file)
        assert list_rounds(ledger) == list_rounds(file)
        assert meters.list_meters(ledger) == meters.list_meters(file)
        assert [told(each) for each in replay_all(ledger)] == [told(each) for each in replay_all(file)]
        catalog.rebuild(ledger, page=123)
        assert digests(ledger) == digests(file)


COMPLAINTS = (
    Filters(seat=2, wager="main", outcome="win"),
    Filters(won=(10_000, None)),
    Filters(won=(1, 5_000), outcome="win"),
    Filters(hand=hand_meant("pair of aces")),
    Filters(hand=hand_meant("full house"), wager="main"),
    Filters(player="P003", outcome="lose"),
    Filters(finding="hand.foul"),
    Filters(outcome="returned"),
    Filters(windows=(Window(None, 0, 2**40),), status="voided"),
    Filters(windows=()),
)


@pytest.mark.parametrize("few", [0, FEW])
def test_complaints_find_the_rounds_that_a_file_finds(
    ledger: Ledger, tmp_path: Path, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.rounds.FEW", few)
    with Ledger.open(url(tmp_path / "rounds.db")) as file:
        record_all(file, COMMANDS)
        found = [list_rounds(ledger, each).rows for each in COMPLAINTS]
        assert found == [list_rounds(file, each).rows for each in COMPLAINTS]
        assert sum(map(bool, found)) > 5
        assert round_keys(ledger).rows == round_keys(file).rows
        keys = [row["round"] for row in round_keys(ledger).rows]
        assert recheck_rounds(ledger, Rules(ledger), keys) == recheck_rounds(file, Rules(file), keys)
        assert missing_numbers(ledger, Filters()).rows == missing_numbers(file, Filters()).rows
        for name in ("table", "player", "finding", "day"):
            assert few_names(ledger, name) == few_names(file, name)
            assert similar_names(ledger, name, "P00") == similar_names(file, name, "P00")


def told(document: dict[str, Any]) -> dict[str, Any]:
    """A replay without the hashes, which are under the ledger's own clock."""
    return {key: value for key, value in document.items() if key != "integrity"}


def test_runners_at_once_give_the_rows_of_a_rebuild(ledger: Ledger, database: Database) -> None:
    failed: list[LedgerError] = []

    def run(page: int) -> None:
        with Ledger.open(database.url) as own:
            try:
                catalog.catch_up(own, page=page)
            except LedgerError as error:
                failed.append(error)

    threads = [threading.Thread(target=run, args=(page,)) for page in (17, 29, 41, 53)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert [each.lag for each in catalog.status(ledger)] == [0] * len(NAMES)
    caught_up = digests(ledger)
    catalog.rebuild(ledger)
    assert digests(ledger) == caught_up


def test_two_runners_that_read_the_same_page_apply_it_once(ledger: Ledger, database: Database) -> None:
    with Ledger.open(database.url) as other:
        overtaken = Following(ledger, after_reading=lambda _: runner.catch_up(other, [Balances], page=90))
        runner.catch_up(overtaken, [Balances], page=40)
    caught_up = catalog.digest(ledger, "balances")
    catalog.rebuild(ledger, "balances")
    assert catalog.digest(ledger, "balances") == caught_up


def test_a_later_rebuild_ends_an_earlier_one(ledger: Ledger) -> None:
    catalog.catch_up(ledger)
    before = digests(ledger)
    with pytest.raises(RebuildTakenOver):
        runner.rebuild(ledger, Balances, page=100, progress=lambda *_: runner.rebuild(ledger, Balances))
    assert digests(ledger) == before


def test_a_report_that_is_being_read_keeps_its_rows_while_they_are_rebuilt(
    ledger: Ledger, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Postgres, "LOCK_SECONDS", 0.05)
    with Ledger.open(database.url) as impatient:
        with reading.view(ledger, Balances) as view:
            assert view.projection is not None
            count = select("count(*)", view.projection.players)
            before = view.connection.value(count)
            catalog.rebuild(impatient, "balances")
            assert view.connection.value(count) == before > 0
        assert tables(ledger) == 4
        catalog.rebuild(impatient, "balances")
    assert tables(ledger) == 2


def test_a_report_that_a_rebuild_overtakes_reads_the_rebuilt_rows(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = balances.balances(ledger)
    overtaken: list[int] = []
    hold = store.hold

    def rebuilt_before(connection: Transaction, projection: store.Projection) -> bool:
        if not overtaken:
            overtaken.append(projection.build)
            catalog.rebuild(ledger, "balances")
        held = hold(connection, projection)
        overtaken.append(held)
        return held

    monkeypatch.setattr(store, "hold", rebuilt_before)
    assert balances.balances(ledger) == expected
    assert overtaken[1:] == [False, True]


def test_a_runner_that_loses_its_connection_at_any_step_moves_rows_and_position_together(
    ledger: Ledger, database: Database
) -> None:
    catalog.catch_up(ledger)
    expected = digests(ledger)
    with Ledger.open(database.url) as dying, database.connect() as raw:
        left: list[int] = []

        def step(connection: sa.Connection, *_: Any) -> None:
            if left and left[0] == 0:
                left.clear()
                driver: Any = connection.connection.dbapi_connection
                raw.execute("SELECT pg_terminate_backend(%s, 5000)", (driver.info.backend_pid,))
            elif left:
                left[0] -= 1

        sa.event.listen(dying.engine, "before_cursor_execute", step)
        lost = 0
        for at in range(3, 60, 4):
            left[:] = [at]
            try:
                runner.rebuild(dying, Balances, page=60)
            except StoreLost:
                lost += 1
            left.clear()
            assert catalog.digest(ledger, "balances") == expected["balances"]
        assert lost > 5
    catalog.rebuild(ledger)
    assert digests(ledger) == expected
    assert [each.error for each in catalog.status(ledger)] == [None] * len(NAMES)


def tables(ledger: Ledger) -> int:
    """How many tables the builds of balances have."""
    with ledger.store.reading() as connection:
        return len([name for name in ledger.store.dialect.tables(connection) if name.startswith("projection_bal")])
