"""`rounds jackpot`: winning progressive lines from claim to payment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cli import completing
from cli.errors import Misused, NotFound
from cli.filters import read_day
from cli.meant import meant, meant_round
from cli.options import Command, Group, Settings
from cli.output import write_document, write_rows
from cli.store import keep_up, say_lag, to_read
from cli.tables import PAGE_WIDTH, Column, Paper, clean, counted, draw_record, wrapped

if TYPE_CHECKING:
    from ledger.service import Ledger

_STATES = ("open", "claimed", "validated", "paid", "refused", "voided")

DUE = Column("due_cents", "Due", "cents", in_table=False)
COLUMNS: tuple[Column, ...] = (
    Column("state", "State"),
    Column("gaming_day", "Day"),
    Column("round", "Round"),
    Column("line_id", "Line"),
    Column("amount_cents", "Amount", "cents"),
    Column("paid_cents", "Paid", "cents"),
    Column("difference_cents", "Off", "cents"),
    Column("withheld_cents", "Withheld", "cents"),
    Column("slip", "Slip"),
    Column("odds", "Odds", in_table=False),
    Column("property", "Property", in_table=False),
    Column("table", "Table", in_table=False),
    Column("seat", "Seat", "int", in_table=False),
    Column("player", "Player", in_table=False),
    Column("hand", "Hand", in_table=False),
    Column("meter", "Meter", in_table=False),
    Column("level", "Level", in_table=False),
    Column("claimed_at", "Claimed", in_table=False),
    Column("validated_by", "Validated by", in_table=False),
    Column("validated_at", "Validated", in_table=False),
    Column("refused_by", "Refused by", in_table=False),
    Column("paid_by", "Paid by", in_table=False),
    Column("witness", "Witness", in_table=False),
    Column("supervisor", "Supervisor", in_table=False),
    Column("paid_from", "Paid from", in_table=False),
    Column("paid_at", "Paid at", in_table=False),
    Column("paid_day", "Paid day", in_table=False),
    Column("form_due", "Form due", in_table=False),
    Column("form", "Form", in_table=False),
    DUE,
)
GAP_COLUMNS: tuple[Column, ...] = (
    Column("property", "Property"),
    Column("missing", "Missing"),
    Column("count", "Slips", "int"),
    Column("before", "After slip"),
    Column("after", "Before slip"),
    Column("paid_day", "Paid on"),
)
_RECORD: tuple[Column, ...] = (
    Column("state", "State"),
    Column("where", "Where"),
    Column("who", "Who"),
    Column("hand", "Hand"),
    Column("odds", "Odds"),
    Column("stake", "Stake"),
    Column("amount", "Amount"),
    Column("cite", "Rule"),
    Column("validated", "Validated"),
    Column("refused", "Refused"),
    Column("slip", "Slip"),
    Column("paid", "Paid"),
    Column("tax", "Tax"),
)


@click.group(cls=Group, example="rounds jackpot list --state open")
def jackpot() -> None:
    """List and show jackpots from claim to payment."""


@jackpot.command(
    "list",
    cls=Command,
    example="""
        rounds jackpot list --state open
        rounds jackpot list --meter PROG --day 2026-05-04 --format csv -o jackpots.csv
        rounds jackpot list --missing-slips
    """,
)
@click.option("--property", "property_", metavar="PROPERTY", help="Only this.", shell_complete=completing.properties)
@click.option("--meter", metavar="METER", help="Only shares of this meter.", shell_complete=completing.meters)
@click.option("--day", metavar="DAY", help="Only of this gaming day.", shell_complete=completing.days)
@click.option("--state", type=click.Choice(_STATES), help="Only such; open is claimed or validated.")
@click.option("--slip", metavar="SLIP", help="Only what was paid on this slip.")
@click.option("--shares", is_flag=True, help="Only shares of a meter, without odds and fixed prizes.")
@click.option(
    "--missing-slips", is_flag=True, help="Instead of jackpots, the numbers between slips that no payment has."
)
@click.pass_obj
def list_(
    settings: Settings,
    property_: str | None,
    meter: str | None,
    day: str | None,
    state: str | None,
    slip: str | None,
    shares: bool,
    missing_slips: bool,
) -> None:
    """List jackpots, open ones first: claimed, validated, paid, refused, voided.

    Every winning progressive line is one. Off is what the slip says less the line's amount.
    """
    from projections import jackpots
    from projections.meter_book import MeterBook

    with to_read(settings) as ledger:
        keep_up(settings, ledger, MeterBook)
        if missing_slips:
            if any((meter, day, state, slip, shares)):
                raise Misused("missing-slips.filters", "--missing-slips looks at whole runs of slips; only --property")
            report = jackpots.missing_slips(ledger, property_)
            write_rows(settings, GAP_COLUMNS, report.rows, none="no slip is missing")
        else:
            claims = jackpots.Claims(property_, meter, read_day(day), _states(state), slip, shares=shares)
            report = jackpots.list_jackpots(ledger, claims)
            none = "" if report.rows else _nothing_found(ledger, property_, meter)
            write_rows(settings, _columns(report.rows), report.rows, none=none)
        say_lag(ledger, report.lag)
        if not missing_slips:
            _note_gaps(settings, ledger, property_)


def _columns(rows: Sequence[Mapping[str, Any]]) -> Sequence[Column]:
    """What is due beside the amount where a line was corrected; elsewhere they are the same."""
    if all(row["due_cents"] == row["amount_cents"] for row in rows):
        return COLUMNS
    return [replace(each, in_table=True) if each is DUE else each for each in COLUMNS]


def _nothing_found(ledger: Ledger, property_: str | None, meter: str | None) -> str:
    """That there are none; where a name is none of the ledger's, which may have been meant."""
    from projections.meters import list_meters

    known = list_meters(ledger).rows if property_ or meter else []
    for option, name, names in (
        ("--property", property_, [each["property"] for each in known]),
        ("--meter", meter, [each["meter"] for each in known]),
    ):
        if name is not None and name not in names:
            return f"no such jackpots; no meter at all has {option} {clean(name)}; {clean(meant(name, names))}"
    return "no such jackpots"


