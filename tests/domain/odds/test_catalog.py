"""Every table that is known by name can be put into a sheet as it is, and says who vouches for it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from domain import games
from domain.odds import Listed, shipped, tables_of
from domain.odds.catalog import TABLES
from domain.sheets import EnvyTable, PayLine, Paytable, sample, sample_ids
from domain.sheets.reading import read_sheet

SHIPPED = shipped()
FROM_FILES = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(TABLES.glob("*.json"))]
WHO_SAYS_SO = re.compile(r"\((law|trade|code|ruling)(, [\w ]+)?\)$|^seed 00\d|^invented for trials, not a rule$")


def published(ref: str) -> dict[tuple[str, bool], Listed]:
    return {(each.name, each.is_envy): each for each in tables_of(read_sheet(sample(ref)))}


def content_with(listed: Listed) -> dict[str, Any]:
    """A sheet whose wager uses the table: of the first game that has one for its list."""
    for ref in sample_ids():
        content: dict[str, Any] = json.loads(json.dumps(sample(ref)))
        game = games.game(content["game"])
        for rule in game.wagers:
            if listed.ranking in rule.rankings and rule.id in content["wagers"] and (rule.envy or not listed.is_envy):
                terms = content["wagers"][rule.id]
                if rule.meter == (not listed.is_envy and "percent" in json.dumps(written(listed))):
                    terms["envy" if listed.is_envy else "paytable"] = "trial"
                    if not listed.is_envy:
                        terms.pop("envy", None)
                    content.setdefault("envy_tables" if listed.is_envy else "paytables", {})["trial"] = written(listed)
                    return content
    raise AssertionError(f"no game has a wager for {listed.ranking}")


def written(listed: Listed) -> dict[str, Any]:
    """The table as a sheet has it."""
    if isinstance(listed.table, EnvyTable):
        lines = [{"hand": hand, "cents": cents} for hand, cents in listed.table.cents.items()]
        return {"source": listed.table.source, "lines": lines}
    keys = ("hand", "kind", "n", "cents", "percent", "level")
    rows = [{key: getattr(line, key) for key in keys if getattr(line, key) is not None} for line in listed.table.lines]
    return {"source": listed.table.source, "ranking": listed.ranking, "lines": rows}


@pytest.mark.parametrize("listed", SHIPPED, ids=lambda each: each.name)
def test_a_sheet_can_use_it_as_it_is(listed: Listed) -> None:
    used = {each.name: each for each in tables_of(read_sheet(content_with(listed)))}["trial"]
    assert used.ranking == listed.ranking
    assert written(used) == written(listed)


@pytest.mark.parametrize("listed", SHIPPED, ids=lambda each: each.name)
def test_it_says_whether_it_is_law_trade_code_a_ruling_or_invented(listed: Listed) -> None:
    assert WHO_SAYS_SO.search(listed.table.source), listed.table.source


def test_the_tables_that_others_know_by_name_are_all_there() -> None:
    names = {each.name for each in SHIPPED}
    assert {f"F-{number}" for number in range(1, 8)} < names
    assert {"MBS-V4", "NJ-11.20", "SEED4-BONUS", "FU-ACE-CODE-1", "FU-FORTUNE-CODE-1", "FU-PROG-CODE-1"} < names
    assert {"WASHINGTON", "MBS", "SEED4-ENVY", "645c.1(g)", "678a.12(a)-TRADE-1", "678a.12(d)-CODE-1"} < names
    assert {f"678a.12(b)-{which}" for which in ("TRADE-1", "TRADE-2", "CODE-3")} < names
    assert {f"678a.12(c)-{which}" for which in ("CODE-1", "TRADE-2", "CODE-3")} < names


def test_no_name_stands_in_two_files() -> None:
    names = [name for content in FROM_FILES for kind in ("paytables", "envy_tables") for name in content.get(kind, {})]
    assert len(names) == len(set(names))
    assert len([(each.name, each.is_envy) for each in SHIPPED]) == len({(each.name, each.is_envy) for each in SHIPPED})


@pytest.mark.parametrize("ref", sample_ids())
def test_a_sample_sheets_table_is_the_one_that_is_listed_by_its_name(ref: str) -> None:
    listed = {(each.name, each.is_envy): each for each in SHIPPED}
    for key, each in published(ref).items():
        assert written(each) | {"source": ""} == written(listed[key]) | {"source": ""}


def test_tables_of_a_sheet_carry_what_their_odds_rest_on() -> None:
    tables = published("face-up@1")
    progressive, bonus = tables["FU-PROG-CODE-1", False], tables["F-1", False]
    assert (progressive.wagers, progressive.stake_cents) == (("progressive",), 100)
    assert (bonus.wagers, bonus.stake_cents) == (("fortune",), None)
    assert bonus.terms["house_way"] == "cardroom"
    assert bonus.terms["R7"] == "second"
    assert tables["WASHINGTON", True].ranking == "seven_card_bonus"


def test_a_table_of_several_wagers_is_one_table_and_has_one_stake_only_if_they_agree() -> None:
    tables = published("six-card-fortune@1")
    assert tables["even", False].wagers == ("main", "double_down")
    assert tables["even", False].stake_cents is None


def test_tables_without_a_sheet_rest_on_the_defaults() -> None:
    assert all((each.terms, each.stake_cents, each.wagers) == ({}, None, ()) for each in SHIPPED)


def test_three_pairs_push_on_the_first_fortune_table_only() -> None:
    tables = {each.name: each.table for each in SHIPPED}
    assert isinstance(tables["F-1"], Paytable)
    assert tables["F-1"].hands["three_pair"] == PayLine("three_pair", "to_1", n=0)
    others = [tables[f"F-{number}"] for number in range(2, 8)]
    assert not [each for each in others if isinstance(each, Paytable) and "three_pair" in each.hands]
