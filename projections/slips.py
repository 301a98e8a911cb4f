"""Payment slips: which numbers of a run were never used. Each is a payment nobody recorded, or a slip to account for.

Slips with a number at their end are runs by property and by what stands before the number: `J-0041`, `J-0042`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from projections.meter_book import MeterBook
from projections.statements import Sql, Transaction, equal, select

_NUMBERED = re.compile(r"(.*?)([0-9]{1,15})", re.DOTALL)
Row = dict[str, Any]


def slip_gaps(connection: Transaction, book: MeterBook, property_: str | None = None) -> list[Row]:
    """A row for each gap between two slips of a run, by property, run and number."""
    jackpots = book.jackpots
    where = [Sql(f"{jackpots['slip']} IS NOT NULL")]
    if property_ is not None:
        where.append(equal(jackpots["property"], property_))
    what = f"{jackpots['property']}, {jackpots['slip']}, {jackpots['paid_day']}"
    return list(gaps(connection.rows(select(what, jackpots, where))))


def gaps(slips: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """The gaps of slips given with their `property` and `paid_day`; `paid_day` of a gap is that of the slip after it.

    >>> [gap["missing"] for gap in gaps({"property": "N", "slip": f"J-{n:03}", "paid_day": ""} for n in (7, 8, 11))]
    ['J-009 to J-010']
    """
    runs: dict[tuple[str, str], dict[int, Mapping[str, Any]]] = defaultdict(dict)
    for row in slips:
        found = _NUMBERED.fullmatch(row["slip"])
        if found is not None:
            runs[row["property"], found[1]][int(found[2])] = row
    for (property_, prefix), numbers in sorted(runs.items()):
        used = sorted(numbers)
        for before, after in pairwise(used):
            if after - before > 1:
                width = len(numbers[before]["slip"]) - len(prefix)
                first, last = f"{prefix}{before + 1:0{width}}", f"{prefix}{after - 1:0{width}}"
                yield {
                    "property": property_,
                    "missing": first if first == last else f"{first} to {last}",
                    "count": after - before - 1,
                    "before": numbers[before]["slip"],
                    "after": numbers[after]["slip"],
                    "paid_day": numbers[after]["paid_day"],
                }
