"""What a game is made of: its deck, its wagers in settling order, its ruling options and how its hands are set and settled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WagerRule:
    """A wager the game knows; listed in the order in which a seat's lines are settled.

    `rankings`: lists that its paytable may be ranked by. `placed`: whether `place_wager` places it (double down and
    raise are made later and have no limits). `toke`, `envy`, `meter`, `backed`: whether the sheet may give it a toke limit, an envy
    table or a meter, and whether other players may back it. `base`: the wager that the others need first.
    """

    id: str
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

    `low_size` is 0 where hands are not split. `options`: ruling id to its tokens, the default first.
    `exposed_limit`: how many exposed cards the deal survives, None where the text has no such rule.
    """

    id: str
    title: str
    joker: bool
    hand_size: int
    low_size: int
    wagers: tuple[WagerRule, ...]
    options: Mapping[str, tuple[str, ...]]
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
