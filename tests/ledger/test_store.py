"""Opening a store: what is no ledger is left alone, what cannot be opened says why, and several may begin at once."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ledger.dialects import Sqlite
from ledger.errors import (
    BROKEN,
    CONFLICT,
    MISUSED,
    NOT_FOUND,
    REFUSED,
    LedgerError,
    NotALedger,
    StoreDamaged,
    StoreFailed,
    StoreFull,
    StoreLocked,
    StoreNotFound,
    StoreReadOnly,
)
from ledger.service import Ledger
from tests.ledger.play import buy_in, contents, decide, hand_in, ledger_in, play, property_opened, url_of


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A file: what is particular to a database stands in `test_postgres_store`."""
    return url_of(tmp_path)


def test_a_new_store_is_durable_and_known_as_a_ledger(tmp_path: Path, ledger: Ledger) -> None:
    with ledger.store.writing() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "application_id", "user_version")
        }
    assert settings == {"journal_mode": "wal", "synchronous": 2, "application_id": 0x524C4447, "user_version": 1}


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "rounds.db"
    path.write_text("minutes of the meeting " * 100)
    with pytest.raises(NotALedger, match="is no SQLite database") as refused:
        Ledger.open(url_of(tmp_path))
    assert (refused.value.code, refused.value.exit_code) == ("store.not-a-ledger", MISUSED)
    assert path.read_text() == "minutes of the meeting " * 100


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "rounds.db")
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(NotALedger, match="something else"):
        Ledger.open(url_of(tmp_path))
    connection = sqlite3.connect(tmp_path / "rounds.db")
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    connection.close()


def test_a_ledger_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    ledger_in(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "rounds.db")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(NotALedger, match=r"newer version \(schema 99, known 1\)"):
        Ledger.open(url_of(tmp_path))


def test_an_empty_file_becomes_a_ledger(tmp_path: Path) -> None:
    (tmp_path / "rounds.db").touch()
    with ledger_in(tmp_path) as ledger:
        play(ledger, rounds=1)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_report_never_makes_a_store(tmp_path: Path, read_only: bool) -> None:
    with pytest.raises(StoreNotFound, match="there is no ledger at") as refused:
        Ledger.open(url_of(tmp_path), create=False, read_only=read_only)
    assert (refused.value.code, refused.value.exit_code) == ("store.not-found", NOT_FOUND)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "rounds.db").touch()
    with pytest.raises(StoreNotFound, match="is empty"):
        Ledger.open(url_of(tmp_path), create=False, read_only=read_only)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound, match=r"folder .*nowhere does not exist"):
        Ledger.open(url_of(tmp_path / "nowhere"))


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(NotALedger, match="is a folder"):
        Ledger.open(f"sqlite:///{tmp_path}")


def test_names_that_mean_something_in_a_uri_are_plain_names(tmp_path: Path) -> None:
    folder = tmp_path / "pit 7 #2%20"
    folder.mkdir()
    with ledger_in(folder) as ledger:
        play(ledger, rounds=1)
    assert (folder / "rounds.db").exists()
    with Ledger.open(url_of(folder), read_only=True) as reader:
        assert reader.head().position == 9


