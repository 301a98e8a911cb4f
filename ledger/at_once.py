"""A group that is recorded in one exchange with a server: what it consists of, and what the server answers.

It is decided before the lock is there. With its rows goes what its decisions looked at, and the server compares that
with what is stored before it takes anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ledger.errors import LedgerError
from ledger.records import Head

if TYPE_CHECKING:
    from ledger.recorder import Addition


class Looked(NamedTuple):
    """What the decisions of a group rest on: it has to be so still when the lock is there."""

    entries: Sequence[tuple[str, bytes | None]]
    """Keys of the desk with what was stored there, None where nothing was."""
    ends: Sequence[tuple[bytes, int]]
    """Streams that were looked at and get no event, with the version of their last one."""
    unseen: Sequence[tuple[str, str]]
    """Refused commands by source and id: one that is recorded has a receipt and is not refused."""
    known: Head | None = None
    """A head that the log has had: where it has not any more, as on a server that took over too early, what this
    process remembers is of another log."""


class Placed(NamedTuple):
    """Where a group went: the position before its first event, and the head of the log with it."""

    before: int
    head: Head


class AtOnce:
    """A writing transaction of one exchange, with its group; `placed` is told when that is recorded.

    It stays None where something has changed: then nothing was recorded.
    """

    __slots__ = ("additions", "changed", "looked", "placed")

    def __init__(self, additions: Sequence[Addition], looked: Looked, changed: Sequence[tuple[str, bytes]]) -> None:
        self.additions = additions
        self.looked = looked
        self.changed = changed
        self.placed: Placed | None = None


class Unanswered(Exception):
    """The connection went before the server's answer: whether the group is recorded has to be looked up."""

    def __init__(self, meant: LedgerError) -> None:
        super().__init__(str(meant))
        self.meant = meant


class Appender(Protocol):
    """What sends groups to a server."""

    def open(self) -> None:
        """Connects, so that the first group need not."""

    def append(
        self, additions: Sequence[Addition], looked: Looked, changed: Sequence[tuple[str, bytes]], now: int
    ) -> Placed | None:
        """Records a group durably, `changed` entries of the desk with it; None, and nothing, where something changed.

        `now` is the time in microseconds. `Unanswered` where nobody knows; any other `LedgerError`, and nothing is
        recorded.
        """

    def end_lost(self) -> None:
        """Ends what the server still has of a lost connection, so that nothing of it can be recorded any more.

        A `LedgerError` where nobody can tell.
        """

    def close(self) -> None:
        """Closes the connection."""
