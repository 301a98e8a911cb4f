"""What a person calls a hand, as the class that it is listed under: `four_of_a_kind`, `four eights`, `pair of tens`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import NamedTuple

from domain.rankings import RANKINGS


class HandMeant(NamedTuple):
    """A class of hand; with `rank` at least `at_least` of the cards are of that rank."""

    best: str
    rank: str | None = None
    at_least: int = 0


CLASSES = tuple(
    dict.fromkeys(name for ranking in ("seven_card_bonus", "six_card", "flush_length") for name in RANKINGS[ranking])
)
"""Every class that a round is listed under."""

_ALIKE = {
    "quads": "four_of_a_kind",
    "four of a kind": "four_of_a_kind",
    "4 of a kind": "four_of_a_kind",
    "trips": "three_of_a_kind",
    "set": "three_of_a_kind",
    "3 of a kind": "three_of_a_kind",
    "boat": "full_house",
    "pair": "one_pair",
    "two pairs": "two_pair",
    "three pairs": "three_pair",
    "5 aces": "five_aces",
    "royal": "royal_flush",
    "nothing": "high_card",
}
_OF_ONE_RANK = {2: "one_pair", 3: "three_of_a_kind", 4: "four_of_a_kind"}
_COUNTS = {"pair of": 2, "two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4}
_RANKS = {
    **dict.fromkeys(("two", "twos", "deuces", "2s"), "2"),
    **dict.fromkeys(("threes", "treys", "3s"), "3"),
    **dict.fromkeys(("fours", "4s"), "4"),
    **dict.fromkeys(("fives", "5s"), "5"),
    **dict.fromkeys(("sixes", "6s"), "6"),
    **dict.fromkeys(("sevens", "7s"), "7"),
    **dict.fromkeys(("eights", "8s"), "8"),
    **dict.fromkeys(("nines", "9s"), "9"),
    **dict.fromkeys(("tens", "10s"), "T"),
    **dict.fromkeys(("jacks", "js"), "J"),
    **dict.fromkeys(("queens", "qs"), "Q"),
    **dict.fromkeys(("kings", "ks"), "K"),
    **dict.fromkeys(("aces", "as"), "A"),
}
_NUMBERED = re.compile(rf"(?:a )?({'|'.join(_COUNTS)}) ({'|'.join(_RANKS)})")


def hand_meant(text: str) -> HandMeant:
    """What `text` names; ValueError with what it may have meant where it names nothing. `kings` alone are a pair.

    >>> hand_meant("Four eights")
    HandMeant(best='four_of_a_kind', rank='8', at_least=4)
    >>> hand_meant("kings") == hand_meant("a pair of kings")
    True
    >>> hand_meant("straight flush").best
    'straight_flush'
    """
    said = " ".join(re.split(r"[\s_-]+", text.strip().lower()))
    name = said.replace(" ", "_")
    if name in CLASSES:
        return HandMeant(name)
    if said in _ALIKE:
        return HandMeant(_ALIKE[said])
    numbered = _NUMBERED.fullmatch(said)
    if numbered is not None:
        count = _COUNTS[numbered[1]]
        return HandMeant(_OF_ONE_RANK[count], _RANKS[numbered[2]], count)
    if said in _RANKS and said != "two":
        return HandMeant("one_pair", _RANKS[said], 2)
    near = [repr(each) if " " in each else each for each in _resembling(said)]
    hint = f"did you mean {' or '.join(near)}?" if near else "such as four_of_a_kind, flush_5 or 'four eights'"
    raise ValueError(f"no class of hand {text!r}; {hint}")


def _resembling(said: str) -> list[str]:
    """Classes of hands that resemble `said`, or the same number of a rank that resembles its last word."""
    count, _, rank = said.removeprefix("a ").rpartition(" ")
    ranks = get_close_matches(rank, [each for each in _RANKS if len(each) > 2], n=1, cutoff=0.7)
    if count in _COUNTS and ranks:
        return [f"{count} {ranks[0]}"]
    return get_close_matches(said.replace(" ", "_"), CLASSES, n=3, cutoff=0.6)
