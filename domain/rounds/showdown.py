"""What the judges of a game look at when a round is settled, and what they say of a wager."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from domain.cards import Hand
from domain.rounds.state import SetHands

if TYPE_CHECKING:
    from domain.sheets import PayLine, Sheet


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
