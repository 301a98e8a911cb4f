"""Fortune Pai Gow Poker as the cardroom plays it (seed 004): the house or a player banks, 5 % on wins, Fortune bonus and envy."""

from __future__ import annotations

from domain.games.game import Game, WagerRule

GAME = Game(
    id="fortune",
    title="Fortune Pai Gow Poker (cardroom)",
    joker=True,
    hand_size=7,
    low_size=2,
    wagers=(
        WagerRule("main", rankings=("win",), base=True, toke=True, backed=True),
        WagerRule("fortune", rankings=("seven_card_bonus",), toke=True, envy=True),
        WagerRule("progressive", rankings=("seven_card_bonus",), envy=True, meter=True),
    ),
    options={
        "R7": ("second", "lowest"),
        "R8": ("equal_legal", "strict"),
        "R10": ("lose_or_reset", "lose"),
        "R14": ("sequential_equal", "sequential", "snapshot"),
    },
    player_bank=True,
    # Seed 004, misdealt hands 3: more than three cards exposed during the deal.
    exposed_limit=3,
)
