"""The runner: pages, one transaction for rows and position, several runners, rebuilds, dead letters."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from cli.simulation.feed import feed
from cli.simulation.house import PROPERTIES
from ledger.errors import StoreLocked
from ledger.records import Record
from ledger.service import Ledger
from ledger.tables import BIG, Column
from projections import balances, catalog, runner, standing, store
from projections.runner import RebuildTakenOver
from projections.standing import ProjectionAhead
from projections.statements import Writing, reading, select
from projections.store import Projection, Source
from tests.projections.sources import Following, record_all, url

NAMES = [kind.NAME for kind in catalog.KINDS]


class Noted(Projection):
    """Notes every event that it takes in; `refused` is the position that it cannot take."""

    NAME: ClassVar[str] = "noted"
    SCHEMA: ClassVar[int] = 1
    refused: ClassVar[int | None] = None

    def __init__(self, build: int) -> None:
        super().__init__(build)
        self.noted = self.table("", [Column("position", BIG, key=True), Column("times", BIG)])

    def apply(self, connection: Writing, records: Sequence[Record]) -> None:
        """Counts how often each position comes by."""
        rows = [{"position": record.position, "times": 1} for record in records]
        store.upsert(connection, self.noted, rows, add=frozenset({"times"}))
        if self.refused in [record.position for record in records]:
            raise ValueError("a hand of eight cards")


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> type[Noted]:
    """A projection of its own for one test, with nothing refused."""
    monkeypatch.setattr(Noted, "refused", None)
    return Noted


def noted_rows(source: Source, kind: type[Noted] = Noted) -> list[tuple[int, int]]:
    """What was noted: positions and how often."""
    with reading(source.store) as connection:
        found = store.current_build(connection, kind)
        assert found is not None
        table = store.of_build(kind, found[0]).noted
        return [tuple(row) for row in connection.all(select(table.all, table, then=f"ORDER BY {table.order}"))]


def once(last: int, first: int = 1) -> list[tuple[int, int]]:
    """Every position from `first` to `last`, once."""
    return [(position, 1) for position in range(first, last + 1)]


def digests(source: Source) -> dict[str, str]:
    """The hash of every projection's rows."""
    return {name: catalog.digest(source, name) for name in NAMES}


@pytest.mark.parametrize("page", [1, 7, 500])
def test_catch_up_in_any_paging_gives_the_rows_of_a_rebuild(ledger: Ledger, page: int) -> None:
    reached = catalog.catch_up(ledger, page=page)
    assert [(each.position, each.lag) for each in reached] == [(ledger.head().position, 0)] * len(NAMES)
    caught_up = digests(ledger)
    catalog.rebuild(ledger, page=123)
    assert digests(ledger) == caught_up


def test_a_digest_tells_different_rows_apart(ledger: Ledger) -> None:
    catalog.catch_up(ledger)
    before = digests(ledger)
    record_all(ledger, [buy_in("later")])
    catalog.catch_up(ledger)
    after = digests(ledger)
    assert before["balances"] != after["balances"]
    assert before["rounds"] == after["rounds"]


def test_a_page_moves_the_position_past_events_that_concern_nothing(ledger: Ledger, noted: type[Noted]) -> None:
    runner.catch_up(ledger, [noted], page=10)
    (status,) = standing.status(ledger, [noted])
    assert (status.position, status.lag) == (ledger.head().position, 0)


def test_catch_up_ends_where_the_log_ended_when_it_was_called(ledger: Ledger, noted: type[Noted]) -> None:
    head = ledger.head().position
    busy = Following(ledger, after_reading=lambda records: record_all(ledger, [buy_in(f"busy-{records[0].position}")]))
    runner.catch_up(busy, [noted], page=head)
    assert noted_rows(ledger) == once(head)


def test_rows_and_position_are_committed_together_however_the_runner_dies(copied: Path, tmp_path: Path) -> None:
    script = tmp_path / "dies.py"
    script.write_text(
        "import os, sys\n"
        "from ledger.service import Ledger\n"
        "from projections import runner\n"
        "from tests.projections.test_runner import Noted\n"
        "class Dies(Noted):\n"
        "    def apply(self, connection, records):\n"
        "        super().apply(connection, records)\n"
        "        if records[0].position > 20:\n"
        "            os._exit(9)\n"
        "runner.catch_up(Ledger.open(sys.argv[1]), [Dies], page=10)\n"
    )
    died = subprocess.run([sys.executable, script, url(copied)], env=_environment(), timeout=60, check=False)
    assert died.returncode == 9
    with Ledger.open(url(copied)) as ledger:
        (status,) = standing.status(ledger, [Noted])
        assert status.position == 20
        assert noted_rows(ledger) == once(20)
        runner.catch_up(ledger, [Noted])
        assert noted_rows(ledger) == once(ledger.head().position)


def test_two_runners_that_read_the_same_page_apply_it_once(ledger: Ledger, copied: Path, noted: type[Noted]) -> None:
    with Ledger.open(url(copied)) as other:
        overtaken = Following(ledger, after_reading=lambda records: runner.catch_up(other, [noted], page=25))
        runner.catch_up(overtaken, [noted], page=10)
    assert noted_rows(ledger) == once(ledger.head().position)


