"""The classes of a ranking list as bits: those that a hand contains, the highest of them, and the highest of some."""

from collections.abc import Collection

from domain.masks import alike
from domain.rankings import RANKINGS


class Classes:
    """A list of RANKINGS with one bit for each class, the highest class the highest bit; `held` is such bits."""

    def __init__(self, ranking: str) -> None:
        self._falling = RANKINGS[ranking]
        self.bit = {name: 1 << place for place, name in enumerate(reversed(self._falling))}
        self._by_bit_length = ("", *reversed(self._falling))
        rising = [self.bit[name] for name in ("high_card", "one_pair", "two_pair", "three_pair")]
        self._pairs = tuple(sum(rising[: pairs + 1]) for pairs in range(len(rising)))
        self._trips, self._full_house = self.bit["three_of_a_kind"], self.bit["full_house"]
        self._quads, self._five_aces = self.bit["four_of_a_kind"], self.bit["five_aces"]
        self._two_trips = self.bit.get("two_three_of_a_kinds", 0)

    def named(self, held: int) -> frozenset[str]:
        """The names of the classes held."""
        return frozenset(name for name, bit in self.bit.items() if held & bit)

    def highest(self, held: int) -> str:
        """The name of the highest class held."""
        return self._by_bit_length[held.bit_length()]

    def first(self, held: int, among: Collection[str]) -> str | None:
        """The highest class that is held and that `among` holds, or None."""
        while held:
            name = self._by_bit_length[held.bit_length()]
            if name in among:
                return name
            held ^= self.bit[name]
        return None

    def of_equal_ranks(self, clubs: int, diamonds: int, hearts: int, spades: int, joker: int) -> int:
        """The bits of what is made of equal ranks, from the ranks held in each suit."""
        twos, threes, fours, fives = alike(clubs, diamonds, hearts, spades, joker)
        pairs = twos.bit_count()
        held = self._pairs[pairs]
        if threes:
            held |= self._trips
            if pairs > 1:
                held |= self._full_house | (self._two_trips if threes.bit_count() > 1 else 0)
            if fours:
                held |= self._quads | (self._five_aces if fives else 0)
        return held
