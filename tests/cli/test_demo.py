"""The demonstration: it fills a fresh store, shows each command with its answer, and replaces nobody's ledger."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import cli.commands.demo
from cli.commands.demo import FEED, TOUR, Step
from domain.games import game_ids
from tests.cli.conftest import ONE_ROUND, Rounds


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The text of one tour and the store that it left."""
    from click.testing import CliRunner

    from cli.main import app

    store = tmp_path_factory.mktemp("demo") / "demo.db"
    result = CliRunner().invoke(app, ["demo", "--db", f"sqlite:///{store}"])
    assert result.exit_code == 0, result.stderr
    return result.stdout, store


def test_the_tour_shows_every_command_and_what_it_answers(toured: tuple[str, Path], rounds: Rounds) -> None:
    out, store = toured
    for step in TOUR:
        assert f"$ rounds {' '.join(step.arguments)}\n" in out
    for report in (TOUR[1].arguments, ("verify",), ("balance", "P055")):
        assert rounds(*report, "--db", f"sqlite:///{store}").out in out
    assert "Recheck: matches." in out
    assert "Verified: " in out


def test_the_evening_has_what_a_floor_sees(toured: tuple[str, Path], rounds: Rounds) -> None:
    _, store = toured
    listed = rounds("list", "--db", f"sqlite:///{store}", "--format", "jsonl").rows()
    assert len(listed) >= 300
    assert {"voided", "settled"} <= {row["status"] for row in listed}
    assert any(row["misdealt"] for row in listed)
    assert any(row["bank"] != "house" for row in listed)
    assert any(row["corrected_cents"] for row in listed)
    levels = json.loads(rounds("meter", "show", "RV-F-PROG", "--db", f"sqlite:///{store}", "--format", "json").out)
    assert levels["levels"][0]["wins_micros"] >= 2_000_000_000
    assert {row["game"] for row in listed} == set(game_ids())


def test_what_to_try_next_works_as_it_is_written(
    toured: tuple[str, Path], rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, store = toured
    monkeypatch.setenv("ROUNDS_DB", f"sqlite:///{store}")
    lines = re.findall(r"(?m)^  rounds (.+)$", out[out.index("Try next:") :])
    assert len(lines) >= 5
    for line in lines:
        assert rounds(*line.split()).code == 0, line


def test_an_earlier_demo_is_replaced_only_when_asked(toured: tuple[str, Path], rounds: Rounds) -> None:
    _, store = toured
    before = store.read_bytes()
    ran = rounds("demo", "--db", f"sqlite:///{store}")
    assert ran.code == 1
    assert "demo.not-fresh" in ran.err
    assert store.read_bytes() == before


def test_a_demo_asked_to_replaces_an_earlier_one(
    toured: tuple[str, Path], rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, store = toured
    Path("demo.db").write_bytes(store.read_bytes())
    monkeypatch.setattr(cli.commands.demo, "TOUR", (Step("Where is the log?", ("anchor",)),))
    assert rounds("demo", "--force").code == 1
    assert not Path("demo.db").exists()


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_another_ledger_is_never_replaced(force: tuple[str, ...], one_round: Path, rounds: Rounds) -> None:
    before = one_round.read_bytes()
    for named in (("--db", "sqlite:///rounds.db"), ()):
        ran = rounds("demo", *force, *named, "--db", f"sqlite:///{one_round}")
        assert ran.code == 1
        assert "holds a ledger" in ran.err
    assert one_round.read_bytes() == before


def test_a_step_that_fails_ends_the_tour(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (Step("A feed?", ("record", str(ONE_ROUND))), Step("A round?", ("replay", "nobody")), TOUR[-1])
    monkeypatch.setattr(cli.commands.demo, "TOUR", steps)
    ran = rounds("demo")
    assert ran.code == 1
    assert "`rounds replay nobody` ended with 3" in ran.err
    assert "Try next" not in ran.out


def test_the_shipped_feed_is_small() -> None:
    assert FEED.stat().st_size < 1_000_000
