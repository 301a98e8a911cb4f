"""Counts the best class of all 154,143,080 seven-card hands and compares with the published table.

`python -m tests.exhaustive.seven_card` judges one hand for each renaming of the suits; `--full` judges every hand.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, starmap
from multiprocessing import Pool

from domain.cards import JOKER, Card, Hand, deck, rank_of
from domain.seven_card import best
from tests.exhaustive.folding import folded_hands

ALL_HANDS = 154_143_080

EXPECTED = {
    "seven_card_straight_flush": 32,
    "royal_match": 72,
    "seven_card_straight_flush_joker": 196,
    "five_aces": 1_128,
    "royal_flush": 26_020,
    "straight_flush": 184_644,
    "four_of_a_kind": 307_472,
    "full_house": 4_188_528,
    "flush": 6_172_088,
    "three_of_a_kind": 7_672_500,
    "straight": 11_034_204,
    "three_pair": 2_862_000,
    "two_pair": 32_691_816,
    "one_pair": 64_221_960,
    "ace high with joker": 1_485_960,
    "ace high without joker": 12_944_820,
    "king high": 6_386_940,
    "queen high": 2_719_500,
    "jack high": 963_480,
    "ten high": 248_640,
    "nine high": 31_080,
}
"""The table of counts: high cards by the top card, the wheel counted as a straight."""

_TOP_CARD = {
    7: "nine high",
    8: "ten high",
    9: "jack high",
    10: "queen high",
    11: "king high",
    12: "ace high without joker",
}


def line_of(hand: Hand) -> str:
    """The line of the table that a seven-card hand counts in."""
    name = best(hand)
    if name != "high_card":
        return name
    return "ace high with joker" if JOKER in hand else _TOP_CARD[max(map(rank_of, hand))]


def count(hands: Iterable[tuple[Hand, int]]) -> Counter[str]:
    """How many hands of each line there are, given hands with the number that each stands for."""
    counted: Counter[str] = Counter()
    for hand, weight in hands:
        counted[line_of(hand)] += weight
    return counted


def differences(counted: Counter[str]) -> list[str]:
    """The lines whose count is not the table's, in words."""
    return [
        f"{line}: counted {counted[line]:,}, the table has {EXPECTED.get(line, 0):,}"
        for line in sorted(counted.keys() | EXPECTED.keys())
        if counted[line] != EXPECTED.get(line, 0)
    ]


def _folded() -> Iterator[Counter[str]]:
    """The counts, a part at a time, from one hand for each renaming of the suits."""
    part: list[tuple[Hand, int]] = []
    for joker in (False, True):
        for weighted in folded_hands(7, joker):
            part.append(weighted)
            if len(part) == 100_000:
                yield count(part)
                part = []
    yield count(part)


def _every(first: Card, second: Card) -> Counter[str]:
    """The counts over every hand whose two lowest cards are these."""
    above = deck(joker=True)[second + 1 :]
    return Counter(line_of((first, second, *rest)) for rest in combinations(above, 5))


def _full(workers: int) -> Iterator[Counter[str]]:
    """The counts, a part at a time, from every hand."""
    parts = list(combinations(deck(joker=True)[:48], 2))
    if workers == 1:
        yield from starmap(_every, parts)
        return
    with Pool(workers) as pool:
        yield from pool.imap_unordered(_every_of_pair, parts)


def _every_of_pair(pair: tuple[Card, Card]) -> Counter[str]:
    return _every(*pair)


def main() -> int:
    """Counts, prints the table, and answers 0 where every line agrees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="judge every single hand")
    parser.add_argument("--workers", type=int, default=1, help="processes for --full (default: 1)")
    options = parser.parse_args()
    started = time.perf_counter()
    counted: Counter[str] = Counter()
    shown = 0
    for part in _full(options.workers) if options.full else _folded():
        counted += part
        if counted.total() * 100 // ALL_HANDS > shown:
            shown = counted.total() * 100 // ALL_HANDS
            print(f"{shown:3} % after {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    for line in EXPECTED:
        print(f"{line:<32}{counted[line]:>14,}")
    print(f"{'all hands':<32}{counted.total():>14,}")
    wrong = differences(counted)
    print("\n".join(wrong) if wrong else f"every line agrees, after {time.perf_counter() - started:.0f} s")
    return 1 if wrong or counted.total() != ALL_HANDS else 0


if __name__ == "__main__":
    sys.exit(main())
