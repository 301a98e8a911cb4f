"""Plays faults from a seed: each step sends commands while something befalls who records them; then all is checked.

What a seed does is fixed as far as it can be: two processes at once, and kills that come by the clock, may end in
another order on another day.
"""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import psycopg

from cli.simulation.feed import feed
from cli.simulation.habits import EVENTFUL, ROOM
from ledger import postgres
from tests.faults.model import Broken, Model
from tests.faults.nursery import Ended, Nursery
from tests.faults.plan import Plan, What, arguments_of
from tests.postgres import libpq

Place = Callable[[Path], AbstractContextManager[str]]
"""Makes a place for a ledger and gives its URL; the folder is there for it."""

DAY = 86_400
_REPORTS = (
    ("balance", "--format", "json"),
    ("list", "--format", "json"),
    ("meter", "list", "--format", "json"),
    ("projection", "rebuild"),
)


class Failed(Exception):
    """A step after which something did not hold; says how to come to it again."""


def play(
    nursery: Nursery,
    place: Place,
    kind: str,
    seed: int,
    folder: Path,
    goes_on: Callable[[int], bool],
    tell: Callable[[str], None],
) -> int:
    """Plays one ledger after another from `seed` while `goes_on` of the steps done; how many those were."""
    chance = random.Random(seed)
    done = 0
    while goes_on(done):
        own = folder / f"ledger-{done}"
        own.mkdir()
        with place(own) as url, closing(Simulation(url, chance, own, nursery)) as simulation:
            while goes_on(done) and simulation.has_more:
                said = ""
                try:
                    said = simulation.plan_step()
                    simulation.step()
                except Exception as broken:
                    raise Failed(
                        f"step {done}: {said}: {type(broken).__name__}: {broken}\n"
                        f"again: python -m tests.faults --db {kind} --seed {seed} --steps {done + 1}"
                    ) from broken
                tell(f"{done}: {said}: {simulation.ended}, {simulation.model.length} events")
                done += 1
    return done


