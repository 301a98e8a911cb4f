"""The meter report of a gaming day, or of the month or year to it: every level's equation, proven, and its hits.

closing = opening + increments + resets + adjustments + transfers in - transfers out - wins. Opening and closing are
what the level held by its readings, the columns are summed up kind by kind, so the equation can fail; and all days
together must lead to what the read model `meters` has, which is folded apart. Amounts are micros, displays cents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from domain.meters import CHANGEABLE
from domain.money import cut_to_cents
from domain.times import gaming_day_bounds, instant
from ledger.tables import Table
from projections.meter_book import CHANGES, FIGURES, MeterBook
from projections.meters import Meters
from projections.reading import View, view_both
from projections.statements import Sql, Transaction, equal, select
from projections.store import Source, every_row

Name = tuple[str, str]
Row = dict[str, Any]
PERIODS = ("day", "month", "year")
"""What a report is of: the day, or the month or year up to it."""
_IN = ("increments", "resets", "adjustments", "transfers_in")
_OUT = ("transfers_out", "wins")
_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which report: `day` None is the latest with a movement or reading.

    A reading that is off by more than `tolerance_cents` is an exception, and so is a jackpot that is open for more
    than `open_days` days.
    """

    day: str | None = None
    period: str = "day"
    property: str | None = None
    meter: str | None = None
    tolerance_cents: int = 0
    open_days: int = 7


class MeterReport(NamedTuple):
    """The report's document, None where no meter was there yet; the position it stands at, and how far behind it is."""

    document: Row | None
    position: int
    lag: int


@dataclass(frozen=True, slots=True)
class Scope:
    """The book open for one report: what was asked, and the days that it covers."""

    book: MeterBook
    connection: Transaction
    asked: Asked
    first: str
    day: str

    def meant(self, table: Table) -> list[Sql]:
        """Of a table with meters: those that the report is of."""
        found = []
        if self.asked.meter is not None:
            found.append(equal(table["meter"], self.asked.meter))
        if self.asked.property is not None:
            levels = self.book.levels
            of_property = select(levels["meter"], levels, [equal(levels["property"], self.asked.property)])
            found.append(Sql(f"{table['meter']} IN ({of_property.text})", of_property.values))
        return found

    def within(self, table: Table) -> list[Sql]:
        """Those rows of the report's days."""
        return [*self.meant(table), Sql(f"{table['gaming_day']} BETWEEN ? AND ?", (self.first, self.day))]


def meter_report(source: Source, asked: Asked) -> MeterReport:
    """The report that is asked for, from the read models as they stand."""
    from projections.meter_exceptions import exceptions

    with view_both(source, MeterBook, Meters) as (book, meters):
        scope = _scope(book, asked)
        if scope is None:
            return MeterReport(None, book.position, book.lag)
        folded = meters if meters.position == book.position else None
        levels = [*_levels(scope, folded)]
        document: Row = {
            "day": scope.day,
            "from": scope.first,
            "period": asked.period,
            "meters": list(_by_meter(levels, _tables(scope))),
            "exceptions": exceptions(scope, levels, meters),
            "position": book.position,
        }
        document["holds"] = all(level["holds"] for level in levels) and not any(
            each["code"] == "meter.differs" for each in document["exceptions"]
        )
        return MeterReport(document if levels else None, book.position, book.lag)


def first_day(day: str, period: str) -> str:
    """The first day of the period that ends with `day`.

    >>> first_day("2026-05-14", "month"), first_day("2026-05-14", "year"), first_day("2026-05-14", "day")
    ('2026-05-01', '2026-01-01', '2026-05-14')
    """
    return {"day": day, "month": f"{day[:8]}01", "year": f"{day[:5]}01-01"}[period]


def _scope(book: View[MeterBook], asked: Asked) -> Scope | None:
    if book.projection is None:
        return None
    first, latest = _known_days(book.connection, book.projection)
    day = asked.day or latest
    if day is None or first is None or day < first:
        return None
    return Scope(book.projection, book.connection, asked, first_day(day, asked.period), day)


