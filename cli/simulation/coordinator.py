"""A property's progressive coordinator: reads every sign a few times a day, and now and then puts a meter right.

Only where it is asked for, and by dice of its own: the tables play as they would without.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from datetime import datetime, timedelta

from cli.simulation.chance import Chance
from cli.simulation.floor import Floor
from cli.simulation.house import Order, meters_of
from cli.simulation.people import SUPERVISORS
from cli.simulation.table import Step
from domain.desk import meter_key
from domain.meters import Level, Meter

AUTHOR = "K01"
_ROUNDS_OF_SIGNS = timedelta(hours=2)
_BETWEEN = timedelta(seconds=20)
_DOLLAR = 1_000_000
# In ten thousand: signs that are a cent or more behind, and visits that end with each kind of entry.
_SIGN_BEHIND = 150
_ENTRY = 6_000


class Coordinator:
    """Walks through the meters of a floor; `clock` is when the next command comes. No round is begun here."""

    rounds = 0

    def __init__(self, floor: Floor, seed: int) -> None:
        self.clock = floor.opens + timedelta(hours=1)
        self._floor = floor
        self._chance = Chance(seed)
        self._names = list(dict.fromkeys(name for game in floor.games for name in meters_of(floor.property, game)))
        # None is an entry, decided when its turn comes: a hit may have taken meanwhile what it would have moved.
        self._orders: deque[Order | None] = deque()
        self._visited = self.clock

    def step(self, *, may_open: bool) -> Step | None:
        """The next command; None where the visit is over and only time passes."""
        if not self._orders and may_open:
            self._orders.extend(self._visit())
        if not self._orders:
            self.clock += _ROUNDS_OF_SIGNS
            return None
        order = self._orders.popleft() or self._entry()
        dated = {**order, "at": self.clock.astimezone(self._floor.opens.tzinfo).isoformat(), "by": AUTHOR}
        self.clock += _BETWEEN
        if not self._orders:
            self._visited += _ROUNDS_OF_SIGNS
            self.clock = self._visited
        return Step(dated)

    def is_over(self, *, may_open: bool) -> bool:
        """Whether the tables have ended, and with them the walks."""
        return not (may_open or self._orders)

    def _visit(self) -> Iterator[Order | None]:
        for name in self._names:
            meter = self._meter(name)
            for level in meter.levels:
                yield {
                    "command": "read_meter",
                    "meter": name,
                    "level": level,
                    "display_cents": self._sign(meter, level),
                }
        if self._chance.in_ten_thousand(_ENTRY):
            yield None

    def _sign(self, meter: Meter, level: str) -> int:
        shown = meter.levels[level].display_cents
        behind = self._chance.pick((1, 18, 36, 500)) if self._chance.in_ten_thousand(_SIGN_BEHIND) else 0
        return max(shown - behind, 0)

    def _entry(self) -> Order:
        name = self._chance.pick(self._names)
        meter = self._meter(name)
        level = meter.levels[self._chance.pick(list(meter.levels))]
        acts = [self._put_right, self._new_rate, self._corrected]
        if level.reserve_micros > 0:
            acts.append(self._hidden_to_revenue)
        if len(self._names) > 1 and level.accrued_micros >= _DOLLAR:
            acts.append(self._moved)
        return self._chance.pick(acts)(name, level)

    def _put_right(self, name: str, level: Level) -> Order:
        amount = self._chance.pick((-2, -1, 1, 2)) * _DOLLAR // 4
        if level.accrued_micros + amount < 0:
            amount = -amount
        return self._signed("adjust_meter", name, level, amount_micros=amount, reason="equipment_fault")

    def _corrected(self, name: str, level: Level) -> Order:
        day = (self.clock - timedelta(days=2)).date().isoformat()
        keys = {"amount_micros": self._chance.between(1, 90) * 10_000, "reason": "rate_correction", "gaming_day": day}
        return self._signed("adjust_meter", name, level, **keys)

    def _hidden_to_revenue(self, name: str, level: Level) -> Order:
        keys = {"amount_micros": -level.reserve_micros, "reason": "hidden_to_revenue"}
        return self._signed("adjust_meter", name, level, **keys)

    def _moved(self, name: str, level: Level) -> Order:
        to = self._chance.pick([other for other in self._names if other != name])
        keys = {"amount_micros": self._chance.between(1, 100) * _DOLLAR // 100, "to": to, "reason": "table_moved"}
        return self._signed("transfer_meter", name, level, **keys)

    def _new_rate(self, name: str, level: Level) -> Order:
        rate = self._chance.pick([bp for bp in (600, 613, 1_500, 1_800, 2_000) if bp != level.terms.rate_bp])
        return {
            "command": "change_meter",
            "meter": name,
            "levels": [{"level": level.terms.level, "rate_bp": rate}],
            "effective_from": (self.clock + timedelta(hours=1)).isoformat(),
            "approved_by": list(SUPERVISORS[:2]),
            "reason": "notice to accounting",
        }

    def _signed(self, command: str, name: str, level: Level, **keys: object) -> Order:
        paper = f"form {self._chance.between(100, 999)}"
        order = {"command": command, "meter": name, "level": level.terms.level, **keys}
        return {**order, "evidence": paper, "approved_by": list(SUPERVISORS[:2])}

    def _meter(self, name: str) -> Meter:
        meter: Meter = self._floor.evening.book.get(meter_key(name))
        return meter.in_force(self._now())

    def _now(self) -> str:
        moment: datetime = self.clock
        return moment.isoformat()
