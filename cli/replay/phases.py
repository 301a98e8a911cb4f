"""The marks in a round's events: where it opens, where bets end, the deal, the setting, the settling, the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple


class Mark(NamedTuple):
    """A phase and the place of its first event among the frames, counted from 0."""

    name: str
    place: int


_PHASE_OF = {
    "round.opened": "Opened",
    "round.betting-closed": "No more bets",
    "round.hands-dealt": "Dealt",
    "round.hand-set": "Setting",
    "round.doubled-down": "Setting",
    "round.raised": "Setting",
    "round.folded": "Setting",
    "round.dealer-set": "Dealer",
    "round.wager-settled": "Settling",
    "round.settled": "Settled",
    "round.misdealt": "Misdeal",
    "round.payment-reported": "Afterwards",
    "round.line-corrected": "Corrected",
    "round.voided": "Voided",
    "round.mystery-revealed": "Mystery",
    "jackpot.validated": "Jackpot",
    "jackpot.refused": "Jackpot",
    "jackpot.paid": "Jackpot",
}


def marks(frames: Sequence[Mapping[str, Any]]) -> list[Mark]:
    """The first event of each phase, in order."""
    return list(_marks(frames))


def _marks(frames: Sequence[Mapping[str, Any]]) -> Iterator[Mark]:
    seen = set()
    for place, frame in enumerate(frames):
        name = _PHASE_OF.get(frame["event"])
        if name is not None and name not in seen:
            seen.add(name)
            yield Mark(name, place)
