"""The store alone on SQLite: clients that each wait for every round to be durable, beside plain sqlite3.

`python -m tests.bench.store [--rounds 3000] [--repeat 5] [--clients 1 8 32]`

A client hands a whole round in, command by command as they were recorded, and waits; what waits shares a commit.
"""

from __future__ import annotations

import sys
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench import bare, clients, given, material
from tests.bench.measure import Bench, Figures, Gate, Run, finish, in_turns, options

RAW = "plain sqlite3, 1 client"
LIBRARY = "the library's recorder, 1 client"
MOST = 32
AT_LEAST, P99_MS = 1.3, 20.0


def measure(rounds: int, repeat: int, seed: int, numbers: tuple[int, ...] = (1, 8, MOST)) -> Bench:
    """Every case into a fresh file each turn."""
    some = material.copies(material.played(min(rounds, 400), seed), rounds)
    events = material.count(some)
    submitted = [given.submissions(each) for each in some]
    with TemporaryDirectory() as name:
        places = (Path(name) / f"{number}.db" for number in count())
        cases: dict[str, Run] = {
            RAW: lambda: _raw(some, next(places)),
            LIBRARY: lambda: _library(some, next(places)),
        }
        for number in numbers:
            cases[product(number)] = partial(lambda number: _product(submitted, next(places), number, events), number)
        bench = Bench("store", {"rounds": rounds, "events": events, "turns": repeat}, in_turns(cases, repeat))
    bench.gates = [
        Gate(f"{MOST} clients, x plain sqlite3 of one client", bench.ratio(product(MOST), RAW, "events/s"), AT_LEAST),
        Gate(f"{MOST} clients, p99 ms", bench.middle(product(MOST), "p99 ms"), P99_MS, at_most=True),
    ]
    return bench


def product(number: int) -> str:
    """The name of the product's case."""
    return f"the ledger, {number} client{'s' * (number > 1)}"


def _raw(rounds: list[material.StoredRound], store: Path) -> Figures:
    return clients.figures([bare.sqlite(bare.rows(rounds), store)], material.count(rounds))


def _library(rounds: list[material.StoredRound], store: Path) -> Figures:
    recorder = bare.library_sqlite(store)
    with closing(recorder.datastore):
        done = clients.work_off(bare.stored_events(rounds), recorder.insert_events)
    return clients.figures([done], material.count(rounds))


def _product(rounds: list[given.Submissions], store: Path, number: int, events: int) -> Figures:
    with given.ledger(f"sqlite:///{store}") as ledger:
        done = clients.in_threads(rounds, number, ledger.record_all)
        assert ledger.head().position == events
    return clients.figures(done, events)


def main() -> int:
    """Measures and prints."""
    parser = options("tests.bench.store", __doc__)
    parser.add_argument("--rounds", type=int, default=3_000)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, MOST])
    given_ = parser.parse_args()
    return finish(measure(given_.rounds, given_.repeat, given_.seed, tuple(sorted({*given_.clients, MOST}))))


if __name__ == "__main__":
    sys.exit(main())
