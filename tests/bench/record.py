"""How fast rounds are recorded: `rounds record` whole, in one process, and bare SQLite with the same bytes.

`python -m tests.bench.record [--rounds 5000] [--repeat 5]`
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path

from cli.simulation.feed import feed
from cli.simulation.habits import ROOM
from domain.intake import command_and_digest
from ledger.service import Ledger
from tests.bench.layers import profiled

GROUP = 64
Row = tuple[object, ...]


def write_feed(path: Path, rounds: int, seed: int) -> None:
    """The feed that every case records."""
    habits = replace(ROOM, sent_again=0)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(command) + "\n" for command in feed(seed, rounds, games=("fortune",), habits=habits))


def whole_process(feed_file: Path, store: Path) -> None:
    """`rounds record` from the start of the interpreter to its exit."""
    program = str(Path(sys.executable).with_name("rounds"))
    command = [program, "--db", f"sqlite:///{store}", "record", "-q", "--format", "jsonl", str(feed_file)]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ROUNDS_")}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def in_process(feed_file: Path, store: Path) -> None:
    """Parsing and recording in this process, in the command line's groups."""
    with Ledger.open(f"sqlite:///{store}") as ledger, feed_file.open("rb") as lines:
        submissions = map(command_and_digest, lines)
        while group := list(islice(submissions, GROUP)):
            ledger.submit(group)


def parse_only(feed_file: Path) -> None:
    """Reading the feed into commands, and nothing else."""
    with feed_file.open("rb") as lines:
        for line in lines:
            command_and_digest(line)


def bare_sqlite(rounds: list[list[Row]], store: Path) -> None:
    """The same rows into a plain table, a whole round in each durable commit."""
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(
            "CREATE TABLE events (position INTEGER PRIMARY KEY, stream_id BLOB, version INTEGER, name TEXT, at TEXT,"
            " recorded_at INTEGER, payload BLOB, hash BLOB, UNIQUE (stream_id, version))"
        )
        for rows in rounds:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            connection.execute("COMMIT")


def recorded_rounds(store: Path) -> list[list[Row]]:
    """The rows of a recorded store, one list a stream, numbered anew in that order."""
    with closing(sqlite3.connect(store)) as connection:
        rows = connection.execute(
            "SELECT stream_id, version, name, at, recorded_at, payload, hash FROM events ORDER BY stream_id, version"
        ).fetchall()
    numbered = [(position, *row) for position, row in enumerate(rows, 1)]
    return [list(each) for _, each in groupby(numbered, key=lambda row: row[1])]


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(feed_file: Path, folder: Path, repeat: int) -> dict[str, list[float]]:
    """Every case once in each repetition, so that a noisy moment strikes all of them; the first one only warms up."""
    in_process(feed_file, folder / "first.db")
    rounds = recorded_rounds(folder / "first.db")
    taken: dict[str, list[float]] = {}
    for repetition in range(repeat + 1):
        cases: dict[str, Callable[[], object]] = {
            "bare sqlite3, one round a commit": lambda at=repetition: bare_sqlite(rounds, folder / f"bare-{at}.db"),  # type: ignore[misc]
            "rounds record, whole process": lambda at=repetition: whole_process(feed_file, folder / f"whole-{at}.db"),  # type: ignore[misc]
            "parse and submit, in process": lambda at=repetition: in_process(feed_file, folder / f"in-{at}.db"),  # type: ignore[misc]
            "parse only": lambda: parse_only(feed_file),
        }
        for name, work in cases.items():
            figure = seconds(work)
            if repetition:
                taken.setdefault(name, []).append(figure)
    return taken


def report(taken: dict[str, list[float]], rounds: int, events: int, lines: int) -> Iterator[str]:
    """The table, with each case as a ratio to bare SQLite of the same run."""
    yield f"{rounds} rounds, {lines} lines, {events} events; median of {len(next(iter(taken.values())))} repetitions"
    yield ""
    yield "| case | seconds | rounds/s | events/s | x bare |"
    yield "|---|---:|---:|---:|---:|"
    bare = statistics.median(next(iter(taken.values())))
    for name, figures in taken.items():
        middle = statistics.median(figures)
        rates = f"{rounds / middle:,.0f} | {events / middle:,.0f} | {bare / middle:.2f}"
        yield f"| {name} | {middle:.2f} | {rates} |"


def main() -> None:
    """Measures and prints the tables as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.record", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        feed_file = folder / "feed.jsonl"
        write_feed(feed_file, options.rounds, options.seed)
        taken = measure(feed_file, folder, options.repeat)
        events = sum(map(len, recorded_rounds(folder / "first.db")))
        lines = sum(1 for _ in feed_file.open("rb"))
        print("\n".join(report(taken, options.rounds, events, lines)))
        print("\nWhere the time of one process goes (profiled, so shares only):\n\n| layer | share |\n|---|---:|")
        for layer, share in profiled(lambda: in_process(feed_file, folder / "profiled.db")):
            print(f"| {layer} | {share:.1%} |")


if __name__ == "__main__":
    main()
