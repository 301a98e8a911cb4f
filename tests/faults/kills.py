"""Kills at every moment of a recording and of a projecting, one moment after another, and a check after each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count, cycle
from pathlib import Path

from tests.faults.model import Model
from tests.faults.nursery import Ended, Nursery
from tests.faults.plan import Plan
from tests.faults.simulator import Failed, Place, feed_lines

NEW_LINES = 7
"""Of the feed, with each recording; some before them are sent again."""
REPORT = ("balance", "-o", "/dev/null")


@dataclass
class Sweep:
    """One kind of death, at one moment after another; from the first again when a process lived to its end."""

    plan: Plan
    arguments: Sequence[str] = ()
    """The report that is asked for, where it is none the recording."""
    stride: int = 1
    turns: int = 0

    def lived(self) -> None:
        """The next time begins at another of the first moments, so that a stride passes over none."""
        self.turns += 1
        self.plan = replace(self.plan, at=self.turns % self.stride - self.stride)

    def next_plan(self) -> Plan:
        """The plan for the moment after the last one."""
        self.plan = replace(self.plan, at=self.plan.at + self.stride, seed=self.plan.seed + 1)
        return self.plan


def sweeps(sqlite: bool, stride: int = 1) -> list[Sweep]:
    """Every kind of death on such a database."""
    killed = Plan("kill", at=-stride, where="both" if sqlite else "statements", lines_a_commit=3)
    dying = [Sweep(killed, stride=stride), Sweep(killed, REPORT, stride)]
    if sqlite:
        return [*dying, Sweep(replace(killed, what="power cut"), stride=stride)]
    return [*dying, Sweep(replace(killed, at=-1, where="exchanges"))]


def kill(
    nursery: Nursery,
    place: Place,
    kind: str,
    seed: int,
    folder: Path,
    kills: int,
    *,
    stride: int = 1,
    tell: Callable[[str], None] = print,
) -> Counter[str]:
    """Kills so many processes in turn; at what each was, with how often. `Failed` where something does not hold."""
    at_work = cycle(sweeps(kind == "sqlite", stride))
    moments = Counter[str]()
    for number in count():
        own = folder / f"ledger-{number}"
        own.mkdir()
        with place(own) as url, closing(_Ledger(url, random.Random(seed + number), own, nursery)) as ledger:
            try:
                for moment in _deaths(ledger, at_work):
                    moments[moment] += 1
                    if moments.total() % 500 == 0:
                        tell(f"{moments.total():,} kills")
                    if moments.total() == kills:
                        break
                ledger.model.check()
            except Exception as broken:
                raise Failed(
                    f"after {moments.total()} kills: {ledger.doing}: {type(broken).__name__}: {broken}\n"
                    f"again: python -m tests.faults --db {kind} --seed {seed} --kills {moments.total() + 1}"
                ) from broken
        if moments.total() == kills:
            return moments
    raise AssertionError


def _deaths(ledger: _Ledger, at_work: Iterator[Sweep]) -> Iterator[str]:
    """Lets processes die until the ledger's feed has been answered; the moment of each death."""
    while ledger.has_more:
        yield from ledger.kill(next(at_work))


class _Ledger:
    """A ledger that a feed is recorded into by processes that die."""

    def __init__(self, url: str, chance: random.Random, folder: Path, nursery: Nursery) -> None:
        self._url = url
        self._epitaph = folder / "epitaph"
        self._nursery = nursery
        self._lines = feed_lines(chance)
        self._next = 0
        self.doing = ""
        self.model = Model(url, folder)

    @property
    def has_more(self) -> bool:
        """Whether something of the feed has not been answered."""
        return self._next < len(self._lines)

    def close(self) -> None:
        """Gives back what the model holds."""
        self.model.close()

    def kill(self, sweep: Sweep) -> Iterator[str]:
        """Lets one process die; at which moment, if it did."""
        plan = replace(sweep.next_plan(), epitaph=str(self._epitaph))
        self.doing = f"{plan.what} {plan.at} of {sweep.arguments or 'recording'}"
        ended = self._report(sweep, plan) if sweep.arguments else self._record(plan)
        if ended.killed:
            yield f"{'projecting: ' if sweep.arguments else ''}{self._epitaph.read_text()}"
        else:
            assert ended.code in (0, 1, 3) and "Traceback" not in ended.errors, ended
            sweep.lived()

    def _record(self, plan: Plan) -> Ended:
        start = max(0, self._next - 4)
        lines = self._lines[start : self._next + NEW_LINES]
        self.model.sent(lines)
        ended = self._nursery.record(self._url, lines, plan).wait()
        self.model.told(ended.receipts)
        self.model.check_log()
        self._next = max(self._next, start + len(ended.receipts))
        return ended

    def _report(self, sweep: Sweep, plan: Plan) -> Ended:
        ended = self._nursery.run("--db", self._url, *sweep.arguments, plan=plan)
        self.model.check()
        return ended
