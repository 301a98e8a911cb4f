"""What the rules page says in words: each branch of a settlement by its cite and outcome, and each ruling.

Sentences are kept apart from the code so that a reader of the page does not need the text of the law beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from domain.games.game import Game

Branch = tuple[str, str]
"""A cite, a sheet's and a table's name replaced by dots, and an outcome."""

WORDS: Mapping[str, Mapping[Branch, str]] = {
    "commission_free": {
        (
            "645c.1(e)(1): the dealer has a Tiger 9",
            "push",
        ): "The dealer's low hand is a nine high: every main goes back.",
        (
            "645c.1(e)(2), 645a.11(f): both hands beat the dealer's",
            "win",
        ): "Both hands are higher; even money, nothing taken.",
        ("645c.1(e)(2), 645a.11(f): one hand wins, one loses", "push"): "One hand is higher, the other is not.",
        (
            "645c.1(e)(2), 645a.11(f): the dealer wins both, ties are his",
            "lose",
        ): "Neither hand is higher; an equal one counts for the dealer.",
        ("645c.1(e)(2), 645a.11(f): a foul hand loses", "lose"): "The low hand outranks the high hand.",
        ("645c.1(e)(1), (g)", "win"): "The dealer's low hand is a nine high; 30 to 1.",
        ("645c.1(e)(2): the dealer has no Tiger 9", "lose"): "The dealer's low hand is anything else.",
        ("645c.1(f), 645a.11(h), 645a.7(e)(1)", "win"): "The seven cards hold a hand with a line in the table.",
        ("645c.1(f), 645a.11(h), 645a.7(e)(1)", "lose"): "The seven cards hold no hand that the table pays.",
        ("645c.1(f), 645a.11(h), 645a.7(e)(4)", "win"): "The seven cards hold a hand with a line in the table.",
        ("645c.1(f), 645a.11(h), 645a.7(e)(4)", "lose"): "The seven cards hold no hand that the table pays.",
        ("645c.1(f), 645a.11(h)", "win"): "Another player holds a hand of the envy table.",
    },
    "face_up": {
        (
            "688a.1, Ace High Pai Gow: the dealer is ace-high",
            "push",
        ): "The dealer has no pair, straight or flush and an ace on top: every main goes back, a foul's too.",
        ("688a.7(d): both hands beat the dealer's", "win"): "Both hands are higher; even money.",
        ("688a.7(d): one hand wins, one loses", "push"): "One hand is higher, the other is not.",
        (
            "688a.7(d): the dealer wins both, ties are his",
            "lose",
        ): "Neither hand is higher; an equal one counts for the dealer.",
        (
            "688a.1, High hand: the high hand must not rank below the low hand",
            "lose",
        ): "The low hand outranks the high hand.",
        ("688a.7(e)(1)", "win"): "The dealer is ace-high; the joker and an ace-high player pay by lines of their own.",
        ("688a.7(e)(1)", "lose"): "The dealer is not ace-high, or the table has no line for it.",
        ("688a.7(e)(2)", "win"): "The seven cards hold a hand with a line in the table.",
        ("688a.7(e)(2)", "push"): "The table's line is 0 to 1.",
        ("688a.7(e)(2)", "lose"): "The seven cards hold no hand that the table pays.",
        ("688a.7(e)(3)", "win"): "The seven cards hold a full house or better with a line in the table.",
        ("688a.7(e)(3)", "lose"): "The seven cards hold no hand that the table pays.",
        ("688a.1, Envy Bonus", "win"): "Another player holds a hand of the envy table.",
    },
    "fortune": {
        (
            "seed 004, Object of the Game: both hands beat the banker's",
            "win",
        ): "Both hands are higher than the banker's.",
        ("seed 004, Object of the Game: one hand wins, one loses", "push"): "One hand is higher, the other is not.",
        (
            "seed 004, Object of the Game: the banker wins both, ties are his",
            "lose",
        ): "Neither hand is higher; an equal one counts for the banker.",
        (
            "seed 004, Irregularities: a foul hand loses",
            "lose",
        ): "The low hand outranks the high hand, and no reset came.",
        ("seed 004, Bonus Hands and appendix 2", "win"): "The seven cards hold a hand with a line in the table.",
        ("seed 004, Bonus Hands and appendix 2", "lose"): "The seven cards hold no hand that the table pays.",
        ("sheet …, paytable …", "win"): "The seven cards hold a hand with a line in the sheet's table.",
        ("sheet …, paytable …", "lose"): "The seven cards hold no hand that the sheet's table pays.",
        (
            "seed 004, Paying and Taking: Player Banker",
            "win",
        ): "The banker took more than he paid; commission on the rest.",
        ("seed 004, Paying and Taking: Player Banker", "push"): "The banker paid as much as he took.",
        ("seed 004, Paying and Taking: Player Banker", "lose"): "The banker makes up what his takings lacked.",
        ("seed 004, Envy Bonus and appendix 2", "win"): "Another player or the banker holds a hand of the envy table.",
        ("the sheet's progressive envy table", "win"): "Another player or the banker holds a hand of the envy table.",
    },
    "high_card_flush": {
        ("678a.11(c)(2): folded", "lose"): "The player gave up; optional wagers stay live.",
        (
            "678a.11(d)(1): the dealer does not qualify",
            "win",
        ): "The dealer has less than three suited cards nine high: the ante is paid without a comparison.",
        (
            "678a.11(d)(1): the dealer does not qualify",
            "returned",
        ): "The dealer has less than three suited cards nine high: the raise goes back.",
        ("678a.11(d)(2)(ii)(A)", "win"): "The player's flush is longer, or as long and higher.",
        ("678a.11(d)(2)(ii)(B)", "push"): "Both flushes are as long and of the same ranks.",
        ("678a.11(d)(2)(ii)(C)", "lose"): "The dealer's flush is longer, or as long and higher.",
        ("678a.11(e)(1)(i)", "lose"): "Three suited cards or fewer.",
        ("678a.11(e)(1)(ii)", "win"): "Four suited cards or more, by the table.",
        ("678a.11(e)(2)(i)", "lose"): "No three cards of one suit in a row.",
        ("678a.11(e)(2)(ii)", "win"): "Three or more cards of one suit in a row, by the table.",
        (
            "678a.11(e)(2)(ii): the table has no line for the hand",
            "lose",
        ): "Three cards or more in a row, and the sheet's table starts higher.",
        ("678a.11(e)(3)", "win"): "A straight flush with a line in the table.",
        ("678a.11(e)(3): below the table's lowest hand", "lose"): "No straight flush that the table pays.",
    },
    "pai_gow": {
        (
            "645a.11(f), as seed 004, Object of the Game: both hands beat the banker's",
            "win",
        ): "Both hands are higher than the banker's.",
        (
            "645a.11(f), as seed 004, Object of the Game: one hand wins, one loses",
            "push",
        ): "One hand is higher, the other is not.",
        (
            "645a.11(f), as seed 004, Object of the Game: the banker wins both, ties are his",
            "lose",
        ): "Neither hand is higher; an equal one counts for the banker.",
        (
            "645a.11(f), as seed 004, Irregularities: a foul hand loses",
            "lose",
        ): "The low hand outranks the high hand, and no reset came.",
        ("645a.11(h), 645a.7(e)(1)", "win"): "The seven cards hold a hand with a line in the table.",
        ("645a.11(h), 645a.7(e)(1)", "lose"): "The seven cards hold no hand that the table pays.",
        ("645a.11(h), 645a.7(e)(4)", "win"): "The seven cards hold a hand with a line in the table.",
        ("645a.11(h), 645a.7(e)(4)", "lose"): "The seven cards hold no hand that the table pays.",
        (
            "645a.11, as seed 004, Paying and Taking: Player Banker",
            "win",
        ): "The banker took more than he paid; commission on the rest.",
        ("645a.11, as seed 004, Paying and Taking: Player Banker", "push"): "The banker paid as much as he took.",
        (
            "645a.11, as seed 004, Paying and Taking: Player Banker",
            "lose",
        ): "The banker makes up what his takings lacked.",
        ("645a.11(h), as seed 004, Envy Bonus", "win"): "Another player or the banker holds a hand of the envy table.",
        (
            "645a.11(h), the sheet's progressive envy table",
            "win",
        ): "Another player or the banker holds a hand of the envy table.",
    },
    "six_card_fortune": {
        ("670a.11(f)(1)(i)", "lose"): "Both hands are lower.",
        ("670a.11(f)(1)(ii)", "lose"): "The high hand is lower, the low hand equal.",
        ("670a.11(f)(1)(iii)", "lose"): "The high hand is equal, the low hand lower.",
        ("670a.11(f)(1)(iv)", "lose"): "Both hands are equal.",
        ("670a.11(f)(1)(v)", "lose"): "The card set low outranks the player's own high hand.",
        ("670a.11(f)(2)(i)", "push"): "The high hand is higher, the low hand lower.",
        ("670a.11(f)(2)(ii)", "push"): "The high hand is lower, the low hand higher or a joker.",
        ("670a.11(f)(3)", "win"): "The high hand is higher, the low hand higher or a joker.",
        (
            "670a.11(f): not covered by its paragraphs",
            "push",
        ): "One hand is higher, the other equal; the sheet lets it push.",
        (
            "670a.11(f): not covered by its paragraphs",
            "lose",
        ): "One hand is higher, the other equal; the sheet lets it lose.",
        ("670a.11(g)(2)", "returned"): "The dealer has less than a pair of eights.",
        ("670a.11(h)(1)(i)(A)", "lose"): "The six cards hold no hand that the table pays.",
        ("670a.11(h)(1)(i)(B)", "win"): "The six cards hold three of a kind or higher with a line in the table.",
        ("670a.11(h)(2)(i)", "lose"): "The six cards are a pair or better, or ace-high.",
        ("670a.11(h)(2)(ii)", "win"): "The six cards are king-high or less.",
        (
            "670a.11(h)(2)(ii): the table has no line for the hand",
            "lose",
        ): "The six cards are king-high or less, and the sheet's table leaves them out.",
        (
            "670a.11(h)(3)(i)(A)",
            "lose",
        ): "The six cards hold no hand that the table pays; the stake was taken before the deal.",
        ("670a.11(h)(3)(i)(B)", "win"): "The six cards hold a straight or better with a line in the table.",
        ("670a.11(h)(1)(ii)", "win"): "Another player holds a hand of the Fortune envy table.",
        ("670a.11(h)(3)(ii)", "win"): "Another player holds a hand of the progressive envy table.",
    },
}
"""By game, in the order in which the page tells them."""

IN_EVERY_GAME: Mapping[Branch, str] = {
    (
        "floorperson's decision on an abandoned wager",
        "forfeited",
    ): "The player left and a floorperson declared the wager lost.",
    ("a void returns every wager whole", "returned"): "The round does not count; what it moved is taken back exactly.",
}

_DOUBLE_DOWN = "670a.11(g)(1), "


def generalized(cite: str) -> str:
    """The cite with dots for what differs from sheet to sheet."""
    return re.sub(r"^sheet \S+, paytable .+$", "sheet …, paytable …", cite)


def words_for(game_id: str, cite: str, outcome: str) -> str:
    """What a branch means; KeyError where nobody wrote it down."""
    if cite.startswith(_DOUBLE_DOWN):
        main = WORDS[game_id][cite.removeprefix(_DOUBLE_DOWN), outcome]
        return f"The dealer has a pair of eights or better; as the main wager: {main[0].lower()}{main[1:]}"
    return WORDS[game_id][generalized(cite), outcome]


class Ruling(NamedTuple):
    """A question that the texts leave open: what is done, where a sheet says it, and which games it touches."""

    question: str
    answer: str
    touches: Callable[[Game], bool]
    said_by: str | None = None


def _every(game: Game) -> bool:
    return True


def _six_card(game: Game) -> bool:
    return game.hand_size == 6


def _seven_card(game: Game) -> bool:
    return game.split is not None and game.hand_size == 7


def _set_in_two(game: Game) -> bool:
    return game.split is not None


def _flush(game: Game) -> bool:
    return game.most_antes is not None


def _with_meter(game: Game) -> bool:
    return any(rule.meter for rule in game.wagers)


def _with_envy(game: Game) -> bool:
    return any(rule.envy for rule in game.wagers)


def _with_toke(game: Game) -> bool:
    return any(rule.toke for rule in game.wagers)


def _with_commission(game: Game) -> bool:
    return game.commission


def _named(*ids: str) -> Callable[[Game], bool]:
    return lambda game: game.id in ids


RULINGS: Mapping[str, Ruling] = {
    "R1": Ruling("One hand won, the other equal", "the main wager, and a double down with it, by option", _six_card),
    "R2": Ruling("The dealer's joker as the card set low", "an ace, or above the ace, by option", _six_card),
    "R3": Ruling(
        "A five-card straight or flush of the dealer that overlaps a pair",
        "the highest category of five-card hand is kept, within it the highest card goes low",
        _six_card,
    ),
    "R4": Ruling(
        "The dealer's A-2-3-4-5-6, and the joker beside five cards that make a hand without it",
        "6-5-4-3-2 with the ace low; such a joker is the highest card and goes low",
        _six_card,
    ),
    "R5": Ruling("The ace in a straight flush", "above the king and below the two, or above alone, by option", _flush),
    "R6": Ruling(
        "A straight flush of three cards",
        "paid where the sheet's table has the line; without it the wager loses",
        _flush,
    ),
    "R7": Ruling("A-2-3-4-5", "second highest or lowest of straights, by option", _set_in_two),
    "R8": Ruling("High and low hand of equal rank", "legal, or a foul, by option", _set_in_two),
    "R9": Ruling(
        "A foul under the dealer's Tiger 9", "goes back as every other main wager does", _named("commission_free")
    ),
    "R10": Ruling(
        "A foul while the house banks", "loses, or the floor may have it set the house way, by option", _set_in_two
    ),
    "R11": Ruling(
        "A straight, which the cardroom's text leaves out and its table pays", "paid by the table", _named("fortune")
    ),
    "R12": Ruling(
        "Rounding the commission",
        "to the cent, a half up, or up to the next quarter of a dollar; for each wager alone",
        _with_commission,
        "`commission.rounding`",
    ),
    "R13": Ruling(
        "How often envy is paid, and for whose hand",
        "once for each wager, holder and kind; never for a hand of the same player or the dealer",
        _with_envy,
    ),
    "R14": Ruling(
        "Several hits of a meter in one round", "in turn, equal shares, or from one reading, by option", _with_meter
    ),
    "R15": Ruling(
        "When a progressive stake is taken",
        "at no more bets, with what it adds to the meter; a void takes both back exactly",
        _with_meter,
    ),
    "R16": Ruling("What main, ante and raise pay", "even money by the samples", _every, "`wagers.*.paytable`"),
    "R17": Ruling(
        "What a double down pays", "as the main wager by the sample", _six_card, "`wagers.double_down.paytable`"
    ),
    "R18": Ruling(
        "The amount of a raise", "whole antes, or any amount from the ante up to the hand's limit, by option", _flush
    ),
    "R19": Ruling("Hands that the cardroom's house way does not name", "as the rows above complete it", _seven_card),
    "R20": Ruling(
        "The house way where the game's own is not at hand",
        "the cardroom's, or another one registered",
        _seven_card,
        "`house_way`",
    ),
    "R21": Ruling("A percentage of a meter", "cut to the cent below; the rest stays on the meter", _with_meter),
    "R22": Ruling("A joker that completes nothing, insured", "an ace, so the wager loses", _six_card),
    "R23": Ruling(
        "The wagers of a player who left", "lost or left to play as a floorperson decides, never by themselves", _every
    ),
    "R24": Ruling(
        "Three pairs", "below three of a kind and a straight; paid where the table has the line", _named("face_up")
    ),
    "R25": Ruling("Two five-card hands that are equal", "equal to the last card; suits never count", _set_in_two),
    "R26": Ruling(
        "The joker in a royal match",
        "it may stand in the royal flush, not in the king and queen of another suit",
        _seven_card,
    ),
    "R27": Ruling(
        "How much a toke on the main wager may be",
        "what the sheet says, such as a tenth of the limit",
        _with_toke,
        "`wagers.main.toke_max_cents`",
    ),
}
"""By id."""
