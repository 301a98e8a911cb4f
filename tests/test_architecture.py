"""What the code promises about its own shape: imports in one direction, documented names, a README that is true."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
# Each package imports itself and those before it (docs: domain <- ledger <- projections <- cli).
PACKAGES = ("domain", "ledger", "projections", "cli")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TEXTS = ("", ".json", ".jsonl", ".md", ".py", ".toml", ".txt")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def name_of(path: Path) -> str:
    """The module's dotted name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def parsed(path: Path) -> ast.Module:
    """The module's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imported(path: Path) -> Iterator[str]:
    """The first part of everything the module imports, wherever in it, also under TYPE_CHECKING."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} imports relatively: write the whole name"
            yield str(node.module).split(".")[0]


def public_definitions(tree: ast.Module | ast.ClassDef) -> Iterator[tuple[str, Definition]]:
    """Functions and classes that other modules may use, with methods."""
    for node in tree.body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                yield from ((f"{node.name}.{name}", each) for name, each in public_definitions(node))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_one_way(path: Path) -> None:
    own = PACKAGES.index(name_of(path).split(".")[0])
    later = PACKAGES[own + 1 :]
    assert not [name for name in imported(path) if name in (*later, "tests")]


@pytest.mark.parametrize("path", [path for path in MODULES if name_of(path).startswith("domain")], ids=name_of)
def test_the_domain_imports_the_standard_library_only(path: Path) -> None:
    allowed = sys.stdlib_module_names | {"domain"}
    assert [name for name in imported(path) if name not in allowed] == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_public_name_says_what_it_is(path: Path) -> None:
    tree = parsed(path)
    assert ast.get_docstring(tree), "a module opens with a sentence that says what it is for"
    undocumented = [name for name, node in public_definitions(tree) if not documented(name, node)]
    assert undocumented == []


def documented(name: str, node: Definition) -> bool:
    """Methods, properties and plain data may be plain from their names; functions and other classes may not."""
    return ast.get_docstring(node) is not None or "." in name or (isinstance(node, ast.ClassDef) and is_data(node))


def is_data(node: ast.ClassDef) -> bool:
    """A dataclass, also one that is made quickly, or a named tuple, without methods."""
    bases = {ast.unparse(base) for base in node.bases}
    decorated = any(ast.unparse(each).startswith(("dataclass", "frozen")) for each in node.decorator_list)
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    return (decorated or "NamedTuple" in bases) and not methods


@pytest.mark.parametrize("path", [path for path in MODULES if name_of(path).startswith("domain")], ids=name_of)
def test_no_float_comes_near_money(path: Path) -> None:
    floats = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.Constant) and type(node.value) is float]
    assert [ast.unparse(node) for node in floats] == []


@cache
def own_files() -> tuple[Path, ...]:
    """The project's texts: code, tests, documents and what stands at the top."""
    below = [path for top in (*PACKAGES, "tests", "docs") for path in (ROOT / top).rglob("*")]
    return tuple(
        path for path in (*below, *ROOT.iterdir(), ROOT / ".ci/run") if path.suffix in TEXTS and path.is_file()
    )


def test_no_file_names_a_place_on_one_machine() -> None:
    places = re.compile(r"(?<![\w.])/(work|root|farm)/")
    assert [path for path in own_files() if places.search(path.read_text(encoding="utf-8"))] == []


def test_nothing_is_left_unfinished_or_skipped() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|pytest\.(mark\.)?(skip|skipif|xfail)\b)")
    code = [path for path in own_files() if path.suffix == ".py" and path != Path(__file__)]
    assert [path for path in code if marks.search(path.read_text(encoding="utf-8"))] == []


def readme_commands() -> list[str]:
    """The lines of the README's console blocks."""
    blocks = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]


def test_the_readme_names_make_targets_that_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"\bmake (\w+)", "\n".join(readme_commands())))
    assert {"demo", "test"} <= named <= targets


def test_the_readme_names_commands_that_exist() -> None:
    named = {line.split()[1] for line in readme_commands() if line.startswith("rounds ")}
    assert named
    assert named <= set(COMMANDS)


def test_the_readme_names_files_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"(?<![\w/])((?:tests|docs|domain|cli)/[\w./-]+\.\w+)", text)
    assert [name for name in named if not (ROOT / name).exists()] == []
