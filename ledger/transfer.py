"""The whole log as JSON lines, readable without this program, and an empty ledger filled from them.

The first line says what the file is, each event has a line with every column of it, and the last line is the anchor of
the log up to there; a file that was cut has none. `docs/backup.md` publishes the form.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import IO, TYPE_CHECKING, Any, ClassVar, NamedTuple

import orjson

from ledger.codec import EVENTS, EventCodec
from ledger.errors import BROKEN, MISUSED, LedgerError
from ledger.filling import Filling, filling
from ledger.integrity import Anchor, Progress
from ledger.reading import Connection
from ledger.records import GENESIS
from ledger.rows import LogDiffers, LogRow, checked, read_rows

if TYPE_CHECKING:
    from ledger.service import Ledger

FORMAT, VERSION = "round-ledger", 1

LONGEST_LINE = 1 << 26
"""Bytes of a line; no event is as long."""
_TOLD_EVERY = 1_000

FIELDS = (
    "position",
    "stream_id",
    "kind",
    "key",
    "version",
    "name",
    "schema",
    "at",
    "recorded_at",
    "by",
    "source",
    "command_id",
    "command_size",
    "body_hash",
    "hash",
    "payload",
)
"""The keys of an event's line, in their order; the payload stands last, byte by byte as it is stored."""

_NUMBERS = ("position", "version", "schema", "recorded_at")
_TEXTS = ("stream_id", "kind", "key", "name", "at", "by", "hash")
_TEXTS_OR_NONE = ("source", "command_id", "body_hash")


class ExportRange(LedgerError):
    """Positions that the log has not."""

    code: ClassVar[str] = "export.range"
    exit_code: ClassVar[int] = MISUSED


class NotAnExport(LedgerError):
    """What was to be imported is no export, is one of a part of a log, or was made by a newer version."""

    code: ClassVar[str] = "import.not-an-export"
    exit_code: ClassVar[int] = MISUSED


class ImportMalformed(LedgerError):
    """A line that no export has."""

    code: ClassVar[str] = "import.malformed"


class ImportDiffers(LedgerError):
    """A line that is well formed and not what was recorded."""

    code: ClassVar[str] = "import.differs"
    exit_code: ClassVar[int] = BROKEN


class ImportCut(LedgerError):
    """An export whose end is missing."""

    code: ClassVar[str] = "import.cut"
    exit_code: ClassVar[int] = BROKEN


class _Start(NamedTuple):
    """What an export's first line says: it has the events after `after` up to `until`, the hash at `after` before."""

    after: int
    until: int
    previous: bytes


def export(
    ledger: Ledger,
    write: Callable[[bytes], Any],
    after: int = 0,
    until: int | None = None,
    progress: Progress | None = None,
    codec: EventCodec = EVENTS,
) -> Anchor:
    """Gives the events after `after`, up to `until` or the end, to `write`, a line at a time; the anchor at their end.

    All lines are of one moment of the store. Each hash is recomputed on the way, and each event read: `LogDiffers` or
    `UnreadableEvent` with the position of the first that is not as it was recorded.
    """
    dialect = ledger.store.dialect
    with ledger.store.reading() as connection:
        start = _start(ledger, connection, after, until)
        last = start.previous
        write(_first_line(start))
        rows = read_rows(dialect, connection, start.after, start.until)
        for row in checked(rows, start.after, start.previous):
            codec.decode(row.name, row.schema, row.payload, row.position)
            write(line_of(row))
            last = row.hash
            if progress is not None and row.position % _TOLD_EVERY == 0:
                progress(row.position - start.after, start.until - start.after)
        end = Anchor(start.until, last.hex())
        write(_last_line(end))
        return end


def _start(ledger: Ledger, connection: Connection, after: int, until: int | None) -> _Start:
    head = ledger.feed.head(connection)
    end = head.position if until is None else until
    if not 0 <= after <= end <= head.position:
        raise ExportRange(f"there are no events after {after} up to {end}; the log ends at position {head.position}")
    if after == 0:
        return _Start(0, end, GENESIS.hash)
    text = ledger.store.dialect.sql("SELECT hash FROM events WHERE position = ?")
    previous = connection.exec_driver_sql(text, (after,)).scalar()
    if previous is None:
        raise LogDiffers(after, "the event is missing")
    return _Start(after, end, bytes(previous))


def import_log(lines: IO[bytes], url: str, progress: Progress | None = None, codec: EventCodec = EVENTS) -> Anchor:
    """Fills the ledger at `url`, which is empty or not there yet, with an export of a whole log; all or nothing.

    Everything is kept as it was: positions, versions, ids, times and hashes. The error of a line gives its number.
    """
    start = _read_first(lines.readline(LONGEST_LINE))
    with filling(url, codec) as target:
        try:
            number, line = _take_all(lines, target, start, progress)
        except LogDiffers as trouble:
            raise ImportDiffers(
                f"line {trouble.position + 1}: {trouble.reason} (position {trouble.position}); nothing was imported"
            ) from trouble
        end = Anchor(target.head.position, target.head.hash.hex())
        _see_end(lines, line, number, start, end)
    return end