def _known_days(connection: Transaction, book: MeterBook) -> tuple[str | None, str | None]:
    """The first day with a movement, such as a meter's opening, and the latest with one or a reading."""
    first = connection.value(select(f"min({book.days['gaming_day']})", book.days))
    latest = [connection.value(select(f"max({table['gaming_day']})", table)) for table in (book.days, book.readings)]
    return first, max((day for day in latest if day is not None), default=None)


def _levels(scope: Scope, folded: View[Meters] | None) -> Iterator[Row]:
    """Every level that was there by the report's last day, in the order of meters and levels."""
    book = scope.book
    before = _sums(scope, CHANGES, Sql(f"{book.days['gaming_day']} < ?", (scope.first,)))
    during = _sums(scope, (*FIGURES, *CHANGES), *scope.within(book.days))
    ever = _sums(scope, CHANGES)
    first = _first_days(scope)
    terms = _terms(scope, folded)
    readings, hits, reasons = _readings(scope), _hits(scope), _reasons(scope)
    summed = _summed(scope, folded)
    order = f"{book.levels['meter']}, {book.levels['rank']}"
    for level in every_row(scope.connection, book.levels, *scope.meant(book.levels), order=order):
        name = (level["meter"], level["level"])
        if first[name] > scope.day or _is_over(scope, level, before.get(name), during.get(name)):
            continue
        nothing = dict.fromkeys((*FIGURES, *CHANGES), 0)
        row = _level(level, before.get(name, nothing), during.get(name, nothing), terms.get(name))
        row |= {"adjustments_by_reason": reasons.get(name, {})}
        row |= _reading(readings.get(name), scope.asked.tolerance_cents)
        row |= _of_hits(hits.get(name, []))
        row["differences"] = [*_unequal(row), *_apart(level, ever[name], summed.get(name))]
        row["holds"] = not row["differences"]
        yield row


def _sums(scope: Scope, figures: Iterable[str], *where: Sql) -> dict[Name, dict[str, int]]:
    days = scope.book.days
    sums = ", ".join(f'sum({days[figure]}) AS "{figure}"' for figure in figures)
    name = f"{days['meter']}, {days['level']}"
    statement = select(f"{name}, {sums}", days, where or scope.meant(days), f"GROUP BY {name}")
    # PostgreSQL adds whole numbers up to a decimal.
    return {
        (row.pop("meter"), row.pop("level")): {figure: int(amount) for figure, amount in row.items()}
        for row in scope.connection.rows(statement)
    }


def _first_days(scope: Scope) -> dict[Name, str]:
    days = scope.book.days
    name = f"{days['meter']}, {days['level']}"
    statement = select(f"{name}, min({days['gaming_day']})", days, then=f"GROUP BY {name}")
    return {(meter, level): day for meter, level, day in scope.connection.all(statement)}


def _is_over(scope: Scope, level: Row, before: Mapping[str, int] | None, during: Mapping[str, int] | None) -> bool:
    """Whether the level was retired before these days, holds nothing and did not move; its meter is not asked for."""
    if scope.asked.meter is not None or level["retired_day"] is None or level["retired_day"] >= scope.first:
        return False
    held = level["base_micros"] + (before or {}).get(CHANGES[0], 0)
    return during is None and held == 0 and not (before or {}).get(CHANGES[1], 0)


def _level(level: Row, before: Mapping[str, int], during: Mapping[str, int], terms: Row | None) -> Row:
    opening = level["base_micros"] + before["accrued_change_micros"]
    closing = opening + during["accrued_change_micros"]
    hidden = before["reserve_change_micros"]
    known = terms or dict.fromkeys((*CHANGEABLE, "must_hit_by_micros"))
    cap = known["must_hit_by_micros"] if known["must_hit_by_micros"] is not None else known["limit_micros"]
    return {
        "meter": level["meter"],
        "property": level["property"],
        "level": level["level"],
        "base_micros": level["base_micros"],
        **known,
        "opening": opening,
        "increments": during["increments_micros"],
        "hidden_increments": during["hidden_increments_micros"],
        "resets": during["resets_micros"],
        "adjustments": during["adjustments_micros"],
        "transfers_in": during["transfers_in_micros"],
        "transfers_out": during["transfers_out_micros"],
        "wins": during["wins_micros"],
        "closing": closing,
        "in_count": during["in_count"],
        "hits": during["hits"],
        "hidden_opening": hidden,
        "reserve_used": during["reserve_used_micros"],
        "hidden_adjustments": during["reserve_adjustments_micros"],
        "hidden_transfers_out": during["reserve_transfers_out_micros"],
        "hidden_closing": hidden + during["reserve_change_micros"],
        "display_cents": cut_to_cents(max(closing if cap is None else min(closing, cap), 0)),
        "overflow": 0 if cap is None else max(closing - cap, 0),
        "retired_day": level["retired_day"],
    }


