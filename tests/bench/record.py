"""How fast rounds are recorded: `rounds record` whole, in one process, and bare SQLite with the same bytes.

`python -m tests.bench.record [--rounds 5000] [--repeat 5] [--players 60] [--profile]`
"""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count, groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from cli.simulation.feed import PLAYERS
from domain.intake import command_and_digest
from ledger.quick_json import QUICK
from tests.bench import bare, material
from tests.bench.layers import profiled
from tests.bench.measure import Bench, Figures, Gate, Run, finish, in_turns, options, positive

BARE = "bare sqlite3, one round a commit"
WHOLE = "rounds record, whole process"
IN_PROCESS = "parse and submit, in process"
PARSE = "parse only"
AT_LEAST = 0.5


def measure(rounds: int, repeat: int, seed: int, players: int = PLAYERS, *, profile: bool = False) -> Bench:
    """Every case into a fresh file each turn."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        feed_file = folder / "feed.jsonl"
        material.write_feed(feed_file, rounds, seed, players)
        material.record(feed_file, f"sqlite:///{folder / 'first.db'}")
        streams = recorded_streams(folder / "first.db")
        events = sum(map(len, streams))
        cases = _cases(feed_file, streams, folder)
        timed: dict[str, Run] = {case: partial(_timed, work, rounds, events) for case, work in cases.items()}
        sizes = {"rounds": rounds, "lines": feed_file.read_bytes().count(b"\n"), "events": events}
        bench = Bench("record", sizes, in_turns(timed, repeat))
        if profile:
            bench.notes += _profile(cases[IN_PROCESS])
    bench.gates = [Gate(f"{WHOLE}, x {BARE}", bench.ratio(WHOLE, BARE, "rounds/s"), AT_LEAST)]
    return bench


def _cases(feed_file: Path, streams: list[list[bare.Row]], folder: Path) -> dict[str, Callable[[], object]]:
    places = (folder / f"{number}.db" for number in count())
    return {
        BARE: lambda: bare.sqlite(streams, next(places)),
        WHOLE: lambda: whole_process(feed_file, next(places)),
        IN_PROCESS: lambda: material.record(feed_file, f"sqlite:///{next(places)}"),
        PARSE: lambda: parse_only(feed_file),
    }


def whole_process(feed_file: Path, store: Path) -> None:
    """`rounds record` from the start of the interpreter to its exit."""
    program = str(Path(sys.executable).with_name("rounds"))
    command = [program, "--db", f"sqlite:///{store}", "record", "-q", "--format", "jsonl", str(feed_file)]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ROUNDS_")}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def parse_only(feed_file: Path) -> None:
    """Reading the feed into commands, and nothing else."""
    with feed_file.open("rb") as lines:
        for line in lines:
            command_and_digest(line, QUICK)


def recorded_streams(store: Path) -> list[list[bare.Row]]:
    """The rows of a recorded store for a plain table, one list a stream, numbered anew in that order."""
    with closing(sqlite3.connect(store)) as connection:
        rows = connection.execute(
            "SELECT stream_id, version, name, at, recorded_at, payload, hash FROM events ORDER BY stream_id, version"
        ).fetchall()
    numbered = [(position, *row) for position, row in enumerate(rows, 1)]
    return [list(each) for _, each in groupby(numbered, key=lambda row: row[1])]


def _timed(work: Callable[[], object], rounds: int, events: int) -> Figures:
    """How long `work` takes, with the processor time of this process and of those that it starts."""
    began, busy = time.perf_counter(), _busy()
    work()
    seconds, busy = time.perf_counter() - began, _busy() - busy
    return {
        "s": seconds,
        "rounds/s": rounds / seconds,
        "events/s": events / seconds,
        "µs of processor/round": 1e6 * busy / rounds,
    }


def _busy() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def _profile(work: Callable[[], object]) -> Iterator[str]:
    """Where the time of one process goes; a profiler slows calls down, so the shares are a map and no measure."""
    shares = ", ".join(f"{layer} {share:.1%}" for layer, share in profiled(work))
    yield f"profiled, {IN_PROCESS}: {shares}"


def main() -> int:
    """Measures and prints."""
    parser = options("tests.bench.record", __doc__)
    parser.add_argument("--rounds", type=positive, default=5_000)
    parser.add_argument("--players", type=positive, default=PLAYERS, help=f"who share the tables (default: {PLAYERS})")
    parser.add_argument("--profile", action="store_true", help="also say which layers the time goes into")
    told = parser.parse_args()
    return finish(measure(told.rounds, told.repeat, told.seed, told.players, profile=told.profile))


if __name__ == "__main__":
    sys.exit(main())
