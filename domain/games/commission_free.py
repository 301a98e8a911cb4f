"""Commission-free Pai Gow Poker (58 Pa. Code 645c.1): no vigorish; a dealer's Tiger 9 pushes every main wager."""

from __future__ import annotations

from domain.cards import Hand, rank_of
from domain.games.game import Game, WagerRule
from domain.games.seven_card import OPTIONS, SPLIT, against_the_banker, bonus_judge
from domain.rounds.showdown import Showdown, Verdict
from domain.seven_card import best, first_class

NINE = 7

CITES = {
    "win": "645c.1(e)(2), 645a.11(f): both hands beat the dealer's",
    "push": "645c.1(e)(2), 645a.11(f): one hand wins, one loses",
    "lose": "645c.1(e)(2), 645a.11(f): the dealer wins both, ties are his",
    "foul": "645c.1(e)(2), 645a.11(f): a foul hand loses",
    "fortune": "645c.1(f), 645a.11(h), 645a.7(e)(1)",
    "progressive": "645c.1(f), 645a.11(h), 645a.7(e)(4)",
    "envy.fortune": "645c.1(f), 645a.11(h)",
    "envy.progressive": "645c.1(f), 645a.11(h)",
}


def is_tiger_nine(low: Hand) -> bool:
    """Whether the dealer's two-card low hand is a 9-high (645c.1(h)): no pair, the higher card a nine."""
    ranks = sorted(rank_of(card) for card in low)
    return ranks[-1] == NINE and ranks[0] != NINE


def judge_main(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """645c.1(e)(1), (2); Tiger 9 first, so a foul is returned too (R9)."""
    if is_tiger_nine(showdown.banker.low):
        foul = showdown.set_hands[seat].foul
        return Verdict("push", "645c.1(e)(1): the dealer has a Tiger 9", "R9" if foul else None)
    return against_the_banker(showdown, seat, wager, CITES)


def judge_tiger_nine(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """645c.1(e)(1), (2) and (g)."""
    if not is_tiger_nine(showdown.banker.low):
        return Verdict("lose", "645c.1(e)(2): the dealer has no Tiger 9")
    return showdown.win(wager, "645c.1(e)(1), (g)", "tiger_9")


# 645c.1(f): by the table.
judge_fortune = bonus_judge(CITES["fortune"])
judge_progressive = bonus_judge(CITES["progressive"])

GAME = Game(
    id="commission_free",
    title="Commission-free Pai Gow Poker (Tiger 9)",
    joker=True,
    hand_size=7,
    split=SPLIT,
    wagers=(
        WagerRule("main", judge_main, rankings=("win",), base=True, toke=True, backed=True),
        WagerRule("tiger_9", judge_tiger_nine, rankings=("tiger_9",)),
        WagerRule("fortune", judge_fortune, rankings=("seven_card_bonus",), toke=True, envy=True),
        WagerRule("progressive", judge_progressive, rankings=("seven_card_bonus",), envy=True, meter=True),
    ),
    options=OPTIONS,
    best=best,
    first_class=first_class,
    cites=CITES,
    # 645c.1(a): a variation in which no vigorish is collected.
    commission=False,
)