def _unequal(row: Row) -> Iterator[Row]:
    """Where the columns do not lead from the opening to the closing."""
    expected = row["opening"] + sum(row[name] for name in _IN) - sum(row[name] for name in _OUT)
    if expected != row["closing"]:
        yield {"what": "closing", "expected_micros": expected, "found_micros": row["closing"]}
    hidden = row["hidden_opening"] + row["hidden_increments"] + row["hidden_adjustments"]
    hidden -= row["reserve_used"] + row["hidden_transfers_out"]
    if hidden != row["hidden_closing"]:
        yield {"what": "hidden closing", "expected_micros": hidden, "found_micros": row["hidden_closing"]}


def _apart(level: Row, ever: Mapping[str, int], summed: tuple[int, int] | None) -> Iterator[Row]:
    """Where all days together do not lead to what the meter holds, by the book itself and by the read model apart."""
    accrued, reserve = level["base_micros"] + ever["accrued_change_micros"], ever["reserve_change_micros"]
    held = (level["accrued_micros"], level["reserve_micros"])
    for what, at_the_end, of_the_book, of_meters in (
        ("accrued", accrued, held[0], summed and summed[0]),
        ("reserve", reserve, held[1], summed and summed[1]),
    ):
        for found in dict.fromkeys(each for each in (of_the_book, of_meters) if each is not None):
            if found != at_the_end:
                yield {"what": f"{what} after all days", "expected_micros": at_the_end, "found_micros": found}


def _summed(scope: Scope, folded: View[Meters] | None) -> dict[Name, tuple[int, int]]:
    """What the read model `meters` has of each level, where it stands at the same position."""
    if folded is None or folded.projection is None:
        return {}
    table = folded.projection.levels
    found = every_row(scope.connection, table, *scope.meant(table))
    return {(row["meter"], row["level"]): (row["accrued_micros"], row["reserve_micros"]) for row in found}


def _terms(scope: Scope, folded: View[Meters] | None) -> dict[Name, Row]:
    """The terms of each level that were in force when the report's last day ended."""
    if folded is None or folded.projection is None:
        return {}
    tables = folded.projection
    ends = _ends(scope)
    levels = every_row(scope.connection, tables.levels, *scope.meant(tables.levels))
    found = {(row["meter"], row["level"]): row for row in levels}
    changes = every_row(scope.connection, tables.changes, *scope.meant(tables.changes))
    for change in sorted(changes, key=lambda row: (instant(row["effective_from"]), row["position"])):
        name = (change["meter"], change["level"])
        if name in found and instant(change["effective_from"]) < ends[change["meter"]]:
            found[name][change["figure"]] = change["after"]
    return {name: {term: row[term] for term in (*CHANGEABLE, "must_hit_by_micros")} for name, row in found.items()}


def _ends(scope: Scope) -> dict[str, datetime]:
    """When the report's last day ends, by meter."""
    levels, ends = scope.book.levels, ends_of_properties(scope)
    found = scope.connection.all(select(f"DISTINCT {levels['meter']}, {levels['property']}", levels))
    return {meter: ends[property_] for meter, property_ in found}


def ends_of_properties(scope: Scope) -> dict[str, datetime]:
    """When the report's last day ends, by property."""
    found = every_row(scope.connection, scope.book.properties)
    return {row["property"]: end_of(scope.day, row["zone"], row["day_starts"]) for row in found}


