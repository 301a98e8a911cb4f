"""Plays conformance cases through the real command line and says what differs.

`python -m tests.cases.runner [DIR] [--game GAME]` plays a folder's cases with the installed `rounds`, as a table.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.cases import compare
from tests.cases.case import DATA, Case, load


class CommandLine:
    """The installed `rounds` on one store."""

    def __init__(self, store: str) -> None:
        beside = Path(sys.executable).with_name("rounds")
        program = str(beside) if beside.exists() else shutil.which("rounds")
        if program is None:
            raise SystemExit("rounds is not installed: run make test, or pip install -e .")
        self._program = program
        self._store = store
        self._environment = {key: value for key, value in os.environ.items() if not key.startswith("ROUNDS_")}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """One command to its end; it may fail."""
        command = [self._program, "--db", self._store, *arguments]
        return subprocess.run(
            command, env=self._environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
        )

    def answer(self, *arguments: str) -> str:
        """What a command that must succeed writes to standard output."""
        done = self.run(*arguments)
        if done.returncode != 0:
            raise CommandFailed(f"rounds {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def rows(self, *arguments: str) -> list[dict[str, Any]]:
        """The objects of a JSONL answer."""
        return _objects(self.answer(*arguments, "--format", "jsonl"))


class CommandFailed(Exception):
    """A command that must succeed did not."""


def play(case: Case, folder: Path, *, each_round: bool = False, store: str | None = None) -> list[str]:
    """Records the case's feed into a fresh store in `folder` and returns what differs, nothing where all is equal.

    `store` is the URL of another fresh store.
    `each_round` also replays every round by itself, a process each, and compares it with the one of `replay --all`.
    """
    try:
        return list(_differences(case, CommandLine(store or f"sqlite:///{folder / 'rounds.db'}"), each_round))
    except CommandFailed as error:
        return [str(error)]


def _differences(case: Case, rounds: CommandLine, each_round: bool) -> Iterator[str]:
    recorded = rounds.run("record", str(case.feed), "-q", "--format", "jsonl")
    refused = any(each["status"] == "refused" for each in case.of("receipt"))
    if recorded.returncode != int(refused):
        yield f"rounds record ended with {recorded.returncode}, expected {int(refused)}: {recorded.stderr.strip()}"
    yield from compare.receipts(case, _objects(recorded.stdout))
    documents = {each["round"]: each for each in rounds.rows("replay", "--all")}
    yield from compare.rounds(case, documents)
    for key in documents if each_round else ():
        if json.loads(rounds.answer("replay", key, "--format", "json")) != documents[key]:
            yield f"{key}: replay of the one round and of all rounds are two documents"
    if case.of("balance"):
        yield from compare.balances(case, json.loads(rounds.answer("balance", "--format", "json")))
    names = {each["meter"] for each in case.of("meter")}
    shown = {name: json.loads(rounds.answer("meter", "show", name, "--format", "json")) for name in names}
    yield from compare.meters(case, shown)
    rounds.answer("verify", "-q")


def _objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def main() -> int:
    """Plays a folder's cases; 1 where one of them differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.cases.runner", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, help="the cases (default: the project's)")
    parser.add_argument("--game", action="append", help="only cases of this game; may be repeated")
    parser.add_argument("--each-round", action="store_true", help="also replay every round by itself")
    options = parser.parse_args()
    failed = played = 0
    for case in load(options.folder):
        if options.game and case.game not in options.game:
            continue
        with tempfile.TemporaryDirectory() as folder:
            differences = play(case, Path(folder), each_round=options.each_round)
        played += 1
        failed += bool(differences)
        print(f"{'differs' if differences else 'passes ':8}{case.game:18}{case.name}", flush=True)
        for each in differences:
            print(f"        {each}")
    print(f"{played - failed} of {played} cases pass")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
