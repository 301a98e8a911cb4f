"""`rounds backup` and `rounds restore`: a copy of the ledger that is taken while others record, and its way back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.commands.integrity import anchor_in
from cli.options import Command, Settings
from cli.output import write_document
from cli.progress import ProgressLine
from cli.store import to_read
from cli.tables import Column, Paper, counted

if TYPE_CHECKING:
    from ledger.backup import Copied

BACKUP_COLUMNS = (Column("file"), Column("bytes", kind="int"), Column("count", kind="int"), Column("head"))
RESTORE_COLUMNS = (Column("database"), Column("count", kind="int"), Column("head"))


@click.command(
    cls=Command,
    example="""
        rounds backup rounds-2026-03-14.backup
        rounds verify --db sqlite:///rounds-2026-03-14.backup
    """,
)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE where it is there already.")
@click.pass_obj
def backup(settings: Settings, file: Path, force: bool) -> None:
    """Copy the ledger as it stands at this moment into FILE, while others go on recording.

    FILE is a SQLite ledger in itself, whichever database the ledger is in, and can be read with --db. It takes
    its name only when it is whole and on the disk.
    """
    from ledger.backup import backup as back_up

    with ProgressLine(settings) as progress, to_read(settings) as ledger:
        copied = back_up(ledger, file, replace=force, tell=progress.count)
    document = {"file": str(file), "bytes": file.stat().st_size, "count": copied.events, "head": copied.head}

    def text(paper: Paper) -> None:
        paper.print(f"Backed up: {counted(copied.events, 'event')} in {file} ({document['bytes']:,} bytes).")
        _print_head(paper, copied)
        paper.print(f"To prove it: rounds verify --db sqlite:///{file}")

    write_document(settings, document, text=text, columns=BACKUP_COLUMNS, rows=[document])


@click.command(
    cls=Command,
    example="""
        rounds restore rounds-2026-03-14.backup --db sqlite:///restored.db
        rounds verify --db sqlite:///restored.db
    """,
)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--anchor", "anchor_file", metavar="FILE", type=click.Path(), help="An anchor that the backup must agree with."
)
@click.pass_obj
def restore(settings: Settings, file: Path, anchor_file: str | None) -> None:
    """Put the backup FILE into the ledger that --db names, which must be empty or not there yet.

    Every event of the backup is verified before any of it counts. Whatever goes wrong leaves the place as it was.

    Exit: 0 it is restored, 1 the place holds a ledger, 5 the backup is not as it was recorded.
    """
    from ledger.backup import restore as put_back

    kept = anchor_in(anchor_file)
    with ProgressLine(settings) as progress:
        copied = put_back(file, settings.url, kept, progress.count)
    document = {"database": copied.place, "count": copied.events, "head": copied.head}

    def text(paper: Paper) -> None:
        paper.print(f"Restored: {counted(copied.events, 'event')} into {copied.place}, all as recorded.")
        _print_head(paper, copied)

    write_document(settings, document, text=text, columns=RESTORE_COLUMNS, rows=[document])


def _print_head(paper: Paper, copied: Copied) -> None:
    paper.print(f"Head {copied.head}")
