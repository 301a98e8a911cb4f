"""High Card Flush (58 Pa. Code 678a): raise or fold on the longest flush, with three optional wagers beside it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from domain.cards import Hand
from domain.flushes import (
    best,
    first_flush,
    first_straight_flush,
    length,
    qualifies,
    straight_flush_length,
    strength,
)
from domain.games.game import Game, WagerRule
from domain.rounds.events import HOUSE
from domain.rounds.showdown import Showdown, Verdict

CITES: dict[str, str] = {}

# 678a.11(b)(1)-(3): two to four suited cards once the ante, five twice, six and seven three times.
MOST_ANTES = {2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}
# 678a.11(e)(2)(ii): three cards of one suit in a row.
SHORTEST_STRAIGHT_FLUSH = 3


def most_antes(cards: Hand) -> int:
    """How many times the ante a hand may raise (678a.11(b))."""
    return MOST_ANTES[length(cards)]


def dealer_qualifies(cards: Hand, wheel: str) -> bool:
    """At least a three-card flush, nine high (678a.11(d)); `wheel` has no bearing here."""
    return qualifies(cards)


def judge_ante(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """678a.11(c)(2), (d)(1) and (d)(2)(ii)."""
    if seat in showdown.folded:
        return Verdict("lose", "678a.11(c)(2): folded")
    if not qualifies(showdown.cards[HOUSE]):
        return showdown.win(wager, "678a.11(d)(1): the dealer does not qualify")
    return _compare(showdown, seat, wager)


def judge_raise(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """678a.11(d)(1) and (d)(2)(ii)."""
    if not qualifies(showdown.cards[HOUSE]):
        return Verdict("returned", "678a.11(d)(1): the dealer does not qualify")
    return _compare(showdown, seat, wager)


def judge_flush_bonus(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """678a.11(e)(1)."""
    return showdown.by_paytable(seat, wager, first_flush, "678a.11(e)(1)(ii)", "678a.11(e)(1)(i)")


def judge_straight_flush_bonus(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """678a.11(e)(2); the table's word on three cards (R6), the ace by R5."""
    verdict = _by_straight_flush(showdown, seat, wager, "678a.11(e)(2)(ii)", "678a.11(e)(2)(i)")
    longest = straight_flush_length(showdown.cards[seat], showdown.sheet.options["R5"])
    if verdict.outcome == "lose" and longest >= SHORTEST_STRAIGHT_FLUSH:
        return Verdict("lose", "678a.11(e)(2)(ii): the table has no line for the hand", "R6")
    return verdict


def judge_progressive(showdown: Showdown, seat: int, wager: str) -> Verdict:
    """678a.11(e)(3); the table's word on three cards (R6), the ace by R5."""
    return _by_straight_flush(showdown, seat, wager, "678a.11(e)(3)", "678a.11(e)(3): below the table's lowest hand")


def _by_straight_flush(showdown: Showdown, seat: int, wager: str, wins: str, loses: str) -> Verdict:
    first = partial(first_straight_flush, ace=showdown.sheet.options["R5"])
    return showdown.by_paytable(seat, wager, first, wins, loses)


def _compare(showdown: Showdown, seat: int, wager: str) -> Verdict:
    ours, theirs = strength(showdown.cards[seat]), strength(showdown.cards[HOUSE])
    if ours < theirs:
        return Verdict("lose", "678a.11(d)(2)(ii)(C)")
    if ours == theirs:
        return Verdict("push", "678a.11(d)(2)(ii)(B)")
    return showdown.win(wager, "678a.11(d)(2)(ii)(A)")


def facts(cards: Hand, options: Mapping[str, str]) -> Mapping[str, int]:
    """The length of the highest straight flush (678a.11(e)(2)), which may lie in another suit than the flush."""
    return {"straight_flush_length": straight_flush_length(cards, options["R5"])}


GAME = Game(
    id="high_card_flush",
    title="High Card Flush",
    joker=False,
    hand_size=7,
    split=None,
    wagers=(
        WagerRule("ante", judge_ante, rankings=("win",), base=True),
        WagerRule("raise", judge_raise, rankings=("win",), placed=False),
        WagerRule("flush_bonus", judge_flush_bonus, rankings=("flush_length",)),
        WagerRule("straight_flush_bonus", judge_straight_flush_bonus, rankings=("straight_flush_length",)),
        WagerRule("progressive", judge_progressive, rankings=("straight_flush_length",), meter=True),
    ),
    options={
        "R5": ("high_and_low", "high_only"),
        "R14": ("sequential_equal", "sequential", "snapshot"),
        "R18": ("multiples", "any_amount"),
    },
    best=best,
    first_class=first_flush,
    cites=CITES,
    decisions=frozenset({"raise", "fold"}),
    # Commission is on main wagers, and this game has none (R16: ante and raise pay 1 to 1, no commission).
    commission=False,
    qualifies=dealer_qualifies,
    most_antes=most_antes,
    facts=facts,
)
