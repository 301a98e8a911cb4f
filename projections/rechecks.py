"""The settlement of many rounds computed anew, in as many processes as the machine has for it."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ledger.service import Ledger
from projections.rules import Rules, differences_of

if TYPE_CHECKING:
    from concurrent.futures import Future

BATCH = 100
"""Rounds that are read at once."""
WORTH_A_PROCESS = 400
"""With fewer rounds for each, another process costs more than it does."""

Result = TypeVar("Result")
Work = Callable[[Ledger, Rules, Sequence[str]], list[Result]]


class Rechecked(NamedTuple):
    """A round with what differs in it, in words; nothing where it is as it was recorded."""

    round: str
    differences: list[str]


def recheck_rounds(ledger: Ledger, rules: Rules, keys: Sequence[str]) -> list[Rechecked]:
    """The rounds of `keys`, each computed anew from its own events."""
    return [Rechecked(key, differences_of(records, rules)) for key, records in ledger.feed.streams("round", keys)]


def in_processes(
    url: str, keys: Sequence[str], work: Work[Result], processes: int | None = None, batch: int = BATCH
) -> Iterator[list[Result]]:
    """What `work` makes of `keys`, a batch at a time in their order.

    `work` must be importable. It is done here where there is little to do; else `processes` (the machine's) open the
    ledger at `url` to read, each for itself.
    """
    batches = [keys[start : start + batch] for start in range(0, len(keys), batch)]
    count = min(processes or available(), len(keys) // WORTH_A_PROCESS)
    if count > 1:
        yield from _spread(url, batches, work, count)
        return
    with Ledger.open(url, create=False) as ledger:
        rules = Rules(ledger)
        for each in batches:
            yield work(ledger, rules, each)


def available() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _spread(url: str, batches: Sequence[Sequence[str]], work: Work[Result], count: int) -> Iterator[list[Result]]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # A process that is spawned shares no connection and no thread with this one.
    pool = ProcessPoolExecutor(count, get_context("spawn"), _begin, (url,))
    ahead: dict[int, Future[list[Result]]] = {}
    sent = 0
    try:
        for place in range(len(batches)):
            while sent < len(batches) and sent < place + 4 * count:
                ahead[sent] = pool.submit(_do, work, batches[sent])
                sent += 1
            yield ahead.pop(place).result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_here: dict[str, Any] = {}
"""The ledger and the rules of a working process, opened once."""


def _begin(url: str) -> None:
    # Ctrl-C goes to every process of the terminal; the one that was called answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Events are many small objects that go away together; looking for cycles among them is a fifth of the work.
    gc.set_threshold(100_000)
    ledger = Ledger.open(url, create=False)
    _here.update(ledger=ledger, rules=Rules(ledger))


def _do(work: Work[Result], keys: Sequence[str]) -> list[Result]:
    return work(_here["ledger"], _here["rules"], keys)
