"""A conformance case: a table feed for a fresh store, and what the product must answer to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA = HERE / "data"
EXAMPLES = HERE / "examples"


@dataclass(frozen=True)
class Case:
    """`expected` holds one object an answer; its `type` is receipt, round, balance or meter."""

    name: str
    game: str
    checks: str
    feed: Path
    expected: tuple[dict[str, Any], ...]

    def of(self, type_: str) -> list[dict[str, Any]]:
        """The expected answers of one type, in the file's order."""
        return [each for each in self.expected if each["type"] == type_]


def load(folder: Path) -> tuple[Case, ...]:
    """Every `NAME.jsonl` of `folder` with its `NAME.expected.jsonl`, by name."""
    feeds = (path for path in folder.glob("*.jsonl") if not path.name.endswith(".expected.jsonl"))
    return tuple(_read(path) for path in sorted(feeds))


def load_example(feed: Path) -> Case:
    """A feed beside a single `.expected.json` document of its one round, with the balances and the meter's levels."""
    document = json.loads(feed.with_suffix(".expected.json").read_text(encoding="utf-8"))
    return Case(feed.stem, document["game"], "the example round", feed, tuple(_of_example(feed, document)))


def _read(feed: Path) -> Case:
    about, *expected = lines(feed.with_suffix(".expected.jsonl"))
    return Case(feed.stem, about["game"], about["checks"], feed, tuple(expected))


def _of_example(feed: Path, document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    commands = lines(feed)
    yield from ({"type": "receipt", "line": number, "status": "recorded"} for number in range(1, len(commands) + 1))
    yield {"type": "round"} | {key: value for key, value in document.items() if key not in ("balance", "meter")}
    yield from ({"type": "balance"} | row for row in document["balance"])
    meter = next(each["meter"] for each in commands if each["command"] == "open_meter")
    yield from ({"type": "meter", "meter": meter} | row for row in document["meter"])


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
