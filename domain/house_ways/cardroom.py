"""The cardroom's house way: seed 004, appendix 1, completed by ruling R19. The joker counts as an ace in every row."""

from collections.abc import Sequence
from typing import Final

from domain.cards import ACE, KING, Hand, rank_of
from domain.house_ways import Setting
from domain.rankings import category, two
from domain.splits import Row, best_setting, by_rank, lows_beside_a_straight_or_flush, pairs_of

ID = "cardroom"
HAND_SIZE = 7

# The sheet calls 2 to 6 low, 7 to 10 medium, jack to ace high.
_MEDIUM_FROM: Final = 5
_HIGH_FROM: Final = 9


def set_hand(cards: Hand, wheel: str) -> Setting:
    """Seven cards set by the cardroom's sheet; `wheel` ranks A-2-3-4-5, `second` or `lowest` (R7).

    Of the splits that satisfy the row it is the one with the best low hand, then with the best high hand. Between cards
    of equal worth the suit decides, so that the order of `cards` plays no part.

    >>> from domain.cards import parse, show
    >>> setting = set_hand(parse("8c Ks 9d 8h Kd As 2c"), "second")
    >>> show(setting.high), show(setting.low), setting.rule
    ('Ks Kd As 9d 2c', '8h 8c', 'two pairs, high and medium: split')
    """
    groups = by_rank(cards)
    singles = tuple(group[0] for group in groups if len(group) == 1)
    row = (
        _full_house_or_more(groups, singles)
        or _straight_or_flush(groups, singles, cards, wheel)
        or _trips_or_less(groups, singles)
    )
    return best_setting(row, cards, wheel)


def _full_house_or_more(groups: list[Hand], singles: Hand) -> Row | None:
    """The row for five aces, quads, two trips, a full house or three pairs: straights and flushes come after these."""
    aces_lead = rank_of(groups[0][0]) == ACE
    match [len(group) for group in groups]:
        case [5, 2] if rank_of(groups[1][0]) == KING:
            return Row("five aces and a pair of kings: the kings low", [groups[1]])
        case [5, *_]:
            return Row("five aces: three high, two low", pairs_of(groups[0]))
        case [4, 3]:
            return Row("four of a kind and three of a kind: a pair of the three low", pairs_of(groups[1]))
        case [4, 2, 1] if aces_lead:
            return Row("four aces and a pair: a pair of aces low, two pairs high", pairs_of(groups[0]))
        case [4, 2, 1]:
            return Row("four of a kind and a pair: the pair low", [groups[1]])
        case [4, 1, 1, 1]:
            # Four of a kind goes by the two pair rule, as two pairs of its rank.
            rank = rank_of(groups[0][0])
            return _two_pairs(f"four of a kind, {_size(rank)}", rank, rank, singles, pairs_of(groups[0]))
        case [3, 3, 1]:
            return Row("two three of a kinds: a pair of the higher low", pairs_of(groups[0]))
        case [3, 2, 2] if aces_lead:
            return Row("three aces and two pairs: a pair of aces low, two pairs high", pairs_of(groups[0]))
        case [3, 2, 2]:
            return Row("full house and a pair: the higher pair low", [groups[1]])
        case [3, 2, 1, 1]:
            return Row("full house: the pair low", [groups[1]])
        case [2, 2, 2, 1]:
            return Row("three pairs: the highest low", [groups[0]])
    return None


def _straight_or_flush(groups: list[Hand], singles: Hand, cards: Hand, wheel: str) -> Row | None:
    """The row for a straight or flush, a straight flush among them, or None where another row has to set the cards."""
    lows = lows_beside_a_straight_or_flush(cards, wheel)
    if not lows:
        return None
    pairs = [rank_of(group[0]) for group in groups if len(group) == 2]
    held = "three of a kind" if len(groups[0]) == 3 else ("no pair", "one pair", "two pairs")[len(pairs)]
    if not any(map(_is_pair_or_ace_high, lows)):
        match pairs:
            # A pair of aces is not meant (R19), and has no single ace beside it.
            case [pair] if pair >= _HIGH_FROM and rank_of(singles[0]) == ACE:
                return Row("straight or flush, a high pair and an ace: the ace low, the pair high", [singles[:2]])
            case [higher, _] if higher < _MEDIUM_FROM:
                return Row("straight or flush, two pairs under 7: kept high", lows)
            case [_, _]:
                return None
    return Row(f"straight or flush, {held}: kept high", lows)


def _trips_or_less(groups: list[Hand], singles: Hand) -> Row:
    """The row for trips, two pairs, one pair or nothing, where there is no straight or flush or it is given up."""
    match [len(group) for group in groups]:
        case [3, *_] if rank_of(groups[0][0]) == ACE:
            return Row("three aces: two high, one low", [(ace, singles[0]) for ace in groups[0]])
        case [3, *_]:
            return Row("three of a kind: kept high", [singles[:2]])
        case [2, 2, *_]:
            higher, lower = rank_of(groups[0][0]), rank_of(groups[1][0])
            held = f"two pairs, {_size(higher)} and {_size(lower)}"
            return _two_pairs(held, higher, lower, singles, [groups[1]])
        case [2, *_]:
            return Row("one pair: the pair high, the next two cards low", [singles[:2]])
    return Row("no pair: the highest card high, the next two low", [singles[1:3]])


def _two_pairs(held: str, higher: int, lower: int, singles: Hand, split: Sequence[Hand]) -> Row:
    """The two pair rule for pairs of these ranks, `split` being the low hands that part them."""
    if higher < _MEDIUM_FROM:
        return Row(f"{held}: kept together", [singles[:2]])
    always_split = higher >= _HIGH_FROM and lower >= _MEDIUM_FROM
    if not always_split and rank_of(singles[0]) == ACE:
        return Row(f"{held}, with an ace: kept together, the ace low", [singles[:2]])
    return Row(f"{held}: split", split)


def _is_pair_or_ace_high(low: Hand) -> bool:
    return category(two(low)) == "one_pair" or ACE in map(rank_of, low)


def _size(rank: int) -> str:
    return "low" if rank < _MEDIUM_FROM else "medium" if rank < _HIGH_FROM else "high"
