"""The people of a simulation: players with their habits of betting, and the staff."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cli.simulation.chance import Chance

SUPERVISORS = ("S01", "S02", "S03", "S04", "S05")
DEALERS = ("D01", "D02", "D03", "D04", "D05", "D06", "D07", "D08", "D09", "D10", "D11", "D12")

# What people usually bet in cents; small wagers are common, large ones rare.
_UNITS = (500, 500, 1_000, 1_000, 1_500, 2_500, 2_500, 5_000, 10_000)


@dataclass(frozen=True)
class Person:
    """A player: the main wager he likes, and whether he plays by the house way."""

    name: str
    unit_cents: int
    careful: bool


def crowd(chance: Chance, count: int) -> Iterator[Person]:
    """`count` players, P001 and so on."""
    width = max(3, len(str(count)))
    for number in range(1, count + 1):
        yield Person(f"P{number:0{width}d}", chance.pick(_UNITS), chance.in_ten_thousand(6_000))
