"""Tables as SQLAlchemy makes them in either database, from their plain definitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from ledger.tables import BIG, BYTES, INT, TEXT, Column, Table

_TYPES: dict[str, sa.types.TypeEngine[Any]] = {
    BIG: sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
    INT: sa.Integer(),
    TEXT: sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
    BYTES: sa.LargeBinary(),
}


def make_tables(connection: sa.Connection, tables: Iterable[Table], *, where_missing: bool = False) -> None:
    """Makes the tables with their indexes; those that are there already are an error, unless `where_missing`."""
    defined(tables).create_all(connection, checkfirst=where_missing)


def defined(tables: Iterable[Table]) -> sa.MetaData:
    """The tables as SQLAlchemy defines them."""
    metadata = sa.MetaData()
    for table in tables:
        _define(table, metadata)
    return metadata


def _define(table: Table, metadata: sa.MetaData) -> None:
    unique = (sa.UniqueConstraint(*each.columns, name=each.name) for each in table.indexes if each.constraint)
    columns = map(_column, table.columns.values())
    made = sa.Table(table.name, metadata, *columns, *unique, sqlite_with_rowid=table.rowid)
    for index in table.indexes:
        if not index.constraint:
            # A log in PostgreSQL is made by the migrations, which say the condition too.
            where = None if index.where is None else sa.text(index.where)
            sa.Index(index.name, *(made.c[name] for name in index.columns), unique=index.unique, sqlite_where=where)


def _column(column: Column) -> sa.Column[Any]:
    type_ = _TYPES[column.kind]
    return sa.Column(column.name, type_, primary_key=column.key, nullable=column.null, autoincrement=False)
