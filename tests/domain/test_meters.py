"""A meter as a fold: contributions, hits and reversals, and the equation that holds after any of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.meters import Level, LevelTerms, Meter, open_meter
from domain.rounds.events import ContributionTaken, Hit, LevelContribution, MeterReversal

MAJOR = LevelTerms("major", 1_000_000, 500_000, 1800, 200, 1_200_000)
MINOR = LevelTerms("minor", 100_000, 100_000, 600, 0, None)


def fresh() -> Meter:
    return open_meter("PROG", "NORTH", "2026-05-04T12:00:00-04:00", 1_000_000, (MAJOR, MINOR))


def contribution(increment: int, hidden: int) -> ContributionTaken:
    return ContributionTaken(5, "P5", "progressive", 100, "PROG", (LevelContribution("major", increment, hidden),))


def a_hit(win: int, reset: int = 0, used: int = 0) -> Hit:
    return Hit("PROG", "major", 100, 0, 0, win, win, reset, used)


def test_a_meter_opens_with_every_level_at_its_base() -> None:
    meter = fresh()
    assert meter.levels == {"major": Level(MAJOR, 1_000_000), "minor": Level(MINOR, 100_000)}
    assert (meter.property, meter.unreasonable_micros) == ("NORTH", 1_000_000)


def test_a_contribution_raises_accrued_reserve_and_count_of_its_levels_only() -> None:
    meter = fresh().contributed(contribution(18_000, 2_000))
    major = meter.levels["major"]
    assert (major.accrued_micros, major.reserve_micros, major.in_count) == (1_018_000, 2_000, 1)
    assert meter.levels["minor"] == fresh().levels["minor"]


def test_a_hit_lowers_by_the_win_and_raises_by_the_reset_of_which_the_reserve_pays_a_part() -> None:
    meter = fresh().contributed(contribution(18_000, 2_000)).hit(a_hit(1_010_000, 500_000, 2_000))
    major = meter.levels["major"]
    assert (major.accrued_micros, major.reserve_micros) == (508_000, 0)
    assert (major.hits, major.wins_micros, major.resets_micros, major.in_count) == (1, 1_010_000, 500_000, 1)


@pytest.mark.parametrize(
    ("accrued", "shown", "cents", "overflow"),
    [
        (-1, 0, 0, 0),
        (0, 0, 0, 0),
        (9_999, 9_999, 0, 0),
        (1_199_999, 1_199_999, 119, 0),
        (1_200_000, 1_200_000, 120, 0),
        (1_200_001, 1_200_000, 120, 1),
        (1_380_000, 1_200_000, 120, 180_000),
    ],
)
def test_the_display_is_cut_from_the_least_of_accrued_and_limit_and_the_rest_overflows(
    accrued: int, shown: int, cents: int, overflow: int
) -> None:
    level = Level(MAJOR, accrued)
    assert (level.shown_micros, level.display_cents, level.overflow_micros) == (shown, cents, overflow)


def test_a_level_without_a_limit_never_overflows() -> None:
    level = Level(MINOR, 10**16)
    assert (level.shown_micros, level.overflow_micros) == (10**16, 0)


moves = st.lists(
    st.one_of(
        st.builds(contribution, st.integers(0, 10**9), st.integers(0, 10**9)),
        st.builds(a_hit, st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**9)),
    ),
    max_size=12,
)


def moved(meter: Meter, events: list[ContributionTaken | Hit]) -> Meter:
    for event in events:
        meter = meter.contributed(event) if isinstance(event, ContributionTaken) else meter.hit(event)
    return meter


def reversal(events: list[ContributionTaken | Hit]) -> MeterReversal:
    """What the void of a round with these events takes back."""
    taken = [event for event in events if isinstance(event, ContributionTaken)]
    hits = [event for event in events if isinstance(event, Hit)]
    return MeterReversal(
        "PROG",
        "major",
        sum(event.levels[0].increment_micros for event in taken),
        sum(event.levels[0].hidden_micros for event in taken),
        len(taken),
        sum(hit.win_micros for hit in hits),
        sum(hit.reset_micros for hit in hits),
        sum(hit.reserve_used_micros for hit in hits),
        len(hits),
    )


@given(moves, moves)
def test_R15_a_void_takes_exactly_its_own_rounds_part_back_whatever_came_after(
    voided: list[ContributionTaken | Hit], others: list[ContributionTaken | Hit]
) -> None:
    assert moved(moved(fresh(), voided), others).reversed(reversal(voided)) == moved(fresh(), others)


@given(moves)
def test_accrued_is_base_plus_increments_plus_resets_less_wins(events: list[ContributionTaken | Hit]) -> None:
    level = moved(fresh(), events).levels["major"]
    increments = sum(event.levels[0].increment_micros for event in events if isinstance(event, ContributionTaken))
    assert level.accrued_micros == MAJOR.base_micros + increments + level.resets_micros - level.wins_micros


@given(st.integers(-(10**12), 10**16), st.one_of(st.none(), st.integers(0, 10**16)))
def test_shown_and_overflow_are_together_what_is_accrued_above_nothing(accrued: int, limit: int | None) -> None:
    level = Level(LevelTerms("major", 0, 0, 0, 0, limit), accrued)
    assert level.shown_micros + level.overflow_micros == max(accrued, 0)
