"""Every cite that a game's module can say, read from its syntax tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_SECTION = re.compile(r"\b\d{3}[a-z]\.\d+|\bseed \d{3}\b|\bsheet\b")
"""What a text that cites something contains: a section's number, a seed's, or the sheet itself."""


def module_of(game_id: str) -> Path:
    """The module of a game."""
    return Path(__file__).parents[2] / "domain" / "games" / f"{game_id}.py"


def cites_of(source: str) -> dict[str, re.Pattern[str]]:
    """The cites in a module's text, each with the pattern of what a line says; `{}` is what a line fills in.

    >>> sorted(cites_of('x = Verdict("lose", f"670a.11(g)(1), {main.cite}")'))
    ['670a.11(g)(1), {}']
    """
    tree = ast.parse(source)
    docstrings = set(map(id, _docstrings(tree)))
    cited = [text for text, node in _texts(tree) if id(node) not in docstrings and _SECTION.search(text)]
    return {text: re.compile(re.escape(text).replace(r"\{\}", ".+")) for text in (*cited, *_outspoken(tree))}


def _docstrings(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            (first, *_) = node.body
            assert isinstance(first, ast.Expr)
            yield first.value


def _texts(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Texts and formatted texts, each whole."""
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and id(node) not in inside:
            text = _text(node)
            if text is not None:
                yield text, node


def _outspoken(tree: ast.AST) -> Iterator[str]:
    """The cite of every verdict that names it in place, whatever it looks like."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Verdict":
            for given in (*node.args[1:2], *(each.value for each in node.keywords if each.arg == "cite")):
                text = _text(given)
                if text is not None:
                    yield text


def _text(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None
