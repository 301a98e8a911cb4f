"""What the database itself refuses, whoever asks: nothing recorded is changed, removed, replaced or put in between."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ledger.play import ledger_in, play

COLUMNS = [
    "position",
    "stream_id",
    "version",
    "name",
    "schema",
    "at",
    "recorded_at",
    "by",
    "source",
    "command_id",
    "command_size",
    "body_hash",
    "payload",
    "hash",
]


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with ledger_in(tmp_path) as ledger:
        play(ledger, rounds=2)
    connection = sqlite3.connect(tmp_path / "rounds.db", isolation_level=None)
    before = list(connection.execute("SELECT * FROM events")), list(connection.execute("SELECT * FROM streams"))
    yield connection
    after = list(connection.execute("SELECT * FROM events")), list(connection.execute("SELECT * FROM streams"))
    connection.close()
    assert after == before


@pytest.mark.parametrize("column", COLUMNS)
def test_no_column_of_an_event_is_updated(raw: sqlite3.Connection, column: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        raw.execute(f'UPDATE events SET "{column}" = "{column}" WHERE position = 5')
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        raw.execute(f'UPDATE OR REPLACE events SET "{column}" = "{column}" WHERE position = 5')


def test_no_event_is_deleted(raw: sqlite3.Connection) -> None:
    for statement in ("DELETE FROM events WHERE position = 16", "DELETE FROM events"):
        with pytest.raises(sqlite3.IntegrityError, match="never removed"):
            raw.execute(statement)


def _row(raw: sqlite3.Connection, position: int) -> dict[str, object]:
    cursor = raw.execute("SELECT * FROM events WHERE position = ?", (position,))
    return dict(zip([each[0] for each in cursor.description], cursor.fetchone(), strict=True))


def _insert(raw: sqlite3.Connection, how: str, row: dict[str, object]) -> None:
    names = ", ".join(f'"{each}"' for each in row)
    raw.execute(f"{how} INTO events ({names}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


HOW = ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE", "REPLACE"]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("position", [None, -1, 0, 1, 7, 16, 18, 1000])
def test_an_event_is_put_at_the_next_position_only(raw: sqlite3.Connection, how: str, position: int | None) -> None:
    row = _row(raw, 16) | {"version": 8, "command_id": None, "position": position}
    with pytest.raises(sqlite3.IntegrityError, match="not the next one"):
        _insert(raw, how, row)


@pytest.mark.parametrize("how", HOW)
def test_an_event_is_not_replaced_by_a_later_one_of_its_version(raw: sqlite3.Connection, how: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="version is not the next one"):
        _insert(raw, how, _row(raw, 16) | {"position": 17, "command_id": None})


@pytest.mark.parametrize("how", HOW)
def test_an_event_is_not_replaced_by_a_later_one_of_its_command(raw: sqlite3.Connection, how: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="recorded already"):
        _insert(raw, how, _row(raw, 16) | {"position": 17, "version": 8})


@pytest.mark.parametrize("how", HOW)
def test_a_stream_is_neither_replaced_nor_opened_twice(raw: sqlite3.Connection, how: str) -> None:
    id_, kind, key = raw.execute("SELECT id, kind, key FROM streams WHERE kind = 'round' AND key = 'r1'").fetchone()
    for row in ((id_, "round", "r9"), (b"x" * 16, kind, key)):
        with pytest.raises(sqlite3.IntegrityError, match="already"):
            raw.execute(f"{how} INTO streams (id, kind, key) VALUES (?, ?, ?)", row)


def test_a_stream_is_neither_renamed_nor_removed(raw: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        raw.execute("UPDATE streams SET key = 'other' WHERE key = 'r1'")
    with pytest.raises(sqlite3.IntegrityError, match="never removed"):
        raw.execute("DELETE FROM streams WHERE key = 'r1'")
