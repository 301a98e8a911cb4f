"""`rounds list`: finds rounds."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from cli.options import Command, Settings
from cli.output import write_rows
from cli.store import filter_options, filters, say_lag, to_read
from cli.tables import Column, clean

if TYPE_CHECKING:
    from ledger.service import Ledger
    from projections.rounds import Filters


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

    Every filter given must hold. Opened is the time of day as the feed gave it, Z where it was UTC.
    """
    from projections import rounds

    with to_read(settings) as ledger:
        meant = filters(given)
        report = rounds.list_rounds(ledger, meant, limit=limit)
        none = "" if report.rows else _nothing_found(ledger, meant)
        write_rows(settings, COLUMNS, report.rows, none=none)
        say_lag(settings, report.lag)


def _nothing_found(ledger: Ledger, meant: Filters) -> str:
    """That no round was found, and which filters find none even alone: often a name written otherwise."""
    from projections import rounds

    alone = [replace(rounds.EVERY, **{name: value}) for name, value in asdict(meant).items() if value is not None]
    barren = [each for each in alone if not rounds.list_rounds(ledger, each, limit=1).rows]
    named = [f"--{name} {clean(value)}" for each in barren for name, value in asdict(each).items() if value is not None]
    return f"no such rounds; no round at all has {' or '.join(named)}" if named else "no such rounds"


COLUMNS: tuple[Column, ...] = (
    Column("round", "Round"),
    Column("table", "Table"),
    Column("gaming_day", "Day"),
    Column("opened_at", "Opened", "clock"),
    Column("number", "No", "int", in_table=False),
    Column("game", "Game"),
    Column("status", "Status"),
    Column("staked_cents", "Staked", "cents"),
    Column("net_cents", "Net", "cents"),
    Column("findings", "Findings", "list"),
)
