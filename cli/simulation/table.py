"""A table through its days: rounds follow one another, and old ones are still talked about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from cli.simulation.aftermath import aftermath
from cli.simulation.floor import Floor
from cli.simulation.house import Order
from cli.simulation.mistakes import mistake
from cli.simulation.people import DEALERS
from cli.simulation.play import play
from cli.simulation.scene import Scene
from cli.simulation.seats import Seats
from domain.games import game
from domain.sheets import Sheet
from domain.times import gaming_day

_ONLOOKERS = 8
_WAITING = timedelta(minutes=5)


class Step(NamedTuple):
    """A table's next command; one that is not `meant` to be recorded is a mistake that the ledger refuses."""

    order: Order
    meant: bool = True


class Table:
    """One table of a floor. `clock` is when its next command comes, `rounds` how many rounds it has begun."""

    def __init__(self, floor: Floor, name: str, game_id: str) -> None:
        self.rounds = 0
        self.clock = floor.opens + timedelta(seconds=floor.evening.chance.below(600))
        self._floor = floor
        self._evening = floor.evening
        self._chance = floor.evening.chance
        self._name = name
        self._game = game(game_id)
        self._rack = floor.rack(game_id)
        self._place = 0
        self._zone = ZoneInfo(floor.property.zone)
        self._numbers: dict[str, int] = {}
        self._seats = Seats(floor, name)
        self._dealer = self._chance.pick(DEALERS)
        self._rests = True
        self._playing: Iterator[Order | None] = iter(())
        self._scene: Scene | None = None
        self._talked_about: list[tuple[str, Iterator[Order]]] = []

    def step(self, *, may_open: bool) -> Step | None:
        """The table's next command at its clock; None where only time passes.

        Where no other round may open, what is still to be said of old ones comes, and everybody goes home.
        """
        ends = self._rests and not may_open
        if self._talked_about and (ends or self._evening.happens("old_round")):
            order = self._of_an_old_round()
        elif self._scene is not None and self._evening.mistakes and self._evening.happens("mistake"):
            return Step(self._dated(mistake(self._scene)), meant=False)
        else:
            order = self._next_order(may_open)
        return None if order is None else Step(self._dated(order))

    def is_over(self, *, may_open: bool) -> bool:
        """Whether nothing will ever be said again."""
        return self._rests and not (may_open or self._talked_about or self._seats)

    def _next_order(self, may_open: bool) -> Order | None:
        if self._rests:
            self._rests = False
            self._playing = self._begin(may_open)
        for order in self._playing:
            return order
        self._rests = True
        return None

    def _begin(self, may_open: bool) -> Iterator[Order | None]:
        if not may_open:
            return self._seats.go_home(self._dealer)
        if not self._seats and not self._floor.lobby:
            return self._wait()
        return self._close() if self._evening.happens("closes") else self._next_round()

    @property
    def _sheet(self) -> Sheet:
        return self._rack.sheet(self._place)

    def _next_round(self) -> Iterator[Order | None]:
        self.rounds += 1
        self.clock += timedelta(seconds=self._chance.between(15, 60))
        yield None
        yield from self._new_staff_and_sheet()
        yield from self._seats.come_and_go(self._sheet, self._dealer)
        while not self._seats:
            yield from self._wait()
            yield from self._seats.come_and_go(self._sheet, self._dealer)
        self._scene = scene = self._look()
        yield from play(scene)
        self._scene = None
        if scene.round.phase == "settled":
            self._talked_about.append((scene.key, aftermath(scene)))
        else:
            scene.book.close(scene.key)

    def _close(self) -> Iterator[Order | None]:
        """The table opens again hours later."""
        yield from self._seats.go_home(self._dealer)
        self.clock += timedelta(hours=self._chance.between(2, 14))

    def _wait(self) -> Iterator[None]:
        """For a player."""
        self.clock += _WAITING
        yield None

    def _look(self) -> Scene:
        return Scene(
            evening=self._evening,
            sheet=self._sheet,
            game=self._game,
            opening=self._opening(),
            people=self._seats.taken,
            onlookers=tuple(self._floor.lobby[:_ONLOOKERS]),
        )

    def _opening(self) -> Order:
        """The round's number counts within the table's gaming day."""
        property_ = self._floor.property
        at = self._told(self.clock)
        day = gaming_day(at, property_.zone, property_.day_starts)
        self._numbers[day] = number = self._numbers.get(day, 0) + 1
        opening: Order = {
            "command": "open_round",
            "at": at,
            "by": self._dealer,
            "round": f"{self._name}-{day.replace('-', '')}-{number}",
            "property": property_.id,
            "table": self._name,
            "number": number,
            "game": self._game.id,
            "sheet": self._sheet.ref,
            "dealer": self._dealer,
            "seats": {str(seat): person.name for seat, person in self._seats.taken.items()},
        }
        if self._chance.in_ten_thousand(7_000):
            opening["deck"] = self._chance.pick(("BLUE", "RED"))
        return opening

    def _new_staff_and_sheet(self) -> Iterator[Order]:
        if self._evening.happens("new_dealer"):
            self._dealer = self._chance.pick(DEALERS)
        if self._evening.happens("new_sheet"):
            self._place = self._chance.pick(self._rack.versions)
        if not self._rack.is_published(self._place):
            yield {"at": self._told(self.clock)} | self._rack.publish(self._place)

    def _of_an_old_round(self) -> Order | None:
        """The next thing said of an old round, some of it much later."""
        place = self._chance.below(len(self._talked_about))
        key, old = self._talked_about[place]
        order = next(old, None)
        if order is None:
            del self._talked_about[place]
            self._evening.book.close(key)
            return None
        return order

    def _dated(self, order: Order) -> Order:
        """The order at the table's clock, which goes on; now and then it is told late, with an earlier time."""
        told = self.clock
        self.clock += timedelta(seconds=self._chance.between(1, 6))
        if self._evening.happens("late"):
            told -= timedelta(seconds=self._chance.below(1_800))
        return {"at": self._told(told)} | order

    def _told(self, moment: datetime) -> str:
        """RFC 3339: on the property's wall clock, or in UTC from systems that keep it."""
        if self._evening.happens("in_utc"):
            return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
        return moment.astimezone(self._zone).isoformat()
