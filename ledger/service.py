"""The ledger as everybody uses it: open it, hand commands in, read rounds and records; the only way to write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Protocol, Self

import sqlalchemy as sa

from domain.commands import Command
from domain.desk import Key, PublishedSheet, sheet_key
from domain.rounds.state import Round
from domain.rounds.state import fold as fold_round
from domain.streams import Draft, Stream
from ledger.app import LedgerApplication
from ledger.codec import EVENTS, EventCodec
from ledger.desk import DeskStore
from ledger.feed import PAGE, Feed
from ledger.front import Front
from ledger.memory import ROUND, Begin, Memory
from ledger.receipts import Receipt
from ledger.recorder import Clock, SqlRecorder, utc_micros
from ledger.records import Head, Record
from ledger.settings import database_url
from ledger.store import Store, open_store
from ledger.writer import Decide, Submission, Writer


class Submit(Protocol):
    """What takes a group of commands, each with the digest of its body, and gives their receipts."""

    def __call__(
        self, submissions: Sequence[tuple[Command, bytes]], *, stop_on_refusal: bool = False
    ) -> list[Receipt]: ...


class Ledger:
    """An open ledger; a context manager that closes it."""

    def __init__(
        self,
        store: Store,
        *,
        decide: Decide | None = None,
        begin: Begin = Round,
        codec: EventCodec = EVENTS,
        clock: Clock = utc_micros,
    ) -> None:
        self.store = store
        self.feed = Feed(store, codec)
        self.recorder = SqlRecorder(store, clock)
        self.app = LedgerApplication(self.recorder, codec)
        self.desk = Desk(store)
        desk_store = DeskStore(store.dialect)
        memory = Memory(self.app, desk_store, store.dialect, begin)
        self._writer = Writer(self.app, self.recorder, memory, desk_store, self.feed, decide or _rules)
        self._front = Front(self._writer)

    @classmethod
    def open(cls, url: str | None = None, *, read_only: bool = False, create: bool = True, **parts: Any) -> Self:
        """The ledger at `url` (else ROUNDS_DB, else rounds.db), made where there is none and `create` is given.

        A `LedgerError` says what is wrong with the place.
        """
        return cls(open_store(database_url(url), read_only=read_only, create=create), **parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Answers who is waiting and gives the store back; nothing can be recorded afterwards."""
        self._front.close()
        self.app.close()
        self.store.close()

    @property
    def read_only(self) -> bool:
        """Whether the store was opened, or can only be opened, for reading."""
        return self.store.read_only

    @property
    def engine(self) -> sa.Engine:
        """The SQLAlchemy engine, for projections; `store.writing()` gives a transaction that holds the write lock."""
        return self.store.engine

    def submit(self, submissions: Sequence[tuple[Command, bytes]], *, stop_on_refusal: bool = False) -> list[Receipt]:
        """Records a group of commands in one durable transaction: a receipt each, in order.

        Each command comes with the digest of its body. A refused one leaves nothing and does not touch the others; with
        `stop_on_refusal` the receipts end with the first refused one and nothing after it is recorded. A `LedgerError`
        means that nothing of the group was recorded, or that sending it again is safe.
        """
        return self._writer.submit([Submission(*each) for each in submissions], stop_on_refusal=stop_on_refusal)

    def record(self, command: Command, digest: bytes) -> Receipt:
        """Records one command; those of threads that call at the same time share a durable commit."""
        return self._front.record([Submission(command, digest)])[0]

    def record_all(self, submissions: Sequence[tuple[Command, bytes]]) -> list[Receipt]:
        """Records a caller's commands, in order, together with what other threads hand in at the same time."""
        return self._front.record([Submission(*each) for each in submissions])

    def dry_run(self, submissions: Sequence[tuple[Command, bytes]]) -> list[Receipt]:
        """The receipts that `submit` would give, recording nothing."""
        with self.rehearsal() as submit:
            return submit(submissions)

    @contextmanager
    def rehearsal(self) -> Iterator[Submit]:
        """Gives a `submit` whose groups build on each other and are all taken back at the end."""
        with self._writer.rehearse() as submit:

            def rehearsed(
                submissions: Sequence[tuple[Command, bytes]], *, stop_on_refusal: bool = False
            ) -> list[Receipt]:
                return submit([Submission(*each) for each in submissions], stop_on_refusal)

            yield rehearsed

    def round(self, key: str, version: int | None = None) -> Round | None:
        """The round, or as it was after its event `version`; None where there is none."""
        id_ = self.feed.stream_id(Stream(ROUND, key))
        if id_ is None:
            return None
        round_: Round = self.app.repository.get(id_, version=version, projector_func=_fold)
        return round_

    def round_records(self, key: str) -> list[Record]:
        """Every event of the round by version, none where there is no such round."""
        return self.feed.stream(Stream(ROUND, key))

    def records(self, after: int = 0, limit: int = PAGE) -> list[Record]:
        """The next records of the log after position `after`."""
        return self.feed.after(after, limit)

    def head(self) -> Head:
        """The end of the log: its last position and hash."""
        with self.store.reading() as connection:
            return self.recorder.head(connection)

    def sheet(self, ref: str) -> PublishedSheet | None:
        """The published sheet `id@version`, None where there is none."""
        found: PublishedSheet | None = self.desk.get(sheet_key(ref))
        return found


def _fold(_: Any, events: Iterable[Any]) -> Any:
    return fold_round(past.event for past in events)


def _rules(command: Command, around: Memory) -> tuple[Draft, ...]:
    """The rules themselves; imported with the first command, for who only reads needs none of them."""
    from domain.decide import decide

    return decide(command, around)


class Desk:
    """The stored desk, to look at."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._desk = DeskStore(store.dialect)

    def get(self, key: Key) -> Any:
        """The entry at `key`, None where there is none."""
        with self._store.reading() as connection:
            return self._desk.get(connection, key)

    def entries(self, kind: str) -> list[tuple[Key, Any]]:
        """The entries whose key begins with `kind`: property, sheet, table, numbers, slip or meter."""
        with self._store.reading() as connection:
            return list(self._desk.entries(connection, kind))
