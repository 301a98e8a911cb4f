"""What of a meter report somebody should look at: each with a stable code, its place, and a sentence with figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any

from domain.money import dollars, dollars_of_micros
from domain.times import instant
from projections.finding_words import in_words
from projections.meter_reports import Scope, ends_of_properties
from projections.meters import Meters
from projections.reading import View
from projections.slips import slip_gaps
from projections.statements import Sql, equal
from projections.store import every_row

Row = dict[str, Any]
READING_OFF = "meter.reading-off"
ABOVE_LIMIT = "meter.above-limit"
NEGATIVE = "meter.negative"
OPEN = "jackpot.open"
SLIP_GAP = "slip.gap"
DIFFERS = "meter.differs"


def exceptions(scope: Scope, levels: Iterable[Row], meters: View[Meters]) -> list[Row]:
    """The exceptions of the report, kind by kind."""
    return [
        *_discrepancies(scope, meters),
        *_of_levels(scope, levels),
        *_readings(scope),
        *_findings(scope),
        *_adjustments(scope),
        *_voids(scope),
        *_open_jackpots(scope),
        *_gaps(scope),
    ]


def _exception(code: str, text: str, day: str | None, **where: Any) -> Row:
    found = {"code": code, "gaming_day": day, "meter": None, "level": None, "round": None, "at": None}
    return found | where | {"text": text}


def _discrepancies(scope: Scope, meters: View[Meters]) -> Iterator[Row]:
    """Readings in hits and entries that are not what the log sums up to, of any day: it is the log that is wrong."""
    if meters.projection is None:
        return
    table = meters.projection.discrepancies
    for row in every_row(scope.connection, table, *scope.meant(table), order=table.order):
        text = (
            f"the {'accrued amount' if row['figure'] == 'accrued_micros' else 'reserve'} at position {row['position']} "
            f"({row['line_id']}) is recorded as {dollars_of_micros(row['recorded_micros'])}, and sums up to "
            f"{dollars_of_micros(row['summed_micros'])}"
        )
        yield _exception(DIFFERS, text, None, meter=row["meter"], level=row["level"], round=row["round"])


def _of_levels(scope: Scope, levels: Iterable[Row]) -> Iterator[Row]:
    for level in levels:
        where = {"meter": level["meter"], "level": level["level"]}
        if level["overflow"] and level["must_hit_by_micros"] is None:
            text = (
                f"holds {dollars_of_micros(level['closing'])}, {dollars_of_micros(level['overflow'])} above its limit "
                f"of {dollars_of_micros(level['limit_micros'])}"
            )
            yield _exception(ABOVE_LIMIT, text, scope.day, **where)
        for what, name in (("accrued amount", "closing"), ("reserve", "hidden_closing")):
            if level[name] < 0:
                text = f"its {what} is {dollars_of_micros(level[name])}; the void of a round left less than nothing"
                yield _exception(NEGATIVE, text, scope.day, **where)


def _readings(scope: Scope) -> Iterator[Row]:
    table = scope.book.readings
    off = f"abs({table['display_cents']} - {table['expected_cents']})"
    where = *scope.within(table), Sql(f"{off} > ?", (scope.asked.tolerance_cents,))
    for row in every_row(scope.connection, table, *where, order=table["position"]):
        text = (
            f"the sign read {dollars(row['display_cents'])}, {_signed(row['display_cents'] - row['expected_cents'])} "
            f"beside {dollars(row['expected_cents'])}; read by {row['by']}"
        )
        yield _exception(READING_OFF, text, row["gaming_day"], meter=row["meter"], level=row["level"], at=row["at"])


def _findings(scope: Scope) -> Iterator[Row]:
    table = scope.book.findings
    for row in every_row(scope.connection, table, *scope.within(table), order=table.order):
        yield _exception(
            row["code"],
            in_words(row["code"], row["text"]),
            row["gaming_day"],
            meter=row["meter"],
            round=row["round"],
            at=row["at"],
        )


def _adjustments(scope: Scope) -> Iterator[Row]:
    table = scope.book.entries
    where = *scope.within(table), equal(table["kind"], "adjusted")
    for row in every_row(scope.connection, table, *where, order=table.order):
        hidden = row["accrued_before_micros"] == row["accrued_after_micros"]
        by = dollars_of_micros(row["amount_micros"])
        sign = "+" if row["amount_micros"] > 0 else ""
        day = "" if row["corrected_day"] is None else f" for gaming day {row['corrected_day']}"
        text = (
            f"{'its reserve was ' if hidden else ''}adjusted by {sign}{by}{day}, {row['reason'].replace('_', ' ')}, "
            f"{row['evidence']}; by {row['by']}, approved by {row['approved_by']}"
        )
        yield _exception(
            "meter.adjusted", text, row["gaming_day"], meter=row["meter"], level=row["level"], at=row["at"]
        )


def _voids(scope: Scope) -> Iterator[Row]:
    """Voids of rounds that had moved a level."""
    table = scope.book.entries
    meant = *scope.within(table), equal(table["kind"], "voided")
    for row in every_row(scope.connection, table, *meant, order=table.order):
        moved = _moved(row, "accrued")
        if row["reserve_after_micros"] != row["reserve_before_micros"]:
            moved += f", and {_moved(row, 'reserve')} of its reserve"
        text = f"a void took back what the round had moved, {moved}: {row['reason']}; approved by {row['approved_by']}"
        where = {"meter": row["meter"], "level": row["level"], "round": row["evidence"], "at": row["at"]}
        yield _exception("round.voided", text, row["gaming_day"], **where)


def _moved(entry: Row, what: str) -> str:
    """By how much an entry moved the accrued amount or the reserve, with its sign."""
    micros = entry[f"{what}_after_micros"] - entry[f"{what}_before_micros"]
    return f"{'+' if micros > 0 else ''}{dollars_of_micros(micros)}"


def _open_jackpots(scope: Scope) -> Iterator[Row]:
    """Shares of a meter and validated claims that nobody had paid or refused when the report's last day ended.

    Odds prizes are mostly paid at the table, so a claim of one counts from its validation. What was corrected to
    nothing is not waited for.
    """
    ends = ends_of_properties(scope)
    for row in _perhaps_open(scope):
        state = _state_before(row, ends[row["property"]])
        if state == "validated" or (state == "claimed" and row["percent"] is not None):
            days = (date.fromisoformat(scope.day) - date.fromisoformat(row["gaming_day"])).days
            due = dollars(_due_before(row, ends[row["property"]]))
            text = f"{due} of line {row['line_id']} is {state} for {days} days and not paid"
            where = {"meter": row["meter"], "level": row["level"], "round": row["round"], "at": row["claimed_at"]}
            yield _exception(OPEN, text, row["gaming_day"], **where)


def _perhaps_open(scope: Scope) -> list[Row]:
    """The claims that are old enough and were not paid by the report's last day, in the order of their days."""
    table = scope.book.jackpots
    until = (date.fromisoformat(scope.day) - timedelta(days=scope.asked.open_days)).isoformat()
    paid = table["paid_day"]
    where = [Sql(f"{table['gaming_day']} < ?", (until,)), Sql(f"{paid} IS NULL OR {paid} > ?", (scope.day,))]
    if scope.asked.meter is not None:
        where.append(equal(table["meter"], scope.asked.meter))
    if scope.asked.property is not None:
        where.append(equal(table["property"], scope.asked.property))
    return every_row(scope.connection, table, *where, order=f"{table['gaming_day']}, {table['claimed_position']}")


