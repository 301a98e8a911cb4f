"""Real processes of `rounds` without the wait for an interpreter: one that has everything imported forks each of them.

It opens no store itself, so that nothing but code is shared. It is told what to start on standard input, one JSON
object a line, and answers in the same way.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import TracebackType
from typing import Any, NamedTuple, NoReturn, Self

import domain
import ledger
import projections
from cli.main import app
from tests.faults.plan import Plan, put_under

LONGEST_SECONDS = 120.0
"""No process of the tests is at work for so long; one that is has hung."""


class Ended(NamedTuple):
    """How a process ended, and what it had written until then."""

    code: int
    """Its exit code, below zero the signal that killed it."""
    output: str
    errors: str

    @property
    def killed(self) -> bool:
        """Whether it was ended from outside, or as if."""
        return self.code == -signal.SIGKILL

    @property
    def receipts(self) -> list[dict[str, Any]]:
        """Those that were written to their end."""
        whole = (line for line in self.output.splitlines(keepends=True) if line.endswith("\n"))
        return [json.loads(line) for line in whole]


@dataclass(frozen=True)
class Running:
    """A process at work."""

    nursery: Nursery
    pid: int
    output: Path
    errors: Path

    def kill(self) -> None:
        """Ends it at once, where it has not ended by itself."""
        # Nobody has taken its exit code yet, so the number is still its own.
        os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> Ended:
        """Waits for its end."""
        code = self.nursery.ask({"wait": self.pid})["code"]
        assert code != "hung", f"the process did not end: {self.errors.read_text()}"
        return Ended(code, self.output.read_text(), self.errors.read_text())


class Nursery:
    """The parent's side; `folder` takes what the processes read and write."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        environment = {key: value for key, value in os.environ.items() if not key.startswith("ROUNDS_")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            cwd=Path(__file__).parents[2],
            env=environment | {"NO_COLOR": "1"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def start(self, *arguments: str, plan: Plan | None = None, lines: Sequence[bytes] = ()) -> Running:
        """Starts `rounds` with `arguments` under `plan`; FEED among the arguments stands for a file of `lines`."""
        self._count += 1
        feed, output, errors = (self._folder / f"{self._count}.{kind}" for kind in ("jsonl", "out", "err"))
        feed.write_bytes(b"".join(line + b"\n" for line in lines))
        # Whoever dies before it has opened them has written nothing.
        output.touch()
        errors.touch()
        answer = self.ask(
            {
                "arguments": [str(feed) if each == FEED else each for each in arguments],
                "plan": (plan or Plan()).as_json(),
                "output": str(output),
                "errors": str(errors),
            }
        )
        return Running(self, answer["pid"], output, errors)

    def run(self, *arguments: str, plan: Plan | None = None, lines: Sequence[bytes] = ()) -> Ended:
        """Starts `rounds` as `start` does and waits for its end."""
        return self.start(*arguments, plan=plan, lines=lines).wait()

    def record(self, url: str, lines: Sequence[bytes], plan: Plan | None = None) -> Running:
        """Starts `rounds record` on `lines`, with a receipt for each."""
        return self.start("--db", url, "record", "-q", "--format", "jsonl", FEED, plan=plan, lines=lines)

    def ask(self, what: dict[str, Any]) -> dict[str, Any]:
        """Hands one thing in and takes the answer."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(what), file=self._process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


FEED = "{feed}"


def main() -> None:
    """The nursery's side."""
    _import_everything()
    for line in sys.stdin:
        what = json.loads(line)
        answer = {"code": _wait(what["wait"])} if "wait" in what else {"pid": _fork(what)}
        print(json.dumps(answer), flush=True)


def _import_everything() -> None:
    """What the commands of these tests need, so that no process has to."""
    for package in (domain, ledger, projections):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" not in module.name:
                import_module(module.name)
    for name in ("balance", "integrity", "listing", "meter", "projection", "record"):
        import_module(f"cli.commands.{name}")
    for name in ("cli.receipts", "cli.recording", "tests.faults.statements", "tzdata", *_DIALECTS):
        import_module(name)


_DIALECTS = ("sqlalchemy.dialects.postgresql.psycopg", "sqlalchemy.dialects.sqlite.pysqlite")


def _wait(pid: int) -> int | str:
    deadline = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "hung"


def _fork(what: dict[str, Any]) -> int:
    pid = os.fork()
    if not pid:
        _be(what)
    return pid


def _be(what: dict[str, Any]) -> NoReturn:
    """Becomes one run of `rounds`, to its end."""
    code = 70
    try:
        _redirect(what)
        code = _rounds(what)
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def _redirect(what: dict[str, Any]) -> None:
    for descriptor, name in ((0, os.devnull), (1, what["output"]), (2, what["errors"])):
        opened = os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC if descriptor else os.O_RDONLY, 0o644)
        os.dup2(opened, descriptor)
        os.close(opened)


def _rounds(what: dict[str, Any]) -> int:
    put_under(Plan.read(what["plan"]))
    try:
        app.main(what["arguments"])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


if __name__ == "__main__":
    main()
