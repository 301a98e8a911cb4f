"""Keeps projections up with the log: in pages, rows and position in one transaction, up to what they cannot take in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from ledger.errors import BROKEN, CONFLICT, LedgerError, StoreLocked, StoreReadOnly, UnreadableEvent
from ledger.records import Record
from ledger.store import Store
from projections import store
from projections.store import Projection, Source

PAGE = 500
"""Events a transaction takes in."""

Progress = Callable[[str, int, int], None]


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


class RebuildTakenOver(LedgerError):
    """Another rebuild of the same projection began meanwhile; that one goes on and this one ends."""

    code: ClassVar[str] = "projection.rebuild-taken-over"
    exit_code: ClassVar[int] = CONFLICT
    retry: ClassVar[bool] = True


def catch_up(
    source: Source, kinds: Sequence[type[Projection]], page: int = PAGE, progress: Progress | None = None
) -> None:
    """Takes in what the log has gained since, for each of `kinds`.

    It goes on to where the log ended when it was called, so that a busy table cannot keep it running. A store that
    can only be read is left as it is. `progress` is told the name, the position reached and the head.
    """
    if source.store.read_only:
        return
    try:
        _catch_up(source, kinds, page, progress)
    except StoreReadOnly:
        return


def rebuild(source: Source, kind: type[Projection], page: int = PAGE, progress: Progress | None = None) -> None:
    """Builds `kind` anew beside the old rows and puts the new ones in their place in one transaction.

    `progress` is told the name, the position reached and the head. Raises RebuildTakenOver where a later rebuild began.
    """
    mark = _begin_rebuild(source, kind)
    swapped = False
    while not swapped:
        head = source.head().position
        while mark.runs and mark.position < head:
            mark = _shadow_step(source, kind, mark, page)
            if progress is not None:
                progress(kind.NAME, mark.position, head)
        swapped = _swap(source, kind, mark)


def status(source: Source, kinds: Sequence[type[Projection]]) -> list[Status]:
    """Where `kinds` stand, without moving them."""
    head = source.head().position
    with source.store.reading() as connection:
        known = store.exists(connection)
        return [_status(connection, kind, head, known) for kind in kinds]


def digest(source: Source, kind: type[Projection]) -> str:
    """A hash over every row of the projection, ordered by primary key: equal for builds that hold the same."""
    hashed = sha256()
    with source.store.reading() as connection:
        found = store.current_build(connection, kind) if store.exists(connection) else None
        for number, table in enumerate(store.of_build(kind, found[0]).tables() if found else ()):
            for row in connection.execute(sa.select(table).order_by(*table.primary_key)):
                hashed.update(repr((number, *row)).encode())
    return hashed.hexdigest()


def _catch_up(source: Source, kinds: Sequence[type[Projection]], page: int, progress: Progress | None) -> None:
    head = source.head().position
    marks = {kind: _open(source, kind) for kind in kinds}
    _check_behind(source, marks)
    while behind := {kind: mark for kind, mark in marks.items() if mark.runs and mark.position < head}:
        start = min(mark.position for mark in behind.values())
        records, unreadable = _read(source, start, page)
        assert records or unreadable is not None, f"the log ends at {head} and has nothing after {start}"
        for kind, mark in behind.items():
            marks[kind] = _take_in(source, kind, mark, records, unreadable)
            if progress is not None:
                progress(kind.NAME, marks[kind].position, head)


def _check_behind(source: Source, marks: Mapping[type[Projection], _Mark]) -> None:
    """No projection stands beyond the end of the log; where the end moved meanwhile it is looked at again."""
    head = source.head().position
    for kind, mark in marks.items():
        check_behind(kind, mark.position, head)


def check_behind(kind: type[Projection], position: int, head: int) -> None:
    """`ProjectionAhead` where the read model stands at a `position` that the log, which ends at `head`, has not."""
    if position > head:
        raise ProjectionAhead(
            f"{kind.NAME} has taken in {position} events and the log ends at {head}: events are missing; run "
            "rounds verify, and rounds projection rebuild when the log is whole"
        )


class _Mark(NamedTuple):
    build: int
    position: int
    runs: bool


def _open(source: Source, kind: type[Projection]) -> _Mark:
    """The build of `kind` to go on with; made where there is none."""
    found = _look(source, kind)
    if found is not None:
        return found
    try:
        with source.store.writing() as connection:
            store.create(connection)
            if store.current_build(connection, kind) is None:
                store.drop_older(connection, kind)
                store.make_current(connection, kind, store.add_build(connection, kind))
    except LedgerError:
        # Another process may have made it at the same moment.
        found = _look(source, kind)
        if found is None:
            raise
        return found
    return _existing(source, kind)


def _look(source: Source, kind: type[Projection]) -> _Mark | None:
    with source.store.reading() as connection:
        return _mark(connection, kind)


def _existing(source: Source, kind: type[Projection]) -> _Mark:
    found = _look(source, kind)
    assert found is not None
    return found


def _mark(connection: sa.Connection, kind: type[Projection]) -> _Mark | None:
    if not store.exists(connection):
        return None
    found = store.current_build(connection, kind)
    if found is None:
        return None
    build, position = found
    return _Mark(build, position, _dead_letter(connection, build) is None)


def _take_in(
    source: Source, kind: type[Projection], mark: _Mark, records: Sequence[Record], unreadable: UnreadableEvent | None
) -> _Mark:
    """Brings one build over a page; what cannot be read stops it after the page."""
    fresh = [record for record in records if record.position > mark.position]
    moved = _step(source, kind, mark, fresh) if fresh else mark
    if unreadable is not None and moved.runs and unreadable.position == moved.position + 1:
        return _stop(source, kind, moved, unreadable.position, unreadable)
    return moved


def _step(source: Source, kind: type[Projection], mark: _Mark, records: Sequence[Record]) -> _Mark:
    """One page in one transaction; where it fails, event by event up to the one that cannot be taken in."""
    try:
        return _apply(source, kind, mark, records)
    except _CannotTakeIn as refused:
        if len(records) == 1:
            return _stop(source, kind, mark, records[0].position, refused.why)
    for record in records:
        if record.position > mark.position and mark.runs:
            mark = _step(source, kind, mark, [record])
    return mark


def _apply(source: Source, kind: type[Projection], mark: _Mark, records: Sequence[Record]) -> _Mark:
    last = records[-1].position
    with source.store.writing() as connection:
        if store.advance(connection, mark.build, mark.position, last):
            try:
                store.of_build(kind, mark.build).apply(connection, records)
            except Exception as error:
                if _passing(source.store, error):
                    raise
                raise _CannotTakeIn(error) from error
            return mark._replace(position=last)
    # Another runner was here first; it took these events in.
    return _existing(source, kind)


class _CannotTakeIn(Exception):
    """The projection failed on the page; what it had written is taken back."""

    def __init__(self, why: Exception) -> None:
        super().__init__(why)
        self.why = why


def _stop(source: Source, kind: type[Projection], mark: _Mark, position: int, error: Exception) -> _Mark:
    # PostgreSQL keeps no NUL in a text.
    text = f"{type(error).__name__}: {error}".replace("\0", "\N{REPLACEMENT CHARACTER}")
    with source.store.writing() as connection:
        if store.advance(connection, mark.build, mark.position, mark.position):
            store.upsert(connection, store.dead_letters, [{"build": mark.build, "position": position, "error": text}])
            return mark._replace(runs=False)
    return _existing(source, kind)


def _read(source: Source, start: int, page: int) -> tuple[list[Record], UnreadableEvent | None]:
    """The page after `start`, cut before an event that cannot be read."""
    try:
        return source.feed.after(start, page), None
    except UnreadableEvent as unreadable:
        if unreadable.position is None:
            raise
        readable = unreadable.position - start - 1
        return (source.feed.after(start, readable) if readable else []), unreadable


def _begin_rebuild(source: Source, kind: type[Projection]) -> _Mark:
    """A build that nobody reads; builds that an earlier rebuild left behind, or still fills, are dropped."""
    with source.store.writing() as connection:
        store.create(connection)
        read = sa.select(store.current.c.build)
        left = sa.select(store.builds.c.build).where(
            store.builds.c.name == kind.NAME, store.builds.c.build.not_in(read)
        )
        for build in connection.execute(left).scalars().all():
            store.drop_build(connection, build)
        return _Mark(store.add_build(connection, kind), 0, True)


def _shadow_step(source: Source, kind: type[Projection], mark: _Mark, page: int) -> _Mark:
    records, unreadable = _read(source, mark.position, page)
    moved = _take_in(source, kind, mark, records, unreadable)
    if moved.build != mark.build:
        raise _taken_over(kind)
    return moved


def _taken_over(kind: type[Projection]) -> RebuildTakenOver:
    return RebuildTakenOver(f"another rebuild of {kind.NAME} began; wait for it, or rebuild again")


def _swap(source: Source, kind: type[Projection], mark: _Mark) -> bool:
    """Puts the new build in the old one's place, unless the old one has meanwhile come further."""
    with source.store.writing() as connection:
        if not store.advance(connection, mark.build, mark.position, mark.position):
            raise _taken_over(kind)
        found = store.current_build(connection, kind)
        if found is not None and found[1] > mark.position and mark.runs:
            return False
        store.make_current(connection, kind, mark.build)
    if found is not None:
        _drop(source, found[0])
    return True


