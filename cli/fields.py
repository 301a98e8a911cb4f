"""`--fields`: the keys of an answer that are wanted, each checked against those that it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cli.errors import Misused
from cli.meant import did_you_mean
from cli.tables import Column

Row = Mapping[str, Any]


def known(columns: Sequence[Column], rows: Iterable[Row]) -> dict[str, Column]:
    """Every field of the report as a column, those of the table first; also what only JSON has."""
    found = {column.key: column for column in columns}
    for row in rows:
        for name, value in row.items():
            if name not in found:
                found[name] = Column(name, name, _kind(name, value))
    return {name: Column(name, column.title or name, column.kind) for name, column in found.items()}


def check(wanted: Sequence[str], known: Iterable[str]) -> None:
    """Refuses a field that is not there, with those that it may have been."""
    names = list(known)
    for name in wanted:
        if name not in names:
            from difflib import get_close_matches

            near = [each for each in names if name in each.split("_")] or get_close_matches(name, names, cutoff=0.6)
            hint = did_you_mean(near, f"there are {', '.join(names)}")
            raise Misused("fields.unknown", f"no field {name!r} in this answer; {hint}")


def chosen(wanted: Sequence[str], document: Row) -> Row:
    """The document with the wanted keys alone, in their order; whole where none is named."""
    if not wanted:
        return document
    check(wanted, document)
    return {name: document[name] for name in wanted}


def _kind(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int):
        return "list" if isinstance(value, (list, tuple)) else "text"
    for ending in ("cents", "micros"):
        if name.endswith(f"_{ending}"):
            return ending
    return "int"
