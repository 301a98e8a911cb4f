"""Wagers before "no more bets": the players' own, tokes, backers, a player's bank, and hesitation."""

from __future__ import annotations

from collections.abc import Iterator

from cli.simulation.house import Order
from cli.simulation.scene import Scene
from domain.rounds.events import HOUSE
from domain.rounds.state import Wager
from domain.seating import next_button
from domain.sheets import WagerTerms

_CHIP_CENTS = 500
_BUY_IN_CENTS = 2_000


def betting(scene: Scene) -> Iterator[Order]:
    """Everything until betting closes; a bank is taken before, between or after the wagers that it covers."""
    plan = _Plan(scene)
    seats = list(plan.wagers)
    turn = scene.chance.below(len(seats) + 1)
    for seat in seats[:turn]:
        yield from _place_all(scene, plan.wagers[seat])
    if plan.banker is not None:
        yield from plan.take_bank(plan.banker)
    for seat in seats[turn:]:
        yield from _place_all(scene, plan.wagers[seat])
    for seat in seats:
        yield from _back(scene, seat, plan)


class _Plan:
    """What the seats intend before the first chip is down: a banker has to cover it."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._left = {person.name: scene.book.chips_cents(person.name) for person in scene.people.values()}
        self.banker = self._banker()
        seats = [seat for seat in scene.people if seat != self.banker and not scene.happens("sits_out")]
        self.mains: dict[int, int] = {}
        self.wagers: dict[int, dict[Wager, int]] = {}
        for seat in scene.chance.shuffled(seats):
            self.mains[seat] = cents = self._main_cents(seat)
            if cents:
                self.wagers[seat] = {Wager(seat, scene.base): cents, **self._riding(seat, cents)}
        self.backers = {seat: self._backers(seat) for seat in self.wagers if scene.happens("backed")}

    def take_bank(self, seat: int) -> Iterator[Order]:
        """The banker buys what he lacks for the others' wagers, takes the bank, and may bet on his own bonus."""
        scene, person = self._scene, self._scene.people[seat]
        house_cents = self._house_wager_cents(person.name)
        at_risk_cents = house_cents + sum(self.mains.values())
        at_risk_cents += sum(cents for backers in self.backers.values() for cents in backers.values())
        lacks_cents = at_risk_cents - scene.book.chips_cents(person.name)
        if lacks_cents > 0:
            yield scene.buy_in(person.name, _in_whole(lacks_cents, _BUY_IN_CENTS) + _BUY_IN_CENTS)
        chips_cents = scene.book.chips_cents(person.name)
        yield scene.order("take_bank", seat=seat, chips_cents=chips_cents, house_wager_cents=house_cents)
        self._left[person.name] = chips_cents - at_risk_cents
        yield from _place_all(scene, self._riding(seat, 0))

    def _banker(self) -> int | None:
        """The seat that banks: where the button comes to, which is nobody's at the dealer; sometimes another."""
        scene, table = self._scene, self._scene.table
        if not scene.sheet.player_bank or not scene.happens("bank"):
            return None
        if scene.happens("bank_out_of_turn"):
            return scene.chance.pick(list(scene.people))
        seat = HOUSE if table.last_mains is None else next_button(table.button, scene.people)
        return None if seat == HOUSE or scene.people[seat].name in table.banked else seat

    def _house_wager_cents(self, banker: str) -> int:
        """Up to the banker's last wager against the house, or the table's minimum; sometimes too much."""
        scene = self._scene
        least_cents, _ = scene.limits(scene.base)
        most_cents = (scene.table.last_mains or {}).get(banker) or least_cents
        if scene.happens("house_wager_high"):
            return 2 * most_cents
        return scene.chance.pick((least_cents, most_cents)) if most_cents > least_cents else most_cents

    def _main_cents(self, seat: int) -> int:
        """What the player likes to bet, as far as he has it; 0 where that is below the table's minimum."""
        scene, unit_cents = self._scene, self._scene.people[seat].unit_cents
        least_cents, most_cents = scene.limits(scene.base)
        if scene.happens("odd_cents"):
            wanted_cents = scene.chance.between(least_cents, 5_000)
        else:
            parts = scene.chance.pick((2, 2, 2, 2, 1, 3, 4, 8))
            wanted_cents = _in_whole(unit_cents * parts // 2, _CHIP_CENTS)
        return self._spend(seat, least_cents, min(max(wanted_cents, least_cents), most_cents))

    def _riding(self, seat: int, main_cents: int) -> dict[Wager, int]:
        """Tokes and optional wagers of the seat; `main_cents` 0 is the banker."""
        scene = self._scene
        riding: dict[Wager, int] = {}
        for rule in scene.game.wagers:
            terms = scene.sheet.wagers.get(rule.id)
            if terms is None or not rule.placed:
                continue
            if not rule.base:
                cents = self._progressive_cents(seat, terms) if rule.meter else self._side_cents(seat, terms)
                if not cents:
                    continue
                riding[Wager(seat, rule.id)] = cents
            # Seed 004, dealer tokes: while a player banks only the bonus takes them.
            if terms.toke_max_cents is not None and not (rule.base and self.banker) and scene.happens("toke"):
                toke_cents = self._spend(seat, 1, scene.chance.between(1, min(terms.toke_max_cents, main_cents or 500)))
                riding |= {Wager(seat, rule.id, toke=True): toke_cents} if toke_cents else {}
        return riding

    def _side_cents(self, seat: int, terms: WagerTerms) -> int:
        """A part of what the player usually bets, in whole dollars."""
        scene, unit_cents = self._scene, self._scene.people[seat].unit_cents
        if not scene.happens("side_wager"):
            return 0
        least_cents, most_cents = scene.limits(terms.id)
        wanted_cents = scene.chance.pick((least_cents, least_cents, 500, 500, unit_cents // 5, unit_cents // 2))
        return self._spend(seat, least_cents, min(max(_in_whole(wanted_cents, 100), least_cents), most_cents))

    def _progressive_cents(self, seat: int, terms: WagerTerms) -> int:
        """The least that the meter takes; now and then the most."""
        scene = self._scene
        if not scene.happens("progressive"):
            return 0
        least_cents, most_cents = scene.limits(terms.id)
        return self._spend(seat, least_cents, most_cents if scene.happens("most_progressive") else least_cents)

    def _backers(self, seat: int) -> dict[Wager, int]:
        """Up to two other players on the seat's main, all together within the table's maximum."""
        scene = self._scene
        rule = scene.game.wager(scene.base)
        assert rule is not None
        if not rule.backed:
            return {}
        room_cents = scene.limits(scene.base)[1] - self.mains[seat]
        barred = {scene.people[seat].name, scene.people[self.banker].name if self.banker else None}
        everybody = (*scene.onlookers, *scene.people.values())
        names = [name for name in dict.fromkeys(person.name for person in everybody) if name not in barred]
        backers: dict[Wager, int] = {}
        for name in scene.chance.some(names, scene.chance.between(1, 2)):
            if room_cents > 0:
                cents = min(room_cents, scene.chance.pick((500, 500, 1_000, scene.chance.between(1, 5_000))))
                backers[Wager(seat, scene.base, bettor=name)] = cents
                room_cents -= cents
        return backers

    def _spend(self, seat: int, least_cents: int, wanted_cents: int) -> int:
        """As much of what is wanted as the player still has, 0 where that is too little."""
        name = self._scene.people[seat].name
        cents = min(wanted_cents, self._left[name])
        if cents < least_cents:
            return 0
        self._left[name] -= cents
        return cents


def _part(scene: Scene, least_cents: int, most_cents: int) -> int:
    """Some of the chips, in whole dollars where that can be."""
    cents = scene.chance.between(least_cents, most_cents)
    dollars_cents = cents - cents % 100
    return dollars_cents if dollars_cents >= least_cents else cents


def _in_whole(cents: int, unit_cents: int) -> int:
    """`cents` raised to whole units."""
    return -(-cents // unit_cents) * unit_cents


def _back(scene: Scene, seat: int, plan: _Plan) -> Iterator[Order]:
    """The seat's backers, who buy in first where they have to."""
    for wager, cents in plan.backers.get(seat, {}).items():
        assert wager.bettor is not None
        if scene.book.chips_cents(wager.bettor) < cents:
            yield scene.buy_in(wager.bettor, _in_whole(cents, _BUY_IN_CENTS) + _BUY_IN_CENTS)
        yield from _place(scene, wager, cents)


def _place_all(scene: Scene, wagers: dict[Wager, int]) -> Iterator[Order]:
    for wager, cents in wagers.items():
        yield from _place(scene, wager, cents)


def _place(scene: Scene, wager: Wager, cents: int) -> Iterator[Order]:
    """Placed at once or in two parts; now and then some of it comes off and is put back before anything rides on it."""
    least_cents = scene.limits(wager.wager)[0] if wager.own else 1
    first_cents = cents
    if cents > least_cents and scene.happens("placed_in_two"):
        first_cents = _part(scene, least_cents, cents - 1)
        yield scene.wager_order("place_wager", wager, amount_cents=first_cents)
        first_cents = cents - first_cents
    yield scene.wager_order("place_wager", wager, amount_cents=first_cents)
    if scene.happens("withdrawn"):
        off_cents = cents
        if cents > least_cents and scene.chance.in_ten_thousand(5_000):
            off_cents = _part(scene, 1, cents - least_cents)
        yield scene.wager_order("withdraw_wager", wager, amount_cents=off_cents)
        yield scene.wager_order("place_wager", wager, amount_cents=off_cents)
