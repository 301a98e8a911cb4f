"""Lets many threads record at once: what waits is taken together and shares one durable commit."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence

from ledger.errors import LedgerClosed, LedgerError
from ledger.receipts import Receipt
from ledger.writer import Submission, Writer

_CLOSED = "the ledger is closed; open it again to record"


class Caller:
    """One who waits for what became of his commands.

    A lock alone, held until there is an answer: a `Future` has several, and callers come by the thousand a second.
    """

    __slots__ = ("_answered", "_error", "_receipts", "submissions")

    def __init__(self, submissions: Sequence[Submission]) -> None:
        self.submissions = submissions
        self._receipts: list[Receipt] = []
        self._error: BaseException | None = None
        self._answered = threading.Lock()
        self._answered.acquire()

    def wait(self) -> list[Receipt]:
        """The receipts, when they are there; raises what was met instead."""
        with self._answered:
            if self._error is not None:
                raise self._error
            return self._receipts

    def answer(self, receipts: list[Receipt]) -> None:
        """Lets the caller go on, with his receipts."""
        self._receipts = receipts
        self._answered.release()

    def fail(self, error: BaseException) -> None:
        """Lets the caller go on, with an error."""
        self._error = error
        self._answered.release()


class Front:
    """A bounded queue in front of the writer, and the one thread that empties it."""

    GROUP = 1_024
    """Commands that share a commit, at most, unless one caller hands in more at once."""
    GATHER_SECONDS = 0.001
    """How long a group waits, at most, for as many callers as were answered last: they come back one after another, and
    a group of the first of them would keep the others waiting for a commit of its own."""
    BACKLOG = 4_096
    """Commands that may wait; who comes later waits to be let in."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._queue: deque[Caller] = deque()
        self._waiting = 0
        self._expected = 1
        self._closed = False
        self._taken = False
        self._changed = threading.Condition(threading.Lock())
        self._thread: threading.Thread | None = None

    def record(self, submissions: Sequence[Submission]) -> list[Receipt]:
        """The receipts, once they are durable; a `LedgerError` where nothing of `submissions` was recorded."""
        if not submissions:
            return []
        if self._takes_the_turn():
            try:
                return self._writer.submit(submissions)
            finally:
                self._end_turn()
        return self._enter(submissions).wait()

    def close(self) -> None:
        """Lets nobody in any more and waits until who is in has been answered."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            while self._taken:
                self._changed.wait()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _takes_the_turn(self) -> bool:
        """Whether the caller may record by himself: who is alone waits for no other thread."""
        with self._changed:
            if self._closed:
                raise LedgerClosed(_CLOSED)
            if self._taken or self._queue or self._expected > 1:
                return False
            self._taken = True
            return True

    def _end_turn(self) -> None:
        with self._changed:
            self._taken = False
            if self._queue or self._closed:
                self._changed.notify_all()

    def _enter(self, submissions: Sequence[Submission]) -> Caller:
        caller = Caller(submissions)
        with self._changed:
            # Whoever finds the queue empty is let in however much he brings: otherwise he would wait for ever.
            while not self._closed and self._waiting and self._waiting + len(submissions) > self.BACKLOG:
                self._changed.wait()
            if self._closed:
                raise LedgerClosed(_CLOSED)
            self._queue.append(caller)
            self._waiting += len(submissions)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
                self._thread.start()
            if len(self._queue) == 1 or self._gathered():
                self._changed.notify_all()
        return caller

    def _run(self) -> None:
        while group := self._next_group():
            try:
                self._answer(group)
            finally:
                self._end_turn()

    def _next_group(self) -> list[Caller]:
        """What waits, in order of arrival, up to a group; nothing where the front is closed and empty."""
        with self._changed:
            while self._taken or not (self._queue or self._closed):
                self._changed.wait()
            self._gather()
            group: list[Caller] = []
            size = 0
            while self._queue and (not group or size + len(self._queue[0].submissions) <= self.GROUP):
                group.append(self._queue.popleft())
                size += len(group[-1].submissions)
            self._waiting -= size
            self._expected = len(group)
            self._taken = bool(group)
            self._changed.notify_all()
            return group

    def _gather(self) -> None:
        """Waits a moment for those who were answered last."""
        until = time.monotonic() + self.GATHER_SECONDS
        while not self._gathered() and (left := until - time.monotonic()) > 0:
            self._changed.wait(left)

    def _gathered(self) -> bool:
        return self._closed or len(self._queue) >= self._expected or self._waiting >= self.GROUP

    def _answer(self, group: Sequence[Caller]) -> None:
        try:
            receipts = self._writer.submit([each for caller in group for each in caller.submissions])
        except BaseException as error:
            if len(group) > 1 and not isinstance(error, LedgerError):
                # One caller's command met a defect: the others' commands are not to fail with it.
                for caller in group:
                    self._answer([caller])
                return
            for caller in group:
                caller.fail(error)
            return
        start = 0
        for caller in group:
            end = start + len(caller.submissions)
            caller.answer(receipts[start:end])
            start = end
