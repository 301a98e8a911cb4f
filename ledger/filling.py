"""Fills an empty ledger with the rows of a log: the same positions, ids, times and hashes, and the desk made anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import sqlalchemy as sa

from domain.desk import Entry, Key
from ledger.codec import EVENTS as KNOWN_EVENTS
from ledger.codec import EventCodec
from ledger.desk import DeskStore
from ledger.dialects import COPY, Sqlite
from ledger.errors import LedgerError
from ledger.feed import head as head_of
from ledger.folding import FoldedDesk
from ledger.placing import placed
from ledger.records import Head
from ledger.rows import MISSING, OTHER_CONTENT, LogDiffers, LogRow, right_hash
from ledger.schema import EVENT_COLUMNS, EVENTS, STREAMS
from ledger.settings import dialect_of, sqlite_file
from ledger.store import Store, make, open_store

GROUP = 1_000
"""Events that are inserted at once."""
KEPT_STREAMS = 32_768
"""Streams whose name and last version are kept in memory; the others are looked up."""

_WIDTH = len(EVENT_COLUMNS)


class NotEmpty(LedgerError):
    """The ledger that was to be filled holds events."""

    code: ClassVar[str] = "store.not-empty"


class Filling:
    """Takes a log's rows in on one connection, in order and from the first; `LogDiffers` at one that does not fit."""

    def __init__(self, store: Store, connection: sa.Connection, codec: EventCodec = KNOWN_EVENTS) -> None:
        self._connection = connection
        self._decode = codec.decode
        self._insert = store.dialect.inserting(EVENTS, EVENT_COLUMNS)
        self._insert_streams = store.dialect.inserting(STREAMS, ("id", "kind", "key"))
        self._desk = FoldedDesk(_StoredDesk(DeskStore(store.dialect), self))
        self._streams = _Streams(store, connection)
        self._rows: list[tuple[Any, ...]] = []
        self._new_streams: list[tuple[Any, ...]] = []
        self.head = Head(0, bytes(32))

    @property
    def connection(self) -> sa.Connection:
        """The connection that everything is written on."""
        return self._connection

    def take(self, row: LogRow) -> None:
        """Takes the next event in."""
        position, recorded_at = row.position, row.recorded_at
        if position != self.head.position + 1:
            raise LogDiffers(self.head.position + 1, f"{MISSING} {position}")
        if right_hash(row, self.head.hash) != row.hash:
            raise LogDiffers(position, OTHER_CONTENT)
        if recorded_at < self.head.recorded_at:
            raise LogDiffers(position, "it was recorded before the event in front of it")
        if (row.command_id is None) != (row.command_size is None):
            raise LogDiffers(position, "its command's id and size do not stand together")
        if self._streams.follow(row):
            self._new_streams.append((row.stream_id, row.kind, row.key))
        self._fold(row)
        self._rows.append(row[:_WIDTH])
        self.head = Head(position, row.hash, recorded_at)
        if len(self._rows) >= GROUP:
            self._flush()

    def finish(self) -> Head:
        """Stores what is left, and the desk; the end of the log."""
        self._flush()
        self._desk.flush()
        return self.head

    def _fold(self, row: LogRow) -> None:
        event = self._decode(row.name, row.schema, row.payload, row.position)
        try:
            self._desk.fold(event)
        except Exception as trouble:
            # What a falsified event says may be readable and yet make no sense after those before it.
            raise LogDiffers(
                row.position, f"it does not follow from the events before it ({type(trouble).__name__}: {trouble})"
            ) from trouble

    def _flush(self) -> None:
        rows, streams = self._rows, self._new_streams
        self._rows, self._new_streams = [], []
        try:
            if streams:
                self._insert_streams(self._connection, streams)
            if rows:
                self._insert(self._connection, rows)
        except (sa.exc.IntegrityError, sa.exc.DataError) as error:
            reason = str(error.orig).strip().partition("\n")[0]
            raise LogDiffers(rows[0][0], f"the store refuses it or one up to {rows[-1][0]}: {reason}") from error
        self._streams.trim()


