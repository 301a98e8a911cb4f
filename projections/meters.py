"""Progressive meters: what each level holds, and how it came to it. All amounts are micros, `display_cents` cents.

Every hit records what it was paid from. Here the level is summed up again from the log, and where a hit's reading
differs from it, the difference is kept as a discrepancy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import sqlalchemy as sa

from domain.house_events import MeterOpened
from domain.money import cut_to_cents
from domain.rounds.events import ContributionTaken, Hit, MeterReversal, RoundVoided, WagerSettled
from ledger.records import Record
from projections.asof import AsOf, log
from projections.reading import Report, view
from projections.store import BIG, TEXT, Projection, Source, rows, upsert

_TERMS = ("base_micros", "reset_micros", "rate_bp", "hidden_rate_bp", "limit_micros")
_SUMS = (
    "accrued_micros",
    "reserve_micros",
    "in_count",
    "hits",
    "wins_micros",
    "increments_micros",
    "hidden_increments_micros",
    "resets_micros",
    "reserve_used_micros",
)
_READING = ("accrued_micros", "reserve_micros")
Name = tuple[str, str]
"""A level: its meter and its own name."""


class Meters(Projection):
    """One row a meter, one a level, and one for each hit whose recorded reading is not the level's."""

    NAME: ClassVar[str] = "meters"
    SCHEMA: ClassVar[int] = 1

    def __init__(self, build: int) -> None:
        super().__init__(build)
        self.meters = sa.Table(
            self.table_name(""),
            self.metadata,
            sa.Column("meter", TEXT, primary_key=True),
            sa.Column("property", TEXT, nullable=False),
            sa.Column("effective_from", TEXT, nullable=False),
            sa.Column("unreasonable_micros", BIG, nullable=False),
        )
        self.levels = sa.Table(
            self.table_name("levels"),
            self.metadata,
            sa.Column("meter", TEXT, primary_key=True),
            sa.Column("level", TEXT, primary_key=True),
            sa.Column("rank", sa.Integer, nullable=False),
            *(sa.Column(name, BIG, nullable=name == "limit_micros") for name in (*_TERMS, *_SUMS, "position")),
        )
        self.discrepancies = sa.Table(
            self.table_name("discrepancies"),
            self.metadata,
            sa.Column("position", BIG, primary_key=True, autoincrement=False),
            sa.Column("figure", TEXT, primary_key=True),
            sa.Column("round", TEXT, nullable=False),
            sa.Column("line_id", TEXT, nullable=False),
            sa.Column("meter", TEXT, nullable=False),
            sa.Column("level", TEXT, nullable=False),
            sa.Column("recorded_micros", BIG, nullable=False),
            sa.Column("summed_micros", BIG, nullable=False),
        )

    def apply(self, connection: sa.Connection, records: Sequence[Record]) -> None:
        """Brings the levels that the page moves to its end."""
        names = sorted({meter for record in records for meter in _meters_of(record)})
        if not names:
            return
        known = rows(connection, sa.select(self.levels).where(self.levels.c.meter.in_(names)))
        fold = Fold({(row["meter"], row["level"]): row for row in known})
        fold.take(records)
        upsert(connection, self.meters, fold.opened)
        upsert(connection, self.levels, [fold.levels[name] for name in sorted(fold.changed)])
        upsert(connection, self.discrepancies, fold.discrepancies)


@dataclass(slots=True)
class Fold:
    """Levels by meter and name as rows, summed up event by event, with what was found on the way.

    `only` leaves all meters but one aside.
    """

    levels: dict[Name, dict[str, Any]] = field(default_factory=dict)
    opened: list[dict[str, Any]] = field(default_factory=list)
    changed: set[Name] = field(default_factory=set)
    discrepancies: list[dict[str, Any]] = field(default_factory=list)
    only: str | None = None

    def take(self, records: Iterable[Record]) -> None:
        """Takes `records` in, in log order."""
        for record in records:
            event = record.event
            if isinstance(event, MeterOpened):
                self._open(event, record.position)
            elif isinstance(event, ContributionTaken):
                self._contribute(event, record.position)
            elif isinstance(event, WagerSettled) and event.hit is not None:
                self._compare(event.line_id, event.hit, record)
                self._hit(event.hit, record.position)
            elif isinstance(event, RoundVoided):
                for reversal in event.meters:
                    if self.only in (None, reversal.meter):
                        self._reverse(reversal, record.position)

    def _open(self, event: MeterOpened, position: int) -> None:
        self.opened.append(
            {
                "meter": event.meter,
                "property": event.property,
                "effective_from": event.effective_from,
                "unreasonable_micros": event.unreasonable_micros,
            }
        )
        for rank, terms in enumerate(event.levels):
            row = {"meter": event.meter, "level": terms.level, "rank": rank, **dict.fromkeys(_SUMS, 0)}
            row |= {name: getattr(terms, name) for name in _TERMS}
            row |= {"accrued_micros": terms.base_micros, "position": position}
            self.levels[event.meter, terms.level] = row
            self.changed.add((event.meter, terms.level))

    def _contribute(self, event: ContributionTaken, position: int) -> None:
        for part in event.levels:
            self._move(
                (event.meter, part.level),
                position,
                accrued_micros=part.increment_micros,
                increments_micros=part.increment_micros,
                reserve_micros=part.hidden_micros,
                hidden_increments_micros=part.hidden_micros,
                in_count=1,
            )

    def _hit(self, hit: Hit, position: int) -> None:
        self._move(
            (hit.meter, hit.level),
            position,
            accrued_micros=hit.reset_micros - hit.win_micros,
            reserve_micros=-hit.reserve_used_micros,
            hits=1,
            wins_micros=hit.win_micros,
            resets_micros=hit.reset_micros,
            reserve_used_micros=hit.reserve_used_micros,
        )

    def _reverse(self, back: MeterReversal, position: int) -> None:
        self._move(
            (back.meter, back.level),
            position,
            accrued_micros=back.win_micros - back.increment_micros - back.reset_micros,
            increments_micros=-back.increment_micros,
            reserve_micros=back.reserve_used_micros - back.hidden_micros,
            hidden_increments_micros=-back.hidden_micros,
            in_count=-back.in_count,
            hits=-back.hits,
            wins_micros=-back.win_micros,
            resets_micros=-back.reset_micros,
            reserve_used_micros=-back.reserve_used_micros,
        )

    def _move(self, name: Name, position: int, **by: int) -> None:
        row = self.levels[name]
        for figure, amount in by.items():
            row[figure] += amount
        row["position"] = position
        self.changed.add(name)

    def _compare(self, line_id: str, hit: Hit, record: Record) -> None:
        row = self.levels[hit.meter, hit.level]
        recorded = (hit.accrued_before_micros, hit.reserve_before_micros)
        for figure, was in zip(_READING, recorded, strict=True):
            if was != row[figure]:
                self.discrepancies.append(
                    {
                        "position": record.position,
                        "figure": figure,
                        "round": record.stream.key,
                        "line_id": line_id,
                        "meter": hit.meter,
                        "level": hit.level,
                        "recorded_micros": was,
                        "summed_micros": row[figure],
                    }
                )


