"""What happens around the rounds, as facts: properties, sheets, tables, players and meters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from domain.meters import LevelTerms
from domain.rounds.events import Event


@dataclass(frozen=True, slots=True)
class PropertyOpened(Event):
    """A property with its wall clock: `zone` is an IANA name, `day_starts` the gaming day's cut-off."""

    NAME: ClassVar[str] = "property.opened"

    property: str
    zone: str
    day_starts: str
    currency: str


@dataclass(frozen=True, slots=True)
class SheetPublished(Event):
    """A sheet, options filled in; it never changes after this. `sheet` is the whole content."""

    NAME: ClassVar[str] = "sheet.published"

    ref: str
    fingerprint: str
    effective_from: str
    approved_by: tuple[str, ...]
    sheet: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ShufflerFailed(Event):
    """The shuffler reported an error: nothing is dealt until it is cleared. `round` had been dealt: a misdeal."""

    NAME: ClassVar[str] = "table.shuffler-failed"

    property: str
    table: str
    round: str | None = None


@dataclass(frozen=True, slots=True)
class ShufflerCleared(Event):
    """A supervisor investigated the shuffler and cleared it."""

    NAME: ClassVar[str] = "table.shuffler-cleared"

    property: str
    table: str
    approved_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerBoughtIn(Event):
    NAME: ClassVar[str] = "player.bought-in"

    property: str
    table: str
    player: str
    amount_cents: int
    gaming_day: str


@dataclass(frozen=True, slots=True)
class PlayerCashedOut(Event):
    NAME: ClassVar[str] = "player.cashed-out"

    property: str
    table: str
    player: str
    amount_cents: int
    gaming_day: str


@dataclass(frozen=True, slots=True)
class MeterOpened(Event):
    """A progressive meter with its levels; wagers feed it from `effective_from` on."""

    NAME: ClassVar[str] = "meter.opened"

    meter: str
    property: str
    levels: tuple[LevelTerms, ...]
    unreasonable_micros: int
    effective_from: str
    approved_by: tuple[str, ...]
