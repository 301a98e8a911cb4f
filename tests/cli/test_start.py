"""Who only reads waits for nothing that writes: a ledger in a file is read without SQLAlchemy and the library."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROUND, Rounds, environment

WRITES = ("sqlalchemy", "eventsourcing", "alembic", "psycopg", "asyncio", "importlib.metadata", "multiprocessing")

_EACH = """
import contextlib, io, json, sys
from cli.main import app
written = tuple(json.loads(sys.argv[2]))
for arguments in json.loads(sys.argv[1]):
    answer, said = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with contextlib.redirect_stdout(answer), contextlib.redirect_stderr(said):
        code = app.main(arguments, standalone_mode=False)
    loaded = sorted({name for name in written for module in sys.modules if (module + ".").startswith(name + ".")})
    print(json.dumps([" ".join(arguments), code, loaded, said.getvalue()]))
"""

READING = [
    ["replay", ROUND],
    ["replay", ROUND, "--recheck", "--format", "json"],
    ["replay", ROUND, "--at", "5", "--seat", "1"],
    ["replay", "--all", "--format", "jsonl"],
    ["replay", ROUND, "--with", "house-way=mbs"],
    ["replay", "PG01-20260314-9"],
    ["list"],
    ["list", "--table", "PG01", "--around", "19:00", "--seat", "1", "--hand", "pair", "--won", "1.."],
    ["list", "--table", "PG-01"],
    ["list", "--player", "nobody", "--outcome", "win"],
    ["list", "--missing"],
    ["balance"],
    ["meter", "list"],
    ["meter", "report"],
    ["jackpot", "list"],
    ["jackpot", "show", ROUND],
    ["sheet", "list"],
    ["sheet", "show", "fortune-cardroom@1"],
    ["recheck", "--day", "2026-03-14"],
    ["projection", "status"],
    ["anchor"],
    ["verify"],
    ["explain", "wager.limit"],
]


@pytest.fixture
def caught_up(one_round: Path, rounds: Rounds) -> Path:
    """A store whose read models lack nothing."""
    for read_model in (["list"], ["balance"], ["meter", "report"]):
        rounds(*read_model)
    return one_round


def test_who_reads_loads_nothing_that_writes(caught_up: Path, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _EACH, json.dumps(READING), json.dumps(WRITES)],
        env=environment(), cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [loaded for _, _, loaded, _ in told if loaded] == [], told
    assert [(name, said) for name, code, _, said in told if code not in (0, None, 3)] == []


def test_what_there_is_to_take_in_is_taken_in(one_round: Path, rounds: Rounds) -> None:
    """The read models are made by the first who asks them, and moved by the next after something was recorded."""
    assert ROUND in rounds("list").out
    (row,) = rounds("projection", "status", "--format", "jsonl").rows()[-1:]
    assert (row["name"], row["lag"]) == ("rounds", 0)
