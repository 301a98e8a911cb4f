"""Jackpots: every winning progressive or mystery line, with how far its claim has come. Amounts are cents.

Open ones come first: claimed and validated, then paid, refused and voided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from domain.money import dollars
from domain.rounds import events as happened
from domain.streams import Stream
from ledger.records import Record
from ledger.service import Ledger
from ledger.tables import Table
from projections.meter_book import MeterBook
from projections.reading import Report, view
from projections.replays import replay
from projections.slips import slip_gaps
from projections.statements import Sql, among, equal
from projections.store import Source, every_row

STATES = ("claimed", "validated", "paid", "refused", "voided")
"""In the order in which they are listed."""
OPEN = STATES[:2]
_COURSE = (
    happened.WagerSettled,
    happened.JackpotValidated,
    happened.JackpotRefused,
    happened.JackpotPaid,
    happened.PaymentReported,
    happened.LineCorrected,
    happened.MysteryRevealed,
)
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Claims:
    """Which jackpots are meant; None leaves a filter out. `shares` leaves odds and fixed prizes out."""

    property: str | None = None
    meter: str | None = None
    day: str | None = None
    states: Sequence[str] = STATES
    slip: str | None = None
    round: str | None = None
    shares: bool = False


EVERY = Claims()


def list_jackpots(source: Source, claims: Claims = EVERY) -> Report:
    """The jackpots that `claims` mean: by state as STATES has them, and among equals in log order."""
    with view(source, MeterBook) as open_:
        if open_.projection is None:
            return open_.report([])
        table = open_.projection.jackpots
        places = " ".join(f"WHEN '{state}' THEN {place}" for place, state in enumerate(STATES))
        order = f"CASE {table['state']} {places} END, {table['claimed_position']}"
        found = every_row(open_.connection, table, *_conditions(table, claims), order=order)
        return open_.report([_shown(row) for row in found])


def missing_slips(source: Source, property_: str | None = None) -> Report:
    """The gaps in numbered slips: `property missing count before after paid_day`."""
    with view(source, MeterBook) as open_:
        book = open_.projection
        return open_.report([] if book is None else slip_gaps(open_.connection, book, property_))


def show_jackpots(ledger: Ledger, round_key: str, line_id: str | None = None) -> Report:
    """The jackpots of a round, or the one of its line: what was claimed, what happened to it when, and what is next.

    `course` lists the events that concern it. No rows where the round has no such jackpot.
    """
    with view(ledger, MeterBook) as open_:
        book = open_.projection
        if book is None:
            return open_.report([])
        table = book.jackpots
        where = _conditions(table, Claims(round=round_key))
        if line_id is not None:
            where.append(equal(table["line_id"], line_id))
        found = every_row(open_.connection, table, *where, order=table["claimed_position"])
        thresholds = {
            row["property"]: row["supervisor_from_cents"] for row in every_row(open_.connection, book.properties)
        }
        report = open_.report([])
    if found:
        records = ledger.feed.stream(Stream("round", round_key))
        frames = {frame["version"]: frame for frame in replay(ledger, round_key)["frames"]}
        for row in found:
            shown = _shown(row)
            shown["course"] = [frames[each.version] for each in records if _concerns(each, row)]
            shown["next"] = next_step(shown, thresholds[row["property"]])
            report.rows.append(shown)
    return report


def next_step(row: Row, supervisor_from_cents: int) -> str:
    """What is to be done about a jackpot, in a sentence; empty where nothing is."""
    cancelled = row["due_cents"] <= 0 < row["amount_cents"]
    if row["state"] in OPEN and cancelled:
        return "nothing: its line was corrected to nothing, so nothing is paid."
    if row["state"] == "claimed":
        rack = "" if row["percent"] is None else " The cards stay on the table until the papers are complete."
        return (
            f"validate_jackpot by a floorperson or above, not the dealer {row['dealer']}, or refuse_jackpot with the "
            f"reason.{rack}"
        )
    if row["state"] == "validated":
        place = "the cage or the rack" if row["percent"] is None else "the cage, never the rack"
        return (
            f"pay_jackpot from {place}, on the next slip, with a witness other than the payer; where the slip differs "
            f"by {dollars(supervisor_from_cents)} or more a supervisor allows it."
        )
    if row["state"] == "refused":
        if cancelled:
            return ""
        back = "" if row["percent"] is None else ", and adjust_meter where the amount is to be the meter's again"
        return f"its line counts until it is corrected: correct_line with what is due{back}, or void_round."
    if row["state"] == "paid" and row["due_cents"] != row["paid_cents"] - row["difference_cents"]:
        due, paid = dollars(row["due_cents"]), dollars(row["paid_cents"])
        return f"its line is due {due} by its corrections, and the slip paid {paid}: settle the difference."
    if row["state"] == "paid" and row["form_due"] is not None and row["form"] is None:
        return f"form {row['form_due']} is due, and the payment gives no reference of one; make it out and file it."
    return ""


def _conditions(table: Table, claims: Claims) -> list[Sql]:
    plain = {
        "property": claims.property,
        "meter": claims.meter,
        "gaming_day": claims.day,
        "slip": claims.slip,
        "round": claims.round,
    }
    found = [among(table["state"], claims.states)]
    found += [equal(table[name], wanted) for name, wanted in plain.items() if wanted is not None]
    if claims.shares:
        found.append(Sql(f"{table['percent']} IS NOT NULL"))
    return found


def _concerns(record: Record, row: Row) -> bool:
    event = record.event
    if isinstance(event, happened.RoundVoided):
        return True
    return isinstance(event, _COURSE) and event.line_id == row["line_id"]


_FLAGS = ("toke", "signal")


def _shown(row: Row) -> Row:
    """The row as it is given, flags as such; less than nothing is never due."""
    shown = row | {name: None if row[name] is None else bool(row[name]) for name in _FLAGS}
    return shown | {"due_cents": max(row["due_cents"], 0)}
