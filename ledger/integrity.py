"""Proves that the log is what was recorded: hashes, positions, versions, the commands' ids, the desk, and an anchor.

One pass in log order with constant memory: the desk is folded anew on the way, as far as it is large in a temporary
file, and then compared.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from domain.streams import Stream
from ledger.codec import EVENTS, EventCodec
from ledger.desk import DeskStore
from ledger.errors import LedgerError, StoreDamaged, UnreadableEvent
from ledger.folding import FoldedDesk, ScratchDesk, differences
from ledger.reading import Connection, driver_of
from ledger.records import GENESIS, ROUND
from ledger.rows import OTHER_CONTENT, SELECT_ROWS, LogRow, read_rows, right_hash

if TYPE_CHECKING:
    from ledger.service import Ledger

Progress = Callable[[int, int], None]

PROBLEMS = 20
"""Problems that a report lists; where there are more, it says so by `more`."""
_PAGE = 1_000
_STEPS_BETWEEN = 1_000_000
"""Steps of SQLite's machine between two looks for Ctrl-C: some hundredths of a second."""

_NOT_IN_ORDER = """
    SELECT position, stream_id, version FROM (
        SELECT position, stream_id, version,
            lag(version) OVER stream AS last_version, lag(position) OVER stream AS last_position
        FROM events WINDOW stream AS (PARTITION BY stream_id ORDER BY version)
    ) AS versions
    WHERE version <> coalesce(last_version, 0) + 1 OR position <= coalesce(last_position, 0)
    ORDER BY position LIMIT ?
"""
_TWICE = """
    SELECT max(position), source, command_id FROM events WHERE command_id IS NOT NULL
    GROUP BY source, command_id HAVING count(*) > 1 ORDER BY 1 LIMIT ?
"""
_EMPTY_STREAMS = """
    SELECT kind, key FROM streams AS s WHERE NOT EXISTS (SELECT 1 FROM events AS e WHERE e.stream_id = s.id) LIMIT ?
"""


class AnchorInvalid(LedgerError):
    """A text that is no anchor."""

    code: ClassVar[str] = "anchor.invalid"


@dataclass(frozen=True, slots=True)
class Anchor:
    """How many events the log held and the hash of the last one; kept outside, it shows a cut or rewritten log."""

    count: int
    head: str

    def as_json(self) -> dict[str, Any]:
        """The anchor as it is printed."""
        return {"count": self.count, "head": self.head}

    @classmethod
    def read(cls, text: str) -> Anchor:
        """The anchor in `text`; `AnchorInvalid` where it is none."""
        try:
            content = json.loads(text)
            count, head = content["count"], content["head"]
            if type(count) is int and count >= 0 and len(bytes.fromhex(head)) == 32:
                return cls(count, head.lower())
        except (ValueError, TypeError, KeyError):
            pass
        raise AnchorInvalid(
            'this is no anchor; give a file with {"count": …, "head": "…"} as `rounds anchor` printed it'
        )


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it was recorded; `position` where it can be said."""

    code: str
    text: str
    position: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {"code": self.code, "position": self.position, "text": self.text}


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What was looked at and what is wrong with it: first the events in log order, then what they should agree with."""

    count: int
    head: str
    anchor: Anchor | None
    problems: tuple[Problem, ...]
    more: bool = False

    @property
    def verified(self) -> bool:
        return not self.problems

    @property
    def first(self) -> Problem | None:
        """The first broken place."""
        return self.problems[0] if self.problems else None

    def as_json(self) -> dict[str, Any]:
        """The report as it is printed."""
        return {
            "verified": self.verified,
            "count": self.count,
            "head": self.head,
            "anchor": None if self.anchor is None else self.anchor.as_json(),
            "problems": [each.as_json() for each in self.problems],
            "more": self.more,
        }


@dataclass(frozen=True, slots=True)
class RoundIntegrity:
    """Whether a round's own events carry the hashes that their content and the event before each give."""

    verified: bool
    head: str | None
    broken: int | None = None

    def as_json(self) -> dict[str, Any]:
        """As a replay shows it."""
        return {"verified": self.verified, "head": self.head}


def anchor(ledger: Ledger) -> Anchor:
    """The anchor of the log as it stands."""
    head = ledger.head()
    return Anchor(head.position, head.hash.hex())


