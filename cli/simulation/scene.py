"""What every part of a round looks at: the round itself, its sheet and game, who sits where, and how they behave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cli.simulation.book import Book
from cli.simulation.chance import Chance
from cli.simulation.evening import Evening
from cli.simulation.house import Order
from cli.simulation.people import SUPERVISORS, Person
from domain.desk import Table
from domain.games.game import Game
from domain.rounds.events import HOUSE
from domain.rounds.state import Round, Wager
from domain.sheets import Sheet, WagerTerms
from domain.surroundings import table_at


@dataclass(frozen=True)
class Scene:
    """A round that is played. `people` are its players by seat, `onlookers` those who may back one of them."""

    evening: Evening
    sheet: Sheet
    game: Game
    opening: Order
    people: Mapping[int, Person]
    onlookers: Sequence[Person]

    @property
    def chance(self) -> Chance:
        """The evening's."""
        return self.evening.chance

    @property
    def book(self) -> Book:
        """The evening's."""
        return self.evening.book

    @property
    def key(self) -> str:
        """The round's key."""
        return str(self.opening["round"])

    @property
    def dealer(self) -> str:
        """The dealer, who also gives most commands."""
        return str(self.opening["dealer"])

    @property
    def round(self) -> Round:
        """The round as it stands."""
        round_ = self.book.round(self.key)
        assert round_ is not None
        return round_

    @property
    def table(self) -> Table:
        """The table between commands: the bank button, and who wagered what in the last round."""
        return table_at(self.book, self.opening["property"], self.opening["table"])

    @property
    def base(self) -> str:
        """The wager that the others need."""
        return self.game.base_wager

    @property
    def wheel(self) -> str:
        """What A-2-3-4-5 is worth on this sheet (R7)."""
        return self.sheet.options.get("R7", "second")

    def happens(self, habit: str) -> bool:
        """Whether a thing of `Habits` happens this time."""
        return self.evening.happens(habit)

    def terms(self, wager: str) -> WagerTerms:
        """The sheet's terms of a wager on offer."""
        return self.sheet.wagers[wager]

    def limits(self, wager: str) -> tuple[int, int]:
        """The least and the most cents of a wager that is placed."""
        terms = self.terms(wager)
        assert terms.min_cents is not None and terms.max_cents is not None
        return terms.min_cents, terms.max_cents

    def in_play(self) -> list[int]:
        """Seats with a hand to play, ascending: with a base wager of their own, and the banker's."""
        round_ = self.round
        return [seat for seat in self.people if self.is_banker(seat) or round_.stake_cents(seat, self.base)]

    def is_banker(self, seat: int) -> bool:
        """Whether the seat's player banks the round."""
        return self.round.bank_seat != HOUSE and seat == self.round.bank_seat

    def order(self, command: str, **keys: Any) -> Order:
        """A command about this round."""
        return {"command": command, "by": self.dealer, "round": self.key, **keys}

    def wager_order(self, command: str, wager: Wager, **keys: Any) -> Order:
        """A command about one wager of this round."""
        named: Order = {"seat": wager.seat, "wager": wager.wager}
        if wager.bettor is not None:
            named["bettor"] = wager.bettor
        if wager.toke:
            named["toke"] = True
        return self.order(command, **named, **keys)

    def at_table(self, command: str, **keys: Any) -> Order:
        """A command about this round's table."""
        table = {key: self.opening[key] for key in ("property", "table")}
        return {"command": command, "by": self.dealer, **table, **keys}

    def buy_in(self, player: str, cents: int) -> Order:
        """A player of this table buys chips."""
        return self.at_table("buy_in", player=player, amount_cents=cents)

    def approver(self) -> str:
        """One supervisor."""
        return self.chance.pick(SUPERVISORS)

    def approvers(self) -> list[str]:
        """Two supervisors."""
        return self.chance.some(SUPERVISORS, 2)

    def void(self, reason: str) -> Order:
        """The order that voids the round."""
        return self.order("void_round", reason=reason, approved_by=self.approvers())
