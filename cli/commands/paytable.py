"""`rounds paytable`: what the tables pay, how often exactly, and what the house keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from cli.errors import Misused, NotFound
from cli.meant import meant
from cli.options import Command, Group, Settings
from cli.output import write_document, write_rows

if TYPE_CHECKING:
    from domain.odds import Listed


@click.group(cls=Group, example="rounds paytable show F-2")
def paytable() -> None:
    """List and show paytables and envy tables with their exact odds."""


_SHEET = click.option("--sheet", "ref", metavar="ID@VERSION", help="The tables of a published sheet.")
_SAMPLE = click.option("--sample", metavar="ID@VERSION", help="The tables of a sample that comes with the program.")


@paytable.command(
    "list",
    cls=Command,
    example="""
        rounds paytable list
        rounds paytable list --sheet fortune-cardroom@1
    """,
)
@_SHEET
@_SAMPLE
@click.pass_obj
def list_(settings: Settings, ref: str | None, sample: str | None) -> None:
    """List the tables that come with the program, or those that a sheet's wagers use."""
    from cli.paytable_view import LIST_COLUMNS, list_row

    rows = map(list_row, _tables(settings, ref, sample))
    write_rows(settings, LIST_COLUMNS, rows, none="no tables")


@paytable.command(
    cls=Command,
    example="""
        rounds paytable show F-2
        rounds paytable show "678a.12(c)-TRADE-2" --option R5=high_only
        rounds paytable show --sheet fortune-cardroom@1 SEED4-BONUS --format json
    """,
)
@click.argument("name", metavar="TABLE")
@_SHEET
@_SAMPLE
@click.option("--envy", is_flag=True, help="The envy table, where a paytable has the same name.")
@click.option("--option", "options", multiple=True, metavar="RULING=TOKEN", help="Count by this token of a ruling.")
@click.option("--house-way", metavar="ID", help="Count a dealer who sets by this house way.")
@click.pass_obj
def show(
    settings: Settings,
    name: str,
    ref: str | None,
    sample: str | None,
    envy: bool,
    options: Sequence[str],
    house_way: str | None,
) -> None:
    """Show a table: every line with its exact chance, and what the house keeps on average.

    A sheet's own options and house way count for its tables; others can be tried with --option and --house-way.
    """
    from cli.paytable_view import LINE_COLUMNS, document, print_listed

    tried = _terms(options, house_way)
    found = _named(name, _tables(settings, ref, sample), envy)
    found = replace(found, terms={**found.terms, **tried})
    shown = document(found)
    write_document(
        settings,
        shown,
        text=lambda paper: print_listed(paper, found),
        columns=LINE_COLUMNS,
        rows=shown["lines"],
    )


def _tables(settings: Settings, ref: str | None, sample: str | None) -> tuple[Listed, ...]:
    from cli.commands.sheet import published_sheet, sample_sheet
    from domain.odds import shipped, tables_of

    if ref is not None and sample is not None:
        raise Misused("sheet.which", "name one sheet, with --sheet or with --sample")
    if ref is not None:
        return tables_of(published_sheet(settings, ref))
    return shipped() if sample is None else tables_of(sample_sheet(sample))


def _named(name: str, tables: Sequence[Listed], envy: bool) -> Listed:
    matching = [each for each in tables if each.name == name and (each.is_envy or not envy)]
    if not matching:
        known = (each.name for each in tables)
        raise NotFound("paytable.unknown", f"no table {name!r} here; {meant(name, known)}")
    return matching[0]


def _terms(options: Sequence[str], house_way: str | None) -> dict[str, str]:
    """What is to be tried instead of the defaults; misused where no game knows it."""
    from domain.games import game, game_ids
    from domain.house_ways import house_way_ids

    known: dict[str, set[str]] = {}
    for id_ in game_ids():
        for ruling, tokens in game(id_).options.items():
            known.setdefault(ruling, set()).update(tokens)
    tried = {}
    for option in options:
        ruling, _, token = option.partition("=")
        if token not in known.get(ruling, ()):
            raise Misused("option.unknown", f"no game has the option {option!r}; write it like R5=high_only")
        tried[ruling] = token
    if house_way is not None:
        if house_way not in house_way_ids():
            raise NotFound("house-way.unknown", f"no house way {house_way!r}; {meant(house_way, house_way_ids())}")
        tried["house_way"] = house_way
    return tried
