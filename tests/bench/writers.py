"""Clients that are processes of their own, and one that follows the log meanwhile."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext
from multiprocessing.synchronize import Barrier, Event
from typing import Any

import psycopg

from tests.bench import bare, clients, given
from tests.bench.clients import Share
from tests.bench.material import StoredRound
from tests.postgres import libpq

SECONDS = 120.0
"""How long anybody waits for the others before giving up."""

Rounds = Sequence[StoredRound]
Writer = Callable[[str, Rounds, Callable[[], Any]], Share]
"""Prepares itself, waits for the others and then works its rounds off: `writer(url, rounds, wait)`."""


def raw(url: str, rounds: Rounds, wait: Callable[[], Any]) -> Share:
    """Plain psycopg, a round a commit; positions of its own, as nothing gives them out."""
    rows = bare.rows(rounds, first=1 + int(rounds[0].key[:6]) * 1_000_000)
    return bare.postgres(url, rows, wait)


def library(url: str, rounds: Rounds, wait: Callable[[], Any]) -> Share:
    """The library's recorder, a round a commit."""
    recorder = bare.library_postgres(url)
    with closing(recorder.datastore):
        events = bare.stored_events(rounds)
        wait()
        return clients.work_off(events, recorder.insert_events)


def product(url: str, rounds: Rounds, wait: Callable[[], Any]) -> Share:
    """The ledger, a round handed in at once."""
    submitted = [given.submissions(each) for each in rounds]
    with given.ledger(url) as ledger:
        ledger.head()
        wait()
        return clients.work_off(submitted, ledger.record_all)


def in_processes(writer: Writer, url: str, rounds: Rounds, number: int) -> list[Share]:
    """The rounds dealt out to `number` processes that begin together."""
    context = _context()
    together, done = context.Barrier(number), context.SimpleQueue()
    processes = [
        context.Process(target=_work, args=(writer, url, share, together, done))
        for share in clients.shares(rounds, number)
    ]
    for process in processes:
        process.start()
    found = [done.get() for _ in processes]
    for process in processes:
        process.join()
    failed = [each for each in found if isinstance(each, str)]
    if failed:
        # Who waited for the one that failed has nothing to say.
        raise RuntimeError(min(failed, key=lambda each: each.startswith("BrokenBarrierError")))
    return found


def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    # Loaded once, so that processes start at once.
    context.set_forkserver_preload(["tests.bench.writers"])
    return context


def _work(writer: Writer, url: str, rounds: Rounds, together: Barrier, done: Any) -> None:
    try:
        done.put(writer(url, rounds, lambda: together.wait(SECONDS)))
    except BaseException as error:
        together.abort()
        done.put(f"{type(error).__name__}: {error}")


@dataclass
class Followed:
    """What a reader saw of the log while it grew, by position; filled in when the writers are done."""

    seen: list[int]
    live: int = 0


@contextmanager
def following(url: str) -> Iterator[Followed]:
    """A process reads the log by position, as anybody may, until the writers are done and nothing more comes."""
    context = _context()
    ready, over, found = context.Event(), context.Event(), context.SimpleQueue()
    process = context.Process(target=_follow, args=(url, ready, over, found))
    process.start()
    followed = Followed([])
    try:
        assert ready.wait(SECONDS), "the reader did not start"
        yield followed
    finally:
        over.set()
        followed.seen, followed.live = found.get()
        process.join()


def _follow(url: str, ready: Event, over: Event, found: Any) -> None:
    seen: list[int] = []
    live = 0
    with psycopg.connect(libpq(url), autocommit=True) as connection:
        ready.set()
        while True:
            last_look = over.is_set()
            page = connection.execute(
                "SELECT position FROM events WHERE position > %s ORDER BY position LIMIT 500",
                (seen[-1] if seen else 0,),
            ).fetchall()
            seen += [position for (position,) in page]
            if not last_look:
                live = len(seen)
            elif not page:
                break
            if not page:
                time.sleep(0.001)
    found.put((seen, live))


@contextmanager
def held_open(url: str) -> Iterator[None]:
    """Somebody's own transaction in the same database, with rows of its own, left open meanwhile."""
    with psycopg.connect(libpq(url)) as connection:
        connection.execute("CREATE TABLE somebody_elses AS SELECT 1 AS one")
        connection.commit()
        connection.execute("UPDATE somebody_elses SET one = 2")
        yield
        connection.rollback()
