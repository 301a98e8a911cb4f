"""A sheet: the versioned rules a round is played under, as the operator published them. Amounts are cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class PayLine:
    """What one class of hand pays; of the figures only those of its `kind` are there.

    `to_1`: `n` times the stake and the stake returned (n = 0 is a push). `for_1`: `n` times the stake, which stays
    taken. `fixed`: `cents`. `percent_of_meter`: `percent` of the `level` of the wager's meter, or of `meter` where the
    wager feeds several.
    """

    hand: str
    kind: str
    n: int | None = None
    cents: int | None = None
    percent: int | None = None
    level: str | None = None
    meter: str | None = None

    @property
    def odds(self) -> str:
        """The line as it is quoted: `2500 to 1`, `50 for 1`, `fixed`, `10% of major`, or `10% of major of LINK`."""
        if self.kind == "to_1":
            return f"{self.n} to 1"
        if self.kind == "for_1":
            return f"{self.n} for 1"
        if self.kind == "fixed":
            return "fixed"
        return f"{self.percent}% of {self.level}" + (f" of {self.meter}" if self.meter is not None else "")


@dataclass(frozen=True, slots=True)
class Paytable:
    """What a wager pays by the class of hand, in the order of the list named by `ranking`.

    `hands` finds a line by its class; a class without a line loses. `most_odds` is the most times a stake that a line
    pays.
    """

    name: str
    source: str
    ranking: str
    lines: tuple[PayLine, ...]
    hands: Mapping[str, PayLine] = field(init=False, repr=False, compare=False)
    most_odds: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", {line.hand: line for line in self.lines})
        object.__setattr__(self, "most_odds", max((line.n or 0 for line in self.lines), default=0))


@dataclass(frozen=True, slots=True)
class EnvyTable:
    """What another player's hand pays, in cents by class, in the ranking of the wager's paytable."""

    name: str
    source: str
    cents: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Commission:
    """The house's rate on main wins in basis points, and its rounding (R12)."""

    bp: int
    rounding: str


@dataclass(frozen=True, slots=True)
class WagerTerms:
    """One wager on offer. `min_cents` and `max_cents` are None where it is not placed but made during the hand.

    Its stake feeds every one of `meters`.
    """

    id: str
    paytable: Paytable
    min_cents: int | None = None
    max_cents: int | None = None
    toke_max_cents: int | None = None
    envy: EnvyTable | None = None
    meters: tuple[str, ...] = ()
    _levels_paid: Mapping[str, frozenset[str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        levels = [
            (self.paying_meter(line), line.level)
            for line in self.paytable.lines
            if line.level is not None and self.meters
        ]
        paid = {meter: frozenset(level for named, level in levels if named == meter) for meter in self.meters}
        object.__setattr__(self, "_levels_paid", paid)

    def paying_meter(self, line: PayLine) -> str:
        """The meter that a line pays a percentage of; a line names it where the wager feeds several."""
        return self.meters[0] if line.meter is None else line.meter

    def levels_paid(self, meter: str) -> frozenset[str]:
        """The levels of `meter`, one of the wager's, that the paytable pays from."""
        return self._levels_paid[meter]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A published sheet, ready to play by.

    `options` holds every ruling of the game, defaults filled in; `wagers` only what is on offer. `house_way` is None
    where hands are not split. `content` is the filled-in JSON that is stored, `fingerprint` the SHA-256 (hex) of its
    canonical form: two contents are the same sheet when their fingerprints are equal.
    """

    id: str
    version: int
    game: str
    title: str
    source: str
    positions: int
    options: Mapping[str, str]
    player_bank: bool
    two_hands: str
    wagers: Mapping[str, WagerTerms]
    content: Mapping[str, Any] = field(repr=False)
    fingerprint: str
    house_way: str | None = None
    commission: Commission | None = None
    envy_minimum_cents: int | None = None
    payout_limit_cents: int | None = None

    @property
    def ref(self) -> str:
        """The name that a round pins: `id@version`."""
        return f"{self.id}@{self.version}"
