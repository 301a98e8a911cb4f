"""Face Up Pai Gow Poker (58 Pa. Code 688a): the dealer sets first, face up; an ace-high dealer pushes every main."""

from __future__ import annotations

from collections.abc import Iterator

from domain.cards import ACE, JOKER, Hand, rank_of
from domain.games.game import Game, WagerRule
from domain.games.seven_card import OPTIONS, SPLIT, against_the_banker, bonus_judge
from domain.rounds.events import HOUSE
from domain.rounds.showdown import Showdown, Verdict
from domain.seven_card import best, first_class

CITES = {
    "win": "688a.7(d): both hands beat the dealer's",
    "push": "688a.7(d): one hand wins, one loses",
    "lose": "688a.7(d): the dealer wins both, ties are his",
    "foul": "688a.1, High hand: the high hand must not rank below the low hand",
    "envy.fortune": "688a.1, Envy Bonus",
    "envy.progressive": "688a.1, Envy Bonus",
}


def is_ace_high(cards: Hand) -> bool:
    """Whether seven cards are an Ace High Pai Gow (688a.1): no pair, straight or flush, an ace; the joker is one."""
    return best(cards) == "high_card" and any(card == JOKER or rank_of(card) == ACE for card in cards)


def judge_main(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """688a.1: an ace-high dealer pushes every main, a foul too; otherwise the hands are compared."""
    if is_ace_high(showdown.cards[HOUSE]):
        return Verdict("push", "688a.1, Ace High Pai Gow: the dealer is ace-high")
    return against_the_banker(showdown, seat, wager, CITES)


def judge_ace_high(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """688a.7(e)(1): wins when the dealer's seven cards are an Ace High Pai Gow."""
    for hand in _ace_high_classes(showdown, seat):
        if hand in showdown.pays(wager):
            return showdown.win(wager, "688a.7(e)(1)", hand)
    return Verdict("lose", "688a.7(e)(1)")


# 688a.7(e)(2): three pairs pay only where the table has the line (R24).
judge_fortune = bonus_judge("688a.7(e)(2)", {"three_pair": "R24"})
judge_progressive = bonus_judge("688a.7(e)(3)")


def _ace_high_classes(showdown: Showdown, seat: int) -> Iterator[str]:
    """What the dealer's and the bettor's cards contain of the `ace_high` list, highest first."""
    dealer = showdown.cards[HOUSE]
    if not is_ace_high(dealer):
        return
    if is_ace_high(showdown.cards[seat]):
        yield "both_ace_high"
    if JOKER in dealer:
        yield "dealer_ace_high_joker"
    yield "dealer_ace_high"


GAME = Game(
    id="face_up",
    title="Face Up Pai Gow Poker",
    joker=True,
    hand_size=7,
    split=SPLIT,
    wagers=(
        WagerRule("main", judge_main, rankings=("win",), base=True, toke=True, backed=True),
        WagerRule("ace_high", judge_ace_high, rankings=("ace_high",)),
        WagerRule("fortune", judge_fortune, rankings=("seven_card_bonus",), toke=True, envy=True),
        WagerRule("progressive", judge_progressive, rankings=("seven_card_bonus",), envy=True, meter=True),
    ),
    options=OPTIONS,
    best=best,
    first_class=first_class,
    cites=CITES,
    dealer_first=True,
)
