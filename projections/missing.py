"""Round numbers that a table skipped on a gaming day: each is a round that nobody recorded, or a number misread."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

from projections.filters import Filters
from projections.reading import Report, view
from projections.rounds import Rounds
from projections.statements import Transaction, both, either, equal, select
from projections.store import Source


def missing_numbers(source: Source, filters: Filters) -> Report:
    """A row for each table and gaming day with a gap in its numbers, which are expected to go from 1 to the last.

    Of `filters` the property, table and day count. `missing` lists the gaps as `4` or `7-9`, `missing_count` how many
    numbers they are.
    """
    with view(source, Rounds) as open_:
        found = [] if open_.projection is None else [*_gaps(open_.connection, open_.projection, filters)]
        return open_.report(sorted(found, key=itemgetter("gaming_day", "property", "table")))


_PLACE = ("table", "gaming_day", "property")
"""In the order of the index that has the numbers, so that nothing is sorted and no row is looked at."""


def _gaps(connection: Transaction, tables: Rounds, filters: Filters) -> Iterator[dict[str, Any]]:
    rounds = tables.rounds
    place, number = ", ".join(rounds[name] for name in _PLACE), rounds["number"]
    wanted = {"property": filters.property, "table": filters.table, "gaming_day": filters.day}
    where = [equal(rounds[name], value) for name, value in wanted.items() if value is not None]
    # A table uses no number twice on a day, so as many numbers as the last one is are all there.
    gappy = f"GROUP BY {place} HAVING count(*) <> max({number}) ORDER BY {place}"
    places = connection.all(select(place, rounds, where, gappy))
    if len(places) <= _MOST_PLACES:
        where = [either(both(*map(equal, map(rounds.__getitem__, _PLACE), each)) for each in places)]
    numbers = connection.each(select(f"{place}, {number}", rounds, where, f"ORDER BY {place}, {number}"))
    for (table, day, property_), listed in groupby(numbers, key=itemgetter(0, 1, 2)):
        used = [number for *_, number in listed]
        gaps = [(before, after) for before, after in pairwise((0, *used)) if after > before + 1]
        if gaps:
            yield {
                "property": property_,
                "table": table,
                "gaming_day": day,
                "last": used[-1],
                "missing_count": sum(after - before - 1 for before, after in gaps),
                "missing": [_range(before + 1, after - 1) for before, after in gaps],
            }


_MOST_PLACES = 100
"""Up to so many tables and days are asked for by name; of more all numbers are read."""


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
