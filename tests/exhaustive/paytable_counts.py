"""Counts, for every ranking list, how many deals hold which of its classes: the data that `domain.odds` ships.

`python -m tests.exhaustive.paytable_counts` counts again and says where the shipped files differ; `--write` writes
them; names of lists count those alone. One hand is judged for each renaming of the suits.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from domain import house_ways
from domain.cards import JOKER, Hand, rank_of
from domain.flushes import length, straight_flush_length
from domain.games.commission_free import NINE, is_tiger_nine
from domain.odds.distributions import COUNTS
from domain.rankings import RANKINGS
from domain.seven_card import seven_card_classes
from domain.six_card import insurance_class, six_card_classes
from tests.exhaustive.ace_high import ALL_DEALS, count_deals
from tests.exhaustive.folding import folded_hands
from tests.exhaustive.tally import WeightedHand

Holds = frozenset[str]
Terms = Mapping[str, str]
NOTHING: Holds = frozenset()
_WHEEL = {12, 0, 1, 2, 3}


class Counting(NamedTuple):
    """What is counted for a list: over which deals, and what a hand holds under each of the terms, in their order."""

    deals: str
    total: int
    terms: Sequence[Terms]
    hands: Callable[[], Iterator[WeightedHand]]
    holds: Callable[[Hand], Sequence[Holds]]


def with_joker(size: int) -> Iterator[WeightedHand]:
    """The hands of the 53-card deck."""
    for joker in (False, True):
        yield from folded_hands(size, joker)


def flushes(hand: Hand) -> Sequence[Holds]:
    """The flush lengths that a hand has: the longest and all below it."""
    return (up_to("flush", length(hand), 2),)


def straight_flushes(hand: Hand) -> Sequence[Holds]:
    """The straight flush lengths that a hand has, for each place of the ace (R5)."""
    return [up_to("straight_flush", straight_flush_length(hand, terms["R5"]), 3) for terms in ACES]


def up_to(kind: str, longest: int, shortest: int) -> Holds:
    """The classes of one kind from the shortest to the longest."""
    return frozenset(f"{kind}_{cards}" for cards in range(shortest, longest + 1))


def insurance(hand: Hand) -> Sequence[Holds]:
    """The line of the hand's top card, and the one for all of them."""
    exact = insurance_class(hand)
    return (NOTHING if exact is None else frozenset((exact, "king_high_or_less")),)


def tiger_nines(hand: Hand) -> Sequence[Holds]:
    """Whether a dealer's hand is set with a Tiger 9, by each house way and each rank of A-2-3-4-5 (R7)."""
    ranks = set(map(rank_of, hand))
    if NINE not in ranks:
        return [NOTHING] * len(DEALERS)
    # A house way can tell the two ranks of A-2-3-4-5 apart only where the hand has one.
    wheel_matters = len(_WHEEL - ranks) <= (JOKER in hand)
    found: list[Holds] = []
    for place, terms in enumerate(DEALERS):
        if terms["R7"] == "second" or wheel_matters:
            low = house_ways.house_way(terms["house_way"]).set_hand(hand, terms["R7"]).low
            found.append(frozenset({"tiger_9"}) if is_tiger_nine(low) else NOTHING)
        else:
            found.append(found[place - 1])
    return found


ACES: Sequence[Terms] = [{"R5": "high_and_low"}, {"R5": "high_only"}]
DEALERS: Sequence[Terms] = [
    {"house_way": way, "R7": wheel} for way, wheel in product(("cardroom", "mbs", "trump"), ("second", "lowest"))
]
ONE: Sequence[Terms] = [{}]

SEVEN_WITH_JOKER = "all C(53,7) seven-card hands of 52 cards and the joker"
SEVEN = "all C(52,7) seven-card hands of 52 cards"
SIX_WITH_JOKER = "all C(53,6) six-card hands of 52 cards and the joker"
TWO_HANDS = "all C(53,7) hands of the dealer with all C(46,7) hands of the bettor, 52 cards and the joker"

