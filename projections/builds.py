"""Builds of projections as they are made, moved on, put in each other's place and taken away."""

from __future__ import annotations

from ledger.making_tables import make_tables
from projections.statements import Sql, Writing, equal, select
from projections.store import Projection, builds, current, dead_letters, of_build, upsert


def create(connection: Writing) -> None:
    """Makes the store's own tables where they are missing."""
    make_tables(connection.connection, (builds, current, dead_letters), where_missing=True)


def add_build(connection: Writing, kind: type[Projection]) -> int:
    """Makes the tables of a new build of `kind`, at position 0, which nobody reads yet."""
    last = connection.value(select(f"max({builds['build']})", builds))
    build: int = (last or 0) + 1
    upsert(connection, builds, [{"build": build, "name": kind.NAME, "schema": kind.SCHEMA, "position": 0}])
    make_tables(connection.connection, of_build(kind, build).tables())
    return build


def drop_build(connection: Writing, build: int) -> None:
    """Takes a build away: its tables, known by their names whatever the schema, its position and its dead letter."""
    name = connection.value(select(builds["name"], builds, [equal(builds["build"], build)]))
    prefix = f"projection_{name}_{build}"
    for table in sorted(connection.dialect.tables(connection.connection)):
        if table == prefix or table.startswith(f"{prefix}_"):
            connection.run(Sql(f"DROP TABLE {table}"))
    connection.run(Sql(f"DELETE FROM {dead_letters} WHERE build = ?", (build,)))
    connection.run(Sql(f"DELETE FROM {builds} WHERE build = ?", (build,)))


def drop_older(connection: Writing, kind: type[Projection]) -> None:
    """Takes away the builds of earlier schema versions of `kind`."""
    older = equal(builds["name"], kind.NAME), Sql(f"{builds['schema']} < ?", (kind.SCHEMA,))
    for build in connection.column(select(builds["build"], builds, older)):
        drop_build(connection, build)
    connection.run(Sql(f"DELETE FROM {current} WHERE name = ? AND schema < ?", (kind.NAME, kind.SCHEMA)))


def drop_unread(connection: Writing, kind: type[Projection]) -> None:
    """Takes away the builds of `kind` that nobody reads: what an earlier rebuild left behind, or still fills."""
    unread = equal(builds["name"], kind.NAME), Sql(f"{builds['build']} NOT IN (SELECT build FROM {current})")
    for build in connection.column(select(builds["build"], builds, unread)):
        drop_build(connection, build)


def make_current(connection: Writing, kind: type[Projection], build: int) -> None:
    """From now on `build` is the one that is read."""
    upsert(connection, current, [{"name": kind.NAME, "schema": kind.SCHEMA, "build": build}])


def advance(connection: Writing, build: int, expected: int, position: int) -> bool:
    """Moves the build's position on, where it still stands at `expected`: two runners cannot take an event in twice."""
    moved = Sql(f"UPDATE {builds} SET position = ? WHERE build = ? AND position = ?", (position, build, expected))
    return connection.run(moved) == 1
