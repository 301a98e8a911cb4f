"""The ledger as everybody uses it: open it, hand commands in, read rounds and records; the only way to write."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from domain.desk import Key, PublishedSheet, sheet_key
from domain.rounds.state import Round
from domain.rounds.state import fold as fold_round
from domain.streams import Stream
from ledger.codec import EVENTS, EventCodec
from ledger.desk import DeskStore
from ledger.errors import LedgerClosed
from ledger.feed import PAGE, Feed
from ledger.receipts import Receipt
from ledger.records import ROUND, Head, Record
from ledger.settings import database_url
from ledger.store import Store, open_store

if TYPE_CHECKING:
    import sqlalchemy as sa

    from domain.commands import Command
    from ledger.app import LedgerApplication
    from ledger.recorder import SqlRecorder
    from ledger.recording import Recording


class Submit(Protocol):
    """What takes a group of commands, each with the digest of its body, and gives their receipts."""

    def __call__(
        self, submissions: Sequence[tuple[Command, bytes]], *, stop_on_refusal: bool = False
    ) -> list[Receipt]: ...


class Ledger:
    """An open ledger; a context manager that closes it."""

    def __init__(self, store: Store, *, codec: EventCodec = EVENTS, **parts: Any) -> None:
        """`parts` are those of `ledger.recording.Recording`: `decide`, `begin` and `clock`."""
        self.store = store
        self.feed = Feed(store, codec)
        self.desk = Desk(store)
        self._codec = codec
        self._parts = parts
        self._making = threading.Lock()
        self._made: Recording | None = None
        self._closed = False

    @classmethod
    def open(cls, url: str | None = None, *, read_only: bool = False, create: bool = True, **parts: Any) -> Self:
        """The ledger at `url` (else ROUNDS_DB, else rounds.db), made where there is none and `create` is given.

        A `LedgerError` says what is wrong with the place. Who asks for one to be made is going to record: what it takes
        is loaded here and not by the first command.
        """
        ledger = cls(open_store(database_url(url), read_only=read_only, create=create), **parts)
        if create and not ledger.read_only:
            try:
                ledger._recording.get_ready()
            except BaseException:
                ledger.close()
                raise
        return ledger

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Answers who is waiting and gives the store back; nothing can be recorded afterwards."""
        with self._making:
            self._closed = True
        if self._made is not None:
            self._made.close()
        self.store.close()

    @property
    def _recording(self) -> Recording:
        with self._making:
            if self._made is None:
                if self._closed:
                    raise LedgerClosed("the ledger is closed; open it again to record")
                from ledger.recording import Recording

                self._made = Recording(self.store, self.feed, self._codec, **self._parts)
            return self._made

    @property
    def recorder(self) -> SqlRecorder:
        """The library's recorder on this store."""
        return self._recording.recorder

    @property
    def app(self) -> LedgerApplication:
        """The library's application on this store."""
        return self._recording.app

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
        return self._recording.writer.submit(submissions, stop_on_refusal=stop_on_refusal)

    def record(self, command: Command, digest: bytes) -> Receipt:
        """Records one command; those of threads that call at the same time share a durable commit."""
        return self._recording.front.record([(command, digest)])[0]

    def record_all(self, submissions: Sequence[tuple[Command, bytes]]) -> list[Receipt]:
        """Records a caller's commands, in order, together with what other threads hand in at the same time."""
        return self._recording.front.record(submissions)

    def dry_run(self, submissions: Sequence[tuple[Command, bytes]]) -> list[Receipt]:
        """The receipts that `submit` would give, recording nothing."""
        with self.rehearsal() as submit:
            return submit(submissions)

    @contextmanager
    def rehearsal(self) -> Iterator[Submit]:
        """Gives a `submit` whose groups build on each other and are all taken back at the end."""
        with self._recording.writer.rehearse() as submit:

            def rehearsed(
                submissions: Sequence[tuple[Command, bytes]], *, stop_on_refusal: bool = False
            ) -> list[Receipt]:
                return submit(submissions, stop_on_refusal)

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
        return self.feed.head()

    def sheet(self, ref: str) -> PublishedSheet | None:
        """The published sheet `id@version`, None where there is none."""
        found: PublishedSheet | None = self.desk.get(sheet_key(ref))
        return found


def _fold(_: Any, events: Iterable[Any]) -> Any:
    return fold_round(past.event for past in events)


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
        """The entries whose key begins with `kind`: property, sheet, table, numbers, slip, meter or commitment."""
        with self._store.reading() as connection:
            return list(self._desk.entries(connection, kind))