def _take_all(lines: IO[bytes], target: Filling, start: _Start, progress: Progress | None) -> tuple[int, bytes]:
    """Takes every event's line in; the number and the text of the one that ends the export."""
    for number in count(2):
        line = lines.readline(LONGEST_LINE)
        if not line.endswith(b"\n"):
            raise _without_end(line, number)
        if line.startswith(b'{"count":'):
            target.finish()
            return number, line
        target.take(read_line(line, number))
        if progress is not None and target.head.position % _TOLD_EVERY == 0:
            progress(target.head.position, start.until)
    raise AssertionError("numbers do not end")


def line_of(row: LogRow) -> bytes:
    """The row as a line; only what is plain JSON without line breaks can be a payload."""
    return orjson.dumps(
        {
            "position": row.position,
            "stream_id": row.stream_id.hex(),
            "kind": row.kind,
            "key": row.key,
            "version": row.version,
            "name": row.name,
            "schema": row.schema,
            "at": row.at,
            "recorded_at": row.recorded_at,
            "by": row.by,
            "source": row.source,
            "command_id": row.command_id,
            "command_size": row.command_size,
            "body_hash": None if row.body_hash is None else row.body_hash.hex(),
            "hash": row.hash.hex(),
            "payload": orjson.Fragment(row.payload),
        },
        option=orjson.OPT_APPEND_NEWLINE,
    )


def read_line(line: bytes, number: int) -> LogRow:
    """The row of an event's line; `ImportMalformed` where an export would have written anything else."""
    try:
        content = orjson.loads(line)
        if tuple(content) != FIELDS or not _is_typed(content):
            raise ValueError(f"it has not the keys {', '.join(FIELDS)} in this order, each with a value of its kind")
        row = _row(content, line)
        if line_of(row) != line:
            raise ValueError("it is written in another way; import the file as it was exported")
    except (ValueError, TypeError) as trouble:
        raise ImportMalformed(f"line {number}: {trouble}; nothing was imported") from None
    return row


def _is_typed(content: dict[str, Any]) -> bool:
    size = content["command_size"]
    return (
        all(type(content[each]) is int for each in _NUMBERS)
        and all(type(content[each]) is str for each in _TEXTS)
        and all(content[each] is None or type(content[each]) is str for each in _TEXTS_OR_NONE)
        and (size is None or type(size) is int)
        and type(content["payload"]) is dict
    )


def _row(content: dict[str, Any], line: bytes) -> LogRow:
    body_hash = content["body_hash"]
    return LogRow(
        content["position"],
        bytes.fromhex(content["stream_id"]),
        content["version"],
        content["name"],
        content["schema"],
        content["at"],
        content["recorded_at"],
        content["by"],
        content["source"],
        content["command_id"],
        content["command_size"],
        None if body_hash is None else bytes.fromhex(body_hash),
        # In front of the payload only a key can be written so: in a text the quotation marks are escaped.
        line.partition(b'"payload":')[2].removesuffix(b"}\n"),
        bytes.fromhex(content["hash"]),
        content["kind"],
        content["key"],
    )


def _first_line(start: _Start) -> bytes:
    return orjson.dumps(
        {
            "export": FORMAT,
            "version": VERSION,
            "after": start.after,
            "until": start.until,
            "previous": start.previous.hex(),
        },
        option=orjson.OPT_APPEND_NEWLINE,
    )


def _last_line(end: Anchor) -> bytes:
    return orjson.dumps({"count": end.count, "head": end.head}, option=orjson.OPT_APPEND_NEWLINE)


def _read_first(line: bytes) -> _Start:
    try:
        content = orjson.loads(line)
        if content["export"] != FORMAT:
            raise ValueError
        if content["version"] != VERSION:
            raise NotAnExport(f"it is an export of version {content['version']}; this program reads version {VERSION}")
        start = _Start(content["after"], content["until"], bytes.fromhex(content["previous"]))
        if type(start.after) is not int or type(start.until) is not int or _first_line(start) != line:
            raise ValueError
    except (ValueError, TypeError, KeyError):
        raise NotAnExport(
            "its first line is not what `rounds export` writes; name a file of that (a backup is for `rounds restore`)"
        ) from None
    if start.after:
        raise NotAnExport(f"it begins after position {start.after}; import one of the whole log, without --after")
    return start


def _see_end(lines: IO[bytes], line: bytes, number: int, start: _Start, end: Anchor) -> None:
    """Compares what was read with what the last line says."""
    if lines.read(1):
        raise ImportMalformed(f"line {number + 1}: something follows the end of the export; nothing was imported")
    if line != _last_line(end) or end.count != start.until:
        raise ImportCut(
            f"line {number}: it is not the end of these {end.count:,} events with the head {end.head}, of the "
            f"{start.until:,} that the first line promises; nothing was imported"
        )


def _without_end(line: bytes, number: int) -> LedgerError:
    if len(line) >= LONGEST_LINE:
        return ImportMalformed(f"line {number}: it is longer than any event; nothing was imported")
    place = f"in line {number}" if line else f"after line {number - 1}"
    return ImportCut(f"the file is cut {place}: an export ends with its count and head; nothing was imported")
