"""Shares of a meter when a round is settled: what each hit takes and what the level gets back (R14, R21)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from domain.meters import Level, Meter
from domain.money import MICROS_PER_CENT, cut_to_cents
from domain.rounds.events import Hit

Claim = tuple[str, str, int]
"""Meter, level and percentage that a line asks for, in settling order."""


@dataclass(slots=True)
class _Pool:
    """A level while hits are taken from it. `began_micros` is V when settling begins, `share_micros` an equal part."""

    level: Level
    began_micros: int
    accrued_micros: int
    reserve_micros: int
    equal_hits: int
    claims_left: int
    share_micros: int | None = None
    owed_micros: int = 0
    to_reset: bool = False

    @property
    def shown_micros(self) -> int:
        """V now, less what other equal 100 % hits have coming."""
        limit = self.level.terms.cap_micros
        held = self.accrued_micros - self.owed_micros
        return max(held if limit is None else min(held, limit), 0)


def hits(claims: Sequence[Claim], meters: Mapping[str, Meter], policy: str) -> Iterator[Hit]:
    """The hit of each claim in settling order; `policy` is R14's token. Amounts are whole cents in micros.

    A hit's `reset_micros` of which `reserve_used_micros` come from the reserve; the rest is house money.
    """
    take = {"sequential": _sequential, "sequential_equal": _sequential_equal, "snapshot": _snapshot}[policy]
    pools = {(meter, level): _pool(meter, level, claims, meters) for meter, level, _ in claims}
    for meter, level, percent in claims:
        pool = pools[meter, level]
        pool.claims_left -= 1
        accrued, reserve = pool.accrued_micros, pool.reserve_micros
        basis, win, reset, used = (_retired if pool.level.retired else take)(pool, percent)
        pool.accrued_micros += reset - win
        pool.reserve_micros -= used
        yield Hit(meter, level, percent, accrued, reserve, basis, win, reset, used)


def _pool(meter: str, name: str, claims: Sequence[Claim], meters: Mapping[str, Meter]) -> _Pool:
    level = meters[meter].levels[name]
    here = [percent for claimed, of, percent in claims if (claimed, of) == (meter, name)]
    began = level.shown_micros if level.retired_micros is None else level.retired_micros
    return _Pool(level, began, level.accrued_micros, level.reserve_micros, here.count(100), len(here))


def _share(micros: int, percent: int, parts: int = 1) -> int:
    """`percent` of `micros` in equal parts, each cut down to the cent; the rest stays on the meter (R21)."""
    return cut_to_cents(micros * percent // (100 * parts)) * MICROS_PER_CENT


def _reset(pool: _Pool) -> tuple[int, int]:
    reset = pool.level.terms.reset_micros
    # A reserve that a void left below zero is made whole by the house: min(reserve, reset), to the letter of R14.
    return reset, min(pool.reserve_micros, reset)


def _sequential(pool: _Pool, percent: int) -> tuple[int, int, int, int]:
    basis = pool.shown_micros
    reset, used = _reset(pool) if percent == 100 else (0, 0)
    return basis, _share(basis, percent), reset, used


def _sequential_equal(pool: _Pool, percent: int) -> tuple[int, int, int, int]:
    if percent != 100:
        return _sequential(pool, percent)
    if pool.share_micros is not None:
        pool.owed_micros -= pool.share_micros
        return pool.began_micros, pool.share_micros, 0, 0
    # The first 100 % hit fixes every share and resets the meter once; `began_micros` becomes the V they share.
    pool.began_micros = pool.shown_micros
    pool.share_micros = _share(pool.began_micros, 100, pool.equal_hits)
    pool.owed_micros = pool.share_micros * (pool.equal_hits - 1)
    reset, used = _reset(pool)
    return pool.began_micros, pool.share_micros, reset, used


def _snapshot(pool: _Pool, percent: int) -> tuple[int, int, int, int]:
    win = _share(pool.began_micros, percent)
    # What the meter lacks is house money (R14), and a level that a void left below zero is made whole.
    lacking = max(win - pool.accrued_micros, 0)
    pool.to_reset = pool.to_reset or percent == 100
    if pool.claims_left or not pool.to_reset:
        return pool.began_micros, win, lacking, 0
    reset, used = _reset(pool)
    return pool.began_micros, win, lacking + reset, used


def _retired(pool: _Pool, percent: int) -> tuple[int, int, int, int]:
    # A hand in play when its level ended is due what the level showed; the money has moved on, so the house pays.
    win = _share(pool.began_micros, percent, pool.equal_hits if percent == 100 else 1)
    return pool.began_micros, win, win, 0
