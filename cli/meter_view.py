"""Meters as a person reads them: the report as a statement with a column a level, and a level's life in one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cli.tables import Column, Paper, clean, counted, draw_list, micros_text, percent_text, words
from domain.money import MICROS_PER_CENT

Row = Mapping[str, Any]
SPARKS = "▁▂▃▄▅▆▇█"
SPARKS_IN_ASCII = "_.-:=+*#"
SPARK_WIDTH = 48
_FEW = 3

REPORT_COLUMNS: tuple[Column, ...] = tuple(
    Column(name, name)
    for name in (
        "day",
        "from",
        "property",
        "meter",
        "level",
        "opening",
        "increments",
        "hidden_increments",
        "resets",
        "adjustments",
        "adjustments_by_reason",
        "transfers_in",
        "transfers_out",
        "wins",
        "closing",
        "in_count",
        "hits",
        "slips",
        "hidden_opening",
        "reserve_used",
        "hidden_adjustments",
        "hidden_transfers_out",
        "hidden_closing",
        "base_micros",
        "reset_micros",
        "rate_bp",
        "hidden_rate_bp",
        "limit_micros",
        "must_hit_by_micros",
        "display_cents",
        "overflow",
        "read_display",
        "read_expected",
        "difference",
        "tolerance_cents",
        "within_tolerance",
        "read_at",
        "read_by",
        "tables",
        "retired_day",
        "holds",
    )
)
EXCEPTION_COLUMNS: tuple[Column, ...] = (
    Column("code", "What"),
    Column("meter", "Meter"),
    Column("level", "Level"),
    Column("gaming_day", "Day"),
    Column("round", "Round"),
    Column("at", "At", in_table=False),
    Column("text", "Why"),
)
_HIT_COLUMNS = (
    Column("level", "Level"),
    Column("round", "Round"),
    Column("line_id", "Line"),
    Column("share", "Share", "figure"),
    Column("win_micros", "Won", "micros"),
    Column("state", "State"),
    Column("slip", "Slip"),
)
_STATEMENT = (
    ("Opening", "opening", True),
    ("+ Increments", "increments", True),
    ("+ Resets", "resets", True),
    ("+ Adjustments", "adjustments", True),
    ("+ Transfers in", "transfers_in", True),
    ("- Transfers out", "transfers_out", True),
    ("- Wins", "wins", True),
    ("= Closing", "closing", True),
)
_RESERVE = (
    ("Reserve, opening", "hidden_opening", False),
    ("+ Hidden increments", "hidden_increments", False),
    ("- Into resets", "reserve_used", False),
    ("+ Adjustments", "hidden_adjustments", False),
    ("- Moved on", "hidden_transfers_out", False),
    ("= Reserve, closing", "hidden_closing", False),
)


def report_rows(document: Row) -> Iterator[dict[str, Any]]:
    """A row for each level of the report."""
    for meter in document["meters"]:
        for level in meter["levels"]:
            head = {name: meter[name] for name in ("meter", "property", "tables")}
            reasons = [f"{reason}={amount}" for reason, amount in level["adjustments_by_reason"].items()]
            days = {"day": document["day"], "from": document["from"]}
            yield {**days, **head, **level, "adjustments_by_reason": reasons}


def print_report(paper: Paper, document: Row) -> None:
    """The whole report: a statement for each meter, what its hits came to, the exceptions, and whether it holds."""
    days = document["day"] if document["from"] == document["day"] else f"{document['from']} to {document['day']}"
    paper.print(paper.style(f"Meters, gaming day {days}", bold=True))
    for meter in document["meters"]:
        tables = f", fed by {' '.join(map(clean, meter['tables']))}" if meter["tables"] else ", fed by no table"
        paper.heading(f"{clean(meter['meter'])}, {clean(meter['property'])}{tables}")
        _print_statement(paper, meter["levels"])
        hits = [
            {"level": level["level"], "share": f"{hit['percent']} %", **hit}
            for level in meter["levels"]
            for hit in level["hit_lines"]
        ]
        if hits:
            paper.print()
            paper.print_all(draw_list(_HIT_COLUMNS, hits, paper.page))
    if document["exceptions"]:
        paper.heading(f"To look at: {len(document['exceptions'])}")
        paper.print_all(draw_list(EXCEPTION_COLUMNS, list(_gathered(document["exceptions"])), paper.page))
    paper.print()
    for line in _proof(document):
        paper.print(line)


def _gathered(exceptions: Sequence[Row]) -> Iterator[Row]:
    """What is found of one meter again and again in one row, by its first; `--exceptions` has each of them."""
    kinds: dict[tuple[str, str | None, str | None], list[Row]] = {}
    for each in exceptions:
        kinds.setdefault((each["code"], each["meter"], each["level"]), []).append(each)
    for found in kinds.values():
        if len(found) <= _FEW:
            yield from found
        else:
            yield {**found[0], "text": f"{len(found)} times; the first: {found[0]['text']}"}


def _proof(document: Row) -> Iterator[str]:
    levels = [(meter["meter"], level) for meter in document["meters"] for level in meter["levels"]]
    if document["holds"]:
        yield f"The equation holds for {counted(len(levels), 'level')}, and all days lead to what the meters hold."
        return
    for meter, level in levels:
        for each in level["differences"]:
            yield (
                f"DOES NOT HOLD: {clean(meter)} {clean(level['level'])}, {each['what']}: the figures come to "
                f"{micros_text(each['expected_micros'])}, the level has {micros_text(each['found_micros'])}."
            )


def _print_statement(paper: Paper, levels: Sequence[Row]) -> None:
    """The equation downwards and the levels across; a line that is nought for every level is left out, the equation's
    own lines apart."""
    columns = [Column("what", " ")] + [
        Column(f"of {place}", clean(level["level"]), "figure") for place, level in enumerate(levels)
    ]
    decimals = [max(map(_decimals, _amounts(level))) for level in levels]
    lines = list(_lines(levels, decimals))
    paper.print_all(draw_list(columns, [{"what": what, **_across(texts)} for what, texts in lines], paper.page))


def _across(texts: Iterable[str]) -> dict[str, str]:
    return {f"of {place}": text for place, text in enumerate(texts)}


def _lines(levels: Sequence[Row], decimals: Sequence[int]) -> Iterator[tuple[str, list[str]]]:
    def money(amounts: Iterable[int | None]) -> list[str]:
        return [
            "" if amount is None else micros_text(amount, places)
            for amount, places in zip(amounts, decimals, strict=True)
        ]

    for what, name, always in _STATEMENT:
        if always or any(level[name] for level in levels):
            yield what, money(level[name] for level in levels)
        if name == "adjustments":
            for reason in sorted({reason for level in levels for reason in level["adjustments_by_reason"]}):
                yield f"    {words(reason)}", money(level["adjustments_by_reason"].get(reason) for level in levels)
    yield "Shows", money(level["display_cents"] * MICROS_PER_CENT for level in levels)
    for what, name in (("Above the limit", "overflow"),):
        if any(level[name] for level in levels):
            yield what, money(level[name] for level in levels)
    for what, name, _ in _RESERVE:
        if any(level[name] for level in levels):
            yield what, money(level[name] for level in levels)
    yield "Wagers", [f"{level['in_count']:,}" for level in levels]
    yield "Hits", [f"{level['hits']:,}" for level in levels]
    if any(level["read_display"] is not None for level in levels):
        yield "Sign read", money(_cents(level["read_display"]) for level in levels)
        yield "It should show", money(_cents(level["read_expected"]) for level in levels)
        yield "Difference", [_difference(level, places) for level, places in zip(levels, decimals, strict=True)]
        yield "Read by", [level["read_by"] or "" for level in levels]
    if any(level["rate_bp"] is not None for level in levels):
        yield "Rate", ["" if level["rate_bp"] is None else percent_text(level["rate_bp"]) for level in levels]
        if any(level["hidden_rate_bp"] for level in levels):
            yield "Hidden rate", [percent_text(level["hidden_rate_bp"] or 0) for level in levels]
    if any(level["retired_day"] for level in levels):
        yield "Retired", [level["retired_day"] or "" for level in levels]


def _cents(cents: int | None) -> int | None:
    return None if cents is None else cents * MICROS_PER_CENT


def _difference(level: Row, places: int) -> str:
    if level["difference"] is None:
        return ""
    text = micros_text(level["difference"] * MICROS_PER_CENT, places)
    return text if level["within_tolerance"] else f"! {text}"


def _amounts(level: Row) -> list[int]:
    return [level[name] for _, name, _ in (*_STATEMENT, *_RESERVE)]


def _decimals(micros: int) -> int:
    return max(2, len(f"{abs(micros) % 1_000_000:06d}".rstrip("0")))


def sparkline(values: Sequence[int], *, ascii_only: bool = False) -> str:
    """The course of `values` in one line, the least at the bottom and the most at the top.

    >>> sparkline([0, 5, 10, 2]), sparkline([3, 3], ascii_only=True)
    ('▁▄█▂', '__')
    """
    marks = SPARKS_IN_ASCII if ascii_only else SPARKS
    least, most = min(values), max(values)
    step = max(most - least, 1)
    return "".join(marks[(value - least) * (len(marks) - 1) // step] for value in values)
