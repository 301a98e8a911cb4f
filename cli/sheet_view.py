"""A sheet as people read it: its terms, its wagers, and every table with where it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cli.tables import Column, Paper, clean, draw_record, draw_table, percent_text, words, wrapped
from domain.games import game
from domain.money import dollars
from domain.sheets import Paytable, Sheet

LINE_COLUMNS = (Column("table"), Column("ranking"), Column("hand"), Column("pays"))


def line_rows(sheet: Sheet) -> Iterator[Mapping[str, Any]]:
    """Every line of every table of the sheet, for CSV."""
    for table in _paytables(sheet):
        for line in table.lines:
            pays = dollars(line.cents) if line.cents is not None else line.odds
            yield {"table": table.name, "ranking": table.ranking, "hand": line.hand, "pays": pays}
    for name, table_ in _envy_tables(sheet).items():
        for hand, cents in table_.items():
            yield {"table": name, "ranking": "envy", "hand": hand, "pays": dollars(cents)}


def print_sheet(paper: Paper, sheet: Sheet) -> None:
    """Prints the sheet; the widest line keeps to 80 columns."""
    paper.print(paper.style(clean(f"{sheet.title} ({sheet.ref})"), bold=True))
    paper.print_all(wrapped(f"Source: {sheet.source}"))
    paper.print()
    paper.print_all(draw_record(_TERMS, _terms(sheet)))
    paper.heading("Wagers")
    paper.print_all(draw_table(_WAGERS, [_wager(sheet, id_) for id_ in _wagers(sheet)], indent="  "))
    for table in _paytables(sheet):
        _print_table(paper, f"Paytable {table.name}, by {words(table.ranking)}", table.source, _pays(table))
    for name, cents in _envy_tables(sheet).items():
        pays = [{"hand": words(hand), "pays": dollars(each)} for hand, each in cents.items()]
        _print_table(paper, f"Envy table {name}", _envy_source(sheet, name), pays)


_TERMS = (
    Column("game", "Game"),
    Column("positions", "Positions"),
    Column("house_way", "House way"),
    Column("commission", "Commission"),
    Column("player_bank", "A player may bank"),
    Column("two_hands", "Two hands of a player"),
    Column("envy", "Least stake for envy"),
    Column("payout_limit", "Most a seat can win"),
    Column("options", "Rulings"),
)
_WAGERS = (
    Column("wager", "Wager"),
    Column("min_cents", "Least", "cents"),
    Column("max_cents", "Most", "cents"),
    Column("toke_max_cents", "Toke", "cents"),
    Column("paytable", "Paytable"),
    Column("envy", "Envy"),
    Column("meter", "Meter"),
)
_PAYS = (Column("hand", "Hand"), Column("pays", "Pays"))


def _terms(sheet: Sheet) -> Mapping[str, Any]:
    commission = sheet.commission
    return {
        "game": sheet.game,
        "positions": str(sheet.positions),
        "house_way": sheet.house_way,
        "commission": None if commission is None else f"{percent_text(commission.bp)}, {words(commission.rounding)}",
        "player_bank": "yes" if sheet.player_bank else "no",
        "two_hands": sheet.two_hands,
        "envy": _amount(sheet.envy_minimum_cents),
        "payout_limit": _amount(sheet.payout_limit_cents),
        "options": ", ".join(
            f"{ruling} {words(sheet.options[ruling])}" for ruling in sorted(sheet.options, key=_number)
        ),
    }


def _number(ruling: str) -> int:
    return int(ruling.removeprefix("R"))


def _amount(cents: int | None) -> str | None:
    return None if cents is None else dollars(cents)


def _wager(sheet: Sheet, id_: str) -> Mapping[str, Any]:
    terms = sheet.wagers[id_]
    return {
        "wager": words(id_),
        "min_cents": terms.min_cents,
        "max_cents": terms.max_cents,
        "toke_max_cents": terms.toke_max_cents,
        "paytable": terms.paytable.name,
        "envy": None if terms.envy is None else terms.envy.name,
        "meter": ", ".join(terms.meters) or None,
    }


def _print_table(paper: Paper, title: str, source: str, pays: list[dict[str, str]]) -> None:
    paper.heading(clean(title))
    paper.print_all(draw_table(_PAYS, pays, indent="  "))
    paper.print_all(wrapped(f"Source: {source}", indent="  "))


def _pays(table: Paytable) -> list[dict[str, str]]:
    return [
        {"hand": words(line.hand), "pays": dollars(line.cents) if line.cents is not None else line.odds}
        for line in table.lines
    ]


def _wagers(sheet: Sheet) -> list[str]:
    """The wagers on offer in the game's order, which is the settling order."""
    return [rule.id for rule in game(sheet.game).wagers if rule.id in sheet.wagers]


def _paytables(sheet: Sheet) -> list[Paytable]:
    tables = [sheet.wagers[id_].paytable for id_ in _wagers(sheet)]
    return list({table.name: table for table in tables}.values())


def _envy_tables(sheet: Sheet) -> dict[str, Mapping[str, int]]:
    return {terms.envy.name: terms.envy.cents for terms in sheet.wagers.values() if terms.envy is not None}


def _envy_source(sheet: Sheet, name: str) -> str:
    return next(terms.envy.source for terms in sheet.wagers.values() if terms.envy and terms.envy.name == name)
