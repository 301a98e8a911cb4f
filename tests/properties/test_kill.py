"""`rounds record` killed in the middle, again and again, and started again: the ledger is that of one quiet run."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.simulation.chance import Chance
from cli.simulation.feed import feed
from cli.simulation.habits import ROOM

ROUNDS = str(Path(sys.executable).with_name("rounds"))
KILLS = 5
# What a run may write differently: the clock's time, stream ids made from it, and hashes over both.
COLUMNS = 'position, version, name, schema, at, "by", source, command_id, command_size, body_hash, payload'


@pytest.mark.parametrize("seed", [1, 2])
def test_a_killed_recording_started_again_gives_the_ledger_of_one_run(seed: int, tmp_path: Path) -> None:
    feed_file = tmp_path / "feed.jsonl"
    feed_file.write_text("".join(json.dumps(command) + "\n" for command in once(seed)))
    quiet = tmp_path / "quiet.db"
    assert start(feed_file, quiet, tmp_path / "quiet.jsonl").wait() == 0
    events = count(quiet)

    killed = tmp_path / "killed.db"
    printed: list[dict[str, Any]] = []
    chance = Chance(seed)
    deaths = 0
    for attempt in range(KILLS):
        receipts = tmp_path / f"receipts-{attempt}.jsonl"
        process = start(feed_file, killed, receipts)
        deaths += kill_after(process, killed, count(killed) + chance.between(1, events // KILLS))
        printed += whole_lines(receipts)
    assert deaths >= KILLS // 2
    assert start(feed_file, killed, tmp_path / "last.jsonl").wait() == 0

    assert rows(killed) == rows(quiet)
    last = {receipt["command_id"]: receipt for receipt in whole_lines(tmp_path / "last.jsonl")}
    for receipt in printed:
        assert last[receipt["command_id"]] | {"status": receipt["status"]} == receipt
    assert subprocess.run([ROUNDS, "--db", f"sqlite:///{killed}", "verify", "-q"], check=False).returncode == 0


def once(seed: int) -> Iterator[dict[str, Any]]:
    """Sixty rounds of all games, nothing of them sent twice."""
    return feed(seed, 60, habits=replace(ROOM, sent_again=0))


def start(feed_file: Path, store: Path, receipts: Path) -> subprocess.Popen[bytes]:
    """Records the feed into the store in a process of its own; receipts go to a file."""
    command = [ROUNDS, "--db", f"sqlite:///{store}", "record", "-q", "--format", "jsonl", str(feed_file)]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ROUNDS_")}
    with receipts.open("wb") as output:
        return subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, env=environment)


def kill_after(process: subprocess.Popen[bytes], store: Path, events: int) -> bool:
    """Kills the process once the store holds so many events; returns whether it was still at work."""
    while process.poll() is None and count(store) < events:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def count(store: Path) -> int:
    """How many events the store holds, none before it is made."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT coalesce(max(position), 0) FROM events").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def rows(store: Path) -> list[tuple[Any, ...]]:
    """Every event as stored, with its stream by name instead of by id."""
    with closing(sqlite3.connect(store)) as connection:
        joined = f"SELECT {COLUMNS}, kind, key FROM events JOIN streams ON streams.id = stream_id ORDER BY position"
        return connection.execute(joined).fetchall()


def whole_lines(receipts: Path) -> list[dict[str, Any]]:
    """Receipts that were written to their end."""
    return [json.loads(line) for line in receipts.read_text().splitlines(keepends=True) if line.endswith("\n")]
