"""Sets a great many hands by the cardroom's house way and insists that none is foul.

`python -m tests.exhaustive.house_way` takes 1,000,000 random hands; `--every` takes every hand, once for all renamings
of its suits.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from random import Random

from domain.cards import Hand, deck, show
from domain.house_ways import cardroom
from domain.rankings import is_foul
from tests.exhaustive.folding import folded_hands

WHEELS = ("second", "lowest")


def fault(cards: Hand, wheel: str) -> str | None:
    """What is wrong with the setting of these cards, or None."""
    setting = cardroom.set_hand(cards, wheel)
    if is_foul(setting.high, setting.low, wheel=wheel, strict=True):
        return "foul"
    if len(setting.low) != 2 or sorted(setting.high + setting.low) != sorted(cards):
        return "other cards than were dealt"
    return None


def _random_hands(count: int, seed: int) -> Iterator[Hand]:
    random = Random(seed)
    whole_deck = deck(joker=True)
    for _ in range(count):
        yield tuple(random.sample(whole_deck, cardroom.HAND_SIZE))


def _every_hand() -> Iterator[Hand]:
    for joker in (False, True):
        for hand, _ in folded_hands(cardroom.HAND_SIZE, joker):
            yield hand


def main() -> int:
    """Sets the hands under both rankings of A-2-3-4-5, and answers 0 where no setting has a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1_000_000, help="how many random hands (default: 1,000,000)")
    parser.add_argument("--seed", type=int, default=645, help="their seed (default: 645)")
    parser.add_argument("--every", action="store_true", help="every hand, up to the names of the suits")
    options = parser.parse_args()
    started = time.perf_counter()
    done = faults = 0
    for cards in _every_hand() if options.every else _random_hands(options.hands, options.seed):
        for wheel in WHEELS:
            if found := fault(cards, wheel):
                faults += 1
                print(f"{show(cards)} ({wheel}): {found}")
        done += 1
        if done % 100_000 == 0:
            print(f"{done:,} hands after {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    print(f"{done:,} hands, {faults} at fault, after {time.perf_counter() - started:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
