"""The one way an answer is written: table, JSON, JSON lines or CSV, to standard output or whole into a file."""

from __future__ import annotations

import csv
import gzip
import io
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import orjson

from cli import fields, pager, terminal
from cli.errors import Misused
from cli.options import GZIPPED, Settings
from cli.tables import LIST_WIDTH, Column, Paper, draw_list

Row = Mapping[str, Any]


@contextmanager
def destination(settings: Settings, *, paged: bool = False) -> Iterator[IO[bytes]]:
    """Where the answer goes, as bytes. A file of `-o` is written beside its name and renamed when it is whole.

    It is compressed where its name ends in `.gz`; the same answer gives the same bytes.

    `paged`: it is something to read, so on a terminal it goes through a pager.
    """
    if settings.output is None or settings.output == "-":
        if paged and settings.format == "table" and not settings.no_pager:
            with pager.paged() as stream:
                yield stream
                stream.flush()
            return
        stream = sys.stdout.buffer
        yield stream
        stream.flush()
        return
    path = Path(settings.output)
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    with _renamed_when_whole(path) as stream:
        yield stream


@contextmanager
def _renamed_when_whole(path: Path) -> Iterator[IO[bytes]]:
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            if path.suffix.lower() == GZIPPED:
                with _compressed(stream) as packed:
                    yield packed
            else:
                yield stream
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def _compressed(stream: IO[bytes]) -> Iterator[IO[bytes]]:
    # Neither a name nor a time is kept inside, so that the bytes say what the answer is and nothing else.
    with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed:
        yield cast(IO[bytes], packed)
    stream.flush()
    os.fsync(stream.fileno())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_rows(settings: Settings, columns: Sequence[Column], rows: Iterable[Row], *, none: str) -> None:
    """Writes a report of rows; `columns` order the table and the CSV, JSON keeps every key of a row.

    A table without rows says `none` on standard error.
    """
    listed = list(rows) if settings.format == "table" else []
    with destination(settings, paged=bool(listed)) as stream:
        if settings.format != "table":
            _write_all(RowWriter(settings, columns, stream), rows)
        elif listed:
            _draw(settings, columns, listed, stream)
        else:
            settings.note(none)


def _draw(settings: Settings, columns: Sequence[Column], rows: Sequence[Row], stream: IO[bytes]) -> None:
    shown = columns
    if settings.fields:
        known = fields.known(columns, rows)
        fields.check(settings.fields, known)
        shown = [known[name] for name in settings.fields]
    paper = paper_for(settings, stream)
    paper.print_all(draw_list(shown, rows, paper.page))


def write_document(
    settings: Settings,
    document: Row,
    *,
    text: Callable[[Paper], None],
    columns: Sequence[Column] = (),
    rows: Iterable[Row] = (),
) -> None:
    """Writes one document: whole as JSON, through `text` for people, and as CSV by those `rows` of it.

    With `--fields` JSON has those keys of the document, a table those columns of the rows.
    """
    with destination(settings, paged=True) as stream:
        if settings.format == "json":
            stream.write(json_text(fields.chosen(settings.fields, document)))
        elif settings.format == "jsonl":
            stream.write(json_line(fields.chosen(settings.fields, document)))
        elif settings.fields and settings.format == "table":
            if not columns:
                raise Misused("fields.none", "this answer has no rows to choose fields of; use --format json")
            _draw(settings, columns, list(rows), stream)
        elif settings.format == "csv":
            if not columns:
                raise Misused("format.none", "this answer has no rows for CSV; use --format json")
            _write_all(RowWriter(settings, columns, stream), rows)
        else:
            text(paper_for(settings, stream))


def json_text(document: Any) -> bytes:
    """A document as people read JSON: indented, one newline at the end."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def json_line(document: Any) -> bytes:
    """A document on one line."""
    return orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE)


def paper_for(settings: Settings, stream: IO[bytes]) -> Paper:
    """Paper for text on `stream`; coloured as `--color` says: only on a terminal, and not where NO_COLOR is set."""
    on_terminal = is_terminal(settings, stream)
    return Paper(
        stream,
        colour=_coloured(settings, on_terminal),
        encoding=terminal.encoding() if on_terminal else "utf-8",
        page=terminal.screen_width() if on_terminal else LIST_WIDTH,
    )


def _coloured(settings: Settings, on_terminal: bool) -> bool:
    if settings.colour == "auto":
        return on_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return settings.colour == "always"


def is_terminal(settings: Settings, stream: IO[bytes]) -> bool:
    """Whether the answer goes to a terminal, where somebody looks at it."""
    return settings.output in (None, "-") and stream.isatty()


def _write_all(writer: RowWriter, rows: Iterable[Row]) -> None:
    for row in rows:
        writer.write(row)
    writer.close()


class RowWriter:
    """Writes rows one by one as JSON, JSON lines or CSV, so that a long report is never held in memory.

    With `--fields` only those keys, in that order; the first row tells whether there are such.
    """

    def __init__(self, settings: Settings, columns: Sequence[Column], stream: IO[bytes]) -> None:
        self._stream = stream
        self._columns = columns
        self._fields = settings.fields
        self._names = settings.fields or [column.key for column in columns]
        self._format = settings.format
        self._written = 0

    def write(self, row: Row) -> None:
        """Writes the next row."""
        if not self._written:
            if self._fields:
                fields.check(self._fields, fields.known(self._columns, [row]))
            self._begin()
        if self._format == "csv":
            self._write_csv([_csv_value(row.get(name)) for name in self._names])
        else:
            content = {name: row.get(name) for name in self._names} if self._fields else row
            if self._format == "jsonl":
                self._stream.write(json_line(content))
            else:
                self._stream.write((b",\n" if self._written else b"[\n") + orjson.dumps(content))
        self._written += 1

    def close(self) -> None:
        """Ends an array; a report without rows has its titles all the same."""
        if not self._written:
            self._begin()
        if self._format == "json":
            self._stream.write(b"\n]\n" if self._written else b"[]\n")

    def _begin(self) -> None:
        if self._format == "csv":
            self._write_csv(self._names)

    def _write_csv(self, fields: Sequence[Any]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text).writerow(fields)
        self._stream.write(text.getvalue().encode())


def _csv_value(value: Any) -> Any:
    """Integers as integers, nothing as an empty field, a list as its members with spaces between; no formulas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        value = " ".join(str(each) for each in value)
    return _no_formula(value) if isinstance(value, str) else value


_FORMULA = re.compile("[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def _no_formula(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would compute it; a number stays one.

    OWASP, CSV injection: a player who calls himself `=HYPERLINK(...)` must not reach into who opens the file.
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
