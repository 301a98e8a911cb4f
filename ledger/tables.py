"""What a table is, as plain data: who only reads needs its names; `ledger.making_tables` makes it in a database."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

Kind = Literal["big", "int", "text", "bytes"]
BIG: Kind = "big"
"""Positions and amounts: 64 bits everywhere, and as a SQLite primary key the row's own number."""
INT: Kind = "int"
"""Small whole numbers."""
TEXT: Kind = "text"
"""Texts, ordered by their code points everywhere."""
BYTES: Kind = "bytes"


class Column(NamedTuple):
    """A column: `key` where it is of the primary key, `null` where it may be empty."""

    name: str
    kind: Kind
    key: bool = False
    null: bool = False


class Index(NamedTuple):
    """An index by its columns; `where` leaves rows out. A `constraint` is a unique one that belongs to the table."""

    name: str
    columns: tuple[str, ...]
    unique: bool = False
    where: str | None = None
    constraint: bool = False


class Table:
    """A table with its columns and indexes; `rowid` False where SQLite keeps its rows by their key alone.

    >>> notes = Table("notes", [Column("position", BIG, key=True), Column("text", TEXT)])
    >>> f"SELECT {notes.all} FROM {notes} WHERE {notes['position']} = ?"
    'SELECT notes."position", notes."text" FROM notes WHERE notes."position" = ?'
    """

    __slots__ = ("_quoted", "all", "columns", "indexes", "keys", "name", "names", "order", "rowid")

    def __init__(
        self, name: str, columns: Iterable[Column], indexes: Iterable[Index] = (), *, rowid: bool = True
    ) -> None:
        self.name = name
        self.columns = {column.name: column for column in columns}
        self.indexes = tuple(indexes)
        self.rowid = rowid
        self.names = tuple(self.columns)
        self.keys = tuple(column.name for column in self.columns.values() if column.key)
        self._quoted = {column: f'{name}."{column}"' for column in self.columns}
        self.all = ", ".join(self._quoted.values())
        """Every column, as a SELECT names them."""
        self.order = ", ".join(self._quoted[key] for key in self.keys)
        """The primary key, as an ORDER BY names it."""

    def __getitem__(self, column: str) -> str:
        """The column as a statement names it; KeyError where there is none."""
        return self._quoted[column]

    def __str__(self) -> str:
        return self.name
