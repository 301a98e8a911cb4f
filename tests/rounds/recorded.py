"""Recorded rounds: `GAME.jsonl` is a table feed for a fresh store, `GAME.expected.json` what the product answers to it.

`python -m tests.rounds.recorded [GAME …]` writes the answers anew. A changed answer is reviewed like code: either a
rule was changed, and the changelog says which, or it is a mistake.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from cli.main import app

HERE = Path(__file__).parent
METER = "PROG"

Answers = Mapping[str, Any]


def games() -> set[str]:
    """The games of which rounds are recorded."""
    return {path.stem for path in HERE.glob("*.jsonl")}


def expected(game: str) -> Answers:
    """What the product must answer to the game's feed."""
    answers: Answers = json.loads(_file(game).read_text(encoding="utf-8"))
    return answers


def answers(game: str, folder: Path) -> Answers:
    """What the product answers: lines that were refused, each round's replay, balances and the meter."""
    store = f"sqlite:///{folder / 'rounds.db'}"
    receipts = _lines(_run(store, "record", str(HERE / f"{game}.jsonl"), "-q", "--format", "jsonl"))
    return {
        "refused": [{"line": each["line"], "code": each["code"]} for each in receipts if each["status"] == "refused"],
        "rounds": [_without_texts(each) for each in _lines(_run(store, "replay", "--all", "--format", "jsonl"))],
        "balances": json.loads(_run(store, "balance", "--format", "json")),
        "meter": json.loads(_run(store, "meter", "show", METER, "--format", "json")),
    }


def _run(store: str, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["--db", store, *arguments], prog_name="rounds")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    refused_lines = arguments[0] == "record" and result.exit_code == 1
    assert result.exit_code == 0 or refused_lines, result.stderr
    return result.stdout


def _lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def _without_texts(document: dict[str, Any]) -> dict[str, Any]:
    """A replay without its hashes, which hold the clock's time, and without the sentences of its frames."""
    del document["integrity"]
    for frame in document["frames"]:
        del frame["text"]
    return document


def _file(game: str) -> Path:
    return HERE / f"{game}.expected.json"


def _indented(answer: Any) -> str:
    """JSON with a line for each line of a settlement, hand or frame, so that a difference is read easily."""
    if isinstance(answer, dict):
        parts = [f"{json.dumps(key)}: {_indented(value)}" for key, value in answer.items()]
        flat = "{" + ", ".join(parts) + "}"
        if all(not isinstance(value, (dict, list)) for value in answer.values()):
            return flat
        return "{\n" + ",\n".join(parts) + "\n}"
    if isinstance(answer, list) and answer:
        return "[\n" + ",\n".join(map(_indented, answer)) + "\n]"
    return json.dumps(answer)


def main() -> None:
    """Writes the answers of the games named, of all where none is."""
    for game in sys.argv[1:] or sorted(games()):
        with tempfile.TemporaryDirectory() as folder:
            _file(game).write_text(_indented(answers(game, Path(folder))) + "\n", encoding="utf-8")
        print(f"{game}: {_file(game).name} written")


if __name__ == "__main__":
    main()
