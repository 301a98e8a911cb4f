"""What every player has: INTERFACE, "`rounds balance --format json`"."""

from dataclasses import dataclass, field
from typing import Any

from tests.oracle.settling import Line


@dataclass
class Purse:
    """One player, in cents."""

    bought_in: int = 0
    cashed_out: int = 0
    staked: int = 0
    won: int = 0
    returned: int = 0
    commission: int = 0
    corrected: int = 0
    rounds: int = 0

    def row(self) -> dict[str, int]:
        """As the report has it."""
        net = self.won + self.returned - self.staked - self.commission + self.corrected
        return {
            "bought_in_cents": self.bought_in,
            "cashed_out_cents": self.cashed_out,
            "staked_cents": self.staked,
            "won_cents": self.won,
            "returned_cents": self.returned,
            "commission_cents": self.commission,
            "corrected_cents": self.corrected,
            "net_cents": net,
            "balance_cents": self.bought_in - self.cashed_out + net,
            "rounds": self.rounds,
        }


@dataclass
class Purses:
    """All players."""

    by_player: dict[str, Purse] = field(default_factory=dict)

    def of(self, player: str) -> Purse:
        """One of them."""
        return self.by_player.setdefault(player, Purse())

    def settle(self, lines: list[Line], due: dict[tuple[Any, ...], int]) -> None:
        """A settled round: its lines and what corrections made due. What a toke brings is the dealers'."""
        for player in {line.player for line in lines if line.player is not None}:
            self.of(player).rounds += 1
        for line in lines:
            if line.player is None:
                continue
            purse = self.of(line.player)
            purse.staked += line.stake
            if not line.toke:
                purse.won += line.won
                purse.returned += line.returned
                purse.commission += line.commission
                due_cents = due.get((line.seat, line.wager, line.bettor, line.toke, line.for_seat, line.kind))
                if due_cents is not None:
                    purse.corrected += due_cents - (line.won + line.returned - line.commission)