COUNTINGS = {
    "seven_card_bonus": Counting(
        SEVEN_WITH_JOKER, comb(53, 7), ONE, lambda: with_joker(7), lambda hand: (seven_card_classes(hand),)
    ),
    "six_card": Counting(
        SIX_WITH_JOKER, comb(53, 6), ONE, lambda: with_joker(6), lambda hand: (six_card_classes(hand),)
    ),
    "flush_length": Counting(SEVEN, comb(52, 7), ONE, lambda: folded_hands(7, joker=False), flushes),
    "straight_flush_length": Counting(SEVEN, comb(52, 7), ACES, lambda: folded_hands(7, joker=False), straight_flushes),
    "insurance": Counting(SIX_WITH_JOKER, comb(53, 6), ONE, lambda: with_joker(6), insurance),
    "tiger_9": Counting(SEVEN_WITH_JOKER, comb(53, 7), DEALERS, lambda: with_joker(7), tiger_nines),
}
"""Every list but `ace_high`, which two hands decide, and `win`, which play decides."""


def document(ranking: str) -> dict[str, Any]:
    """The data file of a ranking list, counted anew."""
    started = time.perf_counter()
    if ranking == "ace_high":
        deals, total, terms, counted = TWO_HANDS, ALL_DEALS, ONE, [count_deals()]
    else:
        deals, total, terms, *_ = COUNTINGS[ranking]
        counted = tallied(ranking, started)
    assert [each.total() for each in counted] == [total] * len(counted), f"{ranking}: some deals are missing"
    return {
        "ranking": ranking,
        "deals": deals,
        "total": total,
        "script": f"python -m tests.exhaustive.paytable_counts {ranking}",
        "seconds": round(time.perf_counter() - started),
        "cases": [
            {"when": dict(each), "hands": _rows(ranking, counts)} for each, counts in zip(terms, counted, strict=True)
        ],
    }


def tallied(ranking: str, started: float) -> list[Counter[Holds]]:
    """The hands of a list by what they hold, under each of its terms."""
    counting = COUNTINGS[ranking]
    counted: list[Counter[Holds]] = [Counter() for _ in counting.terms]
    for place, (hand, weight) in enumerate(counting.hands(), start=1):
        for each, holds in zip(counted, counting.holds(hand), strict=True):
            each[holds] += weight
        if place % 500_000 == 0:
            print(
                f"{ranking}: {place:,} hands after {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True
            )
    return counted


def _rows(ranking: str, counts: Counter[Holds]) -> list[dict[str, Any]]:
    """The counts, those with the higher classes first, the classes of each in falling order."""
    falling = RANKINGS[ranking]
    rows = [{"count": count, "holds": sorted(holds, key=falling.index)} for holds, count in counts.items() if count]
    return sorted(rows, key=lambda row: [*map(falling.index, row["holds"]), len(falling)])


def as_text(content: Mapping[str, Any]) -> str:
    """A data file's text: a line for each set of classes."""
    *head, (_, cases) = content.items()
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head]
    lines.append('  "cases": [')
    for place, case in enumerate(cases):
        lines.append(f'    {{"when": {json.dumps(case["when"])}, "hands": [')
        lines.append(",\n".join(f"      {json.dumps(row)}" for row in case["hands"]))
        lines.append("    ]}" + ("," if place + 1 < len(cases) else ""))
    return "\n".join(["{", *lines, "  ]", "}", ""])


def shipped(path: Path) -> Mapping[str, Any] | None:
    """The data file as it is shipped, its run time aside, or None where there is none."""
    return _timeless(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def _timeless(content: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in content.items() if key != "seconds"}


def main() -> int:
    """Counts the lists, and answers 0 where the shipped files say the same or have been written."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = [*COUNTINGS, "ace_high"]
    parser.add_argument("rankings", nargs="*", metavar="LIST", help=f"of {', '.join(names)} (default: all)")
    parser.add_argument("--write", action="store_true", help="write the data files")
    options = parser.parse_args()
    differing = 0
    for ranking in options.rankings or names:
        if ranking not in names:
            parser.error(f"no list {ranking}")
        content, path = document(ranking), COUNTS / f"{ranking}.json"
        if options.write:
            path.write_text(as_text(content), encoding="utf-8")
        agrees = shipped(path) == _timeless(content)
        differing += not agrees
        print(f"{ranking}: {'agrees' if agrees else 'differs'}, after {content['seconds']} s", flush=True)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
