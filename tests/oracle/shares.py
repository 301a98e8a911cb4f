"""R14 and R21: what each hit of a round takes of a meter, in settling order."""

from datetime import datetime
from typing import NamedTuple

from tests.oracle.meters import CENT, Meters


class Hit(NamedTuple):
    """A winning line that pays a share of a level."""

    seat: int
    meter: str
    level: str
    percent: int


def shares_of(hits: list[Hit], meters: Meters, round_: str, at: datetime, ruling: str) -> list[int]:
    """The cents of each hit, in their order; the meters are left as the round leaves them."""
    amounts = [0] * len(hits)
    for place in dict.fromkeys((hit.meter, hit.level) for hit in hits):
        there = [n for n, hit in enumerate(hits) if (hit.meter, hit.level) == place]
        of_level = [hits[n] for n in there]
        for n, cents in zip(there, RULINGS[ruling](of_level, meters, round_, at), strict=True):
            amounts[n] = cents
    return amounts


def _cents(percent: int, basis: int) -> int:
    return percent * basis // (100 * CENT)


def _sequential(hits: list[Hit], meters: Meters, round_: str, at: datetime) -> list[int]:
    amounts = []
    for hit in hits:
        level = meters.levels[hit.meter, hit.level]
        cents = _cents(hit.percent, level.shown(at))
        meters.take(round_, hit.meter, hit.level, cents)
        if hit.percent == 100:
            meters.reset(round_, hit.meter, hit.level, at)
        amounts.append(cents)
    return amounts


def _sequential_equal(hits: list[Hit], meters: Meters, round_: str, at: datetime) -> list[int]:
    whole = [n for n, hit in enumerate(hits) if hit.percent == 100]
    amounts: list[int] = []
    for n, hit in enumerate(hits):
        level = meters.levels[hit.meter, hit.level]
        if hit.percent < 100:
            cents = _cents(hit.percent, level.shown(at))
            meters.take(round_, hit.meter, hit.level, cents)
        elif n == whole[0]:
            cents = level.shown(at) // (len(whole) * CENT)
            for _ in whole:
                meters.take(round_, hit.meter, hit.level, cents)
            meters.reset(round_, hit.meter, hit.level, at)
        else:
            cents = amounts[whole[0]]
        amounts.append(cents)
    return amounts


def _snapshot(hits: list[Hit], meters: Meters, round_: str, at: datetime) -> list[int]:
    meter, name = hits[0].meter, hits[0].level
    level = meters.levels[meter, name]
    basis = level.shown(at)
    amounts = [_cents(hit.percent, basis) for hit in hits]
    for cents in amounts:
        meters.count(round_, meter, name, cents)
    meters.drop_to(round_, meter, name, max(level.accrued - sum(amounts) * CENT, 0))
    if any(hit.percent == 100 for hit in hits):
        meters.reset(round_, meter, name, at)
    return amounts


RULINGS = {"sequential_equal": _sequential_equal, "sequential": _sequential, "snapshot": _snapshot}
