"""The house way of Marina Bay Sands: appendix A of its Fortune Pai Gow Poker rules, version 4 (Singapore, April 2020).

Evidence: CODE. The appendix itself was not at hand; the rows are what unofficial public source code makes of it. Two
pairs go by their own row even where they hold a straight or flush, and so do three aces that cannot put a pair low
beside one. Rows that are not known for it (three pairs, three of a kind under aces, one pair, no pair) are those of
seed 004, appendix 1. The joker counts as an ace in every row.
"""

from typing import Final

from domain.cards import ACE, KING, Hand, rank_of
from domain.house_ways import Setting
from domain.splits import Row, best_setting, by_rank, lows_beside_a_straight_or_flush, pairs_of

ID = "mbs"
HAND_SIZE = 7

# Low pairs are 2 to 6, medium ones 7 to 10, high ones jack to king; aces are a size of their own.
_MEDIUM_FROM: Final = 5
_HIGH_FROM: Final = 9


def set_hand(cards: Hand, wheel: str) -> Setting:
    """Seven cards set by the appendix; `wheel` ranks A-2-3-4-5, `second` or `lowest` (R7).

    Of the splits that satisfy the row it is the one with the best low hand, then with the best high hand. Between cards
    of equal worth the suit decides, so that the order of `cards` plays no part.

    >>> from domain.cards import parse, show
    >>> setting = set_hand(parse("9c 3s 9d 3h Kd Qs 6c"), "second")
    >>> show(setting.high), show(setting.low), setting.rule
    ('9d 9c 3s 3h 6c', 'Kd Qs', 'two pairs, medium and low, with a king: kept together')
    """
    groups = by_rank(cards)
    singles = tuple(group[0] for group in groups if len(group) == 1)
    row = (
        _full_house_or_more(groups, singles)
        or _pairs(groups, singles)
        or _straight_or_flush(groups, cards, wheel)
        or _trips_or_less(groups, singles)
    )
    return best_setting(row, cards, wheel)


def _full_house_or_more(groups: list[Hand], singles: Hand) -> Row | None:
    """The row for five aces, quads, two trips or a full house, or None."""
    first = rank_of(groups[0][0])
    match [len(group) for group in groups]:
        case [5, 2] if rank_of(groups[1][0]) == KING:
            return Row("five aces and a pair of kings: the kings low", [groups[1]])
        case [5, *_]:
            return Row("five aces: three high, two low", pairs_of(groups[0]))
        case [4, 3]:
            return Row("four of a kind and three of a kind: a pair of the three low", pairs_of(groups[1]))
        case [4, 2, 1] if first == ACE and rank_of(groups[1][0]) != KING:
            return Row("four aces and a pair under kings: a pair of aces low", pairs_of(groups[0]))
        case [4, 2, 1]:
            return Row("four of a kind and a pair: the pair low", [groups[1]])
        case [4, *_] if first < _MEDIUM_FROM:
            return Row("four of a kind, low: kept together", [singles[:2]])
        case [4, *_] if first < _HIGH_FROM and rank_of(singles[0]) == ACE:
            return Row("four of a kind, medium, with an ace: kept together", [singles[:2]])
        case [4, *_]:
            return Row(f"four of a kind, {_size(first)}: split", pairs_of(groups[0]))
        case [3, 3, 1]:
            return Row("two three of a kinds: a pair of the higher low", pairs_of(groups[0]))
        case [3, 2, 2]:
            return Row("full house and a pair: the higher pair low", [groups[1]])
        case [3, 2, 1, 1] if rank_of(groups[1][0]) == 0 and [*map(rank_of, singles)] == [ACE, KING]:
            return Row("full house with twos, an ace and a king: kept, ace-king low", [singles])
        case [3, 2, 1, 1]:
            return Row("full house: the pair low", [groups[1]])
    return None


def _pairs(groups: list[Hand], singles: Hand) -> Row | None:
    """The row for three or two pairs, or None; they come before a straight or flush."""
    match [len(group) for group in groups]:
        case [2, 2, 2, 1]:
            return Row("three pairs: the highest low", [groups[0]])
        case [2, 2, *_]:
            higher, lower, single = rank_of(groups[0][0]), rank_of(groups[1][0]), rank_of(singles[0])
            held = f"two pairs, {_size(higher)} and {_size(lower)}"
            needed = _single_that_keeps(higher, lower)
            if needed is not None and single >= needed:
                with_it = "an ace" if single == ACE else "a king"
                return Row(f"{held}, with {with_it}: kept together", [singles[:2]])
            return Row(f"{held}: split", [groups[1]])
    return None


def _single_that_keeps(higher: int, lower: int) -> int | None:
    """The rank that the best single needs for two pairs of these ranks to stay together; None where they never do."""
    match _size(higher), _size(lower):
        case (("low" | "medium"), "low"):
            return KING
        case ("high", "low") | ("medium", "medium"):
            return ACE
    return None


def _straight_or_flush(groups: list[Hand], cards: Hand, wheel: str) -> Row | None:
    """The row for a straight or flush, a straight flush among them, or None where another row sets the cards."""
    lows = lows_beside_a_straight_or_flush(cards, wheel)
    if len(groups[0]) == 3:
        lows = [low for low in lows if set(low) <= set(groups[0])]
        return Row("straight or flush, three of a kind: a pair of the three low", lows) if lows else None
    held = "one pair" if len(groups[0]) == 2 else "no pair"
    return Row(f"straight or flush, {held}: kept, the best low hand beside it", lows) if lows else None


def _trips_or_less(groups: list[Hand], singles: Hand) -> Row:
    """The row for trips, one pair or nothing, where there is no straight or flush or it is given up."""
    match len(groups[0]):
        case 3 if rank_of(groups[0][0]) == ACE:
            return Row("three aces: two high, one low", [(ace, singles[0]) for ace in groups[0]])
        case 3:
            return Row("three of a kind: kept high", [singles[:2]])
        case 2:
            return Row("one pair: the pair high, the next two cards low", [singles[:2]])
    return Row("no pair: the highest card high, the next two low", [singles[1:3]])


def _size(rank: int) -> str:
    if rank == ACE:
        return "aces"
    return "low" if rank < _MEDIUM_FROM else "medium" if rank < _HIGH_FROM else "high"
