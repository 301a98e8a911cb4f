"""Many clients at once: each hands in one round after another and waits for each to be durable."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from tests.bench.measure import Figures

T = TypeVar("T")


class Share(NamedTuple):
    """One client's work: when it began and ended, how long each piece took, and the processor time of all; seconds."""

    began: float
    ended: float
    waits: list[float]
    busy: float


def work_off(pieces: Sequence[T], hand_in: Callable[[T], object]) -> Share:
    """Hands the pieces in one after another."""
    clock = time.perf_counter
    waits: list[float] = []
    busy = time.process_time()
    began = now = clock()
    for piece in pieces:
        hand_in(piece)
        waits.append(-now + (now := clock()))
    return Share(began, now, waits, time.process_time() - busy)


def shares(pieces: Sequence[T], clients: int) -> list[Sequence[T]]:
    """The pieces dealt out to the clients."""
    return [pieces[client::clients] for client in range(clients)]


def in_threads(pieces: Sequence[T], clients: int, hand_in: Callable[[T], object]) -> list[Share]:
    """The clients as threads of this process, begun together; the first failure is raised."""
    done: list[Share] = []
    failed: list[BaseException] = []
    together = threading.Barrier(clients)

    def client(mine: Sequence[T]) -> None:
        try:
            together.wait()
            done.append(work_off(mine, hand_in))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=client, args=(mine,)) for mine in shares(pieces, clients)]
    busy = time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    busy = time.process_time() - busy
    return [share._replace(busy=busy / clients) for share in done]


def figures(done: Sequence[Share], events: int) -> Figures:
    """The rate of all clients, how long a round took to be durable, and the processor time of the clients' side."""
    seconds = max(each.ended for each in done) - min(each.began for each in done)
    waits = sorted(wait for each in done for wait in each.waits)
    return {
        "events/s": events / seconds,
        "p50 ms": 1000 * waits[len(waits) // 2],
        "p99 ms": 1000 * waits[min(int(len(waits) * 0.99), len(waits) - 1)],
        "µs of processor/event": 1e6 * sum(each.busy for each in done) / events,
    }
