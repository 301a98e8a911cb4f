"""Where a round's command is decided: the round as it stands, the sheet it pinned, its game, and what is around it."""

from __future__ import annotations

from dataclasses import dataclass

from domain.cards import Hand
from domain.games.game import Game, Split
from domain.house_ways import Setting, set_hand
from domain.making import make_quickly
from domain.rounds.refusals import SeatEmpty
from domain.rounds.state import Round, Wager, wager_named
from domain.sheets import Sheet
from domain.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Scene:
    """One decision's view; everything in it is read only."""

    round: Round
    sheet: Sheet
    game: Game
    around: Surroundings

    @property
    def base(self) -> str:
        """The wager that the others need: main, or ante."""
        return self.game.base_wager

    @property
    def spots(self) -> range:
        """Every spot that is dealt, 0 for the dealer."""
        return range(self.sheet.positions + 1)

    def player_at(self, seat: int) -> str:
        """The player on `seat`; refuses an empty one."""
        player = self.round.seats.get(seat)
        if player is None:
            taken = ", ".join(map(str, sorted(self.round.seats)))
            raise SeatEmpty(f"nobody sits at seat {seat} in round {self.round.key}; seats taken: {taken}")
        return player

    def mains_at(self, seat: int) -> int:
        """All main stakes on the spot in cents, backers' too, tokes aside."""
        base, mains = self.game.base_wager, 0
        for wager, cents in self.round.stakes.items():
            if wager.seat == seat and wager.wager == base and not wager.toke:
                mains += cents
        return mains

    def stakes(self) -> list[tuple[Wager, int]]:
        """Every standing wager and its cents in settling order: seats from the highest down, of each the game's wagers.

        Of one wager on a seat its own stake comes first, then its toke, then the backers' as they were placed.
        """
        order = self.game.settling_order
        return sorted(
            self.round.stakes.items(),
            key=lambda each: (-each[0].seat, order[each[0].wager], each[0].bettor is not None, each[0].toke),
        )

    def paid_by(self, wager: str) -> str:
        """Who pays a wager and takes it: the bank where a player banks and the hands are compared, else the house."""
        return "bank" if wager == self.base and self.round.bank is not None else "house"

    def in_play(self) -> list[int]:
        """Seats with a hand to set, ascending: those with a main wager of their own, and the banker's."""
        stakes, bank, base = self.round.stakes, self.round.bank_seat, self.game.base_wager
        return [seat for seat in sorted(self.round.seats) if seat == bank or wager_named(seat, base) in stakes]

    def plays(self, seat: int) -> bool:
        """Whether the seat has a main wager of its own or the bank."""
        return seat == self.round.bank_seat or wager_named(seat, self.game.base_wager) in self.round.stakes

    def set_the_house_way(self, cards: Hand) -> Setting:
        """How the sheet's house way sets `cards`."""
        assert self.sheet.house_way is not None
        return set_hand(self.sheet.house_way, cards, self.wheel)

    @property
    def split(self) -> Split:
        """How the game's hands are set in two; only for games that do."""
        assert self.game.split is not None
        return self.game.split

    @property
    def wheel(self) -> str:
        return self.sheet.options.get("R7", "second")

    @property
    def strict(self) -> bool:
        return self.sheet.options.get("R8") == "strict"


make_quickly(vars())
