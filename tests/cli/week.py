"""Writes docs/meters-week.jsonl, the week of play that the guide to meters records: `python -m tests.cli.week`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from domain.cards import deck, parse, show
from domain.desk import meter_key
from domain.games import game
from domain.intake import command_and_digest
from domain.sheets import sample
from ledger.service import Ledger

DOCS = Path(__file__).parents[2] / "docs"
PAGE, GUIDE = DOCS / "meters-week.jsonl", DOCS / "meters.md"
MONDAY = datetime.fromisoformat("2026-06-01T00:00:00-04:00")
GAME = game("high_card_flush")
TABLES = (("H1", "D1", 19.5), ("H2", "D2", 21.0), ("H1", "D1", 25.25))
"""The rounds of a day: table, dealer and hour; the last one is after midnight, and of the same gaming day."""
SEATS = {"2": "P1", "5": "P2"}
HITS = {(2, 1): ("5", "9s 8s 7s 6s 5s 4s Kd"), (4, 2): ("2", "Jh Th 9h 8h 7h 6h 5h")}
"""By day and round of the day: the seat that has six or seven in a row of one suit."""
READ_BEHIND, A_WAGER = 3, 18
"""The reading of Thursday is a wager behind, so many cents."""
Command = dict[str, Any]


def week() -> Iterator[Command]:
    """Every command of the week in order; the signs are read each morning before the gaming day ends."""
    number: dict[tuple[str, int], int] = {}
    for day in range(7):
        for place, (table, dealer, hour) in enumerate(TABLES):
            number[table, day] = number.get((table, day), 0) + 1
            begins = MONDAY + timedelta(days=day, hours=hour)
            yield from _round(day, place, table, dealer, number[table, day], begins)
        if day == 5:
            yield _late_void(MONDAY + timedelta(days=day, hours=26))
        read = {"at": (MONDAY + timedelta(days=day, hours=29.5)).isoformat(), "by": "A1"}
        yield {"command": "read_meter", **read, "meter": "PROG", "level": "major", "day": day}


def _round(day: int, place: int, table: str, dealer: str, number: int, begins: datetime) -> Iterator[Command]:
    key = f"{table}-{MONDAY + timedelta(days=day):%m%d}-{number}"
    of = {"round": key, "by": dealer}
    at = (begins + timedelta(seconds=20 * step) for step in range(40))

    def say(command: str, **keys: Any) -> Command:
        return {"command": command, "at": next(at).isoformat(), **of, **keys}

    where = {"property": "NORTH", "table": table, "number": number, "game": GAME.id, "sheet": "high-card-flush@1"}
    yield say("open_round", **where, dealer=dealer, seats=SEATS)
    for seat in SEATS:
        yield say("place_wager", seat=int(seat), wager="ante", amount_cents=500)
        yield say("place_wager", seat=int(seat), wager="progressive", amount_cents=100)
    yield say("close_betting")
    yield say("deal", hands=_hands(day, place), stub=3)
    for seat in SEATS:
        yield say("raise", seat=int(seat), amount_cents=500)
    yield say("settle")


def _hands(day: int, place: int) -> dict[str, str]:
    """Shuffled, but for the hands that hit."""
    seat, held = HITS.get((day, place), ("2", ""))
    given = parse(held) if held else ()
    cards = [card for card in deck(GAME.joker) if card not in given]
    Random(100 * day + place).shuffle(cards)
    spots = ["dealer", *map(str, range(1, 7))]
    hands = {}
    for spot in spots:
        hand = given if held and spot == seat else tuple(cards.pop() for _ in range(7))
        hands[spot] = show(hand)
    return hands


def _late_void(at: datetime) -> Command:
    return {
        "command": "void_round",
        "at": at.isoformat(),
        "by": "F1",
        "round": "H1-0604-1",
        "reason": "surveillance saw a marked card",
        "approved_by": ["F2", "M1"],
    }


def written() -> str:
    """The file's text. The readings are what the sign shows, on one morning a wager less."""
    lines = []
    with TemporaryDirectory() as folder, Ledger.open(f"sqlite:///{folder}/week.db") as ledger:
        for command in _before():
            _record(ledger, command)
        for count, command in enumerate(week(), 1):
            if command["command"] == "read_meter":
                command = command | {"display_cents": _sign(ledger, command.pop("day"))}
            line = {"command_id": f"w-{count}"} | command
            _record(ledger, line)
            lines.append(line)
    return "".join(json.dumps(line) + "\n" for line in lines)


def _before() -> Iterator[Command]:
    """What the guide records first: the sheet, and its first block."""
    papers = {"at": "2026-05-30T10:00:00-04:00", "by": "E01", "approved_by": "E02"}
    sheet = sample("high-card-flush@1")
    effective = {"effective_from": "2026-06-01T06:00:00-04:00"}
    yield {"command": "publish_sheet", "command_id": "sheet", "sheet": sheet, **papers, **effective}
    (first, *_) = re.findall(r"```json\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    yield from map(json.loads, first.splitlines())


def _sign(ledger: Ledger, day: int) -> int:
    shown: int = ledger.desk.get(meter_key("PROG")).levels["major"].display_cents
    return shown - A_WAGER if day == READ_BEHIND else shown


def _record(ledger: Ledger, command: Command) -> None:
    (receipt,) = ledger.submit([command_and_digest(json.dumps(command))])
    assert receipt.status == "recorded", receipt


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
