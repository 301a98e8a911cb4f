"""`rounds verify` and `rounds anchor`: whether the log is what was recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.errors import BROKEN, Finished, Misused
from cli.options import Command, Settings
from cli.output import json_text, write_document
from cli.progress import ProgressLine
from cli.store import to_read
from cli.tables import Column, Paper, clean, counted, wrapped

if TYPE_CHECKING:
    from ledger.integrity import Anchor
    from ledger.service import Ledger

PROBLEM_COLUMNS = (Column("position", kind="int"), Column("code"), Column("text"))


@click.command(
    cls=Command,
    example="""
        rounds verify
        rounds verify --anchor anchor.json
    """,
)
@click.option(
    "--anchor",
    "anchor_file",
    metavar="FILE",
    type=click.Path(),
    help="An anchor kept outside, as `rounds anchor` printed it.",
)
@click.pass_obj
def verify(settings: Settings, anchor_file: str | None) -> None:
    """Check every event of the log against its hash, its place and the writer's own sums.

    With an anchor that was kept outside, a log that was cut or written anew is found too.

    Exit: 0 all is as it was recorded, 5 something is not.
    """
    from ledger.integrity import verify as verify_log

    kept = anchor_in(anchor_file)
    with ProgressLine(settings) as progress, to_read(settings) as ledger:
        report = verify_log(ledger, kept, lambda done, total: progress.count("events", done, total))
        document = report.as_json()
        if report.verified:
            document = _with_meters(ledger, document, progress)
    write_document(
        settings,
        document,
        text=lambda paper: _print_report(paper, document, kept),
        columns=PROBLEM_COLUMNS,
        rows=document["problems"],
    )
    if not document["verified"]:
        _say_first(document["problems"])
        raise Finished(BROKEN)


def anchor_in(file: str | None) -> Anchor | None:
    """The anchor in `file`, None where none is named; misused where it is no anchor."""
    from ledger.integrity import Anchor, AnchorInvalid

    if file is None:
        return None
    try:
        return Anchor.read(Path(file).read_text(encoding="utf-8", errors="replace"))
    except AnchorInvalid as error:
        raise Misused(error.code, f"{file}: {error}") from None


def _with_meters(ledger: Ledger, document: dict[str, Any], progress: ProgressLine) -> dict[str, Any]:
    """The report with every hit whose recorded reading is not what the meter's own events sum up to."""
    from domain.money import dollars_of_micros
    from projections.meters import unwritten_discrepancies

    problems = [
        {
            "code": "meter.differs",
            "position": row["position"],
            "text": f"the {_FIGURES[row['figure']]} of meter {row['meter']}, level {row['level']}, was recorded as "
            f"{dollars_of_micros(row['recorded_micros'])} and sums up to {dollars_of_micros(row['summed_micros'])}",
        }
        for row in unwritten_discrepancies(ledger, partial(progress.count, "events held against meters"))
    ]
    return {**document, "verified": not problems, "problems": problems} if problems else document


_FIGURES = {"accrued_micros": "accrued amount", "reserve_micros": "reserve"}


def _print_report(paper: Paper, document: Mapping[str, Any], kept: Anchor | None) -> None:
    count, head = document["count"], document["head"]
    if document["verified"]:
        paper.print(f"{paper.style('Verified', fg='green', bold=True)}: {counted(count, 'event')}, all as recorded.")
        paper.print(f"Head {head}")
        if kept is not None:
            paper.print(f"The anchor of {counted(kept.count, 'event')} is in this log.")
        return
    paper.print(f"{paper.style('NOT VERIFIED', fg='red', bold=True)}: {counted(count, 'event')} looked at.")
    for problem in document["problems"]:
        where = "" if problem["position"] is None else f"position {problem['position']}: "
        paper.print_all(wrapped(f"{where}{problem['code']}: {problem['text']}", indent="  ", hanging="  "))
    if document["more"]:
        paper.print("  There are more.")


def _say_first(problems: Sequence[Mapping[str, Any]]) -> None:
    first = problems[0]
    where = "" if first["position"] is None else f"at position {first['position']}: "
    sentence = f"rounds: {first['code']}: {where}{first['text']}; keep this store as it is"
    click.echo(clean(sentence), err=True)


@click.command(
    cls=Command,
    example="""
        rounds anchor -o anchor.json
        rounds verify --anchor anchor.json
    """,
)
@click.pass_obj
def anchor(settings: Settings) -> None:
    """Print how many events the log holds and the hash of the last one.

    Keep it outside, where nobody who can write to the ledger can change it; `rounds verify --anchor` compares.
    """
    from ledger.integrity import anchor as anchor_of

    with to_read(settings) as ledger:
        document = anchor_of(ledger).as_json()

    # The text a person keeps must be what `verify --anchor` reads.
    def text(paper: Paper) -> None:
        paper.print_all(json_text(document).decode().splitlines())

    write_document(settings, document, text=text, columns=(Column("count"), Column("head")), rows=[document])
