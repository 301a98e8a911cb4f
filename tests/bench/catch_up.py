"""How fast a projection catches up in pages, beside one event a transaction, on both databases.

`python -m tests.bench.catch_up [--rounds 600] [--single 600] [--repeat 5] [--sqlite-only]`

Both are the product's own runner on the same log. Events that go one a transaction are read in pages all the same, so
that only the transactions differ; there are fewer of them, the first of the log.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from domain.streams import Stream
from ledger.feed import PAGE
from ledger.records import Head, Record
from ledger.service import Ledger
from ledger.store import Store
from projections import catalog
from tests.bench import material, server
from tests.bench.measure import Bench, Figures, Gate, Run, finish, in_turns, options
from tests.postgres import Databases

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

    def after(self, position: int, limit: int = PAGE, connection: sa.Connection | None = None) -> list[Record]:
        """The next records after `position`."""
        if not self._page or not self._page[0].position <= position + 1 <= self._page[-1].position:
            self._page = self._ledger.feed.after(position, PAGE, connection)
        start = position + 1 - self._page[0].position
        return self._page[start : start + limit]

    def stream(self, stream: Stream, connection: sa.Connection | None = None) -> list[Record]:
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
            for projection in NAMES:
                cases[_name(database, projection, 1)] = partial(_run, copy, projection, single, 1)
                cases[_name(database, projection, PAGE)] = partial(_run, copy, projection, events, PAGE)
        bench = Bench("catch_up", {"events": events, "one a transaction": single}, in_turns(cases, repeat))
    for database in copied:
        for projection in NAMES:
            pages, one = _name(database, projection, PAGE), _name(database, projection, 1)
            bench.gates.append(Gate(f"{pages}, x one", bench.ratio(pages, one, "events/s"), AT_LEAST))
    return bench


def _name(database: str, projection: str, page: int) -> str:
    return f"{database}, {projection}, {page} event{'s' * (page > 1)} a transaction"


def _run(copied: Copied, projection: str, events: int, page: int) -> Figures:
    with copied() as url:
        return caught_up(url, projection, events, page)


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
    parser.add_argument("--rounds", type=int, default=600)
    parser.add_argument("--single", type=int, default=600, help="events that go one a transaction (default: 600)")
    parser.add_argument("--sqlite-only", action="store_true")
    told = parser.parse_args()
    if told.sqlite_only:
        return finish(measure(told.rounds, told.single, told.repeat, told.seed, None))
    with server.databases() as databases:
        return finish(measure(told.rounds, told.single, told.repeat, told.seed, databases))


if __name__ == "__main__":
    sys.exit(main())
