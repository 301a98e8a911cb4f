"""Places for ledgers: a file of its own, or a database of its own on the tests' server."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

from tests.faults.simulator import Place
from tests.postgres import FOLDER, GIVEN, Databases, command


@contextmanager
def file(folder: Path) -> Iterator[str]:
    """A SQLite file that is not there yet."""
    yield f"sqlite:///{folder / 'rounds.db'}"


def on(databases: Databases) -> Place:
    """Fresh databases, each dropped when it is done with."""

    @contextmanager
    def database(_: Path) -> Iterator[str]:
        made = databases.fresh()
        yield made.url
        databases.drop_one(made)

    return database


@contextmanager
def server() -> Iterator[Databases]:
    """The server that is given, or one for as long as this is open."""
    folder = Path(tempfile.gettempdir()) / f"rounds-pg-{uuid4().hex[:12]}"
    os.environ[FOLDER] = str(folder)
    databases = Databases()
    try:
        yield databases
    finally:
        databases.drop()
        if GIVEN not in os.environ and folder.exists():
            command("pg_ctl", "-D", str(folder), "-m", "immediate", "-w", "stop")
            shutil.rmtree(folder)


@contextmanager
def of_kind(kind: str) -> Iterator[Place]:
    """Files for `sqlite`, else databases on a server for as long as this is open."""
    with ExitStack() as stack:
        yield file if kind == "sqlite" else on(stack.enter_context(server()))
