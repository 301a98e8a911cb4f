"""What a person may have meant by a name that nothing in the ledger has: the names that resemble it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from ledger.tables import Table
from projections.reading import View, view
from projections.rounds import Rounds
from projections.statements import Sql
from projections.store import Source, distinct

_NEIGHBOURS = 200
_MOST_NAMES = 500


def similar_names(source: Source, filter_: str, wanted: str, limit: int = 3) -> list[str]:
    """Values of the filter `filter_` (`table`, `player` ...) that resemble `wanted`, the nearest first."""
    with view(source, Rounds) as open_:
        if open_.projection is None:
            return []
        return nearest(wanted, names(open_, open_.projection, filter_, wanted), limit)


def few_names(source: Source, filter_: str, most: int = 20) -> list[str]:
    """Every value of the filter where they are at most `most`, else none."""
    with view(source, Rounds) as open_:
        if open_.projection is None:
            return []
        found = list(distinct(open_.connection, *_column(open_.projection, filter_), most + 1))
    return found if len(found) <= most else []


def nearest(wanted: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """The names of `known` that resemble `wanted`, whatever its capitals and dashes.

    >>> nearest("pg-02", ["PG01", "PG02", "BJ7"])
    ['PG02', 'PG01']
    """
    by_plain = {_plain(name): name for name in known}
    return [by_plain[each] for each in get_close_matches(_plain(wanted), by_plain, n=limit, cutoff=0.6)]


def names(open_: View[Rounds], tables: Rounds, filter_: str, near: str = "") -> list[str]:
    """The values that `filter_` may have; of very many those that stand around `near` in the order of names."""
    table, column = _column(tables, filter_)
    every = list(distinct(open_.connection, table, column, _MOST_NAMES))
    if len(every) < _MOST_NAMES or not near:
        return every
    # A name is mostly right at its beginning.
    around = [near[:size] for size in range(len(near), 0, -1)]
    found: dict[str, None] = {}
    for beginning in around:
        inside = Sql(f"{table[column]} >= ? AND {table[column]} < ?", (beginning, beginning + "\U0010ffff"))
        found |= dict.fromkeys(distinct(open_.connection, table, column, _NEIGHBOURS, inside))
        if len(found) >= _NEIGHBOURS:
            break
    return list(found)


def _column(tables: Rounds, filter_: str) -> tuple[Table, str]:
    """The table and the column that a filter is about."""
    aside = {"player": (tables.players, "player"), "finding": (tables.findings, "code")}
    table, name = aside.get(filter_, (tables.rounds, {"day": "gaming_day"}.get(filter_, filter_)))
    return table, name


def _plain(name: str) -> str:
    return "".join(each for each in name.casefold() if each.isalnum())
