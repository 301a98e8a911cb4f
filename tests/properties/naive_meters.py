"""Meters worked out the plain way: every contribution, hit and void once more, from commands and replay documents."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.properties.naive_lines import (
    MICROS_PER_CENT,
    Command,
    Document,
    Documents,
    Line,
    settled_lines,
    standing_lines,
)

LevelName = tuple[str, str]


class Hit(NamedTuple):
    """A share of a level that a line was paid; `paid_cents` is what the document says."""

    line: str
    level: LevelName
    percent: int
    paid_cents: int


class Move(NamedTuple):
    """What a round moved of a level, in micros and counts."""

    level: LevelName
    accrued: int = 0
    reserve: int = 0
    in_count: int = 0
    hits: int = 0
    wins: int = 0


@dataclass
class Level:
    """A level's reading in micros."""

    terms: Command
    accrued: int
    reserve: int = 0
    in_count: int = 0
    hits: int = 0
    wins: int = 0

    @property
    def value(self) -> int:
        """What a hit at this moment is a share of."""
        limit = self.terms["limit_micros"]
        return max(0, self.accrued if limit is None else min(self.accrued, limit))

    def shown(self) -> dict[str, int]:
        """The figures of `meter show` that move."""
        limit = self.terms["limit_micros"]
        return {
            "accrued_micros": self.accrued,
            "display_cents": self.value // MICROS_PER_CENT,
            "overflow_micros": 0 if limit is None else max(0, self.accrued - limit),
            "reserve_micros": self.reserve,
            "in_count": self.in_count,
            "hits": self.hits,
            "wins_micros": self.wins,
        }


@dataclass
class Meters:
    """Every level after the commands so far, what each round moved before a void, and hits that paid a wrong amount."""

    documents: Documents
    levels: dict[LevelName, Level] = field(default_factory=dict)
    moves: dict[str, list[Move]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[str] = field(default_factory=list)
    _sheets: dict[str, Any] = field(default_factory=dict)
    _sheet_of: dict[str, Any] = field(default_factory=dict)

    def take(self, commands: Iterable[Command]) -> None:
        """Takes recorded commands in, in their order."""
        for command in commands:
            match command["command"]:
                case "open_meter":
                    for terms in command["levels"]:
                        self.levels[command["meter"], terms["level"]] = Level(terms, terms["base_micros"])
                case "publish_sheet":
                    sheet = command["sheet"]
                    self._sheets[f"{sheet['id']}@{sheet['version']}"] = sheet
                case "open_round":
                    self._sheet_of[command["round"]] = self._sheets[command["sheet"]]
                case "close_betting":
                    self._contribute(command["round"])
                case "settle":
                    self._settle(command["round"])
                case "void_round":
                    self._void(command["round"])

    def _contribute(self, round_: str) -> None:
        meter = self._sheet_of[round_]["wagers"]["progressive"]["meter"]
        for line in standing_lines(self.documents[round_]):
            if line["wager"] == "progressive":
                for name, level in self.levels.items():
                    if name[0] == meter:
                        # Cents by basis points are micros.
                        shown = line["stake_cents"] * level.terms["rate_bp"]
                        hidden = line["stake_cents"] * level.terms["hidden_rate_bp"]
                        self._move(round_, Move(name, accrued=shown, reserve=hidden, in_count=1))

    def _settle(self, round_: str) -> None:
        sheet = self._sheet_of[round_]
        policy = sheet["options"].get("R14", "sequential_equal")
        hits = _hits(self.documents[round_], sheet["wagers"]["progressive"]["meter"])
        if policy == "snapshot":
            self._at_once(round_, hits)
        else:
            self._in_turn(round_, hits, equal=policy == "sequential_equal")

    def _in_turn(self, round_: str, hits: Sequence[Hit], *, equal: bool) -> None:
        shared: dict[LevelName, int] = {}
        for hit in hits:
            level = self.levels[hit.level]
            whole = [other for other in hits if other.level == hit.level and other.percent == 100]
            if hit.percent == 100 and equal:
                if hit.level in shared:
                    self._paid(hit, shared[hit.level])
                    continue
                share = shared[hit.level] = _cut(level.value // len(whole))
                self._paid(hit, share)
                self._hit(round_, hit.level, share * len(whole), hits=len(whole), reset=True)
            else:
                share = _cut(level.value * hit.percent // 100)
                self._paid(hit, share)
                self._hit(round_, hit.level, share, hits=1, reset=hit.percent == 100)

    def _at_once(self, round_: str, hits: Sequence[Hit]) -> None:
        for name in dict.fromkeys(hit.level for hit in hits):
            value = self.levels[name].value
            own = [hit for hit in hits if hit.level == name]
            shares = [_cut(value * hit.percent // 100) for hit in own]
            for hit, share in zip(own, shares, strict=True):
                self._paid(hit, share)
            self._hit(
                round_, name, sum(shares), hits=len(own), reset=any(hit.percent == 100 for hit in own), floor=True
            )

    def _hit(self, round_: str, name: LevelName, wins: int, *, hits: int, reset: bool, floor: bool = False) -> None:
        level = self.levels[name]
        after = max(level.accrued - wins, 0) if floor else level.accrued - wins
        from_reserve = min(level.reserve, level.terms["reset_micros"]) if reset else 0
        after += level.terms["reset_micros"] if reset else 0
        self._move(round_, Move(name, accrued=after - level.accrued, reserve=-from_reserve, hits=hits, wins=wins))

    def _paid(self, hit: Hit, micros: int) -> None:
        if hit.paid_cents * MICROS_PER_CENT != micros:
            self.wrong.append(f"{hit.line}: {hit.paid_cents} cents of {hit.level}, expected {micros} micros")

    def _void(self, round_: str) -> None:
        for move in self.moves[round_]:
            self._apply(Move(move.level, *(-each for each in move[1:])))

    def _move(self, round_: str, move: Move) -> None:
        self.moves[round_].append(move)
        self._apply(move)

    def _apply(self, move: Move) -> None:
        level = self.levels[move.level]
        level.accrued += move.accrued
        level.reserve += move.reserve
        level.in_count += move.in_count
        level.hits += move.hits
        level.wins += move.wins


def _hits(document: Document, meter: str) -> list[Hit]:
    found = []
    for line in settled_lines(document):
        share = _share(line)
        if share is not None:
            percent, level = share
            name = f"{document['round']} {line['line_id']}"
            found.append(Hit(name, (meter, level), percent, line["won_cents"]))
    return found


def _share(line: Line) -> tuple[int, str] | None:
    matched = re.fullmatch(r"(\d+)% of (.+)", line["odds"] or "")
    return None if matched is None else (int(matched[1]), matched[2])


def _cut(micros: int) -> int:
    """Down to whole cents (R21)."""
    return micros - micros % MICROS_PER_CENT
