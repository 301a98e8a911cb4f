"""`rounds list`: finds rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from cli.errors import Misused
from cli.filters import filter_options, filters, say_nothing_found
from cli.options import Command, Settings
from cli.output import write_rows
from cli.store import keep_up, say_lag, to_read
from cli.tables import Column, clean, counted

if TYPE_CHECKING:
    from ledger.service import Ledger
    from projections.filters import Filters


@click.command(
    "list",
    cls=Command,
    example="""
        rounds list --table PG01 --seat 2 --around 7pm
        rounds list --hand 'four eights' --won 100..500
        rounds list --finding hand.foul --format csv -o fouls.csv
        rounds list --missing --day 2026-03-14
    """,
)
@filter_options
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N rounds.")
@click.option(
    "--missing", is_flag=True, help="Instead of rounds, the round numbers that tables skipped on a gaming day."
)
@click.pass_obj
def list_rounds(settings: Settings, /, limit: int | None, missing: bool, **given: Any) -> None:
    """List rounds in the order in which they were opened, with what they staked, how players fared, and their findings.

    Every filter given must hold; what is said of a seat, a hand, a player and a line is of one and the same seat.
    Opened is the time of day on the property's clock, as --around means it; JSON and CSV have it as the feed gave it.
    """
    from projections import rounds

    with to_read(settings) as ledger:
        keep_up(settings, ledger, rounds.Rounds)
        meant = filters(ledger, given)
        if missing:
            _write_missing(settings, ledger, meant, given)
            return
        report = rounds.list_rounds(ledger, meant, limit=limit)
        none = "" if report.rows else say_nothing_found(ledger, given)
        rows = _on_their_clocks(ledger, report.rows) if settings.format == "table" else report.rows
        write_rows(settings, COLUMNS, rows, none=none)
        if meant.table is not None and meant.day is not None:
            _note_missing(settings, ledger, meant)
        say_lag(ledger, report.lag)


def _on_their_clocks(ledger: Ledger, rows: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The rounds with the time at which each was opened on its property's own clock, whatever the feed gave."""
    from domain.desk import property_key
    from domain.times import local

    zones = {name: ledger.desk.get(property_key(name)).zone for name in {row["property"] for row in rows}}
    for row in rows:
        yield {**row, "opened_at": local(row["opened_at"], zones[row["property"]])}


def _write_missing(settings: Settings, ledger: Ledger, meant: Filters, given: dict[str, Any]) -> None:
    from projections.missing import missing_numbers

    others = [name for name, value in given.items() if value is not None and name not in ("property", "table", "day")]
    if others:
        raise Misused("missing.filters", "--missing looks at whole days of tables; only --property, --table and --day")
    report = missing_numbers(ledger, meant)
    write_rows(settings, MISSING, report.rows, none="no round number is missing")
    say_lag(ledger, report.lag)


def _note_missing(settings: Settings, ledger: Ledger, meant: Filters) -> None:
    """Says which round numbers the table skipped that day: a round that is not listed may be one of them."""
    from projections.missing import missing_numbers

    for row in missing_numbers(ledger, meant).rows:
        numbers = ", ".join(row["missing"][:_MOST_RANGES]) + (" ..." if len(row["missing"]) > _MOST_RANGES else "")
        where = f"{clean(row['table'])} on {row['gaming_day']}"
        settings.note(f"rounds: {counted(row['missing_count'], 'round number')} of {where} missing: {numbers}")


_MOST_RANGES = 10

COLUMNS: tuple[Column, ...] = (
    Column("round", "Round"),
    Column("table", "Table"),
    Column("gaming_day", "Day"),
    Column("opened_at", "Opened", "clock"),
    Column("number", "No", "int", in_table=False),
    Column("game", "Game"),
    Column("status", "Status"),
    Column("seats_found", "Seat", "list"),
    Column("staked_cents", "Staked", "cents"),
    Column("net_cents", "Net", "cents"),
    Column("findings", "Findings", "list"),
)

MISSING: tuple[Column, ...] = (
    Column("property", "Property"),
    Column("table", "Table"),
    Column("gaming_day", "Day"),
    Column("last", "Last", "int"),
    Column("missing_count", "Missing", "int"),
    Column("missing", "Numbers", "list"),
)
