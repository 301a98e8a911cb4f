"""The rules page is fresh and whole: whatever a game or a house way can say is shown by a stored round."""

from __future__ import annotations

import doctest

import pytest

import tests.rounds.cites
from domain.games import game, game_ids
from domain.house_ways import house_way, house_way_ids
from domain.rounds.events import WagerSettled
from tests.domain.hands import crowded_hands, random_hands
from tests.rounds.cites import cites_of, module_of
from tests.rounds.house_way_rows import NOT_SHOWN, ROWS
from tests.rounds.playback import HERE, played_rounds
from tests.rounds.rules_page import PAGE, branches, page, rows, ruling_tests
from tests.rounds.words import IN_EVERY_GAME, RULINGS, WORDS, words_for


def test_the_rules_page_is_fresh() -> None:
    stale = "docs/rules.md is stale: write it anew with python -m tests.rounds.rules_page"
    assert PAGE.read_text(encoding="utf-8") == page(), stale


# Cites


def said_in_the_recorded_rounds(game_id: str) -> set[str]:
    """The cites of all lines of the game's own recorded rounds."""
    rounds = list(played_rounds(HERE / f"{game_id}.jsonl"))
    assert {each.sheet.game for each in rounds} == {game_id}
    return {event.cite for each in rounds for event in each.events if isinstance(event, WagerSettled)}


@pytest.mark.parametrize("game_id", game_ids())
def test_every_cite_of_a_games_module_is_shown_by_its_recorded_rounds(game_id: str) -> None:
    said = said_in_the_recorded_rounds(game_id)
    cites = cites_of(module_of(game_id).read_text(encoding="utf-8"))
    assert [text for text, pattern in cites.items() if not any(map(pattern.fullmatch, said))] == []


@pytest.mark.parametrize("game_id", game_ids())
def test_every_line_of_the_recorded_rounds_cites_what_the_games_module_says(game_id: str) -> None:
    patterns = cites_of(module_of(game_id).read_text(encoding="utf-8")).values()
    shared = {cite for cite, _ in IN_EVERY_GAME}
    said = said_in_the_recorded_rounds(game_id) - shared
    assert [cite for cite in said if not any(pattern.fullmatch(cite) for pattern in patterns)] == []


def test_cites_are_found_in_tables_calls_and_formatted_texts_but_not_in_docstrings() -> None:
    source = '''"""Chapter 670a.11 as a whole."""
CITES = {"win": "645a.11(f): both", "lose": "no section here"}

def judge(showdown):
    """670a.11(f)."""
    if showdown.cards:
        return by_paytable(showdown, f"sheet {showdown.sheet.ref}, paytable {table.name}")
    return Verdict("lose", "whatever it says")._replace(cite=f"670a.11(g)(1), {main.cite}")
'''
    assert set(cites_of(source)) == {
        "645a.11(f): both",
        "sheet {}, paytable {}",
        "whatever it says",
        "670a.11(g)(1), {}",
    }
    assert cites_of(source)["670a.11(g)(1), {}"].fullmatch("670a.11(g)(1), 670a.11(f)(3)")
    assert doctest.testmod(tests.rounds.cites).failed == 0


# Branches and their words


def test_every_branch_that_a_stored_round_shows_has_words() -> None:
    missing = []
    for branch in branches():
        try:
            if branch.wager:
                assert words_for(branch.game, branch.cite, branch.outcome)
        except KeyError:
            missing.append(branch)
    assert missing == []


def test_all_words_are_of_branches_that_a_stored_round_shows() -> None:
    shown = {(each.game, each.cite, each.outcome) for each in branches()}
    written = {(id_, cite, outcome) for id_, words in WORDS.items() for cite, outcome in words}
    assert written - shown == set()
    assert set(WORDS) == set(game_ids())


def test_what_holds_in_every_game_is_shown_in_every_game() -> None:
    shown = {(each.game, each.cite, each.outcome) for each in branches() if not each.wager}
    assert shown == {(id_, cite, outcome) for id_ in game_ids() for cite, outcome in IN_EVERY_GAME}


@pytest.mark.parametrize("game_id", game_ids())
def test_every_wager_of_a_game_is_shown_won_and_lost(game_id: str) -> None:
    shown = {(each.wager, each.outcome) for each in branches() if each.game == game_id}
    for rule in game(game_id).wagers:
        assert {(rule.id, "win"), (rule.id, "lose")} <= shown, rule.id
        assert (f"{rule.id} envy", "win") in shown or not rule.envy


# House ways


def test_every_row_of_a_house_way_is_shown_unless_another_house_way_shows_it() -> None:
    shown = rows()
    assert set(ROWS) == set(house_way_ids())
    for id_ in house_way_ids():
        missing = {row for row in ROWS[id_] if (id_, row) not in shown}
        assert missing <= NOT_SHOWN.get(id_, frozenset())
        assert all(any((other, row) in shown for other in ROWS) for row in missing)
    assert not NOT_SHOWN.keys() & {"cardroom", "670a.11(d)"}


def test_no_row_is_shown_that_is_not_listed() -> None:
    assert {(id_, row) for id_, row in rows() if row not in ROWS[id_]} == set()


@pytest.mark.parametrize("id_", house_way_ids())
def test_a_house_way_says_the_rows_listed_and_no_others(id_: str) -> None:
    way = house_way(id_)
    hands = [*random_hands(way.HAND_SIZE, 1_000, seed=27), *crowded_hands(way.HAND_SIZE, 4_000, seed=28)]
    said = {way.set_hand(hand, "second").rule for hand in hands}
    assert said <= set(ROWS[id_])
    assert len(said) > len(ROWS[id_]) // 2
    assert len(ROWS[id_]) == len(set(ROWS[id_]))


# Rulings


def test_every_ruling_has_words_and_a_test_named_by_it() -> None:
    assert list(RULINGS) == [f"R{number}" for number in range(1, 28)]
    assert [id_ for id_ in RULINGS if id_ not in ruling_tests()] == []


def test_every_option_of_a_game_is_a_ruling_that_touches_it() -> None:
    for id_ in game_ids():
        assert all(RULINGS[ruling].touches(game(id_)) for ruling in game(id_).options)


def test_a_ruling_on_a_line_touches_the_game_of_the_line() -> None:
    for branch in branches():
        assert branch.ruling is None or RULINGS[branch.ruling].touches(game(branch.game)), branch