def verify(
    ledger: Ledger, kept: Anchor | None = None, progress: Progress | None = None, codec: EventCodec = EVENTS
) -> VerifyReport:
    """Looks at every event, stream, command id and desk entry of one moment of the store, and at the anchor `kept`.

    `progress` is told how many of how many events were looked at.
    """
    with ledger.store.reading() as connection:
        return verify_on(ledger, connection, kept, progress, codec)


def verify_on(
    ledger: Ledger,
    connection: Connection,
    kept: Anchor | None = None,
    progress: Progress | None = None,
    codec: EventCodec = EVENTS,
) -> VerifyReport:
    """As `verify`, in the caller's reading transaction."""
    with closing(ScratchDesk()) as scratch, _interruptible(connection), _any_text(connection):
        return _Check(ledger, connection, kept, codec, scratch).report(progress)


@contextmanager
def _interruptible(connection: Connection) -> Iterator[None]:
    """Lets Ctrl-C end a long statement of SQLite, which otherwise hears of it only afterwards."""
    raw: Any = driver_of(connection)
    if not isinstance(raw, sqlite3.Connection):
        yield
        return
    # Python looks for signals whenever it runs, so something of it has to run meanwhile.
    raw.set_progress_handler(lambda: 0, _STEPS_BETWEEN)
    try:
        yield
    except Exception as error:
        if getattr(getattr(error, "orig", error), "sqlite_errorname", "") == "SQLITE_INTERRUPT":
            raise KeyboardInterrupt from None
        raise
    finally:
        # A connection that was interrupted may be closed by now.
        with suppress(sqlite3.ProgrammingError):
            raw.set_progress_handler(None, 0)


@contextmanager
def _any_text(connection: Connection) -> Iterator[None]:
    """Lets a text of SQLite's be any bytes: those that are no text come out as others than they were hashed as."""
    raw: Any = driver_of(connection)
    if not isinstance(raw, sqlite3.Connection):
        yield
        return
    raw.text_factory = lambda stored: stored.decode(errors="backslashreplace")
    try:
        yield
    finally:
        raw.text_factory = str


def round_integrity(ledger: Ledger, key: str) -> RoundIntegrity:
    """Recomputes the hash of each of the round's events from the stored hash of the event before it in the log."""
    text = ledger.store.dialect.sql(f"""
        SELECT r.*, p.hash FROM ({SELECT_ROWS}) AS r LEFT JOIN events AS p ON p.position = r.position - 1
        WHERE r.kind = ? AND r.key = ? ORDER BY r.version
    """)
    head: str | None = None
    version = 0
    with ledger.store.reading() as connection:
        for *row, previous in connection.exec_driver_sql(text, tuple(Stream(ROUND, key))):
            version += 1
            before = GENESIS.hash if row[0] == 1 else previous
            head = _bytes(row[13]).hex()
            if before is None or row[2] != version or right_hash(row, _bytes(before)) != _bytes(row[13]):
                return RoundIntegrity(False, head, row[0])
    return RoundIntegrity(head is not None, head)


def _bytes(value: Any) -> bytes:
    """A column's bytes; none where somebody put a text or a number there, as SQLite lets him."""
    return bytes(value) if isinstance(value, bytes | memoryview) else b""


