"""What is to befall one process, and the process under it: counted moments, and at one of them the worst."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, Literal

import psycopg

from tests.faults.files import FULL, WRITE_FAILED, WatchedFiles, reachable
from tests.faults.statements import ASK_WITHIN, Drivers, watch_exchanges

What = Literal["nothing", "kill", "power cut", "disk full", "disk error", "server full", "connection lost"]
Where = Literal["statements", "files", "both", "exchanges"]
"""`exchanges` are the moments around groups that go to a server in one exchange."""


_NOBODY = 65_534


@dataclass(frozen=True)
class Plan:
    """At the moment `at`, counted from 0 among those `where`, happens `what`; the rest is how the process is set up."""

    what: What = "nothing"
    at: int = 0
    where: Where = "both"
    lasting: bool = False
    """Whether a disk that failed goes on failing, or was so for one operation."""
    seed: int = 0
    """Of what a power cut leaves."""
    lines_a_commit: int = 8
    clock_seconds: tuple[int, ...] = (0,)
    """How wrong the clock goes, reading after reading in turn."""
    file_limit: int | None = None
    """The longest that a file may get, in bytes."""
    busy_seconds: float | None = None
    unprivileged: bool = False
    """Whether it gives up the rights of root, for whom nothing is read only."""
    pause_seconds: float = 0
    """How long it rests after each commit, so that another has its turn."""
    epitaph: str | None = None
    """A file that the name of the last moment is written to."""

    def as_json(self) -> str:
        """For a process to read."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str) -> Plan:
        """What `as_json` wrote."""
        content = json.loads(text)
        return cls(**content | {"clock_seconds": tuple(content["clock_seconds"])})


def put_under(plan: Plan) -> None:
    """Sets this process up as the plan says; what befalls it comes when it comes to that."""
    _set_up(plan)
    moments = _Moments(plan)
    if plan.where in ("files", "both") and reachable():
        moments.files = WatchedFiles(moments.of_file)
    if plan.where in ("statements", "both"):
        Drivers(moments.of_statement)
    if plan.where == "exchanges":
        watch_exchanges(moments.of_statement)


def _set_up(plan: Plan) -> None:
    from cli import feed_lines
    from ledger.dialects import Sqlite
    from ledger.postgres import Postgres

    feed_lines.FILE_GROUP = plan.lines_a_commit
    if plan.busy_seconds is not None:
        Sqlite.BUSY_SECONDS = plan.busy_seconds
        Postgres.LOCK_SECONDS = plan.busy_seconds
    if plan.file_limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (plan.file_limit, plan.file_limit))
    if plan.unprivileged and os.geteuid() == 0:
        os.setuid(_NOBODY)
    if any(plan.clock_seconds):
        time.time_ns = _wrong_clock(plan.clock_seconds)


def _wrong_clock(seconds: tuple[int, ...]) -> Callable[[], int]:
    wrong: Iterator[int] = cycle(seconds)
    right = time.time_ns
    return lambda: right() + next(wrong) * 1_000_000_000


class _Moments:
    """Counts the moments of a process, and does at the planned one what is planned."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._left = plan.at
        self._broken = False
        self.files: WatchedFiles | None = None

    def of_file(self, moment: str) -> int | None:
        """A moment of a file operation; the result that it is to fail with."""
        planned = self._is_now()
        if planned:
            self._die(moment)
        if planned or self._broken:
            self._broken = self._plan.lasting
            # What took place did not fail.
            if not moment.startswith("after"):
                return {"disk full": FULL, "disk error": WRITE_FAILED}.get(self._plan.what)
        return None

    def of_statement(self, moment: str) -> bool:
        """A moment of a statement; whether a commit is to be left unheard."""
        if moment == "after COMMIT":
            time.sleep(self._plan.pause_seconds)
        if not self._is_now():
            return False
        if moment == ASK_WITHIN and self._plan.what == "kill":
            self._left = 0
            return True
        self._die(moment)
        failure = _DRIVER_SAYS.get(self._plan.what)
        if failure is not None and not moment.startswith("after"):
            raise failure()
        return False

    def _is_now(self) -> bool:
        self._left -= 1
        return self._left == -1

    def _die(self, moment: str) -> None:
        if self._plan.what == "power cut" and self.files is not None:
            self.files.cut_power(self._plan.seed)
        if self._plan.what in ("kill", "power cut"):
            if self._plan.epitaph is not None:
                Path(self._plan.epitaph).write_text(moment)
            os.kill(os.getpid(), signal.SIGKILL)


def _named(name: str, text: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorname = name
    return error


_DRIVER_SAYS: dict[str, Callable[[], Exception]] = {
    "disk full": lambda: _named("SQLITE_FULL", "database or disk is full"),
    "disk error": lambda: _named("SQLITE_IOERR_WRITE", "disk I/O error"),
    "server full": lambda: psycopg.errors.DiskFull("could not extend file: No space left on device"),
    "connection lost": lambda: psycopg.OperationalError("server closed the connection unexpectedly"),
}


def arguments_of(plan: Plan) -> dict[str, Any]:
    """The plan without what is as usual, to be shown."""
    usual = asdict(Plan())
    return {name: value for name, value in asdict(plan).items() if value != usual[name]}
