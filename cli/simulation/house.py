"""The house of a simulation: properties with their wall clocks, tables and meters, and how they are opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from cli.simulation.evening import Evening
from cli.simulation.people import SUPERVISORS
from domain.games.game import Game

Order = dict[str, Any]
"""A command that lacks its id and mostly its time."""

OPENS, IN_FORCE, FIRST_ROUND = time(9), time(12), time(18)
"""On the first day: properties open, sheets and meters come into force, and play begins, by the first one's clock."""
LEVELS = ("major", "minor")

_DOLLAR = 1_000_000


@dataclass(frozen=True)
class Property:
    """A property with its gaming day's rule; `code` begins the names of its tables and meters.

    `tables` is how many tables a game has where only that game is played.
    """

    id: str
    code: str
    zone: str
    day_starts: str
    tables: int

    def at(self, day: date, wall: time) -> datetime:
        """A moment of its wall clock."""
        return datetime.combine(day, wall, ZoneInfo(self.zone))


PROPERTIES = (
    Property("RIVERSIDE", "RV", "America/New_York", "06:00", 3),
    Property("HARBOUR", "HB", "America/Los_Angeles", "04:30", 2),
)


def table_names(property_: Property, games: Sequence[str]) -> list[tuple[str, str]]:
    """The property's tables with their games: one table a game, and several of the only game."""
    count = 1 if len(games) > 1 else property_.tables
    numbers: Counter[str] = Counter()
    named: list[tuple[str, str]] = []
    for game in games:
        for _ in range(count):
            mark = _initials(game)
            numbers[mark] += 1
            named.append((f"{property_.code}-{mark}{numbers[mark]}", game))
    return named


def meters_of(property_: Property, game: Game) -> tuple[str, ...]:
    """The meters that the game's tables feed: one shared with games of the same progressive hands, and its own."""
    rankings = [rule.rankings[0] for rule in game.wagers if rule.meter]
    if not rankings:
        return ()
    return f"{property_.code}-LINK-{_initials(rankings[0])}", f"{property_.code}-PROG-{_initials(game.id)}"


def opening(evening: Evening, property_: Property, games: Sequence[Game]) -> Iterator[Order]:
    """The commands that open a property with the meters of its games."""
    staff = {"at": property_.at(evening.day, OPENS).isoformat(), "by": SUPERVISORS[0]}
    yield {
        **staff,
        "command": "open_property",
        "property": property_.id,
        "zone": property_.zone,
        "day_starts": property_.day_starts,
        "currency": "USD",
    }
    for meter in dict.fromkeys(meter for game in games for meter in meters_of(property_, game)):
        yield {**staff, **_open_meter(evening, property_, meter), "effective_from": in_force(property_, evening.day)}


def in_force(property_: Property, day: date) -> str:
    """When the property's meters and first sheets come into force."""
    return property_.at(day, IN_FORCE).isoformat()


def _open_meter(evening: Evening, property_: Property, meter: str) -> Order:
    """A large level and a small one, without a limit or with one that is far away or close."""
    base, minor = evening.chance.pick((5_000, 10_000, 25_000)) * _DOLLAR, 500 * _DOLLAR
    return {
        "command": "open_meter",
        "meter": meter,
        "property": property_.id,
        "levels": [
            _level("major", base, base - 100_000, 1_800, 200, _limit(evening, base)),
            _level("minor", minor, minor + 700_000, 613, evening.chance.pick((0, 137)), _limit(evening, minor)),
        ],
        "unreasonable_micros": 2 * _DOLLAR,
        "approved_by": SUPERVISORS[1],
    }


def _limit(evening: Evening, base: int) -> int | None:
    if evening.happens("close_limit"):
        return base + evening.chance.pick((900_000, 1_000_000, 5_000_000))
    return evening.chance.pick((None, 2 * base, 4 * base))


def _level(level: str, base: int, reset: int, rate_bp: int, hidden_bp: int, limit: int | None) -> Order:
    return {
        "level": level,
        "base_micros": base,
        "reset_micros": reset,
        "rate_bp": rate_bp,
        "hidden_rate_bp": hidden_bp,
        "limit_micros": limit,
    }


def _initials(name: str) -> str:
    return "".join(part[0] for part in name.split("_")).upper()
