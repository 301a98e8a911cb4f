"""Progressive meters: what each level holds, and how it came to it. All amounts are micros, `display_cents` cents.

Every hit records what it was paid from, and every entry outside the rounds what it found. Here the level is summed up
again from the log, and where such a reading differs from it, the difference is kept as a discrepancy.

Terms are those in force at the time that is asked for, or without one at the latest `at` of what moved the meter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from domain.house_events import MeterAdjusted, MeterChanged, MeterOpened, MeterRetired, MeterTransferred
from domain.meters import CHANGEABLE, Held
from domain.money import cut_to_cents
from domain.rounds.events import ContributionTaken, Hit, MeterReversal, MysteryRevealed, RoundVoided, WagerSettled
from domain.times import instant
from ledger.records import Record
from ledger.tables import BIG, INT, TEXT, Column, Table
from projections.asof import AsOf, log
from projections.reading import Report, view
from projections.standing import refuse_ahead
from projections.statements import Transaction, Writing, among, equal, reading, select
from projections.store import Projection, Source, current_build, every_row, exists, hold, of_build, upsert

_TERMS = ("base_micros", "reset_micros", "rate_bp", "hidden_rate_bp", "limit_micros")
_MYSTERY = ("must_hit_by_micros", "cycle", "begins_micros", "commitment")
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
    "adjustments_micros",
    "transfers_in_micros",
    "transfers_out_micros",
    "reserve_adjustments_micros",
    "reserve_transfers_out_micros",
)
GUARD = "unreasonable_micros"
_READING = ("accrued_micros", "reserve_micros")
Name = tuple[str, str]
"""A level: its meter and its own name."""


class Meters(Projection):
    """One row a meter, a level, a new term, and one for each recorded reading that is not the level's."""

    NAME: ClassVar[str] = "meters"
    SCHEMA: ClassVar[int] = 2

    def __init__(self, build: int) -> None:
        super().__init__(build)
        self.meters = self.table(
            "",
            [
                Column("meter", TEXT, key=True),
                Column("property", TEXT),
                Column("effective_from", TEXT),
                Column(GUARD, BIG),
                Column("latest_at", TEXT),
            ],
        )
        self.levels = self.table(
            "levels",
            [
                Column("meter", TEXT, key=True),
                Column("level", TEXT, key=True),
                Column("rank", INT),
                *(Column(name, BIG, null=name == "limit_micros") for name in (*_TERMS, *_SUMS, "position")),
                Column("retired_position", BIG, null=True),
                Column("must_hit_by_micros", BIG, null=True),
                Column("cycle", INT, null=True),
                Column("begins_micros", BIG, null=True),
                Column("commitment", TEXT, null=True),
            ],
        )
        self.changes = self.table(
            "changes",
            [
                Column("position", BIG, key=True),
                Column("level", TEXT, key=True),
                Column("figure", TEXT, key=True),
                Column("meter", TEXT),
                Column("effective_from", TEXT),
                Column("before", BIG, null=True),
                Column("after", BIG, null=True),
            ],
        )
        self.discrepancies = self.table(
            "discrepancies",
            [
                Column("position", BIG, key=True),
                Column("figure", TEXT, key=True),
                Column("round", TEXT),
                Column("line_id", TEXT),
                Column("meter", TEXT),
                Column("level", TEXT),
                Column("recorded_micros", BIG),
                Column("summed_micros", BIG),
            ],
        )

    def apply(self, connection: Writing, records: Sequence[Record]) -> None:
        """Brings the levels that the page moves to its end."""
        names = sorted({meter for record in records for meter in _meters_of(record)})
        if not names:
            return
        known = every_row(connection, self.levels, among(self.levels["meter"], names))
        heads = every_row(connection, self.meters, among(self.meters["meter"], names))
        fold = Fold({(row["meter"], row["level"]): row for row in known}, {row["meter"]: row for row in heads})
        fold.take(records)
        upsert(connection, self.meters, [fold.heads[name] for name in names])
        upsert(connection, self.levels, [fold.levels[name] for name in sorted(fold.changed)])
        upsert(connection, self.changes, fold.changes)
        upsert(connection, self.discrepancies, fold.discrepancies)


