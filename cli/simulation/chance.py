"""The dice of a simulation. Only `random()` is drawn from, the one method whose sequence Python keeps for a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Draws that depend on the seed alone: no set, hash, clock, locale or Python version enters."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, end: int) -> int:
        """A number from 0 to `end` - 1."""
        return int(self._random() * end)

    def between(self, low: int, high: int) -> int:
        """A number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def in_ten_thousand(self, times: int) -> bool:
        """True in `times` of ten thousand draws."""
        return self.below(10_000) < times

    def pick(self, choices: Sequence[T]) -> T:
        """One of `choices`."""
        return choices[self.below(len(choices))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All of `items` in a fair random order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """`count` different ones of `items`, all where there are fewer."""
        return self.shuffled(items)[:count]
