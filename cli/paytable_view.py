"""Paytables and envy tables as people and programs read them: each line with its exact chance, and the house edge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from cli.tables import Column, Paper, clean, draw_table, words, wrapped
from domain.money import dollars
from domain.odds import (
    EnvyOdds,
    LineOdds,
    Listed,
    NoOdds,
    TableOdds,
    envy_odds,
    one_in,
    percentage,
    table_odds,
)
from domain.odds.figures import decimal
from domain.sheets import EnvyTable, PayLine, Paytable

LIST_COLUMNS = (
    Column("table", "Table"),
    Column("kind", "Kind", in_table=False),
    Column("ranking", "Ranked by"),
    Column("wagers", "Wagers", "list"),
    Column("house_edge_percent", "House edge %", in_table=False),
    Column("summary", "On average"),
    Column("source", "Source"),
)
LINE_COLUMNS = tuple(
    map(Column, ("hand", "pays", "deals", "probability", "one_in", "gives_back", "gives_back_percent", "worth_cents"))
)

Odds = TableOdds | EnvyOdds


def odds_of(listed: Listed) -> Odds:
    """The table's odds under its own terms. Raises NoOdds."""
    if isinstance(listed.table, EnvyTable):
        return envy_odds(listed.table, listed.ranking, listed.terms)
    return table_odds(listed.table, listed.terms, listed.stake_cents)


def list_row(listed: Listed) -> dict[str, Any]:
    """The table in the list: what it is, where it comes from, and what it does on average."""
    shown = document(listed)
    keys = ("table", "kind", "ranking", "wagers", "house_edge", "house_edge_percent", "worth_cents", "summary")
    return {key: shown.get(key) for key in (*keys, "source")}


def document(listed: Listed) -> dict[str, Any]:
    """The whole table; chances are reduced fractions, and nothing is a float."""
    head = {
        "table": listed.name,
        "kind": "envy" if listed.is_envy else "paytable",
        "ranking": listed.ranking,
        "source": listed.table.source,
        "wagers": list(listed.wagers),
        "stake_cents": listed.stake_cents,
    }
    try:
        odds = odds_of(listed)
    except NoOdds as why:
        return head | {"lines": list(_lines_without_odds(listed.table)), "summary": str(why)}
    counted = {"terms": dict(odds.counted.terms), "deals": odds.counted.deals, "total": odds.counted.total}
    return head | counted | _figures(odds) | {"summary": _summary(odds)}


def _figures(odds: Odds) -> dict[str, Any]:
    if isinstance(odds, EnvyOdds):
        lines = [
            {"hand": each.hand, "cents": each.cents, "pays": dollars(each.cents)}
            | _chance(each.deals, each.chance)
            | {"worth_cents": str(each.gives_cents)}
            for each in odds.lines
        ]
        return {"lines": lines, "worth_cents": str(odds.gives_cents)}
    edge = odds.house_edge
    return {
        "lines": [
            _pay_line(each.line) | _chance(each.deals, each.chance) | _back(each.gives_back) for each in odds.lines
        ],
        "loses": _chance(odds.losing_deals, odds.losing_chance),
        **_back(odds.gives_back),
        "house_edge": None if edge is None else str(edge),
        "house_edge_percent": None if edge is None else percentage(edge),
    }


def _pay_line(line: PayLine) -> dict[str, Any]:
    figures = {key: getattr(line, key) for key in ("n", "cents", "percent", "level")}
    given = {key: value for key, value in figures.items() if value is not None}
    return {"hand": line.hand, "kind": line.kind, **given, "pays": _pays(line)}


def _pays(line: PayLine) -> str:
    return line.odds if line.cents is None else dollars(line.cents)


def _chance(deals: int, chance: Fraction) -> dict[str, Any]:
    return {"deals": deals, "probability": str(chance), "one_in": one_in(chance)}


def _back(gives_back: Fraction | None) -> dict[str, Any]:
    known = gives_back is not None
    return {
        "gives_back": str(gives_back) if known else None,
        "gives_back_percent": percentage(gives_back) if gives_back is not None else None,
    }


def _lines_without_odds(table: Paytable | EnvyTable) -> Iterator[dict[str, Any]]:
    if isinstance(table, Paytable):
        yield from map(_pay_line, table.lines)
    else:
        yield from ({"hand": hand, "cents": cents, "pays": dollars(cents)} for hand, cents in table.cents.items())


def _summary(odds: Odds) -> str:
    if isinstance(odds, EnvyOdds):
        return f"{_dollars(odds.gives_cents)} a hand"
    if odds.house_edge is not None:
        return f"house edge {percentage(odds.house_edge)} %"
    return f"{percentage(odds.gives_back)} % back, {_unknown(odds.lines)} aside"


def _unknown(lines: Sequence[LineOdds]) -> str:
    kinds = {each.line.kind for each in lines if each.gives_back is None}
    said = {"percent_of_meter": "meter", "fixed": "fixed amounts"}
    return " and ".join(text for kind, text in said.items() if kind in kinds)


def _dollars(cents: Fraction, digits: int = 4) -> str:
    return f"${decimal(cents / 100, digits)}"


_SENTENCES = {"envy": "On average: {} of another player's.", "paytable": "On average: {}."}


def print_listed(paper: Paper, listed: Listed) -> None:
    """Prints the table; the widest line keeps to 80 columns."""
    shown = document(listed)
    kind = "Envy table" if listed.is_envy else "Paytable"
    paper.print(paper.style(clean(f"{kind} {listed.name}, by {words(listed.ranking)}"), bold=True))
    paper.print_all(wrapped(f"Source: {listed.table.source}"))
    if listed.wagers:
        paper.print_all(wrapped(f"Wagers: {', '.join(map(words, listed.wagers))}"))
    if "total" in shown:
        under = "".join(f", {name} {words(value)}" for name, value in shown["terms"].items())
        paper.print_all(wrapped(f"Counted: {shown['total']:,}, {shown['deals']}{under}"))
    paper.print()
    paper.print_all(draw_table(_COLUMNS, [*map(_shown_line, shown["lines"]), *_losing(shown)]))
    paper.print()
    paper.print_all(wrapped(_SENTENCES[shown["kind"]].format(shown["summary"])))


_COLUMNS = (
    Column("hand", "Hand"),
    Column("pays", "Pays", "figure"),
    Column("deals", "Deals", "int"),
    Column("one_in", "One in", "figure"),
    Column("gives", "Gives", "figure"),
)


def _shown_line(line: Mapping[str, Any]) -> dict[str, Any]:
    shown = {"hand": words(line["hand"]), "pays": line["pays"], "deals": line.get("deals")}
    if "probability" in line:
        shown |= {"one_in": _grouped(line["probability"]), "gives": _gives(line)}
    return shown


def _losing(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if "loses" in document:
        loses = document["loses"]
        yield {
            "hand": "anything else",
            "pays": "loses",
            "deals": loses["deals"],
            "one_in": _grouped(loses["probability"]),
        }


def _grouped(probability: str) -> str | None:
    """One in so many, with commas; a tenth is of interest below a thousand only."""
    chance = Fraction(probability)
    if not chance:
        return None
    return decimal(1 / chance, 1) if 1 / chance < 1000 else f"{int(decimal(1 / chance, 0)):,}"


def _gives(line: Mapping[str, Any]) -> str | None:
    """What the line adds on average: of a stake in percent, of an envy table in dollars."""
    if "worth_cents" in line:
        return _dollars(Fraction(line["worth_cents"]), digits=6)
    return None if line["gives_back"] is None else f"{percentage(Fraction(line['gives_back']), digits=3)} %"
