"""The list of broken rules is usable: each breaks one line that is there, and names a test that is there."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from tests.mutations import MUTATIONS, ROOT, Mutation


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.rule)
def test_a_broken_rule_changes_one_place_of_a_module_and_leaves_it_readable(mutation: Mutation) -> None:
    source = (ROOT / mutation.file).read_text(encoding="utf-8")
    assert source.count(mutation.old) == 1, f"{mutation.file} was rewritten: say in tests/mutations.py how to break it"
    assert mutation.new != mutation.old
    ast.parse(source.replace(mutation.old, mutation.new))


@cache
def names_in(path: str) -> set[str]:
    """The functions of a module of tests."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.rule)
def test_a_broken_rule_names_a_test_that_is_there(mutation: Mutation) -> None:
    path, _, name = mutation.caught_by.partition("::")
    assert name in names_in(path)


def test_a_hundred_rules_are_broken_each_once() -> None:
    assert len({each.rule for each in MUTATIONS}) == len(MUTATIONS) >= 100
    assert len({(each.file, each.old, each.new) for each in MUTATIONS}) == len(MUTATIONS)