class _StoredDesk:
    """The desk of the ledger that is filled, behind the one in memory."""

    def __init__(self, desk_store: DeskStore, filling: Filling) -> None:
        self._desk = desk_store
        self._filling = filling

    def get(self, key: Key) -> Any:
        return self._desk.get(self._filling.connection, key)

    def save(self, entries: Mapping[Key, Entry]) -> None:
        self._desk.save(self._filling.connection, entries, self._filling.head.position)


class _Streams:
    """The name and the last version of each stream so far."""

    def __init__(self, store: Store, connection: sa.Connection) -> None:
        self._connection = connection
        self._last = store.dialect.sql("""
            SELECT s.kind, s.key, (SELECT max(version) FROM events WHERE stream_id = s.id) FROM streams AS s
            WHERE s.id = ?
        """)
        self._known: dict[bytes, tuple[str | None, str | None, int]] = {}

    def follow(self, row: LogRow) -> bool:
        """Whether the event begins a stream; `LogDiffers` where it is neither that nor the next of its stream."""
        known = self._known.pop(row.stream_id, None)
        if known is None and row.version != 1:
            known = self._stored(row.stream_id)
        last = 0 if known is None else known[2]
        if row.version != last + 1:
            raise LogDiffers(row.position, f"version {row.version} of its stream does not follow version {last}")
        if known is not None and known[:2] != (row.kind, row.key):
            raise LogDiffers(row.position, f"its stream was called {known[0]} {known[1]} before")
        self._known[row.stream_id] = (row.kind, row.key, row.version)
        return known is None

    def trim(self) -> None:
        """Lets go what was not met for longest; everything met so far must be stored."""
        for id_ in list(islice(self._known, max(len(self._known) - KEPT_STREAMS, 0))):
            del self._known[id_]

    def _stored(self, id_: bytes) -> tuple[str, str, int] | None:
        row = self._connection.exec_driver_sql(self._last, (id_,)).first()
        return None if row is None else (row[0], row[1], row[2] or 0)


@contextmanager
def filling(url: str, codec: EventCodec = KNOWN_EVENTS) -> Iterator[Filling]:
    """What fills the ledger at `url`, all or nothing: it must be empty, or a SQLite file that is not there yet.

    Whoever fills it has to `finish` it. `NotEmpty` where it holds events. A file that is not there is made beside its
    name and takes it at the end; a ledger that is there is filled in one transaction, which other writers wait for.
    """
    if dialect_of(url) == "sqlite" and not sqlite_file(url).exists():
        with placed(sqlite_file(url)) as file, new_file(file) as (store, connection):
            yield Filling(store, connection, codec)
        return
    store = open_store(url)
    try:
        with store.writing(COPY) as connection:
            refuse_filled(store, head_of(connection).position)
            yield Filling(store, connection, codec)
    finally:
        store.close()


def refuse_filled(store: Store, events: int) -> None:
    """`NotEmpty` where the ledger holds events."""
    if events:
        raise NotEmpty(f"{store.dialect.place} holds {events:,} events; name a ledger that is empty or not there yet")


@contextmanager
def new_file(file: Path) -> Iterator[tuple[Store, sa.Connection]]:
    """An empty ledger in `file`, which nobody else sees yet, and a connection that writes into it without a journal.

    The file counts only when this ends well; then it is one file in itself.
    """
    store = Store(Sqlite(file, read_only=False))
    sa.event.listen(store.engine, "connect", unjournaled)
    try:
        with store.writing(COPY) as connection:
            make(store, connection)
            yield store, connection
    finally:
        store.close()


def unjournaled(connection: Any, _: object = None) -> None:
    """Makes a SQLite connection quick on a file that is thrown away after any trouble."""
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
