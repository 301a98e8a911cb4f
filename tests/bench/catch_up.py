"""How fast a projection catches up in pages, beside one event a transaction, on both databases.

`python -m tests.bench.catch_up [--rounds 600] [--single 600] [--repeat 5] [--sqlite-only]`

Both are the product's own runner on the same log. Events that go one a transaction are read in pages all the same, so
that only the transactions differ; there are fewer of them, the first of the log. Beside them stands a plain driver that
adds each decoded event to a table of balances and remembers its position in one transaction: the least that one can do.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

from domain.streams import Stream
from ledger.feed import PAGE
from ledger.reading import Connection
from ledger.records import Head, Record
from ledger.service import Ledger
from ledger.store import Store
from projections import catalog
from projections.tallies import moves
from tests.bench import material, server
from tests.bench.measure import Bench, Figures, Gate, Run, finish, in_turns, options, positive
from tests.postgres import Databases, libpq

AT_LEAST = 20.0
NAMES = tuple(kind.NAME for kind in catalog.KINDS)

Copied = Callable[[], AbstractContextManager[str]]
"""Gives the URL of a fresh copy of the recorded log, on which nothing is projected yet."""


class Beginning:
    """The first events of a ledger's log, read in whole pages however few are asked for."""

    def __init__(self, ledger: Ledger, events: int) -> None:
        self._ledger = ledger
        self._events = events
        self._page: list[Record] = []

    @property
    def store(self) -> Store:
        return self._ledger.store

    @property
    def feed(self) -> Beginning:
        return self

    def head(self) -> Head:
        """The end of the beginning."""
        return Head(min(self._events, self._ledger.head().position), bytes(32))

    def after(self, position: int, limit: int = PAGE, connection: Connection | None = None) -> list[Record]:
        """The next records after `position`."""
        if not self._page or not self._page[0].position <= position + 1 <= self._page[-1].position:
            self._page = self._ledger.feed.after(position, PAGE, connection)
        start = position + 1 - self._page[0].position
        return self._page[start : start + limit]

    def stream(self, stream: Stream, connection: Connection | None = None) -> list[Record]:
        """The records of one stream."""
        return self._ledger.feed.stream(stream, connection)


def caught_up(url: str, name: str, events: int, page: int) -> Figures:
    """Catches one projection up with the log's first events."""
    with Ledger.open(url) as ledger:
        source = Beginning(ledger, events)
        end = source.head().position
        began, busy = time.perf_counter(), time.process_time()
        (status,) = catalog.catch_up(source, (name,), page)
        seconds, busy = time.perf_counter() - began, time.process_time() - busy
        assert (status.position, status.error) == (end, None), status
    return {"events/s": end / seconds, "µs of processor/event": 1e6 * busy / end}


_TABLES = (
    "CREATE TABLE plain_balances (player TEXT PRIMARY KEY, net_cents BIGINT NOT NULL)",
    "CREATE TABLE plain_position (position BIGINT NOT NULL)",
    "INSERT INTO plain_position VALUES (0)",
)
_ADD = (
    "INSERT INTO plain_balances VALUES ({0}, {0}) ON CONFLICT (player) DO UPDATE"
    " SET net_cents = plain_balances.net_cents + excluded.net_cents"
)


def plain(url: str, events: int) -> Figures:
    """Adds the log's first events to a table of balances, each in a transaction of its own, by the driver alone."""
    with Ledger.open(url) as ledger:
        records = ledger.feed.after(0, events)
    with closing(_connected(url)) as connection:
        for statement in _TABLES:
            connection.execute(statement)
        mark = "?" if url.startswith("sqlite") else "%s"
        add, move = _ADD.format(mark), f"UPDATE plain_position SET position = {mark}"
        began, busy = time.perf_counter(), time.process_time()
        for record in records:
            connection.execute("BEGIN")
            for each in moves(record.event):
                connection.execute(add, (each.player, each.net_cents))
            connection.execute(move, (record.position,))
            connection.execute("COMMIT")
        seconds, busy = time.perf_counter() - began, time.process_time() - busy
    return {"events/s": len(records) / seconds, "µs of processor/event": 1e6 * busy / len(records)}


def _connected(url: str) -> Any:
    if not url.startswith("sqlite"):
        return psycopg.connect(libpq(url), autocommit=True)
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def measure(rounds: int, single: int, repeat: int, seed: int, databases: Databases | None) -> Bench:
    """Each projection over a fresh copy of the log each turn; on SQLite alone without `databases`."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        copied = {"SQLite": _sqlite(folder, rounds, seed)}
        if databases is not None:
            copied["PostgreSQL"] = _postgres(folder, databases)
        with copied["SQLite"]() as url, Ledger.open(url) as ledger:
            events = ledger.head().position
        cases: dict[str, Run] = {}
        for database, copy in copied.items():
            cases[f"{database}, balances by a plain driver, 1 event a transaction"] = partial(_plain, copy, single)
            for projection in NAMES:
                cases[_name(database, projection, 1)] = partial(_run, copy, projection, single, 1)
                cases[_name(database, projection, PAGE)] = partial(_run, copy, projection, events, PAGE)
        bench = Bench("catch_up", {"events": events, "one a transaction": single}, in_turns(cases, repeat))
    for database in copied:
        base = f"{database}, balances by a plain driver, 1 event a transaction"
        ratio = bench.ratio(_name(database, "balances", PAGE), base, "events/s")
        bench.notes.append(f"{_name(database, 'balances', PAGE)}, x the plain driver's one: {ratio:.1f}")
        for projection in NAMES:
            pages, one = _name(database, projection, PAGE), _name(database, projection, 1)
            bench.gates.append(Gate(f"{pages}, x one", bench.ratio(pages, one, "events/s"), AT_LEAST))
    return bench


def _name(database: str, projection: str, page: int) -> str:
    return f"{database}, {projection}, {page} event{'s' * (page > 1)} a transaction"


def _run(copied: Copied, projection: str, events: int, page: int) -> Figures:
    with copied() as url:
        return caught_up(url, projection, events, page)


def _plain(copied: Copied, events: int) -> Figures:
    with copied() as url:
        return plain(url, events)


def _sqlite(folder: Path, rounds: int, seed: int) -> Copied:
    first = folder / "first.db"
    material.write_feed(folder / "feed.jsonl", rounds, seed)
    material.record(folder / "feed.jsonl", f"sqlite:///{first}")
    numbers = count()

    @contextmanager
    def copied() -> Iterator[str]:
        path = folder / f"{next(numbers)}.db"
        shutil.copy(first, path)
        yield f"sqlite:///{path}"
        path.unlink()

    return copied


def _postgres(folder: Path, databases: Databases) -> Copied:
    first = databases.fresh()
    material.record(folder / "feed.jsonl", first.url)

    @contextmanager
    def copied() -> Iterator[str]:
        database = databases.copy(first)
        yield database.url
        databases.drop_one(database)

    return copied


def main() -> int:
    """Measures and prints."""
    parser = options("tests.bench.catch_up", __doc__)
    parser.add_argument("--rounds", type=positive, default=600)
    parser.add_argument("--single", type=positive, default=600, help="events that go one a transaction (default: 600)")
    parser.add_argument("--sqlite-only", action="store_true")
    told = parser.parse_args()
    if told.sqlite_only:
        return finish(measure(told.rounds, told.single, told.repeat, told.seed, None))
    with server.databases() as databases:
        return finish(measure(told.rounds, told.single, told.repeat, told.seed, databases))


if __name__ == "__main__":
    sys.exit(main())
