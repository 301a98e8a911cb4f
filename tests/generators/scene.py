"""What every part of a round knows: the sheet, who sits where, what stands on the layout, and how people behave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from domain.cards import Hand
from domain.sheets import Sheet, WagerTerms
from tests.generators.chance import Chance
from tests.generators.decks import Dealt
from tests.generators.house import SUPERVISORS

Order = dict[str, Any]
"""A command that lacks its id and its time."""


@dataclass(frozen=True)
class Habits:
    """How often things happen, in a thousand chances."""

    sits_out: int = 70
    fortune: int = 650
    progressive: int = 500
    toke: int = 120
    backer: int = 100
    odd_cents: int = 150
    placed_in_two: int = 80
    withdrawn: int = 60
    bank: int = 150
    no_start: int = 30
    dice: int = 200
    misdeal: int = 25
    exposed: int = 60
    four_exposed: int = 60
    shuffler_before: int = 15
    shuffler_after: int = 5
    void_unsettled: int = 12
    own_setting: int = 350
    careless: int = 120
    floor_resets: int = 500
    banker_early: int = 60
    forfeit: int = 25
    dealer_shown: int = 950
    dealer_differs: int = 30
    payment: int = 150
    wrong_payment: int = 150
    correction: int = 40
    jackpot: int = 700
    void_settled: int = 25


EVENTFUL = Habits(
    toke=400,
    backer=350,
    odd_cents=500,
    withdrawn=250,
    bank=450,
    misdeal=60,
    exposed=200,
    shuffler_before=60,
    shuffler_after=30,
    void_unsettled=40,
    careless=500,
    forfeit=200,
    dealer_differs=200,
    correction=200,
    void_settled=150,
    progressive=850,
)
"""An unlucky week's worth of everything in a few rounds."""


class Wager(NamedTuple):
    """Chips of somebody on a spot."""

    seat: int
    wager: str
    bettor: str | None = None
    toke: bool = False

    @property
    def own(self) -> bool:
        """Neither a backer's nor a toke."""
        return self.bettor is None and not self.toke

    def keys(self) -> Order:
        """How a command names it."""
        named: Order = {"seat": self.seat, "wager": self.wager}
        if self.bettor is not None:
            named["bettor"] = self.bettor
        return named | {"toke": True} if self.toke else named


@dataclass(frozen=True)
class Split:
    """A hand as it was set."""

    high: Hand
    low: Hand
    foul: bool = False


@dataclass
class Scene:
    """A round as far as it was played; `onlookers` are players who do not sit at the table."""

    chance: Chance
    sheet: Sheet
    opening: Order
    onlookers: Sequence[str]
    habits: Habits
    bias: bool
    players: dict[int, str]
    dealt: Dealt
    banker: int | None = None
    stakes: dict[Wager, int] = field(default_factory=dict)
    forfeited: list[Wager] = field(default_factory=list)
    splits: dict[int, Split] = field(default_factory=dict)
    settled: bool = False

    @property
    def dealer(self) -> str:
        """The dealer, who also gives most commands."""
        return str(self.opening["dealer"])

    @property
    def wheel(self) -> str:
        """What A-2-3-4-5 is worth on this sheet (R7)."""
        return self.sheet.options["R7"]

    def happens(self, habit: str) -> bool:
        """Whether a thing of `Habits` happens this time."""
        return self.chance.in_thousand(getattr(self.habits, habit))

    def terms(self, wager: str) -> WagerTerms:
        """The sheet's terms of a wager."""
        return self.sheet.wagers[wager]

    def limits(self, wager: str) -> tuple[int, int]:
        """The least and the most cents of a wager that is placed."""
        terms = self.terms(wager)
        assert terms.min_cents is not None and terms.max_cents is not None
        return terms.min_cents, terms.max_cents

    def order(self, command: str, **keys: Any) -> Order:
        """A command about this round."""
        return {"command": command, "by": self.dealer, "round": self.opening["round"], **keys}

    def at_table(self, command: str, **keys: Any) -> Order:
        """A command about this round's table."""
        table = {key: self.opening[key] for key in ("property", "table")}
        return {"command": command, "by": self.dealer, **table, **keys}

    def approver(self) -> str:
        """One supervisor."""
        return self.chance.pick(SUPERVISORS)

    def approvers(self) -> list[str]:
        """Two supervisors."""
        return self.chance.some(SUPERVISORS, 2)

    def void(self, reason: str) -> Order:
        """The order that voids the round."""
        return self.order("void_round", reason=reason, approved_by=self.approvers())

    def in_play(self) -> list[int]:
        """Seats whose hands must be set: with a main wager, or the banker's."""
        return [seat for seat in self.players if seat == self.banker or Wager(seat, "main") in self.stakes]
