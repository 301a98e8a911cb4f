"""What a game is made of: its deck, its wagers in settling order, its ruling options and how its hands are set and settled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from domain.cards import Hand
from domain.rounds.showdown import Showdown, Verdict

Judge = Callable[[Showdown, int, str], Verdict]
"""Says what becomes of a seat's wager: (showdown, seat, wager id) -> verdict."""


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
class Game:
    """The fixed part of a game; amounts, odds and limits are the sheet's.

    `low_size` is 0 where hands are not split. `high` and `low` give a hand's strength (higher beats lower, equal is a
    copy), `category` its name, `best` the first class of the bonus ranking that the dealt cards contain, and
    `first_class` the first of some classes. `options`: ruling id to its tokens, the default first. `exposed_limit`: how
    many exposed cards the deal survives, None where the text has no such rule. `cites` says where the text is for what
    the shared settlement does.
    """

    id: str
    title: str
    joker: bool
    hand_size: int
    low_size: int
    wagers: tuple[WagerRule, ...]
    options: Mapping[str, tuple[str, ...]]
    high: Callable[[Hand, str], int]
    low: Callable[[Hand], int]
    category: Callable[[int], str]
    foul: Foul
    best: Callable[[Hand], str]
    first_class: Callable[[Hand, Collection[str]], str | None]
    cites: Mapping[str, str]
    player_bank: bool = False
    commission: bool = True
    exposed_limit: int | None = None

    @property
    def deck_size(self) -> int:
        return 53 if self.joker else 52

    @property
    def base_wager(self) -> str:
        return next(each.id for each in self.wagers if each.base)

    def wager(self, id_: str) -> WagerRule | None:
        return next((each for each in self.wagers if each.id == id_), None)
