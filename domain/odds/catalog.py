"""The named tables: those that come with the program, and those of a sheet; each with what its odds rest on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from domain.odds.distributions import Terms
from domain.rankings import RANKINGS
from domain.sheets import EnvyTable, PayLine, Paytable, Sheet, WagerTerms, sample, sample_ids
from domain.sheets.reading import read_sheet

TABLES = Path(__file__).parent / "tables"
"""Files of tables in the form of a sheet's, an envy table also naming its ranking list."""

_LISTS = list(RANKINGS)


@dataclass(frozen=True, slots=True)
class Listed:
    """A table by its name. `terms` and `stake_cents` are a sheet's, empty for a table that stands for itself.

    `wagers` are the sheet's that use the table; `stake_cents` is their stake where they allow only one.
    """

    table: Paytable | EnvyTable
    ranking: str
    wagers: tuple[str, ...] = ()
    terms: Terms = field(default_factory=dict)
    stake_cents: int | None = None

    @property
    def name(self) -> str:
        return self.table.name

    @property
    def is_envy(self) -> bool:
        return isinstance(self.table, EnvyTable)


def shipped() -> tuple[Listed, ...]:
    """Every table that comes with the program, in a file or in a sample sheet: each name once, by ranking list."""
    found = {(each.name, each.is_envy): each for each in _from_files()}
    for ref in sample_ids():
        for each in tables_of(read_sheet(sample(ref))):
            found.setdefault((each.name, each.is_envy), Listed(each.table, each.ranking))
    return tuple(sorted(found.values(), key=lambda each: (_LISTS.index(each.ranking), each.is_envy)))


def tables_of(sheet: Sheet) -> tuple[Listed, ...]:
    """The tables that the wagers of a sheet use, in settling order, paytables before envy tables."""
    terms = dict(sheet.options)
    if sheet.house_way is not None:
        terms["house_way"] = sheet.house_way
    by_paytable: dict[str, list[WagerTerms]] = {}
    by_envy: dict[str, list[WagerTerms]] = {}
    for wager in sheet.wagers.values():
        by_paytable.setdefault(wager.paytable.name, []).append(wager)
        if wager.envy is not None:
            by_envy.setdefault(wager.envy.name, []).append(wager)
    paytables = (_listed(users[0].paytable, users, terms) for users in by_paytable.values())
    envy_tables = (_listed(users[0].envy, users, terms) for users in by_envy.values() if users[0].envy)
    return (*paytables, *envy_tables)


def _listed(table: Paytable | EnvyTable, users: list[WagerTerms], terms: Terms) -> Listed:
    stakes = {stake for user in users for stake in (user.min_cents, user.max_cents)}
    only = stakes.pop() if len(stakes) == 1 else None
    return Listed(table, users[0].paytable.ranking, tuple(user.id for user in users), terms, only)


@cache
def _from_files() -> tuple[Listed, ...]:
    return tuple(each for path in sorted(TABLES.glob("*.json")) for each in _from_file(path))


def _from_file(path: Path) -> Iterator[Listed]:
    content: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for name, table in content["paytables"].items():
        lines = tuple(PayLine(**line) for line in table["lines"])
        yield Listed(Paytable(name, table["source"], table["ranking"], lines), table["ranking"])
    for name, table in content.get("envy_tables", {}).items():
        cents = {line["hand"]: line["cents"] for line in table["lines"]}
        yield Listed(EnvyTable(name, table["source"], cents), table["ranking"])
