"""Opening a store, and the transactions on it; errors of the database come out as the ledger's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import sqlalchemy as sa

from ledger.dialects import WRITES, Dialect, Sqlite, writable
from ledger.errors import LedgerClosed, LedgerError, NotALedger, StoreNotFound, StoreReadOnly, StoreUrlInvalid
from ledger.schema import META, SCHEMA_VERSION
from ledger.settings import dialect_of, shown, sqlite_file


class Store:
    """An open store: its engine, the kind of database, and whether it may be written."""

    def __init__(self, dialect: Dialect, *, read_only: bool = False) -> None:
        self.dialect = dialect
        self.read_only = read_only
        self.engine = dialect.engine()
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A connection inside a transaction that sees one moment of the store."""
        with self.speaking(), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A connection inside a transaction that holds the store's write lock; committed at the end."""
        self.refuse_reading_only()
        with self.speaking(), self.engine.connect() as connection:
            connection = connection.execution_options(**{WRITES: True})
            with connection.begin():
                yield connection

    def refuse_reading_only(self) -> None:
        """`StoreReadOnly` where the store was opened for reading."""
        if self.read_only:
            raise StoreReadOnly("this ledger was opened for reading only; open it for writing to record")

    @contextmanager
    def speaking(self) -> Iterator[None]:
        """Turns the driver's errors into the ledger's; refuses a closed store."""
        if self._closed:
            raise LedgerClosed("the ledger is closed; open it again")
        try:
            yield
        except sa.exc.DBAPIError as error:
            raise self.explain(error) from error

    def explain(self, error: sa.exc.DBAPIError) -> LedgerError:
        """What the driver's error means."""
        orig = error.orig
        return self.dialect.trouble(orig if isinstance(orig, Exception) else error)

    def close(self) -> None:
        """Gives every connection back, for good."""
        self._closed = True
        self.engine.dispose()


def open_store(url: str, *, read_only: bool = False, create: bool = True) -> Store:
    """The store at `url`, made where there is none and `create` is given; a `LedgerError` says what is wrong.

    One that need not be made and cannot be written is opened for reading.
    """
    create = create and not read_only
    dialect = _dialect(url, read_only=read_only, create=create)
    store = Store(dialect, read_only=dialect.read_only)
    try:
        _ready(store, create=create)
    except BaseException:
        store.close()
        raise
    return store


def _dialect(url: str, *, read_only: bool, create: bool) -> Dialect:
    if dialect_of(url) != "sqlite":
        raise StoreUrlInvalid(
            f"{shown(url)}: this version keeps ledgers in SQLite only; write it like sqlite:///rounds.db"
        )
    path = sqlite_file(url)
    if not path.parent.is_dir():
        raise StoreNotFound(f"the folder {path.parent} does not exist; make it, or name another file")
    if path.is_dir():
        raise NotALedger(f"{path} is a folder; name a file in it")
    if not path.exists() and not create:
        raise StoreNotFound(f"there is no ledger at {path}; record into it first, or name another with --db")
    return Sqlite(path, read_only=read_only or (not create and not writable(path)))


def _ready(store: Store, *, create: bool) -> None:
    """Sees that the store is a ledger of this version, or makes it one; several processes may do so at once."""
    with store.reading() as connection:
        version = store.dialect.version(connection)
    if version is None:
        if not create:
            raise StoreNotFound("the store is empty; record into it first")
        with store.writing() as connection:
            version = store.dialect.version(connection)
            if version is None:
                store.dialect.create(connection)
                created = {"name": "created", "value": datetime.now(UTC).isoformat()}
                connection.execute(META.insert(), [created, {"name": "desk_position", "value": "0"}])
                version = SCHEMA_VERSION
    if version != SCHEMA_VERSION:
        raise NotALedger(f"the ledger was written by a newer version (schema {version}, known {SCHEMA_VERSION})")
