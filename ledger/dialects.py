"""What differs between the databases that a ledger can live in; everything else is the same text for all of them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

import orjson

from ledger.at_once import Appender
from ledger.errors import (
    LedgerError,
    NotALedger,
    StoreDamaged,
    StoreFailed,
    StoreFull,
    StoreLocked,
    StoreNotFound,
    StoreReadOnly,
)
from ledger.reading import Connection, Readers, SqliteReaders
from ledger.schema import SCHEMA_VERSION, SQLITE_GUARDS, TABLES
from ledger.tables import Table

if TYPE_CHECKING:
    import sqlalchemy as sa

WRITES = "ledger_writes"
"""The execution option of a connection whose transactions write, with what they write as its value."""
LOG = "LOG"
"""Events and the desk: one transaction at a time, and durable."""
COPY = "COPY"
"""A whole log into an empty ledger: as LOG, and it may take as long as it takes."""
ROWS = "ROWS"
"""Rows that can be projected again."""
UPGRADE = "UPGRADE"
"""The tables themselves."""

ASKS = "ledger_asks"
"""The execution option with the questions that a writing transaction asks in the exchange in which it begins."""

Question = tuple[str, tuple[Any, ...]]
"""A statement, as the driver wants it, and its parameters."""


class Asked:
    """Questions and, when the transaction has begun, the rows that answer each.

    A server answers them before it gives the lock: what it finds then may have been added to since.
    """

    __slots__ = ("found", "questions")

    def __init__(self, questions: Sequence[Question] = ()) -> None:
        self.questions = questions
        self.found: list[Sequence[Any]] = []


Insert = Callable[[Connection, Sequence[tuple[Any, ...]]], None]
Arranged = Callable[[Sequence[tuple[Any, ...]]], Sequence[Any]]


class Dialect(Protocol):
    """One kind of database: how it is opened, begun, guarded, and what its errors mean."""

    read_only: bool
    place: str
    """What the store is called in a message, without a password."""
    among: str
    """The condition that a column is one of the texts of one parameter; see `texts`."""
    blob: type[bytes] | type[bytearray]
    """Bytes as the driver takes them soonest."""
    made_by_upgrade: bool
    """Whether only `rounds db upgrade` makes a store, and no writer that finds none."""

    def engine(self) -> sa.Engine:
        """An engine on the store, which may not be there yet."""

    def readers(self, engine: Callable[[], sa.Engine]) -> Readers:
        """Where reading transactions come from; `engine` makes the store's engine, or gives the one it has."""

    def sql(self, statement: str) -> str:
        """`statement`, written with `?`, as the driver wants its parameters marked."""

    def texts(self, texts: Iterable[str]) -> Any:
        """The parameter of `among`."""

    def together(self, connection: sa.Connection) -> AbstractContextManager[None]:
        """Statements in here whose rows nobody looks at go to a server in one exchange; errors come at its end."""

    def inserting(self, table: Table, names: Sequence[str], conflict: str = "") -> Insert:
        """What inserts many rows of those columns at once; `conflict` is an ON CONFLICT clause."""

    def inserting_at_once(self, table: Table, names: Sequence[str], rows: int) -> tuple[str, Arranged]:
        """One statement that inserts so many rows, and how they become its parameters."""

    def appender(self, engine: Callable[[], sa.Engine]) -> Appender | None:
        """What records a group in one exchange with a server; None where there is none."""

    def wait_for_writers(self, engine: sa.Engine) -> None:
        """Returns when no transaction of a lost connection can be at its commit any more."""

    def version(self, connection: Connection) -> int | None:
        """The schema version of the ledger there, None where nothing is; `NotALedger` for anything else."""

    def create(self, connection: sa.Connection) -> None:
        """Makes tables and guards, inside the caller's transaction."""

    def stamp(self, connection: Connection, version: int) -> None:
        """Says in the store that it has the schema `version`, inside the caller's transaction."""

    def tables(self, connection: Connection) -> set[str]:
        """The names of all tables there."""

    def hold(self, connection: Connection, tables: Iterable[Table]) -> bool:
        """Keeps the tables in place to the end of the transaction; False where they went before it could.

        In PostgreSQL a transaction sees one moment of the rows, but not of the tables: what another dropped is gone
        for everybody at once. A SQLite file keeps both.
        """

    def only_reads(self, connection: Connection) -> bool:
        """Whether the store can be read and nothing else, whoever asks."""

    def guards(self, connection: Connection) -> set[str]:
        """The guards that are missing or are not as this version makes them, by name."""

    def strange_triggers(self, connection: Connection) -> set[str]:
        """The triggers on what is recorded that are no guards of the ledger, by name."""

    def damage(self, connection: Connection, most: int) -> list[str]:
        """What the database itself finds wrong with its files, at most so much of it."""

    def trouble(self, error: Exception) -> LedgerError:
        """What a driver's error means to a person."""


