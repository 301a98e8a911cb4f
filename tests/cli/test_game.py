"""`rounds game` shows what is fixed about a game, from the game itself."""

from __future__ import annotations

import json

import pytest

from cli import game_view
from domain import games, house_ways
from domain.sheets import sample
from domain.sheets.reading import read_sheet
from tests.cli.conftest import Rounds


def test_the_list_has_every_game_with_its_sample_sheet(rounds: Rounds) -> None:
    rows = rounds("game", "list", "--format", "jsonl").rows()
    assert [row["game"] for row in rows] == list(games.game_ids())
    for row in rows:
        assert row["wagers"] == [rule.id for rule in games.game(row["game"]).wagers]
        assert [sample(ref)["game"] for ref in row["samples"]] == [row["game"]]


@pytest.mark.parametrize("id_", games.game_ids())
def test_a_game_is_shown_with_its_wagers_in_settling_order_and_its_rulings(id_: str, rounds: Rounds) -> None:
    shown = json.loads(rounds("game", "show", id_, "--format", "json").out)
    game = games.game(id_)
    assert (shown["game"], shown["title"]) == (id_, game.title)
    assert [wager["wager"] for wager in shown["wagers"]] == [rule.id for rule in game.wagers]
    assert {each["ruling"]: each["tokens"] for each in shown["options"]} == {
        ruling: list(tokens) for ruling, tokens in game.options.items()
    }
    assert all(each["default"] == each["tokens"][0] and each["decides"] for each in shown["options"])
    assert shown["deck"] == {"cards": game.deck_size, "joker": game.joker}
    assert shown["cites"] == game.cites


@pytest.mark.parametrize("id_", games.game_ids())
def test_the_house_ways_shown_are_those_a_sheet_may_name(id_: str, rounds: Rounds) -> None:
    shown = json.loads(rounds("game", "show", id_, "--format", "json").out)
    content = dict(sample(shown["samples"][0]))
    for way in house_ways.house_way_ids():
        if way in shown["house_ways"]:
            assert read_sheet(content | {"house_way": way}).house_way == way
        else:
            with pytest.raises(Exception, match=r"sheet\.house_way"):
                read_sheet(content | {"house_way": way})
    if shown["house_way"] is not None:
        del content["house_way"]
        assert read_sheet(content).house_way == shown["house_way"]


def test_no_ruling_is_explained_that_no_game_has() -> None:
    known = {ruling for id_ in games.game_ids() for ruling in games.game(id_).options}
    assert set(game_view._DECIDES) <= known


@pytest.mark.parametrize("id_", games.game_ids())
def test_a_game_for_people_keeps_to_eighty_columns(id_: str, rounds: Rounds) -> None:
    ran = rounds("game", "show", id_)
    assert ran.code == 0
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []


def test_what_people_read_of_a_game(rounds: Rounds) -> None:
    lines = rounds("game", "show", "high_card_flush").out.splitlines()
    assert lines[0] == "High Card Flush (high_card_flush)"
    assert "Source: 58 Pa. Code 678a.11 (seed 001)" in lines
    assert "Cards         7 of 52" in lines
    assert "Hands         not set" in lines
    assert "  raise                 during the hand  win" in lines
    assert "  R5      the ace in straight flushes  high_and_low, high_only" in lines
    assert not [line for line in lines if line.startswith("House ways")]


def test_the_wagers_come_as_csv(rounds: Rounds) -> None:
    assert rounds("game", "show", "commission_free", "--format", "csv").out.splitlines() == [
        "wager,made,rankings,may_have",
        "main,before the deal,win,backers tokes",
        "tiger_9,before the deal,tiger_9,",
        "fortune,before the deal,seven_card_bonus,tokes envy",
        "progressive,before the deal,seven_card_bonus,envy meter",
    ]


def test_an_unknown_game_is_not_found(rounds: Rounds) -> None:
    ran = rounds("game", "show", "bridge")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("rounds: game.unknown: no game 'bridge'; there are commission_free, ")
