"""Everything that records, put together: the library's application, its recorder, the memory, the writer, the queue.

A ledger makes it with its first command, so that a report waits for none of it.
"""

from __future__ import annotations

from domain.decide import decide
from domain.rounds.state import Round
from ledger.app import LedgerApplication
from ledger.codec import EventCodec
from ledger.desk import DeskStore
from ledger.feed import Feed
from ledger.front import Front
from ledger.memory import Begin, Memory
from ledger.recorder import Clock, SqlRecorder, utc_micros
from ledger.store import Store
from ledger.writer import Decide, Writer


class Recording:
    """The parts of a ledger that write, on an open store."""

    def __init__(
        self,
        store: Store,
        feed: Feed,
        codec: EventCodec,
        *,
        decide: Decide = decide,
        begin: Begin = Round,
        clock: Clock = utc_micros,
    ) -> None:
        self.recorder = SqlRecorder(store, clock)
        self.app = LedgerApplication(self.recorder, codec)
        desk_store = DeskStore(store.dialect)
        if self.recorder.appender is None:
            memory = Memory(self.app, desk_store, store.dialect, begin)
            self.writer = Writer(self.app, self.recorder, memory, desk_store, feed, decide)
        else:
            from ledger.ahead import AheadWriter, WatchedMemory

            memory = WatchedMemory(self.app, desk_store, store.dialect, begin)
            self.writer = AheadWriter(self.app, self.recorder, memory, desk_store, feed, decide)
        self.front = Front(self.writer)

    def get_ready(self) -> None:
        """Connects to a server, so that the first command need not."""
        if self.recorder.appender is not None:
            self.recorder.appender.open()

    def close(self) -> None:
        """Answers who is waiting; nothing can be recorded afterwards."""
        self.front.close()
        self.app.close()
        self.recorder.close()
