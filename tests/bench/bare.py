"""The bare means beside the product: plain sqlite3, plain psycopg, the library's own recorders, with the same bytes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import sqlalchemy as sa
from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from ledger.app import new_stream_id
from ledger.recorder import topic_of
from tests.bench.clients import Share, work_off
from tests.bench.material import StoredRound
from tests.postgres import libpq

Row = tuple[Any, ...]

NO_HASH = bytes(32)

_TABLE = (
    "CREATE TABLE events (position {number} PRIMARY KEY, stream_id {bytes}, version {number}, name TEXT, at TEXT,"
    " recorded_at {number}, payload {bytes}, hash {bytes}, UNIQUE (stream_id, version))"
)
_INSERT = "INSERT INTO events VALUES ({})"


def rows(rounds: Sequence[StoredRound], first: int = 1) -> list[list[Row]]:
    """Rows of a plain table, a list a round, numbered from `first` on."""
    made: list[list[Row]] = []
    position = first
    for round_ in rounds:
        id_ = new_stream_id().bytes
        made.append(
            [
                (position + place, id_, each.version, each.name, each.at, 0, each.payload, NO_HASH)
                for place, each in enumerate(round_.events)
            ]
        )
        position += len(round_.events)
    return made


def sqlite(rounds: Sequence[list[Row]], store: Path) -> Share:
    """The rows into a plain table, a whole round in each durable commit."""
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(_TABLE.format(number="INTEGER", bytes="BLOB"))
        insert = _INSERT.format(", ".join("?" * 8))

        def commit(rows: list[Row]) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(insert, rows)
            connection.execute("COMMIT")

        return work_off(rounds, commit)


def make_postgres(url: str) -> None:
    """The plain table in an empty database."""
    with psycopg.connect(libpq(url), autocommit=True) as connection:
        connection.execute(_TABLE.format(number="bigint", bytes="bytea").encode())


def postgres(url: str, rounds: Sequence[list[Row]], wait: Callable[[], object] = lambda: None) -> Share:
    """The rows into the plain table, a whole round in each durable commit; nothing keeps writers in order."""
    insert = _INSERT.format(", ".join(["%s"] * 8)).encode()
    with psycopg.connect(libpq(url)) as connection:

        def commit(rows: list[Row]) -> None:
            with connection.cursor() as cursor:
                cursor.executemany(insert, rows)
            connection.commit()

        wait()
        return work_off(rounds, commit)


def stored_events(rounds: Sequence[StoredRound]) -> list[list[StoredEvent]]:
    """What the library's recorders take, a list a round."""
    made: list[list[StoredEvent]] = []
    for round_ in rounds:
        id_: UUID = new_stream_id()
        made.append(
            [StoredEvent(id_, each.version, topic_of(each.name, each.schema), each.payload) for each in round_.events]
        )
    return made


def library_sqlite(store: Path) -> SQLiteApplicationRecorder:
    """The library's recorder on a file, its tables made; SQLite's default is a durable commit."""
    recorder = SQLiteApplicationRecorder(SQLiteDatastore(str(store)))
    recorder.create_table()
    return recorder


def make_library_postgres(url: str) -> None:
    """The library's tables in an empty database; several who make them at once are in each other's way."""
    recorder = library_postgres(url)
    with closing(recorder.datastore):
        recorder.create_table()


def library_postgres(url: str, clients: int = 1) -> PostgresApplicationRecorder:
    """The library's recorder on a database that has its tables."""
    parts = sa.make_url(url)
    datastore = PostgresDatastore(
        str(parts.database),
        str(parts.query.get("host", parts.host)),
        parts.port or 5432,
        str(parts.username),
        parts.password or "",
        pool_size=clients,
        connect_timeout=30,
    )
    return PostgresApplicationRecorder(datastore)
