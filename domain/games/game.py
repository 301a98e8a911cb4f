"""What a game is made of: its deck, its wagers in settling order, its options, how hands are set and judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from domain.cards import Hand
from domain.rounds.showdown import FirstClass, Showdown, Verdict

Judge = Callable[[Showdown, int, str], Verdict]
"""Says what becomes of a seat's wager: (showdown, seat, wager id) -> verdict."""


SETTING = frozenset({"set_hand", "reset_hand", "set_dealer"})
"""The commands of games whose hands are set in two."""


class Foul(Protocol):
    """Whether a low hand outranks its high hand (R8: `strict` forbids equality too)."""

    def __call__(self, high: Hand, low: Hand, *, wheel: str, strict: bool) -> bool: ...


@dataclass(frozen=True, slots=True)
class WagerRule:
    """A wager the game knows; listed in the order in which a seat's lines are settled.

    `rankings`: lists that its paytable may be ranked by. `placed`: whether `place_wager` places it (double down and
    raise are made later and have no limits). `toke`, `envy`, `meter`, `backed`: whether the sheet may give it a toke
    limit, an envy table or a meter, and whether other players may back it. `base`: the wager that the others need
    first; it is the one the hands are compared for, and with a player bank the banker's.
    """

    id: str
    judge: Judge
    rankings: tuple[str, ...]
    base: bool = False
    placed: bool = True
    toke: bool = False
    envy: bool = False
    meter: bool = False
    backed: bool = False


@dataclass(frozen=True, slots=True)
class Split:
    """How a game's hands are set in two.

    `high` (cards, R7's token) and `low` give strengths: higher beats lower, equal is a copy. `category` names one.
    `arranged` lays a high hand out as it is read, what is made first.
    """

    low_size: int
    high: Callable[[Hand, str], int]
    low: Callable[[Hand], int]
    category: Callable[[int], str]
    foul: Foul
    arranged: Callable[[Hand, str], Hand]


@dataclass(frozen=True)
class Game:
    """The fixed part of a game; amounts, odds and limits are the sheet's.

    `split` is None where hands are not set. `best` names the first class of the bonus ranking that the dealt cards
    contain, `first_class` the first of some classes. `options`: ruling id to its
    tokens, the default first. `decisions`: the commands that the game has between deal and settling beside those of
    every game. `dealer_first`: the dealer's hand is set before the players'. `qualifies`: whether the dealer's cards
    do, where the game asks. `most_antes`: how many times the ante a hand may raise. `exposed_limit`: how many exposed
    cards the deal survives, None where the text has no such rule. `cites` says where the text is for what the shared
    settlement does. `facts`: further figures of dealt cards that a replay shows, under the sheet's options.
    """

    id: str
    title: str
    joker: bool
    hand_size: int
    split: Split | None
    wagers: tuple[WagerRule, ...]
    options: Mapping[str, tuple[str, ...]]
    best: Callable[[Hand], str]
    first_class: FirstClass
    cites: Mapping[str, str]
    decisions: frozenset[str] = SETTING
    dealer_first: bool = False
    qualifies: Callable[[Hand, str], bool] | None = None
    most_antes: Callable[[Hand], int] | None = None
    player_bank: bool = False
    commission: bool = True
    exposed_limit: int | None = None
    facts: Callable[[Hand, Mapping[str, str]], Mapping[str, int]] | None = None

    @property
    def low_size(self) -> int:
        """How many cards lie low; 0 where hands are not split."""
        return 0 if self.split is None else self.split.low_size

    @property
    def deck_size(self) -> int:
        return 53 if self.joker else 52

    @cached_property
    def base_wager(self) -> str:
        """The wager that the others need: main, or ante."""
        return next(each.id for each in self.wagers if each.base)

    def wager(self, id_: str) -> WagerRule | None:
        """The game's wager `id_`, None where it has no such wager."""
        return self._by_id.get(id_)

    @cached_property
    def made_later(self) -> tuple[str, ...]:
        """The wagers that are made on the base wager during the hand."""
        return tuple(each.id for each in self.wagers if not each.placed)

    @cached_property
    def settling_order(self) -> Mapping[str, int]:
        """The place of each wager among a seat's lines."""
        return {each.id: place for place, each in enumerate(self.wagers)}

    @cached_property
    def _by_id(self) -> Mapping[str, WagerRule]:
        return {each.id: each for each in self.wagers}
