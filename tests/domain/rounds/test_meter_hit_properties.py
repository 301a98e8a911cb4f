"""Random hits by every policy of R14: nothing is lost, and a plain second reading of the rulings pays the same."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.meters import Level, LevelTerms, Meter
from domain.rounds.events import Hit
from domain.rounds.jackpots import Claim, hits

CENT = 10_000
POLICIES = ("sequential_equal", "sequential", "snapshot")

amounts = st.one_of(st.integers(-5_000_000, 50_000_000), st.integers(0, 10**16))
percents = st.lists(st.one_of(st.just(100), st.integers(1, 100)), min_size=1, max_size=7)


class Before(NamedTuple):
    """A level when settling begins, in micros."""

    accrued: int
    reserve: int
    reset: int
    limit: int | None


class After(NamedTuple):
    """What a reading of the rulings says: wins in order, and the level afterwards."""

    wins: list[int]
    accrued: int
    reserve: int


befores = st.builds(Before, amounts, amounts, st.integers(0, 10**9), st.one_of(st.none(), st.integers(0, 10**9)))


def cents_of(micros: Fraction) -> int:
    """Cut to the cent (R21), in micros."""
    return floor(micros / CENT) * CENT


def shown(before: Before, accrued: int) -> int:
    return max(accrued if before.limit is None else min(accrued, before.limit), 0)


def after_reset(before: Before, accrued: int, reserve: int) -> tuple[int, int]:
    return accrued + before.reset, reserve - min(reserve, before.reset)


def naive_sequential(before: Before, asked: Sequence[int]) -> After:
    accrued, reserve, wins = before.accrued, before.reserve, []
    for percent in asked:
        win = cents_of(Fraction(shown(before, accrued) * percent, 100))
        wins.append(win)
        accrued -= win
        if percent == 100:
            accrued, reserve = after_reset(before, accrued, reserve)
    return After(wins, accrued, reserve)


def naive_sequential_equal(before: Before, asked: Sequence[int]) -> After:
    """All equal shares leave the level at once, at the first hit of 100 %."""
    accrued, reserve, wins = before.accrued, before.reserve, []
    share: int | None = None
    for percent in asked:
        if percent < 100:
            win = cents_of(Fraction(shown(before, accrued) * percent, 100))
            accrued -= win
        elif share is None:
            equal = list(asked).count(100)
            win = share = cents_of(Fraction(shown(before, accrued), equal))
            accrued, reserve = after_reset(before, accrued - equal * share, reserve)
        else:
            win = share
        wins.append(win)
    return After(wins, accrued, reserve)


def naive_snapshot(before: Before, asked: Sequence[int]) -> After:
    wins = [cents_of(Fraction(shown(before, before.accrued) * percent, 100)) for percent in asked]
    accrued, reserve = max(before.accrued - sum(wins), 0), before.reserve
    if 100 in asked:
        accrued, reserve = after_reset(before, accrued, reserve)
    return After(wins, accrued, reserve)


NAIVE = {
    "sequential": naive_sequential,
    "sequential_equal": naive_sequential_equal,
    "snapshot": naive_snapshot,
}


def a_meter(**levels: Before) -> dict[str, Meter]:
    read = {
        name: Level(LevelTerms(name, 0, before.reset, 0, 0, before.limit), before.accrued, before.reserve)
        for name, before in levels.items()
    }
    return {"PROG": Meter("PROG", "NORTH", "", 0, read)}


def taken(policy: str, asked: Sequence[Claim], meters: dict[str, Meter]) -> tuple[list[Hit], Meter]:
    """The hits, and the meter after folding them."""
    found, meter = list(hits(asked, meters, policy)), meters["PROG"]
    for hit in found:
        assert hit.accrued_before_micros == meter.levels[hit.level].accrued_micros
        assert hit.reserve_before_micros == meter.levels[hit.level].reserve_micros
        meter = meter.hit(hit)
    return found, meter


def on_major(asked: Sequence[int]) -> list[Claim]:
    return [("PROG", "major", percent) for percent in asked]


@given(st.sampled_from(POLICIES), befores, percents)
@settings(max_examples=400, deadline=None)
def test_R14_a_plain_reading_of_the_rulings_gives_the_same(policy: str, before: Before, asked: list[int]) -> None:
    found, meter = taken(policy, on_major(asked), a_meter(major=before))
    level = meter.levels["major"]
    assert After([hit.win_micros for hit in found], level.accrued_micros, level.reserve_micros) == NAIVE[policy](
        before, asked
    )


@given(st.sampled_from(POLICIES), befores, percents)
@settings(max_examples=200, deadline=None)
def test_R14_accrued_after_is_accrued_before_less_wins_plus_resets(
    policy: str, before: Before, asked: list[int]
) -> None:
    found, meter = taken(policy, on_major(asked), a_meter(major=before))
    wins, resets = sum(hit.win_micros for hit in found), sum(hit.reset_micros for hit in found)
    level = meter.levels["major"]
    assert level.accrued_micros == before.accrued - wins + resets
    assert (level.wins_micros, level.resets_micros, level.hits) == (wins, resets, len(asked))
    used = sum(hit.reserve_used_micros for hit in found)
    assert level.reserve_micros == before.reserve - used
    assert all(hit.reserve_used_micros <= hit.reset_micros for hit in found)
    # Only a reserve below zero takes instead of giving, and no more than it lacks.
    assert all(hit.reserve_used_micros >= min(hit.reserve_before_micros, 0) for hit in found)


@given(st.sampled_from(POLICIES), befores, percents)
@settings(max_examples=200, deadline=None)
def test_R21_every_amount_is_whole_cents_and_never_negative(policy: str, before: Before, asked: list[int]) -> None:
    found, _ = taken(policy, on_major(asked), a_meter(major=before))
    assert all(hit.win_micros >= 0 and hit.win_micros % CENT == 0 for hit in found)
    assert all(hit.win_micros <= hit.basis_micros * hit.percent // 100 for hit in found)


@given(st.sampled_from(POLICIES), befores, percents)
@settings(max_examples=200, deadline=None)
def test_R14_no_hit_pays_more_than_the_level_holds_but_by_snapshot(
    policy: str, before: Before, asked: list[int]
) -> None:
    found, _ = taken(policy, on_major(asked), a_meter(major=before))
    if policy == "snapshot":
        assert all(hit.basis_micros == shown(before, before.accrued) for hit in found)
    else:
        assert all(hit.win_micros <= max(hit.accrued_before_micros, 0) for hit in found)
        assert sum(hit.win_micros for hit in found) <= max(before.accrued, 0) + before.reset * asked.count(100)


@given(befores, percents)
@settings(max_examples=200, deadline=None)
def test_R14_equal_shares_are_equal_together_at_most_V_and_reset_once(before: Before, asked: list[int]) -> None:
    found, _ = taken("sequential_equal", on_major(asked), a_meter(major=before))
    full = [hit for hit in found if hit.percent == 100]
    assert len({hit.win_micros for hit in full}) <= 1
    assert sum(hit.win_micros for hit in full) <= (full[0].basis_micros if full else 0)
    assert sum(hit.reset_micros for hit in found) == (before.reset if full else 0)


@given(befores, percents)
@settings(max_examples=100, deadline=None)
def test_R14_the_policies_agree_on_a_single_hit_of_a_level_that_is_not_below_zero(
    before: Before, asked: list[int]
) -> None:
    before = before._replace(accrued=max(before.accrued, 0))
    results = {policy: taken(policy, on_major(asked[:1]), a_meter(major=before))[0] for policy in POLICIES}
    assert results["sequential"] == results["sequential_equal"] == results["snapshot"]


@given(st.sampled_from(POLICIES), befores, befores, st.lists(st.tuples(st.booleans(), st.integers(1, 100)), max_size=7))
@settings(max_examples=200, deadline=None)
def test_hits_of_one_level_never_touch_another(
    policy: str, major: Before, minor: Before, asked: list[tuple[bool, int]]
) -> None:
    claims = [("PROG", "major" if first else "minor", percent) for first, percent in asked]
    found, _ = taken(policy, claims, a_meter(major=major, minor=minor))
    for name, before in (("major", major), ("minor", minor)):
        mine = [percent for _, level, percent in claims if level == name]
        assert [hit.win_micros for hit in found if hit.level == name] == NAIVE[policy](before, mine).wins
