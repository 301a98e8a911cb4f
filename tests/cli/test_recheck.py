"""Many rounds computed anew: exit 1 where something differs, and what they would be under other rules."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import projections.rechecks
from tests.cli.conftest import ROUND, Rounds


def test_rounds_that_are_as_recorded_are_0(evening: Path, rounds: Rounds) -> None:
    ran = rounds("recheck")
    assert (ran.code, ran.out, ran.err) == (0, "Rechecked 25 rounds: all as recorded.\n", "")
    document = json.loads(rounds("recheck", "--status", "settled", "--format", "json").out)
    settled = len(rounds("list", "--status", "settled", "--format", "jsonl").rows())
    assert document == {"rounds": settled, "matching": settled, "differing": 0, "differences": []}


def test_a_difference_is_1_and_named_in_every_format(
    one_round: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projections.rechecks, "differences_of", lambda *_: ["line 5.main won_cents: recorded 1"])
    ran = rounds("recheck")
    assert ran.code == 1
    assert "line 5.main won_cents: recorded 1" in ran.out
    assert ran.out.endswith("Rechecked 1 round: 1 not as recorded.\n")
    ran = rounds("recheck", ROUND, "--format", "csv")
    assert (ran.code, list(csv.reader(io.StringIO(ran.out)))) == (
        1,
        [["round", "difference"], [ROUND, "line 5.main won_cents: recorded 1"]],
    )


def test_an_answer_that_goes_elsewhere_is_summed_up(one_round: Path, rounds: Rounds) -> None:
    ran = rounds("recheck", "-o", "differences.csv")
    assert (ran.code, ran.out, ran.err) == (0, "", "rounds: Rechecked 1 round: all as recorded.\n")
    assert Path("differences.csv").read_text(encoding="utf-8").splitlines() == ["round,difference"]
    assert rounds("recheck", "-o", "differences.csv", "-q").err == ""
    ran = rounds("recheck", "--with", "house-way=mbs", "--format", "csv")
    assert ran.err == "rounds: 1 settled round compared: nothing would be different.\n"


def test_no_round_meant_is_said(one_round: Path, rounds: Rounds) -> None:
    ran = rounds("recheck", "--day", "2026-03-15")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "no such rounds; no round at all has --day 2026-03-15; did you mean --day 2026-03-14?\n"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ((ROUND + "1",), 3, f"did you mean {ROUND}?"),
        ((ROUND, "--day", "2026-03-14"), 2, "recheck.which"),
        ((ROUND, "--with", "sheet"), 2, "what-if.invalid"),
        ((ROUND, "--with", "house-way=mbs", "--with", "house-way=mbs"), 2, "each once"),
        ((ROUND, "--with", "house-way=nobody"), 3, "there are 670a.11(d), cardroom"),
        ((ROUND, "--with", "house-way=670a.11(d)"), 2, "what-if.other-game"),
        ((ROUND, "--with", "sheet=other@1"), 3, "there are fortune-cardroom@1"),
        ((ROUND, "--with", "sheet=nowhere.json"), 3, "file.not-found"),
    ],
)
def test_what_cannot_be_asked_is_said_with_the_way_out(
    arguments: tuple[str, ...], code: int, says: str, one_round: Path, rounds: Rounds
) -> None:
    ran = rounds("recheck", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err


def sheet_without_commission(rounds: Rounds) -> str:
    """A file of the round's sheet that takes none."""
    content: dict[str, Any] = json.loads(rounds("sheet", "show", "fortune-cardroom@1", "--format", "json").out)
    del content["commission"]
    Path("free.json").write_text(json.dumps(content), encoding="utf-8")
    return "free.json"


def test_the_difference_is_told_per_seat_and_line_by_line(one_round: Path, rounds: Rounds) -> None:
    out = rounds("replay", ROUND, "--with", f"sheet={sheet_without_commission(rounds)}").out
    assert out.startswith("With sheet fortune-cardroom@1. Nothing of this is stored.\n")
    assert f"{ROUND}     5  P200    $246.50   $249.00       $2.50  main" in out
    assert "main: was win at 1 to 1, net $47.50; would be win at 1 to 1, net $50.00" in out
    assert out.endswith("players $2.50 more, the house\nwith its meters $2.50 less.\n")
    assert out == rounds("recheck", ROUND, "--with", "sheet=free.json").out


def test_the_comparison_is_one_document_and_its_rows(one_round: Path, rounds: Rounds) -> None:
    change = ("--with", f"sheet={sheet_without_commission(rounds)}")
    document = json.loads(rounds("recheck", *change, "--format", "json").out)
    assert document["with"] == {"sheet": "fortune-cardroom@1", "house_way": None}
    (seat,) = document["seats"]
    assert (seat["seat"], seat["difference_cents"], document["players_difference_cents"]) == (5, 250, 250)
    rows = list(csv.DictReader(io.StringIO(rounds("recheck", *change, "--format", "csv").out)))
    assert [(row["seat"], row["difference_cents"], row["wagers"]) for row in rows] == [("5", "250", "main")]


def test_nothing_different_is_said(one_round: Path, rounds: Rounds) -> None:
    out = rounds("replay", ROUND, "--with", "sheet=fortune-cardroom@1").out
    assert out.endswith("1 settled round compared: nothing would be different.\n")


def test_with_stands_alone_in_a_replay(one_round: Path, rounds: Rounds) -> None:
    ran = rounds("replay", ROUND, "--with", "house-way=mbs", "--at", "3")
    assert (ran.code, ran.out) == (2, "")
    assert "replay.which" in ran.err