def _states(state: str | None) -> tuple[str, ...]:
    from projections.jackpots import OPEN, STATES

    if state is None:
        return STATES
    return OPEN if state == "open" else (state,)


def _note_gaps(settings: Settings, ledger: Ledger, property_: str | None) -> None:
    """Says that slips are missing: a jackpot that is not listed may be on one of them."""
    from projections.jackpots import missing_slips

    gaps = missing_slips(ledger, property_).rows
    if gaps:
        missing = sum(gap["count"] for gap in gaps)
        first = clean(gaps[0]["missing"])
        settings.note(f"rounds: {counted(missing, 'slip')} missing, first {first}; see --missing-slips")


@jackpot.command(
    cls=Command,
    example="""
        rounds jackpot show PG01-20260314-1
        rounds jackpot show PG01-20260314-1 3.progressive --format json
    """,
)
@click.argument("round_key", metavar="ROUND", shell_complete=completing.rounds)
@click.argument("line_id", metavar="[LINE]", required=False)
@click.pass_obj
def show(settings: Settings, round_key: str, line_id: str | None) -> None:
    """Show the jackpots of ROUND, or the one of its LINE: every step with its time, the rule, and what to do next."""
    from projections.jackpots import show_jackpots
    from projections.meter_book import MeterBook

    with to_read(settings) as ledger:
        keep_up(settings, ledger, MeterBook)
        report = show_jackpots(ledger, round_key, line_id)
        if not report.rows:
            say_lag(ledger, report.lag)
            raise _no_jackpot(ledger, round_key, line_id)
        document = {"round": round_key, "jackpots": report.rows}
        write_document(
            settings,
            document,
            text=lambda paper: _print(paper, report.rows),
            columns=COLUMNS,
            rows=report.rows,
        )
        say_lag(ledger, report.lag)


def _no_jackpot(ledger: Ledger, round_key: str, line_id: str | None) -> NotFound:
    """That there is none: because there is no such round, or the round has others, or none at all."""
    from projections.jackpots import show_jackpots

    if not ledger.round_records(round_key):
        return NotFound("round.unknown", f"no round {round_key!r} in this ledger; {meant_round(ledger, round_key)}")
    known = [row["line_id"] for row in show_jackpots(ledger, round_key).rows]
    line = "" if line_id is None else f" on line {line_id!r}"
    hint = f"its jackpots are on {' and '.join(map(clean, known))}" if known else "see `rounds jackpot list`"
    return NotFound("jackpot.none", f"no jackpot of round {round_key!r}{line}; {hint}")


def _print(paper: Paper, rows: list[dict[str, Any]]) -> None:
    for place, row in enumerate(rows):
        if place:
            paper.print()
        paper.print(paper.style(f"Jackpot {clean(row['round'])} {clean(row['line_id'])}", bold=True))
        paper.print_all(draw_record(_RECORD, _told(row)))
        paper.heading("What happened")
        page = min(paper.page, PAGE_WIDTH)
        for frame in row["course"]:
            for line in wrapped(f"{frame['at']}  {frame['by']}: {frame['text']}", "", "    ", page):
                paper.print(line)
        if row["next"]:
            paper.heading("Next")
            for line in wrapped(row["next"], page=page):
                paper.print(line)


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row as a record of texts."""
    from domain.money import dollars

    seat = f"seat {row['seat']}" if row["seat"] else "the house"
    share = "" if row["meter"] is None else f", level {row['level']} of meter {row['meter']}"
    told: dict[str, Any] = {
        "state": row["state"],
        "where": f"{row['property']}, table {row['table']}, gaming day {row['gaming_day']}, dealer {row['dealer']}",
        "who": seat + ("" if row["player"] is None else f", {row['bettor'] or row['player']}"),
        "hand": None if row["hand"] is None else row["hand"].replace("_", " "),
        "odds": None if row["odds"] is None else f"{row['odds']}{share}",
        "stake": dollars(row["stake_cents"]) if row["stake_cents"] else None,
        "amount": dollars(row["amount_cents"])
        + ("" if row["due_cents"] == row["amount_cents"] else f", corrected to {dollars(row['due_cents'])}"),
        "cite": row["cite"],
    }
    if row["validated_at"] is not None:
        light = "the light was on" if row["signal"] else "no light"
        told["validated"] = f"{row['validated_at']} by {row['validated_by']}, {light}"
    if row["refused_at"] is not None:
        told["refused"] = f"{row['refused_at']} by {row['refused_by']}: {row['refused_reason']}"
    if row["slip"] is not None:
        off = row["difference_cents"]
        told["slip"] = row["slip"] + (f", {'+' if off > 0 else ''}{dollars(off)} beside the line" if off else "")
        told["paid"] = (
            f"{dollars(row['paid_cents'])} from the {row['paid_from']}, {row['paid_at']}, by {row['paid_by']}, "
            f"witness {row['witness']}" + (f", supervisor {row['supervisor']}" if row["supervisor"] else "")
        )
    if row["form_due"] is not None:
        told["tax"] = (
            f"{row['form_due']} of {row['tax_year']}'s figures, {row['form'] or 'no reference'}, "
            f"{dollars(row['withheld_cents'])} withheld"
        )
    return told
