"""The command reference is true: its examples run one after another and answer what it shows."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

from tests.cli.conftest import ONE_ROUND, ROOT, Rounds
from tests.cli.test_help import EVERY

PAGE = ROOT / "docs" / "cli.md"


class Example(NamedTuple):
    """A command of the page and what the page says that it answers."""

    command: str
    answer: str


def examples() -> list[Example]:
    """Every `$ rounds …` of the page's console blocks, in order."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        for part in re.split(r"(?m)^\$ (?=rounds )", block)[1:]:
            command, _, answer = part.partition("\n")
            found.append(Example(command, answer))
    return found


def as_pattern(answer: str) -> str:
    """The answer as a pattern, in which `…` stands for anything, a line of it for any lines."""
    return re.escape(answer).replace("…", ".*?")


def test_every_example_answers_what_the_page_shows(rounds: Rounds) -> None:
    shutil.copy(ONE_ROUND, "one-round.jsonl")
    _write_late_feed()
    for command, answer in examples():
        ran = rounds(*shlex.split(command)[1:])
        wanted, _, ended = answer.partition("[exit ")
        assert ran.code == int(ended.partition("]")[0] or 0), command
        assert re.fullmatch(as_pattern(wanted), ran.out + ran.err, re.DOTALL), (command, ran)


def _write_late_feed() -> None:
    """A feed whose second line is about a round that was never opened."""
    buy_in = json.loads(ONE_ROUND.read_bytes().splitlines()[3])
    settle = {"command": "settle", "command_id": "late-2", "at": buy_in["at"], "by": "D07", "round": "PG01-20260314-9"}
    lines = [buy_in | {"command_id": "late-1"}, settle]
    Path("late.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def test_every_command_has_an_example_on_the_page() -> None:
    shown = {tuple(example.command.split()[1 : 1 + length]) for example in examples() for length in (1, 2)}
    assert [" ".join(path) for path in EVERY if path not in shown] == []


def test_a_shown_answer_that_is_wrong_is_found() -> None:
    assert re.fullmatch(as_pattern("a\n…\nd\n"), "a\nb\nc\nd\n", re.DOTALL)
    assert not re.fullmatch(as_pattern("a\n…\nd\n"), "a\nb\nc\n", re.DOTALL)
