"""Six-Card Fortune Pai Gow Poker (58 Pa. Code 670a.11): five cards high, one low, and four optional wagers."""

from __future__ import annotations

from domain.cards import JOKER
from domain.games.game import Game, Split, WagerRule
from domain.rankings import arranged, category, five
from domain.rounds.events import HOUSE
from domain.rounds.showdown import Showdown, Verdict
from domain.six_card import best, first_class, insurance_class, insurance_first, is_foul, one, pair_of_eights_or_better

CITES = {
    "envy.fortune": "670a.11(h)(1)(ii)",
    "envy.progressive": "670a.11(h)(3)(ii)",
}

# 670a.11(f) by how the high and the low hand compare: -1 lower, 0 identical, 1 higher.
BRANCHES = {
    (-1, -1): Verdict("lose", "670a.11(f)(1)(i)"),
    (-1, 0): Verdict("lose", "670a.11(f)(1)(ii)"),
    (0, -1): Verdict("lose", "670a.11(f)(1)(iii)"),
    (0, 0): Verdict("lose", "670a.11(f)(1)(iv)"),
    (1, -1): Verdict("push", "670a.11(f)(2)(i)"),
    (-1, 1): Verdict("push", "670a.11(f)(2)(ii)"),
    (1, 1): Verdict("win", "670a.11(f)(3)"),
}


def judge_main(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """670a.11(f)(1)-(3); what no paragraph covers is R1's."""
    mine = showdown.set_hands[seat]
    if mine.foul:
        return Verdict("lose", "670a.11(f)(1)(v)")
    compared = _compare_high(showdown, seat), _compare_low(showdown, seat)
    verdict = BRANCHES.get(compared)
    if verdict is None:
        return Verdict(showdown.sheet.options["R1"], "670a.11(f): not covered by its paragraphs", "R1")
    if verdict.outcome == "win":
        return showdown.win(wager, verdict.cite)
    return verdict


def judge_double_down(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """670a.11(g): as the main wager against a pair of eights or better, otherwise returned."""
    if not pair_of_eights_or_better(showdown.cards[HOUSE], showdown.wheel):
        return Verdict("returned", "670a.11(g)(2)")
    main = judge_main(showdown, seat, wager)
    return main._replace(cite=f"670a.11(g)(1), {main.cite}")


def judge_fortune(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """670a.11(h)(1)(i)."""
    return showdown.by_paytable(seat, wager, first_class, "670a.11(h)(1)(i)(B)", "670a.11(h)(1)(i)(A)")


def judge_insurance(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """670a.11(h)(2); a joker that completes nothing is an ace, so the hand is better than king-high (R22)."""
    cards = showdown.cards[seat]
    if insurance_class(cards) is not None:
        no_line = "670a.11(h)(2)(ii): the table has no line for the hand"
        return showdown.by_paytable(seat, wager, insurance_first, "670a.11(h)(2)(ii)", no_line)
    joker_alone = JOKER in cards and best(cards) == "high_card"
    return Verdict("lose", "670a.11(h)(2)(i)", "R22" if joker_alone else None)


def judge_progressive(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """670a.11(h)(3)(i)."""
    return showdown.by_paytable(seat, wager, first_class, "670a.11(h)(3)(i)(B)", "670a.11(h)(3)(i)(A)")


def _compare_high(showdown: Showdown, seat: int) -> int:
    ours = five(showdown.set_hands[seat].high, showdown.wheel)
    return _sign(ours - five(showdown.banker.high, showdown.wheel))


def _compare_low(showdown: Showdown, seat: int) -> int:
    ours, theirs = showdown.set_hands[seat].low, showdown.banker.low
    if JOKER in ours:
        return 1  # 670a.11(f)(2)(ii), (f)(3): a player's joker beats whatever lies low.
    if JOKER in theirs and showdown.sheet.options["R2"] == "above_ace":
        return -1
    return _sign(one(ours) - one(theirs))


def _sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)


GAME = Game(
    id="six_card_fortune",
    title="Six-Card Fortune Pai Gow Poker",
    joker=True,
    hand_size=6,
    split=Split(low_size=1, high=five, low=one, category=category, foul=is_foul, arranged=arranged),
    wagers=(
        WagerRule("main", judge_main, rankings=("win",), base=True, toke=True, backed=True),
        WagerRule("double_down", judge_double_down, rankings=("win",), placed=False),
        WagerRule("fortune", judge_fortune, rankings=("six_card",), toke=True, envy=True),
        WagerRule("insurance", judge_insurance, rankings=("insurance",)),
        WagerRule("progressive", judge_progressive, rankings=("six_card",), envy=True, meter=True),
    ),
    options={
        "R1": ("push", "lose"),
        "R2": ("ace", "above_ace"),
        "R7": ("second", "lowest"),
        "R8": ("equal_legal", "strict"),
        "R10": ("lose", "lose_or_reset"),
        "R14": ("sequential_equal", "sequential", "snapshot"),
    },
    best=best,
    first_class=first_class,
    cites=CITES,
    decisions=frozenset({"set_hand", "reset_hand", "set_dealer", "double_down"}),
    qualifies=pair_of_eights_or_better,
)
