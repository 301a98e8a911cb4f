"""What other processes appended after the head that a writer knows: read in one query under the lock, with the desk's
position, so that the writer's memory follows them instead of being read anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from domain import desk
from ledger.dialects import Dialect
from ledger.records import Head

Appended = Sequence[Any]
"""An event that another process left: `position`, `hash`, `recorded_at`, the stream's id, kind and key, `version`,
`source`, `command_id`, `name`, `schema`, and the payload where the event can change the desk."""


class Tail(NamedTuple):
    """The end of the log, where the stored desk stands, and what was appended between a known head and there."""

    head: Head
    desk_position: str
    appended: Sequence[Appended]


class TailStore:
    """Reads the tail on a caller's connection."""

    MOST = 512
    """Events that are followed; where there are more, forgetting costs less."""

    def __init__(self, dialect: Dialect) -> None:
        names = ", ".join(f"'{name}'" for name in sorted(desk.NAMES))
        self._select = dialect.sql(f"""
            SELECT e.position, e.hash, e.recorded_at, e.stream_id, s.kind, s.key, e.version, e.source, e.command_id,
                e.name, e.schema, CASE WHEN e.name IN ({names}) THEN e.payload END,
                (SELECT value FROM meta WHERE name = 'desk_position')
            FROM events AS e LEFT JOIN streams AS s ON s.id = e.stream_id
            WHERE e.position >= ? ORDER BY e.position LIMIT ?
        """)

    def after(self, known: Head, connection: sa.Connection) -> Tail | None:
        """The tail after `known`; None where that is no part of the log any more, or too much came after it."""
        rows = connection.exec_driver_sql(self._select, (known.position, self.MOST + 1)).all()
        if not 0 < len(rows) <= self.MOST or _head(rows[0]) != known:
            return None
        head = _head(rows[-1])
        if head.position != known.position + len(rows) - 1:
            return None
        return Tail(head, str(rows[-1][-1]), [tuple(row)[:-1] for row in rows[1:]])


def _head(row: Sequence[Any]) -> Head:
    return Head(row[0], bytes(row[1]), row[2])
