"""Faults from a seed, for as long as asked: `python -m tests.faults --seconds 3600 --db both`."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults import places
from tests.faults.kills import kill
from tests.faults.nursery import Nursery
from tests.faults.simulator import Failed, Place, play


def main() -> None:
    """Plays both databases one after the other; ends with 1 where something did not hold."""
    given = _arguments()
    seed = random.SystemRandom().randrange(1_000_000) if given.seed is None else given.seed
    kinds = ("sqlite", "postgres") if given.db == "both" else (given.db,)
    print(f"seed {seed}", flush=True)
    for kind in kinds:
        with (
            places.of_kind(kind) as place,
            tempfile.TemporaryDirectory(prefix="rounds-faults-") as folder,
            Nursery(Path(folder)) as nursery,
        ):
            try:
                _play(nursery, kind, place, seed, Path(folder), given, given.seconds / len(kinds))
            except Failed as failed:
                print(f"{kind}: {failed}", flush=True)
                sys.exit(1)


def _play(
    nursery: Nursery, kind: str, place: Place, seed: int, folder: Path, given: argparse.Namespace, seconds: float
) -> None:
    if given.kills is not None:
        moments = kill(nursery, place, kind, seed, folder, given.kills)
        for moment, times in sorted(moments.items()):
            print(f"{times:7,} {moment}")
        print(f"{kind}: {given.kills:,} kills at {len(moments)} kinds of moments, and everything held after each")
        return
    done = play(nursery, place, kind, seed, folder, _until(given.steps, seconds), _teller(given.verbose))
    print(f"{kind}: {done:,} steps, and everything held after each", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seed", type=int, help="the same does the same again; else a fresh one, which is printed")
    parser.add_argument("--seconds", type=float, default=60, help="how long, in all (60)")
    parser.add_argument("--steps", type=int, help="how many steps on each database, instead of how long")
    parser.add_argument(
        "--kills", type=int, help="instead, so many kills on each database, at one moment after another"
    )
    parser.add_argument("--db", choices=("sqlite", "postgres", "both"), default="both")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell every step")
    return parser.parse_args()


def _until(steps: int | None, seconds: float) -> Callable[[int], bool]:
    if steps is not None:
        return lambda done: done < steps
    end = time.monotonic() + seconds
    return lambda done: time.monotonic() < end


def _teller(verbose: bool) -> Callable[[str], None]:
    return (lambda said: print(said, flush=True)) if verbose else (lambda said: None)


if __name__ == "__main__":
    main()