def list_meters(source: Source) -> Report:
    """Every meter by name, with its levels as `show_meter` gives them."""
    with view(source, Meters) as open_:
        if open_.projection is None:
            return open_.report([])
        tables = open_.projection
        names = open_.connection.execute(sa.select(tables.meters.c.meter).order_by(tables.meters.c.meter)).scalars()
        return open_.report([_document(open_.connection, tables, name) for name in names.all()])


def show_meter(source: Source, meter: str, as_of: AsOf | None = None) -> Report:
    """The meter's document, one row, or none where there is no such meter.

    With `as_of` it is folded from the log up to a position, or over what happened at or before a time; none where the
    meter was not open then. A level's `position` is that of the last event that moved it.
    """
    if as_of is not None:
        return _folded(source, meter, as_of)
    with view(source, Meters) as open_:
        if open_.projection is None or not _is_there(open_.connection, open_.projection, meter):
            return open_.report([])
        return open_.report([_document(open_.connection, open_.projection, meter)])


def discrepancies(source: Source) -> Report:
    """Hits whose recorded reading is not what the log sums up to, in log order; empty in a sound ledger."""
    with view(source, Meters) as open_:
        if open_.projection is None:
            return open_.report([])
        table = open_.projection.discrepancies
        return open_.report(rows(open_.connection, sa.select(table).order_by(*table.primary_key)))


def _is_there(connection: sa.Connection, tables: Meters, meter: str) -> bool:
    statement = sa.select(tables.meters.c.meter).where(tables.meters.c.meter == meter)
    return connection.execute(statement).first() is not None


def _document(connection: sa.Connection, tables: Meters, meter: str) -> dict[str, Any]:
    (head,) = rows(connection, sa.select(tables.meters).where(tables.meters.c.meter == meter))
    levels = sa.select(tables.levels).where(tables.levels.c.meter == meter).order_by(tables.levels.c.rank)
    differing = sa.select(tables.discrepancies).where(tables.discrepancies.c.meter == meter)
    found = rows(connection, differing.order_by(*tables.discrepancies.primary_key))
    return _shown(head, rows(connection, levels), found)


def _folded(source: Source, meter: str, as_of: AsOf) -> Report:
    records = (record for record in log(source.feed.after) if meter in _meters_of(record))
    opening = next(records, None)
    found: list[dict[str, Any]] = []
    if opening is not None and as_of.covers(opening):
        fold = Fold(only=meter)
        fold.take([opening])
        fold.take(as_of.select(records))
        levels = sorted(fold.levels.values(), key=lambda row: int(row["rank"]))
        # Over a selection by time a reading has nothing that it could be compared with.
        found = [_shown(fold.opened[0], levels, fold.discrepancies if as_of.moment is None else ())]
    return Report(found, as_of.reached(source.head().position), 0)


def _meters_of(record: Record) -> Iterable[str]:
    """The meters that `record` concerns."""
    event = record.event
    if isinstance(event, (MeterOpened, ContributionTaken)):
        return (event.meter,)
    if isinstance(event, WagerSettled):
        return () if event.hit is None else (event.hit.meter,)
    if isinstance(event, RoundVoided):
        return {reversal.meter for reversal in event.meters}
    return ()


def _shown(
    head: Mapping[str, Any], levels: Iterable[Mapping[str, Any]], found: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    return {
        "meter": head["meter"],
        "property": head["property"],
        "levels": [_level(row) for row in levels],
        "effective_from": head["effective_from"],
        "unreasonable_micros": head["unreasonable_micros"],
        "discrepancies": [dict(row) for row in found],
    }


def _level(row: Mapping[str, Any]) -> dict[str, Any]:
    accrued, limit = row["accrued_micros"], row["limit_micros"]
    capped = accrued if limit is None else min(accrued, limit)
    return {
        "level": row["level"],
        **{name: row[name] for name in _TERMS},
        "in_count": row["in_count"],
        "accrued_micros": accrued,
        "display_cents": cut_to_cents(capped),
        "overflow_micros": 0 if limit is None else max(accrued - limit, 0),
        **{name: row[name] for name in ("reserve_micros", "hits", "wins_micros", "position")},
        **{name: row[name] for name in _SUMS[5:]},
    }
