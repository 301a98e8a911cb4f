"""Where the projections keep themselves: a build of tables for each, its position in the log, and what stopped it.

A projection's rows live in the tables of a *build*; a rebuild fills the tables of another build and then takes the
first one's place in one transaction. A new schema version starts with a build of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from typing import Any, ClassVar, Protocol, TypeVar

from domain.streams import Stream
from ledger.reading import Connection
from ledger.records import Head, Record
from ledger.store import Store
from ledger.tables import BIG, INT, TEXT, Column, Index, Table
from projections.statements import Sql, Transaction, Writing, equal, select

builds = Table(
    "projection_builds",
    [Column("build", INT, key=True), Column("name", TEXT), Column("schema", INT), Column("position", BIG)],
)
"""A build of a projection's tables and the position that its rows stand at."""

current = Table(
    "projection_current",
    [Column("name", TEXT, key=True), Column("schema", INT, key=True), Column("build", INT)],
)
"""Which build is read."""

dead_letters = Table(
    "projection_dead_letters",
    [Column("build", INT, key=True), Column("position", BIG), Column("error", TEXT)],
)
"""The event that a build could not take in. It stops there until it is rebuilt."""


P = TypeVar("P", bound="Projection")


class Log(Protocol):
    """The log in order, and one stream of it."""

    def after(self, position: int, limit: int = ..., connection: Connection | None = ...) -> list[Record]: ...

    def stream(self, stream: Stream, connection: Connection | None = ...) -> list[Record]: ...


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
    and the rows are built anew. `__init__` says which tables a build has, each with `table`.
    """

    NAME: ClassVar[str]
    SCHEMA: ClassVar[int]

    def __init__(self, build: int) -> None:
        self.build = build
        self._tables: list[Table] = []

    @abstractmethod
    def apply(self, connection: Writing, records: Sequence[Record]) -> None:
        """Takes the next records of the log in, each changed row written once; what it raises stops the projection."""

    def table_name(self, part: str) -> str:
        """The name of one of the build's tables."""
        return f"projection_{self.NAME}_{self.build}" + (f"_{part}" if part else "")

    def table(
        self,
        part: str,
        columns: Iterable[Column],
        *indexes: tuple[str, ...],
        unique: str | None = None,
        rowid: bool = True,
    ) -> Table:
        """One of the build's tables, with an index for each of `indexes`, which name their columns.

        `rowid` False has SQLite keep the rows by their primary key alone, `unique` is a column without repetition.
        """
        name = self.table_name(part)
        known = [Index(f"ix_{name}_by_{'_'.join(names)}", names) for names in indexes]
        if unique is not None:
            known.append(Index(f"{name}_{unique}", (unique,), constraint=True))
        made = Table(name, columns, known, rowid=rowid)
        self._tables.append(made)
        return made

    def tables(self) -> list[Table]:
        """The build's tables, in an order that does not change."""
        return list(self._tables)


_kept: dict[tuple[type[Projection], int], Projection] = {}


def of_build(kind: type[P], build: int) -> P:
    """The projection `kind` on the tables of `build`; kept, so that its statements are compiled once."""
    found = _kept.get((kind, build))
    if found is None:
        found = _kept[kind, build] = kind(build)
    assert isinstance(found, kind)
    return found


def every_row(connection: Transaction, table: Table, *where: Sql, order: str = "") -> list[dict[str, Any]]:
    """The rows of `table` of which every condition holds, each by its column names; `order` names columns."""
    return connection.rows(select(table.all, table, where, f"ORDER BY {order}" if order else ""))


def distinct(connection: Transaction, table: Table, column: str, most: int | None = None, *where: Sql) -> Iterator[Any]:
    """The distinct values of an indexed column in ascending order, at most so many: each found from the one before."""
    found: Any = None
    for _ in count() if most is None else range(most):
        after = [] if found is None else [Sql(f"{table[column]} > ?", (found,))]
        found = connection.value(select(f"min({table[column]})", table, (*where, *after)))
        if found is None:
            return
        yield found


def exists(connection: Transaction) -> bool:
    """Whether anything has ever been projected in this store."""
    return builds.name in connection.dialect.tables(connection.connection)


def current_build(connection: Transaction, kind: type[Projection]) -> tuple[int, int] | None:
    """The build of `kind` that is read, and its position."""
    joined = f"{builds} JOIN {current} ON {current['build']} = {builds['build']}"
    meant = equal(current["name"], kind.NAME), equal(current["schema"], kind.SCHEMA)
    row = connection.first(select(f"{builds['build']}, {builds['position']}", joined, meant))
    return None if row is None else (row[0], row[1])


def dead_letter(connection: Transaction, build: int) -> tuple[int, str] | None:
    """The position of the event that stopped the build, and why; None where it goes on."""
    what = f"{dead_letters['position']}, {dead_letters['error']}"
    row = connection.first(select(what, dead_letters, [equal(dead_letters["build"], build)]))
    return None if row is None else (row[0], row[1])


def is_read(connection: Transaction, build: int) -> bool | None:
    """Whether a projection's reports read from `build`; None where there is no such build."""
    if connection.first(select("1", builds, [equal(builds["build"], build)])) is None:
        return None
    return connection.first(select("1", current, [equal(current["build"], build)])) is not None


def hold(connection: Transaction, projection: Projection) -> bool:
    """Keeps the projection's tables in place to the end of the transaction; False where they went before it could."""
    return connection.dialect.hold(connection.connection, projection.tables())


def upsert(
    connection: Writing, table: Table, rows: Sequence[Mapping[str, Any]], add: frozenset[str] = frozenset()
) -> None:
    """Writes `rows` by the table's primary key: new ones as they are, in known ones the columns of `add` grow by the
    row's value and the others take it.
    """
    if rows:
        names = table.names
        connection.run_with_each(_upsert(table, add), [tuple(row[name] for name in names) for row in rows])


@lru_cache(maxsize=256)
def _upsert(table: Table, add: frozenset[str]) -> str:
    changed = [
        f'"{name}" = {table[name]} + excluded."{name}"' if name in add else f'"{name}" = excluded."{name}"'
        for name in table.names
        if name not in table.keys
    ]
    columns, keys = (", ".join(f'"{name}"' for name in names) for names in (table.names, table.keys))
    then = f"UPDATE SET {', '.join(changed)}" if changed else "NOTHING"
    marks = ", ".join("?" * len(table.names))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT ({keys}) DO {then}"
