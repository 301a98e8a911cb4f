"""Makes a store of millions of events quickly: a recorded feed, and its rounds again and again under other keys.

`python -m tests.bench.large FILE [--events 4000000]`

The rows are what recording would have left: ids in order of time, versions, positions, commands' ids, hashes, the desk.
Every second copy has the commands' ids that most systems make, in no order; the others' grow.
"""

from __future__ import annotations

import json
import secrets
import shutil
import sqlite3
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from domain.intake import command_and_digest
from ledger.app import new_stream_id
from ledger.chain import event_hash
from ledger.records import Head
from ledger.service import Ledger
from tests.bench import material
from tests.bench.measure import positive

TEMPLATE_ROUNDS = 1_000
RANDOM = "random"
"""The source of the commands whose ids are in no order."""

COLUMNS = (
    '"position", "stream_id", "version", "name", "schema", "at", "recorded_at", "by", "source", "command_id",'
    ' "command_size", "body_hash", "payload", "hash"'
)


class Template(NamedTuple):
    """An event of a round to be made again: its round, its columns, its payload cut where the round's key stands."""

    key: str
    version: int
    name: str
    schema: int
    at: str
    by: str
    source: str | None
    command_id: str | None
    command_size: int | None
    body_hash: bytes | None
    payload: list[bytes]


def built(path: Path, events: int, seed: int = 1) -> Path:
    """The store at `path` with at least `events` events, made where it is not; what came since is removed."""
    if _size(path).exists() and size(path) >= events:
        cut(path)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        _build(path, events, seed)
    return path


def size(path: Path) -> int:
    """The events that the store was made with."""
    return int(json.loads(_size(path).read_text())["events"])


def cut(path: Path) -> None:
    """Takes away what was appended to the store after it was made, so that it verifies again."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        last = size(path)
        connection.execute("BEGIN IMMEDIATE")
        with Unguarded(connection):
            added = "SELECT stream_id FROM events WHERE position > ? AND version = 1"
            connection.execute(f"DELETE FROM streams WHERE id IN ({added})", (last,))
            connection.execute("DELETE FROM events WHERE position > ?", (last,))
            connection.execute("UPDATE meta SET value = ? WHERE name = 'desk_position'", (str(last),))
        connection.execute("COMMIT")


def _size(path: Path) -> Path:
    return path.with_name(f"{path.name}.size")


def _build(path: Path, events: int, seed: int) -> None:
    with TemporaryDirectory(dir=path.parent) as name:
        feed_file, first = Path(name) / "feed.jsonl", Path(name) / "first.db"
        material.write_feed(feed_file, min(TEMPLATE_ROUNDS, max(events // 100, 1)), seed)
        material.record(feed_file, f"sqlite:///{first}")
        with closing(sqlite3.connect(first, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA cache_size = -262144")
            last = _copy(connection, events)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        bring_desk_up(first, feed_file)
        shutil.move(first, path)
    _size(path).write_text(json.dumps({"events": last}))


def _copy(connection: sqlite3.Connection, events: int) -> int:
    templates = list(_templates(connection))
    position, hash_, recorded_at = connection.execute(
        "SELECT position, hash, recorded_at FROM events ORDER BY position DESC LIMIT 1"
    ).fetchone()
    head = Head(position, hash_, recorded_at)
    number = 0
    with Unguarded(connection):
        while head.position < events:
            number += 1
            connection.execute("BEGIN")
            head = _copy_once(connection, templates, head, number)
            connection.execute("COMMIT")
    return head.position


def _templates(connection: sqlite3.Connection) -> Iterator[Template]:
    """Every round, in the log's order, but those that won a meter: a hit says what the meter held then."""
    rows = connection.execute(
        """SELECT s.key, e.version, e.name, e.schema, e."at", e."by", e.source, e.command_id, e.command_size,
            e.body_hash, e.payload
        FROM events AS e JOIN streams AS s ON s.id = e.stream_id WHERE s.kind = 'round' AND e.stream_id NOT IN (
            SELECT stream_id FROM events WHERE instr(payload, '"hit":{') > 0
        )
        ORDER BY e.position"""
    )
    for key, *row, payload in rows:
        yield Template._make((key, *row, payload.split(f'"{key}"'.encode())))


def _copy_once(connection: sqlite3.Connection, templates: Sequence[Template], head: Head, number: int) -> Head:
    position, hash_, recorded_at = head
    ids: dict[str, bytes] = {}
    streams: list[tuple[bytes, str, str]] = []
    rows: list[tuple[Any, ...]] = []
    for each in templates:
        position += 1
        key = f"{each.key}-{number:05}"
        id_ = ids.get(key)
        if id_ is None:
            id_ = ids[key] = new_stream_id().bytes
            streams.append((id_, "round", key))
        payload = f'"{key}"'.encode().join(each.payload)
        source, command_id = each.source, each.command_id
        if command_id is not None:
            source, command_id = (
                (source, f"{number:05}-{command_id}") if number % 2 else (RANDOM, secrets.token_hex(16))
            )
        hash_ = event_hash(
            hash_, position, each.version, each.schema, recorded_at, each.command_size, id_, "round", key, each.name,
            each.at, each.by, source, command_id, each.body_hash, payload,
        )  # fmt: skip
        rows.append((
            position, id_, each.version, each.name, each.schema, each.at, recorded_at, each.by, source, command_id,
            each.command_size, each.body_hash, payload, hash_,
        ))  # fmt: skip
    connection.executemany("INSERT INTO streams (id, kind, key) VALUES (?, ?, ?)", streams)
    connection.executemany(f"INSERT INTO events ({COLUMNS}) VALUES ({', '.join('?' * 14)})", rows)
    return Head(position, hash_, recorded_at)


def bring_desk_up(store: Path, feed_file: Path) -> None:
    """The writer folds into the desk what was saved without it before it takes any command, here one sent again."""
    with Ledger.open(f"sqlite:///{store}") as ledger, feed_file.open("rb") as lines:
        (receipt,) = ledger.submit([command_and_digest(next(lines))])
        assert receipt.status == "repeated", receipt
    with closing(sqlite3.connect(store)) as connection:
        # The log is folded into the file, which is then moved alone.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


class Unguarded:
    """Takes the store's triggers away meanwhile, and puts them back word for word."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._triggers: list[tuple[str, str]] = []

    def __enter__(self) -> None:
        found = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        self._triggers = self._connection.execute(found).fetchall()
        for name, _ in self._triggers:
            self._connection.execute(f"DROP TRIGGER {name}")

    def __exit__(self, *raised: object) -> None:
        for _, text in self._triggers:
            self._connection.execute(text)


def main() -> int:
    """Makes the store and says how long it took."""
    parser = ArgumentParser(prog="python -m tests.bench.large", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--events", type=positive, default=4_000_000)
    told = parser.parse_args()
    began = time.perf_counter()
    built(told.file, told.events)
    print(f"{size(told.file):,} events, {told.file.stat().st_size:,} bytes, {time.perf_counter() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
