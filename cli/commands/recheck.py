"""`rounds recheck`: the settlement of many rounds computed anew, under their own rules or, in thought, under others."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import click

from cli import completing
from cli.errors import REFUSED, Finished, Misused, NotFound
from cli.filters import filter_options, filters, say_nothing_found
from cli.meant import meant_round
from cli.options import Command, Settings
from cli.output import write_document
from cli.progress import ProgressLine
from cli.store import keep_up, say_lag, to_read
from cli.tables import Column, Paper, counted, wrapped
from cli.what_if import change, compare, with_option

DIFFERENCES: tuple[Column, ...] = (Column("round"), Column("difference"))


@click.command(
    cls=Command,
    example="""
        rounds recheck --day 2026-03-14
        rounds recheck PG01-20260314-1
        rounds recheck --table PG01 --with house-way=mbs
        rounds recheck --game fortune --with sheet=fortune-cardroom@1 -o difference.csv
    """,
)
@click.argument("keys", nargs=-1, metavar="[ROUND...]", shell_complete=completing.rounds)
@with_option
@click.option("--processes", type=click.IntRange(1, 256), metavar="N", help="How many at once.  [else one a processor]")
@filter_options
@click.pass_obj
def recheck(
    settings: Settings, /, keys: Sequence[str], with_: Sequence[str], processes: int | None, **given: Any
) -> None:
    """Compute rounds anew from their own events: the hands that the house way set, fouls, settlement, and void.

    Named ROUNDs, or those that the filters of `rounds list` mean; without either every round. With --with nothing is
    checked: it says per seat what settled rounds would have come to under another sheet or house way. The play stays
    as it was, limits of stakes are not asked again, and a toke counts for no seat.

    Exit: 0 all as recorded, 1 something differs, 3 no such round, or no such sheet.
    """
    with to_read(settings) as ledger:
        meant = list(keys) if keys else None
        if meant is not None and any(value is not None for value in given.values()):
            raise Misused("recheck.which", "name rounds, or use filters, not both")
        other = change(ledger, with_) if with_ else None
        if meant is None:
            from projections.rounds import Rounds, round_keys

            keep_up(settings, ledger, Rounds)
            report = round_keys(ledger, filters(ledger, given))
            meant = [row["round"] for row in report.rows]
            say_lag(ledger, report.lag)
            if not meant:
                settings.note(say_nothing_found(ledger, given))
        else:
            _check_known(ledger, meant)
    if other is not None:
        compare(settings, meant, other, processes)
    else:
        _recheck(settings, meant, processes)


def _check_known(ledger: Any, keys: Sequence[str]) -> None:
    from domain.streams import Stream

    for key in keys:
        if ledger.feed.stream_id(Stream("round", key)) is None:
            raise NotFound("round.unknown", f"no round {key} in this ledger; {meant_round(ledger, key)}")


def _recheck(settings: Settings, keys: Sequence[str], processes: int | None) -> None:
    from projections.rechecks import in_processes, recheck_rounds

    began, done, differing = time.monotonic(), 0, []
    with ProgressLine(settings) as progress:
        for batch in in_processes(settings.url, keys, recheck_rounds, processes):
            done += len(batch)
            differing += [each for each in batch if each.differences]
            progress.count("rounds", done, len(keys))
    document = {
        "rounds": done,
        "matching": done - len(differing),
        "differing": len(differing),
        "differences": [each._asdict() for each in differing],
    }
    write_document(
        settings,
        document,
        text=lambda paper: _print(paper, document, time.monotonic() - began),
        columns=DIFFERENCES,
        rows=({"round": each.round, "difference": text} for each in differing for text in each.differences),
    )
    if settings.format == "csv" or settings.output not in (None, "-"):
        settings.note(f"rounds: {_sum(document, time.monotonic() - began)}")
    if differing:
        raise Finished(REFUSED)


def _print(paper: Paper, document: Any, seconds: float) -> None:
    for each in document["differences"]:
        paper.print(paper.style(f"! Round {each['round']} is not what its events and its sheet come to:", fg="red"))
        for text in each["differences"]:
            paper.print_all(wrapped(text, "    ", "  "))
    if document["rounds"]:
        paper.print(_sum(document, seconds))


def _sum(document: Any, seconds: float) -> str:
    done, differing = counted(document["rounds"], "round"), document["differing"]
    pace = f" ({document['rounds'] / seconds:,.0f} a second)" if document["rounds"] >= 1_000 else ""
    says = f"{differing:,} not as recorded" if differing else "all as recorded"
    return f"Rechecked {done}: {says}{pace}."
