"""Random lives of meters: the equation holds level by level, nothing shown or hidden is lost, every second look agrees.

`METER_HISTORIES=200` plays that many instead of a few.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from domain.desk import meter_key
from ledger.integrity import verify
from ledger.service import Ledger
from projections import catalog
from projections.asof import AsOf
from projections.meters import discrepancies, list_meters, show_meter
from projections.replays import replay_all
from tests.postgres import Database
from tests.properties.meter_history import METERS, History, differences

SEEDS = range(int(os.environ.get("METER_HISTORIES", "3")))
STEPS = 40


def played(ledger: Ledger, seed: int, steps: int = STEPS) -> History:
    history = History(ledger, seed)
    history.play(steps)
    return history


def digests(ledger: Ledger) -> dict[str, str]:
    """Every projection's rows at the end of the log, as hashes."""
    catalog.catch_up(ledger)
    return {kind.NAME: catalog.digest(ledger, kind.NAME) for kind in catalog.KINDS}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_equation_holds_over_a_random_life_of_meters(seed: int, tmp_path: Path) -> None:
    with Ledger.open(f"sqlite:///{tmp_path / 'rounds.db'}") as ledger:
        history = played(ledger, seed)
        assert list(differences(history, iter(list_meters(ledger).rows))) == []
        assert discrepancies(ledger).rows == []
        assert verify(ledger).verified
        for document in replay_all(ledger):
            assert document["recheck"] == {"matches": True, "differences": []}
        _live_agrees(ledger)
        _past_agrees(ledger)
        before = digests(ledger)
        catalog.rebuild(ledger, page=97)
        assert digests(ledger) == before


def _live_agrees(ledger: Ledger) -> None:
    """What the next decision would look at is what is projected."""
    for name in METERS:
        (document,) = show_meter(ledger, name).rows
        meter = ledger.desk.get(meter_key(name))
        for level in document["levels"]:
            live = meter.levels[level["level"]]
            shown = (level["accrued_micros"], level["reserve_micros"], level["in_count"], level["hits"])
            assert shown == (live.accrued_micros, live.reserve_micros, live.in_count, live.hits)
            assert level["retired"] == live.retired


def _past_agrees(ledger: Ledger) -> None:
    """Folded from the log to its end a meter is what is projected."""
    for name in METERS:
        assert show_meter(ledger, name, AsOf(position=ledger.head().position)).rows == show_meter(ledger, name).rows


def test_the_histories_have_everything_in_them(tmp_path: Path) -> None:
    """The lives above are not empty of what they are to show."""
    found: dict[str, int] = {}
    mysteries = hits = 0
    for seed in range(3):
        with Ledger.open(f"sqlite:///{tmp_path / f'{seed}.db'}") as ledger:
            history = played(ledger, seed)
            mysteries += history.mysteries
            hits += sum(of["hits"] for of in history.book.columns.values())
            names = [event.NAME for event in _events(ledger)]
            found = {name: found.get(name, 0) + names.count(name) for name in {*names, *found}}
    assert mysteries > 3 and hits > 15
    for name in ("changed", "adjusted", "transferred", "retired", "read"):
        assert found[f"meter.{name}"] >= 3
    assert found["round.voided"] > 3


def _events(ledger: Ledger) -> list[Any]:
    from projections.asof import log

    return [record.event for record in log(ledger.feed.after)]


def test_the_same_life_in_postgresql_has_the_same_rows(database: Database, tmp_path: Path) -> None:
    with Ledger.open(database.url) as there, Ledger.open(f"sqlite:///{tmp_path / 'rounds.db'}") as here:
        history = played(there, 1, 12)
        played(here, 1, 12)
        assert list(differences(history, iter(list_meters(there).rows))) == []
        assert list_meters(there).rows == list_meters(here).rows
        before = digests(here)
        assert digests(there) == before
        catalog.rebuild(there, page=31)
        assert digests(there) == before
