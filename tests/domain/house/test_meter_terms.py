"""New terms of a meter: for wagers from a time on, by two approvals, and never for what was taken already."""

from __future__ import annotations

import pytest

from domain.house_events import MeterChanged
from domain.meters import LevelChange, LevelTerms, NewTerms
from domain.rounds.events import ContributionTaken
from tests.domain.rounds.hands import PLAIN, QUADS
from tests.domain.rounds.table import (
    AT,
    Table,
    a_house,
    a_level,
    a_sheet,
    a_table,
    adjust_meter,
    change_meter,
    close,
    open_round,
    place,
    played,
    retire_meter,
    settle,
    shares,
)

BASE = 10_000_000_000
LATER = "2026-05-05T18:00:00-04:00"
LATEST = "2026-05-06T18:00:00-04:00"


def rate(table: Table, at: str) -> int:
    return table.meter().in_force(at).levels["major"].terms.rate_bp


def test_a_change_says_the_terms_before_and_after() -> None:
    before = a_level("major", BASE)
    after = LevelTerms("major", BASE, 5_000_000_000, 2000, 200, 20_000_000_000)
    order = change_meter(NewTerms("major", rate_bp=2000, limit_micros=20_000_000_000), effective_from=LATER)
    a_house().when(order).then(
        MeterChanged("PROG", "NORTH", LATER, (LevelChange(before, after),), ("F1", "M1"), "2026-05-04", 1_000_000)
    )


def test_new_terms_are_in_force_from_their_time_on() -> None:
    table = a_house().given(change_meter(NewTerms("major", rate_bp=2000), effective_from=LATER))
    assert [rate(table, at) for at in (AT, "2026-05-05T17:59:59-04:00", LATER, LATEST)] == [1800, 1800, 2000, 2000]


def test_a_change_that_comes_into_force_earlier_leaves_the_later_one_its_own_part() -> None:
    table = a_house().given(
        change_meter(NewTerms("major", rate_bp=2000), effective_from=LATEST),
        change_meter(NewTerms("major", hidden_rate_bp=0), effective_from=LATER),
        change_meter(NewTerms("major", rate_bp=1900), effective_from=LATER),
    )
    assert [rate(table, at) for at in (AT, LATER, LATEST)] == [1800, 1900, 2000]
    assert table.meter().in_force(LATEST).levels["major"].terms.hidden_rate_bp == 0


def test_the_guard_against_unreasonable_contributions_is_changed_too() -> None:
    table = a_table().given(change_meter(unreasonable_micros=100))
    table.given(place(5, "main", 10_00), place(5, "progressive", 1_00))
    assert table.when(close()).findings == [("meter.unreasonable", 5), ("meter.unreasonable", 5)]
    assert table.meter().in_force(AT).unreasonable_micros == 100
    table.given(change_meter(NewTerms("major", rate_bp=1700)))
    assert table.meter().in_force(AT).unreasonable_micros == 100
    table.given(change_meter(NewTerms("major", rate_bp=1600), unreasonable_micros=99))
    assert table.meter().in_force(AT).unreasonable_micros == 99
    table.when(change_meter(unreasonable_micros=99)).refused("meter.unchanged")
    table.when(change_meter()).refused("meter.unchanged")


def test_a_stake_is_taken_at_the_rate_of_no_more_bets() -> None:
    table = a_table().given(place(5, "main", 10_00), place(5, "progressive", 1_00))
    table.given(change_meter(NewTerms("major", rate_bp=2000), effective_from=LATER))
    taken = table.when(close().but(at=LATER)).one(ContributionTaken)
    assert [part.increment_micros for part in taken.levels] == [200_000, 60_000]
    late = a_table().given(place(5, "main", 10_00), place(5, "progressive", 1_00))
    late.given(change_meter(NewTerms("major", rate_bp=2000), effective_from=LATER))
    assert late.when(close()).one(ContributionTaken).levels[0].increment_micros == 180_000


def test_a_hit_is_read_under_the_limit_in_force_and_a_replay_computes_it_so() -> None:
    sheet = a_sheet(
        id="trial",
        paytables={"trial": shares(("four_of_a_kind", 100, "major"))},
        wagers={"progressive": {"paytable": "trial"}},
    )
    won = []
    for at in (AT, LATER):
        table = a_table(sheet=sheet, levels=[a_level("major", BASE, limit=5_000_000_000)])
        table.given(change_meter(NewTerms("major", limit_micros=None), effective_from=LATER))
        table.given(*played({5: {"main": 10_00, "progressive": 1_00}}, {0: PLAIN, 5: QUADS[0]}))
        won.append(table.when(settle().but(at=at)).line("5.progressive").won_cents)
        # Later terms say nothing about what was settled before.
        table.given(change_meter(NewTerms("major", reset_micros=1), effective_from=LATEST))
        assert table.recheck("R1") == []
    assert won == [5_000_00, 10_000_18]


