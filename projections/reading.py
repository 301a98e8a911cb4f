"""How a report reads a projection: caught up first, and rows and position of one moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from projections import store
from projections.keeping_up import catch_up
from projections.statements import Transaction, reading
from projections.store import Projection, Source

Kind = TypeVar("Kind", bound=Projection)
Other = TypeVar("Other", bound=Projection)


class Report(NamedTuple):
    """What a report says: its rows, the log position that they stand at, and how many events they are behind."""

    rows: list[dict[str, Any]]
    position: int
    lag: int


@dataclass(frozen=True, slots=True)
class View(Generic[Kind]):
    """A projection open for reading in one transaction, and where its rows stand; None before the first catch-up."""

    connection: Transaction
    projection: Kind | None
    position: int
    lag: int

    def report(self, rows: list[dict[str, Any]]) -> Report:
        """`rows` with where they stand."""
        return Report(rows, self.position, self.lag)


@contextmanager
def view(source: Source, kind: type[Kind]) -> Iterator[View[Kind]]:
    """A projection caught up and open for reading: rows and position are of the same moment."""
    catch_up(source, [kind])
    head = source.head().position
    with ExitStack() as opened:
        connection, ((build, position),) = _open(source, (kind,), opened)
        yield _view(connection, kind, build, position, head)


@contextmanager
def view_both(source: Source, kind: type[Kind], other: type[Other]) -> Iterator[tuple[View[Kind], View[Other]]]:
    """Two projections caught up and open for reading in one transaction, to hold one against the other.

    Their positions differ only where somebody else moves one of them meanwhile, or where the store can only be read.
    """
    kinds = (kind, other)
    for attempt in range(1, _TRIES + 1):
        catch_up(source, kinds)
        head = source.head().position
        with ExitStack() as opened:
            connection, ((build, position), (beside, standing)) = _open(source, kinds, opened)
            if position == standing or attempt == _TRIES:
                yield _view(connection, kind, build, position, head), _view(connection, other, beside, standing, head)
                return


_TRIES = 3


def _view(connection: Transaction, kind: type[Kind], build: int | None, position: int, head: int) -> View[Kind]:
    projection = None if build is None else store.of_build(kind, build)
    return View(connection, projection, position, max(head - position, 0))


def _open(
    source: Source, kinds: Sequence[type[Projection]], opened: ExitStack
) -> tuple[Transaction, list[tuple[int | None, int]]]:
    """A reading transaction, the builds to read in it, and their positions; begun anew where a rebuild came between."""
    while True:
        connection = opened.enter_context(reading(source.store))
        known = store.exists(connection)
        found = [store.current_build(connection, kind) if known else None for kind in kinds]
        both = zip(kinds, found, strict=True)
        if all(store.hold(connection, store.of_build(kind, each[0])) for kind, each in both if each is not None):
            return connection, [(None, 0) if each is None else each for each in found]
        opened.close()
