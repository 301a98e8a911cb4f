"""An event as it stands in the log: where, when, by whom, and under which hash."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from domain.rounds.events import Event
from domain.streams import Stream

ROUND = "round"
"""The kind of the streams that rounds are."""


class Record(NamedTuple):
    """One event of the log.

    `at` is the time that the command gave, `recorded_at` the ledger's own in UTC microseconds, never falling.
    `source`, `command_id` and `command_size`, the number of events that the command left, stand on a command's first
    event only. `hash` chains the event to the one before it in the log.
    """

    position: int
    stream: Stream
    stream_id: UUID
    version: int
    event: Event
    at: str
    recorded_at: int
    by: str
    source: str | None
    command_id: str | None
    command_size: int | None
    hash: bytes


class Head(NamedTuple):
    """The end of the log: its last position, hash and time of recording."""

    position: int
    hash: bytes
    recorded_at: int = 0


GENESIS = Head(0, bytes(32))
"""The head of an empty log."""
