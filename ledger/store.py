"""Opening a store, and the transactions on it; errors of the database come out as the ledger's own."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ledger.dialects import ROWS, WRITES, Dialect, Sqlite, writable
from ledger.errors import (
    LedgerClosed,
    LedgerError,
    NotALedger,
    StoreNotFound,
    StoreOutdated,
    StoreReadOnly,
)
from ledger.reading import Connection
from ledger.schema import META, SCHEMA_VERSION
from ledger.settings import dialect_of, sqlite_file

if TYPE_CHECKING:
    import sqlalchemy as sa


class Store:
    """An open store: the kind of database, whether it may be written, and the ways to it.

    SQLAlchemy's engine is made when somebody writes; who reads a SQLite file never waits for all that to load.
    """

    def __init__(self, dialect: Dialect, *, read_only: bool = False) -> None:
        self.dialect = dialect
        self.read_only = read_only
        self._closed = False
        self._making = threading.Lock()
        self._engine: sa.Engine | None = None
        self._readers = dialect.readers(lambda: self.engine)

    @property
    def engine(self) -> sa.Engine:
        """SQLAlchemy's engine on the store."""
        with self._making:
            if self._engine is None:
                from sqlalchemy import event

                self._engine = self.dialect.engine()
                event.listen(self._engine, "checkin", self._given_back)
            return self._engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection inside a transaction that sees one moment of the store."""
        with self.speaking(), self._readers.reading() as connection:
            yield connection

    @contextmanager
    def writing(self, what: str = ROWS) -> Iterator[sa.Connection]:
        """A connection inside a transaction that holds the lock of who writes `what`; committed at the end.

        A SQLite file has one lock for everything, in PostgreSQL who writes rows does not wait for who appends events.
        """
        self.refuse_reading_only()
        with self.speaking(), self.engine.connect() as connection:
            connection = connection.execution_options(**{WRITES: what})
            with connection.begin():
                yield connection

    def wait_for_writers(self) -> None:
        """Returns when no transaction of a lost connection can be at its commit any more."""
        with self.speaking():
            self.dialect.wait_for_writers(self.engine)

    def refuse_reading_only(self) -> None:
        """`StoreReadOnly` where the store was opened for reading."""
        if self.read_only:
            raise StoreReadOnly("this ledger can only be read: it was opened so, or its file lets nobody write")

    @contextmanager
    def speaking(self) -> Iterator[None]:
        """Turns the driver's errors into the ledger's; refuses a closed store."""
        if self._closed:
            raise LedgerClosed("the ledger is closed; open it again")
        try:
            yield
        except self._of_drivers() as error:
            raise self.explain(error) from error

    def explain(self, error: Exception) -> LedgerError:
        """What an error of the driver, or SQLAlchemy's around it, means."""
        orig = getattr(error, "orig", None)
        return self.dialect.trouble(orig if isinstance(orig, Exception) else error)

    def close(self) -> None:
        """Closes every connection, for good; one that a thread still uses when that gives it back."""
        self._closed = True
        self._readers.close()
        with self._making:
            if self._engine is not None:
                self._engine.dispose()

    def _of_drivers(self) -> tuple[type[Exception], ...]:
        """What the ways to the store raise, those that were gone."""
        if self._engine is None:
            return sqlite3.Error, UnicodeDecodeError
        from sqlalchemy.exc import DBAPIError

        return sqlite3.Error, UnicodeDecodeError, DBAPIError

    def _given_back(self, _: object, record: sa.pool.ConnectionPoolEntry) -> None:
        if self._closed:
            record.invalidate()


def open_store(url: str, *, read_only: bool = False, create: bool = True) -> Store:
    """The store at `url`, ready for use; a `LedgerError` says what is wrong.

    A SQLite file is made where there is none and `create` is given; a PostgreSQL database must have its tables. A store
    that need not be made and cannot be written is opened for reading.
    """
    create = create and not read_only
    dialect = dialect_for(url, read_only=read_only, create=create)
    store = Store(dialect, read_only=dialect.read_only)
    try:
        _ready(store, create=create and not dialect.made_by_upgrade)
    except BaseException:
        store.close()
        raise
    return store


def dialect_for(url: str, *, read_only: bool = False, create: bool = True) -> Dialect:
    """The kind of database that `url` names, not yet opened; a `LedgerError` where there is none."""
    if dialect_of(url) == "postgresql":
        from ledger.postgres import Postgres

        return Postgres(url, read_only=read_only)
    path = sqlite_file(url)
    if not path.parent.is_dir():
        raise StoreNotFound(f"the folder {path.parent} does not exist; make it, or name another file")
    if path.is_dir():
        raise NotALedger(f"{path} is a folder; name a file in it")
    if not path.exists() and not create:
        raise StoreNotFound(f"there is no ledger at {path}; record into it first, or name another with --db")
    return Sqlite(path, read_only=read_only or (path.exists() and not writable(path)))


def make(store: Store, connection: sa.Connection) -> None:
    """Makes an empty ledger of this version, inside the caller's transaction."""
    store.dialect.create(connection)
    rows = [("created", datetime.now(UTC).isoformat()), ("desk_position", "0")]
    store.dialect.inserting(META, META.names)(connection, rows)


def _ready(store: Store, *, create: bool) -> None:
    """Sees that the store is a ledger of this version, or makes it one; several processes may do so at once."""
    with store.reading() as connection:
        version = store.dialect.version(connection)
        store.read_only = store.read_only or store.dialect.only_reads(connection)
    if version is None and create:
        with store.writing() as connection:
            version = store.dialect.version(connection)
            if version is None:
                make(store, connection)
                version = SCHEMA_VERSION
    if version is None and store.dialect.made_by_upgrade:
        raise StoreNotFound(f"{store.dialect.place} has no ledger yet; run `rounds db upgrade`")
    if version is None:
        raise StoreNotFound("the store is empty; record into it first")
    refuse_newer(version)
    if version < SCHEMA_VERSION:
        raise StoreOutdated(
            f"{store.dialect.place} has the tables of an older version (schema {version}, this one needs "
            f"{SCHEMA_VERSION}); make a backup and run `rounds db upgrade`"
        )


def refuse_newer(version: int, known: int = SCHEMA_VERSION) -> None:
    """`NotALedger` where the schema `version` is one that this program does not know."""
    if version > known:
        raise NotALedger(
            f"the ledger was written by a newer version (schema {version}, known {known}); "
            "use that version of the program"
        )
