"""The tax test of a jackpot's payment, by wager and payment year (OPERATIONS A10)."""

from __future__ import annotations

import pytest

from domain.tax import Tax, tax_on


def tax(paid: int, wager: int, *, year: int = 2025, reported: str = "gross") -> Tax:
    found = tax_on(paid, wager, year=year, currency="USD", reported=reported)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("paid", "wager", "year", "form"),
    [
        (599_99, 1_00, 2025, None),
        (600_00, 1_00, 2025, "W-2G"),
        (600_00, 2_01, 2025, None),
        (600_00, 2_00, 2025, "W-2G"),
        (600_00, 1_00, 2026, None),
        (1999_99, 1_00, 2026, None),
        (2000_00, 1_00, 2026, "W-2G"),
        (2000_00, 1_00, 2031, "W-2G"),
        (2000_00, 10_00, 2026, None),
    ],
)
def test_a_form_is_due_from_an_amount_on_that_is_300_times_the_wager(
    paid: int, wager: int, year: int, form: str | None
) -> None:
    assert tax(paid, wager, year=year).form == form


def test_a_house_that_counts_net_takes_the_wager_off_first() -> None:
    assert tax(600_00, 1_00, reported="net").form is None
    assert tax(601_00, 1_00, reported="net").form == "W-2G"
    assert tax(602_00, 2_00, reported="gross").form == "W-2G"
    assert tax(601_00, 2_00, reported="net").form is None


@pytest.mark.parametrize(
    ("paid", "wager", "withheld"),
    [
        (5001_00, 1_00, 0),
        (5001_01, 1_00, 120_000),
        (10_001_00, 1_00, 240_000),
        (10_001_03, 1_00, 240_001),
        (10_001_02, 1_00, 240_000),
        (6_020_00, 20_00, 144_000),
        (6_019_99, 20_00, 0),
    ],
)
def test_a_quarter_less_a_point_is_withheld_above_5000_net_of_the_wager_and_300_times(
    paid: int, wager: int, withheld: int
) -> None:
    assert tax(paid, wager).withheld_cents == withheld


def test_the_figures_of_another_currency_or_an_earlier_year_are_not_known() -> None:
    assert tax_on(10**9, 1, year=2026, currency="EUR", reported="gross") is None
    assert tax_on(10**9, 1, year=2017, currency="USD", reported="gross") is None


def test_the_year_of_the_figures_is_the_latest_one_known() -> None:
    assert [tax(1, 1, year=year).figures_year for year in (2018, 2025, 2026, 2040)] == [2018, 2018, 2026, 2026]
