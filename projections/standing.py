"""Where projections stand in the log: what they lack, and what stopped them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar, NamedTuple

from ledger.errors import BROKEN, LedgerError
from projections import store
from projections.statements import Transaction, reading, select
from projections.store import Projection, Source


@dataclass(frozen=True, slots=True)
class Status:
    """Where a projection stands: its position in the log, how many events it lacks, and what stopped it."""

    name: str
    schema: int
    position: int
    lag: int
    error_position: int | None = None
    error: str | None = None


class ProjectionAhead(LedgerError):
    """A projection has taken in events that the log no longer has."""

    code: ClassVar[str] = "projection.ahead"
    exit_code: ClassVar[int] = BROKEN


class Mark(NamedTuple):
    """A build and the position that it stands at; it runs unless an event stopped it."""

    build: int
    position: int
    runs: bool


def status(source: Source, kinds: Sequence[type[Projection]]) -> list[Status]:
    """Where `kinds` stand, without moving them."""
    head = source.head().position
    with reading(source.store) as connection:
        known = store.exists(connection)
        return [_status(connection, kind, head, known) for kind in kinds]


def digest(source: Source, kind: type[Projection]) -> str:
    """A hash over every row of the projection, ordered by primary key: equal for builds that hold the same."""
    hashed = sha256()
    with reading(source.store) as connection:
        found = store.current_build(connection, kind) if store.exists(connection) else None
        for number, table in enumerate(store.of_build(kind, found[0]).tables() if found else ()):
            for row in connection.each(select(table.all, table, then=f"ORDER BY {table.order}")):
                hashed.update(repr((number, *row)).encode())
    return hashed.hexdigest()


def is_behind(source: Source, kinds: Sequence[type[Projection]]) -> bool:
    """Whether one of `kinds` is not there yet, or has events to take in; `ProjectionAhead` as `check_behind`."""
    head = source.head().position
    marks = {kind: look(source, kind) for kind in kinds}
    known = {kind: mark for kind, mark in marks.items() if mark is not None}
    check_behind(source, known)
    return len(known) < len(marks) or any(mark.runs and mark.position < head for mark in known.values())


def check_behind(source: Source, marks: Mapping[type[Projection], Mark]) -> None:
    """No projection stands beyond the end of the log; where the end moved meanwhile it is looked at again."""
    head = source.head().position
    for kind, mark in marks.items():
        refuse_ahead(kind, mark.position, head)


def refuse_ahead(kind: type[Projection], position: int, head: int) -> None:
    """`ProjectionAhead` where the read model stands at a `position` that the log, which ends at `head`, has not."""
    if position > head:
        raise ProjectionAhead(
            f"{kind.NAME} has taken in {position} events and the log ends at {head}: events are missing; run "
            "rounds verify, and rounds projection rebuild when the log is whole"
        )


def look(source: Source, kind: type[Projection]) -> Mark | None:
    """The build of `kind` that is read; None where there is none."""
    with reading(source.store) as connection:
        return _mark(connection, kind)


def _mark(connection: Transaction, kind: type[Projection]) -> Mark | None:
    found = store.current_build(connection, kind) if store.exists(connection) else None
    if found is None:
        return None
    build, position = found
    return Mark(build, position, store.dead_letter(connection, build) is None)


def _status(connection: Transaction, kind: type[Projection], head: int, known: bool) -> Status:
    found = store.current_build(connection, kind) if known else None
    if found is None:
        return Status(kind.NAME, kind.SCHEMA, 0, head)
    build, position = found
    letter = store.dead_letter(connection, build)
    lag = max(head - position, 0)
    if letter is None:
        return Status(kind.NAME, kind.SCHEMA, position, lag)
    return Status(kind.NAME, kind.SCHEMA, position, lag, *letter)
