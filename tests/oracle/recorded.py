"""Feeds put through the command line into a ledger of their own, and everything it then says compared."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.oracle.compare import balance_differences, differences, meter_differences
from tests.oracle.room import Room

Document = dict[str, Any]


class Disagreement(NamedTuple):
    """One round (or meter, or player) in which the product and the texts part."""

    about: str
    differences: list[str]
    document: Document | None = None
    commands: list[Document] | None = None


def rounds(*arguments: object) -> None:
    """One call of `rounds`; a feed with refused lines ends with 1."""
    call = [sys.executable, "-c", "from cli.main import main; main()", *map(str, arguments)]
    ran = subprocess.run(call, capture_output=True, text=True, check=False)
    if ran.returncode not in ((0, 1) if "record" in arguments else (0,)) or "Traceback" in ran.stderr:
        raise RuntimeError(f"rounds {' '.join(map(str, arguments))}: exit {ran.returncode}\n{ran.stderr}")


def record(feed: Path, store: Path) -> list[Document]:
    """Records the feed and answers its commands that were recorded, in their order."""
    receipts = store.with_suffix(".receipts.jsonl")
    rounds("--db", f"sqlite:///{store}", "-q", "--format", "jsonl", "-o", receipts, "record", feed)
    lines = feed.read_text().splitlines()
    return [json.loads(lines[row["line"] - 1]) for row in rows_of(receipts) if row["status"] == "recorded"]


def rows_of(path: Path) -> Iterator[Document]:
    """The JSON lines of a file."""
    with path.open() as file:
        yield from map(json.loads, file)


def report(store: Path, *arguments: str) -> Iterator[Document]:
    """The rows of a report."""
    where = store.with_suffix(f".{arguments[0]}.jsonl")
    rounds("--db", f"sqlite:///{store}", "--format", "jsonl", "-o", where, *arguments)
    yield from rows_of(where)


def disagreements(feed: Path, store: Path, seen: Counter[str]) -> Iterator[Disagreement]:
    """Every round, meter and balance of a feed in which the two opinions differ; what was seen is counted."""
    commands = record(feed, store)
    room = Room()
    room.take(commands)
    for document in report(store, "replay", "--all"):
        seen[f"{document['game']}, {document['status']}"] += 1
        found = list(differences(document, room.answers[document["round"]]))
        if found:
            told = [command for command in commands if command.get("round") == document["round"]]
            yield Disagreement(f"round {document['round']}", found, document, told)
    shown = {row["meter"]: row["levels"] for row in report(store, "meter", "list")}
    seen["meters"] += len(shown)
    if found := list(meter_differences(shown, room)):
        yield Disagreement("meters", found)
    balances = list(report(store, "balance"))
    seen["balances"] += len(balances)
    if found := list(balance_differences(balances, room)):
        yield Disagreement("balances", found)
