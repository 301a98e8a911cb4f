"""Stores and ways to call `rounds` for the tests of the command line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from cli.main import app
from cli.simulation.feed import feed
from cli.simulation.habits import EVENTFUL

ROOT = Path(__file__).parents[2]
ONE_ROUND = ROOT / "tests" / "cases" / "examples" / "one-round.jsonl"
ROUND = "PG01-20260314-1"


class Ran(NamedTuple):
    """How a call ended."""

    code: int
    out: str
    err: str

    def rows(self) -> list[dict[str, Any]]:
        """The JSON lines of the answer."""
        return [json.loads(line) for line in self.out.splitlines()]


Rounds = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has a directory of its own, and no ledger or style is named from outside."""
    monkeypatch.chdir(tmp_path)
    for name in ("ROUNDS_DB", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def rounds() -> Rounds:
    """Calls `rounds` inside this process; `input` is its standard input."""

    def call(*arguments: object, input: bytes | str | None = None) -> Ran:
        result = CliRunner().invoke(app, [str(each) for each in arguments], input=input, prog_name="rounds")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    return call


def environment(**more: str) -> Mapping[str, str]:
    """A process's environment in which the packages are found and nothing else is set."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), **more}


def start(*arguments: object, **options: Any) -> subprocess.Popen[bytes]:
    """Starts `rounds` as a process of its own."""
    command = [sys.executable, "-m", "cli", *(str(each) for each in arguments)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, **{"env": environment(), **pipes, **options})


@pytest.fixture
def process() -> Rounds:
    """Calls `rounds` as a process of its own."""

    def call(*arguments: object, input: bytes = b"", env: Mapping[str, str] | None = None) -> Ran:
        running = start(*arguments, env=environment(**(env or {})), preexec_fn=_default_interrupt)
        out, err = running.communicate(input, timeout=60)
        return Ran(running.returncode, out.decode(), err.decode())

    return call


def _default_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def _one_round(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _recorded(tmp_path_factory.mktemp("one-round"), ONE_ROUND)


@pytest.fixture(scope="session")
def _evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening")
    file = folder / "feed.jsonl"
    file.write_text("".join(json.dumps(command) + "\n" for command in feed(3, 25, habits=EVENTFUL)), encoding="utf-8")
    return _recorded(folder, file)


def _recorded(folder: Path, file: Path) -> Path:
    store = folder / "rounds.db"
    result = CliRunner().invoke(app, ["record", str(file), "--db", f"sqlite:///{store}"])
    assert result.exit_code == 0, result.stderr
    return store


@pytest.fixture
def one_round(_one_round: Path, tmp_path: Path) -> Path:
    """A store of the example round, at the place where `rounds` looks for it."""
    return Path(shutil.copy(_one_round, tmp_path / "rounds.db"))


@pytest.fixture
def evening(_evening: Path, tmp_path: Path) -> Path:
    """A store of 25 generated rounds, at the place where `rounds` looks for it."""
    return Path(shutil.copy(_evening, tmp_path / "rounds.db"))
