"""A sample sheet for every game: a whole file to start from, with every choice written out."""

from __future__ import annotations

import re

import pytest

from domain import games
from domain.sheets import sample, sample_ids
from domain.sheets.reading import read_sheet


@pytest.mark.parametrize("id_", games.game_ids())
def test_every_game_has_a_sample(id_: str) -> None:
    assert [ref for ref in sample_ids() if sample(ref)["game"] == id_]


@pytest.mark.parametrize("ref", sample_ids())
def test_a_sample_offers_every_wager_of_its_game(ref: str) -> None:
    sheet = read_sheet(sample(ref))
    assert list(sheet.wagers) == [rule.id for rule in games.game(sheet.game).wagers]
    assert sheet.ref == ref


@pytest.mark.parametrize("ref", sample_ids())
def test_a_sample_writes_out_every_option_and_takes_the_default(ref: str) -> None:
    content = sample(ref)
    assert content["options"] == {name: tokens[0] for name, tokens in games.game(content["game"]).options.items()}


@pytest.mark.parametrize("ref", sample_ids())
def test_a_sample_has_no_table_that_no_wager_uses(ref: str) -> None:
    content = sample(ref)
    wagers = content["wagers"].values()
    assert {wager["paytable"] for wager in wagers} == set(content["paytables"])
    assert {wager["envy"] for wager in wagers if "envy" in wager} == set(content.get("envy_tables", {}))


@pytest.mark.parametrize("ref", [ref for ref in sample_ids() if ref != "fortune-cardroom@1"])
def test_a_samples_sources_mean_something_without_any_other_document(ref: str) -> None:
    """The cardroom's sheet is the contract's own example and stays as it is."""
    content = sample(ref)
    tables = [*content["paytables"].values(), *content.get("envy_tables", {}).values()]
    sources = [content["source"], *(table["source"] for table in tables)]
    assert [source for source in sources if re.search(r"\.md\b|/", source)] == []