def test_runners_at_once_apply_nothing_twice(copied: Path, noted: type[Noted]) -> None:
    def run(page: int) -> None:
        with Ledger.open(url(copied)) as own:
            runner.catch_up(own, [noted, *catalog.KINDS], page=page)

    threads = [threading.Thread(target=run, args=(page,)) for page in (3, 4, 5, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Ledger.open(url(copied)) as ledger:
        assert noted_rows(ledger) == once(ledger.head().position)
        caught_up = digests(ledger)
        catalog.rebuild(ledger)
        assert digests(ledger) == caught_up


def test_an_event_that_cannot_be_taken_in_is_a_dead_letter_and_the_rows_before_it_stay(
    ledger: Ledger, noted: type[Noted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noted, "refused", 33)
    runner.catch_up(ledger, [noted], page=10)
    (status,) = standing.status(ledger, [noted])
    assert (status.position, status.error_position) == (32, 33)
    assert status.error == "ValueError: a hand of eight cards"
    assert status.lag == ledger.head().position - 32
    assert noted_rows(ledger) == once(32)


def test_a_dead_letter_stops_its_projection_and_no_other(
    ledger: Ledger, noted: type[Noted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noted, "refused", 33)
    runner.catch_up(ledger, [noted, *catalog.KINDS], page=10)
    monkeypatch.setattr(noted, "refused", None)
    runner.catch_up(ledger, [noted, *catalog.KINDS], page=10)
    assert [each.lag for each in catalog.status(ledger)] == [0] * len(NAMES)
    assert noted_rows(ledger) == once(32)


def test_a_rebuild_takes_a_dead_letter_away_once_the_event_can_be_taken_in(
    ledger: Ledger, noted: type[Noted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noted, "refused", 33)
    runner.catch_up(ledger, [noted])
    runner.rebuild(ledger, noted)
    assert standing.status(ledger, [noted])[0].error_position == 33
    monkeypatch.setattr(noted, "refused", None)
    runner.rebuild(ledger, noted)
    (status,) = standing.status(ledger, [noted])
    assert (status.position, status.error) == (ledger.head().position, None)
    assert noted_rows(ledger) == once(ledger.head().position)


def test_a_failing_store_is_nobodys_dead_letter(
    ledger: Ledger, noted: type[Noted], monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(self: Noted, connection: Writing, records: Sequence[Record]) -> None:
        raise StoreLocked("held by another process; try again")

    with monkeypatch.context() as patch:
        patch.setattr(noted, "apply", locked)
        with pytest.raises(StoreLocked):
            runner.catch_up(ledger, [noted])
    runner.catch_up(ledger, [noted])
    assert noted_rows(ledger) == once(ledger.head().position)


def test_an_event_that_cannot_be_read_stops_every_projection_before_it(ledger: Ledger) -> None:
    head = ledger.head().position
    _append_unknown(ledger)
    statuses = catalog.catch_up(ledger, page=7)
    assert [(each.position, each.error_position) for each in statuses] == [(head, head + 1)] * len(NAMES)
    assert all("round.levitated" in (each.error or "") for each in statuses)


def test_reports_read_the_old_rows_until_the_rebuilt_ones_take_their_place(ledger: Ledger) -> None:
    catalog.catch_up(ledger)
    before = balances.balances(ledger)
    seen: list[int] = []

    def look(name: str, position: int, head: int) -> None:
        seen.append(position)
        assert balances.balances(ledger) == before

    catalog.rebuild(ledger, "balances", page=100, progress=look)
    assert seen[-1] == ledger.head().position
    assert balances.balances(ledger) == before


def test_what_is_recorded_during_a_rebuild_is_in_it_and_no_reader_goes_back(ledger: Ledger) -> None:
    catalog.catch_up(ledger)
    more = [buy_in("a"), buy_in("b"), buy_in("c")]

    def record_and_report(name: str, position: int, head: int) -> None:
        if position == head and more:
            record_all(ledger, [more.pop()])
            balances.balances(ledger)

    catalog.rebuild(ledger, "balances", page=100, progress=record_and_report)
    (status,) = catalog.status(ledger, ["balances"])
    assert (status.lag, more) == (0, [])
    rebuilt = catalog.digest(ledger, "balances")
    catalog.rebuild(ledger, "balances")
    assert catalog.digest(ledger, "balances") == rebuilt


def test_a_later_rebuild_ends_an_earlier_one(ledger: Ledger, noted: type[Noted]) -> None:
    runner.catch_up(ledger, [noted])

    def begin_another(name: str, position: int, head: int) -> None:
        runner.rebuild(ledger, noted)

    with pytest.raises(RebuildTakenOver, match="another rebuild of noted began"):
        runner.rebuild(ledger, noted, page=10, progress=begin_another)
    assert noted_rows(ledger) == once(ledger.head().position)


def test_an_abandoned_rebuild_leaves_no_tables_behind_the_next_one(ledger: Ledger, noted: type[Noted]) -> None:
    def abandon(name: str, position: int, head: int) -> None:
        raise KeyboardInterrupt

    runner.catch_up(ledger, [noted])
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            runner.rebuild(ledger, noted, page=10, progress=abandon)
    runner.rebuild(ledger, noted)
    assert len(_tables(ledger, "projection_noted_")) == 1
    assert noted_rows(ledger) == once(ledger.head().position)


def test_a_changed_schema_version_builds_itself_anew_and_drops_the_old_tables(
    ledger: Ledger, noted: type[Noted]
) -> None:
    class Changed(Noted):
        SCHEMA: ClassVar[int] = 2

    runner.catch_up(ledger, [noted])
    assert standing.status(ledger, [Changed])[0].position == 0
    runner.catch_up(ledger, [Changed])
    assert noted_rows(ledger, Changed) == once(ledger.head().position)
    assert len(_tables(ledger, "projection_noted_")) == 1


def test_a_store_that_can_only_be_read_answers_what_is_projected_and_says_the_lag(copied: Path) -> None:
    with Ledger.open(url(copied)) as ledger:
        catalog.catch_up(ledger)
        before = balances.balances(ledger)
        record_all(ledger, [buy_in("more"), buy_in("again")])
    with Ledger.open(url(copied), read_only=True) as reading:
        assert balances.balances(reading) == before._replace(lag=2)
        assert [each.lag for each in catalog.catch_up(reading)] == [2] * len(NAMES)


def test_a_store_that_can_only_be_read_and_was_never_projected_has_no_rows(copied: Path) -> None:
    with Ledger.open(url(copied), read_only=True) as reading:
        head = reading.head().position
        assert balances.balances(reading) == ([], 0, head)
        assert [each.lag for each in catalog.status(reading)] == [head] * len(NAMES)


def test_a_log_that_lost_its_tail_is_noticed(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog.catch_up(ledger)
    head = ledger.head()
    monkeypatch.setattr(ledger, "head", lambda: head._replace(position=head.position - 1))
    with pytest.raises(ProjectionAhead, match=f"has taken in {head.position} events and the log ends at"):
        balances.balances(ledger)


def test_an_unknown_projection_is_named_with_those_there_are(ledger: Ledger) -> None:
    there_are = "balances, meters, meter_book, rounds"
    with pytest.raises(catalog.NoSuchProjection, match=rf"no projection 'balance'; there are {there_are}"):
        catalog.rebuild(ledger, "balance")


def test_rows_are_the_same_bytes_under_another_zone_locale_and_hash_seed(copied: Path, tmp_path: Path) -> None:
    script = tmp_path / "digests.py"
    script.write_text(
        "import sys\n"
        "from ledger.service import Ledger\n"
        "from projections import catalog\n"
        "with Ledger.open(sys.argv[1]) as ledger:\n"
        "    catalog.rebuild(ledger)\n"
        "    print([catalog.digest(ledger, kind.NAME) for kind in catalog.KINDS])\n"
    )
    elsewhere = [
        {"TZ": "Pacific/Chatham", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
        {"TZ": "America/St_Johns", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"},
    ]
    outputs = {
        subprocess.run(
            [sys.executable, script, url(copied)],
            env=_environment() | settings,
            timeout=60,
            check=True,
            capture_output=True,
        ).stdout
        for settings in elsewhere
    }
    assert len(outputs) == 1


def test_catching_up_after_every_few_commands_gives_the_rows_of_a_rebuild(tmp_path: Path) -> None:
    commands = list(feed(12, 4, bias=True))
    with Ledger.open(url(tmp_path / "bit-by-bit.db")) as ledger:
        for start in range(0, len(commands), 5):
            record_all(ledger, commands[start : start + 5])
            assert [each.lag for each in catalog.catch_up(ledger)] == [0] * len(NAMES)
        caught_up = digests(ledger)
        catalog.rebuild(ledger)
        assert digests(ledger) == caught_up


def buy_in(command_id: str) -> dict[str, object]:
    """A buy-in at a property that every history opens."""
    return {
        "command": "buy_in",
        "command_id": command_id,
        "at": "2026-06-01T12:00:00-04:00",
        "by": "C9",
        "property": PROPERTIES[0].id,
        "table": "T1",
        "player": "P999",
        "amount_cents": 100,
    }


def _environment() -> dict[str, str]:
    root = Path(__file__).parents[2]
    return dict(os.environ) | {"PYTHONPATH": str(root)}


def _tables(source: Source, prefix: str) -> list[str]:
    with source.store.reading() as connection:
        return [name for name in source.store.dialect.tables(connection) if name.startswith(prefix)]


def _append_unknown(ledger: Ledger) -> None:
    """An event that a later version might write, appended past the ledger's own rules."""
    with ledger.store.writing() as connection:
        connection.exec_driver_sql(
            "INSERT INTO events SELECT position + 1, stream_id, version + 1, 'round.levitated', 1, at, recorded_at, by,"
            " NULL, NULL, NULL, NULL, payload, hash FROM events WHERE position = (SELECT max(position) FROM events)"
        )
