"""Decides groups of commands one after another and records what they leave in one durable transaction."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import sqlalchemy as sa
from eventsourcing.persistence import IntegrityError

from domain import desk
from domain.commands import Command
from domain.errors import Refusal
from domain.streams import Draft
from ledger.app import Batch, LedgerApplication
from ledger.desk import DeskStore
from ledger.dialects import Asked
from ledger.errors import LedgerError, OutcomeUnknown, StoreDamaged, UnreadableEvent, WriteConflict
from ledger.feed import Feed
from ledger.incoming import Inserter
from ledger.memory import Memory
from ledger.receipts import Receipt
from ledger.recorder import Addition, CommitFailed, SqlRecorder, Transaction
from ledger.records import Head
from ledger.seen import CommandKey, Seen, SeenStore, command_key, round_of
from ledger.tail import Tail

Decide = Callable[[Command, Memory], tuple[Draft, ...]]


Submission = tuple[Command, bytes]
"""A command and the digest of its body, which tells a repetition from another command under the same id."""


class Asking(Asked):
    """What is asked about a group of commands before the lock is there: which are recorded, and their rounds' streams.

    With what others appended since the head that is known it is as good as asked under the lock.
    """

    __slots__ = ("_commands", "_keys", "_memory", "_rounds", "_seen")

    def __init__(self, seen: SeenStore, memory: Memory, submissions: Sequence[Submission]) -> None:
        self._seen = seen
        self._memory = memory
        self._rounds = memory.unknown(_rounds_of(submissions))
        self._commands = seen.questions(command for command, _ in submissions)
        self._keys = {command_key(command) for command, _ in submissions}
        super().__init__([*self._commands, *([memory.question(self._rounds)] if self._rounds else [])])

    def learn(self) -> None:
        """Tells the memory of the streams, which then has to follow the tail: it was not there yet, or not whole."""
        if self._rounds:
            self._memory.learn(self._rounds, self.found[-1])

    def overtaken(self, tail: Tail) -> bool:
        """Whether others recorded one of the commands since the head that was known."""
        return any(each[8] is not None and (each[7], each[8]) in self._keys for each in tail.appended)

    def recorded(self) -> dict[CommandKey, Seen]:
        """The commands that are recorded."""
        return self._seen.found(self._commands, self.found[: len(self._commands)])


class Writer:
    """The one who appends; safe to call from several threads, one group after the other."""

    def __init__(
        self,
        app: LedgerApplication,
        recorder: SqlRecorder,
        memory: Memory,
        desk_store: DeskStore,
        feed: Feed,
        decide: Decide,
    ) -> None:
        self._app = app
        self._recorder = recorder
        self._memory = memory
        self._desk = desk_store
        self._feed = feed
        self._decide = decide
        self._seen = SeenStore(recorder.store.dialect)
        self._lock = threading.Lock()
        self._head: Head | None = None

    def submit(self, submissions: Sequence[Submission], *, stop_on_refusal: bool = False) -> list[Receipt]:
        """A receipt for each, in order, once they are durable; all of them or, with a `LedgerError`, none.

        A refused command leaves nothing and the others stand; with `stop_on_refusal` the receipts end with it, and what
        came after it is not looked at. Sending the same again is always safe.
        """
        with self._lock, self._forgetting():
            return self._submit(submissions, stop_on_refusal)

    def _submit(self, submissions: Sequence[Submission], stop_on_refusal: bool) -> list[Receipt]:
        """What `submit` promises; the caller has this writer to himself."""
        receipts: list[Receipt] = []
        asked = None if self._head is None else Asking(self._seen, self._memory, submissions)
        try:
            with self._recorder.begin(known=self._head, asked=asked) as tx:
                seen = self._catch_up(tx, asked)
                if seen is None:
                    seen = self._look_up(tx, submissions)
                before = tx.head.position
                receipts = self._record(tx, submissions, seen, stop_on_refusal)
                if tx.head.position > before:
                    tx.beside = self._saving(tx)
        except CommitFailed as failed:
            self._resolve(submissions[: len(receipts)], receipts, failed)
            self._memory.forget()
            self._head = None
            return receipts
        self._head = tx.head
        return receipts

    @contextmanager
    def rehearse(self) -> Iterator[Callable[[Sequence[Submission], bool], list[Receipt]]]:
        """Submits groups inside one transaction that is rolled back at the end; others wait for the store meanwhile."""
        with self._lock:
            try:
                with self._recorder.begin(keep=False) as tx:
                    self._catch_up(tx)
                    yield lambda submissions, stop: self._rehearsed(tx, submissions, stop)
            except IntegrityError as error:
                raise WriteConflict(str(error)) from error
            finally:
                self._memory.forget()
                self._head = None

    @contextmanager
    def _forgetting(self) -> Iterator[None]:
        """Whatever fails, nothing that was decided on a lost transaction may stay in memory."""
        try:
            yield
        except BaseException as error:
            self._memory.forget()
            self._head = None
            if isinstance(error, IntegrityError):
                raise WriteConflict(f"another writer came between ({error}); send the group again") from error
            raise

    def _catch_up(self, tx: Transaction, asked: Asking | None = None) -> dict[CommandKey, Seen] | None:
        """Brings the memory to the head of the log; the commands that were `asked` about and are recorded.

        None where that has to be asked again: the memory was too far behind to follow, and everything is forgotten.
        """
        self._memory.open(tx.connection)
        tail = tx.tail
        if tail is not None and asked is not None:
            asked.learn()
            if not asked.overtaken(tail) and self._follow(tail):
                return asked.recorded()
        self._memory.forget()
        self._memory.open(tx.connection)
        self._fold_unsaved(tx)
        return None

    def _follow(self, tail: Tail) -> bool:
        """Whether the memory now stands where another process has left the log and the desk."""
        if not tail.appended:
            return True
        if tail.desk_position != str(tail.head.position):
            return False
        try:
            self._memory.follow(tail.appended)
        except UnreadableEvent:
            return False
        return True

    def _fold_unsaved(self, tx: Transaction) -> None:
        """Folds into the desk what was saved without it."""
        position = self._desk.position(tx.connection)
        if position > tx.head.position:
            raise StoreDamaged(
                f"the desk stands at position {position}, the log ends at {tx.head.position}: its tail is missing"
            )
        while position < tx.head.position:
            page = self._feed.after(position, connection=tx.connection)
            for record in page:
                desk.fold(record.event, self._memory)
            position = page[-1].position
            self._desk.save(tx.connection, self._memory.changed, position)
            self._memory.saved()

    def _look_up(self, tx: Transaction, submissions: Sequence[Submission]) -> dict[CommandKey, Seen]:
        """Which of the commands are recorded; the memory learns where their rounds' streams stand."""
        self._memory.prefetch(_rounds_of(submissions))
        return self._seen.find(tx.connection, (command for command, _ in submissions))

    def _rehearsed(self, tx: Transaction, submissions: Sequence[Submission], stop_on_refusal: bool) -> list[Receipt]:
        before = tx.head.position
        receipts = self._record(tx, submissions, self._look_up(tx, submissions), stop_on_refusal)
        if tx.head.position > before:
            self._recorder.finish(tx)
            self._saving(tx)()
        return receipts

    def _saving(self, tx: Transaction) -> Callable[[], None]:
        """What stores the desk as it stands now; the memory counts it as saved."""
        changed = self._memory.changed
        self._memory.saved()
        return partial(self._desk.save, tx.connection, changed, tx.head.position)

    def _record(
        self,
        tx: Transaction,
        submissions: Sequence[Submission],
        seen: dict[CommandKey, Seen],
        stop_on_refusal: bool,
    ) -> list[Receipt]:
        additions: list[Addition] = []
        receipts: list[Receipt] = []
        for each in submissions:
            receipts.append(self._answer(each, seen, additions, tx.head.position))
            if len(additions) >= Inserter.PORTION:
                # They go into the store while the next commands are decided.
                self._app.save(cast(Any, Batch(additions)), tx=tx)
                additions = []
            if stop_on_refusal and receipts[-1].status == "refused":
                break
        if additions:
            self._app.save(cast(Any, Batch(additions)), tx=tx)
        return receipts

    def _answer(
        self, submission: Submission, seen: dict[CommandKey, Seen], additions: list[Addition], position: int
    ) -> Receipt:
        """The command's receipt; what it leaves is added to `additions` and to the memory."""
        command, digest = submission
        key = command_key(command)
        before = seen.get(key)
        if before is not None:
            return before.answer(command, digest)
        try:
            drafts = self._decide(command, self._memory)
        except Refusal as refusal:
            return Receipt.refusing(refusal, command.command_id, round_of(command))
        assert drafts, f"{command.NAME} left no event"
        identity: tuple[Any, ...] = (command.source, command.command_id, len(drafts), digest)
        names: list[str] = []
        version = 0
        for draft in drafts:
            head, (stream, event) = self._memory.apply(draft), draft
            version, name = head.version, event.NAME
            stored = self._app.encode(event)
            additions.append(
                Addition(head.id, version, name, event.SCHEMA, stored, stream, command.at, command.by, *identity)
            )
            names.append(name)
            identity = ()
        seen[key] = recorded = Seen(digest, version, position + len(additions), tuple(names))
        return recorded.receipt(command)

    def _resolve(self, submissions: Sequence[Submission], receipts: Sequence[Receipt], failed: CommitFailed) -> None:
        """Asks the store whether a commit that failed took place; returns where it did, or had nothing to record."""
        cause = failed.__cause__
        assert isinstance(cause, sa.exc.DBAPIError)
        try:
            found = self._recorded(submissions)
        except LedgerError as error:
            raise OutcomeUnknown(
                f"the commit failed ({failed}) and the store cannot be asked whether it took place ({error}); "
                "send the same commands again"
            ) from failed
        given = zip(submissions, receipts, strict=True)
        if not all(_is_there(each, receipt, found) for each, receipt in given if receipt.status == "recorded"):
            raise self._recorder.store.explain(cause) from failed

    def _recorded(self, submissions: Sequence[Submission]) -> dict[CommandKey, Seen]:
        """Which of the commands are recorded, on new connections, when nothing lost can be at its commit any more."""
        store = self._recorder.store
        store.engine.dispose()
        store.wait_for_writers()
        with store.reading() as connection:
            return self._seen.find(connection, (command for command, _ in submissions))


def _rounds_of(submissions: Sequence[Submission]) -> set[str]:
    return {round_ for command, _ in submissions if (round_ := round_of(command)) is not None}


def _is_there(submission: Submission, receipt: Receipt, found: dict[CommandKey, Seen]) -> bool:
    """Whether the store has the command as its receipt says: another process may have recorded one under its id."""
    command, digest = submission
    own = found.get(command_key(command))
    return own is not None and own.position == receipt.position and own.is_of(digest, receipt)
