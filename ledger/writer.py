"""Decides groups of commands one after another and records what they leave in one durable transaction."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import sqlalchemy as sa
from eventsourcing.persistence import IntegrityError

from domain import desk
from domain.commands import Command
from domain.errors import Refusal
from domain.streams import Draft
from ledger.app import Batch, LedgerApplication
from ledger.desk import DeskStore
from ledger.errors import LedgerError, OutcomeUnknown, StoreDamaged, WriteConflict
from ledger.feed import Feed
from ledger.incoming import Inserter
from ledger.memory import Memory
from ledger.receipts import Receipt
from ledger.recorder import Addition, CommitFailed, SqlRecorder, Transaction
from ledger.records import Head
from ledger.seen import CommandKey, Seen, SeenStore, command_key, round_of

Decide = Callable[[Command, Memory], tuple[Draft, ...]]


Submission = tuple[Command, bytes]
"""A command and the digest of its body, which tells a repetition from another command under the same id."""


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
        receipts: list[Receipt] = []
        with self._lock, self._forgetting():
            try:
                with self._recorder.begin() as tx:
                    self._catch_up(tx)
                    receipts = self._record(tx, submissions, stop_on_refusal)
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
                    yield lambda submissions, stop: self._record(tx, submissions, stop)
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

    def _catch_up(self, tx: Transaction) -> None:
        """Forgets what another process has overtaken, and folds into the desk what was saved without it."""
        self._memory.open(tx.connection)
        if tx.head == self._head:
            return
        self._memory.forget()
        self._memory.open(tx.connection)
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

    def _record(self, tx: Transaction, submissions: Sequence[Submission], stop_on_refusal: bool) -> list[Receipt]:
        before = tx.head.position
        seen = self._seen.find(tx.connection, (command for command, _ in submissions))
        self._memory.prefetch({round_ for command, _ in submissions if (round_ := round_of(command)) is not None})
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
        if tx.head.position > before:
            with self._recorder.together(tx):
                self._recorder.finish(tx)
                self._desk.put(tx.connection, self._memory.changed)
            # Not in the same exchange: PostgreSQL watches for idle writers only after a statement of its own.
            self._desk.move(tx.connection, tx.head.position)
            self._memory.saved()
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
        recorded = {
            command_key(command): receipt.position
            for (command, _), receipt in zip(submissions, receipts, strict=True)
            if receipt.status == "recorded"
        }
        store = self._recorder.store
        cause = failed.__cause__
        assert isinstance(cause, sa.exc.DBAPIError)
        store.engine.dispose()
        try:
            store.wait_for_writers()
            with store.reading() as connection:
                found = self._seen.find(connection, (command for command, _ in submissions))
        except LedgerError as error:
            raise OutcomeUnknown(
                f"the commit failed ({failed}) and the store cannot be asked whether it took place ({error}); "
                "send the same commands again"
            ) from failed
        if any(key not in found or found[key].position != position for key, position in recorded.items()):
            raise store.explain(cause) from failed
