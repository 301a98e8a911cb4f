"""Ledgers with a played history, recorded once and copied for each test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.simulation.feed import feed
from cli.simulation.habits import EVENTFUL
from ledger.service import Ledger
from tests.projections.sources import HandMade, by_hand, record_all, url

SHORT, LONG = 8, 150


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a few rounds, for what is done many times."""
    return _played(tmp_path_factory.mktemp("played") / "played.db", SHORT)


@pytest.fixture(scope="session")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """A ledger with rounds of every kind, to look at: hits, banks, tokes, voids, corrections, misdeals."""
    with Ledger.open(url(_played(tmp_path_factory.mktemp("long") / "long.db", LONG))) as opened:
        yield opened


@pytest.fixture
def copied(played: Path, tmp_path: Path) -> Path:
    """A copy of the played store for one test."""
    path = tmp_path / "rounds.db"
    shutil.copy(played, path)
    return path


@pytest.fixture
def ledger(copied: Path) -> Iterator[Ledger]:
    """The copied store, open."""
    with Ledger.open(url(copied)) as opened:
        yield opened


@pytest.fixture
def log(tmp_path: Path) -> Iterator[HandMade]:
    """An empty log to be made by hand."""
    made = by_hand(tmp_path / "made.db")
    yield made
    made.store.close()


def _played(path: Path, rounds: int) -> Path:
    with Ledger.open(url(path)) as ledger:
        record_all(ledger, feed(11, rounds, habits=EVENTFUL, bias=True))
    return path
