"""Round numbers that a table skipped on a gaming day: each is a round that nobody recorded, or a number misread."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
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
    counted = select(f"{place}, count(*), max({number})", rounds, where, f"GROUP BY {place} ORDER BY {place}")
    # A table uses no number twice on a day, so as many numbers as the last one is are all there.
    places = [(each, of, last) for *each, of, last in connection.all(counted)]
    if sum(of != last for _, of, last in places) <= _MOST_PLACES:
        places = [each for each in places if each[1] != each[2]]
        where = [either(both(*map(equal, map(rounds.__getitem__, _PLACE), each)) for each, *_ in places)]
    # As many of them as are counted belong to each place, so the places need not be read again with every number.
    numbers = iter(connection.column(select(number, rounds, where, f"ORDER BY {place}, {number}")))
    for (table, day, property_), of, last in places:
        used = list(islice(numbers, of))
        gaps = [(before, after) for before, after in pairwise((0, *used)) if after > before + 1] if of != last else []
        if gaps:
            yield {
                "property": property_,
                "table": table,
                "gaming_day": day,
                "last": last,
                "missing_count": sum(after - before - 1 for before, after in gaps),
                "missing": [_range(before + 1, after - 1) for before, after in gaps],
            }


_MOST_PLACES = 100
"""Up to so many tables and days are asked for by name; of more all numbers are read."""


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
