"""Every rounding of money, against exact fractions (R12, R15, R21)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.money import MAX_CENTS, commission_cents, contribution_micros, cut_to_cents, dollars

amounts = st.one_of(st.integers(0, 10_000), st.integers(0, MAX_CENTS))
rates = st.one_of(st.just(500), st.integers(0, 10_000))


@given(amounts, rates)
def test_R12_half_up_is_the_nearest_cent_and_a_half_goes_up(won: int, rate_bp: int) -> None:
    assert commission_cents(won, rate_bp, "half_up") == floor(Fraction(won * rate_bp, 10_000) + Fraction(1, 2))


@given(amounts, rates)
def test_R12_up_to_quarter_is_the_least_multiple_of_25_cents_that_covers_it(won: int, rate_bp: int) -> None:
    taken = commission_cents(won, rate_bp, "up_to_quarter")
    assert taken == ceil(Fraction(won * rate_bp, 10_000) / 25) * 25


@pytest.mark.parametrize(
    ("won", "half_up", "up_to_quarter"),
    [(0, 0, 0), (1, 0, 25), (9, 0, 25), (10, 1, 25), (500, 25, 25), (501, 25, 50), (1_000, 50, 50), (1_001, 50, 75)],
)
def test_R12_the_rulings_own_examples(won: int, half_up: int, up_to_quarter: int) -> None:
    assert commission_cents(won, 500, "half_up") == half_up
    assert commission_cents(won, 500, "up_to_quarter") == up_to_quarter


def test_an_unknown_rounding_stops_the_program() -> None:
    with pytest.raises(ValueError, match="'down'"):
        commission_cents(100, 500, "down")


@given(amounts, rates)
def test_R15_a_contribution_is_exact_in_micros(stake: int, rate_bp: int) -> None:
    assert Fraction(contribution_micros(stake, rate_bp), 1_000_000) == Fraction(stake, 100) * Fraction(rate_bp, 10_000)


@given(st.integers(-(10**12), 10**16))
def test_R21_cut_to_the_cent_is_never_more_and_never_negative(micros: int) -> None:
    cents = cut_to_cents(micros)
    assert cents >= 0
    assert cents == 0 if micros < 0 else 0 <= micros - cents * 10_000 < 10_000


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "$0.00"),
        (5, "$0.05"),
        (100, "$1.00"),
        (99_999, "$999.99"),
        (150_000, "$1,500.00"),
        (-5, "-$0.05"),
        (-150_000, "-$1,500.00"),
        (10**12, "$10,000,000,000.00"),
    ],
)
def test_dollars_reads_as_a_person_reads(cents: int, text: str) -> None:
    assert dollars(cents) == text
