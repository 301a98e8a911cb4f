"""A meter's life as a drawing needs it: what each level held when, its hits and entries, its readings and its limit.

Amounts are micros. Between hits and entries a level is known every ten minutes, which is finer than a drawing shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from domain.times import instant
from ledger.tables import Table
from projections.meter_book import SLOT, MeterBook
from projections.meters import Meters
from projections.reading import Report, View, view, view_both
from projections.statements import equal
from projections.store import Source, every_row

Row = dict[str, Any]
Point = tuple[datetime, int]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def meter_life(source: Source, meter: str) -> Report:
    """The meter's life, one row, or none where there is no such meter.

    Per level `points` of time (UTC) and accrued micros in the order of time, `hits`, `entries`, `readings`, and
    `limits`, each from a time on. A level's first point is its base, when it was opened.
    """
    with view_both(source, MeterBook, Meters) as (book, meters):
        if book.projection is None:
            return book.report([])
        levels = _of_meter(book, book.projection.levels, meter, "rank")
        if not levels:
            return book.report([])
        tables = book.projection
        of_property = equal(tables.properties["property"], levels[0]["property"])
        (property_,) = every_row(book.connection, tables.properties, of_property)
        parts = {
            name: _of_meter(book, table, meter, order)
            for name, table, order in (
                ("life", tables.life, "slot"),
                ("hits", tables.hits, "position"),
                ("entries", tables.entries, "position"),
                ("readings", tables.readings, "position"),
            )
        }
        limits = _limits(meters, meter)
        document = {
            "meter": meter,
            "property": levels[0]["property"],
            "zone": property_["zone"],
            "from": None,
            "until": None,
            "levels": [_level(level, parts, limits.get(level["level"], [])) for level in levels],
        }
        return book.report([document])


def part_of(life: Row, first: datetime | None, last: datetime | None) -> Row:
    """The life from `first` to `last`, None for its own beginning and end.

    A level begins with what it held at `first` and ends with what it held at `last`; it has no points where it was not
    open by then.
    """
    begins, ends = first or datetime.min.replace(tzinfo=UTC), last or datetime.max.replace(tzinfo=UTC)
    levels = [{**level, **_part(level, begins, ends)} for level in life["levels"]]
    for level in levels:
        level["points"] = [*_edge(life, level, first), *level["points"]]
        level["points"] += [{**level["points"][-1], "at": _text(last)}] if last is not None and level["points"] else []
    return {**life, "from": first and _text(first), "until": last and _text(last), "levels": levels}


def _part(level: Row, begins: datetime, ends: datetime) -> Row:
    """Everything of the level that happened within."""
    names = ("points", "hits", "entries", "readings")
    return {name: [each for each in level[name] if begins <= instant(each["at"]) <= ends] for name in names}


def _edge(life: Row, level: Row, first: datetime | None) -> list[Row]:
    """What the level held when the part begins, where it was open by then."""
    (whole,) = [each for each in life["levels"] if each["level"] == level["level"]]
    before = [each for each in whole["points"] if first is not None and instant(each["at"]) < first]
    return [{**before[-1], "at": _text(first)}] if first is not None and before else []


def _text(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def recent(source: Source, meter: str, parts: int) -> dict[str, list[int]]:
    """What each level of `meter` held over its life, in at most `parts` equal spans of time; the end of each counts."""
    with view(source, MeterBook) as book:
        if book.projection is None:
            return {}
        life = _of_meter(book, book.projection.life, meter, "slot")
    if not life:
        return {}
    first, last = min(row["slot"] for row in life), max(row["slot"] for row in life)
    spans = min(parts, last - first + 1)
    found: dict[str, list[int]] = {}
    for level in dict.fromkeys(row["level"] for row in life):
        own = [(row["slot"], row["accrued_micros"]) for row in life if row["level"] == level]
        ends = [first + (last - first + 1) * (span + 1) // spans for span in range(spans)]
        found[level] = _held_at(own, ends)
    return found


def _held_at(points: list[tuple[int, int]], ends: Iterable[int]) -> list[int]:
    """The last amount before each of `ends`; the first one before there was any."""
    held, place, found = points[0][1], 0, []
    for end in ends:
        while place < len(points) and points[place][0] < end:
            held = points[place][1]
            place += 1
        found.append(held)
    return found


def _of_meter(book: View[MeterBook], table: Table, meter: str, order: str) -> list[Row]:
    return every_row(book.connection, table, equal(table["meter"], meter), order=f"{table[order]}, {table.order}")


def _level(level: Row, parts: Mapping[str, list[Row]], limits: list[Row]) -> Row:
    own = {name: [row for row in found if row["level"] == level["level"]] for name, found in parts.items()}
    return {
        "level": level["level"],
        "opened_at": level["opened_at"],
        "retired_at": level["retired_at"],
        "base_micros": level["base_micros"],
        "points": [{"at": _text(at), "accrued_micros": held} for at, held in _points(level, own)],
        "limits": limits,
        **{name: own[name] for name in ("hits", "entries", "readings")},
    }


def _points(level: Row, own: Mapping[str, list[Row]]) -> list[Point]:
    """The base, what was held at the end of each ten minutes, and what each hit and entry found and left."""
    opened = instant(level["opened_at"])
    found: list[tuple[datetime, int, int]] = [(opened, -1, level["base_micros"])]
    for row in own["life"]:
        end = _EPOCH + (row["slot"] + 1) * SLOT - timedelta(seconds=1)
        found.append((max(end, opened), 2**62, row["accrued_micros"]))
    for row in (*own["hits"], *own["entries"]):
        for name in ("accrued_before_micros", "accrued_after_micros"):
            found.append((instant(row["at"]), row["position"], row[name]))
    return [(at, held) for at, _, held in sorted(found, key=lambda each: each[:2])]


def _limits(meters: View[Meters], meter: str) -> dict[str, list[Row]]:
    """By level its limits in the order of time; of a mystery what it must hit by."""
    if meters.projection is None:
        return {}
    tables = meters.projection
    levels = every_row(meters.connection, tables.levels, equal(tables.levels["meter"], meter))
    (head,) = every_row(meters.connection, tables.meters, equal(tables.meters["meter"], meter))
    of_limits = equal(tables.changes["meter"], meter), equal(tables.changes["figure"], "limit_micros")
    changes = every_row(meters.connection, tables.changes, *of_limits)
    changed = sorted(changes, key=lambda row: (instant(row["effective_from"]), row["position"]))
    return {level["level"]: list(_course(level, head["effective_from"], changed)) for level in levels}


def _course(level: Row, effective_from: str, changes: Iterable[Row]) -> Iterator[Row]:
    mystery = level["must_hit_by_micros"] is not None
    yield {"from": effective_from, "limit_micros": level["must_hit_by_micros" if mystery else "limit_micros"]}
    for change in changes:
        if change["level"] == level["level"]:
            yield {"from": change["effective_from"], "limit_micros": change["after"]}
