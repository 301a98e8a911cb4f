"""Who sits at a table: players sit down, buy more chips, and leave with what they have."""

from __future__ import annotations

from collections.abc import Iterator

from cli.simulation.floor import Floor
from cli.simulation.house import Order
from cli.simulation.people import Person
from domain.sheets import Sheet

MOST_SEATED = 5
_BUY_IN_CENTS = 2_000


class Seats:
    """The players of one table by seat."""

    def __init__(self, floor: Floor, table: str) -> None:
        self._floor = floor
        self._evening = floor.evening
        self._chance = floor.evening.chance
        self._table = table
        self._seated: dict[int, Person] = {}

    def __bool__(self) -> bool:
        return bool(self._seated)

    @property
    def taken(self) -> dict[int, Person]:
        """The seats taken, ascending."""
        return dict(sorted(self._seated.items()))

    def come_and_go(self, sheet: Sheet, dealer: str) -> Iterator[Order]:
        """Between rounds players leave, buy more chips or sit down, some at two spots, as the sheet lets them."""
        for person in self._people():
            if self._evening.happens("leaves") or not self._may_keep_seats(person, sheet):
                yield from self._leave(person, dealer)
            elif self._evening.book.chips_cents(person.name) < 3 * person.unit_cents:
                stays = self._chance.in_ten_thousand(6_000)
                yield from self._buy_in(person, dealer) if stays else self._leave(person, dealer)
        most = min(MOST_SEATED, sheet.positions)
        for _ in range(most):
            if self._floor.lobby and len(self._seated) < most:
                if not self._seated or self._evening.happens("sits_down"):
                    yield from self._sit_down(sheet, dealer)

    def go_home(self, dealer: str) -> Iterator[Order]:
        """Everybody leaves."""
        for person in self._people():
            yield from self._leave(person, dealer)

    def _people(self) -> list[Person]:
        return list(dict.fromkeys(self._seated.values()))

    def _leave(self, person: Person, dealer: str) -> Iterator[Order]:
        """A player goes with what he has; a few keep their chips."""
        self._seated = {seat: other for seat, other in self._seated.items() if other != person}
        self._floor.lobby.append(person)
        chips_cents = self._evening.book.chips_cents(person.name)
        if chips_cents > 0 and self._chance.in_ten_thousand(9_500):
            yield self._at_the_rack("cash_out", person, chips_cents, dealer)

    def _sit_down(self, sheet: Sheet, dealer: str) -> Iterator[Order]:
        person = self._floor.lobby.pop(self._chance.below(len(self._floor.lobby)))
        free = [seat for seat in range(1, sheet.positions + 1) if seat not in self._seated]
        seat = self._chance.pick(free)
        self._seated[seat] = person
        second = [spot for spot in free if spot != seat and _may_hold_both(seat, spot, sheet)]
        if second and self._evening.happens("two_seats"):
            self._seated[self._chance.pick(second)] = person
        if self._evening.book.chips_cents(person.name) < 10 * person.unit_cents:
            yield from self._buy_in(person, dealer)

    def _buy_in(self, person: Person, dealer: str) -> Iterator[Order]:
        wanted_cents = self._chance.between(10, 30) * person.unit_cents
        cents = max(wanted_cents // _BUY_IN_CENTS, 1) * _BUY_IN_CENTS
        yield self._at_the_rack("buy_in", person, cents, dealer)

    def _may_keep_seats(self, person: Person, sheet: Sheet) -> bool:
        """Whether the sheet, which may be another than before, has the player's spots and lets him hold them."""
        seats = [seat for seat, other in self._seated.items() if other == person]
        return max(seats) <= sheet.positions and (len(seats) == 1 or _may_hold_both(seats[0], seats[1], sheet))

    def _at_the_rack(self, command: str, person: Person, cents: int, dealer: str) -> Order:
        place = {"property": self._floor.property.id, "table": self._table}
        return {"command": command, "by": dealer, **place, "player": person.name, "amount_cents": cents}


def _may_hold_both(seat: int, spot: int, sheet: Sheet) -> bool:
    return sheet.two_hands == "any" or (sheet.two_hands == "adjacent" and abs(seat - spot) == 1)
