"""Payments as they really moved, and linked corrections (the contract's report_payment and correct_line)."""

from __future__ import annotations

import pytest

from domain.rounds.events import LineCorrected, PaymentReported
from tests.domain.rounds.hands import LOSES, PLAIN, QUADS, WINS
from tests.domain.rounds.table import (
    Order,
    Table,
    a_table,
    back,
    bank,
    correct,
    played,
    report,
    settle,
    toke,
    void,
)

WON = (20_00, 20_00, 1_00)
"""Seat 5's main: won, returned, commission."""


def settled() -> Table:
    """Seat 5 won its main and a toke on it; seat 6 has envy for seat 4's quads."""
    stakes = {6: {"main": 20_00, "fortune": 5_00}, 5: {"main": 20_00}, 4: {"main": 20_00}}
    orders = played(stakes, {0: PLAIN, 4: QUADS[2], 5: QUADS[1]}, further=[toke(5, "main", 10_00), back(5, "B1", 5_00)])
    return a_table().given(*orders, settle())


# Payments


def test_a_payment_is_won_and_returned_before_commission() -> None:
    settled().when(report(5, "main", 40_00)).then(PaymentReported("5.main", 5, "main", 40_00, 40_00))


@pytest.mark.parametrize("paid", [0, 38_75, 39_99, 40_01])
def test_a_payment_that_differs_is_a_finding(paid: int) -> None:
    outcome = settled().when(report(5, "main", paid))
    assert outcome.findings == [("payment.difference", 5)]
    assert outcome.one(PaymentReported).expected_cents == 40_00
    assert "due was $40.00" in outcome.details[0].text and outcome.details[0].wager == "main"


@pytest.mark.parametrize(
    ("order", "line_id", "expected"),
    [
        (report(5, "main", 0, toke=True), "5.main.toke", 20_00),
        (report(5, "main", 0, bettor="B1"), "5.main.by.B1", 10_00),
        (report(6, "envy", 0, for_seat=4, kind="fortune"), "6.envy.fortune.4", 5_00),
        (report(6, "fortune", 0), "6.fortune", 0),
    ],
)
def test_a_payment_names_its_line_by_the_optional_keys(order: Order, line_id: str, expected: int) -> None:
    event = settled().when(order).one(PaymentReported)
    assert (event.line_id, event.expected_cents) == (line_id, expected)


@pytest.mark.parametrize(
    "order",
    [
        report(3, "main", 0),
        report(5, "fortune", 0),
        report(6, "main", 0, toke=True),
        report(5, "main", 0, bettor="B2"),
        report(6, "envy", 0),
        report(6, "envy", 0, for_seat=3, kind="fortune"),
        report(6, "envy", 0, for_seat=4, kind="progressive"),
        report(6, "main", 0, for_seat=4, kind="fortune"),
        report(0, "house", 0),
    ],
)
def test_a_payment_for_a_line_that_was_not_settled_is_refused(order: Order) -> None:
    assert "lines of seat" in settled().when(order).refused("line.unknown")


def test_payments_may_be_reported_in_parts_and_again() -> None:
    table = settled().given(report(5, "main", 10_00), report(5, "main", 40_00))
    assert table.findings() == [("payment.difference", 5)]


def test_bank_and_house_lines_have_payments_too() -> None:
    orders = played({1: {"main": 20_00}}, {3: "Qs Jd 9c 7h 6s 3d 2c", 0: LOSES, 1: WINS}, banker=bank(3))
    table = a_table().given(*orders, settle())
    assert table.when(report(3, "bank", 10_00)).one(PaymentReported).expected_cents == 10_00
    assert table.when(report(0, "house", 0)).one(PaymentReported).expected_cents == 0


# Corrections


def test_a_correction_is_the_difference_to_what_the_line_was_due() -> None:
    # Due were 20.00 won, 20.00 returned, less 1.00 and the backer's 0.25 of commission.
    settled().when(correct(5, "main", 40_00)).then(
        LineCorrected("5.main", 5, "P5", "main", 40_00, 38_75, 1_25, "2026-05-04", "paid wrong", ("F1", "M1"))
    )


