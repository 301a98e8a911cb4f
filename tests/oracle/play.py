"""A round as its recorded commands leave it: who wagered what, the cards, how they were set."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.oracle.cards import Cards, cards_of
from tests.oracle.hands import is_foul
from tests.oracle.seven_card_ways import split_by
from tests.oracle.six_card_way import split_six
from tests.oracle.splits import Split

DEFAULTS = {
    "R1": "push",
    "R2": "ace",
    "R5": "high_and_low",
    "R7": "second",
    "R8": "equal_legal",
    "R14": "sequential_equal",
}
OPTIONAL = {
    "pai_gow": ("main", "fortune", "progressive"),
    "fortune": ("main", "fortune", "progressive"),
    "commission_free": ("main", "tiger_9", "fortune", "progressive"),
    "face_up": ("main", "ace_high", "fortune", "progressive"),
    "six_card_fortune": ("main", "double_down", "fortune", "insurance", "progressive"),
    "high_card_flush": ("ante", "raise", "flush_bonus", "straight_flush_bonus", "progressive"),
}


class Stake(NamedTuple):
    """Whose wager it is: the seat's own, the dealers' (`toke`) or a backer's."""

    seat: int
    wager: str
    bettor: str | None = None
    toke: bool = False

    @property
    def own(self) -> bool:
        """The seat's player's own."""
        return self.bettor is None and not self.toke


@dataclass
class Play:
    """One round."""

    key: str
    game: str
    sheet: dict[str, Any]
    seats: dict[int, str]
    stakes: dict[Stake, int] = field(default_factory=dict)
    forfeited: set[Stake] = field(default_factory=set)
    bank: int | None = None
    house_wager: int = 0
    hands: dict[int, Cards] = field(default_factory=dict)
    dealer: Cards = ()
    laid: dict[int, Split] = field(default_factory=dict)
    set_by: dict[int, str] = field(default_factory=dict)
    folded: set[int] = field(default_factory=set)
    status: str = "open"

    def option(self, ruling: str) -> str:
        """The sheet's token of a ruling, else the default."""
        return str(self.sheet.get("options", {}).get(ruling, DEFAULTS[ruling]))

    @property
    def wheel(self) -> str:
        """Where A-2-3-4-5 ranks."""
        return self.option("R7")

    def house_way(self, cards: Cards) -> Split:
        """How the house sets cards."""
        if len(cards) == 6:
            return split_six(cards, self.wheel)
        return split_by(self.sheet.get("house_way", "cardroom"), cards, self.wheel)

    def foul(self, seat: int) -> bool:
        """Whether the seat set its cards foul."""
        if seat not in self.laid:
            return False
        high, low = self.laid[seat]
        return is_foul(high, low, self.option("R8") == "strict", self.wheel)

    def table(self, wager: str) -> dict[str, Any]:
        """The paytable of a wager."""
        return dict(self.sheet["paytables"][self.sheet["wagers"][wager]["paytable"]])

    def ranking(self, wager: str) -> str:
        """The ranking list of a wager's paytable."""
        return str(self.table(wager).get("ranking", "win"))

    @property
    def first_wager(self) -> str:
        """The wager that a seat takes part with."""
        return OPTIONAL[self.game][0]

    def plays(self, seat: int) -> bool:
        """Whether the seat has a main wager."""
        return Stake(seat, self.first_wager) in self.stakes

    # What the commands do.

    def place(self, command: dict[str, Any]) -> None:
        stake = stake_of(command)
        self.stakes[stake] = self.stakes.get(stake, 0) + command["amount_cents"]

    def withdraw(self, command: dict[str, Any]) -> None:
        stake = stake_of(command)
        self.stakes[stake] -= command["amount_cents"]
        if not self.stakes[stake]:
            del self.stakes[stake]

    def take_bank(self, command: dict[str, Any]) -> None:
        self.bank = command["seat"]
        self.house_wager = command["house_wager_cents"]

    def deal(self, command: dict[str, Any]) -> None:
        hands = {key: cards_of(text) for key, text in command["hands"].items()}
        self.dealer = hands.pop("dealer", ())
        self.hands = {int(key): cards for key, cards in hands.items()}

    def set_hand(self, command: dict[str, Any]) -> None:
        seat = command["seat"]
        cards = self.hands[seat]
        self.set_by[seat] = "house_way" if command.get("house_way") else "player"
        if command.get("house_way"):
            self.laid[seat] = self.house_way(cards)
        else:
            low = cards_of(command["low"])
            self.laid[seat] = Split(tuple(card for card in cards if card not in low), low)

    def reset_hand(self, seat: int, by: str) -> None:
        """A foul is set the house way, by the floor or, for a banker, of itself."""
        self.laid[seat] = self.house_way(self.hands[seat])
        self.set_by[seat] = by

    def double_down(self, command: dict[str, Any]) -> None:
        self.stakes[Stake(command["seat"], "double_down")] = self.stakes[Stake(command["seat"], "main")]

    def raise_(self, command: dict[str, Any]) -> None:
        self.stakes[Stake(command["seat"], "raise")] = command["amount_cents"]

    def forfeit(self, command: dict[str, Any]) -> None:
        """With `toke` or `bettor` that line alone, else all of that wager on the seat."""
        named = stake_of(command)
        if not named.own:
            self.forfeited.add(named)
            return
        for stake in self.stakes:
            if (stake.seat, stake.wager) == (named.seat, named.wager):
                self.forfeited.add(stake)


def stake_of(command: dict[str, Any]) -> Stake:
    """Which wager a command names."""
    return Stake(command["seat"], command["wager"], command.get("bettor"), bool(command.get("toke")))
