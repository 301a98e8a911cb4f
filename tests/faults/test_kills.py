"""A process killed at any moment of a commit or of a projecting loses nothing it had answered, and repeats nothing.

An ordinary run takes every few moments; `python -m tests.faults --kills 3000` takes every one.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.faults import places
from tests.faults.files import reachable
from tests.faults.kills import kill
from tests.faults.nursery import Nursery
from tests.postgres import Databases

SEED = 1


def test_a_kill_or_power_cut_at_any_moment_loses_nothing_in_a_file(nursery: Nursery, tmp_path: Path) -> None:
    moments = kill(nursery, places.file, "sqlite", SEED, tmp_path, 45, stride=23)
    assert came_to("after BEGIN", moments)
    assert came_to("COMMIT", moments)
    assert came_to("projecting: ", moments)
    assert came_to("within write wal", moments) or not reachable()


def test_a_kill_at_any_moment_loses_nothing_on_a_server(nursery: Nursery, tmp_path: Path, databases: Databases) -> None:
    moments = kill(nursery, places.on(databases), "postgres", SEED, tmp_path, 18, stride=9)
    assert came_to("SELECT", moments)
    assert came_to("sending", moments)
    assert came_to("COMMIT", moments)
    assert came_to("projecting: ", moments)


def came_to(moment: str, moments: Counter[str]) -> bool:
    """Whether somebody died there."""
    return any(moment in name for name in moments)
