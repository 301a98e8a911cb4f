"""docs/paytables.md says of every table what the program says."""

from __future__ import annotations

import re

from cli.paytable_view import list_row
from domain.odds import NoOdds, distribution, shipped
from domain.rankings import RANKINGS
from tests.cli.conftest import ROOT

PAGE = (ROOT / "docs" / "paytables.md").read_text(encoding="utf-8")


def test_the_page_has_a_row_for_every_table_that_comes_with_the_program() -> None:
    rows = [
        f"| {each['table']} | `{each['ranking']}` | {each['summary']} | {each['source']} |"
        for each in map(list_row, shipped())
    ]
    section = PAGE.partition("## The tables that come with the program")[2].partition("\n## ")[0]
    assert [line for line in section.splitlines() if line.startswith("| ")][1:] == rows


def test_the_page_says_how_many_deals_each_list_was_counted_over() -> None:
    said = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| ([\d,–]+) \|", PAGE, re.MULTILINE))
    for ranking in RANKINGS:
        try:
            assert said[ranking] == f"{distribution(ranking).total:,}"
        except NoOdds:
            assert said[ranking] == "–"
