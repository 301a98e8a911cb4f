"""Every code that the program can say has an explanation, and every explanation is of a code that it can say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli import errors
from cli.codes import EXIT_CODES, KINDS, explanations
from ledger.codec import event_classes
from tests.cli.conftest import ROOT, Rounds

_CODE = re.compile(r"[a-z][a-z-]*\.[a-z][a-z-]*")
_SAID = re.compile(rf"({_CODE.pattern}): ")
NO_CODES = {
    "app.eyes",
    "app.seat",
    "cli.replay",
    "codes.toml",
    "envy.fortune",
    "envy.progressive",
    "page.css",
    "page.js",
}
"""Names with a dot that are something else: packages, files, cites, what a key does."""


def said(path: Path) -> Iterator[tuple[str, int]]:
    """Every text of a module that looks like a code, alone or at the beginning of a sentence, and its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = _CODE.fullmatch(node.value) or _SAID.match(node.value)
            if found is not None:
                yield found[0].rstrip(": "), node.lineno


def codes_of_the_program() -> dict[str, str]:
    """Each code with the place where it is said first."""
    found: dict[str, str] = {}
    for package in ("domain", "ledger", "projections", "cli"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.name != "reading.py" or path.parent.name != "sheets":
                for code, line in said(path):
                    found.setdefault(code, f"{path.relative_to(ROOT)}:{line}")
    return found


def test_every_code_of_the_program_is_explained() -> None:
    events = set(event_classes())
    unexplained = {
        code: where
        for code, where in codes_of_the_program().items()
        if code not in explanations() and code not in events | NO_CODES
    }
    assert unexplained == {}, "explain these in cli/data/codes.toml"


def test_every_explanation_is_of_a_code_that_is_said() -> None:
    assert sorted(set(explanations()) - set(codes_of_the_program())) == []


def test_a_new_code_would_be_found(tmp_path: Path) -> None:
    module = tmp_path / "new.py"
    module.write_text('raise Misused("new.code", "text")\nsay(f"other.code: {1}")\n', encoding="utf-8")
    assert list(said(module)) == [("new.code", 1), ("other.code", 2)]


@pytest.mark.parametrize("code", explanations())
def test_an_explanation_is_in_whole_sentences(code: str) -> None:
    each = explanations()[code]
    assert each.kind in KINDS
    assert each.means.endswith(".") and each.way_out.endswith(".") and each.example
    assert "\n" not in each.means + each.example + each.way_out


def test_a_code_is_explained_with_an_example_and_the_way_out(rounds: Rounds) -> None:
    out = rounds("explain", "hand.foul").out
    assert out.splitlines()[0] == "hand.foul: something to look at, recorded with the round; it never changes what"
    assert "Means: A player's low hand outranks the high hand." in out
    assert "Way out: " in out
    assert rounds("explain", "hand.foul:", "--format", "json").out.count('"kind": "finding"') == 1


def test_every_code_is_listed(rounds: Rounds) -> None:
    rows = rounds("explain", "--format", "jsonl").rows()
    assert [row["code"] for row in rows] == sorted(explanations())
    assert max(map(len, rounds("explain").out.splitlines())) <= 100


def test_an_unknown_code_is_3_with_its_likes(rounds: Rounds) -> None:
    ran = rounds("explain", "hand.fowl")
    assert (ran.code, ran.out) == (3, "")
    assert "did you mean hand.foul" in ran.err
    assert "lists them all" in rounds("explain", "xyzzy").err


def test_every_exit_code_is_explained(rounds: Rounds) -> None:
    numbers = {value for name, value in vars(errors).items() if name.isupper() and isinstance(value, int)}
    assert set(EXIT_CODES) == numbers
    out = rounds("explain", "exit-codes").out
    assert all(name in out for name, _ in EXIT_CODES.values())
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert all(f"\n| {number} | " in page for number in EXIT_CODES)
