"""Many writers on PostgreSQL, beside plain psycopg and the library's recorder, and what a reader sees meanwhile.

`python -m tests.bench.postgres [--rounds 1500] [--repeat 5] [--players 2]`

ROUNDS_TEST_PG names another server; without it one is started for the run, with the settings it is shipped with.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing, nullcontext
from functools import partial

from tests.bench import bare, clients, given, material, server, writers
from tests.bench.clients import Share
from tests.bench.measure import Bench, Figures, Gate, Run, finish, in_turns, options, positive
from tests.bench.writers import Rounds
from tests.postgres import Database, Databases

IN_PROCESS, PROCESSES = 1.5, 1.0

RAW = "plain psycopg, 1 client"
ALONE = "the ledger, 1 client"

Write = Callable[[str, Rounds], list[Share]]


def measure(databases: Databases, rounds: int, repeat: int, seed: int, players: int = 2, number: int = 8) -> Bench:
    """Every case into a fresh database each turn, with `number` writers; then the readers."""
    some = material.played(rounds, seed, players)
    sizes = {"rounds": rounds, "events": material.count(some), "writers": number}
    bench = Bench("postgres", sizes, in_turns(_cases(databases, some, number), repeat))
    library = [_many("the library's recorder", number, how) for how in HOW]
    best = max(library, key=lambda case: bench.middle(case, "events/s"))
    for how, bound in zip(HOW, (IN_PROCESS, PROCESSES), strict=True):
        product = _many("the ledger", number, how)
        bench.gates.append(Gate(f"{product}, x {best}", bench.ratio(product, best, "events/s"), bound))
    for held in (False, True):
        bench.gates += _read(databases, some, number, held)
    return bench


HOW = ("clients of one process", "processes")


def _many(what: str, number: int, how: str) -> str:
    return f"{what}, {number} {how}"


def _cases(databases: Databases, rounds: Rounds, number: int) -> dict[str, Run]:
    def case(write: Write, made: Callable[[], Database], prepare: Callable[[str], object] = lambda _: None) -> Run:
        return lambda: _figures(databases, made(), rounds, write, prepare)

    empty, fresh = databases.empty, databases.fresh
    threads, processes = HOW
    library, product = "the library's recorder", "the ledger"
    return {
        RAW: case(_processes(writers.raw, 1), empty, bare.make_postgres),
        f"plain psycopg, {number} processes, in no order": case(
            _processes(writers.raw, number), empty, bare.make_postgres
        ),
        _many(library, number, threads): case(partial(_library_threads, number), empty, bare.make_library_postgres),
        _many(library, number, processes): case(_processes(writers.library, number), empty, bare.make_library_postgres),
        ALONE: case(_processes(writers.product, 1), fresh),
        _many(product, number, threads): case(partial(_threads, number), fresh),
        _many(product, number, processes): case(_processes(writers.product, number), fresh),
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


def _library_threads(number: int, url: str, rounds: Rounds) -> list[Share]:
    recorder = bare.library_postgres(url, number)
    with closing(recorder.datastore):
        return clients.in_threads(bare.stored_events(rounds), number, recorder.insert_events)


def _threads(number: int, url: str, rounds: Rounds) -> list[Share]:
    submitted = [given.submissions(each) for each in rounds]
    with given.ledger(url) as ledger:
        ledger.head()
        return clients.in_threads(submitted, number, ledger.record_all)


def _read(databases: Databases, rounds: Rounds, number: int, held: bool) -> list[Gate]:
    """How many events a reader missed that followed the log by position while it was written."""
    gates: list[Gate] = []
    written: tuple[Write, Write] = (partial(_threads, number), _processes(writers.product, number))
    for how, write in zip(HOW, written, strict=True):
        database = databases.fresh()
        other = writers.held_open(database.url) if held else nullcontext()
        with other, writers.following(database.url) as followed:
            write(database.url, rounds)
        missed = set(range(1, material.count(rounds) + 1)).difference(followed.seen)
        databases.drop_one(database)
        while_open = ", another transaction held open" if held else ""
        gates.append(
            Gate(
                f"events that a reader missed of {_many('the ledger', number, how)}{while_open}",
                len(missed),
                0,
                at_most=True,
            )
        )
    return gates


def main() -> int:
    """Measures and prints."""
    parser = options("tests.bench.postgres", __doc__)
    parser.add_argument("--rounds", type=positive, default=1_500)
    parser.add_argument(
        "--players", type=positive, default=2, help="who share the tables (default: 2, 12 events a round)"
    )
    parser.add_argument("--writers", type=positive, default=8)
    told = parser.parse_args()
    with server.databases() as databases:
        return finish(measure(databases, told.rounds, told.repeat, told.seed, told.players, told.writers))


if __name__ == "__main__":
    sys.exit(main())
