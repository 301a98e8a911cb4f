"""What other processes appended after the head that a writer knows: read in one query under the lock, with the desk's
position, so that the writer's memory follows them instead of being read anew.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from domain.streams import Stream
from ledger.dialects import Dialect
from ledger.records import Head


class Appended(NamedTuple):
    """An event as another process left it, not yet decoded."""

    position: int
    hash: bytes
    recorded_at: int
    stream_id: bytes
    stream: Stream
    version: int
    name: str
    schema: int
    payload: bytes
    source: str | None
    command_id: str | None
    command_size: int | None
    body_hash: bytes | None


class Tail(NamedTuple):
    """The end of the log, where the stored desk stands, and what was appended between a known head and there."""

    head: Head
    desk_position: str
    appended: list[Appended]


class TailStore:
    """Reads the tail on a caller's connection."""

    MOST = 512
    """Events that are followed; where there are more, forgetting costs less."""

    def __init__(self, dialect: Dialect) -> None:
        self._select = dialect.sql("""
            SELECT e.position, e.hash, e.recorded_at, e.stream_id, s.kind, s.key, e.version, e.name, e.schema,
                e.payload, e.source, e.command_id, e.command_size, e.body_hash,
                (SELECT value FROM meta WHERE name = 'desk_position')
            FROM events AS e LEFT JOIN streams AS s ON s.id = e.stream_id
            WHERE e.position >= ? ORDER BY e.position LIMIT ?
        """)

    def after(self, known: Head, connection: sa.Connection) -> Tail | None:
        """The tail after `known`; None where that is no part of the log any more, or too much came after it."""
        rows = connection.exec_driver_sql(self._select, (known.position, self.MOST + 1)).all()
        if not 0 < len(rows) <= self.MOST or _head(rows[0]) != known:
            return None
        appended = [_appended(row) for row in rows[1:]]
        last = known.position
        for each in appended:
            if each.position != last + 1 or each.stream.kind is None:
                return None
            last = each.position
        return Tail(_head(rows[-1]), str(rows[-1][-1]), appended)


def _head(row: Any) -> Head:
    return Head(row[0], bytes(row[1]), row[2])


def _appended(row: Any) -> Appended:
    position, hash_, recorded_at, stream_id, kind, key, version, name, schema, payload, source, command, size, body = (
        row[:-1]
    )
    return Appended(
        position,
        bytes(hash_),
        recorded_at,
        bytes(stream_id),
        Stream(kind, key),
        version,
        name,
        schema,
        payload,
        source,
        command,
        size,
        None if body is None else bytes(body),
    )
