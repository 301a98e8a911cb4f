"""A file is read alike by the plain driver and through SQLAlchemy: the same rows, one moment, the same refusals."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from ledger.dialects import Sqlite
from ledger.errors import LedgerClosed, LedgerError
from ledger.reading import EngineReaders, SqliteReaders, driver_of
from ledger.service import Ledger
from tests.ledger.play import buy_in, contents, hand_in, ledger_in, play, url_of

WAYS = ("driver", "engine")


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each way to read a file."""
    read_by(request.param, monkeypatch)
    return str(request.param)


def read_by(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every store in a file is read that way."""
    if way == "engine":
        monkeypatch.setattr(Sqlite, "readers", lambda _, engine: EngineReaders(engine))
    else:
        monkeypatch.setattr(Sqlite, "readers", lambda self, _: SqliteReaders(self._connect))


@pytest.fixture
def played(tmp_path: Path) -> str:
    """A ledger in a file, closed."""
    with ledger_in(tmp_path) as ledger:
        play(ledger, rounds=2)
    return url_of(tmp_path)


def test_both_ways_read_the_same_rows(played: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for way in WAYS:
        read_by(way, monkeypatch)
        with Ledger.open(played, create=False) as ledger:
            found.append((contents(ledger), ledger.desk.entries("property"), ledger.round_records("r1")))
    assert found[0] == found[1] and found[0][0]


def spoiled(path: Path, how: str) -> None:
    """Makes a ledger's file one that cannot be read, or not by this version."""
    if how == "missing":
        path.unlink()
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "text":
        path.write_text("minutes of the meeting " * 100)
    elif how == "folder":
        path.unlink()
        path.mkdir()
    elif how == "damaged":
        content = path.read_bytes()
        path.write_bytes(content[:4096] + os.urandom(len(content) - 4096))
    else:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(CHANGES[how])


CHANGES = {
    "of a newer version": "PRAGMA user_version = 99",
    "of an older version": "PRAGMA user_version = 0",
    "of another program": "PRAGMA application_id = 7",
    "text that is none": "UPDATE streams SET key = CAST(x'c3' AS TEXT) WHERE key = 'r1'",
    "without a table": "DROP TABLE desk",
}
SPOILED = ("missing", "empty", "text", "folder", "damaged", *CHANGES)


def refusal(url: str, *, read_only: bool) -> tuple[type[LedgerError], str]:
    """How opening and reading a ledger is refused."""

    def read() -> None:
        with Ledger.open(url, create=False, read_only=read_only) as ledger:
            ledger.records()
            ledger.desk.entries("property")

    with pytest.raises(LedgerError) as refused:
        read()
    return type(refused.value), str(refused.value)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("how", SPOILED)
def test_both_ways_refuse_in_the_same_words(
    played: str, tmp_path: Path, how: str, read_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(tmp_path / "rounds.db", isolation_level=None)) as connection:
        for guard in ("events", "streams"):
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", (guard,)
            ).fetchall():
                connection.execute(f"DROP TRIGGER {name}")
    spoiled(tmp_path / "rounds.db", how)
    said = []
    for way in WAYS:
        read_by(way, monkeypatch)
        said.append(refusal(played, read_only=read_only))
    assert said[0] == said[1]


@pytest.mark.usefixtures("way")
def test_a_file_held_by_another_says_so(played: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sqlite, "BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(tmp_path / "rounds.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        kind, said = refusal(played, read_only=True)
    assert (kind.__name__, kind.retry) == ("StoreLocked", True) and "another process" in said


@pytest.mark.usefixtures("way")
def test_a_reader_sees_one_moment_while_another_process_records(played: str) -> None:
    records = """
import sys
from ledger.service import Ledger
from tests.ledger.play import buy_in, decide, hand_in
with Ledger.open(sys.argv[1], decide=decide) as ledger:
    ledger.submit(hand_in(buy_in("meanwhile")))
"""
    last = "SELECT max(position) FROM events"
    with Ledger.open(played, create=False) as ledger:
        with ledger.store.reading() as connection:
            before = connection.exec_driver_sql(last).scalar()
            subprocess.run([sys.executable, "-c", records, played], check=True)
            assert connection.exec_driver_sql(last).scalar() == before
        assert ledger.head().position == before + 1


def test_what_was_not_read_to_its_end_keeps_no_moment_for_the_next(played: str) -> None:
    with Ledger.open(played) as ledger:
        before = ledger.head().position
        for _ in range(3):
            with ledger.store.reading() as connection:
                rows: Iterator[object] = iter(connection.exec_driver_sql("SELECT position FROM events"))
                assert next(rows)
        with ledger_in(Path(str(ledger.store.dialect.place)).parent) as other:
            other.submit(hand_in(buy_in("later")))
        assert ledger.head().position == before + 1


@pytest.mark.usefixtures("way")
def test_threads_read_at_once_and_what_fails_gives_its_connection_up(played: str) -> None:
    with Ledger.open(played, create=False) as ledger:
        whole = contents(ledger)

        def read(turn: int) -> bool:
            if turn % 3:
                return contents(ledger) == whole
            with suppress(KeyError), ledger.store.reading() as connection:
                connection.exec_driver_sql("SELECT 1")
                raise KeyError(turn)
            return True

        with ThreadPoolExecutor(8) as threads:
            assert all(threads.map(read, range(48)))


@pytest.mark.usefixtures("way")
def test_a_closed_store_is_read_no_more_and_a_connection_in_use_is_closed_when_given_back(played: str) -> None:
    ledger = Ledger.open(played, create=False)
    with ledger.store.reading() as connection:
        driver = driver_of(connection)
        ledger.close()
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1
    with pytest.raises(LedgerClosed):
        ledger.head()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        driver.execute("SELECT 1")
