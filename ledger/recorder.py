"""Appends events to the log and reads them back: the `eventsourcing` recorder on a SQLAlchemy engine.

Positions are given out here, explicit and without gaps, each event is chained to the one before it, and a version that
does not follow the last one of its stream is refused by the store's own guards.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple, NoReturn
from uuid import UUID

import sqlalchemy as sa
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, Notification, StoredEvent

from domain.streams import Stream
from ledger.at_once import AtOnce
from ledger.chain import event_hash
from ledger.dialects import ASKS, LOG, WRITES, Asked
from ledger.feed import head
from ledger.incoming import Incoming, Inserter
from ledger.reading import Connection
from ledger.records import Head
from ledger.schema import EVENT_COLUMNS, EVENTS, STREAMS
from ledger.store import Store
from ledger.tail import Tail, TailStore

Clock = Callable[[], int]


class Addition(NamedTuple):
    """An event on its way into the log: its place in its stream, its stored form, and when and by whom it was ordered.

    `source`, `command_id`, `command_size` and `body_hash` stand on a command's first event only.
    """

    stream_id: bytes
    version: int
    name: str
    schema: int
    payload: bytes
    stream: Stream
    at: str = ""
    by: str = ""
    source: str | None = None
    command_id: str | None = None
    command_size: int | None = None
    body_hash: bytes | None = None


class CommitFailed(Exception):
    """The commit itself failed: whether it took place has to be looked up."""


class Transaction:
    """One writing transaction: its connection, the head of the log as it stands in it, and the rows on their way in.

    `tail` is what others appended since the head that the caller knew, None where that is not to be told. `beside`
    writes what goes into the store in one exchange with the last events and the commit.
    """

    __slots__ = ("beside", "connection", "events", "head", "streams", "tail")

    def __init__(self, connection: sa.Connection, head: Head, tail: Tail | None, events: Incoming) -> None:
        self.connection = connection
        self.head = head
        self.tail = tail
        self.events = events
        self.streams: list[tuple[Any, ...]] = []
        self.beside: Callable[[], None] | None = None


def topic_of(name: str, schema: int) -> str:
    """The library's name for an event of that shape: the stored name, from version 2 on with `@version`.

    >>> topic_of("round.opened", 1), topic_of("round.opened", 2)
    ('round.opened', 'round.opened@2')
    """
    return name if schema == 1 else f"{name}@{schema}"


def name_and_schema(topic: str) -> tuple[str, int]:
    """What `topic_of` was made from."""
    name, _, schema = topic.partition("@")
    return name, int(schema or 1)


def utc_micros() -> int:
    """The time now, in microseconds UTC."""
    return time.time_ns() // 1000


class SqlRecorder(ApplicationRecorder):
    """The log on a SQL database."""

    def __init__(self, store: Store, clock: Clock = utc_micros) -> None:
        self.store = store
        self._clock = clock
        self._mine = threading.local()
        self.appender = store.dialect.appender(lambda: store.engine)
        sql = store.dialect.sql
        self._inserter = Inserter(store.dialect, EVENTS, EVENT_COLUMNS)
        self._tails = TailStore(store.dialect)
        self._insert_streams = store.dialect.inserting(STREAMS, ("id", "kind", "key"))
        self._names = sql(f"SELECT id, kind, key FROM streams WHERE id IN ({', '.join('?' * _NAMES_AT_ONCE)})")

    @contextmanager
    def begin(
        self, *, keep: bool = True, known: Head | None = None, asked: Asked | None = None
    ) -> Iterator[Transaction]:
        """A transaction that appends: recorded at its end, or not at all where `keep` is false or anything fails.

        `known` is a head that the log had, for the transaction's `tail`; `asked` is answered as it begins.
        `CommitFailed` where only the commit failed, so that nobody knows whether it took place. Reads of this recorder
        in the same thread see what the transaction wrote.
        """
        self.store.refuse_reading_only()
        with self.store.speaking(), self.store.engine.connect() as connection:
            connection = connection.execution_options(**{WRITES: LOG, ASKS: asked})
            with connection.begin() as transaction:
                tail = None if known is None else self._tails.after(known, connection)
                last = head(connection) if tail is None else tail.head
                tx = Transaction(connection, last, tail, Incoming(self._inserter, connection))
                self._mine.connection = connection
                try:
                    yield tx
                    if not keep:
                        self.finish(tx)
                        transaction.rollback()
                        return
                    with _refused():
                        tx.events.wait()
                except BaseException:
                    with _refused():
                        tx.events.give_up()
                    raise
                finally:
                    self._mine.connection = None
                self._commit(tx, transaction)

    def _commit(self, tx: Transaction, transaction: sa.Transaction) -> None:
        """Sends the last rows, what goes in beside them and the commit in one exchange.

        Where something in it is refused the server skips what follows, the commit too; any other failure may have come
        after the commit.
        """
        committing = False
        try:
            with _refused(), self.store.dialect.together(tx.connection):
                self.finish(tx)
                if tx.beside is not None:
                    tx.beside()
                committing = True
                transaction.commit()
        except sa.exc.DBAPIError as error:
            if committing:
                raise CommitFailed(str(error.orig)) from error
            raise

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, tx: Transaction | None = None, **kwargs: Any
    ) -> Sequence[int]:
        """Appends the events, in `tx` or in a transaction of their own; their positions.

        `IntegrityError` where a version does not follow its stream's last, or a stream or command is there already.
        """
        if not stored_events:
            return []
        with self.begin() if tx is None else nullcontext(tx) as own:
            positions = self.append(self._additions(own, stored_events), own)
            self.finish(own)
        return list(positions)

    def append(self, additions: Iterable[Addition], tx: Transaction) -> range:
        """Appends events that say where they come from; their positions in the log as it stands in `tx`.

        They are there to be read, and are refused as by `insert_events`, when `finish` has returned.
        """
        before, head_hash, last_at = tx.head
        position, recorded_at = before, max(self._clock(), last_at)
        rows: list[tuple[Any, ...]] = []
        blob = self.store.dialect.blob
        for position, addition in enumerate(additions, before + 1):
            stream_id, version, name, schema, payload, (kind, key), at, by, source, command, size, digest = addition
            head_hash = event_hash(
                head_hash,
                position,
                version,
                schema,
                recorded_at,
                size,
                stream_id,
                kind,
                key,
                name,
                at,
                by,
                source,
                command,
                digest,
                payload,
            )
            id_ = blob(stream_id)
            rows.append(
                (
                    position,
                    id_,
                    version,
                    name,
                    schema,
                    at,
                    recorded_at,
                    by,
                    source,
                    command,
                    size,
                    None if digest is None else blob(digest),
                    blob(payload),
                    blob(head_hash),
                )
            )
            if version == 1:
                tx.streams.append((id_, kind, key))
        with _refused():
            tx.events.add(rows)
        tx.head = Head(position, head_hash, recorded_at)
        return range(before + 1, position + 1)

    def append_at_once(self, tx: AtOnce) -> None:
        """Records a group durably in one exchange; `tx` is told where, or nothing is recorded.

        `Unanswered` where the connection is lost before anybody knows.
        """
        assert self.appender is not None
        self.store.refuse_reading_only()
        with self.store.speaking():
            tx.placed = self.appender.append(tx.additions, tx.looked, tx.changed, self._clock())

    def finish(self, tx: Transaction) -> None:
        """Returns when everything appended is in the store, in `tx`; `IntegrityError` as by `insert_events`."""
        with _refused():
            tx.events.finish()
            if tx.streams:
                streams, tx.streams = tx.streams, []
                self._insert_streams(tx.connection, streams)

    @contextmanager
    def together(self, tx: Transaction) -> Iterator[None]:
        """What is written in here goes to a server at once; at its end `IntegrityError`, as by `insert_events`."""
        with _refused():
            tx.events.wait()
        with _refused(), self.store.dialect.together(tx.connection):
            yield

    def close(self) -> None:
        """Lets the thread that inserts go, and the connection of `append_at_once`."""
        self._inserter.close()
        if self.appender is not None:
            self.appender.close()

    def _additions(self, tx: Transaction, stored_events: Sequence[StoredEvent]) -> list[Addition]:
        """What the library saves by itself, in its stream, or in a new one that has the id as its key."""
        named = self._named(tx.connection, {each.originator_id for each in stored_events})  # type: ignore[misc]
        additions: list[Addition] = []
        for each in stored_events:
            id_ = each.originator_id
            assert isinstance(id_, UUID)
            stream, shape = named.get(id_) or Stream("unnamed", str(id_)), name_and_schema(each.topic)
            additions.append(Addition(id_.bytes, each.originator_version, *shape, each.state, stream))
        return additions

    def _named(self, connection: Connection, ids: set[UUID]) -> dict[UUID, Stream]:
        wanted = [each.bytes for each in ids]
        named: dict[UUID, Stream] = {}
        for start in range(0, len(wanted), _NAMES_AT_ONCE):
            some = wanted[start : start + _NAMES_AT_ONCE]
            some += some[:1] * (_NAMES_AT_ONCE - len(some))
            for id_, kind, key in connection.exec_driver_sql(self._names, tuple(some)):
                named[UUID(bytes=bytes(id_))] = Stream(kind, key)
        return named

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        mine = getattr(self._mine, "connection", None)
        if mine is not None:
            yield mine
        else:
            with self.store.reading() as connection:
                yield connection

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """The events of one stream by version."""
        assert isinstance(originator_id, UUID)
        text, given = "SELECT version, name, schema, payload FROM events WHERE stream_id = ?", [originator_id.bytes]
        parameters: list[Any] = list(given)
        for condition, value in ((" AND version > ?", gt), (" AND version <= ?", lte)):
            if value is not None:
                text += condition
                parameters.append(value)
        text += " ORDER BY version DESC" if desc else " ORDER BY version"
        if limit is not None:
            text += " LIMIT ?"
            parameters.append(limit)
        with self._connection() as connection:
            rows = connection.exec_driver_sql(self.store.dialect.sql(text), tuple(parameters)).all()
        return [
            StoredEvent(originator_id, version, topic_of(name, schema), bytes(payload))
            for version, name, schema, payload in rows
        ]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Events in log order, from `start` to `stop`, of the given topics."""
        text = "SELECT position, stream_id, version, name, schema, payload FROM events WHERE position >= ?"
        parameters: list[Any] = [(start or 0) + (0 if inclusive_of_start else 1)]
        if stop is not None:
            text += " AND position <= ?"
            parameters.append(stop)
        if topics:
            text += f" AND ({' OR '.join(['(name = ? AND schema = ?)'] * len(topics))})"
            parameters += [part for topic in topics for part in name_and_schema(topic)]
        text += " ORDER BY position LIMIT ?"
        parameters.append(limit)
        with self._connection() as connection:
            rows = connection.exec_driver_sql(self.store.dialect.sql(text), tuple(parameters)).all()
        return [
            Notification(UUID(bytes=bytes(stream_id)), version, topic_of(name, schema), bytes(payload), position)
            for position, stream_id, version, name, schema, payload in rows
        ]

    def max_notification_id(self) -> int | None:
        """The last position, None in an empty log."""
        with self._connection() as connection:
            return head(connection).position or None

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> NoReturn:
        """Not offered: the library has no subscription for SQLite, and its readers need one that never skips."""
        raise NotImplementedError("the log is followed with ledger.feed.Feed, which reads pages in order")


@contextmanager
def _refused() -> Iterator[None]:
    """What the store's guards refuse, as the library says it."""
    try:
        yield
    except sa.exc.IntegrityError as error:
        raise IntegrityError(str(error.orig)) from error


_NAMES_AT_ONCE = 50
