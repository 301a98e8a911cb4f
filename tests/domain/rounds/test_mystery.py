"""A must-hit-by mystery: its trigger by a committed secret, its winner by settling order, however late it is told."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import count

import pytest

from domain.house_events import MeterOpened
from domain.meters import LevelTerms, Mystery, NewTerms
from domain.mystery import commitment_of, trigger_of
from domain.rounds.events import ContributionTaken, JackpotPaid, MysteryRevealed, RoundVoided, WagerSettled
from tests.domain.rounds.hands import PLAIN, QUADS
from tests.domain.rounds.table import (
    Order,
    Table,
    a_house,
    a_level,
    a_sheet,
    adjust_meter,
    change_meter,
    close,
    correct,
    open_meter,
    open_round,
    pay_jackpot,
    place,
    played,
    refuse_jackpot,
    retire_meter,
    reveal,
    settle,
    shares,
    transfer_meter,
    validate,
    void,
)

SECRET, NEXT, THIRD = "00" * 32, "11" * 32, "22" * 32
BEGINS, MUST = 500_000_000, 1_000_000_000
TRIGGER = trigger_of(SECRET, BEGINS, MUST)
BOTH = {"main": 10_00, "progressive": 1_00}
STEP = 100
"""What a dollar adds at the rate of a basis point."""
SPAN = 2_000


def grand(base: int = BEGINS, *, rate_bp: int = 1, secret: str = SECRET, reset: int = BEGINS) -> LevelTerms:
    return LevelTerms("grand", base, reset, rate_bp, 0, None, MUST, commitment_of(secret))


@cache
def secret_of(short: int) -> str:
    """A secret whose trigger lies `short` micros above a beginning that is SPAN below what it must hit by."""
    secrets = (f"{number:064x}" for number in count())
    return next(each for each in secrets if trigger_of(each, MUST - SPAN, MUST) == MUST - SPAN + short)


def at_the_trigger(short: int) -> LevelTerms:
    """The level whose trigger lies `short` micros above its base."""
    return grand(MUST - SPAN, secret=secret_of(short))


def of_a_mystery(level: LevelTerms) -> Table:
    """A table whose progressive feeds the mystery and pays nothing from it; the round is open."""
    sheet = a_sheet(
        id="trial",
        paytables={"trial": [{"hand": "royal_flush", "kind": "for_1", "n": 100}]},
        wagers={"progressive": {"paytable": "trial", "max_cents": 1000_00}},
    )
    return a_house(sheet=sheet, levels=[level]).given(open_round(sheet="trial@1"))


def again(number: int) -> Order:
    return open_round(f"R{number}", number=number, sheet="trial@1")


def three_dollars(short: int = STEP + 1) -> Table:
    """Seats 6, 5 and 4 have a dollar each; by settling order seat 5's passes the trigger. The round is settled."""
    table = of_a_mystery(at_the_trigger(short))
    return table.given(*played({4: BOTH, 6: BOTH, 5: BOTH}, {0: PLAIN}), settle())


def cycle(table: Table) -> Mystery:
    """The present cycle of the level."""
    found = table.level("grand").mystery
    assert found is not None
    return found


def told(table: Table, short: int = STEP + 1) -> tuple[MysteryRevealed, WagerSettled]:
    revealed, line = table.when(reveal(secret_of(short), commitment_of(NEXT))).accepted().events
    assert isinstance(revealed, MysteryRevealed) and isinstance(line, WagerSettled)
    return revealed, line


def test_the_trigger_lies_above_the_beginning_and_at_most_at_what_it_must_hit_by() -> None:
    found = {trigger_of(f"{number:064x}", 10, 13) for number in range(200)}
    assert found == {11, 12, 13}
    assert {trigger_of(f"{number:064x}", 13, 13) for number in range(9)} == {14}
    assert BEGINS < TRIGGER <= MUST


def test_triggers_are_spread_evenly() -> None:
    found = [trigger_of(f"{number:064x}", 0, 10) for number in range(5_000)]
    assert all(430 < found.count(amount) < 570 for amount in range(1, 11))


def test_nothing_that_is_stored_before_the_hit_says_the_secret_or_the_trigger() -> None:
    stored = repr(three_dollars().house.streams)
    assert secret_of(STEP + 1) not in stored and str(MUST - SPAN + STEP + 1) not in stored
    assert commitment_of(secret_of(STEP + 1)) in stored


