"""How long a command takes as a whole process: the help, and one round replayed from a large log.

`python -m tests.bench.startup [--events 1000000] [--store FILE] [--repeat 15]`

The large store is made first, or taken from FILE if a run before made it there.
"""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench import large
from tests.bench.measure import Bench, Figures, Gate, Run, finish, in_turns, options, positive

PYTHON = "an interpreter that does nothing"
HELP, REPLAY = "rounds --help", "rounds replay ROUND"
HELP_MS, REPLAY_MS = 200.0, 300.0
WATCHED = ("sqlalchemy", "eventsourcing", "alembic", "psycopg", "orjson", "click", "sqlite3")
"""What a command may load or not; the rest is the standard library's and our own."""

_TELL = """
import json, sys
from cli.main import main
sys.argv = ["rounds", *json.loads(sys.argv[1])]
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def measure(store: Path, repeat: int) -> Bench:
    """The commands in turns, each a process of its own; then what each of them loads."""
    events = large.size(store)
    commands = {HELP: ["--help"], REPLAY: ["--db", f"sqlite:///{store}", "replay", _a_round(store, events // 2)]}
    cases: dict[str, Run] = {PYTHON: partial(_timed, [sys.executable, "-c", ""])}
    for name, arguments in commands.items():
        cases[name] = partial(_timed, [_program(), *arguments])
    bench = Bench("startup", {"events": events}, in_turns(cases, repeat))
    loaded = {name: _modules(arguments) for name, arguments in commands.items()}
    bench.gates = [
        Gate(f"{HELP}, ms", bench.middle(HELP, "ms"), HELP_MS, at_most=True),
        Gate(f"{HELP}, modules of SQLAlchemy", _parts(loaded[HELP])["sqlalchemy"], 0, at_most=True),
        Gate(f"{REPLAY}, modules of SQLAlchemy", _parts(loaded[REPLAY])["sqlalchemy"], 0, at_most=True),
        Gate(f"{REPLAY}, {events:,} events, ms", bench.middle(REPLAY, "ms"), REPLAY_MS, at_most=True),
    ]
    bench.notes = [f"{name} loads {_told(modules)}" for name, modules in loaded.items()]
    return bench


def _program() -> str:
    return str(Path(sys.executable).with_name("rounds"))


def _environment() -> dict[str, str]:
    """Whoever starts the program has its modules compiled from the time before."""
    return {
        key: value
        for key, value in os.environ.items()
        if not key.startswith("ROUNDS_") and key != "PYTHONDONTWRITEBYTECODE"
    }


def _timed(command: Sequence[str]) -> Figures:
    """A process from its start to its end, and the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(command, env=_environment(), stdout=subprocess.DEVNULL, check=True)
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"ms": 1000 * seconds, "ms of processor": 1000 * busy}


def _modules(arguments: Sequence[str]) -> list[str]:
    """The modules that are loaded when the command ends."""
    told = subprocess.run(
        [sys.executable, "-c", _TELL, json.dumps(arguments)],
        env=_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
    )
    modules: list[str] = json.loads(told.stderr.splitlines()[-1])
    return modules


def _parts(modules: Sequence[str]) -> dict[str, int]:
    """How many modules of each package that is watched."""
    packages = [name.partition(".")[0] for name in modules]
    return {package: packages.count(package) for package in WATCHED}


def _told(modules: Sequence[str]) -> str:
    parts = ", ".join(f"{number} of {package}" for package, number in _parts(modules).items() if number)
    return f"{len(modules)} modules: {parts}"


def _a_round(store: Path, position: int) -> str:
    """The key of a round that has an event near `position`."""
    with closing(sqlite3.connect(store)) as connection:
        (key,) = connection.execute(
            """SELECT s.key FROM events AS e JOIN streams AS s ON s.id = e.stream_id
            WHERE s.kind = 'round' AND e.position >= ? ORDER BY e.position LIMIT 1""",
            (position,),
        ).fetchone()
    return str(key)


def main() -> int:
    """Makes the store where it is not there, measures and prints."""
    parser = options("tests.bench.startup", __doc__, repeat=15)
    parser.add_argument("--events", type=positive, default=1_000_000, help="of the large store (default: 1,000,000)")
    parser.add_argument("--store", type=Path, help="where the large store is kept for the next run")
    told = parser.parse_args()
    with TemporaryDirectory() as name:
        store = large.built(told.store or Path(name) / "large.db", told.events)
        return finish(measure(store, told.repeat))


if __name__ == "__main__":
    sys.exit(main())
