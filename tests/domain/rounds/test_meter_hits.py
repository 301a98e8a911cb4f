"""What a progressive line takes from its meter when the round is settled: R14's policies, R21, and resets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from domain.meters import LevelTerms
from domain.money import FULL_MICROS, MAX_MICROS
from domain.rounds.events import Hit
from tests.domain.rounds.hands import FULL_HOUSES, PLAIN, QUADS
from tests.domain.rounds.table import (
    ROUND,
    Outcome,
    Table,
    a_level,
    a_sheet,
    a_table,
    open_round,
    place,
    played,
    settle,
    shares,
    void,
)

DOLLAR = 1_000_000
"""A dollar in micros."""


def hit_table(
    *,
    policy: str = "sequential_equal",
    major: LevelTerms | None = None,
    lines: Sequence[tuple[str, int, str]] = (("four_of_a_kind", 100, "major"), ("full_house", 10, "major")),
) -> Table:
    """Four of a kind takes the major level, a full house a tenth of it; nothing is added to it by default."""
    sheet = a_sheet(
        id="trial",
        options={"R14": policy},
        paytables={"trial": shares(*lines)},
        wagers={"progressive": {"paytable": "trial", "max_cents": 100_00}},
    )
    level = major or a_level("major", 10_000 * DOLLAR, reset=5_000 * DOLLAR, rate_bp=0, hidden_rate_bp=0)
    minor = a_level("minor", 500 * DOLLAR, reset=400 * DOLLAR, rate_bp=0, hidden_rate_bp=0)
    return a_table(sheet=sheet, levels=[level, minor])


def settled(table: Table, hands: Mapping[int, str], *, also: Sequence[int] = (), stake: int = 1_00) -> Outcome:
    """Every seat of `hands` plays the progressive, and with plain hands those of `also`."""
    stakes = {seat: {"main": 10_00, "progressive": stake} for seat in (*hands, *also)}
    return table.given(*played(stakes, {0: PLAIN, **hands})).when(settle())


def wins(outcome: Outcome) -> list[tuple[int, int]]:
    """Seat and cents of each progressive line, in settling order."""
    return [(line.seat, line.won_cents) for line in outcome.settled() if line.wager == "progressive"]


def hits(outcome: Outcome) -> list[Hit]:
    return [line.hit for line in outcome.settled() if line.hit is not None]


# One hit


def test_a_hit_takes_its_percentage_of_what_the_level_then_holds() -> None:
    table = hit_table()
    outcome = settled(table, {5: FULL_HOUSES[0]})
    line = outcome.line("5.progressive")
    assert (line.outcome, line.odds, line.paid_by) == ("win", "10% of major", "meter")
    assert (line.won_cents, line.returned_cents, line.stake_cents, line.commission_cents) == (1_000_00, 0, 1_00, 0)
    assert (line.hit, line.ruling) == (
        Hit("PROG", "major", 10, 10_000 * DOLLAR, 0, 10_000 * DOLLAR, 1_000 * DOLLAR, 0, 0),
        "R21",
    )
    level = table.level("major")
    assert (level.accrued_micros, level.hits, level.wins_micros) == (9_000 * DOLLAR, 1, 1_000 * DOLLAR)


def test_a_hit_includes_the_rounds_own_contributions() -> None:
    # Two dollars at 18 %: 0.36 dollars more.
    table = hit_table(major=a_level("major", 10_000 * DOLLAR, rate_bp=1800, hidden_rate_bp=0))
    outcome = settled(table, {5: FULL_HOUSES[0]}, also=[4])
    assert outcome.line("5.progressive").hit == Hit(
        "PROG", "major", 10, 10_000_360_000, 0, 10_000_360_000, 1_000_030_000, 0, 0
    )


def test_R21_a_percentage_is_cut_to_the_cent_and_the_rest_stays() -> None:
    table = hit_table(major=a_level("major", 10_000_123_456, rate_bp=0, hidden_rate_bp=0))
    outcome = settled(table, {5: FULL_HOUSES[0]})
    assert wins(outcome) == [(5, 1_000_01)]  # a tenth is 1000.0123456
    assert table.level("major").accrued_micros == 10_000_123_456 - 1_000_010_000


def test_a_full_hit_resets_the_level_and_the_rest_below_a_cent_stays() -> None:
    table = hit_table(major=a_level("major", 10_000_123_456, reset=5_000 * DOLLAR, rate_bp=0, hidden_rate_bp=0))
    outcome = settled(table, {5: QUADS[0]})
    assert wins(outcome) == [(5, 10_000_12)]
    assert table.level("major").accrued_micros == 5_000 * DOLLAR + 3_456


def test_R14_reserve_pays_the_reset_first_and_the_house_the_rest() -> None:
    # Two stakes of a dollar put 20 % = 0.40 dollars in reserve; the reset of 5,000 dollars needs more.
    table = hit_table(major=a_level("major", 10_000 * DOLLAR, reset=5_000 * DOLLAR, rate_bp=0, hidden_rate_bp=2000))
    outcome = settled(table, {5: QUADS[0]}, also=[4])
    (hit,) = hits(outcome)
    assert (hit.reset_micros, hit.reserve_before_micros, hit.reserve_used_micros) == (5_000 * DOLLAR, 400_000, 400_000)
    level = table.level("major")
    assert (level.accrued_micros, level.reserve_micros, level.resets_micros) == (5_000 * DOLLAR, 0, 5_000 * DOLLAR)
    _, house, _, meter, reserve = outcome.totals()
    assert (meter, reserve) == (-5_000 * DOLLAR, -400_000 + 400_000)
    assert house == -(5_000 * DOLLAR - 400_000) + 2 * DOLLAR - 400_000 + _mains(outcome)


def _mains(outcome: Outcome) -> int:
    """What the house gains from the mains, in micros."""
    return -sum(line.net_cents for line in outcome.settled() if line.wager == "main") * 10_000


def test_R14_a_reserve_above_the_reset_keeps_the_rest() -> None:
    table = hit_table(major=a_level("major", 10 * DOLLAR, reset=100_000, rate_bp=0, hidden_rate_bp=2000))
    settled(table, {5: QUADS[0], 4: QUADS[1]})
    assert table.level("major").reserve_micros == 400_000 - 100_000


def test_a_hit_on_a_level_over_its_limit_is_of_the_limit_and_the_overflow_stays() -> None:
    table = hit_table(major=a_level("major", 999_910_000, reset=300 * DOLLAR, limit=1_000 * DOLLAR))
    outcome = settled(table, {5: QUADS[0]})  # one dollar at 18 % makes 1,000.09 dollars
    assert wins(outcome) == [(5, 1_000_00)]
    assert table.level("major").accrued_micros == 300 * DOLLAR + 90_000


def test_hits_of_two_levels_are_of_two_pots() -> None:
    table = hit_table(lines=[("four_of_a_kind", 100, "major"), ("full_house", 100, "minor")])
    outcome = settled(table, {6: QUADS[0], 5: FULL_HOUSES[0], 4: QUADS[1]})
    assert wins(outcome) == [(6, 5_000_00), (5, 500_00), (4, 5_000_00)]
    assert (table.level("major").accrued_micros, table.level("minor").accrued_micros) == (5_000 * DOLLAR, 400 * DOLLAR)


# sequential_equal


BEFORE, FIRST, BETWEEN, SECOND, AFTER = 6, 5, 4, 3, 2
FIVE_HITS = {BEFORE: FULL_HOUSES[0], FIRST: QUADS[0], BETWEEN: FULL_HOUSES[1], SECOND: QUADS[1], AFTER: FULL_HOUSES[2]}
"""Two hits of 100 % with hits of 10 % before, between and after them."""


def test_R14_sequential_two_ten_percent_hits_take_a_tenth_each_of_what_is_left() -> None:
    table = hit_table()
    assert wins(settled(table, {5: FULL_HOUSES[0], 2: FULL_HOUSES[1]})) == [(5, 1_000_00), (2, 900_00)]
    assert table.level("major").accrued_micros == 8_100 * DOLLAR


def test_R14_sequential_equal_two_100_percent_hits_share_equally_and_reset_once() -> None:
    table = hit_table()
    outcome = settled(table, {5: QUADS[0], 3: QUADS[1]})
    assert wins(outcome) == [(5, 5_000_00), (3, 5_000_00)]
    assert [hit.reset_micros for hit in hits(outcome)] == [5_000 * DOLLAR, 0]
    assert [hit.basis_micros for hit in hits(outcome)] == [10_000 * DOLLAR] * 2
    level = table.level("major")
    assert (level.accrued_micros, level.hits, level.resets_micros) == (5_000 * DOLLAR, 2, 5_000 * DOLLAR)
    assert {line.ruling for line in outcome.settled() if line.wager == "progressive"} == {"R14"}


def test_R14_sequential_equal_three_shares_are_cut_to_the_cent_and_the_rest_stays() -> None:
    table = hit_table()
    outcome = settled(table, {6: QUADS[0], 5: QUADS[1], 4: QUADS[2]})
    assert wins(outcome) == [(6, 3_333_33), (5, 3_333_33), (4, 3_333_33)]
    assert table.level("major").accrued_micros == 5_000 * DOLLAR + 10_000


def test_R14_sequential_equal_with_a_ten_percent_hit_before_between_and_after() -> None:
    table = hit_table()
    # 10,000: a tenth; 9,000 in two halves and the reset; a tenth of 5,000; the other half; a tenth of 4,500.
    assert wins(settled(table, FIVE_HITS)) == [
        (BEFORE, 1_000_00),
        (FIRST, 4_500_00),
        (BETWEEN, 500_00),
        (SECOND, 4_500_00),
        (AFTER, 450_00),
    ]
    assert table.level("major").accrued_micros == 4_050 * DOLLAR


def test_R14_sequential_equal_between_two_shares_the_limit_is_on_the_reset_level() -> None:
    # Of 900 and three times 100 dollars the limit shows 1,000, which are shared; 200 and the reset of 900 follow, of
    # which the limit shows 1,000 again.
    level = a_level("major", 900 * DOLLAR, reset=900 * DOLLAR, rate_bp=10_000, limit=1_000 * DOLLAR, hidden_rate_bp=0)
    table = hit_table(major=level)
    outcome = settled(table, {6: QUADS[0], 5: FULL_HOUSES[0], 4: QUADS[1]}, stake=100_00)
    assert wins(outcome) == [(6, 500_00), (5, 100_00), (4, 500_00)]
    assert table.level("major").accrued_micros == 1_000 * DOLLAR


# sequential


def test_R14_sequential_a_later_100_percent_hit_takes_the_reset_meter() -> None:
    table = hit_table(policy="sequential")
    outcome = settled(table, {5: QUADS[0], 3: QUADS[1]})
    assert wins(outcome) == [(5, 10_000_00), (3, 5_000_00)]
    assert [hit.reset_micros for hit in hits(outcome)] == [5_000 * DOLLAR] * 2
    assert table.level("major").accrued_micros == 5_000 * DOLLAR


def test_R14_sequential_with_a_ten_percent_hit_before_between_and_after() -> None:
    table = hit_table(policy="sequential")
    assert wins(settled(table, FIVE_HITS)) == [
        (BEFORE, 1_000_00),
        (FIRST, 9_000_00),
        (BETWEEN, 500_00),
        (SECOND, 4_500_00),
        (AFTER, 500_00),
    ]
    assert table.level("major").accrued_micros == 4_500 * DOLLAR


def test_R14_sequential_each_reset_uses_what_is_left_in_the_reserve() -> None:
    level = a_level("major", 10 * DOLLAR, reset=300_000, rate_bp=0, hidden_rate_bp=2000)
    outcome = settled(hit_table(policy="sequential", major=level), {5: QUADS[0], 3: QUADS[1]})
    assert [hit.reserve_used_micros for hit in hits(outcome)] == [300_000, 100_000]


# snapshot


def test_R14_snapshot_each_hit_is_of_the_value_when_settle_begins() -> None:
    table = hit_table(policy="snapshot")
    outcome = settled(table, {5: FULL_HOUSES[0], 3: FULL_HOUSES[1]})
    assert wins(outcome) == [(5, 1_000_00), (3, 1_000_00)]
    level = table.level("major")
    assert (level.accrued_micros, level.resets_micros) == (8_000 * DOLLAR, 0)


def test_R14_snapshot_what_the_meter_lacked_is_house_money_shown_in_resets() -> None:
    table = hit_table(policy="snapshot")
    outcome = settled(table, FIVE_HITS)
    assert wins(outcome) == [
        (BEFORE, 1_000_00),
        (FIRST, 10_000_00),
        (BETWEEN, 1_000_00),
        (SECOND, 10_000_00),
        (AFTER, 1_000_00),
    ]
    # 23,000 due of 10,000: the house adds 13,000, and the reset of 5,000 once.
    level = table.level("major")
    assert (level.accrued_micros, level.resets_micros) == (5_000 * DOLLAR, 18_000 * DOLLAR)
    assert sum(hit.reset_micros for hit in hits(outcome)) == 18_000 * DOLLAR


def test_R14_snapshot_the_reserve_pays_the_reset_but_not_what_the_meter_lacked() -> None:
    level = a_level("major", 10 * DOLLAR, reset=300_000, rate_bp=0, hidden_rate_bp=4000)
    table = hit_table(policy="snapshot", major=level)
    outcome = settled(table, {5: QUADS[0], 3: QUADS[1]})
    assert sum(hit.reset_micros for hit in hits(outcome)) == 10 * DOLLAR + 300_000
    assert sum(hit.reserve_used_micros for hit in hits(outcome)) == 300_000
    assert table.level("major").reserve_micros == 800_000 - 300_000


def test_R14_snapshot_without_a_full_hit_there_is_no_reset() -> None:
    table = hit_table(policy="snapshot", lines=[("four_of_a_kind", 60, "major"), ("full_house", 50, "major")])
    outcome = settled(table, {5: QUADS[0], 3: FULL_HOUSES[0]})
    assert wins(outcome) == [(5, 6_000_00), (3, 5_000_00)]
    level = table.level("major")
    assert (level.accrued_micros, level.resets_micros) == (0, 1_000 * DOLLAR)


# Below zero


def voided_beneath(policy: str) -> Table:
    """A level below zero: a first round put 0.90 dollars in, a second won 1.08, then the first was voided."""
    level = a_level("major", 0, reset=50_000, rate_bp=1800, hidden_rate_bp=2000)
    table = hit_table(policy=policy, major=level)
    settled(table, {}, also=[5], stake=5_00)
    assert wins(settled(another(table, 2), {5: QUADS[0]})) == [(5, 1_08)]
    return table.given(void(round=ROUND))


def another(table: Table, number: int) -> Table:
    return table.given(open_round(f"R{number}", number=number, sheet="trial@1"))


POLICIES = pytest.mark.parametrize("policy", ["sequential_equal", "sequential", "snapshot"])


@POLICIES
def test_after_the_void_of_a_round_whose_hit_others_built_upon_the_level_is_below_zero(policy: str) -> None:
    level = voided_beneath(policy).level("major")
    assert level.accrued_micros == 900_000 + 180_000 - 1_080_000 + 50_000 - 900_000 == -850_000
    assert level.reserve_micros == 1_000_000 + 200_000 - 50_000 - 1_000_000
    assert (level.shown_micros, level.display_cents, level.overflow_micros) == (0, 0, 0)
    assert (level.in_count, level.hits, level.wins_micros) == (1, 1, 1_080_000)


@POLICIES
def test_a_partial_hit_on_a_level_below_zero_pays_nothing(policy: str) -> None:
    table = another(voided_beneath(policy), 3)
    outcome = settled(table, {5: FULL_HOUSES[0]})
    line = outcome.line("5.progressive")
    assert (line.outcome, line.won_cents, line.odds) == ("win", 0, "10% of major")
    # Snapshot makes what is below zero whole with house money; the others leave it.
    expected = 0 if policy == "snapshot" else -850_000 + 180_000
    assert table.level("major").accrued_micros == expected


@pytest.mark.parametrize(
    ("policy", "accrued", "resets"),
    [
        ("sequential_equal", -670_000 + 50_000, 50_000),
        ("sequential", -670_000 + 50_000, 50_000),
        ("snapshot", 50_000, 670_000 + 50_000),
    ],
)
def test_a_full_hit_on_a_level_below_zero_pays_nothing_and_resets(policy: str, accrued: int, resets: int) -> None:
    table = another(voided_beneath(policy), 3)
    outcome = settled(table, {5: QUADS[0]})
    assert wins(outcome) == [(5, 0)]
    (hit,) = hits(outcome)
    assert (hit.accrued_before_micros, hit.basis_micros, hit.reset_micros) == (-670_000, 0, resets)
    assert table.level("major").accrued_micros == accrued


def test_R14_a_reserve_below_zero_is_made_whole_by_the_house_at_the_next_reset() -> None:
    # RULINGS: reserve -= min(reserve, reset), which is the whole reserve where it is below zero.
    # The second round's reset used the first round's 0.10 dollars, which its void took back.
    level = a_level("major", 0, reset=250_000, rate_bp=1800, hidden_rate_bp=200)
    table = hit_table(major=level)
    settled(table, {}, also=[5], stake=5_00)
    settled(another(table, 2), {5: QUADS[0]})
    table.given(void(round=ROUND))
    assert table.level("major").reserve_micros == 100_000 + 20_000 - 120_000 - 100_000
    (hit,) = hits(settled(another(table, 3), {5: QUADS[0]}))
    assert (hit.reset_micros, hit.reserve_used_micros) == (250_000, -80_000)
    assert table.level("major").reserve_micros == 0


def test_shares_of_a_level_that_is_all_but_full_leave_sums_of_64_bits() -> None:
    # Shares of one snapshot are the most that can be paid of a level at once.
    level = a_level("major", FULL_MICROS, reset=MAX_MICROS, rate_bp=0, hidden_rate_bp=0)
    lines = [("four_of_a_kind", 100, "major"), ("full_house", 100, "major")]
    table = hit_table(policy="snapshot", major=level, lines=lines)
    outcome = settled(table, FIVE_HITS)
    assert [cents for _, cents in wins(outcome)] == 5 * [FULL_MICROS // 10_000]
    after = table.level("major")
    assert after.full and after.accrued_micros == MAX_MICROS
    assert max(abs(each) for each in (*outcome.totals(), after.wins_micros, after.resets_micros)) < 2**63
    table.given(open_round("R2", number=2, sheet="trial@1"), place(5, "main", 10_00, round="R2"))
    assert "PROG" in table.when(place(5, "progressive", 1_00, round="R2")).refused("meter.full")