def test_contributions_say_where_they_left_the_level_in_settling_order() -> None:
    table = three_dollars()
    marks = [(taken.seat, taken.levels[0].mystery) for taken in table.events(ContributionTaken)]
    base = MUST - SPAN
    assert [
        (seat, mark.cycle, mark.peak_before_micros - base, mark.after_micros - base) for seat, mark in marks if mark
    ] == [
        (6, 1, 0, STEP),
        (5, 1, STEP, 2 * STEP),
        (4, 1, 2 * STEP, 3 * STEP),
    ]


def test_who_passed_the_trigger_by_settling_order_wins_what_was_accrued_with_that_wager() -> None:
    table = three_dollars()
    before = table.level("grand")
    revealed, line = told(table)
    base = MUST - SPAN
    assert (revealed.seat, revealed.line_id, revealed.trigger_micros) == (5, "5.mystery.PROG.grand", base + STEP + 1)
    assert (line.seat, line.player, line.wager, line.won_cents) == (5, "P5", "mystery", (base + 2 * STEP) // 10_000)
    assert (line.stake_cents, line.paid_by, line.odds) == (0, "meter", "must hit by $1,000.00")
    assert line.hit is not None and line.hit.basis_micros == base + 2 * STEP
    after = table.level("grand")
    assert after.accrued_micros == before.accrued_micros - line.hit.win_micros + BEGINS
    assert (after.hits, after.mystery and after.mystery.cycle) == (1, 2)


@pytest.mark.parametrize(("short", "seat"), [(1, 6), (STEP, 6), (STEP + 1, 5), (2 * STEP, 5), (3 * STEP, 4)])
def test_the_trigger_is_passed_where_it_is_reached(short: int, seat: int) -> None:
    assert told(three_dollars(short), short)[0].seat == seat


def test_a_round_that_did_not_pass_the_trigger_keeps_the_secret() -> None:
    table = three_dollars(3 * STEP + 1)
    short = 3 * STEP + 1
    message = table.when(reveal(secret_of(short), commitment_of(NEXT))).refused("mystery.not-hit")
    assert str(MUST - SPAN + short) not in message
    assert cycle(table).cycle == 1


def test_a_secret_told_weeks_later_pays_the_round_that_passed_the_trigger() -> None:
    table = three_dollars()
    for number in (2, 3):
        table.given(again(number), *played({6: BOTH}, {0: PLAIN}), settle())
    held = table.level("grand").accrued_micros
    for round_ in ("R2", "R3"):
        table.when(reveal(secret_of(STEP + 1), commitment_of(NEXT), round=round_)).refused("mystery.not-hit")
    table.round = "R1"
    _, line = told(table)
    assert line.hit is not None
    assert line.hit.accrued_before_micros == held
    assert line.hit.basis_micros == held - 3 * STEP
    assert cycle(table).begins_micros == held - line.hit.win_micros + BEGINS


def test_it_is_told_after_settling() -> None:
    table = of_a_mystery(at_the_trigger(1)).given(place(5, "main", 10_00), place(5, "progressive", 1_00), close())
    outcome = table.when(reveal(secret_of(1), commitment_of(NEXT)))
    outcome.refused("command.out-of-phase")
    assert outcome.refusal is not None and outcome.refusal.retry


def test_another_secret_an_unknown_level_and_the_old_commitment_are_refused() -> None:
    table, secret = three_dollars(), secret_of(STEP + 1)
    assert commitment_of(NEXT) in table.when(reveal(NEXT, commitment_of(THIRD))).refused("mystery.secret")
    table.when(reveal(secret, commitment_of(secret))).refused("mystery.secret")
    table.when(reveal(secret, commitment_of(NEXT), level="major")).refused("mystery.unknown")
    table.when(reveal(secret, commitment_of(NEXT), meter="OTHER")).refused("mystery.unknown")
    told(table)
    table.when(reveal(secret, commitment_of(THIRD))).refused("mystery.secret")


def test_a_commitment_is_of_one_level_once_and_never_again() -> None:
    table, secret = three_dollars(), secret_of(STEP + 1)
    mini = replace(grand(), level="mini")
    table.when(open_meter([grand(), mini], meter="TWICE")).refused("meter.mystery")
    table.when(open_meter([at_the_trigger(STEP + 1)], meter="COPY")).refused("meter.mystery")
    table.given(open_meter([grand(secret=THIRD)], meter="OTHER"))
    assert "OTHER" in table.when(reveal(secret, commitment_of(THIRD))).refused("mystery.secret")
    told(table)
    # What was told draws nothing any more, and what was promised is not promised twice.
    for used in (secret, NEXT, THIRD):
        table.when(open_meter([grand(secret=used)], meter="COPY")).refused("meter.mystery")
    table.given(open_meter([grand()], meter="COPY"))


def test_the_prize_is_at_most_what_it_must_hit_by_and_the_rest_begins_the_next_cycle() -> None:
    table = of_a_mystery(at_the_trigger(1)).given(
        *played({6: {"main": 10_00, "progressive": 200_00}}, {0: PLAIN}), settle()
    )
    held = table.level("grand")
    assert (held.shown_micros, held.overflow_micros) == (MUST, held.accrued_micros - MUST)
    _, line = told(table, 1)
    assert line.won_cents == 1_000_00
    assert table.level("grand").accrued_micros == held.accrued_micros - MUST + BEGINS


@pytest.mark.parametrize(
    ("stake", "findings"), [(19_99, []), (20_00, [("mystery.due", 5)]), (200_00, [("mystery.due", 5)])]
)
def test_a_secret_that_is_due_is_a_finding_of_every_further_contribution(
    stake: int, findings: list[tuple[str, int]]
) -> None:
    # Twenty dollars take the level to exactly what it must hit by.
    table = of_a_mystery(at_the_trigger(1))
    table.given(*played({6: {"main": 10_00, "progressive": stake}}, {0: PLAIN}), settle())
    table.given(again(2), place(5, "main", 10_00), place(5, "progressive", 1_00))
    assert table.when(close()).findings == findings


def test_the_next_cycle_is_under_the_next_secret_and_hits_again() -> None:
    table = three_dollars()
    told(table)
    begins = cycle(table).begins_micros
    table.given(adjust_meter(trigger_of(NEXT, begins, MUST) - begins - 1, "house_added", level="grand"))
    table.given(again(2), *played({6: BOTH}, {0: PLAIN}), settle())
    table.when(reveal(NEXT, commitment_of(THIRD), round="R1")).refused("mystery.not-hit")
    event = table.when(reveal(NEXT, commitment_of(THIRD))).one(MysteryRevealed)
    assert (event.cycle, event.begins_micros, event.seat) == (2, begins, 6)


def test_a_secret_that_was_told_is_never_committed_to_again() -> None:
    table = three_dollars()
    told(table)
    table.given(adjust_meter(trigger_of(NEXT, cycle(table).begins_micros, MUST), "house_added", level="grand"))
    table.given(again(2), *played({6: BOTH}, {0: PLAIN}), settle())
    first = commitment_of(secret_of(STEP + 1))
    assert "level grand of meter PROG" in table.when(reveal(NEXT, first)).refused("mystery.secret")
    for levels in ((at_the_trigger(STEP + 1),), (grand(secret=NEXT),), (grand(secret=THIRD), grand(secret=THIRD))):
        order = open_meter(meter="OTHER", levels=tuple(replace(each, level=str(i)) for i, each in enumerate(levels)))
        table.when(order).refused("meter.mystery")
    table.given(reveal(NEXT, commitment_of(THIRD)))


def test_a_wager_of_an_earlier_cycle_does_not_hit_the_next_one() -> None:
    # The second cycle begins where the first did, and its trigger lies where a wager of the first one led.
    reset = MUST - SPAN - 8_300
    table = of_a_mystery(grand(MUST - SPAN, secret=secret_of(STEP + 1), reset=reset))
    table.given(*played({4: BOTH, 6: BOTH, 5: BOTH}, {0: PLAIN}), settle())
    table.given(reveal(secret_of(STEP + 1), commitment_of(secret_of(STEP + 2))))
    assert cycle(table).begins_micros == MUST - SPAN
    following = reveal(secret_of(STEP + 2), commitment_of(NEXT))
    table.when(following).refused("mystery.not-hit")
    table.given(again(2), *played({6: BOTH, 5: BOTH}, {0: PLAIN}), settle())
    table.when(following.but(round="R1")).refused("mystery.not-hit")
    assert table.when(following).one(MysteryRevealed).seat == 5


def test_the_reset_of_a_mystery_is_paid_by_its_reserve_first() -> None:
    level = replace(at_the_trigger(1), hidden_rate_bp=200)
    table = of_a_mystery(level).given(*played({5: BOTH}, {0: PLAIN}), settle())
    assert table.level("grand").reserve_micros == 20_000
    _, line = told(table, 1)
    assert line.hit is not None
    assert (line.hit.reset_micros, line.hit.reserve_before_micros, line.hit.reserve_used_micros) == (
        BEGINS,
        20_000,
        20_000,
    )
    assert table.level("grand").reserve_micros == 0
    table.given(void())
    assert table.level("grand").reserve_micros == 0
    small = of_a_mystery(replace(level, reset_micros=15_000)).given(*played({5: BOTH}, {0: PLAIN}), settle())
    told(small, 1)
    assert small.level("grand").reserve_micros == 5_000


def test_what_raises_the_level_outside_the_rounds_lets_the_next_wager_hit() -> None:
    table = of_a_mystery(at_the_trigger(10 * STEP)).given(
        adjust_meter(20 * STEP, "house_added", level="grand"), *played({6: BOTH, 5: BOTH}, {0: PLAIN}), settle()
    )
    assert told(table, 10 * STEP)[0].seat == 6


def test_a_level_that_was_lowered_is_passed_only_above_what_it_had_been() -> None:
    table = of_a_mystery(at_the_trigger(2 * STEP)).given(*played({6: BOTH}, {0: PLAIN}), settle())
    table.given(adjust_meter(-STEP, "equipment_fault", level="grand"))
    table.given(again(2), *played({6: BOTH, 5: BOTH}, {0: PLAIN}), settle())
    assert told(table, 2 * STEP)[0].seat == 5


def test_a_trigger_that_was_passed_is_not_passed_again_after_the_level_was_lowered() -> None:
    table = of_a_mystery(at_the_trigger(2 * STEP)).given(*played({6: BOTH, 5: BOTH}, {0: PLAIN}), settle())
    table.given(adjust_meter(-2 * STEP, "equipment_fault", level="grand"))
    table.given(again(2), *played({6: BOTH, 5: BOTH}, {0: PLAIN}), settle())
    table.when(reveal(secret_of(2 * STEP), commitment_of(NEXT))).refused("mystery.not-hit")
    table.round = "R1"
    assert told(table, 2 * STEP)[0].seat == 5


def test_the_void_of_a_round_that_hit_takes_prize_and_reset_back() -> None:
    table = three_dollars()
    begun = table.level("grand").accrued_micros - 3 * STEP
    _, line = told(table)
    voided = table.when(void()).one(RoundVoided)
    won = {each.player: each.won_cents for each in voided.players}
    assert won["P5"] - won["P4"] == line.won_cents
    level = table.level("grand")
    assert (level.accrued_micros, level.hits, level.wins_micros, level.resets_micros) == (begun, 0, 0, 0)
    assert level.mystery is not None and (level.mystery.cycle, level.mystery.commitment) == (2, commitment_of(NEXT))


def test_a_round_voided_before_its_secret_was_told_has_no_winner_and_the_next_cycle_begins() -> None:
    table = three_dollars().given(void())
    held = table.level("grand")
    revealed = table.when(reveal(secret_of(STEP + 1), commitment_of(NEXT))).one(MysteryRevealed)
    assert (revealed.seat, revealed.line_id, revealed.next_begins_micros) == (None, None, held.accrued_micros)
    assert table.level("grand").held == held.held
    assert table.recheck("R1") == []
    table.when(reveal(NEXT, commitment_of(THIRD))).refused("mystery.not-hit")


def test_a_prize_that_was_moved_away_meanwhile_is_paid_by_the_house() -> None:
    table = three_dollars()
    held = table.level("grand").accrued_micros
    table.given(transfer_meter(held, "revenue", level="grand"))
    _, line = told(table)
    assert line.hit is not None and line.hit.reset_micros == line.hit.win_micros + BEGINS
    assert table.level("grand").accrued_micros == BEGINS
    gone = three_dollars().given(retire_meter("revenue", "grand"))
    _, line = told(gone)
    assert line.won_cents > 0 and gone.level("grand").held.accrued_micros == 0


def test_the_prize_is_a_jackpot_paid_once_and_corrected_like_any_line() -> None:
    table = three_dollars()
    _, line = told(table)
    mystery = {"wager": "mystery"}
    table.when(refuse_jackpot(6, **mystery)).refused("line.unknown")
    table.given(validate(5, **mystery))
    table.when(pay_jackpot(5, **mystery, paid_from="rack")).refused("jackpot.from-rack")
    paid = table.when(pay_jackpot(5, **mystery, level="grand", meter="PROG")).one(JackpotPaid)
    assert (paid.line_id, paid.paid_cents) == (line.line_id, line.won_cents)
    table.when(void()).refused("jackpot.paid")
    table.when(correct(5, "mystery", 1)).accepted()


@pytest.mark.parametrize(("stake", "form"), [(3_33, "W-2G"), (3_34, None)])
def test_tax_is_by_the_wager_that_won_the_mystery(stake: int, form: str | None) -> None:
    # $999.99 is 300 times $3.33, by the figures of 2025.
    table = of_a_mystery(at_the_trigger(1))
    table.given(*played({5: {"main": 10_00, "progressive": stake}}, {0: PLAIN}), settle())
    assert told(table, 1)[1].won_cents == 999_99
    table.given(validate(5, wager="mystery"))
    paid = table.when(pay_jackpot(5, wager="mystery", at="2025-12-01T00:00:00Z")).one(JackpotPaid)
    assert paid.form_due == form


@pytest.mark.parametrize(("stake", "form"), [(3_33, "W-2G"), (3_34, None)])
def test_tax_is_by_the_winners_own_wager_whatever_others_wagered_before(stake: int, form: str | None) -> None:
    table = of_a_mystery(at_the_trigger(STEP + 1))
    table.given(*played({6: BOTH, 5: {"main": 10_00, "progressive": stake}}, {0: PLAIN}), settle())
    assert told(table)[1].won_cents == 999_99
    table.given(validate(5, wager="mystery"))
    paid = table.when(pay_jackpot(5, wager="mystery", at="2025-12-01T00:00:00Z")).one(JackpotPaid)
    assert paid.form_due == form


def test_of_two_meters_with_a_mystery_of_one_name_each_has_its_own_winner() -> None:
    terms = {"paytable": "trial", "max_cents": 1000_00, "meter": ["LINK", "OWN"]}
    lines = [{"hand": "royal_flush", "kind": "for_1", "n": 100}]
    table = a_house(sheet=a_sheet(id="trial", paytables={"trial": lines}, wagers={"progressive": terms}))
    # On OWN seat 6's wager leads past the amount at which LINK is hit by seat 5's.
    table.given(open_meter([at_the_trigger(STEP + 1)], meter="LINK"))
    table.given(open_meter([replace(at_the_trigger(2 * STEP + 1), base_micros=MUST - SPAN + STEP)], meter="OWN"))
    table.given(open_round(sheet="trial@1"), *played({6: BOTH, 5: BOTH}, {0: PLAIN}), settle())
    event = table.when(reveal(secret_of(STEP + 1), commitment_of(NEXT), meter="LINK")).one(MysteryRevealed)
    assert (event.seat, event.line_id) == (5, "5.mystery.LINK.grand")
    assert table.level("grand", "OWN").hits == 0


def test_a_mystery_is_reset_by_the_terms_in_force_when_its_secret_is_told() -> None:
    later = "2026-05-05T18:00:00-04:00"
    for at, reset in (("2026-05-05T17:59:59-04:00", BEGINS), (later, 1)):
        table = three_dollars().given(change_meter(NewTerms("grand", reset_micros=1), effective_from=later))
        (line,) = table.when(reveal(secret_of(STEP + 1), commitment_of(NEXT), at=at)).settled()
        assert line.hit is not None and line.hit.reset_micros == reset


def test_a_line_is_named_by_level_where_a_seat_has_several() -> None:
    sheet = a_sheet(
        id="trial",
        paytables={"trial": [{"hand": "royal_flush", "kind": "for_1", "n": 100}]},
        wagers={"progressive": {"paytable": "trial", "max_cents": 1000_00}},
    )
    two = [at_the_trigger(1), LevelTerms("mini", 0, 0, 10_000, 0, None, 10_000, commitment_of(NEXT))]
    table = a_house(sheet=sheet, levels=two).given(open_round(sheet="trial@1"))
    table.given(*played({5: {"main": 10_00, "progressive": 500_00}}, {0: PLAIN}), settle())
    table.given(reveal(secret_of(1), commitment_of(THIRD)), reveal(NEXT, commitment_of("33" * 32), level="mini"))
    assert "5.mystery.PROG.mini" in table.when(validate(5, wager="mystery")).refused("line.unknown")
    table.given(validate(5, wager="mystery", level="mini"), validate(5, wager="mystery", level="grand"))


def test_a_mystery_line_is_not_meant_by_another_meter_or_level() -> None:
    table = three_dollars()
    told(table)
    for wrong in ({"meter": "OTHER"}, {"level": "mini"}, {"meter": "OTHER", "level": "grand"}):
        assert "5.mystery.PROG.grand" in table.when(validate(5, wager="mystery", **wrong)).refused("line.unknown")
    assert "none" in table.when(validate(6, wager="mystery")).refused("line.unknown")
    table.when(validate(5, wager="mystery", meter="PROG")).accepted()


def test_meter_and_level_name_no_other_line() -> None:
    table = three_dollars()
    for wrong in ({"meter": "PROG"}, {"level": "grand"}):
        table.when(correct(5, "main", 1, **wrong)).refused("line.unknown")
    table.when(correct(5, "main", 1)).accepted()


def test_a_mystery_is_opened_with_what_it_needs() -> None:
    house = a_house()
    for wrong in (
        LevelTerms("grand", 0, 0, 1, 0, None, MUST),
        LevelTerms("grand", 0, 0, 1, 0, None, None, commitment_of(SECRET)),
        LevelTerms("grand", 0, 0, 1, 0, MUST, MUST, commitment_of(SECRET)),
        LevelTerms("grand", MUST, 0, 1, 0, None, MUST, commitment_of(SECRET)),
        LevelTerms("grand", 0, MUST, 1, 0, None, MUST, commitment_of(SECRET)),
    ):
        house.when(open_meter([wrong], meter="M")).refused("meter.mystery")
    event = house.when(open_meter([grand(MUST - 1, reset=MUST - 1)], meter="M")).one(MeterOpened)
    assert event.levels[0].commitment == commitment_of(SECRET)


def test_a_mystery_is_never_reset_to_what_it_must_hit_by() -> None:
    table = a_house(levels=[grand()])
    assert "$1,000.00" in table.when(change_meter(NewTerms("grand", reset_micros=MUST))).refused("meter.mystery")
    table.when(change_meter(NewTerms("grand", reset_micros=MUST - 1))).accepted()


def test_no_hand_wins_a_mystery_and_it_has_no_limit_to_change() -> None:
    sheet = a_sheet(
        id="trial",
        paytables={"trial": shares(("four_of_a_kind", 10, "grand"))},
        wagers={"progressive": {"paytable": "trial"}},
    )
    table = a_house(sheet=sheet, levels=[grand()]).given(open_round(sheet="trial@1"), place(5, "main", 10_00))
    assert "trial" in table.when(place(5, "progressive", 1_00)).refused("meter.mystery")
    assert "null" in table.when(change_meter(NewTerms("grand", limit_micros=MUST))).refused("meter.mystery")
    table.when(change_meter(NewTerms("grand", rate_bp=5))).accepted()


def test_a_mystery_beside_a_level_that_hands_win() -> None:
    sheet = a_sheet(
        id="trial",
        paytables={"trial": shares(("four_of_a_kind", 10, "major"))},
        wagers={"progressive": {"paytable": "trial"}},
    )
    levels = [a_level("major", 10_000_000_000), at_the_trigger(1)]
    table = a_house(sheet=sheet, levels=levels).given(open_round(sheet="trial@1"))
    table.given(*played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}), settle())
    told(table, 1)
    lines = {line.line_id: line.won_cents for line in table.events(WagerSettled)}
    assert lines["5.progressive"] == 1_000_01 and lines["5.mystery.PROG.grand"] > 900_00
