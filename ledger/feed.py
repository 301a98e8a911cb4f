"""The log in order, decoded: what projections and exports follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from domain.streams import Stream
from ledger.codec import EVENTS, EventCodec
from ledger.errors import StoreDamaged
from ledger.reading import Connection
from ledger.records import GENESIS, Head, Record
from ledger.store import Store

PAGE = 500

_SELECT = """
    SELECT e.position, s.kind, s.key, e.stream_id, e.version, e.name, e.schema, e.payload, e."at", e.recorded_at,
        e."by", e.source, e.command_id, e.command_size, e.hash
    FROM events AS e LEFT JOIN streams AS s ON s.id = e.stream_id
"""

_HEAD = "SELECT position, hash, recorded_at FROM events ORDER BY position DESC LIMIT 1"


class Feed:
    """Reads records by position, without gaps: positions follow the order of commits, so a reader misses nothing."""

    def __init__(self, store: Store, codec: EventCodec = EVENTS) -> None:
        self._store = store
        self._codec = codec
        sql = store.dialect.sql
        self._after = sql(f"{_SELECT} WHERE e.position > ? ORDER BY e.position LIMIT ?")
        self._stream = sql(f"{_SELECT} WHERE s.kind = ? AND s.key = ? ORDER BY e.version")
        self._find = sql("SELECT id FROM streams WHERE kind = ? AND key = ?")

    def head(self, connection: Connection | None = None) -> Head:
        """The end of the log: its last position and hash."""
        if connection is not None:
            return head(connection)
        with self._store.reading() as own:
            return head(own)

    def after(self, position: int, limit: int = PAGE, connection: Connection | None = None) -> list[Record]:
        """The next records after `position`, at most `limit`.

        `UnreadableEvent` at the first that cannot be read, `StoreDamaged` where one is missing.
        """
        records = self._records(self._after, (position, limit), connection)
        for expected, record in enumerate(records, position + 1):
            if record.position != expected:
                raise StoreDamaged(f"the event at position {expected} is missing; verify the ledger")
        return records

    def pages(self, position: int = 0, limit: int = PAGE) -> Iterator[list[Record]]:
        """Page after page up to the end of the log as it stands when each is read."""
        while page := self.after(position, limit):
            yield page
            position = page[-1].position

    def stream(self, stream: Stream, connection: Connection | None = None) -> list[Record]:
        """Every record of one stream by version, none where there is no such stream; `StoreDamaged` as `after`."""
        records = self._records(self._stream, tuple(stream), connection)
        for expected, record in enumerate(records, 1):
            if record.version != expected:
                raise StoreDamaged(f"event {expected} of {stream.kind} {stream.key} is missing; verify the ledger")
        return records

    def streams(
        self, kind: str, keys: Sequence[str], connection: Connection | None = None
    ) -> Iterator[tuple[str, list[Record]]]:
        """Every record of several streams of one kind, stream by stream in the order of `keys`, read at once.

        `StoreDamaged` as `after`. A few hundred keys at a time is what a database takes.
        """
        marks = ", ".join("?" * len(keys))
        text = self._store.dialect.sql(f"{_SELECT} WHERE s.kind = ? AND s.key IN ({marks}) ORDER BY s.key, e.version")
        found: dict[str, list[Record]] = {key: [] for key in keys}
        for record in self._records(text, (kind, *keys), connection) if keys else ():
            records = found[record.stream.key]
            if record.version != len(records) + 1:
                raise StoreDamaged(
                    f"event {len(records) + 1} of {kind} {record.stream.key} is missing; verify the ledger"
                )
            records.append(record)
        yield from found.items()

    def stream_id(self, stream: Stream) -> UUID | None:
        """The id of a stream by its name, None where there is none."""
        with self._store.reading() as connection:
            found = connection.exec_driver_sql(self._find, tuple(stream)).scalar()
        return None if found is None else UUID(bytes=bytes(found))

    def _records(self, text: str, parameters: tuple[Any, ...], connection: Connection | None) -> list[Record]:
        if connection is not None:
            return self._read(connection, text, parameters)
        with self._store.reading() as own:
            return self._read(own, text, parameters)

    def _read(self, connection: Connection, text: str, parameters: tuple[Any, ...]) -> list[Record]:
        decode = self._codec.decode
        streams: dict[bytes, tuple[Stream, UUID]] = {}
        records: list[Record] = []
        for (
            position,
            kind,
            key,
            stream_id,
            version,
            name,
            schema,
            payload,
            at,
            recorded_at,
            by,
            source,
            command_id,
            command_size,
            hash_,
        ) in connection.exec_driver_sql(text, parameters).all():
            if kind is None:
                raise StoreDamaged(f"the event at position {position} is of a stream without a name; verify the ledger")
            known = streams.get(stream_id)
            if known is None:
                known = streams[stream_id] = Stream(kind, key), UUID(bytes=bytes(stream_id))
            event = decode(name, schema, payload, position)
            hash_ = bytes(hash_)
            records.append(
                Record(position, *known, version, event, at, recorded_at, by, source, command_id, command_size, hash_)
            )
        return records


def head(connection: Connection) -> Head:
    """The end of the log as `connection` sees it."""
    row = connection.exec_driver_sql(_HEAD).first()
    return GENESIS if row is None else Head(row[0], bytes(row[1]), row[2])
