"""The examples in the docstrings of what draws tables run as they stand."""

from __future__ import annotations

import doctest

import cli.tables


def test_the_examples_hold() -> None:
    result = doctest.testmod(cli.tables)
    assert (result.failed, result.attempted > 0) == (0, True)
