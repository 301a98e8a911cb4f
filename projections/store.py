"""Where the projections keep themselves: a build of tables for each, its position in the log, and what stopped it.

A projection's rows live in the tables of a *build*; a rebuild fills the tables of another build and then takes the
first one's place in one transaction. A new schema version starts with a build of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import sqlalchemy as sa

from domain.streams import Stream
from ledger.records import Head, Record
from ledger.store import Store

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""Positions and amounts: 64 bits everywhere, and as a SQLite primary key the row's own number."""

TEXT = sa.Text(collation="C").with_variant(sa.Text(), "sqlite")
"""Texts, ordered by their code points everywhere."""

_metadata = sa.MetaData()

builds = sa.Table(
    "projection_builds",
    _metadata,
    sa.Column("build", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", TEXT, nullable=False),
    sa.Column("schema", sa.Integer, nullable=False),
    sa.Column("position", BIG, nullable=False),
)
"""A build of a projection's tables and the position that its rows stand at."""

current = sa.Table(
    "projection_current",
    _metadata,
    sa.Column("name", TEXT, primary_key=True),
    sa.Column("schema", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("build", sa.Integer, nullable=False),
)
"""Which build is read."""

dead_letters = sa.Table(
    "projection_dead_letters",
    _metadata,
    sa.Column("build", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("position", BIG, nullable=False),
    sa.Column("error", TEXT, nullable=False),
)
"""The event that a build could not take in. It stops there until it is rebuilt."""


P = TypeVar("P", bound="Projection")


class Log(Protocol):
    """The log in order, and one stream of it."""

    def after(self, position: int, limit: int = ..., connection: sa.Connection | None = ...) -> list[Record]: ...

    def stream(self, stream: Stream, connection: sa.Connection | None = ...) -> list[Record]: ...


class Source(Protocol):
    """What a read model needs of a ledger: its store, its log and where that ends."""

    @property
    def store(self) -> Store: ...

    @property
    def feed(self) -> Log: ...

    def head(self) -> Head: ...


class Projection(ABC):
    """One read model. Its rows are a pure function of the log: no clocks, zones, locales, and nothing of the paging.

    `NAME` is what a person calls it, `SCHEMA` the version of its tables and of what they mean: raise it with either,
    and the rows are built anew. `__init__` defines the tables of one build into `self.metadata`.
    """

    NAME: ClassVar[str]
    SCHEMA: ClassVar[int]

    def __init__(self, build: int) -> None:
        self.build = build
        self.metadata = sa.MetaData()

    @abstractmethod
    def apply(self, connection: sa.Connection, records: Sequence[Record]) -> None:
        """Takes the next records of the log in, each changed row written once; what it raises stops the projection."""

    def table_name(self, part: str) -> str:
        """The name of one of the build's tables."""
        return f"projection_{self.NAME}_{self.build}" + (f"_{part}" if part else "")

    def tables(self) -> list[sa.Table]:
        """The build's tables, in an order that does not change."""
        return list(self.metadata.tables.values())


_kept: dict[tuple[type[Projection], int], Projection] = {}


def of_build(kind: type[P], build: int) -> P:
    """The projection `kind` on the tables of `build`; kept, so that its statements are compiled once."""
    found = _kept.get((kind, build))
    if found is None:
        found = _kept[kind, build] = kind(build)
    assert isinstance(found, kind)
    return found


def rows(connection: sa.Connection, statement: sa.Select[Any]) -> list[dict[str, Any]]:
    """What `statement` finds, each row by its column names."""
    return [row._asdict() for row in connection.execute(statement)]


def plain_rows(connection: sa.Connection, statement: sa.Select[Any]) -> list[dict[str, Any]]:
    """The same with names that are texts and nothing more, as documents need them that are written whole."""
    return [{str(name): value for name, value in row.items()} for row in rows(connection, statement)]


def exists(connection: sa.Connection) -> bool:
    """Whether anything has ever been projected in this store."""
    return sa.inspect(connection).has_table(builds.name)


def create(connection: sa.Connection) -> None:
    """Makes the store's own tables where they are missing."""
    _metadata.create_all(connection, checkfirst=True)


def current_build(connection: sa.Connection, kind: type[Projection]) -> tuple[int, int] | None:
    """The build of `kind` that is read, and its position."""
    statement = (
        sa.select(builds.c.build, builds.c.position)
        .join(current, current.c.build == builds.c.build)
        .where(current.c.name == kind.NAME, current.c.schema == kind.SCHEMA)
    )
    row = connection.execute(statement).first()
    return None if row is None else (row.build, row.position)


def add_build(connection: sa.Connection, kind: type[Projection]) -> int:
    """Makes the tables of a new build of `kind`, at position 0, which nobody reads yet."""
    last = connection.execute(sa.select(sa.func.max(builds.c.build))).scalar()
    build = (last or 0) + 1
    connection.execute(builds.insert().values(build=build, name=kind.NAME, schema=kind.SCHEMA, position=0))
    of_build(kind, build).metadata.create_all(connection, checkfirst=False)
    return build


def drop_build(connection: sa.Connection, build: int) -> None:
    """Takes a build away: its tables, known by their names whatever the schema, its position and its dead letter."""
    name = connection.execute(sa.select(builds.c.name).where(builds.c.build == build)).scalar_one()
    prefix = f"projection_{name}_{build}"
    for table in sa.inspect(connection).get_table_names():
        if table == prefix or table.startswith(f"{prefix}_"):
            sa.Table(table, sa.MetaData()).drop(connection)
    connection.execute(dead_letters.delete().where(dead_letters.c.build == build))
    connection.execute(builds.delete().where(builds.c.build == build))


def is_read(connection: sa.Connection, build: int) -> bool | None:
    """Whether a projection's reports read from `build`; None where there is no such build."""
    if connection.execute(sa.select(builds.c.build).where(builds.c.build == build)).first() is None:
        return None
    return connection.execute(sa.select(current.c.name).where(current.c.build == build)).first() is not None


def hold(connection: sa.Connection, projection: Projection) -> bool:
    """Keeps the projection's tables in place to the end of the transaction; False where they went before it could.

    In PostgreSQL a transaction sees one moment of the rows, but not of the tables: those that a rebuild replaced are
    gone for everybody at once. A SQLite file keeps both.
    """
    if connection.dialect.name == "postgresql":
        names = ", ".join(table.name for table in projection.tables())
        try:
            connection.exec_driver_sql(f"LOCK TABLE {names} IN ACCESS SHARE MODE")
        except sa.exc.ProgrammingError as error:
            if getattr(error.orig, "sqlstate", None) != _NO_SUCH_TABLE:
                raise
            return False
    return True


_NO_SUCH_TABLE = "42P01"


def drop_older(connection: sa.Connection, kind: type[Projection]) -> None:
    """Takes away the builds of earlier schema versions of `kind`."""
    older = sa.and_(builds.c.name == kind.NAME, builds.c.schema < kind.SCHEMA)
    for build in connection.execute(sa.select(builds.c.build).where(older)).scalars().all():
        drop_build(connection, build)
    connection.execute(current.delete().where(current.c.name == kind.NAME, current.c.schema < kind.SCHEMA))


def make_current(connection: sa.Connection, kind: type[Projection], build: int) -> None:
    """From now on `build` is the one that is read."""
    upsert(connection, current, [{"name": kind.NAME, "schema": kind.SCHEMA, "build": build}])


def advance(connection: sa.Connection, build: int, expected: int, position: int) -> bool:
    """Moves the build's position on, where it still stands at `expected`: two runners cannot take an event in twice."""
    moved = connection.execute(_ADVANCE, {"was": expected, "of": build, "now": position})
    return moved.rowcount == 1


_ADVANCE = (
    builds.update()
    .where(builds.c.build == sa.bindparam("of"), builds.c.position == sa.bindparam("was"))
    .values(position=sa.bindparam("now"))
)


def upsert(
    connection: sa.Connection,
    table: sa.Table,
    rows: Sequence[Mapping[str, Any]],
    add: frozenset[str] = frozenset(),
) -> None:
    """Writes `rows` by the table's primary key: new ones as they are, in known ones the columns of `add` grow by the
    row's value and the others take it.
    """
    if rows:
        connection.execute(_upsert_statement(table, connection.dialect.name, add), rows)


def _insert(dialect: str) -> type[postgresql.Insert] | type[sqlite.Insert]:
    """The dialect's own INSERT; each is loaded where it is in use, for both take long."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.Insert
    from sqlalchemy.dialects import sqlite

    return sqlite.Insert


@lru_cache(maxsize=256)
def _upsert_statement(table: sa.Table, dialect: str, add: frozenset[str]) -> sa.Insert:
    statement = _insert(dialect)(table)
    keys = [column.name for column in table.primary_key]
    given = statement.excluded
    changed = {
        column.name: column + given[column.name] if column.name in add else given[column.name]
        for column in table.columns
        if column.name not in keys
    }
    if not changed:
        return statement.on_conflict_do_nothing(index_elements=keys)
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)