def test_a_correction_may_lower_what_is_due_even_to_nothing() -> None:
    assert settled().when(correct(5, "main", 0)).one(LineCorrected).difference_cents == -38_75


def test_a_second_correction_is_the_difference_since_the_first() -> None:
    table = settled().given(correct(5, "main", 40_00))
    event = table.when(correct(5, "main", 39_00)).one(LineCorrected)
    assert (event.previous_due_cents, event.difference_cents) == (40_00, -1_00)
    assert sum(each.difference_cents for each in table.events(LineCorrected)) == 39_00 - 38_75


def test_the_line_stays_as_it_was_settled() -> None:
    table = settled().given(correct(5, "main", 40_00))
    line = table.state().lines["5.main"]
    assert (line.won_cents, line.returned_cents, line.commission_cents) == (20_00, 20_00, 1_25)
    # A payment is compared with the line.
    assert table.when(report(5, "main", 40_00)).findings == []


@pytest.mark.parametrize("again", [False, True])
def test_a_correction_to_what_the_line_is_due_already_is_refused(again: bool) -> None:
    table = settled().given(*([correct(5, "main", 40_00)] if again else []))
    table.when(correct(5, "main", 40_00 if again else 38_75)).refused("line.already-due")
    table.when(correct(5, "main", 38_75 if again else 40_00)).accepted()


def test_the_correction_of_a_tokes_line_is_marked_as_the_dealers() -> None:
    event = settled().when(correct(5, "main", 10_00, toke=True)).one(LineCorrected)
    assert (event.line_id, event.player, event.toke, event.difference_cents) == ("5.main.toke", "P5", True, -10_00)


def test_the_correction_of_a_backers_line_is_the_bettors() -> None:
    event = settled().when(correct(5, "main", 9_75, bettor="B1")).one(LineCorrected)
    assert (event.player, event.difference_cents, event.toke) == ("B1", -25, False)


def test_an_envy_line_is_corrected_by_its_keys() -> None:
    event = settled().when(correct(6, "envy", 20_00, for_seat=4, kind="fortune")).one(LineCorrected)
    assert (event.line_id, event.difference_cents) == ("6.envy.fortune.4", 15_00)


def test_the_houses_own_line_is_not_a_players_to_correct() -> None:
    orders = played({}, {3: WINS, 0: LOSES}, banker=bank(3))
    table = a_table().given(*orders, settle())
    table.when(correct(0, "house", 1)).refused("line.already-due")
    table.when(correct(3, "bank", 9_00)).accepted()


@pytest.mark.parametrize(
    "wrong", [(), ("F1",), ("F1", "F1"), ("C1", "F1"), ("F1", "D1"), ("F1", "M1", "D1"), ("F1", "M1", "C1")]
)
def test_two_other_people_than_author_and_dealer_approve_a_correction(wrong: tuple[str, ...]) -> None:
    settled().when(correct(5, "main", 40_00, approved_by=wrong)).refused("approval.insufficient")
    settled().when(correct(5, "main", 40_00, approved_by=("F1", "M1", "M2"))).accepted()


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-05-05T05:59:59-04:00", "2026-05-04"),
        ("2026-05-05T06:00:00-04:00", "2026-05-05"),
        ("2026-06-01T12:00:00+00:00", "2026-06-01"),
    ],
)
def test_a_correction_is_dated_on_its_own_gaming_day(at: str, day: str) -> None:
    assert settled().when(correct(5, "main", 40_00, at=at)).one(LineCorrected).gaming_day == day


def test_a_voided_round_is_not_corrected() -> None:
    settled().given(void()).when(correct(5, "main", 40_00)).refused("command.out-of-phase")


def test_a_line_of_a_seat_without_any_says_so() -> None:
    assert "none" in settled().when(correct(1, "main", 1)).refused("line.unknown")
