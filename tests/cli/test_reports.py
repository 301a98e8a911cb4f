"""Lists, balances and meters: the contract's JSON, the filters, and points in the past."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import ONE_ROUND, ROUND, Rounds

BALANCE = [
    "player",
    "bought_in_cents",
    "cashed_out_cents",
    "staked_cents",
    "won_cents",
    "returned_cents",
    "commission_cents",
    "corrected_cents",
    "net_cents",
    "balance_cents",
    "rounds",
    "position",
]
LEVEL = {
    "level",
    "base_micros",
    "reset_micros",
    "rate_bp",
    "hidden_rate_bp",
    "limit_micros",
    "in_count",
    "accrued_micros",
    "display_cents",
    "overflow_micros",
    "reserve_micros",
    "hits",
    "wins_micros",
    "position",
}


def test_balance_is_an_array_of_rows_in_the_contracts_form(one_round: Path, rounds: Rounds) -> None:
    rows = json.loads(rounds("balance", "--format", "json").out)
    assert [row["player"] for row in rows] == ["P100", "P200"]
    assert [key for key in rows[0] if key in BALANCE] == BALANCE
    assert rows[1]["net_cents"] == 24650


def test_the_balance_of_a_player_is_an_array_of_one_row(one_round: Path, rounds: Rounds) -> None:
    (row,) = json.loads(rounds("balance", "P100", "--format", "json").out)
    assert (row["bought_in_cents"], row["balance_cents"]) == (20000, 19900)


def test_a_balance_for_people_is_in_dollars(one_round: Path, rounds: Rounds) -> None:
    assert "Balance     $199.00" in rounds("balance", "P100").out
    assert "$246.50" in rounds("balance").out


@pytest.mark.parametrize("as_of", ["4", "2026-03-14T18:59:00-04:00", "2026-03-14T22:59:00Z"])
def test_a_balance_as_of_a_position_or_a_time(as_of: str, one_round: Path, rounds: Rounds) -> None:
    rows = json.loads(rounds("balance", "--as-of", as_of, "--format", "json").out)
    assert [(row["player"], row["balance_cents"]) for row in rows] == [("P100", 20000)]


def test_a_meter_is_one_object_in_the_contracts_form(one_round: Path, rounds: Rounds) -> None:
    meter = json.loads(rounds("meter", "show", "PROG", "--format", "json").out)
    assert (meter["meter"], meter["property"]) == ("PROG", "RIVERSIDE")
    assert [level["level"] for level in meter["levels"]] == ["major", "minor"]
    assert set(meter["levels"][0]) >= LEVEL
    assert meter["levels"][0]["accrued_micros"] == 10_000_360_000


def test_a_meter_as_of_a_position_before_the_contributions(one_round: Path, rounds: Rounds) -> None:
    meter = json.loads(rounds("meter", "show", "PROG", "--as-of", "11", "--format", "json").out)
    assert meter["levels"][0]["accrued_micros"] == 10_000_000_000


def test_a_meter_for_people_shows_readings_and_terms(one_round: Path, rounds: Rounds) -> None:
    out = rounds("meter", "show", "PROG").out
    assert "$10,000.36" in out
    assert "18.00 %" in out


def test_every_level_of_every_meter_is_listed(one_round: Path, rounds: Rounds) -> None:
    rows = list(csv.DictReader(io.StringIO(rounds("meter", "list", "--format", "csv").out)))
    assert [(row["meter"], row["level"], row["accrued_micros"]) for row in rows] == [
        ("PROG", "major", "10000360000"),
        ("PROG", "minor", "500120000"),
    ]


def test_rounds_are_listed_in_the_order_of_their_opening(evening: Path, rounds: Rounds) -> None:
    rows = rounds("list", "--format", "jsonl").rows()
    assert len(rows) == 25
    assert [row["opened_position"] for row in rows] == sorted(row["opened_position"] for row in rows)


def test_a_limit_takes_the_first(evening: Path, rounds: Rounds) -> None:
    every = rounds("list", "--format", "jsonl").rows()
    assert rounds("list", "--limit", "3", "--format", "jsonl").rows() == every[:3]


@pytest.mark.parametrize(
    ("option", "key"),
    [
        ("--table", "table"),
        ("--property", "property"),
        ("--day", "gaming_day"),
        ("--dealer", "dealer"),
        ("--game", "game"),
        ("--status", "status"),
        ("--player", "players"),
        ("--finding", "findings"),
    ],
)
def test_each_filter_finds_exactly_its_rounds(option: str, key: str, evening: Path, rounds: Rounds) -> None:
    every = rounds("list", "--format", "jsonl").rows()
    wanted = next(value for row in reversed(every) for value in _values(row[key]))
    found = rounds("list", option, wanted, "--format", "jsonl").rows()
    assert found == [row for row in every if wanted in _values(row[key])]
    assert found


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def test_filters_hold_together(evening: Path, rounds: Rounds) -> None:
    every = rounds("list", "--format", "jsonl").rows()
    row = every[4]
    found = rounds("list", "--table", row["table"], "--dealer", row["dealer"], "--format", "jsonl").rows()
    assert found == [each for each in every if (each["table"], each["dealer"]) == (row["table"], row["dealer"])]


def test_replay_takes_the_filters_of_list_in_round_order(evening: Path, rounds: Rounds) -> None:
    table = rounds("list", "--format", "jsonl").rows()[0]["table"]
    listed = rounds("list", "--table", table, "--format", "jsonl").rows()
    replayed = rounds("replay", "--all", "--table", table, "--format", "jsonl").rows()
    assert [each["round"] for each in replayed] == [each["round"] for each in listed]


def test_a_list_for_people_keeps_to_a_hundred_columns(evening: Path, rounds: Rounds) -> None:
    lines = rounds("list").out.splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) > 25


def test_nothing_found_is_no_failure_and_says_so(one_round: Path, rounds: Rounds) -> None:
    ran = rounds("list", "--table", "PG09")
    assert (ran.code, ran.out, ran.err) == (
        0,
        "",
        "no such rounds; no round at all has --table PG09; did you mean --table PG01?\n",
    )
    assert rounds("list", "--table", "PG09", "--format", "json").out == "[]\n"


def test_nothing_found_by_filters_that_find_something_alone_names_which_one_to_leave_out(
    evening: Path, rounds: Rounds
) -> None:
    games = {row["game"]: row["table"] for row in rounds("list", "--format", "jsonl").rows()}
    (_, table), (other, _) = list(games.items())[:2]
    said = f"no such rounds; there are some without --table {table} or without --game {other}\n"
    assert rounds("list", "--table", table, "--game", other).err == said
    assert rounds("list", "--table", table, "--game", other, "--status", "settled").err == said
    assert rounds("list", "--table", table, "--game", "Poker").err.startswith(
        "no such rounds; no round at all has --game Poker; "
    )


def test_a_time_of_day_before_noon_that_finds_nothing_is_answered_with_the_evening(
    one_round: Path, rounds: Rounds
) -> None:
    said = "no such rounds; no round at all has --around 7:05; did you mean --around 19:05?\n"
    assert rounds("list", "--around", "7:05").err == said
    assert rounds("list", "--around", "8:05").err == "no such rounds; no round at all has --around 8:05\n"


def test_a_day_in_another_iso_form_is_the_same_day(one_round: Path, rounds: Rounds) -> None:
    assert ROUND in rounds("list", "--day", "20260314").out


def test_the_list_shows_the_minute_of_opening_on_the_propertys_clock(rounds: Rounds) -> None:
    # 19:00 in New York, which a table system may well send as UTC.
    feed = ONE_ROUND.read_text(encoding="utf-8").replace("2026-03-14T19:00:00-04:00", "2026-03-14T23:00:00Z")
    assert rounds("record", "-", input=feed).code == 0
    title, row = rounds("list", "--around", "19:00", "--within", "1m").out.splitlines()
    assert row[title.index("Opened") :].startswith("19:00 ")
    given = "2026-03-14T23:00:00Z"
    assert next(csv.DictReader(io.StringIO(rounds("list", "--format", "csv").out)))["opened_at"] == given
    assert rounds("list", "--format", "jsonl").rows()[0]["opened_at"] == given


CATCHING_UP = [
    ("list",),
    ("balance",),
    ("recheck",),
    ("meter", "list"),
    ("meter", "show", "PROG"),
    ("meter", "report"),
    ("meter", "plot", "PROG"),
    ("jackpot", "list"),
    ("jackpot", "show", ROUND),
]


@pytest.mark.parametrize("report", CATCHING_UP, ids=" ".join)
def test_a_long_way_to_catch_up_is_told_once(
    report: tuple[str, ...], one_round: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, int, int]] = []
    monkeypatch.setattr("cli.progress.ProgressLine.count", lambda _, *said: told.append(said))
    monkeypatch.setattr("cli.store._LONG_LAG", 0)
    assert rounds(*report).code == 0
    assert ("events taken in", 27, 27) in told
    told.clear()
    assert rounds(*report).code == 0
    assert [said for said in told if said[0] == "events taken in"] == []


def test_projections_say_where_they_stand_and_are_rebuilt(one_round: Path, rounds: Rounds) -> None:
    assert rounds("balance").code == 0
    rows = json.loads(rounds("projection", "status", "--format", "json").out)
    assert {row["name"]: row["lag"] for row in rows}["balances"] == 0
    before = rounds("balance", "--format", "json").out
    ran = rounds("projection", "rebuild", "balances", "--format", "json")
    assert [(row["name"], row["lag"]) for row in json.loads(ran.out)] == [("balances", 0)]
    assert rounds("balance", "--format", "json").out == before
    assert len(json.loads(rounds("projection", "rebuild", "--format", "json").out)) > 1


def test_the_round_is_listed_in_every_format(one_round: Path, rounds: Rounds) -> None:
    assert ROUND in rounds("list").out
    assert json.loads(rounds("list", "--format", "json").out)[0]["round"] == ROUND
    assert rounds("list", "--format", "jsonl").rows()[0]["round"] == ROUND
    assert next(csv.DictReader(io.StringIO(rounds("list", "--format", "csv").out)))["round"] == ROUND


def test_a_meter_for_people_says_what_has_ended_and_which_terms_are_to_come(one_round: Path, rounds: Rounds) -> None:
    assert "Notes" not in rounds("meter", "show", "PROG").out
    papers = {"at": "2026-03-15T12:00:00-04:00", "by": "C1", "meter": "PROG", "approved_by": ["M1", "M2"]}
    retire = {"level": "minor", "to": "revenue", "reason": "game_removed", "evidence": "form 9"}
    change = {"levels": [{"level": "major", "rate_bp": 2000, "limit_micros": 20_000_000_000}]}
    mystery = {"level": "grand", "base_micros": 0, "reset_micros": 0, "rate_bp": 1, "hidden_rate_bp": 0}
    mystery |= {"limit_micros": None, "must_hit_by_micros": 10**9, "commitment": "ab" * 32}
    opening = {"property": "RIVERSIDE", "levels": [mystery], "unreasonable_micros": 1, "meter": "MYST"}
    soon = {"effective_from": "2026-04-01T00:00:00Z"}
    bodies = [
        papers | retire | {"command": "retire_meter", "command_id": "1"},
        papers | change | soon | {"command": "change_meter", "command_id": "2"},
        papers | opening | soon | {"command": "open_meter", "command_id": "3"},
    ]
    assert rounds("record", "-", input="\n".join(map(json.dumps, bodies))).code == 0
    out = " ".join(rounds("meter", "show", "PROG").out.split())
    assert "Level minor is retired" in out
    assert "From 2026-04-01T00:00:00Z on: level major, rate 20.00 % instead of 18.00 %." in out
    assert "level major, limit $20,000.00 instead of none." in out
    out = " ".join(rounds("meter", "show", "MYST").out.split())
    assert "must hit by $1,000.00. Cycle 1 began at $0.00" in out and "ab" * 32 in out


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ((), "no such jackpots"),
        (("--meter", "PROG"), "no such jackpots"),
        (("--meter", "PROG1"), "no such jackpots; no meter at all has --meter PROG1; did you mean PROG?"),
        (("--property", "XX"), "no such jackpots; no meter at all has --property XX; there are RIVERSIDE"),
    ],
)
def test_a_list_of_no_jackpots_says_which_name_is_none(
    asked: tuple[str, ...], says: str, one_round: Path, rounds: Rounds
) -> None:
    ran = rounds("jackpot", "list", "--state", "voided", *asked)
    assert (ran.code, ran.out, ran.err) == (0, "", f"{says}\n")
