"""What becomes of every base wager and what depends on it, judged the plain way from the hands of a replay document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from domain.cards import parse
from tests.domain.naive import RANKS, worth_of_five, worth_of_two
from tests.properties.naive_lines import Command, Document, Documents, Line, settled_lines

Options = Mapping[str, str]
Seat = Mapping[str, Any]
Judge = Callable[[Document, Seat, Options], str]

_LEAST_TO_QUALIFY = (3, [RANKS.index("9")])


def wrong_outcomes(commands: list[Command], documents: Documents) -> Iterator[str]:
    """Lines of mains, antes, double downs, raises, Tiger 9 and Ace High whose outcome is another than the rules say."""
    sheets = {_ref(each["sheet"]): each["sheet"] for each in commands if each["command"] == "publish_sheet"}
    for each in commands:
        if each["command"] == "open_round":
            document, sheet = documents[each["round"]], sheets[each["sheet"]]
            for line in settled_lines(document):
                expected = _expected(document, line, sheet["options"])
                if expected is not None and line["outcome"] not in (expected, "forfeited"):
                    yield f"{document['round']}: {line['line_id']} is a {line['outcome']}, expected {expected}"


def _ref(sheet: Mapping[str, Any]) -> str:
    return f"{sheet['id']}@{sheet['version']}"


def _expected(document: Document, line: Line, options: Options) -> str | None:
    """The outcome by the rules; None of a line that is not judged here."""
    judges: Mapping[tuple[str, str], Judge] = {
        ("commission_free", "main"): _tiger_nine_main,
        ("commission_free", "tiger_9"): lambda document, *_: _win_if(_is_tiger_nine(document)),
        ("face_up", "main"): _face_up_main,
        ("face_up", "ace_high"): lambda document, *_: _win_if(_is_ace_high(document)),
        ("fortune", "main"): _two_hands,
        ("pai_gow", "main"): _two_hands,
        ("six_card_fortune", "main"): _six_card_main,
        ("six_card_fortune", "double_down"): _double_down,
        ("high_card_flush", "ante"): _ante,
        ("high_card_flush", "raise"): _raise,
    }
    judge = judges.get((document["game"], line["wager"]))
    seat = next((each for each in document["seats"] if each["seat"] == line["seat"]), None)
    return None if judge is None or seat is None else judge(document, seat, options)


def _win_if(wins: bool) -> str:
    return "win" if wins else "lose"


def _banker(document: Document) -> Seat:
    if document["bank"] == "house":
        dealer: Seat = document["dealer"]
        return dealer
    return next(seat for seat in document["seats"] if seat["seat"] == document["bank"])


def _two_hands(document: Document, seat: Seat, options: Options) -> str:
    """Both hands win, one of two pushes; what is equal is the banker's."""
    if seat["foul"]:
        return "lose"
    banker, wheel = _banker(document), options["R7"]
    high = worth_of_five(parse(seat["high"]), wheel) > worth_of_five(parse(banker["high"]), wheel)
    low = worth_of_two(parse(seat["low"])) > worth_of_two(parse(banker["low"]))
    return ("lose", "push", "win")[high + low]


def _is_tiger_nine(document: Document) -> bool:
    """645c.1(h): the dealer's low hand is a nine with something lower."""
    ranks = {card[0] for card in document["dealer"]["low"].split()}
    return "9" in ranks and ranks & set("2345678") != set()


def _tiger_nine_main(document: Document, seat: Seat, options: Options) -> str:
    return "push" if _is_tiger_nine(document) else _two_hands(document, seat, options)


def _is_ace_high(document: Document) -> bool:
    """688a.1: an ace or the joker among seven cards of which no five are anything; the house way leaves it at that."""
    dealer = document["dealer"]
    nothing = dealer["high_rank"] == dealer["low_rank"] == "high_card"
    return nothing and any(card == "Jk" or card[0] == "A" for card in dealer["cards"].split())


def _face_up_main(document: Document, seat: Seat, options: Options) -> str:
    return "push" if _is_ace_high(document) else _two_hands(document, seat, options)


def _six_card_main(document: Document, seat: Seat, options: Options) -> str:
    """670a.11(f), paragraph by paragraph."""
    if seat["foul"]:
        return "lose"
    dealer, wheel = document["dealer"], options["R7"]
    high = _compared(worth_of_five(parse(seat["high"]), wheel), worth_of_five(parse(dealer["high"]), wheel))
    low = _compared(_worth_of_one(seat["low"], "above"), _worth_of_one(dealer["low"], options["R2"]))
    if (high, low) in ((1, 0), (0, 1)):
        return options["R1"]
    if high == low == 1:
        return "win"
    return "push" if high * low == -1 else "lose"


def _worth_of_one(card: str, joker: str) -> int:
    """A joker is an ace, or above every ace."""
    if card != "Jk":
        return RANKS.index(card[0])
    return RANKS.index("A") + int(joker != "ace")


def _compared(ours: Any, theirs: Any) -> int:
    return int(ours > theirs) - int(ours < theirs)


def _double_down(document: Document, seat: Seat, options: Options) -> str:
    """670a.11(g): against less than a pair of eights it goes back."""
    category, deciding = worth_of_five(parse(document["dealer"]["high"]), options["R7"])
    if category > 1 or (category == 1 and deciding[0] >= RANKS.index("8")):
        return _six_card_main(document, seat, options)
    return "returned"


def _flush(cards: str) -> tuple[int, list[int]]:
    """The best cards of one suit: how many, and their ranks from the highest down."""
    suits = [[RANKS.index(card[0]) for card in cards.split() if card[1] == suit] for suit in "cdhs"]
    return max((len(ranks), sorted(ranks, reverse=True)) for ranks in suits)


def _ante(document: Document, seat: Seat, options: Options) -> str:
    """678a.11(c)(2), (d)."""
    if seat["folded"]:
        return "lose"
    if _flush(document["dealer"]["cards"]) < _LEAST_TO_QUALIFY:
        return "win"
    return ("lose", "push", "win")[_compared(_flush(seat["cards"]), _flush(document["dealer"]["cards"])) + 1]


def _raise(document: Document, seat: Seat, options: Options) -> str:
    if _flush(document["dealer"]["cards"]) < _LEAST_TO_QUALIFY:
        return "returned"
    return _ante(document, seat, options)
