"""Round numbers that a table skipped on a gaming day: each is a round that nobody recorded, or a number misread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from projections.filters import Filters
from projections.reading import Report, view
from projections.rounds import Rounds
from projections.store import Source


def missing_numbers(source: Source, filters: Filters) -> Report:
    """A row for each table and gaming day with a gap in its numbers, which are expected to go from 1 to the last.

    Of `filters` the property, table and day count. `missing` lists the gaps as `4` or `7-9`, `missing_count` how many
    numbers they are.
    """
    with view(source, Rounds) as open_:
        found = [] if open_.projection is None else open_.connection.execute(_gaps(open_.projection, filters)).all()
        return open_.report(list(_rows(found)))


def _gaps(tables: Rounds, filters: Filters) -> sa.Select[Any]:
    """Each number whose predecessor at its table and day is not the number before it."""
    rounds = tables.rounds.c
    where = {"property": filters.property, "table": filters.table, "gaming_day": filters.day}
    place = (rounds.table, rounds.gaming_day, rounds.property)
    before = sa.func.lag(rounds.number, 1, 0).over(partition_by=place, order_by=rounds.number)
    last = sa.func.max(rounds.number).over(partition_by=place)
    numbered = (
        sa.select(*place, rounds.number, before.label("before"), last.label("last"))
        .where(*(rounds[name] == wanted for name, wanted in where.items() if wanted is not None))
        .subquery()
    )
    gap = numbered.c.number > numbered.c.before + 1
    order = (numbered.c.gaming_day, numbered.c.property, numbered.c.table, numbered.c.number)
    return sa.select(numbered).where(gap).order_by(*order)


def _rows(found: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for (day, property_, table), gaps in groupby(found, key=lambda row: (row.gaming_day, row.property, row.table)):
        listed = list(gaps)
        yield {
            "property": property_,
            "table": table,
            "gaming_day": day,
            "last": listed[0].last,
            "missing_count": sum(row.number - row.before - 1 for row in listed),
            "missing": [_range(row.before + 1, row.number - 1) for row in listed],
        }


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
