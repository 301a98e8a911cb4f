"""`rounds list` finds a round from a complaint, and says in plain words why it finds none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import ONE_ROUND, ROUND, Rounds


@pytest.mark.parametrize(
    "complaint",
    [
        ("--seat", "5", "--around", "7pm"),
        ("--around", "19:10", "--within", "10m", "--day", "2026-03-14", "--table", "PG01"),
        ("--from", "2026-03-14", "--to", "2026-03-14"),
        ("--from", "2026-03-14 18:59", "--to", "2026-03-14T19:00:00-04:00"),
        ("--wager", "fortune", "--won", "125"),
        ("--wager", "fortune", "--won", "$100..$1,000", "--outcome", "win", "--player", "P200"),
        ("--won", "..125"),
        ("--hand", "four of a kind", "--seat", "5"),
        ("--deck", "BLUE-12"),
    ],
)
def test_a_complaint_finds_the_round(complaint: tuple[str, ...], one_round: Path, rounds: Rounds) -> None:
    ran = rounds("list", *complaint, "--format", "jsonl")
    assert ([row["round"] for row in ran.rows()], ran.err) == ([ROUND], "")


@pytest.mark.parametrize(
    "complaint",
    [
        ("--seat", "4"),
        ("--around", "7:31pm"),
        ("--around", "19:10", "--within", "9m"),
        ("--from", "2026-03-14 19:01"),
        ("--wager", "fortune", "--won", "50"),
        ("--won", "125.01.."),
        ("--hand", "four of a kind", "--seat", "2"),
        ("--outcome", "forfeited"),
    ],
)
def test_what_does_not_hold_finds_nothing(complaint: tuple[str, ...], one_round: Path, rounds: Rounds) -> None:
    ran = rounds("list", *complaint)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("no such rounds")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--hand", "strait"), "hand.unknown", "did you mean straight"),
        (("--wager", "fortun"), "wager.unknown", "did you mean fortune?"),
        (("--wager", "zzz"), "wager.unknown", "there are main, "),
        (("--won", "lots"), "won.invalid", "write it like 100..500"),
        (("--won", "5..1"), "won.invalid", "write the smaller amount first"),
        (("--around", "noonish"), "time.invalid", "write it like 21:30"),
        (("--from", "21:30"), "time.invalid", "give --day"),
        (("--within", "5m"), "time.invalid", "give --around too"),
        (("--day", "14 March"), "day.invalid", "write it like 2026-05-04"),
        (("--missing", "--seat", "1"), "missing.filters", "only --property, --table and --day"),
    ],
)
def test_what_cannot_be_read_is_misuse_with_the_way_out(
    arguments: tuple[str, ...], code: str, says: str, one_round: Path, rounds: Rounds
) -> None:
    ran = rounds("list", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"rounds: {code}: ")
    assert says in ran.err


def test_a_name_written_otherwise_is_suggested(one_round: Path, rounds: Rounds) -> None:
    assert rounds("list", "--table", "pg-01").err.endswith("has --table pg-01; did you mean --table PG01?\n")
    assert rounds("list", "--player", "Smith").err.endswith("there are P100, P200\n")


def test_the_seat_that_was_meant_is_shown(one_round: Path, rounds: Rounds) -> None:
    title, row = rounds("list", "--hand", "quads").out.splitlines()
    assert row[title.index("Seat") :].startswith("5 ")
    assert rounds("list", "--hand", "quads", "--format", "json").out.count('"seats_found":[5]') == 1


def test_missing_numbers_are_reported_and_noted(rounds: Rounds) -> None:
    feed = [json.loads(line) for line in ONE_ROUND.read_text(encoding="utf-8").splitlines()]
    for command in feed:
        if command["command"] == "open_round":
            command["number"] = 4
    Path("feed.jsonl").write_text("".join(json.dumps(each) + "\n" for each in feed), encoding="utf-8")
    assert rounds("record", "feed.jsonl").code == 0
    (row,) = rounds("list", "--missing", "--format", "jsonl").rows()
    assert (row["table"], row["last"], row["missing_count"], row["missing"]) == ("PG01", 4, 3, ["1-3"])
    ran = rounds("list", "--table", "PG01", "--day", "2026-03-14")
    assert ran.err == "rounds: 3 round numbers of PG01 on 2026-03-14 missing: 1-3\n"
    assert rounds("list", "--table", "PG01", "--day", "2026-03-14", "-q").err == ""


def test_nothing_missing_is_said(one_round: Path, rounds: Rounds) -> None:
    ran = rounds("list", "--missing")
    assert (ran.code, ran.out, ran.err) == (0, "", "no round number is missing\n")
