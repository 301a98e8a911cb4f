"""Every game has recorded rounds, and the product still answers to them as it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.games import game_ids
from tests.rounds.recorded import answers, expected, games


def test_every_game_has_recorded_rounds() -> None:
    assert games() == set(game_ids())


@pytest.mark.parametrize("game", sorted(games()))
def test_the_product_answers_as_recorded(game: str, tmp_path: Path) -> None:
    wanted, given = expected(game), answers(game, tmp_path)
    for recorded, answered in zip(wanted["rounds"], given["rounds"], strict=True):
        assert answered == recorded
    assert given == wanted


@pytest.mark.parametrize("game", sorted(games()))
def test_every_recorded_settlement_is_computed_again_alike(game: str) -> None:
    rounds = expected(game)["rounds"]
    assert all(each["game"] == game for each in rounds)
    settled = [each for each in rounds if each["status"] == "settled"]
    assert settled and all(each["recheck"]["matches"] for each in settled)


def test_fortunes_rounds_show_every_status_bank_and_outcome() -> None:
    rounds = expected("fortune")["rounds"]
    assert {each["status"] for each in rounds} == {"open", "settled", "voided"}
    assert {each["bank"] for each in rounds} == {"house", 5}
    lines = [line for each in rounds for line in each["lines"]]
    assert {line["outcome"] for line in lines} == {"win", "lose", "push", "returned", "forfeited"}
    assert {line["paid_by"] for line in lines} == {"house", "bank", "meter"}
    assert {line["wager"] for line in lines} == {"main", "fortune", "progressive", "envy", "house", "bank"}
