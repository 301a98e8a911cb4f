"""Brings a store to the schema of this version, and says which one it has. Several processes may do so at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from ledger.dialects import UPGRADE
from ledger.errors import NotALedger
from ledger.feed import head as head_of
from ledger.records import GENESIS
from ledger.schema import SCHEMA_VERSION
from ledger.store import Store, dialect_for, refuse_newer

STEPS = Path(__file__).with_name("migrations")


class Upgraded(NamedTuple):
    """The schema before, None where there was no ledger, and now."""

    before: int | None
    now: int


class StoreStatus(NamedTuple):
    """A store as it is found: its schema, None where there is no ledger, and how many events it holds."""

    place: str
    schema: int | None
    known: int
    events: int
    read_only: bool

    @property
    def ready(self) -> bool:
        """Whether this version can work on it."""
        return self.schema == self.known


def upgrade(url: str, steps: Path = STEPS, known: int = SCHEMA_VERSION) -> Upgraded:
    """Makes a ledger at `url`, or brings the one there to this version, in one transaction.

    A `LedgerError` says what is wrong with the place; then nothing of it was changed.
    """
    with _opened(url) as store, store.writing(UPGRADE) as connection:
        before = store.dialect.version(connection)
        if before is not None:
            refuse_newer(before, known)
        else:
            _refuse_other_encodings(store, connection)
        for version in _take(connection, steps, before or 0, known):
            store.dialect.stamp(connection, version)
        return Upgraded(before, known)


def status(url: str) -> StoreStatus:
    """What is found at `url`; a `LedgerError` where nothing can be found there."""
    with _opened(url, create=False) as store, store.reading() as connection:
        schema = store.dialect.version(connection)
        head = GENESIS if schema is None else head_of(connection)
        read_only = store.read_only or store.dialect.only_reads(connection)
        return StoreStatus(store.dialect.place, schema, SCHEMA_VERSION, head.position, read_only)


@contextmanager
def _opened(url: str, *, create: bool = True) -> Iterator[Store]:
    dialect = dialect_for(url, create=create)
    store = Store(dialect, read_only=dialect.read_only)
    try:
        yield store
    finally:
        store.close()


def _take(connection: sa.Connection, steps: Path, version: int, known: int) -> Iterator[int]:
    """Takes the steps after `version`, and gives the version that each leads to."""
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    context = MigrationContext.configure(connection)
    for step in reversed(list(ScriptDirectory(str(steps)).walk_revisions())):
        if version < int(step.revision) <= known:
            module: Any = step.module
            with Operations.context(context):
                module.upgrade()
            yield int(step.revision)


def _refuse_other_encodings(store: Store, connection: sa.Connection) -> None:
    """A database that cannot hold every character would refuse commands in the middle of a game."""
    if connection.dialect.name == "postgresql":
        encoding = connection.exec_driver_sql("SELECT current_setting('server_encoding')").scalar()
        if encoding != "UTF8":
            raise NotALedger(
                f"{store.dialect.place} is encoded in {encoding}; make one with createdb -T template0 -E UTF8"
            )
