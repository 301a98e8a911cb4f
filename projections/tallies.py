"""What an event moves of a player's figures, in one place for balances and rounds. Amounts are cents.

A stake leaves the player when it is placed, doubled or raised, and comes back when it is withdrawn; a settlement line
gives back what it won and returned; the bank's risk is staked with its line. What a toke brings back, and its
corrections, are the dealers'.
"""

from __future__ import annotations

from functools import singledispatch
from typing import NamedTuple

from domain.rounds.events import (
    DoubledDown,
    Event,
    LineCorrected,
    Raised,
    RoundVoided,
    WagerPlaced,
    WagerSettled,
    WagerWithdrawn,
)

BANK = "bank"


class Move(NamedTuple):
    """What one event adds to the figures of one player."""

    player: str
    staked_cents: int = 0
    won_cents: int = 0
    returned_cents: int = 0
    commission_cents: int = 0
    corrected_cents: int = 0

    @property
    def net_cents(self) -> int:
        """What the player gains."""
        return self.won_cents + self.returned_cents - self.staked_cents - self.commission_cents + self.corrected_cents


@singledispatch
def moves(event: Event) -> tuple[Move, ...]:
    """What `event` moves of the players' figures; most events move nothing."""
    return ()


@moves.register
def _(event: WagerPlaced) -> tuple[Move, ...]:
    return (Move(event.player, staked_cents=event.amount_cents),)


@moves.register(DoubledDown)
@moves.register(Raised)
def _(event: DoubledDown | Raised) -> tuple[Move, ...]:
    return (Move(event.player, staked_cents=event.stake_cents),)


@moves.register
def _(event: WagerWithdrawn) -> tuple[Move, ...]:
    return (Move(event.player, staked_cents=-event.amount_cents),)


@moves.register
def _(event: WagerSettled) -> tuple[Move, ...]:
    if event.player is None:
        return ()
    staked = event.stake_cents if event.wager == BANK else 0
    if event.toke:
        return (Move(event.player),)
    return (Move(event.player, staked, event.won_cents, event.returned_cents, event.commission_cents),)


@moves.register
def _(event: LineCorrected) -> tuple[Move, ...]:
    if event.player is None or event.toke:
        return ()
    return (Move(event.player, corrected_cents=event.difference_cents),)


@moves.register
def _(event: RoundVoided) -> tuple[Move, ...]:
    return tuple(
        Move(
            each.player,
            -each.staked_cents,
            -each.won_cents,
            -each.returned_cents,
            -each.commission_cents,
            -each.corrected_cents,
        )
        for each in event.players
    )
