"""The games, each one module of this folder with a `GAME`, found by its presence."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from domain.games.game import Game

_PARTS = {"game", "seven_card"}


@cache
def game_ids() -> tuple[str, ...]:
    """The ids of all games, in alphabetical order."""
    return tuple(sorted(each.name for each in pkgutil.iter_modules(__path__) if each.name not in _PARTS))


@cache
def game(id_: str) -> Game:
    """The game `id_`; KeyError where there is none."""
    if id_ not in game_ids():
        raise KeyError(id_)
    found = import_module(f"{__name__}.{id_}").GAME
    assert isinstance(found, Game) and found.id == id_
    return found