def _state_before(row: Row, end: datetime) -> str | None:
    """How far the claim had come before `end`; None where it was not there yet, or over, or nothing was due."""
    happened = [name for name in _STEPS if row[f"{name}_at"] is not None and instant(row[f"{name}_at"]) < end]
    if "claimed" not in happened or "refused" in happened or "voided" in happened or _due_before(row, end) <= 0:
        return None
    return happened[-1]


_STEPS = ("claimed", "validated", "refused", "voided")


def _due_before(row: Row, end: datetime) -> int:
    """What was due before `end`: as corrected, where the last correction was made by then."""
    corrected = row["corrected_at"] is not None and instant(row["corrected_at"]) < end
    return int(row["due_cents"] if corrected else row["amount_cents"])


def _gaps(scope: Scope) -> Iterator[Row]:
    """Gaps before slips that were paid in these days; slips are a property's, so not where one meter is asked for."""
    if scope.asked.meter is not None:
        return
    for gap in slip_gaps(scope.connection, scope.book, scope.asked.property):
        if scope.first <= gap["paid_day"] <= scope.day:
            text = f"no payment is on slip {gap['missing']} of {gap['property']}, before {gap['after']}"
            yield _exception(SLIP_GAP, text, gap["paid_day"])


def _signed(cents: int) -> str:
    return dollars(cents) if cents <= 0 else f"+{dollars(cents)}"
