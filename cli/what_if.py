"""`--with`: what a person may change in thought, and how the difference is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import completing
from cli.errors import Misused
from cli.options import Settings
from cli.output import write_document
from cli.progress import ProgressLine
from cli.tables import Column, Paper, clean, counted, draw_table, words, wrapped
from domain.money import dollars

if TYPE_CHECKING:
    from domain.desk import PublishedSheet
    from ledger.service import Ledger
    from projections.what_if import Change

SEATS: tuple[Column, ...] = (
    Column("round", "Round"),
    Column("seat", "Seat", "int"),
    Column("player", "Player"),
    Column("net_cents", "Net was", "cents"),
    Column("would_be_cents", "Would be", "cents"),
    Column("difference_cents", "Difference", "cents"),
    Column("wagers", "Wagers", "list"),
)


def with_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--with sheet=ID@VERSION|FILE` and `--with house-way=ID`."""
    return click.option(
        "--with",
        "with_",
        multiple=True,
        metavar="WHAT=...",
        shell_complete=completing.changes,
        help="What it would have come to with sheet=ID@VERSION, sheet=FILE or house-way=ID; nothing is stored.",
    )(command)


def change(ledger: Ledger, given: Sequence[str]) -> Change:
    """The change that `--with` asks for; misused where it cannot be read."""
    from projections.what_if import change_of

    asked: dict[str, str] = {}
    for each in given:
        what, equals, value = each.partition("=")
        if what not in ("sheet", "house-way") or not equals or not value or what in asked:
            raise Misused(
                "what-if.invalid", f"--with {each}: write sheet=ID@VERSION, sheet=FILE or house-way=ID, each once"
            )
        asked[what] = value
    sheet = None if "sheet" not in asked else _sheet(ledger, asked["sheet"])
    return change_of(sheet, asked.get("house-way"))


def _sheet(ledger: Ledger, named: str) -> PublishedSheet:
    """A published sheet, or the one in a file that is yet to be published."""
    from projections.what_if import published_sheet

    path = Path(named)
    if path.suffix.lower() not in (".json", ".toml"):
        return published_sheet(ledger, named)
    from domain.desk import PublishedSheet
    from domain.sheets.reading import content_from_text, read_sheet

    read = read_sheet(content_from_text(path.read_text(encoding="utf-8"), path.suffix.lower()))
    return PublishedSheet(read.ref, read.fingerprint, "", read.content)


def compare(settings: Settings, keys: Sequence[str], other: Change, processes: int | None = None) -> None:
    """Writes what the rounds of `keys` would have come to under the change."""
    from projections.rechecks import in_processes
    from projections.what_if import Sum, consider

    total, done = Sum(other), 0
    with ProgressLine(settings) as progress:
        for batch in in_processes(settings.url, keys, partial(consider, other), processes):
            done += len(batch)
            for each in batch:
                total.take(each)
            progress.count("rounds", done, len(keys))
    total.check()
    document = total.as_json()
    rows = [row | {"wagers": _wagers(row)} for row in total.rows]
    write_document(settings, document, text=lambda paper: print_comparison(paper, document), columns=SEATS, rows=rows)
    if settings.format == "csv" or settings.output not in (None, "-"):
        settings.note(f"rounds: {_sum(document)}")


def print_comparison(paper: Paper, document: Mapping[str, Any]) -> None:
    """The difference per seat, what could not be compared, and what it comes to."""
    paper.print_all(wrapped(f"With {_named(document['with'])}. Nothing of this is stored."))
    if document["seats"]:
        paper.print()
        rows = [row | {"player": _owner(row), "wagers": _wagers(row)} for row in document["seats"]]
        paper.print_all(draw_table(SEATS, rows))
        if document["rounds"] == 1:
            paper.print()
            paper.print_all(line for row in document["seats"] for line in _line_by_line(row))
    for left in document["not_computable"]:
        paper.print_all(wrapped(f"Not computed: round {left['round']}: {left['why']}.", hanging="  "))
    paper.print()
    paper.print_all(wrapped(_sum(document)))


def _owner(row: Mapping[str, Any]) -> str:
    return row["player"] or "the house"


def _wagers(row: Mapping[str, Any]) -> list[str]:
    return [line["wager"] for line in row["lines"]]


def _named(changed: Mapping[str, Any]) -> str:
    return " and ".join(f"{words(what)} {of}" for what, of in changed.items() if of is not None)


def _line_by_line(row: Mapping[str, Any]) -> Iterator[str]:
    yield f"Seat {row['seat']}, {clean(_owner(row))}"
    for line in row["lines"]:
        yield from wrapped(
            f"{words(line['wager'])}: was {_told(line['was'])}; would be {_told(line['would_be'])}", "  ", "  "
        )


def _told(figures: Mapping[str, Any] | None) -> str:
    if figures is None:
        return "no line"
    odds = "" if figures["odds"] is None else f" at {figures['odds']}"
    hand = "" if figures["hand"] in (None, "win") else f" for {words(figures['hand'])}"
    return f"{figures['outcome']}{odds}{hand}, net {dollars(figures['net_cents'])}"


def _sum(document: Mapping[str, Any]) -> str:
    compared = counted(document["compared"], "settled round")
    left = [
        f"{document[key]:,} {what}"
        for key, what in (("not_settled", "not settled or voided"), ("other_game", "of other games"))
        if document[key]
    ]
    if document["not_computable"]:
        left.append(f"{len(document['not_computable']):,} not computable")
    aside = f" ({', '.join(left)}: left out)" if left else ""
    if not document["seats"]:
        return f"{compared} compared{aside}: nothing would be different."
    players, house = document["players_difference_cents"], document["house_difference_cents"]
    return (
        f"{compared} compared{aside}, {document['changed']:,} would be different: players {_more(players)}, "
        f"the house with its meters {_more(house)}."
    )


def _more(cents: int) -> str:
    return f"{dollars(abs(cents))} {'less' if cents < 0 else 'more'}" if cents else "the same"
