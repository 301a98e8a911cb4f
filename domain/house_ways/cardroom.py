"""The cardroom's house way: seed 004, appendix 1, completed by ruling R19. The joker counts as an ace in every row."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from domain.cards import ACE, JOKER, Card, Hand, rank_of
from domain.house_ways import Setting
from domain.rankings import arranged, category, first_class, five, two

ID = "cardroom"
HAND_SIZE = 7

# The sheet calls 2 to 6 low, 7 to 10 medium, jack to ace high.
_MEDIUM_FROM: Final = 5
_HIGH_FROM: Final = 9
_KING: Final = 11
_MADE: Final = {"straight", "flush", "straight_flush", "royal_flush"}


class _Row(NamedTuple):
    """What a row of the sheet does, and every low hand that satisfies it."""

    rule: str
    lows: Sequence[Hand]


def set_hand(cards: Hand, wheel: str) -> Setting:
    """Seven cards set by the cardroom's sheet; `wheel` ranks A-2-3-4-5, `second` or `lowest` (R7).

    Of the splits that satisfy the row it is the one with the best low hand, then with the best high hand. Between cards
    of equal worth the suit decides, so that the order of `cards` plays no part.

    >>> from domain.cards import parse, show
    >>> setting = set_hand(parse("8c Ks 9d 8h Kd As 2c"), "second")
    >>> show(setting.high), show(setting.low), setting.rule
    ('Ks Kd As 9d 2c', '8h 8c', 'two pairs, high and medium: split')
    """
    groups = _groups(cards)
    singles = tuple(group[0] for group in groups if len(group) == 1)
    rule, lows = (
        _full_house_or_more(groups, singles)
        or _straight_or_flush(groups, singles, cards, wheel)
        or _trips_or_less(groups, singles)
    )
    low = _best(lows, cards, wheel)
    return Setting(arranged(_rest(cards, low), wheel), tuple(sorted(low, key=_reading_order)), rule)


def _full_house_or_more(groups: list[Hand], singles: Hand) -> _Row | None:
    """The row for five aces, quads, two trips, a full house or three pairs: straights and flushes come after these."""
    aces_lead = rank_of(groups[0][0]) == ACE
    match [len(group) for group in groups]:
        case [5, 2] if rank_of(groups[1][0]) == _KING:
            return _Row("five aces and a pair of kings: the kings low", [groups[1]])
        case [5, *_]:
            return _Row("five aces: three high, two low", _pairs_of(groups[0]))
        case [4, 3]:
            return _Row("four of a kind and three of a kind: a pair of the three low", _pairs_of(groups[1]))
        case [4, 2, 1] if aces_lead:
            return _Row("four aces and a pair: a pair of aces low, two pairs high", _pairs_of(groups[0]))
        case [4, 2, 1]:
            return _Row("four of a kind and a pair: the pair low", [groups[1]])
        case [4, 1, 1, 1]:
            # Four of a kind goes by the two pair rule, as two pairs of its rank.
            rank = rank_of(groups[0][0])
            return _two_pairs(f"four of a kind, {_size(rank)}", rank, rank, singles, _pairs_of(groups[0]))
        case [3, 3, 1]:
            return _Row("two three of a kinds: a pair of the higher low", _pairs_of(groups[0]))
        case [3, 2, 2] if aces_lead:
            return _Row("three aces and two pairs: a pair of aces low, two pairs high", _pairs_of(groups[0]))
        case [3, 2, 2]:
            return _Row("full house and a pair: the higher pair low", [groups[1]])
        case [3, 2, 1, 1]:
            return _Row("full house: the pair low", [groups[1]])
        case [2, 2, 2, 1]:
            return _Row("three pairs: the highest low", [groups[0]])
    return None


def _straight_or_flush(groups: list[Hand], singles: Hand, cards: Hand, wheel: str) -> _Row | None:
    """The row for a straight or flush, a straight flush among them, or None where another row has to set the cards."""
    if first_class(cards, ("flush", "straight")) is None:
        return None
    lows = [low for low in combinations(cards, 2) if category(five(_rest(cards, low), wheel)) in _MADE]
    pairs = [rank_of(group[0]) for group in groups if len(group) == 2]
    held = "three of a kind" if len(groups[0]) == 3 else ("no pair", "one pair", "two pairs")[len(pairs)]
    if not any(map(_is_pair_or_ace_high, lows)):
        match pairs:
            # A pair of aces is not meant (R19), and has no single ace beside it.
            case [pair] if pair >= _HIGH_FROM and rank_of(singles[0]) == ACE:
                return _Row("straight or flush, a high pair and an ace: the ace low, the pair high", [singles[:2]])
            case [higher, _] if higher < _MEDIUM_FROM:
                return _Row("straight or flush, two pairs under 7: kept high", lows)
            case [_, _]:
                return None
    return _Row(f"straight or flush, {held}: kept high", lows)


def _trips_or_less(groups: list[Hand], singles: Hand) -> _Row:
    """The row for trips, two pairs, one pair or nothing, where there is no straight or flush or it is given up."""
    match [len(group) for group in groups]:
        case [3, *_] if rank_of(groups[0][0]) == ACE:
            return _Row("three aces: two high, one low", [(ace, singles[0]) for ace in groups[0]])
        case [3, *_]:
            return _Row("three of a kind: kept high", [singles[:2]])
        case [2, 2, *_]:
            higher, lower = rank_of(groups[0][0]), rank_of(groups[1][0])
            held = f"two pairs, {_size(higher)} and {_size(lower)}"
            return _two_pairs(held, higher, lower, singles, [groups[1]])
        case [2, *_]:
            return _Row("one pair: the pair high, the next two cards low", [singles[:2]])
    return _Row("no pair: the highest card high, the next two low", [singles[1:3]])


def _two_pairs(held: str, higher: int, lower: int, singles: Hand, split: Sequence[Hand]) -> _Row:
    """The two pair rule for pairs of these ranks, `split` being the low hands that part them."""
    if higher < _MEDIUM_FROM:
        return _Row(f"{held}: kept together", [singles[:2]])
    always_split = higher >= _HIGH_FROM and lower >= _MEDIUM_FROM
    if not always_split and rank_of(singles[0]) == ACE:
        return _Row(f"{held}, with an ace: kept together, the ace low", [singles[:2]])
    return _Row(f"{held}: split", split)


def _best(lows: Sequence[Hand], cards: Hand, wheel: str) -> Hand:
    """The best of these low hands, then the one that leaves the best high hand, then by suit, a joker last."""
    if len(lows) == 1:
        return lows[0]
    strongest = max(map(two, lows))
    finalists = (low for low in lows if two(low) == strongest)
    return max(finalists, key=lambda low: (five(_rest(cards, low), wheel), -max(low), -min(low)))


def _groups(cards: Hand) -> list[Hand]:
    """The cards by rank, the most of a rank first, then the higher rank."""
    by_rank: dict[int, Hand] = {}
    for card in sorted(cards, key=_reading_order):
        by_rank[rank_of(card)] = (*by_rank.get(rank_of(card), ()), card)
    return sorted(by_rank.values(), key=len, reverse=True)


def _reading_order(card: Card) -> tuple[int, bool, int]:
    """Sorts high ranks first, the joker after the aces it counts with."""
    return -rank_of(card), card == JOKER, -card


def _pairs_of(cards: Hand) -> Sequence[Hand]:
    return list(combinations(cards, 2))


def _rest(cards: Hand, low: Hand) -> Hand:
    return tuple(card for card in cards if card not in low)


def _is_pair_or_ace_high(low: Hand) -> bool:
    return category(two(low)) == "one_pair" or ACE in map(rank_of, low)


def _size(rank: int) -> str:
    return "low" if rank < _MEDIUM_FROM else "medium" if rank < _HIGH_FROM else "high"
