"""What the tables of a property share: who waits for a seat, and which sheets are published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from cli.simulation.evening import Evening
from cli.simulation.house import FIRST_ROUND, PROPERTIES, Order, Property, in_force
from cli.simulation.people import SUPERVISORS, Person
from cli.simulation.sheets import Content, sheets_of
from domain.games.game import Game
from domain.sheets import Sheet
from domain.sheets.reading import read_sheet


class SheetRack:
    """A game's sheets at a property; each is published when a table first takes it."""

    def __init__(self, contents: Sequence[Content], in_force_from: str) -> None:
        self._contents = contents
        self._in_force_from = in_force_from
        self._sheets: dict[int, Sheet] = {}

    @property
    def versions(self) -> range:
        """The places of the sheets in their order."""
        return range(len(self._contents))

    def is_published(self, place: int) -> bool:
        """Whether a table has taken the sheet before."""
        return place in self._sheets

    def publish(self, place: int) -> Order:
        """The order that publishes the sheet, less its time."""
        content = self._contents[place]
        self._sheets[place] = read_sheet(content)
        return {
            "command": "publish_sheet",
            "by": SUPERVISORS[0],
            "sheet": content,
            "effective_from": self._in_force_from,
            "approved_by": SUPERVISORS[1],
        }

    def sheet(self, place: int) -> Sheet:
        """The published sheet."""
        return self._sheets[place]


@dataclass
class Floor:
    """A property while it is played in; `lobby` are the players without a seat."""

    evening: Evening
    property: Property
    games: Sequence[Game]
    lobby: list[Person]
    _racks: dict[str, SheetRack] = field(default_factory=dict)

    @cached_property
    def opens(self) -> datetime:
        """When play begins, at all properties at once."""
        return PROPERTIES[0].at(self.evening.day, FIRST_ROUND)

    def rack(self, game_id: str) -> SheetRack:
        """The sheets of a game."""
        if game_id not in self._racks:
            contents = sheets_of(self.evening.chance, self.property, game_id)
            self._racks[game_id] = SheetRack(contents, in_force(self.property, self.evening.day))
        return self._racks[game_id]
