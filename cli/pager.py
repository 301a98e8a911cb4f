"""A long answer on a terminal goes through a pager: PAGER, else `less`, which ends by itself where all of it fits."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, cast

_LESS = "FRX"
"""One screen ends it, colours are passed through, and the text stays on the screen afterwards."""


class _Page(io.BufferedIOBase):
    """What is written to a pager; a terminal still, since it shows everything that one does."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True

    def write(self, data: object) -> int:
        text = bytes(data)  # type: ignore[call-overload]
        self._pipe.write(text)
        return len(text)

    def flush(self) -> None:
        if not self._pipe.closed:
            self._pipe.flush()


def pager_command() -> list[str]:
    """The pager that is wanted; empty where none is."""
    named = os.environ.get("PAGER")
    if named is not None:
        command = shlex.split(named)
        return [] if command[:1] == ["cat"] else command
    less = shutil.which("less")
    return [] if less is None else [less]


@contextmanager
def paged() -> Iterator[IO[bytes]]:
    """Standard output, through a pager where there is one; whoever leaves it early has seen enough."""
    command = pager_command()
    if not command or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        yield sys.stdout.buffer
        return
    sys.stdout.flush()
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, env={"LESS": _LESS, **os.environ})
    except OSError:
        yield sys.stdout.buffer
        return
    assert process.stdin is not None
    try:
        with suppress(BrokenPipeError):
            yield cast(IO[bytes], _Page(process.stdin))
    finally:
        with suppress(OSError):
            process.stdin.close()
        _wait(process)


def _wait(process: subprocess.Popen[bytes]) -> None:
    """Ctrl-C is the pager's; it ends when its reader does."""
    while True:
        try:
            process.wait()
            return
        except KeyboardInterrupt:
            continue