def test_a_limit_below_what_the_level_shows_is_refused_one_between_shown_and_overflow_is_not() -> None:
    table = a_house(levels=[a_level("major", 1_200_000_000, limit=1_000_000_000)])
    message = table.when(change_meter(NewTerms("major", limit_micros=999_999_999))).refused("meter.limit")
    assert "$1,000.00" in message
    table.given(change_meter(NewTerms("major", limit_micros=1_100_000_000)))
    assert table.meter().in_force(AT).levels["major"].display_cents == 1_100_00


def test_a_limit_is_held_against_what_is_shown_once_an_earlier_change_is_in_force() -> None:
    table = a_house(levels=[a_level("major", 1_200_000_000, limit=1_000_000_000)])
    table.given(change_meter(NewTerms("major", limit_micros=None), effective_from=LATER))
    below = change_meter(NewTerms("major", limit_micros=1_199_999_999), effective_from=LATEST)
    assert "shows $1,200.00 by then" in table.when(below).refused("meter.limit")
    table.given(change_meter(NewTerms("major", limit_micros=1_200_000_000), effective_from=LATEST))


def test_another_figure_changes_though_the_limit_was_passed() -> None:
    table = a_house(levels=[a_level("major", 1_200_000_000, limit=1_000_000_000)])
    table.when(change_meter(NewTerms("major", rate_bp=1))).accepted()


def test_a_limit_may_be_exactly_what_the_level_shows() -> None:
    table = a_house(levels=[a_level("major", BASE)])
    table.when(change_meter(NewTerms("major", limit_micros=BASE - 1))).refused("meter.limit")
    table.given(change_meter(NewTerms("major", limit_micros=BASE)))
    assert table.meter().in_force(AT).levels["major"].overflow_micros == 0


def test_another_figure_changes_though_a_limit_to_come_was_passed_since() -> None:
    table = a_house(levels=[a_level("major", 900_000_000)]).given(
        change_meter(NewTerms("major", limit_micros=1_000_000_000), effective_from=LATER),
        adjust_meter(200_000_000, "house_added"),
        change_meter(NewTerms("major", rate_bp=1), effective_from=LATEST),
    )
    level = table.meter().in_force(LATEST).levels["major"]
    assert (level.shown_micros, level.overflow_micros) == (1_000_000_000, 100_000_000)
    table.when(change_meter(NewTerms("major", limit_micros=1_000_000_001), effective_from=LATEST)).refused(
        "meter.limit"
    )


@pytest.mark.parametrize("wrong", [(), ("F1",), ("C1", "F1")])
def test_two_others_than_the_author_approve_new_terms(wrong: tuple[str, ...]) -> None:
    a_house().when(change_meter(NewTerms("major", rate_bp=1), approved_by=wrong)).refused("approval.insufficient")


def test_new_terms_are_for_levels_that_are_there_and_not_retired() -> None:
    table = a_house()
    table.when(change_meter(NewTerms("grand", rate_bp=1))).refused("meter.unknown")
    table.when(change_meter(NewTerms("major", rate_bp=1), meter="OTHER")).refused("meter.unknown")
    table.given(retire_meter("revenue"))
    table.when(change_meter(NewTerms("major", rate_bp=1))).refused("meter.retired")
    table.when(change_meter(NewTerms("minor", rate_bp=1))).accepted()


def test_new_terms_are_not_older_than_their_command() -> None:
    message = a_house().when(change_meter(NewTerms("major", rate_bp=1), effective_from="2026-05-04T17:00:00-04:00"))
    assert "rate_correction" in message.refused("meter.time")


def test_times_of_terms_are_compared_whatever_their_offset() -> None:
    new = NewTerms("major", rate_bp=1)
    # The command is of 18:00 at -04:00, which is 22:00 UTC.
    a_house().when(change_meter(new, effective_from="2026-05-04T19:00:00Z")).refused("meter.time")
    a_house().when(change_meter(new, effective_from="2026-05-04T17:00:00-05:00")).accepted()
    table = a_house().given(
        change_meter(NewTerms("major", rate_bp=2000), effective_from="2026-05-05T18:00:00-04:00"),
        change_meter(NewTerms("major", rate_bp=1900), effective_from="2026-05-05T17:30:00-05:00"),
    )
    times = ("2026-05-05T21:59:59Z", "2026-05-05T22:29:59Z", "2026-05-05T22:30:00Z")
    assert [rate(table, at) for at in times] == [1800, 2000, 1900]


def test_changes_of_a_meter_do_not_reach_rounds_that_were_closed_before() -> None:
    table = a_table().given(place(5, "main", 10_00), place(5, "progressive", 1_00), close())
    taken = table.events(ContributionTaken)
    table.given(change_meter(NewTerms("major", rate_bp=1)), open_round("R2", number=2, table="T2"))
    assert table.events(ContributionTaken, "R1") == taken