def end_of(day: str, zone: str, day_starts: str) -> datetime:
    """The first instant, in UTC, after the gaming day `day`; where a zone skipped the date, after the one before."""
    while True:
        try:
            return gaming_day_bounds(day, zone, day_starts)[1]
        except ValueError:
            before = date.fromisoformat(day) - _ONE_DAY
            if before.year < 3:
                raise
            day = before.isoformat()


def _readings(scope: Scope) -> dict[Name, Row]:
    """The last reading of each level in these days, by its own time."""
    table = scope.book.readings
    found = every_row(scope.connection, table, *scope.within(table))
    ordered = sorted(found, key=lambda row: (instant(row["at"]), row["position"]))
    return {(row["meter"], row["level"]): row for row in ordered}


def _reading(reading: Row | None, tolerance_cents: int) -> Row:
    off = None if reading is None else reading["display_cents"] - reading["expected_cents"]
    return {
        "read_display": None if reading is None else reading["display_cents"],
        "read_expected": None if reading is None else reading["expected_cents"],
        "difference": off,
        "tolerance_cents": tolerance_cents,
        "within_tolerance": None if off is None else abs(off) <= tolerance_cents,
        "read_at": None if reading is None else reading["at"],
        "read_by": None if reading is None else reading["by"],
    }


def _hits(scope: Scope) -> dict[Name, list[Row]]:
    """The hits of these days in log order, with how far each claim has come since."""
    hits, jackpots = scope.book.hits, scope.book.jackpots
    claim = " AND ".join(f"{jackpots[name]} = {hits[name]}" for name in ("round", "line_id"))
    of_claims = ", ".join(jackpots[name] for name in ("state", "slip", "paid_cents", "table"))
    joined = f"{hits} LEFT JOIN {jackpots} ON {claim}"
    then = f"ORDER BY {hits['position']}"
    found: dict[Name, list[Row]] = defaultdict(list)
    for row in scope.connection.rows(select(f"{hits.all}, {of_claims}", joined, scope.within(hits), then)):
        found[row["meter"], row["level"]].append(row)
    return found


_OF_A_HIT = ("round", "line_id", "table", "at", "percent", "win_micros", "reset_micros", "state", "slip", "paid_cents")


def _of_hits(hits: Iterable[Row]) -> Row:
    lines = [{name: row[name] for name in _OF_A_HIT} for row in hits]
    return {"slips": [row["slip"] for row in lines if row["slip"] is not None], "hit_lines": lines}


def _reasons(scope: Scope) -> dict[Name, dict[str, int]]:
    """What adjustments moved of each level's accrued amount, by reason."""
    table = scope.book.entries
    moved = f"sum({table['accrued_after_micros']} - {table['accrued_before_micros']})"
    name = ", ".join(table[each] for each in ("meter", "level", "reason"))
    where = *scope.within(table), equal(table["kind"], "adjusted")
    statement = select(f"{name}, {moved}", table, where, f"GROUP BY {name} ORDER BY {name}")
    found: dict[Name, dict[str, int]] = defaultdict(dict)
    for meter, level, reason, amount in scope.connection.all(statement):
        if amount:
            found[meter, level][reason] = int(amount)
    return found


def _tables(scope: Scope) -> dict[str, list[str]]:
    """The tables that fed each meter in these days."""
    members = scope.book.members
    name = f"{members['meter']}, {members['table']}"
    statement = select(f"DISTINCT {name}", members, scope.within(members), f"ORDER BY {name}")
    found: dict[str, list[str]] = defaultdict(list)
    for meter, table in scope.connection.all(statement):
        found[meter].append(table)
    return found


def _by_meter(levels: Iterable[Row], tables: Mapping[str, list[str]]) -> Iterator[Row]:
    """The levels under their meters, each with the tables that fed it."""
    found: dict[str, Row] = {}
    for level in levels:
        meter = level["meter"]
        head = found.setdefault(
            meter, {"meter": meter, "property": level["property"], "tables": tables.get(meter, []), "levels": []}
        )
        head["levels"].append({name: value for name, value in level.items() if name not in ("meter", "property")})
    yield from found.values()
