"""Several ledgers on one database record commands that collide: `python -m tests.faults.interleaved --db both`.

In a row (the ordinary way) one thread is every ledger in turn, and one ledger's group comes between another's decisions
and the lock: a seed does the same again. With --threads or --processes they really run at once.
"""

from __future__ import annotations

import argparse
import pickle
import random
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from zlib import crc32

import psycopg

from ledger import integrity
from ledger.errors import LedgerError
from ledger.recorder import utc_micros
from ledger.service import Ledger
from ledger.writer import Submission
from tests.faults import places
from tests.faults.collisions import Body, Collisions
from tests.faults.model import projected, query
from tests.faults.quiet import Answer, faults
from tests.faults.simulator import Place

SIZES = (1, 1, 1, 2, 2, 3, 5, 8, 20, 60, 200)
DEPTH = 2
"""How many groups come one between the other's decisions."""


class Failed(AssertionError):
    """A seed with which something did not hold."""


class Log:
    """What was sent to a database and what was answered."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: list[Answer] = []
        self.sent: list[Submission] = []
        self.told = Counter[str]()

    def length(self) -> int:
        """How many events there are."""
        return int(query(self.url, "SELECT coalesce(max(position), 0) FROM events")[0][0])

    def check(self) -> None:
        """`Failed` where anything does not hold."""
        wrong = list(faults(self.url, self.answers, self.sent))
        with Ledger.open(self.url) as ledger:
            report = integrity.verify(ledger)
            if not report.verified:
                wrong.append(f"the log does not verify: {report.as_json()}")
            wrong += projected(ledger, only_play=False)
        if wrong:
            raise Failed("\n".join(wrong[:5]))


class Actor:
    """One ledger, with a small memory and a clock of its own, and who sends to it."""

    def __init__(self, log: Log, source: Collisions, chance: random.Random, *, together: bool = False) -> None:
        """With `together` groups go in as those of many threads do."""
        self._log = log
        self._source = source
        self._chance = chance
        self._together = together
        self.between: Callable[[], None] = lambda: None
        self._open()

    def close(self) -> None:
        """Closes the ledger."""
        self.ledger.close()

    def step(self) -> None:
        """Sends a group, or looks what would become of it; now and then another process takes this one's place."""
        if self._chance.random() < 0.02:
            self.close()
            self._open()
        group = self._source.group(self._chance, self._chance.choice(SIZES))
        if self._chance.random() < 0.03:
            self._rehearse(group)
            return
        stop = not self._together and self._chance.random() < 0.15
        self._log.sent += group
        since = self._log.length()
        try:
            receipts = (
                self.ledger.record_all(group) if self._together else self.ledger.submit(group, stop_on_refusal=stop)
            )
        except LedgerError as error:
            self._log.told[f"unanswered: {error.code}"] += 1
            self._source.give_back(group)
            return
        self._answered(group, receipts, since)

    def _answered(self, group: Sequence[Submission], receipts: Sequence[Any], since: int) -> None:
        self._log.answers.append(Answer(group, receipts, since, self._log.length()))
        for (command, _), receipt in zip(group, receipts, strict=False):
            self._log.told[receipt.code or f"{receipt.status} {command.NAME}"] += 1
        self._source.answered(group, receipts)

    def _rehearse(self, group: Sequence[Submission]) -> None:
        try:
            self.ledger.dry_run(group)
        except LedgerError as error:
            self._log.told[f"unanswered: {error.code}"] += 1
        self._source.give_back(group)

    def _open(self) -> None:
        chance = self._chance
        wrong = chance.choice((0, 0, 3_000_000, -50_000_000))
        self.ledger = Ledger.open(self._log.url, clock=lambda: utc_micros() + wrong * chance.randrange(2))
        writer: Any = self.ledger._recording.writer
        if chance.random() < 0.7:
            writer._memory.ROUNDS, writer._memory.STREAMS, writer._memory.ENTRIES = (
                chance.choice((1, 2, 50)) for _ in range(3)
            )
        appender: Any = self.ledger.recorder.appender
        if appender is not None:
            writer.PATIENCE = chance.choice((0, 0, 0, 1, 4, 32))
            self._come_between(writer, appender)

    def _come_between(self, writer: Any, appender: Any) -> None:
        """Lets others in where this ledger has read something, and where it has decided and sends."""
        append, ask, answers = appender.append, writer._outside.exec_driver_sql, appender._answers

        def asked(*given: Any) -> Any:
            found = ask(*given)
            if self._chance.random() < 0.1:
                self.between()
            return found

        def appended(*given: Any) -> Any:
            if self._chance.random() < 0.4:
                self.between()
            return append(*given)

        def answered(*given: Any) -> Any:
            found = answers(*given)
            if self._chance.random() < 0.03:
                self._log.told["unheard"] += 1
                appender._connection.close()
                raise psycopg.OperationalError("server closed the connection unexpectedly")
            return found

        appender.append, writer._outside.exec_driver_sql, appender._answers = appended, asked, answered


