"""A log that is already large: appending to it beside an empty one, and reading it with every hash recomputed.

`python -m tests.bench.growth [--events 1000000] [--store FILE] [--rounds 1000] [--read 200000] [--verify] [--repeat 5]`

The large store is made first, or taken from FILE if a run before made it there; it is left as it was. One client hands
rounds in, each a durable commit. Commands' ids grow, as UUIDs of version 7 or numbers do, which the gate asks for; what
ids in no order cost is told beside it, for each of them changes a page of its own in the index of all.
"""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from eventsourcing.persistence import StoredEvent

from ledger.feed import PAGE
from ledger.integrity import verify
from ledger.rows import checked, read_rows
from ledger.service import Ledger
from tests.bench import bare, clients, given, large, material
from tests.bench.material import StoredRound
from tests.bench.measure import Bench, Figures, Gate, Run, finish, in_turns, options, positive

APPEND, READ = 0.9, 0.5
IDS = ("ids that grow", "ids in no order")
LIBRARY_READ = "the library's plain read"
CHECKED_READ = "reading with every hash recomputed"
DECODED_READ = "reading decoded events"

Numbered = Callable[[str], list[given.Submissions]]
"""Gives the rounds to append, under keys and ids that no turn before had."""


def measure(store: Path, rounds: int, read: int, repeat: int, seed: int, *, verified: bool = False) -> Bench:
    """Appends to the store and to empty ones in turns, and reads its first events in turns with the library's."""
    events = large.size(store)
    some = material.played(min(rounds, material.PLAYED), seed)
    with TemporaryDirectory(dir=store.parent) as name:
        folder = Path(name)
        read = min(read, events)
        cases = {**_reads(store, read, folder), **_appends(store, events, some, rounds, folder)}
        turns = in_turns(cases, repeat)
    large.cut(store)
    sizes = {"events there": events, "rounds appended": rounds, "events read": read}
    bench = Bench("growth", sizes, turns)
    grow, scattered = (bench.ratio(_appending(events, ids), _appending(0, ids), "events/s") for ids in IDS)
    bench.gates.append(Gate(f"{_appending(events, IDS[0])}, x an empty log", grow, APPEND))
    bench.notes.append(f"{_appending(events, IDS[1])}, x an empty log: {scattered:.2f}")
    ratio = bench.ratio(CHECKED_READ, LIBRARY_READ, "events/s")
    bench.gates.append(Gate(f"{CHECKED_READ}, x {LIBRARY_READ}", ratio, READ))
    if verified:
        bench.notes.append(_verified(store))
    return bench


def _appending(events: int, ids: str) -> str:
    return f"appending, {events:,} events there, {ids}"


def _appends(store: Path, events: int, some: Sequence[StoredRound], rounds: int, folder: Path) -> dict[str, Run]:
    numbers = count()
    cases: dict[str, Run] = {}
    for ids in IDS:
        cases[_appending(0, ids)] = lambda ids=ids: _append(folder / f"{next(numbers)}.db", some, rounds, ids)  # type: ignore[misc]
        cases[_appending(events, ids)] = partial(_append, store, some, rounds, ids)
    return cases


def _append(store: Path, some: Sequence[StoredRound], rounds: int, ids: str) -> Figures:
    new = material.copies(some, rounds, mark=f"{time.time_ns():020}-")
    if ids == IDS[1]:
        new = [_disordered(each) for each in new]
    submitted = [given.submissions(each) for each in new]
    with given.ledger(f"sqlite:///{store}") as ledger:
        ledger.submit(submitted[0])
        done = clients.work_off(submitted[1:], ledger.submit)
    return clients.figures([done], material.count(new[1:]))


def _disordered(round_: StoredRound) -> StoredRound:
    return round_._replace(
        events=[
            each if each.command_id is None else each._replace(source=large.RANDOM, command_id=secrets.token_hex(16))
            for each in round_.events
        ]
    )


def _reads(store: Path, read: int, folder: Path) -> dict[str, Run]:
    beside = folder / "library.db"
    _fill_library(store, read, beside)
    return {
        LIBRARY_READ: lambda: _rate(_library_read(beside, read), read),
        CHECKED_READ: lambda: _rate(_checked_read(store, read), read),
        DECODED_READ: lambda: _rate(_decoded_read(store, read), read),
    }


def _rate(read: Iterator[int], events: int) -> Figures:
    began, busy = time.perf_counter(), time.process_time()
    found = sum(read)
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    assert found == events, f"{found} events were read, and not {events}"
    return {"events/s": events / seconds, "µs of processor/event": 1e6 * busy / events}


def _library_read(store: Path, events: int) -> Iterator[int]:
    """Stored events as they are, in the pages that the product reads too."""
    recorder = bare.library_sqlite(store)
    with closing(recorder.datastore):
        last = 0
        while last < events:
            page = recorder.select_notifications(last, min(PAGE, events - last), inclusive_of_start=False)
            last = page[-1].id
            yield len(page)


def _checked_read(store: Path, events: int) -> Iterator[int]:
    """Rows of the log, each with its hash recomputed from the one before."""
    with Ledger.open(f"sqlite:///{store}") as ledger, ledger.store.reading() as connection:
        for _ in checked(read_rows(ledger.store.dialect, connection, until=events)):
            yield 1


def _decoded_read(store: Path, events: int) -> Iterator[int]:
    with Ledger.open(f"sqlite:///{store}") as ledger:
        last = 0
        while last < events:
            page = ledger.feed.after(last, min(PAGE, events - last))
            last = page[-1].position
            yield len(page)


def _fill_library(store: Path, events: int, beside: Path) -> None:
    recorder = bare.library_sqlite(beside)
    with closing(recorder.datastore), Ledger.open(f"sqlite:///{store}") as ledger:
        last = 0
        while last < events:
            page = ledger.recorder.select_notifications(last, min(10_000, events - last), inclusive_of_start=False)
            recorder.insert_events(
                [StoredEvent(each.originator_id, each.originator_version, each.topic, each.state) for each in page]
            )
            last = page[-1].id


def _verified(store: Path) -> str:
    with Ledger.open(f"sqlite:///{store}", read_only=True) as ledger:
        began = time.perf_counter()
        report = verify(ledger)
        seconds = time.perf_counter() - began
    assert report.verified, report.problems
    return f"verify looked at {report.count:,} events in {seconds:.1f} s, {report.count / seconds:,.0f} a second"


def main() -> int:
    """Makes the store where it is not there, measures and prints."""
    parser = options("tests.bench.growth", __doc__)
    parser.add_argument("--events", type=positive, default=1_000_000, help="of the large store (default: 1,000,000)")
    parser.add_argument("--store", type=Path, help="where the large store is kept for the next run")
    parser.add_argument("--rounds", type=positive, default=1_000)
    parser.add_argument("--read", type=positive, default=200_000, help="events read (default: 200,000)")
    parser.add_argument("--verify", action="store_true", help="verify the large store as well")
    told = parser.parse_args()
    with TemporaryDirectory() as name:
        store = large.built(told.store or Path(name) / "large.db", told.events)
        return finish(measure(store, told.rounds, told.read, told.repeat, told.seed, verified=told.verify))


if __name__ == "__main__":
    sys.exit(main())
