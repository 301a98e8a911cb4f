"""The demonstration: it fills a fresh store, shows each command with its answer, and replaces nobody's ledger."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import cli.commands.demo
from cli.commands.demo import FEED, STORY, TOUR, Step
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
        if step.arguments[0] != "record":
            answer = rounds(*step.arguments, "--db", f"sqlite:///{store}").out
            shown = answer if step.whole else answer.partition(f"\n{STORY}\n")[0]
            assert shown in out
    assert "Recheck: matches." in out
    assert "Verified: " in out


def test_what_a_look_at_a_round_leaves_out_is_said(toured: tuple[str, Path], rounds: Rounds) -> None:
    out, store = toured
    looks = [step for step in TOUR if not step.whole]
    assert looks
    for step in looks:
        answer = rounds(*step.arguments, "--db", f"sqlite:///{store}").out
        left = len(answer[answer.index(STORY) :].splitlines())
        shown = out[out.index(" ".join(step.arguments)) :].partition("\n# ")[0]
        assert shown.rstrip().endswith(f"... and {left} lines of what happened, event by event.")


def test_the_tour_keeps_to_eighty_columns(toured: tuple[str, Path]) -> None:
    out, _ = toured
    typed = re.compile(r"\$ rounds record |\$ export ")
    assert [line for line in out.splitlines() if len(line) > 80 and not typed.match(line)] == []


def test_the_evening_has_what_a_floor_sees(toured: tuple[str, Path], rounds: Rounds) -> None:
    _, store = toured
    documents = rounds("replay", "--all", "--db", f"sqlite:///{store}", "--format", "jsonl").rows()
    assert len(documents) >= 300
    assert {each["game"] for each in documents} == set(game_ids())
    assert {each["status"] for each in documents} == {"settled", "voided"}
    assert any(each["misdealt"] for each in documents)
    assert any(each["bank"] != "house" for each in documents)
    assert any(each["corrections"] for each in documents)
    assert any(each["reversed_lines"] for each in documents)
    seats = [seat for each in documents for seat in each["seats"]]
    assert any(seat["foul"] for seat in seats)
    assert any(seat["set_by"] == "floor" for seat in seats)
    assert any(seat["folded"] for seat in seats)
    lines = [line for each in documents for line in each["lines"]]
    assert {"tiger_9", "dealer_ace_high", "dealer_ace_high_joker"} <= {line["hand"] for line in lines}
    assert max(line["won_cents"] for line in lines if line["meter_reading"]) > 1_000_000


def test_what_to_try_next_works_as_it_is_written(
    toured: tuple[str, Path], rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, store = toured
    monkeypatch.setenv("ROUNDS_DB", f"sqlite:///{store}")
    lines = re.findall(r"(?m)^  rounds (.+)$", out[out.index("Try next:") :])
    assert len(lines) >= 5
    for line in lines:
        assert rounds(*shlex.split(line, comments=True)).code == 0, line


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
