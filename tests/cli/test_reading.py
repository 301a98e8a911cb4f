"""How an answer is read: the fields that are wanted, colour, a pager, and screens of any width."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from cli.pager import pager_command
from cli.tables import Column, draw_list
from tests.cli.conftest import ROUND, Rounds, environment

ESCAPE = "\x1b["


def on_terminal(*arguments: str, env: Mapping[str, str], columns: int = 100) -> tuple[int, str]:
    """What `rounds` shows on a terminal of that width, and its exit code."""
    main, other = pty.openpty()
    command = [sys.executable, "-m", "cli", *arguments]
    size = {"COLUMNS": str(columns), "LINES": "24", "TERM": "xterm"}
    running = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, env=environment(**size, **env))
    os.close(other)
    shown = b""
    while True:
        try:
            some = os.read(main, 65536)
        except OSError:
            break
        if not some:
            break
        shown += some
    os.close(main)
    return running.wait(), shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("format_", ["json", "jsonl"])
def test_fields_choose_and_order_the_keys(format_: str, one_round: Path, rounds: Rounds) -> None:
    out = rounds("list", "--fields", "net_cents,round", "--format", format_).out
    (row,) = json.loads(out) if format_ == "json" else [json.loads(out)]
    assert list(row.items()) == [("net_cents", 24550), ("round", ROUND)]


def test_fields_choose_the_columns_of_csv_and_table_also_those_that_only_json_has(
    one_round: Path, rounds: Rounds
) -> None:
    out = rounds("list", "--fields", "deck,round,won_cents", "--format", "csv").out
    assert list(csv.reader(io.StringIO(out))) == [["deck", "round", "won_cents"], ["BLUE-12", ROUND, "25500"]]
    assert rounds("list", "--fields", "round,won_cents").out.splitlines() == [
        "Round            won_cents",
        f"{ROUND}    $255.00",
    ]


def test_fields_of_a_document_are_its_keys(one_round: Path, rounds: Rounds) -> None:
    assert json.loads(rounds("verify", "--fields", "verified,count", "--format", "json").out) == {
        "verified": True,
        "count": 27,
    }


@pytest.mark.parametrize("format_", ["table", "json", "jsonl", "csv"])
def test_a_field_that_is_not_there_is_misuse_with_its_likes(format_: str, one_round: Path, rounds: Rounds) -> None:
    ran = rounds("list", "--fields", "round,net", "--format", format_)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "rounds: fields.unknown: no field 'net' in this answer; did you mean net_cents?\n"
    assert "there are round, " in rounds("list", "--fields", "xyzzy", "--format", format_).err
    assert rounds("list", "--fields", ",", "--format", format_).code == 2


def test_fields_of_what_has_no_rows_are_asked_for_as_json(one_round: Path, rounds: Rounds) -> None:
    ran = rounds("version", "--fields", "version")
    assert (ran.code, ran.out) == (2, "")
    assert "use --format json" in ran.err


def test_fields_of_a_replay_are_its_keys_or_its_lines(one_round: Path, rounds: Rounds) -> None:
    out = rounds("replay", ROUND, "--fields", "status,round", "--format", "json").out
    assert json.loads(out) == {"status": "settled", "round": ROUND}
    out = rounds("replay", ROUND, "--fields", "wager,net_cents", "--format", "csv").out
    assert out.splitlines()[:2] == ["wager,net_cents", "main,4750"]
    ran = rounds("replay", ROUND, "--fields", "status")
    assert (ran.code, "fields.none" in ran.err) == (2, True)


def test_no_rows_have_any_fields(one_round: Path, rounds: Rounds) -> None:
    assert rounds("list", "--table", "PG02", "--fields", "round", "--format", "csv").out == "round\n"
    assert rounds("list", "--table", "PG02", "--fields", "round", "--format", "json").out == "[]\n"


def test_colour_can_be_asked_for_and_forbidden(
    one_round: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ESCAPE not in rounds("replay", ROUND).out
    assert ESCAPE in rounds("replay", ROUND, "--color", "always").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert ESCAPE in rounds("replay", ROUND, "--color", "always").out
    assert ESCAPE not in rounds("list", "--color", "always", "--format", "csv").out


def test_on_a_terminal_colour_is_on_unless_it_is_not_wanted(one_round: Path) -> None:
    shown = ("replay", ROUND, "--no-pager")
    assert ESCAPE in on_terminal(*shown, env={})[1]
    assert ESCAPE not in on_terminal(*shown, env={"NO_COLOR": "1"})[1]
    assert ESCAPE not in on_terminal(*shown, "--color", "never", env={})[1]


def test_a_long_answer_goes_through_the_pager_that_is_named(evening: Path) -> None:
    code, shown = on_terminal("list", env={"PAGER": "sed s/^/paged:/"})
    assert code == 0
    lines = shown.splitlines()
    assert len(lines) > 25
    assert all(line.startswith("paged:") for line in lines)
    assert "paged:" not in on_terminal("list", "--no-pager", env={"PAGER": "sed s/^/paged:/"})[1]


def test_a_pager_that_is_left_early_ends_it_well(evening: Path) -> None:
    code, shown = on_terminal("list", env={"PAGER": "head -n 2"})
    assert (code, len(shown.splitlines())) == (0, 2)


def test_a_pager_that_is_not_there_shows_it_all_the_same(one_round: Path) -> None:
    code, shown = on_terminal("list", env={"PAGER": "no-such-pager"})
    assert (code, ROUND in shown) == (0, True)


@pytest.mark.parametrize(("named", "command"), [("cat", []), ("", []), ("less -S", ["less", "-S"])])
def test_cat_and_nothing_are_no_pagers(named: str, command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", named)
    assert pager_command() == command


@pytest.mark.parametrize("columns", [40, 60, 80, 100])
def test_a_list_fits_the_screen(columns: int, evening: Path) -> None:
    code, shown = on_terminal("list", "--no-pager", env={}, columns=columns)
    assert code == 0
    assert max(map(len, shown.splitlines())) <= columns


def test_balances_of_millions_fit_a_hundred_columns() -> None:
    from cli.commands.balance import COLUMNS

    row = {column.key: -123_456_789 for column in COLUMNS} | {"player": "P100", "rounds": 123_456}
    lines = list(draw_list(COLUMNS, [row, row]))
    assert max(map(len, lines)) <= 100
    assert len(lines) == 3 * 2
    assert lines[0].startswith("Player")
    assert lines[2].startswith("P100")


def test_what_is_too_wide_is_folded_with_its_last_text_below() -> None:
    columns = (Column("a", "A"), Column("b", "B"), Column("c", "C", "list"))
    lines = list(draw_list(columns, [{"a": "x" * 10, "b": "y" * 10, "c": ["z" * 5, "w" * 5]}], page=16))
    assert lines == ["A", "    B", "x" * 10, "    " + "y" * 10, "    C: zzzzz", "      wwwww"]


@pytest.mark.parametrize(
    "asked",
    [("meter", "show", "PROG"), ("meter", "report", "--day", "2026-03-14"), ("jackpot", "list")],
    ids=" ".join,
)
def test_meters_and_jackpots_fit_a_narrow_screen(asked: tuple[str, ...], one_round: Path) -> None:
    code, shown = on_terminal(*asked, env={"PAGER": "cat", "NO_COLOR": "1"}, columns=60)
    lines = shown.replace("\r", "").split("\n")
    # The closing sentence of the report is text, which a screen breaks where it likes.
    assert (code, [line for line in lines if len(line) > 60 and not line.startswith("The equation")]) == (0, [])
    assert "major" in shown or "claimed" in shown
