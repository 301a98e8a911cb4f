"""Deciding before the lock is there, from what the memory holds, true of the log or not.

A group goes to the server in one exchange with everything that its decisions looked at: entries of the desk by value,
streams by their last version, refused commands by id. What the server finds otherwise under the lock makes it take
nothing, and the group is decided again by a writer who holds the lock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from domain.desk import Entry, Key
from domain.streams import Stream
from ledger.at_once import AtOnce, Looked, Unanswered
from ledger.codec import encode_entry, encode_key
from ledger.errors import LedgerError, OutcomeUnknown
from ledger.memory import Memory, StreamHead
from ledger.receipts import Receipt
from ledger.recorder import Addition
from ledger.records import ROUND, Head
from ledger.seen import CommandKey, Seen, command_key
from ledger.store import Store
from ledger.writer import Submission, Writer

_SHEET = "sheet"
"""The kind of the entries that are never changed once they are there, and are long."""


class Outside:
    """Reads of one moment each, outside of any transaction that writes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def exec_driver_sql(self, statement: str, parameters: Any = None, /) -> _Rows:
        """The rows that are there now."""
        with self._store.reading() as connection:
            return _Rows(connection.exec_driver_sql(statement, parameters).all())


class _Rows:
    def __init__(self, rows: Sequence[Any]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def scalar(self) -> Any:
        return self._rows[0][0] if self._rows else None


class WatchedMemory(Memory):
    """A memory that can say what it was asked.

    Ahead of the lock a round that is not known is presumed not to be there: most often it is about to be opened, and
    where it is there after all, the store refuses the stream's second first event.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._ahead = False
        self._stored: dict[Key, tuple[Any, bytes | None]] = {}
        self._seen: dict[Key, Any] = {}
        self._fresh: set[Key] = set()
        self._asked: set[Stream] = set()
        self._presumed: set[Stream] = set()
        self.read = False
        """Whether something was read since `look_ahead`, of a later moment, maybe, than the rest."""

    def look_ahead(self, outside: Outside) -> None:
        """From now on decisions are made ahead of the lock; what is not known is read `outside`."""
        self.open(cast(Any, outside))
        self._ahead, self.read = True, False
        self._seen, self._fresh, self._asked = {}, set(), set()

    def open(self, connection: Any) -> None:
        self._ahead = False
        for stream in self._presumed:
            if self._heads.get(stream) is None:
                self._heads.pop(stream, None)
        self._presumed = set()
        super().open(connection)

    def get(self, key: Key) -> Any:
        if key not in self._entries:
            self._read(key)
        entry = self._entries[key]
        if self._ahead and key not in self.changed:
            self._seen[key] = entry
        return entry

    def _read(self, key: Key) -> None:
        assert self._connection is not None
        self.read = True
        raw = self._desk.raw(self._connection, key)
        entry = self._entries[key] = self._desk.decoded(key, raw)
        self._stored[key] = entry, raw
        self._fresh.add(key)

    def round(self, key: str) -> Any:
        if not self._ahead:
            return super().round(key)
        stream = Stream(ROUND, key)
        self._asked.add(stream)
        if stream not in self._heads:
            # Without it nobody could tell whether the round is as its stream leaves it.
            self._rounds.pop(key, None)
        known = key in self._rounds
        round_ = super().round(key)
        self.read = self.read or (round_ is not None and not known)
        return round_

    def _head(self, stream: Stream) -> StreamHead | None:
        if self._ahead and stream.kind == ROUND and stream not in self._heads:
            self._presumed.add(stream)
            self._heads[stream] = None
        return super()._head(stream)

    def _look_up(self, kind: str, keys: set[str]) -> None:
        self.read = True
        super()._look_up(kind, keys)

    def look_up_presumed(self) -> bool:
        """Looks for the rounds that were presumed not to be there; whether there is one."""
        absent = {each for each in self._presumed if self._heads.get(each) is None}
        self._presumed = set()
        if absent:
            self._look_up(ROUND, {each.key for each in absent})
        return any(self._heads[each] is not None for each in absent)

    def looked(self, written: set[bytes], unseen: Sequence[CommandKey], known: Head | None) -> Looked | None:
        """What was looked at since `look_ahead`; None where a round was looked for in vain.

        A stream that was `written` to needs no second look: the version of its next event says where it stood. Nor does
        a sheet that was remembered: it was there when the log ended with `known`.
        """
        ends: list[tuple[bytes, int]] = []
        for stream in self._asked:
            head = self._heads.get(stream)
            if head is None:
                return None
            if head.id not in written:
                ends.append((head.id, head.version))
        entries = [
            (encode_key(key), self._as_stored(key, entry))
            for key, entry in self._seen.items()
            if entry is None or key[0] != _SHEET or key in self._fresh
        ]
        return Looked(entries, ends, unseen, known)

    def _as_stored(self, key: Key, entry: Entry | None) -> bytes | None:
        known = self._stored.get(key)
        if known is None or known[0] is not entry:
            self._stored[key] = known = entry, None if entry is None else encode_entry(key, entry)
        return known[1]

    def to_store(self) -> list[tuple[str, bytes]]:
        """The changed entries as they are stored."""
        stored: list[tuple[str, bytes]] = []
        for key, entry in self.changed.items():
            raw = encode_entry(key, entry)
            self._stored[key] = entry, raw
            stored.append((encode_key(key), raw))
        return stored

    def saved(self) -> None:
        super().saved()
        if not self._entries:
            self._stored.clear()

    def forget(self) -> None:
        super().forget()
        self._ahead = False
        self._presumed = set()
        self._stored.clear()


class _Decided(NamedTuple):
    """A group that was decided ahead; positions count from its first event."""

    receipts: list[Receipt]
    additions: list[Addition]
    looked: Looked


class AheadWriter(Writer):
    """Decides groups ahead of the lock, and those of which something has changed meanwhile under it."""

    MOST = 256
    """Commands that are decided ahead; more are under the lock long enough to be stored while others are decided."""
    PATIENCE = 32
    """Groups that are decided under the lock, at most, where others change what this one looks at, before the next is
    tried ahead again."""

    _memory: WatchedMemory

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._outside = Outside(self._recorder.store)
        self._waits, self._patience = 0, 1
        self._known: Head | None = None
        """The last head that this process knows the log to have had; what is remembered is of then or earlier."""

    def _submit(self, submissions: Sequence[Submission], stop_on_refusal: bool) -> list[Receipt]:
        if self._may_look_ahead(submissions):
            receipts = self._try_ahead(submissions, stop_on_refusal)
            if receipts is not None:
                return receipts
        receipts = super()._submit(submissions, stop_on_refusal)
        self._known = self._head
        return receipts

    def _may_look_ahead(self, submissions: Sequence[Submission]) -> bool:
        if self._waits:
            self._waits -= 1
            return False
        # The second of two commands of one id is answered from the first, which nobody has a position of yet.
        return len({command_key(command) for command, _ in submissions}) == len(submissions) <= self.MOST

    def _try_ahead(self, submissions: Sequence[Submission], stop_on_refusal: bool) -> list[Receipt] | None:
        """The receipts; None, and nothing that would be wrong in memory, where the lock is needed."""
        decided = self._decide_ahead(submissions, stop_on_refusal)
        if decided is None:
            return None
        tx = AtOnce(decided.additions, decided.looked, self._memory.to_store())
        try:
            # The transaction brings the group: looking what kind of object it is given costs the library too much.
            self._app.save(tx=tx)
        except Unanswered as lost:
            receipts = self._look_for(submissions, decided.receipts, lost)
            self._forget()
            return receipts
        if tx.placed is None:
            self._forget()
            self._waits = self._patience = min(2 * self._patience, self.PATIENCE)
            return None
        self._patience = max(1, self._patience // 2)
        self._memory.saved()
        alone = self._head is not None and self._head.position == tx.placed.before
        self._known = tx.placed.head
        self._head = self._known if alone else None
        return [_placed(each, tx.placed.before) for each in decided.receipts]

    def _decide_ahead(self, submissions: Sequence[Submission], stop_on_refusal: bool) -> _Decided | None:
        """What a memory that need not be true decides; None where that is nothing to go on."""
        try:
            return self._decided(submissions, stop_on_refusal)
        except Exception:
            # Parts of different moments may be such as no log has. What is a defect is met under the lock again.
            self._forget()
            return None

    def _decided(self, submissions: Sequence[Submission], stop_on_refusal: bool) -> _Decided | None:
        memory = self._memory
        memory.look_ahead(self._outside)
        additions: list[Addition] = []
        receipts: list[Receipt] = []
        refused: list[CommandKey] = []
        seen: dict[CommandKey, Seen] = {}
        for each in submissions:
            receipt = self._answer(each, seen, additions, 0)
            if receipt.status == "refused" and memory.look_up_presumed():
                receipt = self._answer(each, seen, additions, 0)
            receipts.append(receipt)
            if receipt.status == "refused":
                refused.append(command_key(each[0]))
                if stop_on_refusal:
                    break
        looked = memory.looked({each.stream_id for each in additions}, refused, self._known)
        if looked is not None:
            return _Decided(receipts, additions, looked)
        if additions or memory.read:
            self._forget()
        return None

    def _look_for(self, submissions: Sequence[Submission], receipts: list[Receipt], lost: Unanswered) -> list[Receipt]:
        """The receipts of a group whose answer was lost, where it is recorded as a whole; else the error, which says
        whether nothing of it is.

        The same commands may have come from another process, whose receipts are the same; but then nobody has compared
        what a refusal rests on.
        """
        assert self._recorder.appender is not None
        try:
            self._recorder.appender.end_lost()
            found = self._recorded(submissions)
        except LedgerError as error:
            raise OutcomeUnknown(
                f"the connection was lost ({lost}) and the store cannot be asked what it has recorded ({error}); "
                "send the same commands again"
            ) from lost
        befores = {_before(each, receipt, found) for each, receipt in zip(submissions, receipts, strict=False)}
        before = befores.pop() if len(befores) == 1 else None
        if before is None and found:
            raise OutcomeUnknown(
                "the connection was lost, and not all of the group is recorded as it was decided; "
                "send the same commands again"
            ) from lost
        if before is None:
            raise lost.meant from lost
        return [_placed(each, before) for each in receipts]

    def _forget(self) -> None:
        self._memory.forget()
        self._head = None


def _placed(receipt: Receipt, before: int) -> Receipt:
    return receipt if receipt.position is None else receipt._replace(position=before + receipt.position)


def _before(submission: Submission, receipt: Receipt, found: dict[CommandKey, Seen]) -> int | None:
    """The position before the group of which this was recorded; None where it was not, as decided."""
    command, digest = submission
    own = found.get(command_key(command))
    if own is None or receipt.position is None or not own.is_of(digest, receipt):
        return None
    return own.position - receipt.position
