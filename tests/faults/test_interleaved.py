"""Ledgers that get in each other's way for some seconds: from a seed that stays the same, and from new ones.

`python -m tests.faults.interleaved --times 100 --steps 300` plays for longer; with --threads or --processes they really
run at once.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults.interleaved import apart, at_once, in_a_row
from tests.ledger.conftest import url
from tests.ledger.play import url_of
from tests.postgres import Database

__all__ = ["url"]

FRESH = None
STEPS = 45


@pytest.mark.parametrize("seed", [5, FRESH])
def test_whatever_comes_between_on_a_server_is_as_if_one_came_after_another(
    seed: int | None, database: Database
) -> None:
    log = in_a_row(database.url, used(seed), STEPS)
    assert log.told["recorded open_meter"]
    if seed is not FRESH:
        assert log.told["recorded settle"] and log.told["repeated place_wager"] and log.told["command.id-reused"]


def test_ledgers_in_turns_on_a_file_record_as_one_would(tmp_path: Path) -> None:
    assert in_a_row(url_of(tmp_path), used(FRESH), STEPS).told["recorded open_meter"]


def test_threads_and_ledgers_at_once_record_as_one_would(url: str) -> None:
    assert at_once(url, used(FRESH), steps=8).told["recorded open_meter"]


def test_processes_at_once_record_as_one_would(database: Database, tmp_path: Path) -> None:
    assert apart(database.url, used(FRESH), steps=12, folder=tmp_path, processes=2).told["recorded open_meter"]


def used(seed: int | None) -> int:
    """The seed, a new one for None; a failure shows it."""
    chosen = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    print(f"seed {chosen}")
    return chosen
