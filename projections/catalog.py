"""Every projection there is, and what is asked of them by name: catch up, rebuild, status, digest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ledger.errors import NOT_FOUND, LedgerError
from projections import keeping_up, standing
from projections.balances import Balances
from projections.keeping_up import PAGE, Progress
from projections.meter_book import MeterBook
from projections.meters import Meters
from projections.rounds import Rounds
from projections.standing import Status
from projections.store import Projection, Source

KINDS: tuple[type[Projection], ...] = (Balances, Meters, MeterBook, Rounds)


class NoSuchProjection(LedgerError):
    """There is no projection of that name."""

    code: ClassVar[str] = "projection.unknown"
    exit_code: ClassVar[int] = NOT_FOUND


def catch_up(
    source: Source, names: Sequence[str] | None = None, page: int = PAGE, progress: Progress | None = None
) -> list[Status]:
    """Takes in what the log has gained, for all projections or those named, and says where they stand.

    It goes on to where the log ended when it was called. A store that can only be read is left as it is, and the lag
    is in the answer. `progress` is told the name, the position reached and the head. NoSuchProjection where a name is
    unknown.
    """
    kinds = _named(names)
    keeping_up.catch_up(source, kinds, page, progress)
    return standing.status(source, kinds)


def rebuild(
    source: Source, name: str | None = None, page: int = PAGE, progress: Progress | None = None
) -> list[Status]:
    """Builds one projection anew, or all of them one after another, and says where they stand.

    `progress` is told the name, the position reached and the head. Reports go on reading the old rows until the new
    ones take their place. A later rebuild of the same projection ends this one with RebuildTakenOver.
    """
    kinds = _named(None if name is None else (name,))
    for kind in kinds:
        keeping_up.rebuild(source, kind, page, progress)
    return standing.status(source, kinds)


def status(source: Source, names: Sequence[str] | None = None) -> list[Status]:
    """Where the projections stand, without moving them."""
    return standing.status(source, _named(names))


def digest(source: Source, name: str) -> str:
    """A hash over every row of a projection, ordered by primary key: equal for builds that hold the same."""
    return standing.digest(source, _named((name,))[0])


def _named(names: Sequence[str] | None) -> tuple[type[Projection], ...]:
    if names is None:
        return KINDS
    known = {kind.NAME: kind for kind in KINDS}
    for name in names:
        if name not in known:
            raise NoSuchProjection(f"no projection {name!r}; there are {', '.join(known)}")
    return tuple(known[name] for name in names)
