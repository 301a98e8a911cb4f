"""The hands of a settled round against the banker's, in words: "A-K high loses to a pair of fours"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from domain.cards import JOKER, Hand
from domain.flushes import strength as flush_strength
from domain.games.game import Game
from domain.rounds.events import HOUSE
from domain.rounds.state import Round, SetHands
from projections.naming import Name, name_of, name_of_flush

Comparison = dict[str, Any]


def comparisons(round_: Round, game: Game, options: Mapping[str, str], dealer: SetHands | None) -> Iterator[Comparison]:
    """How each played hand stands against the banker's, seats from the highest down, once lines are settled.

    `hand` is high, low or flush, `result` wins, loses or copies, always seen from `seat` (0: the dealer's hand against
    a player's bank); foul and folded hands are not compared and say so with `hand` and `result` null.
    """
    if not round_.lines:
        return
    played = {wager.seat for wager in round_.stakes if wager.wager == game.base_wager} - {round_.bank_seat}
    spots = sorted(played, reverse=True)
    if round_.bank is not None:
        spots = [HOUSE, *spots]
    for spot in spots:
        if game.split is None:
            yield _flush(spot, round_)
        else:
            yield from _two_hands(spot, round_, game, options, dealer)


def _two_hands(
    spot: int, round_: Round, game: Game, options: Mapping[str, str], dealer: SetHands | None
) -> Iterator[Comparison]:
    hands = {**round_.set_hands} if dealer is None else {**round_.set_hands, HOUSE: dealer}
    ours, theirs = hands.get(spot), hands.get(round_.bank_seat)
    if ours is None or theirs is None:
        return
    if ours.foul:
        yield _said(spot, round_, None, None, "The hand is a foul: low outranks high, and nothing is compared")
        return
    for which in ("high", "low"):
        yield _one_hand(spot, which, ours, theirs, round_, game, options)


def _one_hand(
    spot: int, which: str, ours: SetHands, theirs: SetHands, round_: Round, game: Game, options: Mapping[str, str]
) -> Comparison:
    assert game.split is not None
    high = which == "high"
    mine, banks = (ours.high, theirs.high) if high else (ours.low, theirs.low)
    wheel = options.get("R7", "second")
    if high:
        difference = game.split.high(mine, wheel) - game.split.high(banks, wheel)
    else:
        difference = _low(mine, banks, game, options)
    names = [name_of(game.split, each, high=high, wheel=wheel) for each in (mine, banks)]
    if names[0] == names[1]:
        names = [name_of(game.split, each, high=high, wheel=wheel, whole=True) for each in (mine, banks)]
    sentence = _sentence(names[0], names[1], difference)
    if difference == 0 and game.low_size == 2:
        sentence += "; a copy goes to the banker"
    return _said(spot, round_, which, _RESULTS[_sign(difference)], sentence)


def _low(mine: Hand, banks: Hand, game: Game, options: Mapping[str, str]) -> int:
    assert game.split is not None
    if game.low_size == 1:
        # 670a.11(f)(2)(ii), (f)(3) and R2, as the six-card game's judge has it.
        if JOKER in mine:
            return 1
        if JOKER in banks and options.get("R2") == "above_ace":
            return -1
    return game.split.low(mine) - game.split.low(banks)


def _flush(spot: int, round_: Round) -> Comparison:
    if spot in round_.folded:
        return _said(spot, round_, None, None, "The hand is folded, and nothing is compared")
    mine, dealers = round_.hands[spot], round_.hands[HOUSE]
    difference = flush_strength(mine) - flush_strength(dealers)
    sentence = _sentence(name_of_flush(mine), name_of_flush(dealers), difference)
    return _said(spot, round_, "flush", _RESULTS[_sign(difference)], sentence)


_RESULTS = {1: "wins", -1: "loses", 0: "copies"}
_VERBS = {1: ("beats", "beat"), -1: ("loses to", "lose to"), 0: ("copies", "copy")}


def _sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)


def _sentence(mine: Name, theirs: Name, difference: int) -> str:
    verb = _VERBS[_sign(difference)][mine.many]
    return f"{mine.text[:1].upper()}{mine.text[1:]} {verb} {theirs.text}"


def _said(spot: int, round_: Round, hand: str | None, result: str | None, text: str) -> Comparison:
    against = "dealer" if round_.bank_seat == HOUSE else round_.bank_seat
    return {"seat": spot, "against": against, "hand": hand, "result": result, "text": text}
