"""`rounds export` and `rounds import`: the whole log as JSON lines, and a ledger filled from them."""

from __future__ import annotations

import gzip
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO, TYPE_CHECKING, Any, cast

import click

from cli.errors import Misused
from cli.options import Command, Settings
from cli.output import destination, write_document
from cli.progress import ProgressLine
from cli.store import to_read
from cli.tables import Column, Paper, counted

if TYPE_CHECKING:
    from ledger.integrity import Anchor

COLUMNS = (Column("database"), Column("count", kind="int"), Column("head"))
STANDARD_INPUT = "-"


@click.command(
    name="export",
    cls=Command,
    example="""
        rounds export -o log.jsonl
        rounds export -o log.jsonl.gz
    """,
)
@click.option("--after", type=click.IntRange(min=0), default=0, metavar="POSITION", help="Only events after this one.")
@click.option("--until", type=click.IntRange(min=0), metavar="POSITION", help="Only events up to this one.")
@click.pass_obj
def export(settings: Settings, after: int, until: int | None) -> None:
    """Write the log as JSON lines, an event a line with every column of it, readable without this program.

    The first line says what the file is, the last is the anchor of the log up to there; docs/backup.md has the form and
    a program of a few lines that checks the hashes. Every event is checked on the way.

    Exit: 0 it is written, 5 an event is not as it was recorded.
    """
    from ledger.transfer import export as export_log

    if settings.format_given not in (None, "jsonl") or settings.format in ("json", "csv"):
        raise Misused("export.format", "the log is exported as JSON lines; use --format jsonl, or -o FILE.jsonl")
    with ProgressLine(settings, with_answer=True) as progress, to_read(settings) as ledger:
        tell = partial(progress.count, "events exported")
        with destination(settings) as stream:
            end = export_log(ledger, stream.write, after, until, tell)
            _reach_the_disk(stream)
    settings.note(f"rounds: exported {counted(end.count - after, 'event')}; the head is {end.head}")


def _reach_the_disk(stream: IO[bytes]) -> None:
    """What is kept for years is on the disk before it is said to be written."""
    stream.flush()
    try:
        descriptor = stream.fileno()
    except (OSError, AttributeError):
        return
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.fsync(descriptor)


@click.command(
    name="import",
    cls=Command,
    example="""
        rounds import log.jsonl --db sqlite:///copy.db
        zcat log.jsonl.gz | rounds import - --db postgresql+psycopg://owner@db/rounds
    """,
)
@click.argument("file", metavar="FILE|-", type=click.Path())
@click.pass_obj
def import_(settings: Settings, file: str) -> None:
    """Fill the ledger that --db names, which must be empty or not there yet, from an export of a whole log.

    Positions, versions, ids, times and hashes stay what they were, so the head is the same. All or nothing: a line that
    is not as an export wrote it ends the import with its number.

    Exit: 0 it is imported, 1 a line is malformed or the place holds a ledger, 5 a line is not what was recorded or the
    end is missing.
    """
    from ledger.transfer import import_log

    with ProgressLine(settings) as progress, _lines(file) as lines:
        end = import_log(lines, settings.url, partial(progress.count, "events imported"))
    _say(settings, end)


def _say(settings: Settings, end: Anchor) -> None:
    from ledger.settings import shown

    document = {"database": shown(settings.url), **end.as_json()}

    def text(paper: Paper) -> None:
        paper.print(f"Imported: {counted(end.count, 'event')} into {document['database']}, all as recorded.")
        paper.print(f"Head {end.head}")

    write_document(settings, document, text=text, columns=COLUMNS, rows=[document])


@contextmanager
def _lines(file: str) -> Iterator[IO[bytes]]:
    """The file, decompressed where its name says so, or standard input."""
    from ledger.transfer import ImportCut

    if file == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with cast(Any, gzip.open if file.endswith(".gz") else open)(file, "rb") as stream:
        try:
            yield stream
        except (EOFError, zlib.error, gzip.BadGzipFile) as trouble:
            raise ImportCut(f"{file} cannot be decompressed ({trouble}); nothing was imported") from None
