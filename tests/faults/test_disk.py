"""A full or failing disk, a place that is only read, a store that somebody holds, a wrong clock: one clear end each.

Each goes through the command line; nothing is half done, and the same feed goes on from there.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from cli.simulation.feed import feed
from tests.faults.model import Model, query
from tests.faults.nursery import Ended, Nursery
from tests.faults.plan import Plan, What
from tests.faults.simulator import DAY, holding, reading_only, server_says_full
from tests.ledger.play import url_of
from tests.postgres import Database

LINES = [json.dumps(command).encode() for command in feed(7, 2, tables=1, bias=True)]
FIRST, REST = LINES[:30], LINES[30:]
TIMES = "SELECT recorded_at FROM events ORDER BY position"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a ledger on each kind of database."""
    if request.param == "sqlite":
        return url_of(tmp_path)
    database: Database = request.getfixturevalue("database")
    return database.url


class Story:
    """A ledger with a few commands, to which something happens."""

    def __init__(self, url: str, folder: Path, nursery: Nursery) -> None:
        self.url = url
        self.nursery = nursery
        self.model = Model(url, folder)
        self.send(FIRST)

    def send(self, lines: list[bytes], plan: Plan | None = None) -> Ended:
        """Records the lines; what is answered then holds."""
        self.model.sent(lines)
        ended = self.nursery.record(self.url, lines, plan).wait()
        assert "Traceback" not in ended.errors
        self.model.told(ended.receipts)
        return ended

    def goes_on(self) -> None:
        """Everything holds, the same feed is recorded after all, and then everything holds again."""
        self.model.check_log()
        assert self.send(LINES).code == 0
        assert len(self.model.answered) == len({json.loads(line)["command_id"] for line in LINES})
        self.model.check()


@contextmanager
def story(url: str, folder: Path, nursery: Nursery) -> Iterator[Story]:
    told = Story(url, folder, nursery)
    with closing(told.model):
        yield told


@pytest.mark.parametrize("at", [0, 10, 31])
@pytest.mark.parametrize(("what", "code"), [("disk full", "store.disk-full"), ("disk error", "store.failed")])
def test_a_disk_that_fails_is_named_and_nothing_is_half_done(
    what: What, code: str, at: int, tmp_path: Path, nursery: Nursery
) -> None:
    with story(url_of(tmp_path), tmp_path, nursery) as told:
        ended = told.send(REST, Plan(what, at, "files", lasting=True, lines_a_commit=5))
        assert ended.code == 1
        assert f"\nrounds: {code}: " in f"\n{ended.errors}"
        told.goes_on()


@pytest.mark.parametrize("longest", [4_500, 12_000])
def test_a_file_that_may_not_grow_is_a_failing_disk(longest: int, tmp_path: Path, nursery: Nursery) -> None:
    with story(url_of(tmp_path), tmp_path, nursery) as told:
        # The write-ahead log is the file that grows, from nothing.
        ended = told.send(REST, Plan(file_limit=longest, lines_a_commit=5))
        assert ended.code == 1
        assert "rounds: store.failed: " in ended.errors
        told.goes_on()


def test_a_server_without_room_is_named_and_nothing_is_half_done(
    database: Database, tmp_path: Path, nursery: Nursery
) -> None:
    with story(database.url, tmp_path, nursery) as told:
        ((last,),) = query(database.url, "SELECT max(position) FROM events")
        with server_says_full(database.url, last + 8):
            ended = told.send(REST, Plan(lines_a_commit=5))
        assert ended.code == 1
        assert "rounds: store.disk-full: " in ended.errors
        told.goes_on()


def test_a_database_that_is_made_read_only_is_named(database: Database, tmp_path: Path, nursery: Nursery) -> None:
    with story(database.url, tmp_path, nursery) as told:
        with reading_only(database.url):
            ended = told.send(REST)
            shown = nursery.run("--db", database.url, "balance")
            status = nursery.run("--db", database.url, "projection", "status")
        assert (ended.code, ended.receipts) == (1, [])
        assert "rounds: store.read-only: " in ended.errors
        assert (shown.code, status.code) == (0, 0)
        assert "behind the log" in shown.errors
        told.goes_on()


def test_a_file_that_can_only_be_read_is_named(nursery: Nursery) -> None:
    # Others than root come into a test's own folder nowhere else.
    folder = Path(tempfile.mkdtemp(prefix="rounds-read-only-"))
    plan = Plan(unprivileged=True)
    try:
        folder.chmod(0o755)
        with Nursery(folder) as own, story(url_of(folder), folder, nursery) as told:
            store = folder / "rounds.db"
            assert own.run("--db", told.url, "balance").code == 0
            before = store.read_bytes()
            store.chmod(0o444)
            folder.chmod(0o555)
            ended = own.record(told.url, REST, plan).wait()
            shown = own.run("--db", told.url, "balance", plan=plan)
            verified = own.run("--db", told.url, "verify", plan=plan)
            assert (ended.code, ended.receipts) == (1, [])
            assert "rounds: store.read-only: " in ended.errors
            assert (shown.code, verified.code) == (0, 0)
            assert store.read_bytes() == before
            store.chmod(0o644)
            folder.chmod(0o755)
            told.goes_on()
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_somebody_who_holds_the_store_is_named_and_reports_go_on(url: str, tmp_path: Path, nursery: Nursery) -> None:
    plan = Plan(busy_seconds=0.05)
    with story(url, tmp_path, nursery) as told:
        assert nursery.run("--db", url, "balance").code == 0
        with holding(url):
            ended = told.send(REST, plan)
            anchored = nursery.run("--db", url, "anchor", plan=plan)
            shown = nursery.run("--db", url, "balance", plan=plan)
        assert (ended.code, ended.receipts) == (4, [])
        assert "rounds: store.locked: " in ended.errors
        assert (anchored.code, shown.code) == (0, 0)
        told.goes_on()


@pytest.mark.parametrize("seconds", [(-400 * DAY,), (DAY, -DAY, 0)])
def test_a_clock_that_is_set_back_does_not_take_the_log_with_it(
    seconds: tuple[int, ...], url: str, tmp_path: Path, nursery: Nursery
) -> None:
    with story(url, tmp_path, nursery) as told:
        assert told.send(REST, Plan(clock_seconds=seconds, lines_a_commit=3)).code == 0
        times = [time for (time,) in query(url, TIMES)]
        assert times == sorted(times)
        told.goes_on()
