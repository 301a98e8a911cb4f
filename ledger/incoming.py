"""The rows of one transaction on their way in: full portions are inserted by a thread while more events are decided.

The driver lets the program's other threads work while the database does. The rows go in in their order and in the same
transaction; nobody commits, rolls back or looks for them before `finish` or `give_up` has returned. A short transaction
has no full portion and meets no thread.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ClassVar

import sqlalchemy as sa

from ledger.dialects import Dialect
from ledger.raw import as_raised
from ledger.tables import Table

Row = tuple[Any, ...]


class Inserter:
    """How the rows of a table go in, and the thread for full portions."""

    PORTION: ClassVar[int] = 384
    """Rows in one statement: long enough that the two threads seldom wait for each other."""

    def __init__(self, dialect: Dialect, table: Table, names: Sequence[str]) -> None:
        self.insert = dialect.inserting(table, names)
        self._text, self._arranged = dialect.inserting_at_once(table, names, self.PORTION)
        self.size = self.PORTION
        self._thread: ThreadPoolExecutor | None = None

    def start(self, connection: sa.Connection, rows: Sequence[Row]) -> Future[None]:
        """Inserts a portion on the open transaction of `connection`; it is at work when this returns."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "ledger-rows")
        started = threading.Event()
        future = self._thread.submit(self._run, connection.connection.cursor(), rows, started)
        started.wait()
        return future

    def _run(self, cursor: Any, rows: Sequence[Row], started: threading.Event) -> None:
        # The other thread goes on as soon as the driver lets it, which is when the database has begun.
        started.set()
        cursor.execute(self._text, self._arranged(rows))
        cursor.close()

    def close(self) -> None:
        """Lets the thread go."""
        if self._thread is not None:
            self._thread.shutdown()


class Incoming:
    """The rows of one transaction."""

    def __init__(self, inserter: Inserter, connection: sa.Connection) -> None:
        self._inserter = inserter
        self._connection = connection
        self._waiting: list[Row] = []
        self._running: Future[None] | None = None

    def add(self, rows: Sequence[Row]) -> None:
        """Takes the next rows; what an earlier portion met is raised here, or by `finish`."""
        self._waiting += rows
        size = self._inserter.size
        while len(self._waiting) >= size:
            self.wait()
            self._running = self._inserter.start(self._connection, self._waiting[:size])
            del self._waiting[:size]

    def finish(self) -> None:
        """Returns when every row is in; raises SQLAlchemy's error where one was refused."""
        self.wait()
        if self._waiting:
            rows, self._waiting = self._waiting, []
            self._inserter.insert(self._connection, rows)

    def give_up(self) -> None:
        """Returns when nothing is at work any more; raises what a portion met, for that came first."""
        self._waiting = []
        self.wait()

    def wait(self) -> None:
        """Returns when no portion is at work; raises what the last one met."""
        running, self._running = self._running, None
        if running is None:
            return
        with as_raised(self._connection):
            running.result()
