"""Help comes at once, leads with an example for every command, and names nothing that is not there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from cli.main import COMMANDS, app
from cli.options import FORMATS
from tests.cli.conftest import ONE_ROUND, ROOT, ROUND, Rounds, environment
from tests.manual import paths

HEAVY = (
    "sqlalchemy",
    "eventsourcing",
    "domain.rounds",
    "domain.games",
    "ledger.service",
    "projections.rounds",
)


_, *EVERY = paths()


@pytest.mark.parametrize("path", [(), *EVERY], ids=" ".join)
def test_help_leads_with_an_example_of_the_command_itself(path: tuple[str, ...], rounds: Rounds) -> None:
    ran = rounds(*path, "--help")
    assert ran.code == 0
    first = ran.out.splitlines()[0].strip()
    assert first.startswith(" ".join(("$ rounds", *path)))


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_every_command_takes_the_shared_options(path: tuple[str, ...], rounds: Rounds) -> None:
    out = rounds(*path, "--help").out
    shared = ("--db", "--format", "--output", "--fields", "--color", "--no-pager", "--quiet")
    assert [option for option in shared if option not in out] == []


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_help_keeps_to_a_hundred_columns(path: tuple[str, ...], rounds: Rounds) -> None:
    lines = rounds(*path, "--help").out.splitlines()
    assert [line for line in lines if len(line) > 100 and not line.startswith("  $")] == []


def test_the_list_of_commands_says_what_each_command_says_of_itself() -> None:
    context = click.Context(app)
    for name in COMMANDS:
        command = app.get_command(context, name)
        assert command is not None
        assert command.name == name


@pytest.mark.parametrize("arguments", [("--help",), ("record", "--help"), ("replay", "--help"), ("version",)])
def test_help_loads_neither_the_store_nor_the_library(arguments: tuple[str, ...]) -> None:
    assert loaded_by(arguments, HEAVY) == "loaded: []"


def test_a_replay_waits_for_nothing_that_it_does_not_use(tmp_path: Path, rounds: Rounds) -> None:
    store = f"sqlite:///{tmp_path / 'floor.db'}"
    assert rounds("--db", store, "record", "-q", ONE_ROUND).code == 0
    unused = ("eventsourcing", "alembic", "sqlalchemy.dialects.postgresql", "projections.rounds", "difflib")
    loaded = loaded_by(("--db", store, "replay", ROUND), unused)
    assert loaded == "loaded: []"


def loaded_by(arguments: tuple[str, ...], names: tuple[str, ...]) -> str:
    """Which of `names` a process of its own has loaded when the command is done, as its last line."""
    code = f"""
import sys
from cli.main import app
assert app.main({list(arguments)!r}, standalone_mode=False) in (0, None)
print("loaded:", [name for name in {names!r} if name in sys.modules])
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment(), cwd=ROOT, capture_output=True, text=True, check=True
    )
    return ran.stdout.splitlines()[-1]


def test_the_formats_are_those_of_every_report() -> None:
    assert FORMATS == ("table", "json", "jsonl", "csv")
