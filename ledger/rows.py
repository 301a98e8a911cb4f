"""The log's rows, every column of them, read in order a page at a time: what is verified, copied and exported."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NamedTuple

from ledger.chain import event_hash
from ledger.dialects import Dialect
from ledger.errors import BROKEN, LedgerError
from ledger.reading import Connection
from ledger.records import GENESIS

PAGE = 1_000


class LogRow(NamedTuple):
    """An event as it is stored, with its stream's name; kind and key are None where the stream is missing."""

    position: int
    stream_id: bytes
    version: int
    name: str
    schema: int
    at: str
    recorded_at: int
    by: str
    source: str | None
    command_id: str | None
    command_size: int | None
    body_hash: bytes | None
    payload: bytes
    hash: bytes
    kind: str | None
    key: str | None


SELECT_ROWS = """
    SELECT e.position, e.stream_id, e.version, e.name, e.schema, e."at", e.recorded_at, e."by", e.source, e.command_id,
        e.command_size, e.body_hash, e.payload, e.hash, s.kind, s.key
    FROM events AS e LEFT JOIN streams AS s ON s.id = e.stream_id
"""

BEFORE_ALL = -(2**63)
"""A position in front of every one that a database can hold."""


class LogDiffers(LedgerError):
    """An event that is not what was recorded, or not where it belongs."""

    code: ClassVar[str] = "log.differs"
    exit_code: ClassVar[int] = BROKEN

    def __init__(self, position: int, reason: str) -> None:
        super().__init__(position, reason)
        self.position = position
        self.reason = reason

    def __str__(self) -> str:
        return f"position {self.position}: {self.reason}; see what `rounds verify` says"


def read_rows(
    dialect: Dialect, connection: Connection, after: int = BEFORE_ALL, until: int | None = None, page: int = PAGE
) -> Iterator[LogRow]:
    """The rows after position `after`, up to `until` or the end, as they are found."""
    upper = "" if until is None else f" AND e.position <= {until:d}"
    text = dialect.sql(f"{SELECT_ROWS} WHERE e.position > ?{upper} ORDER BY e.position LIMIT ?")
    while rows := connection.exec_driver_sql(text, (after, page)).all():
        yield from map(LogRow._make, rows)
        after = rows[-1][0]


def checked(rows: Iterable[LogRow], after: int = 0, previous: bytes = GENESIS.hash) -> Iterator[LogRow]:
    """The rows, as long as each stands at the next position and carries the right hash; then `LogDiffers`.

    `previous` is the hash of the event at `after`.
    """
    for position, row in enumerate(rows, after + 1):
        if row.position != position:
            raise LogDiffers(position, f"{MISSING} {row.position}")
        if row.kind is None:
            raise LogDiffers(position, "its stream has no name")
        if right_hash(row, previous) != row.hash:
            raise LogDiffers(position, OTHER_CONTENT)
        yield row
        previous = row.hash


MISSING = "the event is missing, the next one stands at position"
OTHER_CONTENT = "its content, or an event before it, is not what was recorded"


def right_hash(row: Any, previous: bytes) -> bytes | None:
    """The hash that the row should carry after `previous`; None where a column holds what no event has."""
    try:
        return _hash_of(row, previous)
    except (AttributeError, TypeError, ValueError, struct.error):
        return None


def _hash_of(row: Any, previous: bytes) -> bytes:
    (
        position,
        stream_id,
        version,
        name,
        schema,
        at,
        recorded_at,
        by,
        source,
        command_id,
        command_size,
        body_hash,
        payload,
        _,
        kind,
        key,
    ) = row
    return event_hash(
        previous,
        position,
        version,
        schema,
        recorded_at,
        command_size,
        stream_id,
        kind,
        key,
        name,
        at,
        by,
        source,
        command_id,
        body_hash,
        payload,
    )
