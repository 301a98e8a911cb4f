"""A progressive meter as a fold: what each level holds after the contributions, hits and voids so far. All in micros.

The equation of a level: accrued = base + increments + resets - wins, a void taking back exactly its round's own part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from domain.money import cut_to_cents
from domain.rounds.events import ContributionTaken, Hit, MeterReversal


@dataclass(frozen=True, slots=True)
class LevelTerms:
    """What a level starts with and earns; rates in basis points of the stake, `limit_micros` None is no limit."""

    level: str
    base_micros: int
    reset_micros: int
    rate_bp: int
    hidden_rate_bp: int
    limit_micros: int | None


@dataclass(frozen=True, slots=True)
class Level:
    """One level's reading. `accrued_micros` may pass the limit (overflow) and, after a void, fall below zero."""

    terms: LevelTerms
    accrued_micros: int
    reserve_micros: int = 0
    in_count: int = 0
    hits: int = 0
    wins_micros: int = 0
    resets_micros: int = 0

    @property
    def shown_micros(self) -> int:
        """min(accrued, limit), never below 0: the V of a hit, and what the display is cut from."""
        limit = self.terms.limit_micros
        return max(self.accrued_micros if limit is None else min(self.accrued_micros, limit), 0)

    @property
    def display_cents(self) -> int:
        return cut_to_cents(self.shown_micros)

    @property
    def overflow_micros(self) -> int:
        limit = self.terms.limit_micros
        return 0 if limit is None else max(self.accrued_micros - limit, 0)


@dataclass(frozen=True, slots=True)
class Meter:
    """A meter's levels by name, with what guards its contributions. Times are RFC 3339 as recorded."""

    meter: str
    property: str
    effective_from: str
    unreasonable_micros: int
    levels: Mapping[str, Level]

    def contributed(self, event: ContributionTaken) -> Meter:
        levels = dict(self.levels)
        for part in event.levels:
            level = levels[part.level]
            levels[part.level] = replace(
                level,
                accrued_micros=level.accrued_micros + part.increment_micros,
                reserve_micros=level.reserve_micros + part.hidden_micros,
                in_count=level.in_count + 1,
            )
        return replace(self, levels=levels)

    def hit(self, hit: Hit) -> Meter:
        return self._moved(hit.level, hit.win_micros, hit.reset_micros, hit.reserve_used_micros, hits=1)

    def reversed(self, reversal: MeterReversal) -> Meter:
        level = self.levels[reversal.level]
        undone = replace(
            level,
            accrued_micros=level.accrued_micros
            - reversal.increment_micros
            + reversal.win_micros
            - reversal.reset_micros,
            reserve_micros=level.reserve_micros - reversal.hidden_micros + reversal.reserve_used_micros,
            in_count=level.in_count - reversal.in_count,
            hits=level.hits - reversal.hits,
            wins_micros=level.wins_micros - reversal.win_micros,
            resets_micros=level.resets_micros - reversal.reset_micros,
        )
        return replace(self, levels={**self.levels, reversal.level: undone})

    def _moved(self, name: str, win: int, reset: int, reserve_used: int, *, hits: int) -> Meter:
        level = self.levels[name]
        moved = replace(
            level,
            accrued_micros=level.accrued_micros - win + reset,
            reserve_micros=level.reserve_micros - reserve_used,
            hits=level.hits + hits,
            wins_micros=level.wins_micros + win,
            resets_micros=level.resets_micros + reset,
        )
        return replace(self, levels={**self.levels, name: moved})


def open_meter(
    meter: str, property_: str, effective_from: str, unreasonable_micros: int, terms: Iterable[LevelTerms]
) -> Meter:
    """The meter as it is opened: every level at its base."""
    levels = {each.level: Level(each, each.base_micros) for each in terms}
    return Meter(meter, property_, effective_from, unreasonable_micros, levels)
