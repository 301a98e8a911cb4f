"""A line of a settlement while it is being made, and what lines are called."""

from __future__ import annotations

from dataclasses import dataclass

from domain.rounds.events import Finding, Hit, WagerSettled
from domain.rounds.showdown import Verdict
from domain.rounds.state import Wager


@dataclass(slots=True)
class Line:
    """A line while it is being settled; cents."""

    wager: Wager
    player: str | None
    stake_cents: int
    verdict: Verdict
    paid_by: str = "house"
    won_cents: int = 0
    returned_cents: int = 0
    commission_cents: int = 0
    for_seat: int | None = None
    kind: str | None = None
    hit: Hit | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def line_id(self) -> str:
        """The line's name within its round."""
        return line_id(self.wager, for_seat=self.for_seat, kind=self.kind)

    def settled(self) -> WagerSettled:
        """The line as it is recorded."""
        verdict, wager = self.verdict, self.wager
        odds = None
        if verdict.outcome == "win":
            odds = "fixed" if wager.wager == "envy" else verdict.line.odds if verdict.line else None
        return WagerSettled(
            line_id(wager, for_seat=self.for_seat, kind=self.kind),
            wager.seat,
            self.player,
            wager.wager,
            self.stake_cents,
            verdict.outcome,
            self.won_cents,
            self.returned_cents,
            self.commission_cents,
            self.paid_by,
            verdict.cite,
            odds,
            verdict.ruling,
            verdict.hand if verdict.hand != "win" else None,
            wager.toke,
            wager.bettor,
            self.for_seat,
            self.kind,
            self.hit,
            self.findings,
        )


def line_id(wager: Wager, *, for_seat: int | None = None, kind: str | None = None) -> str:
    """A line's name within its round: seat and wager, and what tells a toke's, a backer's or an envy line apart.

    >>> line_id(Wager(5, "main")), line_id(Wager(2, "envy"), for_seat=5, kind="fortune")
    ('5.main', '2.envy.fortune.5')
    """
    name = f"{wager.seat}.{wager.wager}"
    if wager.toke:
        return f"{name}.toke"
    if wager.bettor is not None:
        return f"{name}.by.{wager.bettor}"
    return f"{name}.{kind}.{for_seat}" if for_seat is not None else name
