"""`rounds paytable` shows what a table pays with its exact chances, of tables that come along and of published ones."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from domain.odds import shipped
from tests.cli.conftest import Rounds
from tests.exhaustive.seven_card import ALL_HANDS, EXPECTED

ROUND_SHEET = "fortune-cardroom@1"


def shown(rounds: Rounds, *arguments: object) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(rounds("paytable", "show", *arguments, "--format", "json").out)
    return document


def test_the_list_has_every_table_that_comes_along(rounds: Rounds) -> None:
    rows = {row["table"]: row for row in rounds("paytable", "list", "--format", "jsonl").rows()}
    assert set(rows) == {each.name for each in shipped()}
    assert rows["F-2"]["house_edge_percent"] == "7.7656"
    assert rows["F-2"]["source"] == "public analyst, Fortune table 2 (trade)"
    assert (rows["WASHINGTON"]["kind"], rows["WASHINGTON"]["summary"]) == ("envy", "$0.0463 a hand")
    assert (rows["even"]["house_edge"], rows["even"]["summary"]) == (None, "depends on play")
    assert rows["SAMPLE-PROG-7"]["summary"] == "25.8296 % back, meter aside"


def test_the_list_for_people_and_the_list_as_csv(rounds: Rounds) -> None:
    lines = rounds("paytable", "list").out.splitlines()
    assert lines[0].split() == ["Table", "Ranked", "by", "On", "average"]
    place = next(place for place, line in enumerate(lines) if line.startswith("645c.1(g) "))
    assert lines[place + 1] == "    Source: 58 Pa. Code 645c.1(g) (law)"
    head, *rows = rounds("paytable", "list", "--format", "csv").out.splitlines()
    assert head == "table,kind,ranking,wagers,house_edge_percent,summary,source"
    assert "F-1,paytable,seven_card_bonus,,8.0008,house edge 8.0008 %" in rows[1]


def test_a_table_is_shown_with_the_exact_chance_of_every_line(rounds: Rounds) -> None:
    table = shown(rounds, "F-2")
    assert [line["deals"] for line in table["lines"]] == [EXPECTED[line["hand"]] for line in table["lines"]]
    first = table["lines"][0]
    assert first == {
        "hand": "seven_card_straight_flush",
        "kind": "to_1",
        "n": 8000,
        "pays": "8000 to 1",
        "deals": 32,
        "probability": "4/19267885",
        "one_in": "4816971.25",
        "gives_back": "4572/2752555",
        "gives_back_percent": "0.1661",
    }
    assert Fraction(table["house_edge"]) == Fraction(11_970_096, 154_143_080)
    assert (table["total"], table["house_edge_percent"]) == (ALL_HANDS, "7.7656")
    assert sum(line["deals"] for line in [*table["lines"], table["loses"]]) == ALL_HANDS


def test_what_people_read_of_a_table(rounds: Rounds) -> None:
    lines = rounds("paytable", "show", "F-1").out.splitlines()
    assert lines[0] == "Paytable F-1, by seven card bonus"
    assert "straight                            2 to 1   11,034,204       14.0  21.475 %" in lines
    assert "three pair                          0 to 1    2,862,000       53.9   1.857 %" in lines
    assert "anything else                        loses  121,694,196        1.3" in lines
    assert lines[-1] == "On average: house edge 8.0008 %."


@pytest.mark.parametrize("listed", shipped(), ids=lambda each: each.name)
def test_a_table_for_people_keeps_to_eighty_columns(listed: Any, rounds: Rounds) -> None:
    ran = rounds("paytable", "show", listed.name)
    assert ran.code == 0
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []


def test_R5_a_table_is_counted_by_the_token_that_is_tried(rounds: Rounds) -> None:
    name = "678a.12(c)-TRADE-2"
    assert shown(rounds, name)["house_edge_percent"] == "6.3515"
    tried = shown(rounds, name, "--option", "R5=high_only")
    assert (tried["house_edge_percent"], tried["terms"]) == ("14.2415", {"R5": "high_only"})


def test_a_tiger_nine_is_counted_by_the_house_way_that_is_tried(rounds: Rounds) -> None:
    by_default = shown(rounds, "645c.1(g)")
    tried = shown(rounds, "645c.1(g)", "--house-way", "mbs")
    assert by_default["terms"]["house_way"] == "cardroom"
    assert tried["terms"]["house_way"] == "mbs"
    assert by_default["lines"][0]["deals"] != tried["lines"][0]["deals"]


def test_an_envy_table_is_worth_so_much_for_each_other_hand(rounds: Rounds) -> None:
    table = shown(rounds, "SEED4-ENVY")
    assert Fraction(table["worth_cents"]) == sum(Fraction(line["worth_cents"]) for line in table["lines"])
    assert table["lines"][-1] | {"worth_cents": ""} == {
        "hand": "four_of_a_kind",
        "cents": 500,
        "pays": "$5.00",
        "deals": 307_472,
        "probability": str(Fraction(307_472, ALL_HANDS)),
        "one_in": "501.32",
        "worth_cents": "",
    }
    text = rounds("paytable", "show", "SEED4-ENVY").out
    assert text.endswith("On average: $0.0440 a hand of another player's.\n")


def test_a_table_that_play_decides_says_so_and_has_no_chances(rounds: Rounds) -> None:
    table = shown(rounds, "even")
    assert (table["summary"], table["lines"]) == (
        "depends on play",
        [{"hand": "win", "kind": "to_1", "n": 1, "pays": "1 to 1"}],
    )
    assert rounds("paytable", "show", "even").out.endswith("On average: depends on play.\n")


def test_a_line_of_a_fixed_amount_counts_where_the_sheet_allows_one_stake_only(rounds: Rounds) -> None:
    alone = shown(rounds, "FU-PROG-CODE-1")
    assert alone["summary"] == "46.2485 % back, meter and fixed amounts aside"
    of_sheet = shown(rounds, "--sample", "face-up@1", "FU-PROG-CODE-1")
    assert (of_sheet["stake_cents"], of_sheet["wagers"]) == (100, ["progressive"])
    five_aces = next(line for line in of_sheet["lines"] if line["hand"] == "five_aces")
    assert Fraction(five_aces["gives_back"]) == Fraction(2_500_000, 100) * Fraction(1_128, ALL_HANDS)
    assert of_sheet["summary"] == "64.5432 % back, meter aside"


def test_the_lines_come_as_csv(rounds: Rounds) -> None:
    head, first, *_ = rounds("paytable", "show", "F-2", "--format", "csv").out.splitlines()
    assert head == "hand,pays,deals,probability,one_in,gives_back,gives_back_percent,worth_cents"
    assert first == ("seven_card_straight_flush,8000 to 1,32,4/19267885,4816971.25,4572/2752555,0.1661,")


def test_the_tables_of_a_published_sheet(one_round: Path, rounds: Rounds) -> None:
    rows = rounds("paytable", "list", "--sheet", ROUND_SHEET, "--format", "jsonl").rows()
    assert [(row["table"], row["wagers"]) for row in rows] == [
        ("even", ["main"]),
        ("SEED4-BONUS", ["fortune"]),
        ("SAMPLE-PROG-7", ["progressive"]),
        ("SEED4-ENVY", ["fortune"]),
    ]
    table = shown(rounds, "--sheet", ROUND_SHEET, "SEED4-BONUS")
    assert (table["house_edge_percent"], table["wagers"]) == ("8.4900", ["fortune"])


def test_an_unknown_table_sheet_or_sample_is_not_found(one_round: Path, rounds: Rounds) -> None:
    for arguments, code in [
        (("show", "F-9"), "paytable.unknown"),
        (("show", "--sheet", ROUND_SHEET, "F-2"), "paytable.unknown"),
        (("show", "--sheet", "fortune-cardroom@9", "F-2"), "sheet.unknown"),
        (("list", "--sample", "fortune-cardroom@9"), "sheet.unknown"),
        (("show", "F-2", "--house-way", "home"), "house-way.unknown"),
    ]:
        ran = rounds("paytable", *arguments)
        assert (ran.code, ran.out) == (3, "")
        assert ran.err.startswith(f"rounds: {code}: ")


def test_an_option_that_no_game_has_and_two_sheets_at_once_are_misuse(rounds: Rounds) -> None:
    for arguments, code in [
        (("show", "F-2", "--option", "R5=sideways"), "option.unknown"),
        (("show", "F-2", "--option", "R5"), "option.unknown"),
        (("list", "--sample", "face-up@1", "--sheet", "face-up@1"), "sheet.which"),
    ]:
        ran = rounds("paytable", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"rounds: {code}: ")


def test_a_ledger_is_needed_for_published_tables_only(rounds: Rounds, tmp_path: Path) -> None:
    assert rounds("paytable", "list").code == 0
    assert rounds("paytable", "list", "--sheet", ROUND_SHEET).code == 3
    assert list(tmp_path.iterdir()) == []
