"""How much a toke on the main wager may be: the sheet's word for seed 004's tenth of the limit (R27)."""

from __future__ import annotations

import pytest

from tests.domain.rounds.table import a_sheet, a_table, place, toke


@pytest.mark.parametrize("limit", [100_00, 50_00])
def test_R27_a_toke_on_the_main_wager_is_limited_by_the_sheet_whatever_the_wager_is(limit: int) -> None:
    sheet = a_sheet(id="trial", wagers={"main": {"max_cents": 1000_00, "toke_max_cents": limit}})
    for main in (1000_00, 5_00):
        table = a_table(sheet=sheet).given(place(5, "main", main))
        table.when(toke(5, "main", limit + 1)).refused("wager.limit")
        table.when(toke(5, "main", limit)).accepted()


def test_R27_the_cardrooms_sample_allows_a_tenth_of_its_limit() -> None:
    main = a_sheet()["wagers"]["main"]
    assert main["toke_max_cents"] * 10 == main["max_cents"]
