"""House ways: how a house sets its own hand. Each is one module of this folder, found by being there."""

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from domain.cards import Hand


@dataclass(frozen=True, slots=True)
class Setting:
    """How a hand was set: the five-card hand, the low hand, and the row of the house way in a few words."""

    high: Hand
    low: Hand
    rule: str


class HouseWay(Protocol):
    """What a module of this folder offers."""

    ID: str
    """What a sheet's `house_way` calls it."""

    HAND_SIZE: int
    """How many cards it sets."""

    def set_hand(self, cards: Hand, wheel: str) -> Setting:
        """The one setting of these cards, whatever their order; `wheel` ranks A-2-3-4-5, `second` or `lowest` (R7)."""


def house_way(name: str) -> HouseWay:
    """The house way that a sheet calls by this id; KeyError where there is none."""
    return _house_ways()[name]


@lru_cache(maxsize=1024)
def set_hand(name: str, cards: Hand, wheel: str) -> Setting:
    """How the house way `name` sets these cards; remembered, for settling asks again for what was set before."""
    return house_way(name).set_hand(cards, wheel)


def house_way_ids() -> tuple[str, ...]:
    """What sheets may call a house way, in alphabetical order."""
    return tuple(_house_ways())


@cache
def _house_ways() -> dict[str, HouseWay]:
    """The modules of this folder by their ids, imported when the first house way is asked for."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    found = {way.ID: way for way in (cast(HouseWay, module) for module in modules)}
    return dict(sorted(found.items()))
