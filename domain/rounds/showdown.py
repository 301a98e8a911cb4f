"""What the judges of a game look at when a round is settled, and what they say of a wager."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from domain.cards import Hand
from domain.rounds.state import SetHands

if TYPE_CHECKING:
    from domain.sheets import PayLine, Sheet

FirstClass = Callable[[Hand, Collection[str]], str | None]
"""The first class that cards contain of some classes, such as the hands of a paytable; None where they contain none."""


class Verdict(NamedTuple):
    """What becomes of a wager: win, lose, push or returned, by which text and, where the text is silent, which ruling.

    `line` is what a win pays, `hand` the class of hand that it is paid for.
    """

    outcome: str
    cite: str
    ruling: str | None = None
    line: PayLine | None = None
    hand: str | None = None


@dataclass(frozen=True, slots=True)
class Showdown:
    """All hands face up. Spot 0 is the dealer's.

    `set_hands` has the players' settings and the dealer's by the house way, nothing where hands are not split; `folded`
    the seats that gave up.
    """

    sheet: Sheet
    bank: int
    cards: Mapping[int, Hand]
    set_hands: Mapping[int, SetHands]
    folded: Collection[int] = ()

    @property
    def banker(self) -> SetHands:
        """The hands that the others play against: the dealer's, or the player banker's."""
        return self.set_hands[self.bank]

    @property
    def wheel(self) -> str:
        """R7's token: where A-2-3-4-5 ranks."""
        return self.sheet.options.get("R7", "second")

    def pays(self, wager: str) -> Mapping[str, PayLine]:
        """The lines of the wager's paytable by the class of hand."""
        return self.sheet.wagers[wager].paytable.hands

    def win(self, wager: str, cite: str, hand: str = "win") -> Verdict:
        """The wager wins what its paytable has for `hand`."""
        return Verdict("win", cite, None, self.pays(wager)[hand], hand)

    def by_paytable(self, seat: int, wager: str, first: FirstClass, wins: str, loses: str) -> Verdict:
        """The first class of the seat's dealt cards that the table has a line for wins, without one the wager loses.

        How the hand was set does not matter. `wins` and `loses` are the cites.
        """
        pays = self.pays(wager)
        hand = first(self.cards[seat], pays)
        return Verdict("lose", loses) if hand is None else Verdict("win", wins, None, pays[hand], hand)
