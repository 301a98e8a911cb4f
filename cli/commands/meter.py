"""`rounds meter`: progressive meters as they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from cli import completing
from cli.errors import NotFound
from cli.meter_notes import notes
from cli.options import Command, Group, Settings
from cli.output import write_document, write_rows
from cli.store import as_of_option, point_of, say_lag, to_read
from cli.tables import Column, Paper, draw_table, percent_text, wrapped

LEVEL_COLUMNS: tuple[Column, ...] = (
    Column("level", "Level"),
    Column("display_cents", "Display", "cents"),
    Column("accrued_micros", "Accrued", "micros"),
    Column("overflow_micros", "Overflow", "micros"),
    Column("reserve_micros", "Reserve", "micros"),
    Column("in_count", "Wagers", "int"),
    Column("hits", "Hits", "int"),
    Column("wins_micros", "Paid", "micros"),
    Column("base_micros", "Base", "micros", in_table=False),
    Column("reset_micros", "Reset", "micros", in_table=False),
    Column("rate_bp", "Rate", "int", in_table=False),
    Column("hidden_rate_bp", "Hidden rate", "int", in_table=False),
    Column("limit_micros", "Limit", "micros", in_table=False),
    Column("position", "Position", "int", in_table=False),
)
TERMS_COLUMNS: tuple[Column, ...] = (
    Column("level", "Level"),
    Column("base_micros", "Base", "micros"),
    Column("reset_micros", "Reset", "micros"),
    Column("rate", "Rate"),
    Column("hidden_rate", "Hidden rate"),
    Column("limit_micros", "Limit", "micros"),
)
METER_COLUMNS = (Column("meter", "Meter"), Column("property", "Property"))


@click.group(cls=Group, example="rounds meter show PROG")
def meter() -> None:
    """Show progressive meters."""


@meter.command("list", cls=Command, example="rounds meter list --format csv -o meters.csv")
@click.pass_obj
def list_(settings: Settings) -> None:
    """List every level of every meter."""
    from projections import meters

    with to_read(settings) as ledger:
        report = meters.list_meters(ledger)
        write_rows(settings, METER_COLUMNS + LEVEL_COLUMNS, _level_rows(report.rows), none="no meters yet")
        say_lag(settings, report.lag)


@meter.command(
    cls=Command,
    example="""
        rounds meter show PROG
        rounds meter show PROG --as-of 1200 --format json
    """,
)
@click.argument("meter_name", metavar="METER", shell_complete=completing.meters)
@as_of_option
@click.pass_obj
def show(settings: Settings, meter_name: str, as_of: str | None) -> None:
    """Show what each level of METER holds, shows and has paid."""
    from projections import meters

    point = point_of(as_of)
    with to_read(settings) as ledger:
        report = meters.show_meter(ledger, meter_name, point)
        found = next(iter(report.rows), None)
        if found is None:
            say_lag(settings, report.lag)
            then = "" if point is None else " at that point"
            raise NotFound("meter.unknown", f"no meter {meter_name!r} in this ledger{then}; see `rounds meter list`")
        write_document(
            settings,
            found,
            text=lambda paper: _print_meter(paper, found),
            columns=METER_COLUMNS + LEVEL_COLUMNS,
            rows=_level_rows([found]),
        )
        say_lag(settings, report.lag)


def _level_rows(meters: Any) -> Iterator[Mapping[str, Any]]:
    """A row for each level, of meters that come whole or level by level."""
    for each in meters:
        for level in each.get("levels", [{}]):
            yield {**each, **level}


def _print_meter(paper: Paper, document: Mapping[str, Any]) -> None:
    paper.print_all(draw_table(METER_COLUMNS, [document]))
    paper.heading("Readings")
    paper.print_all(draw_table(LEVEL_COLUMNS, document["levels"]))
    paper.heading("Terms")
    paper.print_all(draw_table(TERMS_COLUMNS, [_terms(level) for level in document["levels"]]))
    if said := notes(document):
        paper.heading("Notes")
        paper.print_all(line for note in said for line in wrapped(note, indent="  ", hanging="  "))


def _terms(level: Mapping[str, Any]) -> Mapping[str, Any]:
    """Rates as percentages; a basis point is a hundredth of one."""
    return {
        **level,
        "rate": percent_text(level["rate_bp"]),
        "hidden_rate": percent_text(level["hidden_rate_bp"]),
    }
