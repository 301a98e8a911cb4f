"""A table through its day: players come and go, rounds follow one another, and old ones are still talked about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from domain.sheets import Sheet
from domain.times import gaming_day
from tests.generators.aftermath import aftermath
from tests.generators.betting import betting
from tests.generators.chance import Chance
from tests.generators.dealing import dealing, start
from tests.generators.decks import deal
from tests.generators.house import DEALERS, FIRST_ROUND_AT, Property
from tests.generators.scene import Habits, Order, Scene
from tests.generators.setting import setting

MOST_SEATED = 5


class Table:
    """One table; `step` gives its next command, still without an id."""

    def __init__(
        self,
        chance: Chance,
        property_: Property,
        name: str,
        sheets: list[Sheet],
        lobby: list[str],
        *,
        habits: Habits,
        bias: bool,
    ) -> None:
        self.rounds = 0
        self._chance = chance
        self._property = property_
        self._name = name
        self._sheets = sheets
        self._lobby = lobby
        self._habits = habits
        self._bias = bias
        self._clock = datetime.fromisoformat(FIRST_ROUND_AT) + timedelta(seconds=chance.below(600))
        self._zone = ZoneInfo(property_.zone)
        self._numbers: dict[str, int] = {}
        self._seated: dict[int, str] = {}
        self._sheet = chance.pick(sheets)
        self._dealer = chance.pick(DEALERS)
        self._playing: Iterator[Order] = iter(())
        self._talked_about: list[Iterator[Order]] = []

    def step(self, *, may_open: bool) -> Order | None:
        """The table's next command; None where its round is over and no other may open."""
        if self._talked_about and self._chance.in_thousand(60):
            said = self._of_an_old_round()
            if said is not None:
                return said
        order = next(self._playing, None)
        if order is None and may_open:
            self.rounds += 1
            self._playing = self._next_round()
            order = next(self._playing)
        return None if order is None else self._dated(order)

    def rest(self) -> Iterator[Order]:
        """Everything that is still to be said of old rounds."""
        while self._talked_about:
            said = self._of_an_old_round()
            if said is not None:
                yield said

    def _next_round(self) -> Iterator[Order]:
        yield from self._come_and_go()
        scene = self._scene()
        yield from _play(scene)
        if scene.settled:
            self._talked_about.append(aftermath(scene))

    def _scene(self) -> Scene:
        players = dict(sorted(self._seated.items()))
        return Scene(
            chance=self._chance,
            sheet=self._sheet,
            opening=self._opening(players),
            onlookers=tuple(self._lobby[:8]),
            habits=self._habits,
            bias=self._bias,
            players=players,
            dealt=deal(self._chance, self._sheet.positions, bias=self._bias),
        )

    def _opening(self, players: dict[int, str]) -> Order:
        """The round's number counts within the table's gaming day."""
        at = self._told(self._clock)
        day = gaming_day(at, self._property.zone, self._property.day_starts)
        self._numbers[day] = number = self._numbers.get(day, 0) + 1
        opening: Order = {
            "command": "open_round",
            "at": at,
            "by": self._dealer,
            "round": f"{self._name}-{day.replace('-', '')}-{number}",
            "property": self._property.id,
            "table": self._name,
            "number": number,
            "game": self._sheet.game,
            "sheet": self._sheet.ref,
            "dealer": self._dealer,
            "seats": {str(seat): player for seat, player in players.items()},
        }
        return opening | {"deck": self._chance.pick(("BLUE", "RED"))} if self._chance.in_thousand(700) else opening

    def _come_and_go(self) -> Iterator[Order]:
        """Between rounds: a new dealer or sheet, players who leave, players who sit down, some at two spots."""
        self._clock += timedelta(seconds=self._chance.between(20, 90))
        if self._chance.in_thousand(4):
            self._clock += timedelta(hours=self._chance.between(1, 14))
        if self._chance.in_thousand(40):
            self._dealer = self._chance.pick(DEALERS)
        if self._chance.in_thousand(60):
            self._sheet = self._chance.pick(self._sheets)
        for player in dict.fromkeys(self._seated.values()):
            if self._chance.in_thousand(60) or not self._may_keep_seats(player):
                yield from self._leave(player)
        while not self._seated or (len(self._seated) < MOST_SEATED and self._chance.in_thousand(300)):
            yield from self._sit_down()

    def _leave(self, player: str) -> Iterator[Order]:
        self._seated = {seat: name for seat, name in self._seated.items() if name != player}
        self._lobby.append(player)
        if self._chance.in_thousand(700):
            yield self._at_the_rack("cash_out", player, self._chance.between(1, 500) * 100)

    def _sit_down(self) -> Iterator[Order]:
        player = self._lobby.pop(self._chance.below(len(self._lobby)))
        free = [seat for seat in range(1, self._sheet.positions + 1) if seat not in self._seated]
        seat = self._chance.pick(free)
        self._seated[seat] = player
        second = [spot for spot in free if spot != seat and self._may_be_second(seat, spot)]
        if second and self._chance.in_thousand(120):
            self._seated[self._chance.pick(second)] = player
        yield self._at_the_rack("buy_in", player, self._chance.between(1, 50) * 2_000)

    def _may_be_second(self, seat: int, spot: int) -> bool:
        """Whether the sheet lets one player hold both spots."""
        rule = self._sheet.two_hands
        return rule == "any" or (rule == "adjacent" and abs(seat - spot) == 1)

    def _may_keep_seats(self, player: str) -> bool:
        seats = [seat for seat, name in self._seated.items() if name == player]
        return len(seats) == 1 or self._may_be_second(*seats)

    def _at_the_rack(self, command: str, player: str, cents: int) -> Order:
        place = {"property": self._property.id, "table": self._name}
        return {"command": command, "by": self._dealer, **place, "player": player, "amount_cents": cents}

    def _of_an_old_round(self) -> Order | None:
        """The next thing said of an old round, some of it much later, or reported late with an earlier time."""
        old = self._talked_about[self._chance.below(len(self._talked_about))]
        order = next(old, None)
        if order is None:
            self._talked_about.remove(old)
            return None
        return self._dated(order)

    def _dated(self, order: Order) -> Order:
        self._clock += timedelta(seconds=self._chance.between(1, 9))
        told = self._clock
        if self._chance.in_thousand(15):
            told -= timedelta(seconds=self._chance.below(1800))
        return {"at": self._told(told)} | order

    def _told(self, moment: datetime) -> str:
        """RFC 3339: on the property's wall clock, or in UTC from systems that keep it."""
        if self._chance.in_thousand(30):
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
    good = yield from dealing(scene)
    if not good or scene.happens("void_unsettled"):
        yield scene.void("the cards were collected")
        return
    yield from setting(scene)
    yield scene.order("settle")
    scene.settled = True
