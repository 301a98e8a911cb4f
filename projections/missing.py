"""Round numbers that a table skipped on a gaming day: each is a round that nobody recorded, or a number misread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from projections.filters import Filters
from projections.reading import Report, view
from projections.rounds import Rounds
from projections.statements import Sql, equal, select
from projections.store import Source


def missing_numbers(source: Source, filters: Filters) -> Report:
    """A row for each table and gaming day with a gap in its numbers, which are expected to go from 1 to the last.

    Of `filters` the property, table and day count. `missing` lists the gaps as `4` or `7-9`, `missing_count` how many
    numbers they are.
    """
    with view(source, Rounds) as open_:
        found = [] if open_.projection is None else open_.connection.rows(_gaps(open_.projection, filters))
        return open_.report(list(_rows(found)))


def _gaps(tables: Rounds, filters: Filters) -> Sql:
    """Each number whose predecessor at its table and day is not the number before it."""
    rounds = tables.rounds
    wanted = {"property": filters.property, "table": filters.table, "gaming_day": filters.day}
    where = [equal(rounds[name], value) for name, value in wanted.items() if value is not None]
    place = ", ".join(rounds[name] for name in ("table", "gaming_day", "property"))
    number = rounds["number"]
    numbered = select(
        f"""{place}, {number}, lag({number}, 1, 0) OVER (PARTITION BY {place} ORDER BY {number}) AS before,
        max({number}) OVER (PARTITION BY {place}) AS last""",
        rounds,
        where,
    )
    order = 'ORDER BY gaming_day, property, "table", number'
    return Sql(f"SELECT * FROM ({numbered.text}) AS numbered WHERE number > before + 1 {order}", numbered.values)


def _rows(found: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for (day, property_, table), gaps in groupby(found, key=itemgetter("gaming_day", "property", "table")):
        listed = list(gaps)
        yield {
            "property": property_,
            "table": table,
            "gaming_day": day,
            "last": listed[0]["last"],
            "missing_count": sum(row["number"] - row["before"] - 1 for row in listed),
            "missing": [_range(row["before"] + 1, row["number"] - 1) for row in listed],
        }


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
