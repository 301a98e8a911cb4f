"""The conformance cases of every game that exists, and the example round, through the real command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.games import game_ids
from tests.cases.case import DATA, EXAMPLES, Case, load, load_example
from tests.cases.runner import play

ALL = load(DATA)
PLAYED = [case for case in ALL if case.game in game_ids()]
# Replayed round by round too; elsewhere one `replay --all` answers for all rounds of a case.
EACH_ROUND = {"envy", "meter-void-takes-back-everything"}
GAMES = {"commission_free", "face_up", "fortune", "high_card_flush", "pai_gow", "six_card_fortune"}


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.name)
def test_the_product_answers_a_case_as_expected(case: Case, tmp_path: Path) -> None:
    assert play(case, tmp_path, each_round=case.name in EACH_ROUND) == []


def test_the_example_round_has_the_lines_balances_and_meter_of_its_document(tmp_path: Path) -> None:
    assert play(load_example(EXAMPLES / "one-round.jsonl"), tmp_path, each_round=True) == []


def test_no_case_of_an_existing_game_is_left_out() -> None:
    assert len(ALL) == len(list(DATA.glob("*.expected.jsonl"))) == 65
    assert {case.game for case in ALL} == GAMES
    assert {case.game for case in PLAYED} == GAMES & set(game_ids())
    assert len([case for case in PLAYED if case.game == "fortune"]) == 40
