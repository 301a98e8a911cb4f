"""The house way of the Trump Plaza, Atlantic City, as an analyst of the game published it.

Evidence: CODE. The list itself was not at hand; the rows are what unofficial public source code makes of it. Four of a
kind has rows of its own here. All others are as Marina Bay Sands has them, those among them that are seed 004's because
none is known. The joker counts as an ace in every row.
"""

from typing import Final

from domain.cards import ACE, KING, Hand, rank_of
from domain.house_ways import Setting, mbs
from domain.splits import Row, best_setting, by_rank, pairs_of

ID = "trump"
HAND_SIZE = 7

# Four of a kind of 2 to 6 is low, of 7 to 10 medium, of jack to king high.
_MEDIUM_FROM: Final = 5
_HIGH_FROM: Final = 9


def set_hand(cards: Hand, wheel: str) -> Setting:
    """Seven cards set by the list; `wheel` ranks A-2-3-4-5, `second` or `lowest` (R7).

    Of the splits that satisfy the row it is the one with the best low hand, then with the best high hand. Between cards
    of equal worth the suit decides, so that the order of `cards` plays no part.

    >>> from domain.cards import parse, show
    >>> setting = set_hand(parse("9c 9s 9d 9h Kd Qs 6c"), "second")
    >>> show(setting.high), show(setting.low), setting.rule
    ('9s 9h 9d 9c 6c', 'Kd Qs', 'four of a kind, medium, with a king or ace: kept together')
    """
    groups = by_rank(cards)
    match [len(group) for group in groups]:
        case [4, 2, 1]:
            return best_setting(Row("four of a kind and a pair: the pair low", [groups[1]]), cards, wheel)
        case [4, 1, 1, 1]:
            return best_setting(_four_of_a_kind(groups), cards, wheel)
    return mbs.set_hand(cards, wheel)


def _four_of_a_kind(groups: list[Hand]) -> Row:
    """The row for four of a kind with three single cards: kept together or split by its rank and the best single."""
    rank, single = rank_of(groups[0][0]), rank_of(groups[1][0])
    together = [groups[1] + groups[2]]
    if rank < _MEDIUM_FROM:
        return Row("four of a kind, low: kept together", together)
    if rank < _HIGH_FROM and single >= KING:
        return Row("four of a kind, medium, with a king or ace: kept together", together)
    # Four aces always split: no single ace lies beside them.
    if rank >= _HIGH_FROM and single == ACE:
        return Row("four of a kind, high, with an ace: kept together", together)
    return Row("four of a kind: split", pairs_of(groups[0]))
