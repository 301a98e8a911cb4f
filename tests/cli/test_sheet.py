"""Sheets: what is published is listed and shown as a file that can be published again."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cli.sheet_toml import sheet_toml
from domain.sheets.samples import sample_ids
from tests.cli.conftest import Rounds

SAMPLE = "fortune-cardroom@1"
PUBLISH = ("--by", "E01", "--approved-by", "E02", "--effective-from", "2026-03-14T06:00:00-04:00")


@pytest.fixture
def mine(rounds: Rounds) -> dict[str, Any]:
    """A changed sample, in mine.json."""
    rounds("sheet", "show", "--sample", SAMPLE, "-o", "sample.json")
    content: dict[str, Any] = json.loads(Path("sample.json").read_text(encoding="utf-8"))
    content["version"] = 2
    Path("mine.json").write_text(json.dumps(content), encoding="utf-8")
    return content


def test_a_sample_is_published_listed_and_shown(mine: dict[str, Any], rounds: Rounds) -> None:
    ran = rounds("sheet", "publish", "mine.json", *PUBLISH)
    assert (ran.code, ran.out) == (
        0,
        "fortune-cardroom@2 is published, effective 2026-03-14T06:00:00-04:00; position 1.\n",
    )
    (row,) = json.loads(rounds("sheet", "list", "--format", "json").out)
    assert (row["sheet"], row["game"]) == ("fortune-cardroom@2", "fortune")
    assert json.loads(rounds("sheet", "show", "fortune-cardroom@2", "--format", "json").out) == mine


def test_what_is_shown_can_be_published_again(one_round: Path, rounds: Rounds) -> None:
    rounds("sheet", "show", SAMPLE, "-o", "again.json")
    ran = rounds("sheet", "publish", "again.json", *PUBLISH, "--db", "sqlite:///other.db")
    assert ran.code == 0


def test_a_toml_file_says_the_same(mine: dict[str, Any], rounds: Rounds) -> None:
    Path("mine.toml").write_text(as_toml(mine), encoding="utf-8")
    assert rounds("sheet", "publish", "mine.toml", *PUBLISH).code == 0
    assert json.loads(rounds("sheet", "show", "fortune-cardroom@2", "--format", "json").out) == mine


@pytest.mark.parametrize("ref", sample_ids())
def test_a_sample_written_as_toml_reads_back_the_same(ref: str, rounds: Rounds) -> None:
    assert rounds("sheet", "show", "--sample", ref, "-o", "mine.toml").code == 0
    text = Path("mine.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text) == json.loads(rounds("sheet", "show", "--sample", ref, "--format", "json").out)
    assert rounds("sheet", "publish", "mine.toml", *PUBLISH).code == 0


def test_toml_has_every_text_and_every_key_as_they_were() -> None:
    content = {"title": 'a "b"\\ \x7f \n 東\U0001f0cf', "a.b": {"": {}, "c d": {"lines": [{"x y": 1}]}}, "yes": True}
    assert tomllib.loads(sheet_toml(content)) == content


def as_toml(content: dict[str, Any]) -> str:
    """JSON's values are TOML's, but for objects, which are written inline."""
    return "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in content.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value)


def test_a_dry_run_publishes_nothing(mine: dict[str, Any], rounds: Rounds) -> None:
    ran = rounds("sheet", "publish", "mine.json", *PUBLISH, "--dry-run")
    assert ran.code == 0
    assert "would be published" in ran.out
    assert rounds("sheet", "list").err.startswith("no sheets yet")


def test_the_same_command_id_is_answered_again(mine: dict[str, Any], rounds: Rounds) -> None:
    same = ("sheet", "publish", "mine.json", *PUBLISH, "--at", "2026-03-01T00:00:00Z", "--command-id", "s1")
    first = json.loads(rounds(*same, "--format", "json").out)
    assert first["status"] == "recorded"
    again = rounds(*same, "--format", "json")
    assert (again.code, json.loads(again.out)) == (0, {**first, "status": "repeated"})


def test_a_published_version_is_refused_again(mine: dict[str, Any], rounds: Rounds) -> None:
    rounds("sheet", "publish", "mine.json", *PUBLISH)
    ran = rounds("sheet", "publish", "mine.json", *PUBLISH)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("rounds: sheet.exists: ")


def test_a_mistake_in_a_sheet_is_named_by_its_path(mine: dict[str, Any], rounds: Rounds) -> None:
    mine["wagers"]["fortune"]["paytable"] = "NOWHERE"
    Path("mine.json").write_text(json.dumps(mine), encoding="utf-8")
    ran = rounds("sheet", "publish", "mine.json", *PUBLISH, "--format", "json")
    assert ran.code == 1
    assert json.loads(ran.out)["code"] == "sheet.invalid"
    assert "sheet.wagers.fortune.paytable" in ran.err


def test_a_sheet_for_people_shows_wagers_tables_and_sources(one_round: Path, rounds: Rounds) -> None:
    out = rounds("sheet", "show", SAMPLE).out
    assert "5.00 %, half up" in out
    assert "2500 to 1" in out
    assert "Source: seed 004, appendix 2" in out
    assert out.index("  main ") < out.index("  fortune ") < out.index("  progressive ")


def test_a_sheets_tables_as_csv(one_round: Path, rounds: Rounds) -> None:
    rows = list(csv.DictReader(io.StringIO(rounds("sheet", "show", SAMPLE, "--format", "csv").out)))
    assert {"table": "SEED4-BONUS", "ranking": "seven_card_bonus", "hand": "straight", "pays": "2 to 1"} in rows


def test_samples_are_listed_without_any_ledger(rounds: Rounds) -> None:
    assert SAMPLE in [row["sheet"] for row in json.loads(rounds("sheet", "list", "--samples", "--format", "json").out)]
    assert not Path("rounds.db").exists()


def test_a_sheet_whose_meter_has_ended_says_so(one_round: Path, rounds: Rounds) -> None:
    assert "retired" not in rounds("sheet", "show", SAMPLE).err
    papers = {"at": "2026-03-15T12:00:00-04:00", "by": "C1", "evidence": "form 9", "approved_by": ["M1", "M2"]}
    for level, said in (
        ("major", "level major of meter PROG, which progressive pays from"),
        ("minor", "meter PROG of"),
    ):
        body = {"command": "retire_meter", "command_id": level, "meter": "PROG", "level": level, **papers}
        line = json.dumps(body | {"to": "revenue", "reason": "game_removed"})
        assert rounds("record", "-", input=line).code == 0
        ran = rounds("sheet", "show", SAMPLE)
        assert said in ran.err and "is retired" in ran.err