class Simulation:
    """One ledger, from its first command to the last of a feed."""

    def __init__(self, url: str, chance: random.Random, folder: Path, nursery: Nursery) -> None:
        self._url = url
        self._chance = chance
        self._nursery = nursery
        self._lines = feed_lines(chance)
        self._next = 0
        self._step: Callable[[], None] = self._quietly
        self._plan = Plan()
        self.ended = ""
        self.model = Model(url, folder)
        self._sqlite = url.startswith("sqlite")
        self._steps: Sequence[Callable[[], None]] = (
            *(self._quietly, self._killed, self._killed, self._killed_by_the_clock, self._disk_fails),
            *(self._two_the_same, self._two_apart, self._two_apart, self._clock_jumps, self._locked),
            *(self._report_killed, self._report_killed, self._two_rebuilds, self._odd_lines),
            *((self._power_cut, self._power_cut, self._files_are_limited) if self._sqlite else ()),
            *(() if self._sqlite else (self._server_full, self._server_reads_only, self._connections_end)),
        )

    @property
    def has_more(self) -> bool:
        """Whether something of the feed has not been answered."""
        return self._next < len(self._lines)

    def close(self) -> None:
        """Gives back what the model holds."""
        self.model.close()

    def plan_step(self) -> str:
        """Chooses what the next step is; says what."""
        chance = self._chance
        self._step = chance.choice(self._steps)
        clock = tuple(chance.choice((0, -DAY, DAY, -3_600, 1)) for _ in range(3)) if chance.random() < 0.2 else (0,)
        self._plan = Plan(
            at=chance.randrange(10 ** chance.randrange(1, 4)),
            where=chance.choice(("statements", "files", "both")) if self._sqlite else "statements",
            lasting=chance.random() < 0.5,
            seed=chance.randrange(1_000_000),
            lines_a_commit=chance.choice((1, 3, 8, 20)),
            clock_seconds=clock,
        )
        return f"{self._step.__name__.strip('_').replace('_', ' ')} {arguments_of(self._plan)}"

    def step(self) -> None:
        """Does what was planned, and checks everything."""
        self._step()
        self.model.check()

    # What may happen.

    def _quietly(self) -> None:
        self._record(self._plan, (0, 1))

    def _killed(self) -> None:
        self._record(replace(self._plan, what="kill"), (0, 1))

    def _power_cut(self) -> None:
        self._record(replace(self._plan, what="power cut", where="both"), (0, 1))

    def _killed_by_the_clock(self) -> None:
        start, lines = self._some()
        running = self._nursery.record(self._url, lines, self._plan)
        time.sleep(self._chance.random() * 0.08)
        running.kill()
        self._take(start, lines, running.wait(), (0, 1))

    def _disk_fails(self) -> None:
        whats: tuple[What, ...] = ("disk full", "disk error") if self._sqlite else ("server full", "connection lost")
        what = self._chance.choice(whats)
        self._record(replace(self._plan, what=what), (0, 1, 4))

    def _files_are_limited(self) -> None:
        """The system refuses to let a file grow, in the middle of a write."""
        path = Path(self._url.removeprefix("sqlite:///"))
        longest = max((each.stat().st_size for each in path.parent.glob(f"{path.name}*")), default=0)
        self._record(replace(self._plan, file_limit=longest + self._chance.randrange(100_000)), (0, 1))

    def _clock_jumps(self) -> None:
        jumps = tuple(self._chance.choice((-400 * DAY, -DAY, -1, 0, 1, DAY)) for _ in range(5))
        self._record(replace(self._plan, clock_seconds=jumps), (0, 1))

    def _locked(self) -> None:
        """Somebody else holds the ledger for longer than one waits."""
        with holding(self._url):
            ended = self._record(replace(self._plan, busy_seconds=0.05), (4,))
        if "store.locked" not in ended.errors or ended.output:
            raise Broken(f"a held ledger answered {ended}")

    def _odd_lines(self) -> None:
        """Lines that are no commands, and recorded ids with another body."""
        start, lines = self._some()
        odd = [b"{", b"[]", b'{"command": "settle"}', b"\xff"]
        known = [line for line in self._lines[: self._next] if json.loads(line)["command_id"] in self.model.answered]
        odd += [json.dumps(json.loads(line) | {"by": "X9"}).encode() for line in known[-3:]]
        self.model.sent(lines)
        ended = self._nursery.record(self._url, [*lines, *odd], self._plan).wait()
        if any(receipt["status"] != "refused" for receipt in ended.receipts[len(lines) :]):
            raise Broken(f"an odd line was recorded: {ended.receipts[len(lines) :]}")
        self._take(start, lines, ended, (1,))

    def _two_the_same(self) -> None:
        """Two processes send the same."""
        _, lines = self._some(most=60)
        self._together(lines, lines)

    def _two_apart(self) -> None:
        """Two processes have the rounds divided between them, and both send the rest."""
        _, lines = self._some(most=60)
        self._together(*([line for line in lines if _half(line) in (None, half)] for half in (0, 1)))

    def _together(self, *parts: Sequence[bytes]) -> None:
        whats: tuple[What, ...] = ("nothing", "kill")
        what = self._chance.choice(whats)
        usual = Plan(where="statements", lines_a_commit=2, pause_seconds=0.004)
        plans = (replace(usual, what=what, at=self._plan.at, lines_a_commit=1), usual)
        for part in parts:
            self.model.sent(part)
        running = [self._nursery.record(self._url, part, plan) for part, plan in zip(parts, plans, strict=True)]
        for each in [each.wait() for each in running]:
            self._take(None, (), each, (0, 1))

    def _report_killed(self) -> None:
        """Whoever keeps the projections dies, or its disk fails."""
        whats: tuple[What, ...] = ("kill", "power cut", "disk full") if self._sqlite else ("kill", "server full")
        plan = replace(self._plan, what=self._chance.choice(whats), where="both" if self._sqlite else "statements")
        arguments = self._chance.choice(_REPORTS)
        self._accept(self._nursery.run("--db", self._url, *arguments, plan=plan), (0, 1, 3))

    def _two_rebuilds(self) -> None:
        """Two processes rebuild at once, and perhaps one of them dies, while a third records."""
        start, lines = self._some()
        self.model.sent(lines)
        plans = (replace(self._plan, what="kill"), Plan())
        rebuilding = [self._nursery.start("--db", self._url, "projection", "rebuild", plan=plan) for plan in plans]
        recording = self._nursery.record(self._url, lines)
        for each in rebuilding:
            self._accept(each.wait(), (0, 3, 4))
        self._take(start, lines, recording.wait(), (0, 1))

    def _server_full(self) -> None:
        """The server finds no room for an event in the middle of a group."""
        at = self.model.length + self._chance.randrange(1, 12)
        with server_says_full(self._url, at):
            self._record(self._plan, (0, 1))

    def _server_reads_only(self) -> None:
        """Who looks after the server has made the database read only."""
        with reading_only(self._url):
            ended = self._record(self._plan, (0, 1))
        if any(receipt["status"] == "recorded" for receipt in ended.receipts):
            raise Broken(f"a database that is only read answered {ended}")

    def _connections_end(self) -> None:
        """The server ends every connection, again and again."""
        start, lines = self._some()
        self.model.sent(lines)
        running = self._nursery.record(self._url, lines, self._plan)
        with psycopg.connect(libpq(self._url), autocommit=True) as other:
            for _ in range(self._chance.randrange(1, 4)):
                time.sleep(self._chance.random() * 0.05)
                other.execute(_END_OTHERS)
        self._take(start, lines, running.wait(), (0, 1, 3, 4))

    # How it happens.

    def _record(self, plan: Plan, codes: Sequence[int]) -> Ended:
        start, lines = self._some()
        ended = self._nursery.record(self._url, lines, plan).wait()
        self._take(start, lines, ended, codes)
        return ended

    def _some(self, most: int = 25) -> tuple[int, Sequence[bytes]]:
        """Lines of the feed, some of them sent before, and where the first of them stands."""
        start = max(0, self._next - self._chance.choice((0, 0, 3, 12)))
        lines = self._lines[start : self._next + self._chance.randrange(1, most)]
        self.model.sent(lines)
        return start, lines

    def _take(self, start: int | None, lines: Sequence[bytes], ended: Ended, codes: Sequence[int]) -> None:
        """Takes the answers in; where the lines began at `start`, the answered ones are done with."""
        self._accept(ended, codes)
        self.model.told(ended.receipts)
        if start is not None:
            self._next = max(self._next, start + min(len(ended.receipts), len(lines)))

    def _accept(self, ended: Ended, codes: Sequence[int]) -> None:
        """A process ends with a code that fits, and in one sentence, or is killed."""
        self.ended = f"killed, {len(ended.output)} bytes" if ended.killed else f"exit {ended.code}"
        said = [line for line in ended.errors.splitlines() if line.startswith("rounds: ")]
        if ended.killed:
            return
        if ended.code not in codes or "Traceback" in ended.errors or len(said) > 2:
            raise Broken(f"it ended with {ended.code} and said: {ended.errors}")


