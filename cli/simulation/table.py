"""A table through its days: players come and go, rounds follow one another, and old ones are still talked about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from cli.simulation.aftermath import aftermath
from cli.simulation.betting import betting
from cli.simulation.dealing import dealing, start
from cli.simulation.deciding import doubles, forfeits, raises_and_folds
from cli.simulation.floor import Floor
from cli.simulation.house import Order
from cli.simulation.mistakes import mistake
from cli.simulation.people import DEALERS, Person
from cli.simulation.scene import Scene
from cli.simulation.setting import dealers_hand, players_hands
from domain.games import game
from domain.sheets import Sheet
from domain.times import gaming_day

MOST_SEATED = 5
_ONLOOKERS = 8
_WAITING = timedelta(minutes=5)
_BUY_IN_CENTS = 2_000


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
        self._seated: dict[int, Person] = {}
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
        return self._rests and not (may_open or self._talked_about or self._seated)

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
            return self._go_home()
        if not self._seated and not self._floor.lobby:
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
        yield from self._come_and_go()
        while not self._seated:
            yield from self._wait()
            yield from self._come_and_go()
        self._scene = scene = self._look()
        yield from _play(scene)
        self._scene = None
        if scene.round.phase == "settled":
            self._talked_about.append((scene.key, aftermath(scene)))
        else:
            scene.book.close(scene.key)

    def _close(self) -> Iterator[Order | None]:
        """The table opens again hours later."""
        yield from self._go_home()
        self.clock += timedelta(hours=self._chance.between(2, 14))

    def _go_home(self) -> Iterator[Order]:
        for person in self._people():
            yield from self._leave(person)

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
            people=dict(sorted(self._seated.items())),
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
            "seats": {str(seat): person.name for seat, person in sorted(self._seated.items())},
        }
        return (
            opening | {"deck": self._chance.pick(("BLUE", "RED"))} if self._chance.in_ten_thousand(7_000) else opening
        )

    def _new_staff_and_sheet(self) -> Iterator[Order]:
        if self._evening.happens("new_dealer"):
            self._dealer = self._chance.pick(DEALERS)
        if self._evening.happens("new_sheet"):
            self._place = self._chance.pick(self._rack.versions)
        if not self._rack.is_published(self._place):
            yield {"at": self._told(self.clock)} | self._rack.publish(self._place)

    def _come_and_go(self) -> Iterator[Order]:
        """Between rounds players leave, buy more chips or sit down, some at two spots."""
        for person in self._people():
            if self._evening.happens("leaves") or not self._may_keep_seats(person):
                yield from self._leave(person)
            elif self._evening.book.chips_cents(person.name) < 3 * person.unit_cents:
                yield from self._buy_in(person) if self._chance.in_ten_thousand(6_000) else self._leave(person)
        most = min(MOST_SEATED, self._sheet.positions)
        for _ in range(most):
            if self._floor.lobby and len(self._seated) < most:
                if not self._seated or self._evening.happens("sits_down"):
                    yield from self._sit_down()

    def _people(self) -> list[Person]:
        return list(dict.fromkeys(self._seated.values()))

    def _leave(self, person: Person) -> Iterator[Order]:
        """A player goes with what he has; a few keep their chips."""
        self._seated = {seat: other for seat, other in self._seated.items() if other != person}
        self._floor.lobby.append(person)
        chips_cents = self._evening.book.chips_cents(person.name)
        if chips_cents > 0 and self._chance.in_ten_thousand(9_500):
            yield self._at_the_rack("cash_out", person, chips_cents)

    def _sit_down(self) -> Iterator[Order]:
        person = self._floor.lobby.pop(self._chance.below(len(self._floor.lobby)))
        free = [seat for seat in range(1, self._sheet.positions + 1) if seat not in self._seated]
        seat = self._chance.pick(free)
        self._seated[seat] = person
        second = [spot for spot in free if spot != seat and self._may_be_second(seat, spot)]
        if second and self._evening.happens("two_seats"):
            self._seated[self._chance.pick(second)] = person
        if self._evening.book.chips_cents(person.name) < 10 * person.unit_cents:
            yield from self._buy_in(person)

    def _buy_in(self, person: Person) -> Iterator[Order]:
        wanted_cents = self._chance.between(10, 30) * person.unit_cents
        yield self._at_the_rack("buy_in", person, max(wanted_cents // _BUY_IN_CENTS, 1) * _BUY_IN_CENTS)

    def _may_be_second(self, seat: int, spot: int) -> bool:
        """Whether the sheet lets one player hold both spots."""
        rule = self._sheet.two_hands
        return rule == "any" or (rule == "adjacent" and abs(seat - spot) == 1)

    def _may_keep_seats(self, person: Person) -> bool:
        """Whether the sheet, which may be another than before, has the player's spots and lets him hold them."""
        seats = [seat for seat, other in self._seated.items() if other == person]
        return max(seats) <= self._sheet.positions and (len(seats) == 1 or self._may_be_second(*seats))

    def _at_the_rack(self, command: str, person: Person, cents: int) -> Order:
        place = {"property": self._floor.property.id, "table": self._name}
        return {"command": command, "by": self._dealer, **place, "player": person.name, "amount_cents": cents}

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


def _play(scene: Scene) -> Iterator[Order]:
    """A round from its opening to the settlement, or to the void that ends it early; the table is busy until then."""
    yield scene.opening
    yield from betting(scene)
    if scene.happens("void_unsettled"):
        yield scene.void("a player was seated by mistake")
        return
    yield scene.order("close_betting")
    yield from start(scene)
    yield from forfeits(scene)
    yield from dealing(scene)
    if scene.round.misdealt or scene.happens("void_unsettled"):
        yield scene.void("the cards were collected")
        return
    yield from _hands(scene)
    yield from forfeits(scene)
    yield scene.order("settle")


def _hands(scene: Scene) -> Iterator[Order]:
    """Decisions and hands in the game's order; where hands are not set the decisions are all."""
    yield from doubles(scene)
    yield from raises_and_folds(scene)
    if scene.game.split is None:
        return
    for part in (dealers_hand, players_hands) if scene.game.dealer_first else (players_hands, dealers_hand):
        yield from part(scene)