class _Check:
    """One verification on one connection."""

    def __init__(
        self,
        ledger: Ledger,
        connection: Connection,
        kept: Anchor | None,
        codec: EventCodec,
        scratch: ScratchDesk,
    ) -> None:
        self._ledger = ledger
        self._connection = connection
        self._kept = kept
        self._codec = codec
        self._scratch = scratch
        self._desk = FoldedDesk(scratch)
        self._desk_whole = True
        self._problems: list[Problem] = []
        self._more = False

    def report(self, progress: Progress | None) -> VerifyReport:
        total = self._ledger.feed.head(self._connection).position
        count, head = self._chain(total, progress)
        self._streams()
        self._commands()
        self._stored_desk(count)
        self._guards()
        self._files()
        self._anchor(count)
        return VerifyReport(count, head.hex(), self._kept, tuple(self._problems), self._more)

    def _add(self, code: str, text: str, position: int | None = None) -> None:
        if len(self._problems) < PROBLEMS:
            self._problems.append(Problem(code, text, position))
        else:
            self._more = True

    def _chain(self, total: int, progress: Progress | None) -> tuple[int, bytes]:
        """Positions, hashes and contents; how many events there are and the last one's hash."""
        count, last, recorded_at, head = 0, 0, 0, GENESIS.hash
        for row in read_rows(self._ledger.store.dialect, self._connection, page=_PAGE):
            position = row.position
            if position != last + 1:
                self._add("position.gap", f"the log goes from position {last} to {position}", position)
            if self._kept is not None and self._kept.count == position and self._kept.head != _bytes(row.hash).hex():
                self._add("anchor.differs", f"the anchor has {self._kept.head} for this event", position)
            self._row(row, head)
            if isinstance(row.recorded_at, int):
                if row.recorded_at < recorded_at:
                    self._add("time.falls", "it was recorded before the event in front of it", position)
                recorded_at = row.recorded_at
            count, last, head = count + 1, position, _bytes(row.hash)
            if progress is not None and count % _PAGE == 0:
                progress(count, total)
        if progress is not None:
            progress(count, total)
        return count, head

    def _row(self, row: LogRow, previous: bytes) -> None:
        position = row.position
        if row.kind is None:
            self._add("stream.missing", f"its stream {_bytes(row.stream_id).hex()} has no name", position)
            return
        if right_hash(row, previous) != _bytes(row.hash):
            self._add("hash.differs", OTHER_CONTENT, position)
        if (row.command_id is None) != (row.command_size is None):
            self._add("command.broken", "its command's id and size do not stand together", position)
        try:
            self._desk.fold(self._codec.decode(row.name, row.schema, _bytes(row.payload), position))
        except UnreadableEvent as trouble:
            self._desk_whole = False
            self._add(trouble.code, str(trouble), position)
        except Exception as trouble:
            # A falsified event may be readable and yet make no sense to the desk.
            self._desk_whole = False
            self._add("desk.fold", f"the desk cannot take it in ({type(trouble).__name__}: {trouble})", position)

    def _streams(self) -> None:
        sql = self._ledger.store.dialect.sql
        for position, stream_id, version in self._connection.exec_driver_sql(sql(_NOT_IN_ORDER), (PROBLEMS,)):
            stream = _bytes(stream_id).hex()
            self._add("version.gap", f"version {version} of stream {stream} does not follow the one before", position)
        for kind, key in self._connection.exec_driver_sql(sql(_EMPTY_STREAMS), (PROBLEMS,)):
            self._add("stream.empty", f"the stream {kind} {key} has no event")

    def _commands(self) -> None:
        text = self._ledger.store.dialect.sql(_TWICE)
        for position, source, command_id in self._connection.exec_driver_sql(text, (PROBLEMS,)):
            self._add("command.twice", f"{source} recorded the command {command_id} twice", position)

    def _stored_desk(self, count: int) -> None:
        """The stored desk against the one folded from the log, unless an event was unreadable."""
        desk_store = DeskStore(self._ledger.store.dialect)
        try:
            position = desk_store.position(self._connection)
        except StoreDamaged:
            position = -1
        if position != count:
            self._add("desk.position", f"the desk stands at position {position}, the log ends at {count}")
        if not self._desk_whole or position != count:
            return
        self._desk.flush()
        for difference in differences(desk_store.stored(self._connection), self._scratch.stored()):
            self._add("desk.differs", difference)

    def _guards(self) -> None:
        for name in sorted(self._ledger.store.dialect.guards(self._connection)):
            self._add("guard.missing", f"the guard {name} is not there, or is not the one this version makes")
        for name in sorted(self._ledger.store.dialect.strange_triggers(self._connection)):
            self._add("guard.foreign", f"the trigger {name} is none of the ledger's; it may change what comes next")

    def _files(self) -> None:
        """What holds the log: a lost index entry, for one, would let a command be recorded twice."""
        for text in self._ledger.store.dialect.damage(self._connection, PROBLEMS):
            self._add(StoreDamaged.code, f"the database finds in its file: {text}")

    def _anchor(self, count: int) -> None:
        kept = self._kept
        if kept is None:
            return
        if kept.count > count:
            self._add("anchor.cut", f"the anchor counted {kept.count} events, {count} are left", count + 1)
        elif kept.count == 0 and kept.head != GENESIS.hash.hex():
            self._add("anchor.differs", "the anchor of an empty log has another hash")
