"""Events of rounds, filled in so that a test says only what it is about."""

from __future__ import annotations

from typing import Any

from domain.cards import parse
from domain.house_events import MeterOpened
from domain.meters import LevelTerms
from domain.rounds.events import (
    ContributionTaken,
    Hit,
    LevelContribution,
    LineCorrected,
    MeterReversal,
    PlayerReversal,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    SeatTaken,
    Totals,
    WagerPlaced,
    WagerSettled,
    WagerWithdrawn,
)


def opened(key: str = "R1", seats: dict[int, str] | None = None, **other: Any) -> RoundOpened:
    """Seat 1 is P1 and seat 2 P2 unless others sit there."""
    taken = tuple(SeatTaken(seat, player) for seat, player in (seats or {1: "P1", 2: "P2"}).items())
    pinned: dict[str, Any] = {
        "property": "NORTH",
        "table": "T1",
        "number": 1,
        "gaming_day": "2026-05-04",
        "game": "fortune",
        "sheet": "fortune-cardroom@1",
        "sheet_fingerprint": "f",
        "dealer": "D1",
    }
    return RoundOpened(round=key, seats=taken, **(pinned | other))


def placed(cents: int, player: str = "P1", standing: int | None = None, **other: Any) -> WagerPlaced:
    """A main wager on seat 1 unless it says otherwise."""
    where: dict[str, Any] = {"seat": 1, "wager": "main"} | other
    return WagerPlaced(player=player, amount_cents=cents, standing_cents=standing or cents, **where)


def withdrawn(cents: int, standing: int) -> WagerWithdrawn:
    """Chips off P1's main wager on seat 1."""
    return WagerWithdrawn(1, "P1", "main", cents, standing)


def line(
    player: str | None = "P1", stake: int = 0, won: int = 0, returned: int = 0, commission: int = 0, **other: Any
) -> WagerSettled:
    """A main line of seat 1 unless it says otherwise."""
    given: dict[str, Any] = {
        "line_id": "1.main",
        "seat": 1,
        "wager": "main",
        "paid_by": "house",
        "cite": "the rule",
    } | other
    outcome = "win" if won else "push" if returned else "lose"
    return WagerSettled(
        player=player,
        stake_cents=stake,
        outcome=outcome,
        won_cents=won,
        returned_cents=returned,
        commission_cents=commission,
        **given,
    )


def settled(key: str = "R1") -> RoundSettled:
    """The end of a settlement; its totals are not looked at."""
    high, low = parse("Jh Jd 7d 4s 2h"), parse("As 9c")
    return RoundSettled(key, "NORTH", "T1", 0, 0, high, low, "one pair", Totals(0, 0, 0, 0, 0))


def corrected(difference: int, player: str = "P1", **other: Any) -> LineCorrected:
    """A correction of P1's main line."""
    given: dict[str, Any] = {"line_id": "1.main", "seat": 1, "wager": "main"} | other
    return LineCorrected(
        player=player,
        due_cents=max(difference, 0),
        previous_due_cents=max(-difference, 0),
        difference_cents=difference,
        gaming_day="2026-05-05",
        reason="commission waived",
        approved_by=("F1", "M1"),
        **given,
    )


def voided(*players: PlayerReversal, meters: tuple[MeterReversal, ...] = (), key: str = "R1") -> RoundVoided:
    """A void of a settled round."""
    return RoundVoided(key, "NORTH", "T1", "settled", "wrong deck", ("F1", "M1"), (), players, meters)


def meter(limit: int | None = None) -> MeterOpened:
    """Meter PROG with one level at $100.00 that resets to $50.00."""
    terms = LevelTerms("major", 100_000_000, 50_000_000, 1_800, 200, limit)
    return MeterOpened("PROG", "NORTH", (terms,), 1_000_000, "2025-01-01T00:00:00Z", ("M1",))


def contribution(increment: int, hidden: int = 0) -> ContributionTaken:
    """What P1's progressive dollar adds to level major."""
    return ContributionTaken(1, "P1", "progressive", 100, "PROG", (LevelContribution("major", increment, hidden),))


def hit(before: int, win: int, *, reset: int = 0, reserve: int = 0, used: int = 0, percent: int = 10) -> WagerSettled:
    """A progressive line that takes `win` from level major, read at `before` and `reserve`."""
    taken = Hit("PROG", "major", percent, before, reserve, max(before, 0), win, reset, used)
    return line(stake=100, won=win // 10_000, wager="progressive", line_id="1.progressive", paid_by="meter", hit=taken)