@dataclass(slots=True)
class Fold:
    """Levels by meter and name as rows, summed up event by event, with what was found on the way.

    `only` leaves all meters but one aside.
    """

    levels: dict[Name, dict[str, Any]] = field(default_factory=dict)
    heads: dict[str, dict[str, Any]] = field(default_factory=dict)
    changed: set[Name] = field(default_factory=set)
    changes: list[dict[str, Any]] = field(default_factory=list)
    discrepancies: list[dict[str, Any]] = field(default_factory=list)
    only: str | None = None

    def take(self, records: Iterable[Record]) -> None:
        """Takes `records` in, in log order."""
        for record in records:
            event = record.event
            if isinstance(event, MeterOpened):
                self._open(event, record)
            elif isinstance(event, ContributionTaken):
                self._contribute(event, record.position)
            elif isinstance(event, WagerSettled) and event.hit is not None:
                held = Held(event.hit.accrued_before_micros, event.hit.reserve_before_micros)
                self._compare((event.hit.meter, event.hit.level), held, record, event.line_id)
                self._hit(event.hit, record.position)
            elif isinstance(event, RoundVoided):
                for reversal in event.meters:
                    self._reverse(reversal, record.position)
            elif isinstance(event, MysteryRevealed):
                self._begin_anew(event)
            elif isinstance(event, MeterChanged):
                self._change(event, record.position)
            elif isinstance(event, MeterAdjusted | MeterTransferred | MeterRetired):
                self._enter(event, record)
            self._note_time(record)

    def _note_time(self, record: Record) -> None:
        for meter in _meters_of(record):
            head = self.heads.get(meter)
            if head is not None and instant(record.at) > instant(head["latest_at"]):
                head["latest_at"] = record.at

    def _open(self, event: MeterOpened, record: Record) -> None:
        self.heads[event.meter] = {
            "meter": event.meter,
            "property": event.property,
            "effective_from": event.effective_from,
            GUARD: event.unreasonable_micros,
            "latest_at": record.at,
        }
        for rank, terms in enumerate(event.levels):
            row = {"meter": event.meter, "level": terms.level, "rank": rank, **dict.fromkeys(_SUMS, 0)}
            row |= {name: getattr(terms, name) for name in _TERMS}
            row |= {"accrued_micros": terms.base_micros, "position": record.position, "retired_position": None}
            mystery = terms.must_hit_by_micros is not None
            begun = (terms.must_hit_by_micros, 1, terms.base_micros, terms.commitment) if mystery else (None,) * 4
            row |= dict(zip(_MYSTERY, begun, strict=True))
            self.levels[event.meter, terms.level] = row
            self.changed.add((event.meter, terms.level))

    def _begin_anew(self, event: MysteryRevealed) -> None:
        if self.only not in (None, event.meter):
            return
        row = self.levels[event.meter, event.level]
        row |= {
            "cycle": event.cycle + 1,
            "begins_micros": event.next_begins_micros,
            "commitment": event.next_commitment,
        }
        self.changed.add((event.meter, event.level))

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

    def _change(self, event: MeterChanged, position: int) -> None:
        new = [
            (each.after.level, figure, getattr(each.before, figure), getattr(each.after, figure))
            for each in event.levels
            for figure in CHANGEABLE
            if getattr(each.before, figure) != getattr(each.after, figure)
        ]
        if event.unreasonable_micros is not None:
            new.append(("", GUARD, event.unreasonable_before_micros, event.unreasonable_micros))
        self.changes += [
            {
                "position": position,
                "level": level,
                "figure": figure,
                "meter": event.meter,
                "effective_from": event.effective_from,
                "before": before,
                "after": after,
            }
            for level, figure, before, after in new
        ]

    def _enter(self, event: MeterAdjusted | MeterTransferred | MeterRetired, record: Record) -> None:
        """An entry outside the rounds moves a level by what it says, and the same level of the meter that takes it."""
        name = (event.meter, event.level)
        self._compare(name, event.before, record, event.NAME)
        accrued = event.after.accrued_micros - event.before.accrued_micros
        reserve = event.after.reserve_micros - event.before.reserve_micros
        by = {"accrued_micros": accrued, "reserve_micros": reserve}
        if isinstance(event, MeterAdjusted):
            self._move(name, record.position, **by, adjustments_micros=accrued, reserve_adjustments_micros=reserve)
            return
        self._move(name, record.position, **by, transfers_out_micros=-accrued, reserve_transfers_out_micros=-reserve)
        if isinstance(event, MeterRetired) and self.only in (None, event.meter):
            self.levels[name]["retired_position"] = self.levels[name]["retired_position"] or record.position
        if event.to_before is not None:
            to = (event.to, event.level)
            self._compare(to, event.to_before, record, event.NAME)
            self._move(to, record.position, accrued_micros=-accrued - reserve, transfers_in_micros=-accrued - reserve)

    def _move(self, name: Name, position: int, **by: int) -> None:
        if self.only not in (None, name[0]):
            return
        row = self.levels[name]
        for figure, amount in by.items():
            row[figure] += amount
        row["position"] = position
        self.changed.add(name)

    def _compare(self, name: Name, held: Held, record: Record, what: str) -> None:
        """Keeps where `held`, recorded by `what`, is not what the level sums up to."""
        if self.only not in (None, name[0]):
            return
        row = self.levels[name]
        for figure in _READING:
            recorded = getattr(held, figure)
            if recorded != row[figure]:
                self.discrepancies.append(
                    {
                        "position": record.position,
                        "figure": figure,
                        "round": record.stream.key,
                        "line_id": what,
                        "meter": name[0],
                        "level": name[1],
                        "recorded_micros": recorded,
                        "summed_micros": row[figure],
                    }
                )


