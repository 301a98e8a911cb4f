"""The manual is what `--help` says, and every example that help leads with runs as it stands."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cli.main import app
from tests import manual
from tests.cli.conftest import ONE_ROUND, environment
from tests.postgres import Databases

ELSEWHERE = {("demo",): "tests/cli/test_demo.py"}
"""Commands whose examples another test runs, since they take long."""
JACKPOT = "rounds jackpot show PG01-20260314-1 3.progressive --format json"
ELSEWHERE_LINES = {"rounds demo", "rounds replay PG01-20260314-1 --step", JACKPOT}
"""The same, what needs a terminal, and what needs a jackpot (tests/cli/test_meter_guide.py)."""
PATHS = [path for path in manual.paths() if path not in ELSEWHERE]


def examples(path: tuple[str, ...]) -> list[str]:
    """The examples of a command."""
    command: click.Command = app
    for name in path:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), name)
        assert found is not None
        command = found
    return [line.strip() for line in str(getattr(command, "example", "")).strip().splitlines()]


def test_the_manual_is_what_help_says() -> None:
    assert manual.PAGE.read_text(encoding="utf-8") == manual.written(), "run python -m tests.manual"


@pytest.fixture(scope="session")
def _place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ledger and the files that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copy(ONE_ROUND, folder / "feed.jsonl")
    sheet = json.loads(ONE_ROUND.read_text(encoding="utf-8").splitlines()[1])["sheet"]
    (folder / "next.json").write_text(json.dumps(sheet | {"version": 2}), encoding="utf-8")
    for arguments in (
        ["record", "feed.jsonl"],
        ["sheet", "show", "--sample", "fortune-cardroom@1", "-o", "mine.toml"],
        ["anchor", "-o", "anchor.json"],
        ["backup", "rounds-2026-03-14.backup"],
        ["export", "-o", "log.jsonl"],
        ["list", "-q"],
    ):
        with chdir(folder):
            assert CliRunner().invoke(app, arguments, prog_name="rounds").exit_code == 0, arguments
    text = (folder / "mine.toml").read_text(encoding="utf-8")
    (folder / "mine.toml").write_text(text.replace("version = 1\n", "version = 2\n", 1), encoding="utf-8")
    subprocess.run(["gzip", "-k", "log.jsonl"], cwd=folder, check=True)
    return folder


@pytest.fixture
def place(_place: Path, tmp_path: Path) -> Path:
    """The folder for one test, with `rounds` and what else the examples call on the path."""
    own = Path(shutil.copytree(_place, tmp_path / "own"))
    programs = own / "bin"
    programs.mkdir()
    for name, text in (("rounds", f'exec {sys.executable} -m cli "$@"'), ("psql", "exec cat >psql.sql")):
        (programs / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    return own


@pytest.mark.parametrize("path", PATHS, ids=lambda path: " ".join(("rounds", *path)))
def test_every_example_runs(path: tuple[str, ...], place: Path, databases: Databases) -> None:
    for name in ("rounds-2026-03-14.backup", "anchor.json") if path in (("backup",), ("anchor",)) else ():
        (place / name).unlink()
    found = examples(path)
    assert found
    for line in found:
        if line in ELSEWHERE_LINES:
            continue
        if "postgresql+psycopg://" in line:
            line = line.replace("postgresql+psycopg://owner@db/rounds", f"'{databases.fresh().url}'")
        assert call(line, place) == 0, line


def call(line: str, place: Path) -> int:
    """Runs the line in this process where it is a call of `rounds` alone, else in a shell; answers the exit code."""
    if set("|<>").isdisjoint(line):
        with chdir(place):
            return CliRunner().invoke(app, shlex.split(line)[1:], prog_name="rounds").exit_code
    own = environment(PATH=f"{place / 'bin'}:{os.environ['PATH']}")
    return subprocess.run(["sh", "-c", line], cwd=place, env=own, capture_output=True, timeout=120).returncode
