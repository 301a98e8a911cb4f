"""How a report reads a projection: caught up first, and rows and position of one moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import sqlalchemy as sa

from projections import runner, store
from projections.store import Projection, Source

Kind = TypeVar("Kind", bound=Projection)


class Report(NamedTuple):
    """What a report says: its rows, the log position that they stand at, and how many events they are behind."""

    rows: list[dict[str, Any]]
    position: int
    lag: int


@dataclass(frozen=True, slots=True)
class View(Generic[Kind]):
    """A projection open for reading in one transaction, and where its rows stand; None before the first catch-up."""

    connection: sa.Connection
    projection: Kind | None
    position: int
    lag: int

    def report(self, rows: list[dict[str, Any]]) -> Report:
        """`rows` with where they stand."""
        return Report(rows, self.position, self.lag)


@contextmanager
def view(source: Source, kind: type[Kind]) -> Iterator[View[Kind]]:
    """A projection caught up and open for reading: rows and position are of the same moment."""
    runner.catch_up(source, [kind])
    head = source.head().position
    with ExitStack() as opened:
        connection, build, position = _open(source, kind, opened)
        projection = None if build is None else store.of_build(kind, build)
        yield View(connection, projection, position, max(head - position, 0))


def _open(source: Source, kind: type[Projection], opened: ExitStack) -> tuple[sa.Connection, int | None, int]:
    """A reading transaction, the build to read in it, and its position; begun anew where a rebuild came between."""
    while True:
        connection = opened.enter_context(source.store.reading())
        found = store.current_build(connection, kind) if store.exists(connection) else None
        if found is None:
            return connection, None, 0
        if store.hold(connection, store.of_build(kind, found[0])):
            return connection, *found
        opened.close()
