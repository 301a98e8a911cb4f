"""Many writers on PostgreSQL, beside plain psycopg and the library's recorder, and what a reader sees meanwhile.

`python -m tests.bench.postgres [--rounds 1500] [--repeat 5] [--players 2]`

ROUNDS_TEST_PG names another server; without it one is started for the run, with the settings it is shipped with.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing, nullcontext

from tests.bench import bare, clients, given, material, server, writers
from tests.bench.clients import Share
from tests.bench.measure import Bench, Figures, Gate, Run, finish, in_turns, options
from tests.bench.writers import Rounds
from tests.postgres import Database, Databases

WRITERS = 8
IN_PROCESS, PROCESSES = 1.5, 1.0

RAW = "plain psycopg, 1 client"
RAW_MANY = f"plain psycopg, {WRITERS} processes, in no order"
LIBRARY_THREADS = f"the library's recorder, {WRITERS} clients of one process"
LIBRARY = f"the library's recorder, {WRITERS} processes"
ALONE = "the ledger, 1 client"
THREADS = f"the ledger, {WRITERS} clients of one process"
MANY = f"the ledger, {WRITERS} processes"

Write = Callable[[str, Rounds], list[Share]]


def measure(databases: Databases, rounds: int, repeat: int, seed: int, players: int = 2) -> Bench:
    """Every case into a fresh database each turn, then the readers."""
    some = material.played(rounds, seed, players)
    sizes = {"rounds": rounds, "events": material.count(some), "writers": WRITERS}
    bench = Bench("postgres", sizes, in_turns(_cases(databases, some), repeat))
    best = max((LIBRARY, LIBRARY_THREADS), key=lambda case: bench.middle(case, "events/s"))
    bench.gates = [
        Gate(f"{THREADS}, x {best}", bench.ratio(THREADS, best, "events/s"), IN_PROCESS),
        Gate(f"{MANY}, x {best}", bench.ratio(MANY, best, "events/s"), PROCESSES),
        *(gate for held in (False, True) for gate in _read(databases, some, held)),
    ]
    return bench


def _cases(databases: Databases, rounds: Rounds) -> dict[str, Run]:
    def case(write: Write, made: Callable[[], Database], prepare: Callable[[str], object] = lambda _: None) -> Run:
        return lambda: _figures(databases, made(), rounds, write, prepare)

    def library_tables(url: str) -> None:
        bare.library_postgres(url).datastore.close()

    empty, fresh = databases.empty, databases.fresh
    return {
        RAW: case(_processes(writers.raw, 1), empty, bare.make_postgres),
        RAW_MANY: case(_processes(writers.raw, WRITERS), empty, bare.make_postgres),
        LIBRARY_THREADS: case(_library_threads, empty, library_tables),
        LIBRARY: case(_processes(writers.library, WRITERS), empty, library_tables),
        ALONE: case(_processes(writers.product, 1), fresh),
        THREADS: case(_threads, fresh),
        MANY: case(_processes(writers.product, WRITERS), fresh),
    }


def _figures(
    databases: Databases, database: Database, rounds: Rounds, write: Write, prepare: Callable[[str], object]
) -> Figures:
    prepare(database.url)
    try:
        return clients.figures(write(database.url, rounds), material.count(rounds))
    finally:
        databases.drop_one(database)


def _processes(writer: writers.Writer, number: int) -> Write:
    return lambda url, rounds: writers.in_processes(writer, url, rounds, number)


def _library_threads(url: str, rounds: Rounds) -> list[Share]:
    recorder = bare.library_postgres(url, WRITERS)
    with closing(recorder.datastore):
        return clients.in_threads(bare.stored_events(rounds), WRITERS, recorder.insert_events)


def _threads(url: str, rounds: Rounds) -> list[Share]:
    submitted = [given.submissions(each) for each in rounds]
    with given.ledger(url) as ledger:
        ledger.head()
        return clients.in_threads(submitted, WRITERS, ledger.record_all)


def _read(databases: Databases, rounds: Rounds, held: bool) -> list[Gate]:
    """How many events a reader missed that followed the log by position while it was written."""
    gates: list[Gate] = []
    for name, write in ((THREADS, _threads), (MANY, _processes(writers.product, WRITERS))):
        database = databases.fresh()
        other = writers.held_open(database.url) if held else nullcontext()
        with other, writers.following(database.url) as followed:
            write(database.url, rounds)
        missed = set(range(1, material.count(rounds) + 1)).difference(followed.seen)
        databases.drop_one(database)
        while_open = ", another transaction held open" if held else ""
        gates.append(Gate(f"events that a reader missed of {name}{while_open}", len(missed), 0, at_most=True))
    return gates


def main() -> int:
    """Measures and prints."""
    parser = options("tests.bench.postgres", __doc__)
    parser.add_argument("--rounds", type=int, default=1_500)
    parser.add_argument("--players", type=int, default=2, help="who share the tables (default: 2, 12 events a round)")
    told = parser.parse_args()
    with server.databases() as databases:
        return finish(measure(databases, told.rounds, told.repeat, told.seed, told.players))


if __name__ == "__main__":
    sys.exit(main())
