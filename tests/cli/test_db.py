"""`rounds db` on a file and on PostgreSQL, and the other commands on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases.case import DATA, EXAMPLES, Case, load, load_example
from tests.cases.runner import play
from tests.cli.conftest import ONE_ROUND, ROUND, Rounds
from tests.postgres import Database, Databases

# Those that lean most on what the writer keeps.
CASES = {"bank-shortage", "feed-retries", "meter-void-takes-back-everything", "six-h1-fortune-and-envy"}


@pytest.fixture
def empty(databases: Databases) -> Iterator[Database]:
    made = databases.empty()
    yield made
    databases.drop_one(made)


def test_a_postgresql_ledger_is_made_by_the_upgrade_and_then_takes_every_command(
    rounds: Rounds, empty: Database
) -> None:
    before = rounds("record", ONE_ROUND, "--db", empty.url)
    assert (before.code, before.out) == (3, "")
    assert "run `rounds db upgrade`" in before.err
    assert rounds("db", "status", "--db", empty.url).code == 3
    assert rounds("db", "upgrade", "--db", empty.url).out == "Schema 1: an empty ledger was made.\n"
    assert rounds("db", "upgrade", "--db", empty.url, "--format", "jsonl").rows() == [{"before": 1, "now": 1}]
    assert rounds("record", ONE_ROUND, "--db", empty.url).code == 0
    (found,) = rounds("db", "status", "--db", empty.url, "--format", "jsonl").rows()
    assert found | {"database": ""} == {
        "database": "",
        "schema": 1,
        "known": 1,
        "ready": True,
        "events": 27,
        "read_only": False,
    }
    for command in (("list",), ("replay", ROUND, "--recheck"), ("balance",), ("meter", "list"), ("sheet", "list")):
        on_file = rounds("record", ONE_ROUND, "-q").code, rounds(*command, "--format", "json").out
        ran = rounds(*command, "--db", empty.url, "--format", "json")
        assert ran.code == on_file[0] == 0
        assert without_hashes(ran.out) == without_hashes(on_file[1])
    assert rounds("projection", "rebuild", "--db", empty.url).code == 0
    assert rounds("record", ONE_ROUND, "--dry-run", "--db", empty.url).code == 0
    assert rounds("verify", "--db", empty.url).code == 0


def without_hashes(text: str) -> list[str]:
    """The lines of a document that do not rest on when it was recorded."""
    return [line for line in text.splitlines() if '"head":' not in line and "recorded_at" not in line]


def test_a_store_of_a_newer_version_is_shown_and_not_ready(rounds: Rounds, database: Database) -> None:
    with database.connect() as raw:
        raw.execute("UPDATE ledger_schema SET version_num = '0099'")
    ran = rounds("db", "status", "--db", database.url)
    assert ran.code == 1
    assert "Schema    99, this version knows up to 1; use the newer one" in ran.out
    assert rounds("db", "upgrade", "--db", database.url).code == 2


def test_an_upgrade_makes_a_file_too(rounds: Rounds) -> None:
    assert rounds("db", "status").code == 3
    assert rounds("db", "upgrade").out == "Schema 1: an empty ledger was made.\n"
    assert rounds("db", "status").out.splitlines()[1:] == ["Schema    1, ready", "Log       0 events"]


def test_the_roles_are_sql_that_postgresql_takes(rounds: Rounds, database: Database) -> None:
    printed = rounds("db", "roles").out
    with database.connect() as raw:
        raw.execute(printed.encode())
        granted = raw.execute("SELECT has_table_privilege('rounds_writer', 'events', 'INSERT')").fetchone()
    assert granted == (True,)


@pytest.mark.parametrize("case", [each for each in load(DATA) if each.name in CASES], ids=lambda case: case.name)
def test_the_product_answers_a_case_from_postgresql_as_from_a_file(
    case: Case, tmp_path: Path, database: Database
) -> None:
    assert play(case, tmp_path, store=database.url) == []


def test_the_example_round_is_the_same_in_postgresql(tmp_path: Path, database: Database) -> None:
    assert play(load_example(EXAMPLES / "one-round.jsonl"), tmp_path, store=database.url) == []


def test_no_named_case_is_missing() -> None:
    assert {each.name for each in load(DATA)} >= CASES
