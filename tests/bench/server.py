"""A PostgreSQL server as shipped, durable, for one run: the one that ROUNDS_TEST_PG names, or the tests' own kind."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from tests import postgres
from tests.postgres import Databases


@contextmanager
def databases() -> Iterator[Databases]:
    """Makes databases on the server; what was made goes at the end, and so does a server of this run."""
    if os.environ.get(postgres.GIVEN):
        yield from _made()
        return
    # Who ends the run does not leave the server behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    folder = Path(mkdtemp(prefix="rounds-bench-"))
    try:
        os.environ[postgres.GIVEN] = postgres.start(folder).render_as_string(hide_password=False)
        yield from _made()
    finally:
        os.environ.pop(postgres.GIVEN, None)
        postgres.server.cache_clear()
        postgres.command("pg_ctl", "-D", str(folder), "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder)


def _made() -> Iterator[Databases]:
    made = Databases()
    try:
        yield made
    finally:
        made.drop()
