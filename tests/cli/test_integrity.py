"""Verify and anchor: a ledger that is not what was recorded ends with 5 and names the place."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import ROUND, Rounds


@contextmanager
def unguarded(store: Path) -> Iterator[sqlite3.Connection]:
    """The store as somebody sees it who dropped its triggers; they are made again at the end."""
    with closing(sqlite3.connect(store)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f'DROP TRIGGER "{name}"')
        yield connection
        for _, statement in triggers:
            connection.execute(statement)
        connection.commit()


def test_a_sound_ledger_is_verified(one_round: Path, rounds: Rounds) -> None:
    ran = rounds("verify")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Verified: 27 events")
    document = json.loads(rounds("verify", "--format", "json").out)
    assert (document["verified"], document["count"], document["problems"]) == (True, 27, [])


@pytest.mark.parametrize("reported", [False, True])
def test_verify_needs_no_lock_of_those_who_write(reported: bool, one_round: Path, rounds: Rounds) -> None:
    if reported:
        rounds("meter", "list")
    with closing(sqlite3.connect(one_round, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert rounds("verify").code == 0
        assert rounds("anchor").code == 0


def test_a_reading_that_is_not_what_the_log_sums_up_to_is_5_in_dollars(
    one_round: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"position": 20, "figure": "reserve_micros", "meter": "PROG", "level": "major"}
    found |= {"recorded_micros": 180_000, "summed_micros": -20_001}
    monkeypatch.setattr("projections.meters.unwritten_discrepancies", lambda *_: [found])
    ran = rounds("verify", "--format", "json")
    assert ran.code == 5
    text = "the reserve of meter PROG, level major, was recorded as $0.18 and sums up to -$0.020001"
    assert json.loads(ran.out)["problems"] == [{"code": "meter.differs", "position": 20, "text": text}]
    assert ran.err.startswith(f"rounds: meter.differs: at position 20: {text}")


def test_a_changed_event_is_5_with_its_position(one_round: Path, rounds: Rounds) -> None:
    with unguarded(one_round) as connection:
        connection.execute("UPDATE events SET \"by\" = 'D99' WHERE position = 16")
    ran = rounds("verify")
    assert ran.code == 5
    assert "NOT VERIFIED" in ran.out
    assert "position 16: " in ran.out
    assert ran.err.startswith("rounds: hash.differs: at position 16: ")
    rows = rounds("verify", "--format", "csv").out.splitlines()
    assert rows[0] == "position,code,text"
    assert rows[1].startswith("16,hash.differs,")


def test_a_replay_of_a_changed_round_is_5(one_round: Path, rounds: Rounds) -> None:
    with unguarded(one_round) as connection:
        connection.execute("UPDATE events SET \"by\" = 'D99' WHERE position = 16")
    ran = rounds("replay", ROUND, "--format", "json")
    assert ran.code == 5
    assert json.loads(ran.out)["integrity"]["verified"] is False
    assert "run `rounds verify`" in ran.err


@pytest.mark.parametrize("arguments", [("-o", "anchor.json"), ("-o", "anchor.txt"), ("-o", "a", "--format", "jsonl")])
def test_an_anchor_is_read_back_however_it_was_kept(
    arguments: tuple[str, ...], one_round: Path, rounds: Rounds
) -> None:
    assert rounds("anchor", *arguments).code == 0
    ran = rounds("verify", "--anchor", arguments[1])
    assert ran.code == 0
    assert "The anchor of 27 events is in this log." in ran.out


def test_a_cut_tail_is_found_by_the_anchor(one_round: Path, rounds: Rounds) -> None:
    rounds("anchor", "-o", "anchor.json")
    with unguarded(one_round) as connection:
        connection.execute("DELETE FROM events WHERE position = 27")
    ran = rounds("verify", "--anchor", "anchor.json", "--format", "json")
    assert ran.code == 5
    assert "anchor.cut" in {problem["code"] for problem in json.loads(ran.out)["problems"]}


def test_an_anchor_of_another_log_is_found(one_round: Path, rounds: Rounds) -> None:
    Path("anchor.json").write_text(json.dumps({"count": 5, "head": "0" * 64}), encoding="utf-8")
    assert rounds("verify", "--anchor", "anchor.json").code == 5


def test_a_file_that_is_no_anchor_is_misuse(one_round: Path, rounds: Rounds) -> None:
    ran = rounds("verify", "--anchor", one_round)
    assert ran.code == 2
    assert "anchor.invalid" in ran.err
