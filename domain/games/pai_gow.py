"""Pai Gow Poker (58 Pa. Code 645a): 5 % on wins, the house or a player banks.

645a.11 is known by what other sections cite of it; where it is silent, the cardroom's text (seed 004) and the rulings
decide.
"""

from __future__ import annotations

from domain.games.game import Game, WagerRule
from domain.games.seven_card import OPTIONS, SPLIT, bonus_judge, main_judge
from domain.seven_card import best, first_class

CITES = {
    "win": "645a.11(f), as seed 004, Object of the Game: both hands beat the banker's",
    "push": "645a.11(f), as seed 004, Object of the Game: one hand wins, one loses",
    "lose": "645a.11(f), as seed 004, Object of the Game: the banker wins both, ties are his",
    "foul": "645a.11(f), as seed 004, Irregularities: a foul hand loses",
    "fortune": "645a.11(h), 645a.7(e)(1)",
    "progressive": "645a.11(h), 645a.7(e)(4)",
    "envy.fortune": "645a.11(h), as seed 004, Envy Bonus",
    "envy.progressive": "645a.11(h), the sheet's progressive envy table",
    "bank": "645a.11, as seed 004, Paying and Taking: Player Banker",
}

# 645a.11(f) and (h).
judge_main = main_judge(CITES)
judge_fortune = bonus_judge(CITES["fortune"])
judge_progressive = bonus_judge(CITES["progressive"])

GAME = Game(
    id="pai_gow",
    title="Pai Gow Poker",
    joker=True,
    hand_size=7,
    split=SPLIT,
    wagers=(
        WagerRule("main", judge_main, rankings=("win",), base=True, toke=True, backed=True),
        WagerRule("fortune", judge_fortune, rankings=("seven_card_bonus",), toke=True, envy=True),
        WagerRule("progressive", judge_progressive, rankings=("seven_card_bonus",), envy=True, meter=True),
    ),
    options=OPTIONS,
    best=best,
    first_class=first_class,
    cites=CITES,
    player_bank=True,
)
