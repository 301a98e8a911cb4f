"""Slow, plain second opinions on what cards are worth, sharing nothing with the rankings they are held against.

A card is its text here. Five cards are judged by trying the joker as every card; seven cards by looking at every choice
of them.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from domain.cards import Card, show

RANKS = "23456789TJQKA"
NATURAL = tuple(rank + suit for rank in RANKS for suit in "cdhs")
# An ace that belongs to no suit: what the joker is where it completes nothing.
JOKER_AS_ACE = "A?"

CATEGORIES_RISING = [
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
]
COMPLETED = ("straight", "flush", "straight_flush", "royal_flush")
_RUNS_RISING = {
    "second": ["65432", "76543", "87654", "98765", "T9876", "JT987", "QJT98", "KQJT9", "A5432", "AKQJT"],
    "lowest": ["5432A", "65432", "76543", "87654", "98765", "T9876", "JT987", "QJT98", "KQJT9", "AKQJT"],
}
RUN_PLACE = {wheel: {frozenset(run): place for place, run in enumerate(runs)} for wheel, runs in _RUNS_RISING.items()}

Worth = tuple[int, tuple[int, ...]]


def texts(cards: Iterable[Card]) -> list[str]:
    return show(cards).split()


def run_of(cards: list[str], wheel: str) -> int | None:
    """Which straight the five cards are, counted from the lowest, or None."""
    return RUN_PLACE[wheel].get(frozenset(card[0] for card in cards))


def worth_of_natural(cards: list[str], wheel: str) -> Worth:
    """Category and deciding ranks of five cards without a joker."""
    counts = Counter(RANKS.index(card[0]) for card in cards)
    falling = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    sizes = sorted(counts.values(), reverse=True)
    run = run_of(cards, wheel)
    suited = len({card[1] for card in cards}) == 1
    if sizes == [5]:
        name = "five_aces"
    elif suited and run is not None:
        name = "royal_flush" if run == 9 else "straight_flush"
    elif sizes == [4, 1]:
        name = "four_of_a_kind"
    elif sizes == [3, 2]:
        name = "full_house"
    elif suited:
        name = "flush"
    elif run is not None:
        name = "straight"
    else:
        name = {3: "three_of_a_kind", 2: "one_pair", 1: "high_card"}[sizes[0]] if sizes != [2, 2, 1] else "two_pair"
    deciding = (run,) if run is not None and "straight" in name else tuple(falling)
    return CATEGORIES_RISING.index(name), deciding


def worth_of_five(cards: Iterable[Card], wheel: str) -> Worth:
    """Category and deciding ranks of five cards, the joker tried as an ace and as every card that completes them."""
    held = texts(cards)
    if "Jk" not in held:
        return worth_of_natural(held, wheel)
    others = [card for card in held if card != "Jk"]
    tried = [worth_of_natural([*others, card], wheel) for card in NATURAL if card not in others]
    completing = [worth for worth in tried if CATEGORIES_RISING[worth[0]] in COMPLETED]
    return max([*completing, worth_of_natural([*others, JOKER_AS_ACE], wheel)])


def worth_of_two(cards: Iterable[Card]) -> tuple[bool, int, int]:
    low, high = sorted(RANKS.index("A" if card == "Jk" else card[0]) for card in texts(cards))
    return low == high, high, low


def classes_of_seven(cards: Iterable[Card]) -> set[str]:
    """Every class of the seven-card bonus list that some choice among the seven cards is."""
    held = texts(cards)
    return {"high_card"} | _of_equal_ranks(held) | _of_runs_and_suits(held) | _royal_match(held)


def _of_equal_ranks(held: list[str]) -> set[str]:
    counts = Counter("A" if card == "Jk" else card[0] for card in held)
    many = {size: {rank for rank in counts if counts[rank] >= size} for size in (2, 3, 4, 5)}
    found = {name for size, name in ((2, "one_pair"), (3, "three_of_a_kind"), (4, "four_of_a_kind")) if many[size]}
    if len(many[2]) >= 2:
        found.add("two_pair")
    if len(many[2]) >= 3:
        found.add("three_pair")
    if any(three != two for three in many[3] for two in many[2]):
        found.add("full_house")
    if "A" in many[5]:
        found.add("five_aces")
    return found


def _of_runs_and_suits(held: list[str]) -> set[str]:
    others = [card for card in held if card != "Jk"]
    found = set().union(*(_of_five(list(five)) for five in combinations(others, 5)))
    if len(others) == 7:
        return found | ({"seven_card_straight_flush"} if _is_suited_run_of_seven(others) else set())
    for joker in NATURAL:
        if joker not in others:
            found = found.union(*(_of_five([*four, joker]) for four in combinations(others, 4)))
            if _is_suited_run_of_seven([*others, joker]):
                found.add("seven_card_straight_flush_joker")
    return found


def _of_five(cards: list[str]) -> set[str]:
    found = set()
    suited = len({card[1] for card in cards}) == 1
    run = run_of(cards, "second")
    if suited:
        found.add("flush")
    if run is not None:
        found.add("straight")
    if suited and run is not None:
        found.add("straight_flush")
    if suited and run == 9:
        found.add("royal_flush")
    return found


def _is_suited_run_of_seven(cards: list[str]) -> bool:
    ranks = {card[0] for card in cards}
    runs = ["A234567", *(RANKS[start : start + 7] for start in range(7))]
    return len({card[1] for card in cards}) == 1 and any(ranks == set(run) for run in runs)


def _royal_match(held: list[str]) -> set[str]:
    """R26: the K-Q without the joker, the royal flush with or without it."""
    for suit in "cdhs":
        match = {"K" + suit, "Q" + suit}
        royal = [card for card in held if card not in match]
        natural = [card for card in royal if card != "Jk"]
        suits = {card[1] for card in natural}
        if match <= set(held) and len(suits) == 1 and suits != {suit} and {card[0] for card in natural} <= set("TJQKA"):
            return {"royal_match"}
    return set()
