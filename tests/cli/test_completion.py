"""Shells complete commands, options and what the ledger has; nothing is said where nothing can be read."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cli.commands.completion import SHELLS
from tests.cli.conftest import ONE_ROUND, ROUND, Ran, Rounds
from tests.postgres import Databases


@pytest.fixture
def completed(process: Rounds) -> Rounds:
    """What bash is offered after `rounds` and these words, the last of which is begun."""

    def call(*words: object, input: bytes | str | None = None) -> Ran:
        line = " ".join(("rounds", *map(str, words)))
        asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words)), "_ROUNDS_COMPLETE": "bash_complete"}
        return process(env=asked)

    return call


def offered(ran: Ran) -> list[str]:
    """The words without their kind."""
    assert ran.err == ""
    return [line.partition(",")[2] for line in ran.out.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("rec",), ["record", "recheck"]),
        (("replay", "PG"), [ROUND]),
        (("recheck", "PG01-20260314-1", "PG"), [ROUND]),
        (("balance", "P1"), ["P100"]),
        (("sheet", "show", "fort"), ["fortune-cardroom@1"]),
        (("meter", "show", ""), ["PROG"]),
        (("meter", "plot", "P"), ["PROG"]),
        (("meter", "report", "--meter", ""), ["PROG"]),
        (("list", "--table", "PG"), ["PG01"]),
        (("list", "--property", ""), ["RIVERSIDE"]),
        (("list", "--dealer", ""), ["D07"]),
        (("list", "--day", "2026"), ["2026-03-14"]),
        (("list", "--deck", "BLUE"), ["BLUE-12"]),
        (("list", "--game", "f"), ["face_up", "fortune"]),
        (("list", "--status", "o"), ["open"]),
        (("list", "--hand", "royal"), ["royal_flush", "royal_match"]),
        (("list", "--wager", "tiger"), ["tiger_9"]),
        (("list", "--finding", "bank.o"), ["bank.out-of-turn"]),
        (("replay", ROUND, "--with", "h"), ["house-way="]),
        (("replay", ROUND, "--with", "sheet=f"), ["sheet=fortune-cardroom@1"]),
        (("replay", ROUND, "--with", "house-way=m"), ["house-way=mbs"]),
        (("explain", "slip"), ["slip.gap", "slip.used"]),
        (("list", "--mis"), ["--missing"]),
        (("--db", "sqlite:///rounds.db", "replay", "PG"), [ROUND]),
        (("--db", "sqlite:///nowhere.db", "replay", "PG"), []),
        (("--db", "nonsense", "replay", "PG"), []),
    ],
)
def test_what_is_begun_is_completed(
    words: tuple[str, ...], expected: list[str], one_round: Path, rounds: Rounds, completed: Rounds
) -> None:
    rounds("list", "-q")
    assert offered(completed(*words)) == expected
    assert not Path("nowhere.db").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("record", "f"),
        ("import", "f"),
        ("sheet", "publish", "f"),
        ("backup", "f"),
        ("restore", "f"),
        ("verify", "--anchor", "f"),
        ("restore", "b", "--anchor", "f"),
        ("list", "-o", "f"),
    ],
)
def test_where_a_file_is_named_the_shell_completes_files(words: tuple[str, ...], completed: Rounds) -> None:
    assert completed(*words).out.strip() == "file,f"


def test_on_postgresql_the_same_is_completed(databases: Databases, rounds: Rounds, completed: Rounds) -> None:
    url = databases.fresh().url
    assert rounds("record", ONE_ROUND, "--db", url).code == 0
    assert offered(completed("--db", url, "replay", "PG")) == [ROUND]
    assert offered(completed("--db", url, "list", "--table", "PG")) == ["PG01"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_written_for_each_shell(shell: str, rounds: Rounds) -> None:
    ran = rounds("completion", shell)
    assert ran.code == 0
    assert "_ROUNDS_COMPLETE" in ran.out
    assert shell in rounds("completion", shell, "-o", "script").err
    assert rounds("completion", shell, "-o", "script", "-q").err == ""


def test_bash_takes_the_script(rounds: Rounds) -> None:
    bash = shutil.which("bash")
    if bash is not None:
        Path("script").write_text(rounds("completion", "bash", "-q").out, encoding="utf-8")
        subprocess.run([bash, "-n", "script"], check=True)


def test_a_shell_that_nobody_knows_is_misuse(rounds: Rounds) -> None:
    ran = rounds("completion", "csh")
    assert (ran.code, ran.out) == (2, "")
    assert "'bash', 'zsh', 'fish'" in ran.err


def test_a_shell_that_takes_the_script_in_as_it_starts_says_nothing(process: Rounds) -> None:
    ran = process("completion", "bash")
    assert "_rounds_completion" in ran.out
    assert ran.err == ""
    assert "~/.bashrc" in process("completion", "bash", "-o", "rounds.bash").err
