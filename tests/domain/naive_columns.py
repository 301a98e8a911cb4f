"""A plain second reading of the ways `mbs` and `trump`: of all 21 splits, which ones satisfy the row of the cards.

It looks at every split and keeps the legal ones that the row allows; with the ways it shares only the worth of hands.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from domain.cards import ACE, Hand, rank_of
from domain.rankings import category, five, is_foul, two

LOW, MEDIUM, HIGH, KING = range(5), range(5, 9), range(9, 12), 11
MADE = ("straight", "flush", "straight_flush", "royal_flush")
NEVER = ACE + 1
Allows = Callable[[Hand, Hand], bool]


def best_split(cards: Hand, wheel: str, way: str) -> tuple[int, int]:
    """The worth of the low and of the high hand that the way sets."""
    splits = [(tuple(card for card in cards if card not in low), low) for low in combinations(cards, 2)]
    legal = [(high, low) for high, low in splits if not is_foul(high, low, wheel=wheel, strict=False)]
    allows = row(Counter(map(rank_of, cards)), legal, wheel, way)
    return max((two(low), five(high, wheel)) for high, low in legal if allows(high, low))


def row(held: Counter[int], legal: Sequence[tuple[Hand, Hand]], wheel: str, way: str) -> Allows:
    """What the row for these cards allows."""

    def low_is(*wanted: int) -> Allows:
        return lambda high, low: sorted(map(rank_of, low)) == sorted(wanted)

    def high_has(rank: int, times: int) -> Allows:
        return lambda high, low: [rank_of(card) for card in high].count(rank) == times

    def keeps(high: Hand, low: Hand) -> bool:
        return category(five(high, wheel)) in MADE

    def both_pairs_high(high: Hand, low: Hand) -> bool:
        return all(high_has(rank, 2)(high, low) for rank in pairs)

    def pair_beside_it(high: Hand, low: Hand) -> bool:
        return keeps(high, low) and low_is(trips[0], trips[0])(high, low)

    def of(times: int) -> list[int]:
        return sorted((rank for rank in held if held[rank] == times), reverse=True)

    quads, trips, pairs, singles = of(4), of(3), of(2), of(1)
    if held[ACE] == 5:
        return low_is(KING, KING) if held[KING] == 2 else low_is(ACE, ACE)
    if quads and trips:
        return low_is(trips[0], trips[0])
    if quads and pairs:
        aces_split = way == "mbs" and quads == [ACE] and pairs != [KING]
        return low_is(ACE, ACE) if aces_split else low_is(pairs[0], pairs[0])
    if quads:
        needed = single_for_quads(quads[0], way)
        return high_has(quads[0], 4) if singles[0] >= needed else low_is(quads[0], quads[0])
    if len(trips) == 2:
        return low_is(trips[0], trips[0])
    if trips and pairs:
        twos_kept = pairs == [0] and singles == [ACE, KING]
        return low_is(ACE, KING) if twos_kept else low_is(pairs[0], pairs[0])
    if len(pairs) == 3:
        return low_is(pairs[0], pairs[0])
    if len(pairs) == 2:
        return both_pairs_high if singles[0] >= single_for_pairs(*pairs) else low_is(pairs[1], pairs[1])
    if trips and any(pair_beside_it(*split) for split in legal):
        return pair_beside_it
    if not trips and any(keeps(*split) for split in legal):
        return keeps
    if trips:
        return high_has(trips[0], 2 if trips == [ACE] else 3)
    return high_has(pairs[0], 2) if pairs else high_has(singles[0], 1)


def single_for_quads(rank: int, way: str) -> int:
    """The least single card beside which four of a kind stays together."""
    if rank in LOW:
        return 0
    if rank in MEDIUM:
        return {"mbs": ACE, "trump": KING}[way]
    return ACE if way == "trump" and rank in HIGH else NEVER


def single_for_pairs(higher: int, lower: int) -> int:
    """The least single card beside which two pairs stay together."""
    if higher == ACE:
        return NEVER
    if lower in LOW:
        return ACE if higher in HIGH else KING
    return ACE if higher in MEDIUM else NEVER
