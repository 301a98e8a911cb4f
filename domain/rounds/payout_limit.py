"""The sheet's payout limit: the most a seat may win in a round, meter lines aside."""

from __future__ import annotations

from collections.abc import Iterable

from domain.money import dollars
from domain.rounds.events import Finding
from domain.rounds.lines import Line


def cut_to_limit(lines: list[Line], limit_cents: int) -> None:
    """Cuts what is above the limit from each seat's own lines and envy, the one settled last first.

    Tokes and backers neither count nor are cut. Every line that is cut carries the finding `payout.limited`; where an
    envy line is cut to nothing the seat's first line carries it.
    """
    for seat in {line.wager.seat for line in lines}:
        own = [line for line in lines if line.wager.seat == seat and line.wager.own and line.paid_by != "meter"]
        excess = sum(line.won_cents for line in own) - limit_cents
        for line in reversed(own):
            if excess <= 0:
                break
            cut = min(excess, line.won_cents)
            if cut:
                excess -= cut
                _cut(line, cut, limit_cents, own)


def _cut(line: Line, cut_cents: int, limit_cents: int, own: Iterable[Line]) -> None:
    line.won_cents -= cut_cents
    text = f"{dollars(cut_cents)} cut from {line.wager.wager}: a seat may win {dollars(limit_cents)} in a round"
    finding = Finding("payout.limited", text, line.wager.seat, line.wager.wager)
    bearer = line if line.won_cents or line.stake_cents else next(iter(own))
    bearer.findings = (*bearer.findings, finding)
