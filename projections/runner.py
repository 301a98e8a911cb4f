"""Keeps projections up with the log: in pages, rows and position in one transaction, up to what they cannot take in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from ledger.errors import CONFLICT, LedgerError, StoreLocked, StoreReadOnly, UnreadableEvent
from ledger.records import Record
from ledger.store import Store
from projections import builds, store
from projections.keeping_up import PAGE, Progress
from projections.standing import Mark, check_behind, look
from projections.statements import writing
from projections.store import Projection, Source


class RebuildTakenOver(LedgerError):
    """Another rebuild of the same projection began meanwhile; that one goes on and this one ends."""

    code: ClassVar[str] = "projection.rebuild-taken-over"
    exit_code: ClassVar[int] = CONFLICT
    retry: ClassVar[bool] = True


def catch_up(
    source: Source, kinds: Sequence[type[Projection]], page: int = PAGE, progress: Progress | None = None
) -> None:
    """As `keeping_up.catch_up`, which asks first whether there is anything to take in."""
    if source.store.read_only:
        return
    try:
        _catch_up(source, kinds, page, progress)
    except StoreReadOnly:
        return


def rebuild(source: Source, kind: type[Projection], page: int = PAGE, progress: Progress | None = None) -> None:
    """As `keeping_up.rebuild`. Raises RebuildTakenOver where a later rebuild began."""
    mark = _begin_rebuild(source, kind)
    swapped = False
    while not swapped:
        head = source.head().position
        while mark.runs and mark.position < head:
            mark = _shadow_step(source, kind, mark, page)
            if progress is not None:
                progress(kind.NAME, mark.position, head)
        swapped = _swap(source, kind, mark)


def _catch_up(source: Source, kinds: Sequence[type[Projection]], page: int, progress: Progress | None) -> None:
    head = source.head().position
    marks = {kind: _open(source, kind) for kind in kinds}
    check_behind(source, marks)
    while behind := {kind: mark for kind, mark in marks.items() if mark.runs and mark.position < head}:
        start = min(mark.position for mark in behind.values())
        records, unreadable = _read(source, start, page)
        assert records or unreadable is not None, f"the log ends at {head} and has nothing after {start}"
        for kind, mark in behind.items():
            marks[kind] = _take_in(source, kind, mark, records, unreadable)
            if progress is not None:
                progress(kind.NAME, marks[kind].position, head)


def _open(source: Source, kind: type[Projection]) -> Mark:
    """The build of `kind` to go on with; made where there is none."""
    found = look(source, kind)
    if found is not None:
        return found
    try:
        with writing(source.store) as connection:
            builds.create(connection)
            if store.current_build(connection, kind) is None:
                builds.drop_older(connection, kind)
                builds.make_current(connection, kind, builds.add_build(connection, kind))
    except LedgerError:
        # Another process may have made it at the same moment.
        found = look(source, kind)
        if found is None:
            raise
        return found
    return _existing(source, kind)


def _existing(source: Source, kind: type[Projection]) -> Mark:
    found = look(source, kind)
    assert found is not None
    return found


def _take_in(
    source: Source, kind: type[Projection], mark: Mark, records: Sequence[Record], unreadable: UnreadableEvent | None
) -> Mark:
    """Brings one build over a page; what cannot be read stops it after the page."""
    fresh = [record for record in records if record.position > mark.position]
    moved = _step(source, kind, mark, fresh) if fresh else mark
    if unreadable is not None and moved.runs and unreadable.position == moved.position + 1:
        return _stop(source, kind, moved, unreadable.position, unreadable)
    return moved


def _step(source: Source, kind: type[Projection], mark: Mark, records: Sequence[Record]) -> Mark:
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


def _apply(source: Source, kind: type[Projection], mark: Mark, records: Sequence[Record]) -> Mark:
    last = records[-1].position
    with writing(source.store) as connection:
        if builds.advance(connection, mark.build, mark.position, last):
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


def _stop(source: Source, kind: type[Projection], mark: Mark, position: int, error: Exception) -> Mark:
    # PostgreSQL keeps no NUL in a text.
    text = f"{type(error).__name__}: {error}".replace("\0", "\N{REPLACEMENT CHARACTER}")
    with writing(source.store) as connection:
        if builds.advance(connection, mark.build, mark.position, mark.position):
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


def _begin_rebuild(source: Source, kind: type[Projection]) -> Mark:
    """A build that nobody reads; builds that an earlier rebuild left behind, or still fills, are dropped."""
    with writing(source.store) as connection:
        builds.create(connection)
        builds.drop_unread(connection, kind)
        return Mark(builds.add_build(connection, kind), 0, True)


def _shadow_step(source: Source, kind: type[Projection], mark: Mark, page: int) -> Mark:
    records, unreadable = _read(source, mark.position, page)
    moved = _take_in(source, kind, mark, records, unreadable)
    if moved.build != mark.build:
        raise _taken_over(kind)
    return moved


def _taken_over(kind: type[Projection]) -> RebuildTakenOver:
    return RebuildTakenOver(f"another rebuild of {kind.NAME} began; wait for it, or rebuild again")


def _swap(source: Source, kind: type[Projection], mark: Mark) -> bool:
    """Puts the new build in the old one's place, unless the old one has meanwhile come further."""
    with writing(source.store) as connection:
        if not builds.advance(connection, mark.build, mark.position, mark.position):
            raise _taken_over(kind)
        found = store.current_build(connection, kind)
        if found is not None and found[1] > mark.position and mark.runs:
            return False
        builds.make_current(connection, kind, mark.build)
    if found is not None:
        _drop(source, found[0])
    return True


def _drop(source: Source, build: int) -> None:
    """Takes a build away that nobody is to read any more; where somebody still does, the next rebuild takes it away."""
    try:
        with writing(source.store) as connection:
            if store.is_read(connection, build) is False:
                builds.drop_build(connection, build)
    except StoreLocked:
        return


def _passing(opened: Store, error: Exception) -> bool:
    """Whether the store, the disk or the memory failed, and not the projection: then nothing is held against it."""
    if isinstance(error, LedgerError):
        return error.retry or isinstance(error, StoreReadOnly)
    if isinstance(error, DBAPIError) and isinstance(opened.explain(error), StoreReadOnly):
        return True
    return isinstance(error, (OperationalError, InterfaceError, OSError, MemoryError))
