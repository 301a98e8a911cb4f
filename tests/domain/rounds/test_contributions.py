"""What a progressive stake adds to its meter at no more bets: exact in micros, in the round's own events (R15)."""

from __future__ import annotations

from domain.rounds.events import BettingClosed, ContributionTaken, LevelContribution
from tests.domain.rounds.table import a_level, a_sheet, a_table, bank, close, place, withdraw

FIVE_DOLLARS = {"progressive": {"max_cents": 5_00}}


def test_R15_each_stake_contributes_at_no_more_bets_exactly() -> None:
    table = a_table().given(
        place(2, "main", 5_00), place(2, "progressive", 1_00), place(5, "main", 5_00), place(5, "progressive", 1_00)
    )
    assert table.level("major").in_count == 0
    parts = (LevelContribution("major", 180_000, 20_000), LevelContribution("minor", 60_000, 0))
    table.when(close()).then(
        BettingClosed(12_00, 0),
        ContributionTaken(5, "P5", "progressive", 1_00, "PROG", parts),
        ContributionTaken(2, "P2", "progressive", 1_00, "PROG", parts),
    )
    major, minor = table.level("major"), table.level("minor")
    assert (major.accrued_micros, major.reserve_micros, major.in_count) == (10_000_360_000, 40_000, 2)
    assert (minor.accrued_micros, minor.reserve_micros, minor.in_count) == (500_120_000, 0, 2)


def test_R15_fractions_of_a_cent_accumulate_and_the_display_is_cut() -> None:
    # 1.37 dollars at 3.33 % is 4.5621 cents: 45,621 micros, to the last millionth.
    sheet = a_sheet(id="trial", wagers=FIVE_DOLLARS)
    levels = [a_level("major", 1_000_000, rate_bp=333, hidden_rate_bp=1), a_level("minor", 0, rate_bp=0)]
    table = a_table(sheet=sheet, levels=levels).given(place(3, "main", 5_00), place(3, "progressive", 1_37))
    parts = table.when(close()).one(ContributionTaken).levels
    assert parts == (LevelContribution("major", 45_621, 137), LevelContribution("minor", 0, 27_400))
    level = table.level("major")
    assert (level.accrued_micros, level.reserve_micros, level.display_cents) == (1_045_621, 137, 104)


def test_R15_a_withdrawn_stake_contributes_nothing() -> None:
    table = a_table().given(place(3, "main", 5_00), place(3, "progressive", 1_00), withdraw(3, "progressive", 1_00))
    table.given(close())
    assert table.events(ContributionTaken) == []
    assert table.level("major").accrued_micros == 10_000_000_000


def test_R15_other_wagers_contribute_nothing() -> None:
    table = a_table().given(place(3, "main", 500_00), place(3, "fortune", 50_00), close())
    assert table.events(ContributionTaken) == []


def test_a_contribution_above_unreasonable_is_a_finding_and_still_counts() -> None:
    sheet = a_sheet(id="trial", wagers=FIVE_DOLLARS)
    table = a_table(sheet=sheet, unreasonable_micros=539_999).given(place(3, "main", 5_00))
    outcome = table.given(place(3, "progressive", 3_00)).when(close())
    assert outcome.findings == [("meter.unreasonable", 3)]
    assert outcome.details[0].wager == "progressive" and "major" in outcome.details[0].text
    assert table.level("major").accrued_micros == 10_000_540_000


def test_a_contribution_of_exactly_unreasonable_is_none() -> None:
    sheet = a_sheet(id="trial", wagers=FIVE_DOLLARS)
    table = a_table(sheet=sheet, unreasonable_micros=540_000).given(place(3, "main", 5_00))
    assert table.given(place(3, "progressive", 3_00)).when(close()).findings == []


def test_a_bankers_progressive_contributes_without_a_main() -> None:
    table = a_table().given(bank(4), place(4, "progressive", 1_00))
    assert table.when(close()).one(ContributionTaken).player == "P4"
