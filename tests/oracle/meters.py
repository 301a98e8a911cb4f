"""Meters as a plain list of amounts: contributions, shares, resets, and what a void takes back. Micros throughout."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

CENT = 10_000
LATER = datetime.max.replace(tzinfo=UTC)
TERMS = ("reset_micros", "rate_bp", "hidden_rate_bp", "limit_micros")


@dataclass
class Level:
    """One level: what it holds, and its terms by the time from which they are good."""

    accrued: int
    terms: list[tuple[datetime, dict[str, Any]]]
    reserve: int = 0
    in_count: int = 0
    hits: int = 0
    wins: int = 0
    retired: bool = False

    def terms_at(self, at: datetime) -> dict[str, Any]:
        """What is in force by then: changes in the order in which they come into force, however they were told."""
        in_force: dict[str, Any] = {}
        for since, terms in sorted(self.terms, key=lambda each: each[0]):
            if since <= at:
                in_force.update(terms)
        return in_force

    def shown(self, at: datetime) -> int:
        """What a hit is a share of: at most the limit, never less than nothing."""
        limit = self.terms_at(at)["limit_micros"]
        return max(0, self.accrued if limit is None else min(self.accrued, limit))

    def overflow(self) -> int:
        """What is above the limit."""
        limit = self.terms_at(LATER)["limit_micros"]
        return 0 if limit is None else max(0, self.accrued - limit)


@dataclass
class Moved:
    """What one round did to one level."""

    accrued: int = 0
    reserve: int = 0
    in_count: int = 0
    hits: int = 0
    wins: int = 0


@dataclass
class Meters:
    """All meters of a feed."""

    levels: dict[tuple[str, str], Level] = field(default_factory=dict)
    by_round: dict[tuple[str, str, str], Moved] = field(default_factory=dict)

    def open(self, command: dict[str, Any]) -> None:
        """`open_meter`."""
        since = datetime.fromisoformat(command["effective_from"])
        for level in command["levels"]:
            terms = {name: level[name] for name in TERMS}
            self.levels[command["meter"], level["level"]] = Level(level["base_micros"], [(since, terms)])

    def change(self, command: dict[str, Any]) -> None:
        """`change_meter`: new terms from a time on."""
        since = datetime.fromisoformat(command["effective_from"])
        for changed in command.get("levels", []):
            level = self.levels[command["meter"], changed["level"]]
            level.terms.append((since, {name: changed[name] for name in TERMS if name in changed}))

    def adjust(self, command: dict[str, Any]) -> None:
        """`adjust_meter`: the accrued amount, with `hidden_to_revenue` the reserve."""
        level = self.levels[command["meter"], command["level"]]
        if command["reason"] == "hidden_to_revenue":
            level.reserve += command["amount_micros"]
        else:
            level.accrued += command["amount_micros"]

    def transfer(self, command: dict[str, Any]) -> None:
        """`transfer_meter`: a part of what is accrued."""
        self._move(command, command["amount_micros"], 0)

    def retire(self, command: dict[str, Any]) -> None:
        """`retire_meter`: all of it, the reserve too, into what the other has accrued."""
        level = self.levels[command["meter"], command["level"]]
        self._move(command, level.accrued, level.reserve)
        level.retired = True

    def _move(self, command: dict[str, Any], accrued: int, reserve: int) -> None:
        level = self.levels[command["meter"], command["level"]]
        level.accrued -= accrued
        level.reserve -= reserve
        if command["to"] != "revenue":
            self.levels[command["to"], command["level"]].accrued += accrued + reserve

    def levels_of(self, meter: str) -> list[str]:
        """The names of a meter's levels."""
        return [level for name, level in self.levels if name == meter]

    def moved(self, round_: str, meter: str, level: str) -> Moved:
        """What a round has done to a level by now."""
        return self.by_round.setdefault((round_, meter, level), Moved())

    def contribute(self, round_: str, meter: str, stake_cents: int, at: datetime) -> None:
        """A stake at "no more bets": cents times basis points are micros."""
        for name in self.levels_of(meter):
            level = self.levels[meter, name]
            if not level.retired:
                terms = level.terms_at(at)
                self._add(round_, meter, name, stake_cents * terms["rate_bp"], stake_cents * terms["hidden_rate_bp"])
                level.in_count += 1
                self.moved(round_, meter, name).in_count += 1

    def _add(self, round_: str, meter: str, name: str, accrued: int, reserve: int) -> None:
        level, moved = self.levels[meter, name], self.moved(round_, meter, name)
        level.accrued += accrued
        moved.accrued += accrued
        level.reserve += reserve
        moved.reserve += reserve

    def take(self, round_: str, meter: str, name: str, cents: int) -> None:
        """A hit is paid from what is accrued."""
        self._add(round_, meter, name, -cents * CENT, 0)
        self.count(round_, meter, name, cents)

    def count(self, round_: str, meter: str, name: str, cents: int) -> None:
        """A hit is counted, wherever its money is from."""
        for one in (self.levels[meter, name], self.moved(round_, meter, name)):
            one.hits += 1
            one.wins += cents * CENT

    def reset(self, round_: str, meter: str, name: str, at: datetime) -> None:
        """After a 100 % hit: the reset is added, as far as it goes from the reserve, else by the house."""
        level = self.levels[meter, name]
        amount = level.terms_at(at)["reset_micros"]
        self._add(round_, meter, name, amount, -min(level.reserve, amount))

    def drop_to(self, round_: str, meter: str, name: str, accrued: int) -> None:
        """What is accrued is this much from now on."""
        self._add(round_, meter, name, accrued - self.levels[meter, name].accrued, 0)

    def undo(self, round_: str) -> None:
        """A void takes back exactly what the round did."""
        for (key, meter, name), moved in self.by_round.items():
            if key == round_:
                level = self.levels[meter, name]
                level.accrued -= moved.accrued
                level.reserve -= moved.reserve
                level.in_count -= moved.in_count
                level.hits -= moved.hits
                level.wins -= moved.wins
                self.by_round[key, meter, name] = Moved()
