"""How many deals hold which classes of a ranking list: counted over every deal, shipped as data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from domain.rankings import RANKINGS

COUNTS = Path(__file__).parent / "counts"
"""A file for each list; `python -m tests.exhaustive.paytable_counts` makes them."""

Terms = Mapping[str, str]
"""What chances can depend on: a sheet's options by ruling id, and its `house_way`."""


class NoOdds(LookupError):
    """No exact chances are known; the message says why."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Every deal by the classes of a list that it holds: `holdings` has each set of classes with its deals.

    `deals` says in words what was dealt, `total` how many such deals there are. `terms` are those that the counts rest
    on, empty where they rest on none.
    """

    ranking: str
    deals: str
    total: int
    terms: Terms
    holdings: tuple[tuple[frozenset[str], int], ...]

    def first_classes(self, among: Collection[str]) -> Counter[str | None]:
        """The deals by the first of these classes that they hold, in the order of the list; None counts the rest.

        >>> distribution("flush_length").first_classes(("flush_4", "flush_7"))["flush_7"]
        6864
        """
        falling = [name for name in RANKINGS[self.ranking] if name in among]
        counted: Counter[str | None] = Counter()
        for held, deals in self.holdings:
            counted[next((name for name in falling if name in held), None)] += deals
        return counted


def distribution(ranking: str, terms: Terms | None = None) -> Distribution:
    """The distribution of a list under these terms; a term that is absent has its default.

    Raises NoOdds where the list has none, or none for these terms.
    """
    cases = _distributions(ranking)
    default = cases[0].terms
    wanted = {name: (terms or {}).get(name, value) for name, value in default.items()}
    for each in cases:
        if each.terms == wanted:
            return each
    said = ", ".join(f"{name} {value}" for name, value in wanted.items())
    raise NoOdds(f"not counted for {said}")


@cache
def _distributions(ranking: str) -> tuple[Distribution, ...]:
    """The distributions of a list for each of the terms it depends on, the one for the defaults first."""
    if ranking == "win":
        raise NoOdds("depends on play")
    path = COUNTS / f"{ranking}.json"
    if ranking not in RANKINGS or not path.exists():
        raise NoOdds("not counted")
    content = json.loads(path.read_text(encoding="utf-8"))
    return tuple(_distribution(content, case) for case in content["cases"])


def _distribution(content: Mapping[str, Any], case: Mapping[str, Any]) -> Distribution:
    holdings = tuple((frozenset(row["holds"]), row["count"]) for row in case["hands"])
    return Distribution(content["ranking"], content["deals"], content["total"], case["when"], holdings)