def test_a_store_held_by_another_says_so_and_can_be_tried_again(
    tmp_path: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sqlite, "BUSY_SECONDS", 0.05)
    with ledger_in(tmp_path) as impatient:
        other = sqlite3.connect(tmp_path / "rounds.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreLocked, match="another process") as refused:
            impatient.submit(hand_in(property_opened()))
        assert (refused.value.exit_code, refused.value.retry) == (CONFLICT, True)
        assert impatient.head().position == 0
        other.execute("ROLLBACK")
        other.close()
        assert impatient.submit(hand_in(property_opened()))[0].status == "recorded"


def test_a_store_that_can_only_be_read_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ledger_in(tmp_path) as ledger:
        play(ledger, rounds=1)
        before = contents(ledger)
    access = os.access

    def only_reading(path: object, mode: int) -> bool:
        return mode != os.W_OK and access(path, mode)  # type: ignore[arg-type]

    monkeypatch.setattr("ledger.dialects.os.access", only_reading)
    with Ledger.open(url_of(tmp_path), create=False, decide=decide) as reader:
        assert reader.read_only
        assert contents(reader) == before
        with pytest.raises(StoreReadOnly) as refused:
            reader.submit(hand_in(buy_in("9")))
        assert (refused.value.code, refused.value.exit_code) == ("store.read-only", REFUSED)
    assert [each.name for each in tmp_path.iterdir()] == ["rounds.db"]


def test_a_reader_follows_a_writer_in_another_process(tmp_path: Path) -> None:
    with ledger_in(tmp_path) as writer:
        writer.submit(hand_in(property_opened()))
        with Ledger.open(url_of(tmp_path), read_only=True) as reader:
            assert reader.head().position == 1
            writer.submit(hand_in(buy_in("1")))
            assert reader.head().position == 2


def test_a_torn_file_says_so(tmp_path: Path) -> None:
    with ledger_in(tmp_path) as ledger:
        play(ledger, rounds=40)
    path = tmp_path / "rounds.db"
    content = path.read_bytes()
    path.write_bytes(content[:4096] + os.urandom(len(content) - 4096))
    with pytest.raises(StoreDamaged, match="restore it from a backup") as refused, ledger_in(tmp_path) as torn:
        torn.records()
    assert refused.value.exit_code == BROKEN


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("SQLITE_BUSY", StoreLocked),
        ("SQLITE_BUSY_SNAPSHOT", StoreLocked),
        ("SQLITE_READONLY_DIRECTORY", StoreReadOnly),
        ("SQLITE_FULL", StoreFull),
        ("SQLITE_CANTOPEN", StoreNotFound),
        ("SQLITE_NOTADB", NotALedger),
        ("SQLITE_CORRUPT_INDEX", StoreDamaged),
        ("SQLITE_IOERR_WRITE", StoreFailed),
        ("", StoreFailed),
    ],
)
def test_what_the_database_says_is_said_to_a_person(tmp_path: Path, name: str, error: type[LedgerError]) -> None:
    raised = sqlite3.OperationalError("as the driver says")
    raised.sqlite_errorname = name
    meant = Sqlite(tmp_path / "rounds.db", read_only=False).trouble(raised)
    assert type(meant) is error
    assert "rounds.db" in str(meant)


def test_a_file_whose_folder_takes_no_journal_can_only_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raised = sqlite3.OperationalError("unable to open database file")
    raised.sqlite_errorname = "SQLITE_CANTOPEN"
    path = tmp_path / "rounds.db"
    path.touch()
    monkeypatch.setattr("ledger.dialects.writable", lambda _: False)
    assert type(Sqlite(path, read_only=False).trouble(raised)) is StoreReadOnly


def test_a_disk_too_full_for_the_shared_memory_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raised = sqlite3.OperationalError("disk I/O error")
    raised.sqlite_errorname = "SQLITE_IOERR_SHMSIZE"
    dialect = Sqlite(tmp_path / "rounds.db", read_only=False)
    assert type(dialect.trouble(raised)) is StoreFailed
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=4_096))
    assert type(dialect.trouble(raised)) is StoreFull


OPENS = """
import sys
from ledger.service import Ledger
with Ledger.open(sys.argv[1]) as ledger:
    print(ledger.head().position)
"""


def test_many_processes_may_make_the_same_store_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPENS, url_of(tmp_path)]
    started = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") for _ in range(6)
    ]
    answers = [each.communicate() for each in started]
    assert answers == [("0\n", "")] * 6
    with ledger_in(tmp_path) as ledger:
        play(ledger, rounds=1)


def test_settings_and_errors_load_no_database_library() -> None:
    program = """
import sys
import ledger.errors, ledger.settings
print(sorted({"sqlalchemy", "eventsourcing", "orjson", "sqlite3"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "[]\n"
