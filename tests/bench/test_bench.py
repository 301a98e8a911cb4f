"""Every measure works, at a size that says nothing about speed: what it appends and reads is checked on the way."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.integrity import verify
from ledger.service import Ledger
from tests.bench import all as every
from tests.bench import catch_up, given, growth, large, material, meters, postgres, record, startup, store
from tests.bench.measure import Bench, Gate, in_turns, markdown
from tests.postgres import Databases


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store made as the large ones are."""
    return large.built(tmp_path_factory.mktemp("big") / "large.db", 3_000)


def held(bench: Bench) -> dict[str, float]:
    """The gates and what was measured for them; every figure is there and above nought."""
    for case, turns in bench.cases.items():
        assert turns, case
        assert all(figure > 0 for turn in turns for figure in turn.values()), case
    assert Bench.of_json(json.loads(json.dumps(bench.as_json()))).as_json() == bench.as_json()
    return {gate.name: gate.measured for gate in bench.gates}


def test_the_store_alone_is_measured() -> None:
    bench = store.measure(rounds=8, repeat=1, seed=1, numbers=(1, 32))
    assert len(bench.cases) == 2 * 4 and len(held(bench)) == 4


def test_recording_is_measured() -> None:
    bench = record.measure(rounds=4, repeat=1, seed=1, players=2, profile=True)
    assert len(held(bench)) == 1 and "decide" in bench.notes[0]


def test_writers_on_postgresql_are_measured_and_their_reader_misses_nothing(databases: Databases) -> None:
    gates = held(postgres.measure(databases, rounds=8, repeat=1, seed=1, number=2))
    assert [missed for name, missed in gates.items() if "missed" in name] == [0, 0, 0, 0]


def test_catching_up_is_measured_on_both_databases(databases: Databases) -> None:
    bench = catch_up.measure(rounds=4, single=10, repeat=1, seed=1, databases=databases)
    read_models = len(catch_up.NAMES)
    assert len(bench.cases) == 4 * read_models + 2 and len(bench.notes) == 2 and len(held(bench)) == 2 * read_models


def test_a_large_log_is_measured_and_left_as_it_was(big: Path) -> None:
    bench = growth.measure(big, rounds=4, read=500, repeat=1, seed=1, verified=True)
    assert len(held(bench)) == 2 and len(bench.notes) == 2
    with Ledger.open(f"sqlite:///{big}") as ledger:
        assert ledger.head().position == large.size(big)


def test_whole_processes_are_measured(big: Path) -> None:
    bench = startup.measure(big, repeat=1)
    for command in ("rounds --help", "rounds replay ROUND"):
        assert held(bench)[f"{command}, modules of SQLAlchemy"] == 0
    assert any(note.startswith("rounds replay ROUND loads") and "of orjson" in note for note in bench.notes)


def test_meters_are_measured() -> None:
    gates = held(meters.measure(rounds=1_500, number=2, played=2, repeat=1))
    assert len(gates) == 3 and gates["the day's report, seconds"] < 60


def test_a_large_log_is_what_recording_leaves(big: Path) -> None:
    with Ledger.open(f"sqlite:///{big}") as ledger:
        assert verify(ledger).problems == ()
        assert {each.source for each in ledger.records(limit=3_000)} == {"cli", large.RANDOM, None}


def test_the_store_alone_keeps_what_it_is_given(tmp_path: Path) -> None:
    (played,) = material.played(1, seed=1)
    with given.ledger(f"sqlite:///{tmp_path / 'rounds.db'}") as ledger:
        receipts = ledger.record_all(given.submissions(played))
        again = ledger.record_all(given.submissions(played))
    assert {each.status for each in receipts} == {"recorded"} and {each.status for each in again} == {"repeated"}
    assert material.recorded_rounds(tmp_path / "rounds.db") == [played]


def test_turns_after_the_first_count() -> None:
    figures = iter([9.0, 1.0, 2.0])
    assert in_turns({"case": lambda: {"s": next(figures)}}, repeat=2) == {"case": [{"s": 1.0}, {"s": 2.0}]}


def test_a_ratio_compares_what_ran_in_the_same_turn() -> None:
    bench = Bench(
        "x", {}, {"ours": [{"s": 2.0}, {"s": 30.0}, {"s": 4.0}], "bare": [{"s": 1.0}, {"s": 10.0}, {"s": 4.0}]}
    )
    assert bench.ratio("ours", "bare", "s") == 2.0


@pytest.mark.parametrize(
    ("measured", "at_most", "met"), [(1.3, False, True), (1.29, False, False), (20.1, True, False)]
)
def test_a_gate_says_whether_it_is_met(measured: float, at_most: bool, met: bool) -> None:
    gate = Gate("some rate", measured, 20.0 if at_most else 1.3, at_most)
    assert gate.met is met and gate.told().startswith("met" if met else "MISSED")


def test_the_report_of_an_earlier_run_is_put_between_the_marks(tmp_path: Path) -> None:
    bench = Bench("store", {"rounds": 1_000}, {"case": [{"events/s": 1.0}, {"events/s": 3.0}]}, [Gate("rate", 1, 2)])
    content = {"at": "2026-05-01", "machine": {"processor": "2"}, "busy": False, "benches": [bench.as_json()]}
    assert list(markdown(bench)) == [
        "rounds 1,000", "", "| case | events/s |", "|---|---:|", "| case | 2 (1 – 3) |", "",
        "- MISSED: rate: 1 (at least 2)",
    ]  # fmt: skip
    filled = every.filled_in(every.README.read_text(encoding="utf-8"), list(every.report(content)))
    assert filled.count(every.BEGIN) == 1 and "| case | 2 (1 – 3) |" in filled
    (tmp_path / "run.json").write_text(json.dumps(content), encoding="utf-8")
    told = subprocess.run(
        [sys.executable, "-m", "tests.bench.all", "--from", str(tmp_path / "run.json"), "--markdown"],
        capture_output=True, text=True, check=False, cwd=every.README.parents[2],
    )  # fmt: skip
    assert told.returncode == 1 and "### The store alone" in told.stdout and "1 gates missed" in told.stdout
