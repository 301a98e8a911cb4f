"""What the seven-card games share: two hands against the banker's, and bonuses on all seven cards."""

from __future__ import annotations

from collections.abc import Mapping

from domain.games.game import Judge, Split
from domain.rankings import arranged, category, is_foul, known_five, two
from domain.rounds.showdown import Showdown, Verdict
from domain.seven_card import first_class

SPLIT = Split(low_size=2, high=known_five, low=two, category=category, foul=is_foul, arranged=arranged)

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "R7": ("second", "lowest"),
    "R8": ("equal_legal", "strict"),
    "R10": ("lose", "lose_or_reset"),
    "R14": ("sequential_equal", "sequential", "snapshot"),
}
"""The rulings that a sheet of a seven-card game chooses, each with its default first."""

NO_RULINGS: Mapping[str, str] = {}


def compare(showdown: Showdown, seat: int) -> tuple[bool, bool]:
    """Whether the seat's high hand and its low hand beat the banker's; a copy does not."""
    ours, theirs = showdown.set_hands[seat], showdown.banker
    wheel = showdown.wheel
    high = known_five(ours.high, wheel) > known_five(theirs.high, wheel)
    low = two(ours.low) > two(theirs.low)
    return high, low


def against_the_banker(showdown: Showdown, seat: int, wager: str, cites: Mapping[str, str]) -> Verdict:
    """Both hands win, one of two pushes, none loses; copies go to the banker, and a foul hand loses."""
    if showdown.set_hands[seat].foul:
        return Verdict("lose", cites["foul"])
    wins = sum(compare(showdown, seat))
    if wins == 2:
        return showdown.win(wager, cites["win"])
    return Verdict("push", cites["push"]) if wins else Verdict("lose", cites["lose"])


def main_judge(cites: Mapping[str, str]) -> Judge:
    """Judges a wager by the two hands against the banker's alone; `cites` are the game's."""

    def judge(showdown: Showdown, seat: int, wager: str) -> Verdict:
        return against_the_banker(showdown, seat, wager, cites)

    return judge


def bonus_judge(cite: str, rulings: Mapping[str, str] = NO_RULINGS) -> Judge:
    """Judges a wager by its table on all seven cards; `rulings` names the ruling that a class's line rests on.

    How the hand was set does not matter (seed 004, Bonus Hands; R26).
    """

    def judge(showdown: Showdown, seat: int, wager: str) -> Verdict:
        verdict = showdown.by_paytable(seat, wager, first_class, cite, cite)
        ruling = rulings.get(verdict.hand or "")
        return verdict if ruling is None else verdict._replace(ruling=ruling)

    return judge
