"""Fortune Pai Gow Poker as the cardroom plays it (seed 004): house or player bank, 5 % on wins, bonus and envy."""

from __future__ import annotations

from domain.games.game import Game, WagerRule
from domain.games.seven_card import OPTIONS, SPLIT, bonus_judge, main_judge
from domain.rounds.showdown import Showdown, Verdict
from domain.seven_card import best, first_class

CITES = {
    "win": "seed 004, Object of the Game: both hands beat the banker's",
    "push": "seed 004, Object of the Game: one hand wins, one loses",
    "lose": "seed 004, Object of the Game: the banker wins both, ties are his",
    "foul": "seed 004, Irregularities: a foul hand loses",
    "bonus": "seed 004, Bonus Hands and appendix 2",
    "envy.fortune": "seed 004, Envy Bonus and appendix 2",
    "envy.progressive": "the sheet's progressive envy table",
    "bank": "seed 004, Paying and Taking: Player Banker",
}

judge_main = main_judge(CITES)
# The table decides: a straight pays although the text begins at three of a kind (R11).
judge_fortune = bonus_judge(CITES["bonus"], {"straight": "R11"})


def judge_progressive(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """The seed has no progressive: the sheet's table is the rule."""
    table = showdown.sheet.wagers[wager].paytable
    cite = f"sheet {showdown.sheet.ref}, paytable {table.name}"
    return showdown.by_paytable(seat, wager, first_class, cite, cite)


GAME = Game(
    id="fortune",
    title="Fortune Pai Gow Poker (cardroom)",
    joker=True,
    hand_size=7,
    split=SPLIT,
    wagers=(
        WagerRule("main", judge_main, rankings=("win",), base=True, toke=True, backed=True),
        WagerRule("fortune", judge_fortune, rankings=("seven_card_bonus",), toke=True, envy=True),
        WagerRule("progressive", judge_progressive, rankings=("seven_card_bonus",), envy=True, meter=True),
    ),
    # Seed 004, Irregularities: the floor supervisor may reset the player's hand the house way (R10).
    options={**OPTIONS, "R10": ("lose_or_reset", "lose")},
    best=best,
    first_class=first_class,
    cites=CITES,
    player_bank=True,
    # Seed 004, misdealt hands 3: more than three cards exposed during the deal.
    exposed_limit=3,
)
