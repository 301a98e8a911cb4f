"""Statements as the read models put them: texts with `?` made of parts that carry their values, and who is asked.

Both databases understand them, and so does a connection that only reads, without SQLAlchemy (`ledger.reading`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.reading import Connection

if TYPE_CHECKING:
    import sqlalchemy as sa

    from ledger.dialects import Dialect
    from ledger.store import Store


class Sql(NamedTuple):
    """A piece of a statement, with the value of each of its `?` in order."""

    text: str
    values: tuple[Any, ...] = ()


NEVER = Sql("1 = 0")


def equal(column: str, value: Any) -> Sql:
    """The column has that value."""
    return Sql(f"{column} = ?", (value,))


def among(column: str, values: Collection[Any]) -> Sql:
    """The column has one of those values; a database takes some thousands of them."""
    return Sql(f"{column} IN ({', '.join('?' * len(values))})", tuple(values)) if values else NEVER


def either(conditions: Iterable[Sql]) -> Sql:
    """At least one of the conditions holds."""
    known = list(conditions)
    return _joined(" OR ", known) if known else NEVER


def both(*conditions: Sql) -> Sql:
    """Every one of the conditions holds; of none that is always so."""
    return _joined(" AND ", conditions) if conditions else Sql("1 = 1")


def select(what: str, source: object, where: Iterable[Sql] = (), then: str = "") -> Sql:
    """`what` of the rows of `source` of which every condition holds; `then` is what follows, such as an order.

    >>> select("rounds.number", "rounds", [equal("rounds.table", "PG01")], "LIMIT 2")
    Sql(text='SELECT rounds.number FROM rounds WHERE (rounds.table = ?) LIMIT 2', values=('PG01',))
    """
    conditions = tuple(where)
    if not conditions:
        return Sql(f"SELECT {what} FROM {source} {then}".rstrip())
    held = both(*conditions)
    return Sql(f"SELECT {what} FROM {source} WHERE {held.text} {then}".rstrip(), held.values)


def _joined(word: str, parts: Sequence[Sql]) -> Sql:
    values = tuple(value for part in parts for value in part.values)
    return Sql(word.join(f"({part.text})" for part in parts), values)


class Transaction:
    """An open transaction of a store, and what is asked in it."""

    def __init__(self, connection: Connection, dialect: Dialect) -> None:
        self.connection = connection
        self.dialect = dialect

    def rows(self, statement: Sql) -> list[dict[str, Any]]:
        """Every row that it finds, by the names of its columns."""
        return list(map(dict, self._found(statement).mappings()))

    def all(self, statement: Sql) -> Sequence[Any]:
        """Every row that it finds, by place."""
        found: Sequence[Any] = self._found(statement).all()
        return found

    def each(self, statement: Sql) -> Iterator[Any]:
        """Row after row, by place, as they are read."""
        return iter(self._found(statement))

    def column(self, statement: Sql) -> list[Any]:
        """The first column of every row that it finds."""
        return list(self._found(statement).scalars())

    def first(self, statement: Sql) -> Any:
        """The first row that it finds, None where it finds none."""
        return self._found(statement).first()

    def value(self, statement: Sql) -> Any:
        """The first column of the first row that it finds, None where it finds none."""
        return self._found(statement).scalar()

    def _found(self, statement: Sql) -> Any:
        return self.connection.exec_driver_sql(self.dialect.sql(statement.text), statement.values)


class Writing(Transaction):
    """A transaction that writes, which is always SQLAlchemy's."""

    connection: sa.Connection

    def run(self, statement: Sql) -> int:
        """Runs it; how many rows it changed."""
        changed: int = self._found(statement).rowcount
        return changed

    def run_with_each(self, text: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Runs it with each of `rows` in turn."""
        self.connection.exec_driver_sql(self.dialect.sql(text), list(rows))


@contextmanager
def reading(store: Store) -> Iterator[Transaction]:
    """A transaction that sees one moment of the store."""
    with store.reading() as connection:
        yield Transaction(connection, store.dialect)


@contextmanager
def writing(store: Store) -> Iterator[Writing]:
    """A transaction that writes rows of read models; committed at the end."""
    with store.writing() as connection:
        yield Writing(connection, store.dialect)
