"""A fresh ledger under small rules, on each kind of database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.ahead import AheadWriter
from ledger.service import Ledger
from tests.ledger.behind import Behind
from tests.ledger.play import ledger_at, url_of
from tests.postgres import Database

KINDS = ["sqlite", "postgresql"]


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a ledger: a file that is not there yet, and a database whose ledger is empty."""
    if request.param == "sqlite":
        return url_of(tmp_path)
    database: Database = request.getfixturevalue("database")
    return database.url


@pytest.fixture
def ledger(url: str) -> Iterator[Ledger]:
    """A ledger at `url`, open."""
    with ledger_at(url) as opened:
        yield opened


@pytest.fixture
def under_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every group is decided under the lock, also on a server."""
    monkeypatch.setattr(AheadWriter, "MOST", 0)


@pytest.fixture
def behind(url: str) -> Iterator[Behind]:
    """The store at `url`, past the ledger."""
    ledger_at(url).close()
    opened = Behind(url)
    yield opened
    opened.close()
