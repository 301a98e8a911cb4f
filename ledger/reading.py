"""Connections that only read: SQLAlchemy's, and for a SQLite file the driver's own, which loads twenty times as fast.

Who reads asks a `Connection` and need not know which of both it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import sqlalchemy as sa


class Found(Protocol):
    """The rows that a statement finds, to be taken once, in one of these ways."""

    def all(self) -> Sequence[Any]:
        """Every row."""

    def first(self) -> Any:
        """The first row, None where there is none."""

    def scalar(self) -> Any:
        """The first column of the first row, None where there is none."""

    def scalars(self) -> Iterable[Any]:
        """The first column of every row."""

    def mappings(self) -> Iterable[Mapping[Any, Any]]:
        """Every row by the names of its columns."""

    def __iter__(self) -> Iterator[Any]:
        """Row after row, as they are read."""


class Connection(Protocol):
    """A connection inside a transaction: SQLAlchemy's is one."""

    def exec_driver_sql(self, statement: str, parameters: Any = None, /) -> Found:
        """What `statement`, written as the driver wants it, finds with `parameters`."""


class Readers(Protocol):
    """Where a store's reading transactions come from."""

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection inside a transaction that sees one moment; errors are the driver's or SQLAlchemy's."""

    def close(self) -> None:
        """Closes what is not in use, and what is when it is given back."""


class EngineReaders:
    """Reading transactions through SQLAlchemy's engine, which closes its connections itself."""

    def __init__(self, engine: Callable[[], sa.Engine]) -> None:
        self._engine = engine

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        with self._engine().connect() as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """The engine is its maker's to dispose of."""


class SqliteReaders:
    """Reading transactions on the driver's own connections, a few of which are kept for the next."""

    KEPT = 5

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._idle: list[sqlite3.Connection] = []
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[SqliteConnection]:
        driver = self._kept() or self._connect()
        try:
            driver.execute("BEGIN")
            connection = SqliteConnection(driver)
            yield connection
            connection.end()
        except BaseException:
            driver.close()
            raise
        self._give_back(driver)

    def close(self) -> None:
        self._closed = True
        while (driver := self._kept()) is not None:
            driver.close()

    def _kept(self) -> sqlite3.Connection | None:
        # Other threads take and give back too: looking first whether there is one would not help.
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _give_back(self, driver: sqlite3.Connection) -> None:
        if len(self._idle) < self.KEPT:
            self._idle.append(driver)
        else:
            driver.close()
        if self._closed:
            self.close()


class SqliteConnection:
    """The driver's connection inside a transaction."""

    __slots__ = ("_begun", "driver")

    def __init__(self, driver: sqlite3.Connection) -> None:
        self.driver = driver
        self._begun: list[sqlite3.Cursor] = []

    def exec_driver_sql(self, statement: str, parameters: Any = None, /) -> SqliteFound:
        """What `statement` finds."""
        return SqliteFound(self.driver.execute(statement, parameters or ()), self._begun)

    def end(self) -> None:
        """Ends the transaction. A statement that was not read to its end would keep its moment for the next one."""
        for cursor in self._begun:
            cursor.close()
        self.driver.commit()


class SqliteFound:
    """The rows that a statement finds."""

    __slots__ = ("_begun", "_cursor")

    def __init__(self, cursor: sqlite3.Cursor, begun: list[sqlite3.Cursor]) -> None:
        self._cursor = cursor
        self._begun = begun

    def all(self) -> list[Any]:
        return self._cursor.fetchall()

    def first(self) -> Any:
        row = self._cursor.fetchone()
        self._cursor.close()
        return row

    def scalar(self) -> Any:
        row = self.first()
        return None if row is None else row[0]

    def scalars(self) -> list[Any]:
        return [row[0] for row in self._cursor.fetchall()]

    def mappings(self) -> list[dict[str, Any]]:
        names = [column[0] for column in self._cursor.description]
        return [dict(zip(names, row, strict=True)) for row in self._cursor.fetchall()]

    def __iter__(self) -> Iterator[Any]:
        self._begun.append(self._cursor)
        return iter(self._cursor)


def driver_of(connection: Any) -> Any:
    """The driver's connection behind a `Connection`, for what it alone can do."""
    return connection.driver if isinstance(connection, SqliteConnection) else connection.connection.dbapi_connection
