"""The store alone on SQLite: clients that each wait for every round to be durable, beside plain sqlite3.

`python -m tests.bench.store [--rounds 3000] [--repeat 5] [--clients 1 8 32]`

A client hands a whole round in, command by command as they were recorded, and waits; what waits shares a commit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench import bare, clients, given, material
from tests.bench.measure import Bench, Figures, Gate, Run, finish, in_turns, options, positive

RAW = "plain sqlite3, 1 client"
LIBRARY = "the library's recorder, 1 client"
MOST = 32
AT_LEAST, P99_MS = 1.3, 20.0


def measure(rounds: int, repeat: int, seed: int, numbers: Sequence[int] = (1, 8, MOST)) -> Bench:
    """Every case into a fresh file each turn, for rounds of each shape."""
    sizes = {"rounds": rounds}
    cases: dict[str, Run] = {}
    with TemporaryDirectory() as name:
        places = (Path(name) / f"{number}.db" for number in count())
        for shape, players in material.SHAPES.items():
            some = material.played(rounds, seed, players)
            sizes[f"events of {shape}"] = material.count(some)
            cases |= {f"{shape}: {case}": run for case, run in _cases(some, numbers, places.__next__).items()}
        bench = Bench("store", sizes, in_turns(cases, repeat))
    for shape in material.SHAPES:
        raw, product = f"{shape}: {RAW}", f"{shape}: {_clients(MOST)}"
        bench.gates += [
            Gate(f"{product}, x plain sqlite3 of one client", bench.ratio(product, raw, "events/s"), AT_LEAST),
            Gate(f"{product}, p99 ms", bench.middle(product, "p99 ms"), P99_MS, at_most=True),
        ]
    return bench


def _cases(rounds: list[material.StoredRound], numbers: Sequence[int], place: Callable[[], Path]) -> dict[str, Run]:
    submitted = [given.submissions(each) for each in rounds]
    events = material.count(rounds)
    cases: dict[str, Run] = {
        RAW: lambda: _raw(rounds, place()),
        LIBRARY: lambda: _library(rounds, place()),
    }
    for number in numbers:
        cases[_clients(number)] = partial(lambda number: _product(submitted, place(), number, events), number)
    return cases


def _clients(number: int) -> str:
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
    parser.add_argument("--rounds", type=positive, default=3_000)
    parser.add_argument("--clients", type=positive, nargs="+", default=[1, 8, MOST])
    told = parser.parse_args()
    return finish(measure(told.rounds, told.repeat, told.seed, sorted({*told.clients, MOST})))


if __name__ == "__main__":
    sys.exit(main())
