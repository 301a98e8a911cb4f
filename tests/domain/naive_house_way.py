"""A plain second reading of the cardroom's sheet: of all 21 splits it keeps the legal ones that the row allows.

With the house way itself it shares only the worth of hands.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from domain.cards import ACE, Hand, rank_of
from domain.rankings import category, five, is_foul, two

LOW, HIGH = range(5), range(9, 13)
MADE = ("straight", "flush", "straight_flush", "royal_flush")
Allows = Callable[[Hand, Hand], bool]


def best_split(cards: Hand, wheel: str) -> tuple[int, int]:
    """The worth of the low and of the high hand that the sheet sets."""
    legal = []
    for low in combinations(cards, 2):
        high = tuple(card for card in cards if card not in low)
        if not is_foul(high, low, wheel=wheel, strict=False):
            legal.append((high, low))
    allows = row(Counter(map(rank_of, cards)), legal, wheel)
    return max((two(low), five(high, wheel)) for high, low in legal if allows(high, low))


def row(held: Counter[int], legal: Sequence[tuple[Hand, Hand]], wheel: str) -> Allows:
    """What the row for these cards allows."""

    def low_is(*wanted: int) -> Allows:
        return lambda high, low: sorted(map(rank_of, low)) == sorted(wanted)

    def high_has(rank: int, times: int) -> Allows:
        return lambda high, low: [rank_of(card) for card in high].count(rank) == times

    def keeps(high: Hand, low: Hand) -> bool:
        return category(five(high, wheel)) in MADE

    def ace_or_pair_low(high: Hand, low: Hand) -> bool:
        return ACE in map(rank_of, low) or category(two(low)) == "one_pair"

    def pairs_high(high: Hand, low: Hand) -> bool:
        return all(high_has(rank, 2)(high, low) for rank in pairs)

    def of(times: int) -> list[int]:
        return sorted((rank for rank in held if held[rank] == times), reverse=True)

    quads, trips, pairs, singles = of(4), of(3), of(2), of(1)
    if held[ACE] == 5:
        return low_is(11, 11) if held[11] == 2 else low_is(ACE, ACE)
    if quads:
        if trips:
            return low_is(trips[0], trips[0])
        if pairs:
            return low_is(ACE, ACE) if quads == [ACE] else low_is(pairs[0], pairs[0])
        if quads[0] in LOW or (quads[0] not in HIGH and ACE in singles):
            return high_has(quads[0], 4)
        return low_is(quads[0], quads[0])
    if len(trips) == 2:
        return low_is(trips[0], trips[0])
    if trips and pairs:
        return low_is(ACE, ACE) if trips == [ACE] and len(pairs) == 2 else low_is(pairs[0], pairs[0])
    if len(pairs) == 3:
        return low_is(pairs[0], pairs[0])
    if any(keeps(*split) for split in legal):
        preserved = any(keeps(*split) and ace_or_pair_low(*split) for split in legal)
        if preserved or not pairs:
            return keeps
        if len(pairs) == 1:
            if pairs[0] in HIGH and ACE in singles:
                return low_is(ACE, max(rank for rank in singles if rank != ACE))
            return keeps
        if pairs[0] in LOW and pairs[1] in LOW:
            return keeps
    if trips == [ACE]:
        return high_has(ACE, 2)
    if trips:
        return high_has(trips[0], 3)
    if len(pairs) == 2:
        together = pairs[0] in LOW or (ACE in singles and not (pairs[0] in HIGH and pairs[1] not in LOW))
        return pairs_high if together else low_is(pairs[1], pairs[1])
    if pairs:
        return high_has(pairs[0], 2)
    return high_has(singles[0], 1)
