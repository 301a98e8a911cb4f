"""What a hand is worth, as a key that compares: five cards by trying all that a joker may stand for, two cards, one.

Seed 004, Poker Rankings; rulings R7 and R25, and "Hands and fouls" beside them.
"""

from functools import lru_cache

from tests.oracle.cards import ACE, DECK_52, JOKER, KING, Cards, value, values

CATEGORIES = (
    "high_card",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_aces",
)
RUNS_AND_SUITS = ("straight", "flush", "straight_flush", "royal_flush")

Key = tuple[str, tuple[int, ...]]


def worth(key: Key) -> tuple[int, tuple[int, ...]]:
    """What to compare: the category's place, then ranks."""
    return CATEGORIES.index(key[0]), key[1]


def five(cards: Cards, wheel: str = "second") -> Key:
    """The category and the ranks that break ties; `wheel` is the token of R7."""
    return _five(tuple(sorted(cards)), wheel)


@lru_cache(100_000)
def _five(cards: Cards, wheel: str) -> Key:
    assert len(cards) == 5
    if JOKER not in cards:
        return _natural(cards, wheel)
    others = tuple(card for card in cards if card != JOKER)
    # An ace of no suit: it pairs aces, and never makes a flush.
    readings = [_natural((*others, "A*"), wheel)]
    for stand_in in DECK_52 if _may_be_completed(others) else ():
        if stand_in not in others:
            reading = _natural((*others, stand_in), wheel)
            if reading[0] in RUNS_AND_SUITS:
                readings.append(reading)
    return max(readings, key=worth)


def _may_be_completed(cards: Cards) -> bool:
    """Whether four cards are of one suit, or near enough to each other for a run; else no joker need be tried."""
    ranks = values(cards)
    ace_low = sorted((1 if rank == ACE else rank for rank in ranks), reverse=True)
    near = len(set(ranks)) == 4 and min(ranks[0] - ranks[-1], ace_low[0] - ace_low[-1]) <= 4
    return near or len({card[1] for card in cards}) == 1


def _natural(cards: Cards, wheel: str) -> Key:
    ranks = values(cards)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape = [count for count, _ in groups]
    by_group = tuple(rank for _, rank in groups)
    suited = len({card[1] for card in cards}) == 1
    run = _run(ranks, wheel)
    if shape == [5]:
        return "five_aces", ()
    if run and suited:
        return ("royal_flush", ()) if ranks[1] == KING else ("straight_flush", (run,))
    if shape == [4, 1]:
        return "four_of_a_kind", by_group
    if shape == [3, 2]:
        return "full_house", by_group
    if suited:
        return "flush", tuple(ranks)
    if run:
        return "straight", (run,)
    if shape == [3, 1, 1]:
        return "three_of_a_kind", by_group
    if shape == [2, 2, 1]:
        return "two_pair", by_group
    if shape == [2, 1, 1, 1]:
        return "one_pair", by_group
    return "high_card", tuple(ranks)


def _run(ranks: list[int], wheel: str) -> int:
    """How high a run is among runs, 0 without one. Above K-Q-J-T-9 (13) are the wheel under `second`, and A-K-Q-J-T."""
    if ranks == [14, 13, 12, 11, 10]:
        return 15
    if ranks == [14, 5, 4, 3, 2]:
        return 14 if wheel == "second" else 5
    if len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4:
        return ranks[0]
    return 0


def two(cards: Cards) -> tuple[int, ...]:
    """A two-card hand: pairs above no pairs, then by rank."""
    high, low = values(cards)
    return (int(high == low), high, low)


def one(cards: Cards) -> tuple[int, ...]:
    """A one-card hand; the joker is an ace here, and whoever says otherwise says so himself (R2)."""
    (card,) = cards
    return (value(card),)


def low(cards: Cards) -> tuple[int, ...]:
    """The low hand of either kind of game."""
    return two(cards) if len(cards) == 2 else one(cards)


def low_rank(cards: Cards) -> str:
    """`one_pair` or `high_card`."""
    return "one_pair" if len(cards) == 2 and two(cards)[0] else "high_card"


def is_foul(high_hand: Cards, low_hand: Cards, strict: bool, wheel: str = "second") -> bool:
    """Whether the low hand outranks the high hand, or under R8 `strict` equals it: no pair, and the same top cards."""
    category, ranks = five(high_hand, wheel)
    below = values(low_hand)
    if low_rank(low_hand) == "one_pair":
        return category == "high_card" or (category == "one_pair" and ranks[0] < below[0])
    if category != "high_card":
        return False
    above = list(ranks[: len(below)])
    return above < below or (strict and above == below)


def top_is_ace(cards: Cards) -> bool:
    """Whether an ace or the joker is among the cards."""
    return any(value(card) == ACE for card in cards)
