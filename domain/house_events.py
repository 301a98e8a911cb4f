"""What happens around the rounds, as facts: properties, sheets, tables, players and meters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from domain.making import frozen
from domain.meters import Held, LevelChange, LevelTerms
from domain.money import SUPERVISOR_FROM_CENTS
from domain.rounds.events import Event, Finding


@frozen()
class PropertyOpened(Event):
    """A property with its wall clock: `zone` is an IANA name, `day_starts` the gaming day's cut-off.

    From a difference of `supervisor_from_cents` on between a jackpot's line and its slip a supervisor is needed.
    `reported_winnings` says what is held against the tax figures: the `gross` payment, or `net` of the wager.
    """

    NAME: ClassVar[str] = "property.opened"
    SCHEMA: ClassVar[int] = 2

    property: str
    zone: str
    day_starts: str
    currency: str
    supervisor_from_cents: int = SUPERVISOR_FROM_CENTS
    reported_winnings: str = "gross"


@frozen()
class SheetPublished(Event):
    """A sheet, options filled in; it never changes after this. `sheet` is the whole content."""

    NAME: ClassVar[str] = "sheet.published"

    ref: str
    fingerprint: str
    effective_from: str
    approved_by: tuple[str, ...]
    sheet: Mapping[str, Any]


@frozen()
class ShufflerFailed(Event):
    """The shuffler reported an error: nothing is dealt until it is cleared. `round` had been dealt: a misdeal."""

    NAME: ClassVar[str] = "table.shuffler-failed"

    property: str
    table: str
    round: str | None = None


@frozen()
class ShufflerCleared(Event):
    """A supervisor investigated the shuffler and cleared it."""

    NAME: ClassVar[str] = "table.shuffler-cleared"

    property: str
    table: str
    approved_by: tuple[str, ...]


@frozen()
class PlayerBoughtIn(Event):
    NAME: ClassVar[str] = "player.bought-in"

    property: str
    table: str
    player: str
    amount_cents: int
    gaming_day: str


@frozen()
class PlayerCashedOut(Event):
    NAME: ClassVar[str] = "player.cashed-out"

    property: str
    table: str
    player: str
    amount_cents: int
    gaming_day: str


@frozen()
class MeterOpened(Event):
    """A progressive meter with its levels; wagers feed it from `effective_from` on."""

    NAME: ClassVar[str] = "meter.opened"
    SCHEMA: ClassVar[int] = 2

    meter: str
    property: str
    levels: tuple[LevelTerms, ...]
    unreasonable_micros: int
    effective_from: str
    approved_by: tuple[str, ...]


@frozen()
class MeterChanged(Event):
    """New terms for wagers from `effective_from` on; `unreasonable_micros` is None where the guard stays."""

    NAME: ClassVar[str] = "meter.changed"

    meter: str
    property: str
    effective_from: str
    levels: tuple[LevelChange, ...]
    approved_by: tuple[str, ...]
    gaming_day: str
    unreasonable_before_micros: int
    unreasonable_micros: int | None = None
    reason: str | None = None
    evidence: str | None = None


@frozen()
class MeterAdjusted(Event):
    """What a level holds was put right, for a reason of the closed list; `amount_micros` is negative where it fell.

    `gaming_day` is the day of the entry, `corrected_day` the one whose play it puts right where that is another.
    """

    NAME: ClassVar[str] = "meter.adjusted"

    meter: str
    property: str
    level: str
    amount_micros: int
    reason: str
    evidence: str
    approved_by: tuple[str, ...]
    gaming_day: str
    before: Held
    after: Held
    corrected_day: str | None = None
    findings: tuple[Finding, ...] = ()


@frozen()
class MeterTransferred(Event):
    """A part of what a level has accrued went to the same level of the meter `to`, or to revenue."""

    NAME: ClassVar[str] = "meter.transferred"

    meter: str
    property: str
    level: str
    to: str
    amount_micros: int
    reason: str
    evidence: str
    approved_by: tuple[str, ...]
    gaming_day: str
    before: Held
    after: Held
    to_before: Held | None = None
    to_after: Held | None = None


@frozen()
class MeterRetired(Event):
    """A level ended: what it had accrued and its reserve went whole into what `to` has accrued, or to revenue.

    `shown_micros` is the V that it showed last.
    """

    NAME: ClassVar[str] = "meter.retired"

    meter: str
    property: str
    level: str
    to: str
    reason: str
    evidence: str
    approved_by: tuple[str, ...]
    gaming_day: str
    shown_micros: int
    before: Held
    after: Held
    to_before: Held | None = None
    to_after: Held | None = None


@frozen()
class MeterRead(Event):
    """Somebody read the sign: what it showed, beside what it should have shown at this place of the log."""

    NAME: ClassVar[str] = "meter.read"

    meter: str
    property: str
    level: str
    display_cents: int
    expected_cents: int
    accrued_micros: int
    gaming_day: str