def list_meters(source: Source, as_of: AsOf | None = None) -> Report:
    """Every meter by name, with its levels as `show_meter` gives them; with `as_of` those that were open then."""
    if as_of is not None:
        return _all_folded(source, as_of)
    with view(source, Meters) as open_:
        if open_.projection is None:
            return open_.report([])
        tables = open_.projection
        name = tables.meters["meter"]
        names = open_.connection.column(select(name, tables.meters, then=f"ORDER BY {name}"))
        return open_.report([_document(open_.connection, tables, name) for name in names])


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
        return open_.report(every_row(open_.connection, table, order=table.order))


def unwritten_discrepancies(source: Source, progress: Callable[[int, int], None] | None = None) -> list[dict[str, Any]]:
    """As `discrepancies`, and nothing is written: what the read model lacks is folded in memory, page by page.

    So it needs no lock, and answers for the whole log of a store that can only be read or that somebody else writes to.
    `progress` is told the position reached and the head.
    """
    with reading(source.store) as connection:
        built = current_build(connection, Meters) if exists(connection) else None
        tables = None if built is None else of_build(Meters, built[0])
        if tables is not None and not hold(connection, tables):
            tables = None
        position = 0 if built is None or tables is None else built[1]
        fold, found = Fold(), []
        if tables is not None:
            levels = every_row(connection, tables.levels)
            fold.levels = {(row["meter"], row["level"]): row for row in levels}
            fold.heads = {row["meter"]: row for row in every_row(connection, tables.meters)}
            found = every_row(connection, tables.discrepancies, order=tables.discrepancies.order)
    head = source.head().position
    refuse_ahead(Meters, position, head)
    while position < head and (page := source.feed.after(position, _PAGE)):
        fold.take(page)
        fold.changes.clear()
        position = page[-1].position
        if progress is not None:
            progress(position, head)
    return [*found, *fold.discrepancies]


_PAGE = 2_000


def _is_there(connection: Transaction, tables: Meters, meter: str) -> bool:
    return bool(connection.all(select("1", tables.meters, [equal(tables.meters["meter"], meter)])))


def _document(connection: Transaction, tables: Meters, meter: str) -> dict[str, Any]:
    def of_meter(table: Table, order: str) -> list[dict[str, Any]]:
        return every_row(connection, table, equal(table["meter"], meter), order=order)

    (head,) = of_meter(tables.meters, tables.meters.order)
    levels = of_meter(tables.levels, tables.levels["rank"])
    found = of_meter(tables.discrepancies, tables.discrepancies.order)
    changes = of_meter(tables.changes, tables.changes.order)
    return _shown(head, levels, changes, found, instant(head["latest_at"]))


