"""What the lines of a settlement are called."""

import doctest

import domain.rounds.lines


def test_examples_in_the_docstrings() -> None:
    done = doctest.testmod(domain.rounds.lines)
    assert done.attempted > 0
    assert done.failed == 0
