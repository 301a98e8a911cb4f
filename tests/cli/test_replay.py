"""Replays for people and for programs: findings first, every line with its rule, and what does not match is said."""

from __future__ import annotations

import csv
import fcntl
import io
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

import projections.rules
from tests.cli.conftest import ROUND, Rounds, environment, start


def test_the_document_is_json(one_round: Path, rounds: Rounds) -> None:
    document = json.loads(rounds("replay", ROUND, "--format", "json").out)
    assert document["round"] == ROUND
    assert document["recheck"] == {"matches": True, "differences": []}
    assert document["integrity"]["verified"] is True
    assert [line["net_cents"] for line in document["lines"]] == [4750, 12500, 7400, 0, -500, -100, 500]


def test_one_line_of_json_is_the_same_document(one_round: Path, rounds: Rounds) -> None:
    (line,) = rounds("replay", ROUND, "--format", "jsonl").rows()
    assert line == json.loads(rounds("replay", ROUND, "--format", "json").out)


def test_all_documents_as_an_array(one_round: Path, rounds: Rounds) -> None:
    (document,) = json.loads(rounds("replay", "--all", "--format", "json").out)
    assert document["round"] == ROUND


def test_the_lines_as_csv(one_round: Path, rounds: Rounds) -> None:
    rows = list(csv.DictReader(io.StringIO(rounds("replay", ROUND, "--format", "csv").out)))
    assert [(row["seat"], row["wager"], row["net_cents"]) for row in rows][:2] == [
        ("5", "main", "4750"),
        ("5", "fortune", "12500"),
    ]
    assert {row["round"] for row in rows} == {ROUND}


def test_for_people_every_line_has_its_figures_and_its_rule(one_round: Path, rounds: Rounds) -> None:
    out = rounds("replay", ROUND).out
    assert out.splitlines()[0] == f"Round {ROUND}: settled"
    assert "main          $50.00  win      $50.00    $50.00  $2.50   $47.50" in out
    document = json.loads(rounds("replay", ROUND, "--format", "json").out)
    unbroken = " ".join(out.split())
    for line in document["lines"]:
        assert f"Rule: {line['cite']}" in unbroken
    for frame in document["frames"]:
        assert frame["text"] in unbroken
    assert "Recheck: matches." in out


def test_findings_come_before_the_hands(evening: Path, rounds: Rounds) -> None:
    row = next(row for row in rounds("list", "--format", "jsonl").rows() if row["findings"])
    out = rounds("replay", row["round"]).out
    assert out.index(f"! {row['findings'][0]}") < out.index("\nHands") if "\nHands" in out else "Findings" in out


def test_hands_that_are_not_set_in_two_are_shown_as_cards(rounds: Rounds) -> None:
    feed = Path(__file__).parents[1] / "cases" / "data" / "hcf-c2-fold-keeps-side-wagers.jsonl"
    assert rounds("record", str(feed)).code == 0
    (row,) = rounds("list", "--format", "jsonl").rows()
    out = rounds("replay", row["round"]).out
    assert "Seat    Player  Cards" in out
    assert "Set by" not in out
    assert "longest straight flush" in out
    assert "start is not" not in out


def test_every_replay_of_an_evening_fits_eighty_columns_without_colour(evening: Path, rounds: Rounds) -> None:
    out = rounds("replay", "--all").out
    assert "\x1b" not in out
    assert [line for line in out.splitlines() if len(line) > 80] == []


def test_at_shows_only_what_was_known_then(one_round: Path, rounds: Rounds) -> None:
    out = rounds("replay", ROUND, "--at", "9").out
    assert "Wagers that stand" in out
    assert "nothing is dealt yet" in out
    assert "8c 8d 8h 8s" not in out
    assert "nothing is settled yet" in out


def test_a_seats_view_leaves_the_others_out(one_round: Path, rounds: Rounds) -> None:
    document = json.loads(rounds("replay", ROUND, "--seat", "2", "--format", "json").out)
    assert [seat["seat"] for seat in document["seats"]] == [2]
    assert {line["seat"] for line in document["lines"]} == {2}
    assert "P200" not in rounds("replay", ROUND, "--seat", "2").out.replace("(P200)", "")


def test_an_unknown_round_is_3_with_what_may_have_been_meant(one_round: Path, rounds: Rounds) -> None:
    ran = rounds("replay", "PG01-20260314-2")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == f"rounds: round.unknown: no round PG01-20260314-2 in this ledger; did you mean {ROUND}?\n"


@pytest.mark.parametrize(("option", "value"), [("--at", "24"), ("--seat", "4")])
def test_an_unknown_event_or_seat_is_3(option: str, value: str, one_round: Path, rounds: Rounds) -> None:
    assert rounds("replay", ROUND, option, value).code == 3


@pytest.fixture
def _differing(monkeypatch: pytest.MonkeyPatch) -> None:
    def differs(*_: Any) -> list[str]:
        return ["5.main: won 5000, computed 4000"]

    monkeypatch.setattr(projections.rules, "recheck", differs)


@pytest.mark.usefixtures("_differing")
@pytest.mark.parametrize("which", [ROUND, "--all"])
def test_a_recheck_that_differs_is_1_and_only_where_it_was_asked_for(
    which: str, one_round: Path, rounds: Rounds
) -> None:
    shown = rounds("replay", which)
    assert shown.code == 0
    assert "DIFFERS" in shown.out
    assert "5.main: won 5000, computed 4000" in shown.out
    asked = rounds("replay", which, "--recheck", "--format", "jsonl")
    assert asked.code == 1
    assert f"round {ROUND}: the settlement computed anew is not what was recorded" in asked.err
    assert asked.rows()[0]["recheck"]["matches"] is False


def test_a_recheck_that_matches_is_0(evening: Path, rounds: Rounds) -> None:
    ran = rounds("replay", "--all", "--recheck", "--format", "jsonl")
    assert (ran.code, ran.err) == (0, "")


def seen_on_a_terminal(*arguments: str, columns: int = 80, **variables: str) -> str:
    """What `rounds` writes when its standard output is a terminal that wide, which knows UTF-8."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    variables = {"LC_ALL": "C.UTF-8", "PAGER": "cat", **variables}
    command = [sys.executable, "-m", "cli", *arguments]
    running = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL, env=environment(**variables)
    )
    os.close(theirs)
    seen = b""
    while chunk := _read(ours):
        seen += chunk
    os.close(ours)
    assert running.wait(30) == 0
    return seen.decode().replace("\r\n", "\n")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # A terminal whose other side is closed ends in an error, not in an empty read.
        return b""


def test_colour_is_for_a_terminal_and_carries_no_meaning_of_its_own(one_round: Path, rounds: Rounds) -> None:
    coloured = seen_on_a_terminal("replay", ROUND)
    assert "\x1b[" in coloured
    plain = seen_on_a_terminal("replay", ROUND, NO_COLOR="1")
    assert "\x1b" not in plain
    assert plain == re.sub(r"\x1b\[\d*m", "", coloured)


def test_a_reader_that_stops_early_ends_it_quietly(evening: Path) -> None:
    with start("replay", "--all", "--format", "jsonl") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.close()
        assert running.stdout.readline().startswith(b'{"round"')
        running.stdout.close()
        assert running.wait(30) == 141
        assert running.stderr.read() == b""
