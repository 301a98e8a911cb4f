"""The house ways for seven cards, row by row as their texts have them: `cardroom`, `mbs`, `trump`.

`cardroom` is seed 004, "Dealer Guidelines On How To Set Hands", with R19 and "House way `cardroom`, made complete".
`mbs` and `trump` are columns of the fact sheet's table of alternative house ways; where a column has no row, the
cardroom's is used.
"""

from functools import lru_cache

from tests.oracle.cards import ACE, KING, Cards, times, values
from tests.oracle.hands import RUNS_AND_SUITS
from tests.oracle.splits import Choice, Split, has_low_ace, has_low_pair, high_holds, low_pair_of

LOW, MEDIUM, HIGH = "low", "medium", "high"


def level(rank: int) -> str:
    """2 to 6 are low, 7 to 10 medium, jack to ace high."""
    return LOW if rank <= 6 else MEDIUM if rank <= 10 else HIGH


def ranks_with(cards: Cards, count: int) -> list[int]:
    """The ranks that occur exactly so often, highest first; the joker is an ace."""
    return sorted((rank for rank, found in times(cards).items() if found == count), reverse=True)


class SevenCardWay:
    """The cardroom's house way; the others change rows of it."""

    def __init__(self, cards: Cards, wheel: str) -> None:
        self.choice = Choice(cards, wheel)
        self.best = self.choice.best
        self.cards = cards
        self.fives, self.quads, self.trips, self.pairs, self.singles = (ranks_with(cards, n) for n in (5, 4, 3, 2, 1))

    def split(self) -> Split:
        """The first row that fits."""
        if self.fives:
            return self.five_aces()
        if self.quads:
            return self.four_of_a_kind(self.quads[0])
        if len(self.trips) == 2:
            return self.best(low_pair_of(self.trips[0]))
        if self.trips and self.pairs:
            return self.full_house(self.trips[0])
        if len(self.pairs) == 3:
            return self.best(low_pair_of(self.pairs[0]))
        if any(map(self.keeps, self.choice.splits)):
            kept = self.straight_or_flush()
            if kept is not None:
                return kept
        if self.trips:
            return self.three_of_a_kind(self.trips[0])
        if len(self.pairs) == 2:
            return self.two_pairs(*self.pairs)
        if self.pairs:
            return self.best(high_holds(self.pairs[0], 2))
        return self.best(high_holds(self.singles[0], 1))

    def keeps(self, split: Split) -> bool:
        """A straight or a flush is high; a straight flush and a royal are both."""
        return self.choice.is_one_of(split, RUNS_AND_SUITS)

    def five_aces(self) -> Split:
        if self.pairs == [KING]:
            return self.best(low_pair_of(KING))
        return self.best(low_pair_of(ACE))

    def four_of_a_kind(self, rank: int) -> Split:
        if self.trips:
            return self.best(low_pair_of(self.trips[0]))
        if self.pairs:
            return self.four_and_a_pair(rank, self.pairs[0])
        if self.keeps_four(rank):
            return self.best(high_holds(rank, 4))
        return self.best(low_pair_of(rank))

    def four_and_a_pair(self, rank: int, pair: int) -> Split:
        return self.best(low_pair_of(ACE if rank == ACE else pair))

    def keeps_four(self, rank: int) -> bool:
        """Refer to the two pair rule: as two pairs of that rank."""
        return level(rank) == LOW or (level(rank) == MEDIUM and ACE in self.singles)

    def full_house(self, rank: int) -> Split:
        if rank == ACE and len(self.pairs) == 2:
            return self.best(low_pair_of(ACE))
        return self.best(low_pair_of(self.pairs[0]))

    def straight_or_flush(self) -> Split | None:
        """None where another row decides."""
        kept = self.best(self.keeps)
        good_low = has_low_ace(kept) or has_low_pair(kept)
        if self.trips or not self.pairs or good_low:
            return kept
        if len(self.pairs) == 1:
            high_pair = is_jack_to_king(self.pairs[0])
            return None if high_pair and ACE in self.singles else kept
        return kept if max(self.pairs) <= 6 else None

    def three_of_a_kind(self, rank: int) -> Split:
        if rank == ACE:
            return self.best(lambda split: values(split.low).count(ACE) == 1)
        return self.best(high_holds(rank, 3))

    def two_pairs(self, upper: int, lower: int) -> Split:
        if self.keeps_two_pairs(upper, lower):
            return self.best(lambda split: high_holds(upper, 2)(split) and high_holds(lower, 2)(split))
        return self.best(low_pair_of(lower))

    def keeps_two_pairs(self, upper: int, lower: int) -> bool:
        levels = {level(upper), level(lower)}
        if levels == {LOW}:
            return True
        if levels == {HIGH} or levels == {HIGH, MEDIUM}:
            return False
        return ACE in self.singles


def is_jack_to_king(rank: int) -> bool:
    """The pairs that the exception of "straight or flush with one pair" means; a pair of aces is not meant."""
    return level(rank) == HIGH and rank != ACE


class Mbs(SevenCardWay):
    """The column HW-MBS."""

    def four_and_a_pair(self, rank: int, pair: int) -> Split:
        return self.best(low_pair_of(ACE if rank == ACE and pair != KING else pair))

    def full_house(self, rank: int) -> Split:
        if self.pairs == [2] and {ACE, KING} <= set(self.singles):
            return self.best(lambda split: high_holds(rank, 3)(split) and high_holds(2, 2)(split))
        return self.best(low_pair_of(self.pairs[0]))

    def straight_or_flush(self) -> Split | None:
        if self.trips:
            if any(self.keeps(split) and low_pair_of(self.trips[0])(split) for split in self.choice.splits):
                return self.best(lambda split: self.keeps(split) and low_pair_of(self.trips[0])(split))
            return None
        # The column has the rows "no pair" and "one pair" of straights and flushes; two pairs have a row of their own.
        return None if len(self.pairs) == 2 else self.best(self.keeps)

    def keeps_two_pairs(self, upper: int, lower: int) -> bool:
        if ACE in (upper, lower):
            return False
        levels = sorted((level(upper), level(lower)))
        if levels in ([LOW, LOW], [LOW, MEDIUM]):
            return bool({ACE, KING} & set(self.singles))
        if levels in ([HIGH, LOW], [MEDIUM, MEDIUM]):
            return ACE in self.singles
        return False


class Trump(Mbs):
    """The column HW-TRUMP."""

    def four_and_a_pair(self, rank: int, pair: int) -> Split:
        return self.best(low_pair_of(pair))

    def keeps_four(self, rank: int) -> bool:
        if level(rank) == MEDIUM:
            return bool({ACE, KING} & set(self.singles))
        return level(rank) == LOW or (rank != ACE and ACE in self.singles)


WAYS: dict[str, type[SevenCardWay]] = {"cardroom": SevenCardWay, "mbs": Mbs, "trump": Trump}


@lru_cache(1000)
def split_by(way: str, cards: Cards, wheel: str) -> Split:
    """How the house way sets seven cards."""
    return WAYS[way](cards, wheel).split()