def _folded(source: Source, meter: str, as_of: AsOf) -> Report:
    records = (record for record in log(source.feed.after) if meter in _meters_of(record))
    opening = next(records, None)
    found: list[dict[str, Any]] = []
    if opening is not None and as_of.covers(opening):
        fold = Fold(only=meter)
        fold.take([opening])
        fold.take(as_of.select(records))
        found = [_of_fold(fold, meter, as_of)]
    return Report(found, as_of.reached(source.head().position), 0)


def _of_fold(fold: Fold, meter: str, as_of: AsOf) -> dict[str, Any]:
    levels = sorted(fold.levels.values(), key=lambda row: int(row["rank"]))
    # Over a selection by time a reading has nothing that it could be compared with.
    differing = fold.discrepancies if as_of.moment is None else ()
    head = fold.heads[meter]
    return _shown(head, levels, fold.changes, differing, as_of.moment or instant(head["latest_at"]))


def _all_folded(source: Source, as_of: AsOf) -> Report:
    """One pass over the log for all meters, each with a fold of its own."""
    folds: dict[str, Fold] = {}
    for record in as_of.select(log(source.feed.after)):
        for meter in _meters_of(record):
            if meter not in folds and isinstance(record.event, MeterOpened):
                folds[meter] = Fold(only=meter)
            if meter in folds:
                folds[meter].take([record])
    found = [_of_fold(folds[meter], meter, as_of) for meter in sorted(folds)]
    return Report(found, as_of.reached(source.head().position), 0)


def _meters_of(record: Record) -> Iterable[str]:
    """The meters that `record` concerns."""
    event = record.event
    if isinstance(event, MeterOpened | ContributionTaken | MeterChanged | MeterAdjusted | MysteryRevealed):
        return (event.meter,)
    if isinstance(event, MeterTransferred | MeterRetired):
        return (event.meter,) if event.to_after is None else (event.meter, event.to)
    if isinstance(event, WagerSettled):
        return () if event.hit is None else (event.hit.meter,)
    if isinstance(event, RoundVoided):
        return {reversal.meter for reversal in event.meters}
    return ()


def _shown(
    head: Mapping[str, Any],
    levels: Iterable[Mapping[str, Any]],
    changes: Iterable[Mapping[str, Any]],
    found: Iterable[Mapping[str, Any]],
    moment: datetime,
) -> dict[str, Any]:
    """The meter's document under the terms in force at `moment`."""
    new = sorted(
        changes, key=lambda row: (instant(row["effective_from"]), row["position"], row["level"], row["figure"])
    )
    due = [row for row in new if instant(row["effective_from"]) <= moment]
    return {
        "meter": head["meter"],
        "property": head["property"],
        "levels": [_level(_in_force(row, due, row["level"])) for row in levels],
        "effective_from": head["effective_from"],
        GUARD: _in_force(head, due, "")[GUARD],
        "changes": [_change(row, in_force=row in due) for row in new],
        "discrepancies": [dict(row) for row in found],
    }


def _in_force(row: Mapping[str, Any], due: Iterable[Mapping[str, Any]], level: str) -> Mapping[str, Any]:
    """The row with the figures that the changes which are due give it, the latest of each."""
    return {**row, **{change["figure"]: change["after"] for change in due if change["level"] == level}}


def _change(row: Mapping[str, Any], *, in_force: bool) -> dict[str, Any]:
    """A new term: the level, none for the meter's guard, what it was and becomes, and whether it is in force."""
    return {
        "level": row["level"] or None,
        "figure": row["figure"],
        "before": row["before"],
        "after": row["after"],
        "effective_from": row["effective_from"],
        "in_force": in_force,
        "position": row["position"],
    }


def _level(row: Mapping[str, Any]) -> dict[str, Any]:
    accrued, must_hit_by = row["accrued_micros"], row["must_hit_by_micros"]
    limit = row["limit_micros"] if must_hit_by is None else must_hit_by
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
        "retired": row["retired_position"] is not None,
        "mystery": None if must_hit_by is None else {name: row[name] for name in _MYSTERY},
    }
