"""`rounds list`: finds rounds."""

from __future__ import annotations

import click

from cli.options import Command, Settings
from cli.output import write_rows
from cli.store import filter_options, filters, say_lag, to_read
from cli.tables import Column


@click.command(
    "list",
    cls=Command,
    example="""
        rounds list --day 2026-03-14 --table PG01
        rounds list --finding hand.foul --format csv -o fouls.csv
    """,
)
@filter_options
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N rounds.")
@click.pass_obj
def list_rounds(settings: Settings, /, limit: int | None, **given: str | None) -> None:
    """List rounds in the order in which they were opened, with what they staked, how players fared, and their findings.

    Every filter given must hold.
    """
    from projections import rounds

    with to_read(settings) as ledger:
        report = rounds.list_rounds(ledger, filters(given), limit=limit)
        write_rows(settings, COLUMNS, report.rows, none="no such rounds")
        say_lag(settings, report.lag)


COLUMNS: tuple[Column, ...] = (
    Column("round", "Round"),
    Column("table", "Table"),
    Column("gaming_day", "Day"),
    Column("number", "No", "int"),
    Column("game", "Game"),
    Column("status", "Status"),
    Column("staked_cents", "Staked", "cents"),
    Column("net_cents", "Net", "cents"),
    Column("findings", "Findings", "list"),
)
