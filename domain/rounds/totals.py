"""What a settled round gives everybody that it moves money of: players, house, dealers, meters and their reserves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.money import MICROS_PER_CENT
from domain.rounds.events import ContributionTaken, Totals
from domain.rounds.lines import Line


def totals_of(lines: Sequence[Line], contributions: Iterable[ContributionTaken]) -> Totals:
    """What everybody gains by these lines and contributions in micros; whoever settles asserts that it sums to zero."""
    players, house, dealers = _by_lines(lines)
    meter = reserve = from_house = 0
    for part in (part for taken in contributions for part in taken.levels):
        meter += part.increment_micros
        reserve += part.hidden_micros
        from_house += part.increment_micros + part.hidden_micros
    for hit in (line.hit for line in lines if line.hit is not None):
        meter += hit.reset_micros - hit.win_micros
        reserve -= hit.reserve_used_micros
        from_house += hit.reset_micros - hit.reserve_used_micros
    return Totals(
        players * MICROS_PER_CENT, house * MICROS_PER_CENT - from_house, dealers * MICROS_PER_CENT, meter, reserve
    )


def _by_lines(lines: Iterable[Line]) -> tuple[int, int, int]:
    """What players, house and dealers gain in cents by what the lines take and pay."""
    players = house = dealers = 0
    for line in lines:
        back = line.won_cents + line.returned_cents
        players -= line.stake_cents if line.player is not None else 0
        if line.wager.toke:
            dealers += back
        elif line.player is not None:
            players += back - line.commission_cents
        else:
            house += back - line.stake_cents
        house += line.commission_cents
        if line.paid_by == "house":
            house += line.stake_cents - back
        elif line.paid_by == "meter":
            house += line.stake_cents
    return players, house, dealers