def _drop(source: Source, build: int) -> None:
    """Takes a build away that nobody is to read any more; where somebody still does, the next rebuild takes it away."""
    try:
        with source.store.writing() as connection:
            if store.is_read(connection, build) is False:
                store.drop_build(connection, build)
    except StoreLocked:
        return


def _status(connection: sa.Connection, kind: type[Projection], head: int, known: bool) -> Status:
    found = store.current_build(connection, kind) if known else None
    if found is None:
        return Status(kind.NAME, kind.SCHEMA, 0, head)
    build, position = found
    letter = _dead_letter(connection, build)
    lag = max(head - position, 0)
    if letter is None:
        return Status(kind.NAME, kind.SCHEMA, position, lag)
    return Status(kind.NAME, kind.SCHEMA, position, lag, *letter)


def _passing(opened: Store, error: Exception) -> bool:
    """Whether the store, the disk or the memory failed, and not the projection: then nothing is held against it."""
    if isinstance(error, LedgerError):
        return error.retry or isinstance(error, StoreReadOnly)
    if isinstance(error, DBAPIError) and isinstance(opened.explain(error), StoreReadOnly):
        return True
    return isinstance(error, (OperationalError, InterfaceError, OSError, MemoryError))


def _dead_letter(connection: sa.Connection, build: int) -> tuple[int, str] | None:
    letters = store.dead_letters.c
    row = connection.execute(sa.select(letters.position, letters.error).where(letters.build == build)).first()
    return None if row is None else (row.position, row.error)
