"""`rounds projection`: the tables that reports are read from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cli.errors import REFUSED, Finished
from cli.options import Command, Group, Settings
from cli.output import write_rows
from cli.progress import ProgressLine
from cli.store import to_read
from cli.tables import Column

if TYPE_CHECKING:
    from projections.standing import Status

COLUMNS = (
    Column("name", "Projection"),
    Column("schema", "Schema", "int"),
    Column("position", "Position", "int"),
    Column("lag", "Lag", "int"),
    Column("error_position", "Stopped at", "int"),
    Column("error", "Because"),
)


@click.group(cls=Group, example="rounds projection status")
def projection() -> None:
    """Look after the tables that reports are read from; they can be thrown away and rebuilt from the log."""


@projection.command(cls=Command, example="rounds projection status")
@click.pass_obj
def status(settings: Settings) -> None:
    """Show how far each projection is, how many events it lacks, and what stopped it.

    Exit: 0 all go on, 1 one is stopped by an event that it cannot take in.
    """
    from projections import catalog

    with to_read(settings) as ledger:
        _write(settings, catalog.status(ledger))


@projection.command(
    cls=Command,
    example="""
        rounds projection rebuild
        rounds projection rebuild balances
    """,
)
@click.argument("name", required=False, metavar="[NAME]")
@click.pass_obj
def rebuild(settings: Settings, name: str | None) -> None:
    """Build the projection NAME, or all of them, anew from the log; reports read the old rows until it is done."""
    from projections import catalog

    progress = ProgressLine(settings)
    with to_read(settings) as ledger:
        built = catalog.rebuild(
            ledger, name, progress=lambda of, done, head: progress.say(f"{of}: {done:,} of {head:,} events")
        )
        progress.clear()
        _write(settings, built)


def _write(settings: Settings, statuses: Sequence[Status]) -> None:
    rows = [{column.key: getattr(each, column.key) for column in COLUMNS} for each in statuses]
    write_rows(settings, COLUMNS, rows, none="no projections")
    if any(each.error is not None for each in statuses):
        click.echo("rounds: a projection is stopped; its rows stand at the position before that event", err=True)
        raise Finished(REFUSED)