def in_a_row(url: str, seed: int, steps: int, ledgers: int = 3) -> Log:
    """Plays so many groups, one after another but for those that come between another's decisions and the lock."""
    log, chance = Log(url), random.Random(seed)
    source = Collisions(seed, rounds=steps)
    with ExitStack() as stack:
        actors = [stack.enter_context(closing(Actor(log, source, chance))) for _ in range(ledgers)]
        at_work: list[Actor] = []

        def step() -> None:
            free = [each for each in actors if each not in at_work]
            if not free or len(at_work) > DEPTH:
                return
            at_work.append(chance.choice(free))
            try:
                at_work[-1].step()
            finally:
                at_work.pop()

        for actor in actors:
            actor.between = step
        for number in range(steps):
            if source.is_over:
                break
            step()
            if number % 200 == 199:
                log.check()
    log.check()
    return log


def at_once(url: str, seed: int, steps: int, threads: int = 4, ledgers: int = 2) -> Log:
    """Plays so many groups in every thread; threads share ledgers, whose queue puts groups together."""
    logs = [Log(url) for _ in range(threads)]
    opened = [Actor(logs[0], Collisions(seed, steps), random.Random(seed + each)) for each in range(ledgers)]
    failed: list[BaseException] = []

    def run(number: int) -> None:
        chance = random.Random(seed + 100 + number)
        source = Collisions(seed, steps, str(number), share_of(number, threads))
        try:
            actor = Actor(logs[number], source, chance, together=True)
            own, actor.ledger = actor.ledger, opened[number % ledgers].ledger
            own.close()
            actor.close = lambda: None  # type: ignore[method-assign]
            actor._open = lambda: None  # type: ignore[method-assign]
            for _ in range(steps):
                actor.step()
        except BaseException as error:
            failed.append(error)

    running = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for each in running:
        each.start()
    for each in running:
        each.join()
    for actor in opened:
        actor.close()
    if failed:
        raise failed[0]
    return _together(url, logs)


def apart(url: str, seed: int, steps: int, folder: Path, processes: int = 3) -> Log:
    """Plays so many groups in every process."""
    outs = [folder / f"{number}.pickle" for number in range(processes)]
    told = ("--seed", str(seed), "--steps", str(steps))
    running = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.faults.interleaved",
                "--worker",
                url,
                f"{number}/{processes}",
                str(out),
                *told,
            ],
            cwd=Path(__file__).parents[2],
        )
        for number, out in enumerate(outs)
    ]
    codes = [each.wait() for each in running]
    if any(codes):
        raise Failed(f"processes ended with {codes}")
    logs = []
    for out in outs:
        log = Log(url)
        log.answers, log.sent, log.told = pickle.loads(out.read_bytes())
        logs.append(log)
    return _together(url, logs)


def _work(url: str, which: str, out: Path, seed: int, steps: int) -> None:
    number, processes = map(int, which.split("/"))
    log, chance = Log(url), random.Random(seed + 1 + number)
    source = Collisions(seed, steps, which, share_of(number, processes))
    with closing(Actor(log, source, chance)) as actor:
        for _ in range(steps):
            actor.step()
    out.write_bytes(pickle.dumps((log.answers, log.sent, log.told)))


def share_of(number: int, of: int) -> Callable[[Body], bool]:
    """The rounds of one of several, and everything that is of no round."""
    return lambda line: "round" not in line or crc32(line["round"].encode()) % of == number


def _together(url: str, logs: Sequence[Log]) -> Log:
    whole = Log(url)
    for log in logs:
        whole.answers += log.answers
        whole.sent += log.sent
        whole.told += log.told
    whole.check()
    return whole


def main() -> None:
    """Plays ledger after ledger; ends with 1 where something did not hold."""
    given = _arguments()
    seed = random.SystemRandom().randrange(1_000_000) if given.seed is None else given.seed
    if given.worker:
        url, which, out = given.worker
        _work(url, which, Path(out), seed, given.steps)
        return
    for kind in ("sqlite", "postgres") if given.db == "both" else (given.db,):
        told = Counter[str]()
        with places.of_kind(kind) as place, tempfile.TemporaryDirectory(prefix="rounds-faults-") as folder:
            for own in range(seed, seed + given.times):
                told += _play(place, kind, own, Path(folder), given).told
        print(f"{kind}: {given.times} ledgers from seed {seed}, and everything held", flush=True)
        for what, times in told.most_common():
            print(f"{times:7,} {what}")


def _play(place: Place, kind: str, seed: int, folder: Path, given: argparse.Namespace) -> Log:
    own = folder / f"{kind}-{seed}"
    own.mkdir()
    how = "--threads" if given.threads else "--processes" if given.processes else ""
    try:
        with place(own) as url:
            if given.threads:
                return at_once(url, seed, given.steps, given.ledgers)
            if given.processes:
                return apart(url, seed, given.steps, own, given.ledgers)
            return in_a_row(url, seed, given.steps, given.ledgers)
    except Exception as broken:
        print(f"python -m tests.faults.interleaved --db {kind} --seed {seed} --steps {given.steps} {how}", flush=True)
        if isinstance(broken, Failed):
            sys.exit(str(broken))
        raise


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.interleaved", description=__doc__)
    parser.add_argument("--seed", type=int, help="the first ledger's; each further one has the next")
    parser.add_argument("--steps", type=int, default=150, help="groups of commands on each ledger (150)")
    parser.add_argument("--times", type=int, default=1, help="how many ledgers, one after another (1)")
    parser.add_argument("--db", choices=("sqlite", "postgres", "both"), default="both")
    parser.add_argument("--ledgers", type=int, default=3, help="how many record into each database (3)")
    parser.add_argument("--threads", action="store_true", help="each in a thread, in pairs on one open ledger")
    parser.add_argument("--processes", action="store_true", help="each in a process")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
