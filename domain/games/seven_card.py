"""What the seven-card games share: two hands against the banker's, and bonuses on all seven cards."""

from __future__ import annotations

from collections.abc import Mapping

from domain.games.game import Split
from domain.rankings import arranged, category, five, is_foul, two
from domain.rounds.showdown import Showdown, Verdict
from domain.seven_card import first_class

SPLIT = Split(low_size=2, high=five, low=two, category=category, foul=is_foul, arranged=arranged)

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "R7": ("second", "lowest"),
    "R8": ("equal_legal", "strict"),
    "R10": ("lose", "lose_or_reset"),
    "R14": ("sequential_equal", "sequential", "snapshot"),
}
"""The rulings that a sheet of a seven-card game chooses, each with its default first."""


def compare(showdown: Showdown, seat: int) -> tuple[bool, bool]:
    """Whether the seat's high hand and its low hand beat the banker's; a copy does not."""
    ours, theirs = showdown.set_hands[seat], showdown.banker
    high = five(ours.high, showdown.wheel) > five(theirs.high, showdown.wheel)
    low = two(ours.low) > two(theirs.low)
    return high, low


def against_the_banker(showdown: Showdown, seat: int, wager: str, cites: Mapping[str, str]) -> Verdict:
    """Both hands win, one of two pushes, none loses; copies go to the banker, and a foul hand loses."""
    if showdown.set_hands[seat].foul:
        return Verdict("lose", cites["foul"])
    wins = sum(compare(showdown, seat))
    if wins == 2:
        line = showdown.sheet.wagers[wager].paytable.hands["win"]
        return Verdict("win", cites["win"], line=line, hand="win")
    return Verdict("push", cites["push"]) if wins else Verdict("lose", cites["lose"])


def by_paytable(showdown: Showdown, seat: int, wager: str, cite: str) -> Verdict:
    """The first class that the seat's seven cards contain and for which the table has a line; without one it loses.

    How the hand was set does not matter (seed 004, Bonus Hands; R26).
    """
    hands = showdown.sheet.wagers[wager].paytable.hands
    paid = first_class(showdown.cards[seat], hands)
    if paid is None:
        return Verdict("lose", cite)
    return Verdict("win", cite, line=hands[paid], hand=paid)
