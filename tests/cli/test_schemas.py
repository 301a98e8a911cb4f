"""The schemas of docs/schemas/ describe every key of what the program really writes, and the commands that it takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from cli.simulation.feed import feed
from cli.simulation.habits import EVENTFUL
from domain.sheets import sample, sample_ids
from tests import schemas
from tests.cli.conftest import ONE_ROUND, ROOT, ROUND, Rounds
from tests.cli.documents import DOCUMENTS, ELSEWHERE, TEXT, Document
from tests.manual import paths

NAMES = sorted(path.stem for path in schemas.FOLDER.glob("*.json"))


@cache
def schema(name: str) -> dict[str, Any]:
    """The schema as it is published."""
    content: dict[str, Any] = json.loads((schemas.FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return content


def closed(content: Any) -> Any:
    """The schema with no other keys allowed than those that it names; readers of a document must bear new ones."""
    if isinstance(content, list):
        return [closed(each) for each in content]
    if not isinstance(content, dict):
        return content
    inner = {key: closed(value) for key, value in content.items()}
    if "properties" in inner and isinstance(content.get("type"), str | list) and "additionalProperties" not in inner:
        inner["additionalProperties"] = False
    return inner


@cache
def validator(name: str) -> Draft202012Validator:
    """Checks a document against a closed schema."""
    resources = [(f"{each}.json", Resource.from_contents(closed(schema(each)))) for each in NAMES]
    return Draft202012Validator(closed(schema(name)), registry=Registry().with_resources(resources))


def faults(name: str, document: Any) -> list[str]:
    """What is wrong with the document, with the place of each fault."""
    return [f"{name}{error.json_path[1:]}: {error.message[:200]}" for error in validator(name).iter_errors(document)]


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_and_says_what_it_describes(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$id"] == f"{name}.json"
    assert schema(name)["title"] and schema(name)["description"]


def test_every_schema_is_held_against_something() -> None:
    assert {each.schema for each in DOCUMENTS} | {"receipt", "feed"} == set(NAMES)


def test_every_command_that_writes_documents_has_its_schema() -> None:
    called = {call[:length] for each in DOCUMENTS for call in each.calls for length in (1, 2)}
    groups = {path[:1] for path in paths() if len(path) == 2}
    commands = {path for path in paths() if path and path not in groups}
    assert commands - called == ELSEWHERE | TEXT


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: each.schema)
def test_what_is_written_is_as_its_schema_says(document: Document, evening: Path, rounds: Rounds) -> None:
    found = 0
    for call in document.before:
        assert rounds(*call).code == 0
    for call in document.calls:
        ran = rounds(*call, "--format", "jsonl" if document.rows else "json")
        assert ran.code == document.code, ran.err
        for each in ran.rows() if document.rows else [json.loads(ran.out)]:
            found += 1
            assert faults(document.schema, each) == []
    assert found or document.schema in ("missing-row", "slip-gap")


def test_a_store_that_is_no_ledger_yet_is_described_too(rounds: Rounds) -> None:
    Path("rounds.db").touch()
    ran = rounds("db", "status", "--format", "json")
    assert (ran.code, json.loads(ran.out)["schema"]) == (3, None)
    assert faults("db-status", json.loads(ran.out)) == []


def test_a_rounds_document_is_as_its_schema_says_at_every_moment(one_round: Path, rounds: Rounds) -> None:
    for at in range(1, 24):
        shown = json.loads(rounds("replay", ROUND, "--at", at, "--format", "json").out)
        assert faults("replay", shown) == []


def test_receipts_of_every_kind_are_as_their_schema_says(rounds: Rounds) -> None:
    lines = [json.dumps(command) for command in feed(3, 6, habits=EVENTFUL, mistakes=True)]
    Path("feed.jsonl").write_text("\n".join([*lines, "nonsense", lines[0]]), encoding="utf-8")
    ran = rounds("record", "feed.jsonl", ONE_ROUND, "--format", "jsonl")
    assert {row["status"] for row in ran.rows()} == {"recorded", "repeated", "refused"}
    assert [fault for row in ran.rows() for fault in faults("receipt", row)] == []


def lines_of_feeds() -> Iterator[dict[str, Any]]:
    """Commands of every kind that were recorded."""
    for command in feed(4, 20, habits=EVENTFUL):
        yield dict(command)
    for path in sorted((ROOT / "tests" / "rounds").glob("*.jsonl")):
        yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())


def test_commands_that_are_accepted_are_as_the_schema_of_the_feed_says() -> None:
    seen = set()
    for line in lines_of_feeds():
        seen.add(line["command"])
        one = {"$ref": f"feed.json#/$defs/{line['command']}"}
        found = validator("feed").evolve(schema=one).iter_errors(line)
        assert [error.message[:200] for error in found] == [], line
    assert len(seen) > 20


@pytest.mark.parametrize(
    "change",
    [
        {"amount_cents": 5.5},
        {"amount_cents": "5"},
        {"amount_cents": 0},
        {"seat": "1"},
        {"unknown": 1},
        {"by": ""},
        {"round": "a b"},
        {"command": "place_bet"},
    ],
    ids=str,
)
def test_commands_that_are_refused_for_their_form_are_not(change: dict[str, Any]) -> None:
    line = next(each for each in lines_of_feeds() if each["command"] == "place_wager")
    assert faults("feed", line) == []
    assert faults("feed", line | change) != []


def test_the_schema_of_the_feed_is_the_one_of_the_forms() -> None:
    assert schemas.FEED.read_text(encoding="utf-8") == schemas.written(), "run python -m tests.schemas"


def test_every_sample_sheet_is_as_its_schema_says() -> None:
    assert [fault for ref in sample_ids() for fault in faults("sheet", sample(ref))] == []


def test_a_key_that_no_schema_has_would_be_found() -> None:
    assert faults("anchor", {"count": 1, "head": "0" * 64}) == []
    assert faults("anchor", {"count": 1, "head": "0" * 64, "new": 1}) != []
    assert faults("anchor", {"count": 1.5, "head": "0" * 64}) != []
