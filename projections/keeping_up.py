"""Projections brought to the end of the log: where they stand there already, nothing that writes is loaded for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from projections.standing import is_behind
from projections.store import Projection, Source

PAGE = 500
"""Events a transaction takes in."""

Progress = Callable[[str, int, int], None]


def catch_up(
    source: Source, kinds: Sequence[type[Projection]], page: int = PAGE, progress: Progress | None = None
) -> None:
    """Takes in what the log has gained since, for each of `kinds`.

    It goes on to where the log ended when it was called, so that a busy table cannot keep it running. A store that
    can only be read is left as it is. `progress` is told the name, the position reached and the head.
    """
    if source.store.read_only or not is_behind(source, kinds):
        return
    from projections import runner

    runner.catch_up(source, kinds, page, progress)


def rebuild(source: Source, kind: type[Projection], page: int = PAGE, progress: Progress | None = None) -> None:
    """Builds `kind` anew beside the old rows and puts the new ones in their place in one transaction.

    `progress` is told the name, the position reached and the head. Raises RebuildTakenOver where a later rebuild began.
    """
    from projections import runner

    runner.rebuild(source, kind, page, progress)