class Sqlite:
    """A ledger in one file: write-ahead log, every commit on the disk before it counts."""

    among = "IN (SELECT value FROM json_each(?))"
    # The driver looks for an adapter of every `bytes` it is given, but of no `bytearray`: a microsecond an event.
    blob: type[bytes] | type[bytearray] = bytearray
    made_by_upgrade = False

    APPLICATION_ID = 0x524C4447  # "RLDG", so that another program's file is never taken for a ledger.
    BUSY_SECONDS = 10.0
    CACHE_KIB = 32_768

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self.path = path
        self.place = str(path)
        self.read_only = read_only

    def engine(self) -> sa.Engine:
        import sqlalchemy as sa

        engine = sa.create_engine("sqlite:///rounds.db", creator=self._connect, poolclass=sa.QueuePool, pool_size=5)
        sa.event.listen(engine, "begin", _begin)
        return engine

    def readers(self, engine: Callable[[], sa.Engine]) -> Readers:
        return SqliteReaders(self._connect)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._uri(), uri=True, timeout=self.BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            if not self.read_only:
                if self._may_be_ours(connection):
                    self._write_ahead(connection)
                connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA cache_size = -{self.CACHE_KIB}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _may_be_ours(self, connection: sqlite3.Connection) -> bool:
        """Whether the file is a ledger or empty; the mode stays in a file, so no other one is changed."""
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if application == self.APPLICATION_ID:
            return True
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return not tables

    def _write_ahead(self, connection: sqlite3.Connection) -> None:
        # Where several processes make a file at once, SQLite says at once that it is busy, and does not wait its time.
        until = time.monotonic() + self.BUSY_SECONDS
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL").fetchone()
                return
            except sqlite3.OperationalError as error:
                if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > until:
                    raise
                time.sleep(0.01)

    def _uri(self) -> str:
        base = f"file:{quote(str(self.path.absolute()))}"
        if not self.read_only:
            return base
        # A folder that cannot be written has no room for SQLite's shared memory file; nobody writes there either.
        log = self.path.with_name(f"{self.path.name}-wal")
        settled = not log.exists() or log.stat().st_size == 0
        return (
            f"{base}?mode=ro&immutable=1" if settled and not os.access(self.path.parent, os.W_OK) else f"{base}?mode=ro"
        )

    def sql(self, statement: str) -> str:
        return statement

    def texts(self, texts: Iterable[str]) -> Any:
        return orjson.dumps(list(texts)).decode()

    def together(self, connection: sa.Connection) -> AbstractContextManager[None]:
        return nullcontext()

    def inserting(self, table: Table, names: Sequence[str], conflict: str = "") -> Insert:
        text = f"{_into(table, names)} VALUES {_marks(names)} {conflict}"

        def insert(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
            connection.exec_driver_sql(text, list(rows))

        return insert

    def inserting_at_once(self, table: Table, names: Sequence[str], rows: int) -> tuple[str, Arranged]:
        text = f"{_into(table, names)} VALUES {', '.join([_marks(names)] * rows)}"
        return text, lambda rows: tuple(chain.from_iterable(rows))

    def appender(self, engine: Callable[[], sa.Engine]) -> Appender | None:
        """There is no server, and nobody is waited for less by asking a file only once."""
        return None

    def wait_for_writers(self, engine: sa.Engine) -> None:
        """A commit ends with the call that makes it, and with its process."""

    def version(self, connection: Connection) -> int | None:
        application = connection.exec_driver_sql("PRAGMA application_id").scalar()
        version = connection.exec_driver_sql("PRAGMA user_version").scalar()
        if application == self.APPLICATION_ID:
            assert isinstance(version, int)
            return version
        if connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar():
            raise NotALedger(f"{self.path} is a SQLite database of something else; name another file")
        return None

    def create(self, connection: sa.Connection) -> None:
        from ledger.making_tables import make_tables

        make_tables(connection, TABLES.values())
        for statement in SQLITE_GUARDS.values():
            connection.exec_driver_sql(statement)
        self.stamp(connection, SCHEMA_VERSION)

    def stamp(self, connection: Connection, version: int) -> None:
        connection.exec_driver_sql(f"PRAGMA application_id = {self.APPLICATION_ID}")
        connection.exec_driver_sql(f"PRAGMA user_version = {version}")

    def tables(self, connection: Connection) -> set[str]:
        return set(connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars())

    def hold(self, connection: Connection, tables: Iterable[Table]) -> bool:
        return True

    def only_reads(self, connection: Connection) -> bool:
        return self.read_only

    def guards(self, connection: Connection) -> set[str]:
        rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        there = {row[0]: row[1] for row in rows}
        return {name for name, wanted in SQLITE_GUARDS.items() if _words(there.get(name)) != _words(wanted)}

    def strange_triggers(self, connection: Connection) -> set[str]:
        rows = connection.exec_driver_sql("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'")
        return {name for name, table in rows if table in TABLES and name not in SQLITE_GUARDS}

    def damage(self, connection: Connection, most: int) -> list[str]:
        found = connection.exec_driver_sql(f"PRAGMA integrity_check({most:d})").scalars()
        return [" ".join(str(each).split()) for each in found if each != "ok"]

    def trouble(self, error: Exception) -> LedgerError:
        name = getattr(error, "sqlite_errorname", "")
        # What SQLite says of a damaged file may quote from it.
        if isinstance(error, UnicodeDecodeError) or str(error).startswith(_NOT_TEXT):
            return _SQLITE_MEANS["SQLITE_CORRUPT"](self.path)
        for prefix, meaning in _SQLITE_MEANS.items():
            if name.startswith(prefix):
                return meaning(self.path)
        return StoreFailed(f"{self.path}: {error}")


def _begin(connection: sa.Connection) -> None:
    # A transaction that writes takes its lock first: one that reads before it writes would fail at once where another
    # writer came between, without waiting for it.
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
    asked = connection.get_execution_options().get(ASKS)
    if asked is not None:
        asked.found = [connection.exec_driver_sql(*each).all() for each in asked.questions]


def _into(table: Table, names: Sequence[str]) -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f"INSERT INTO {table.name} ({columns})"


def _marks(names: Sequence[str]) -> str:
    return f"({', '.join('?' * len(names))})"


def writable(path: Path) -> bool:
    """Whether `path` and the folder around it can be written, as SQLite needs both.

    A file that nobody may write is none for the superuser either, such as a backup.
    """
    return path.stat().st_mode & 0o222 != 0 and os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _words(statement: str | None) -> list[str]:
    return (statement or "").split()


def _cannot_open(path: Path) -> LedgerError:
    # What SQLite says of a missing file, and of one whose folder takes no journal beside it.
    if path.exists() and not writable(path):
        return StoreReadOnly(f"{path} can only be read here; record where it can be written")
    return StoreNotFound(f"{path} cannot be opened; look at the path and its permissions")


def _full(path: Path) -> LedgerError:
    return StoreFull(f"no room is left on the disk of {path}; make room and try again")


def _no_shared_memory(path: Path) -> LedgerError:
    # SQLite shares memory through a small file beside the ledger's, and does not say why that cannot be made.
    if shutil.disk_usage(path.parent).free < _SHARED_BYTES:
        return _full(path)
    return StoreFailed(f"{path}: the file of shared memory beside it cannot be used; look at the disk and its mounts")


_SHARED_BYTES = 1 << 16

_NOT_TEXT = "Could not decode to UTF-8"
"""What Python, not SQLite, says of a text whose bytes are none."""

_SQLITE_MEANS: dict[str, Callable[[Path], LedgerError]] = {
    "SQLITE_BUSY": lambda path: StoreLocked(f"{path} is held by another process; try again"),
    "SQLITE_LOCKED": lambda path: StoreLocked(f"{path} is held by another process; try again"),
    "SQLITE_READONLY": lambda path: StoreReadOnly(f"{path} can only be read here; record where it can be written"),
    "SQLITE_FULL": _full,
    "SQLITE_IOERR_SHM": _no_shared_memory,
    "SQLITE_CANTOPEN": _cannot_open,
    "SQLITE_NOTADB": lambda path: NotALedger(f"{path} is no SQLite database; name another file"),
    "SQLITE_CORRUPT": lambda path: StoreDamaged(f"{path} is damaged; restore it from a backup and verify it"),
}