def feed_lines(chance: random.Random) -> list[bytes]:
    """A few rounds with everything that goes wrong at tables."""
    commands = feed(
        chance.randrange(1_000_000),
        chance.randrange(2, 8),
        bias=True,
        mistakes=True,
        habits=chance.choice((ROOM, EVENTFUL)),
        tables=chance.randrange(2, 5),
    )
    return [json.dumps(command).encode() for command in commands]


def _half(line: bytes) -> int | None:
    """Which of two processes has the line's round; None where it has none."""
    content: dict[str, Any] = json.loads(line)
    return crc32(content["round"].encode()) % 2 if "round" in content else None


@contextmanager
def holding(url: str) -> Iterator[None]:
    """Holds the lock of who appends."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield
            return
    with psycopg.connect(libpq(url)) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s, 1)", (postgres._FAMILY,))
        yield
        other.rollback()


@contextmanager
def server_says_full(url: str, at: int) -> Iterator[None]:
    """From position `at` on the server answers as it does where its disk is full."""
    with psycopg.connect(libpq(url), autocommit=True) as other:
        other.execute(_FULL.replace("{at}", str(at)).encode())
        try:
            yield
        finally:
            other.execute("DROP TRIGGER no_room ON events; DROP FUNCTION no_room()")


@contextmanager
def reading_only(url: str) -> Iterator[None]:
    """Makes the database read only, as its keeper does or a host whose disk is nearly full."""
    with psycopg.connect(libpq(url), autocommit=True) as other:
        name = other.info.dbname
        other.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
        try:
            yield
        finally:
            other.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only".encode())


_FULL = """
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER no_room BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.position >= {at})
        EXECUTE FUNCTION no_room()
"""
_END_OTHERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
