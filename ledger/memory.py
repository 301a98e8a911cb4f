"""The writer's working memory: desk entries and live rounds as its open transaction leaves them.

What it holds is true of one head of the log only: after a commit it goes with that head, after anything else it is
forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Protocol
from uuid import UUID

import sqlalchemy as sa
from eventsourcing.application import AggregateNotFoundError

from domain import desk
from domain.desk import Entry, Key
from domain.rounds.events import Event
from domain.streams import Draft, Stream
from ledger.app import LedgerApplication, new_stream_id
from ledger.desk import DeskStore
from ledger.dialects import Dialect, Question
from ledger.records import ROUND
from ledger.tail import Appended


class Live(Protocol):
    """A stream's state that takes the stream's next event in, in place."""

    def evolve(self, event: Any) -> None: ...


Begin = Callable[[Any], Live]
"""Makes a round of its first event."""


class StreamHead:
    """A stream's id and the version of its last event, 0 for a new one."""

    __slots__ = ("id", "version")

    def __init__(self, id_: bytes, version: int) -> None:
        self.id = id_
        self.version = version


class Memory:
    """What a decision looks at (`get`, `round`) and a fold changes (`get`, `put`), read from the store as needed."""

    ROUNDS = 1_024
    STREAMS = 8_192
    ENTRIES = 16_384

    def __init__(self, app: LedgerApplication, desk_store: DeskStore, dialect: Dialect, begin: Begin) -> None:
        self._app = app
        self._desk = desk_store
        self._begin = begin
        self._texts = dialect.texts
        self._find = dialect.sql(f"""
            SELECT s.key, s.id, max(e.version) FROM streams AS s JOIN events AS e ON e.stream_id = s.id
            WHERE s.kind = ? AND s.key {dialect.among} GROUP BY s.key, s.id
        """)
        self._connection: sa.Connection | None = None
        self._entries: dict[Key, Any] = {}
        self._rounds: dict[str, Live] = {}
        self._heads: dict[Stream, StreamHead | None] = {}
        self.changed: dict[Key, Entry] = {}

    def open(self, connection: sa.Connection) -> None:
        """Reads go to `connection`, the open transaction's, from now on."""
        self._connection = connection

    def get(self, key: Key) -> Any:
        """The desk entry at `key`, None where there is none."""
        try:
            return self._entries[key]
        except KeyError:
            assert self._connection is not None
            entry = self._entries[key] = self._desk.get(self._connection, key)
            return entry

    def put(self, key: Key, entry: Entry) -> None:
        """Changes the desk, in memory for now."""
        self._entries[key] = self.changed[key] = entry

    def round(self, key: str) -> Any:
        """The round as it stands in the transaction, None where there is none."""
        known = self._rounds.get(key)
        if known is not None:
            return known
        head = self._head(Stream(ROUND, key))
        if head is None:
            return None
        try:
            round_: Live = self._app.repository.get(UUID(bytes=head.id), projector_func=self._fold)
        except AggregateNotFoundError:
            return None
        self._rounds[key] = round_
        return round_

    def prefetch(self, rounds: set[str]) -> None:
        """Looks up in one query where the streams of `rounds` stand."""
        unknown = self.unknown(rounds)
        if len(unknown) > 1:
            self._look_up(ROUND, unknown)

    def unknown(self, rounds: set[str]) -> set[str]:
        """Those of `rounds` of which it is not known where their streams stand."""
        return {key for key in rounds if Stream(ROUND, key) not in self._heads}

    def question(self, rounds: set[str]) -> Question:
        """What to ask about the streams of `rounds`; the answer is for `learn`."""
        return self._find, (ROUND, self._texts(rounds))

    def learn(self, rounds: set[str], answer: Iterable[Any]) -> None:
        """Takes in where the streams of `rounds` stand."""
        self._learn(ROUND, rounds, answer)

    def follow(self, appended: Iterable[Appended]) -> None:
        """Takes in what another process appended and stored: what is remembered is as it left it, or is forgotten."""
        shared, decode = _Shared(self._entries), self._app.decode
        ends: dict[tuple[str, str], tuple[bytes, int]] = {}
        for position, _, _, stream_id, kind, key, version, _, _, name, schema, payload in appended:
            ends[kind, key] = stream_id, version
            if payload is not None:
                desk.fold(decode(name, schema, payload, position), shared)
        for (kind, key), (stream_id, version) in ends.items():
            self._heads[Stream(kind, key)] = StreamHead(bytes(stream_id), version)
            self._rounds.pop(key, None)

    def apply(self, draft: Draft) -> StreamHead:
        """Takes a decided event in; the head of its stream with it."""
        stream, event = draft
        if stream.kind == ROUND:
            self._evolve(stream.key, event)
        head = self._heads.get(stream) or self._head(stream)
        if head is None:
            head = self._heads[stream] = StreamHead(new_stream_id().bytes, 0)
        head.version += 1
        desk.fold(event, self)
        return head

    def _evolve(self, key: str, event: Event) -> None:
        round_ = self.round(key)
        if round_ is None:
            self._rounds[key] = self._begin(event)
        else:
            round_.evolve(event)

    def saved(self) -> None:
        """The store has, inside the transaction, what was changed; the oldest of what is remembered can go."""
        self.changed = {}
        _forget_oldest(self._rounds, self.ROUNDS)
        _forget_oldest(self._heads, self.STREAMS)
        if len(self._entries) > self.ENTRIES:
            self._entries.clear()

    def forget(self) -> None:
        """Forgets everything; what is needed is read again."""
        self.changed = {}
        self._connection = None
        self._entries.clear()
        self._rounds.clear()
        self._heads.clear()

    def _head(self, stream: Stream) -> StreamHead | None:
        if stream not in self._heads:
            self._look_up(stream.kind, {stream.key})
        return self._heads[stream]

    def _look_up(self, kind: str, keys: set[str]) -> None:
        assert self._connection is not None
        self._learn(kind, keys, self._connection.exec_driver_sql(self._find, (kind, self._texts(keys))))

    def _learn(self, kind: str, keys: set[str], rows: Iterable[Any]) -> None:
        for key in keys:
            self._heads[Stream(kind, key)] = None
        for key, id_, version in rows:
            self._heads[Stream(kind, key)] = StreamHead(bytes(id_), version)

    def _fold(self, round_: Any, events: Iterable[Any]) -> Any:
        for past in events:
            if round_ is None:
                round_ = self._begin(past.event)
            else:
                round_.evolve(past.event)
        return round_


class _Shared:
    """The entries that are remembered, to be changed as another process has changed and stored them."""

    def __init__(self, entries: dict[Key, Any]) -> None:
        self._entries = entries

    def get(self, key: Key) -> Any:
        try:
            return self._entries[key]
        except KeyError:
            raise desk.Unknown(key) from None

    def put(self, key: Key, entry: Entry) -> None:
        self._entries[key] = entry


def _forget_oldest(remembered: dict[Any, Any], limit: int) -> None:
    """Forgets what came first beyond `limit`: rounds end in about the order in which they were opened."""
    for key in list(islice(remembered, max(0, len(remembered) - limit))):
        del remembered[key]
