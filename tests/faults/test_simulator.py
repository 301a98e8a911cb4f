"""Some seconds of faults on each database: from seeds that stay the same, and from one that is new each time."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults import places
from tests.faults.nursery import Nursery
from tests.faults.simulator import Place, play
from tests.postgres import Databases

FRESH = None
STEPS = {"sqlite": 13, "postgres": 5}


@pytest.mark.parametrize("seed", [11, FRESH])
def test_nothing_is_lost_or_repeated_in_a_file_whatever_befalls_it(
    seed: int | None, nursery: Nursery, tmp_path: Path
) -> None:
    simulate(nursery, "sqlite", places.file, seed, tmp_path)


@pytest.mark.parametrize("seed", [11, FRESH])
def test_nothing_is_lost_or_repeated_on_a_server_whatever_befalls_it(
    seed: int | None, nursery: Nursery, tmp_path: Path, databases: Databases
) -> None:
    simulate(nursery, "postgres", places.on(databases), seed, tmp_path)


def simulate(nursery: Nursery, kind: str, place: Place, seed: int | None, folder: Path) -> None:
    """Plays some steps; a failure says the seed and the step, and shows what was done before."""
    used = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    print(f"seed {used}")
    done = play(nursery, place, kind, used, folder, lambda done: done < STEPS[kind], print)
    assert done == STEPS[kind]
