"""Meters: a full day's report from the book, what keeping the book costs as the log grows, and linked tables at once.

`python -m tests.bench.meters [--rounds 250000] [--clients 32] [--played 40] [--repeat 5]`

The book is kept of a day of so many rounds at forty tables that feed one meter, four events each, made as it is read.
Clients play real rounds through the ledger, each at a table of its own: all of them on one meter, and each on its own.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from domain.cards import deck, show
from domain.commands import Command
from domain.house_events import MeterOpened, PropertyOpened
from domain.intake import command_and_digest
from domain.meters import LevelTerms
from domain.rounds.events import (
    ContributionTaken,
    Event,
    Hit,
    LevelContribution,
    RoundOpened,
    SeatTaken,
    WagerSettled,
)
from domain.sheets import sample
from domain.streams import Stream
from ledger.reading import Connection
from ledger.records import Head, Record
from ledger.service import Ledger
from ledger.store import Store, open_store
from projections import runner
from projections.meter_book import MeterBook
from projections.meter_reports import Asked, meter_report
from projections.meters import Meters
from tests.bench import clients
from tests.bench.measure import Bench, Figures, Gate, finish, in_turns, options, positive

TABLES, PER_ROUND, HIT_EVERY = 40, 4, 1_000
DAY, AT = "2026-05-04", "2026-05-04T18:{:02d}:{:02d}-04:00"
BASE, WIN, PART = 1_000_000_000_000, 10_000, LevelContribution("major", 180_000, 20_000)
SLICE = 100_000
GROWTH, SECONDS, LINKED = 1.25, 2.0, 0.95
ONE, OWN = "on one meter", "each on its own meter"


@dataclass
class Made:
    """A log of rounds that is made as it is read; `end` is where it is said to end."""

    store: Store
    end: int

    @property
    def feed(self) -> Made:
        return self

    def head(self) -> Head:
        """The end of the log."""
        return Head(self.end, bytes(32))

    def after(self, position: int, limit: int = 500, connection: Connection | None = None) -> list[Record]:
        """The next records after `position`."""
        last = min(position + limit, self.end)
        return [_record(number) for number in range(position + 1, last + 1)]

    def stream(self, stream: Stream, connection: Connection | None = None) -> list[Record]:
        """Nobody asks for one."""
        raise NotImplementedError


def _record(position: int) -> Record:
    if position <= 2:
        stream, event, version = _house(position)
    else:
        number, version = divmod(position - 3, PER_ROUND)
        stream, event = Stream("round", f"T{number % TABLES:02d}-{number:07d}"), _event(number, version)
    at = AT.format(position // 60_000 % 60, position // 1_000 % 60)
    return Record(position, stream, UUID(int=1), version + 1, event, at, 0, "D1", None, None, None, bytes(32))


def _house(position: int) -> tuple[Stream, Event, int]:
    if position == 1:
        return Stream("property", "NORTH"), PropertyOpened("NORTH", "America/New_York", "06:00", "USD"), 0
    terms = LevelTerms("major", BASE, BASE, 1_800, 200, None)
    return Stream("meter", "LINK"), MeterOpened("LINK", "NORTH", (terms,), 10**9, AT.format(0, 0), ("M1",)), 0


def _event(number: int, version: int) -> Event:
    """A round: opened, two contributions, and a line that now and then takes a little from the meter."""
    key, table = f"T{number % TABLES:02d}-{number:07d}", f"T{number % TABLES:02d}"
    if version == 0:
        seats = (SeatTaken(1, "P1"), SeatTaken(2, "P2"))
        return RoundOpened(key, "NORTH", table, number + 1, DAY, "fortune", "s@1", "f", "D1", seats)
    if version < 3:
        return ContributionTaken(version, f"P{version}", "progressive", 100, "LINK", (PART,))
    hits, hit = divmod(number, HIT_EVERY)
    if hit:
        return WagerSettled("1.main", 1, "P1", "main", 500, "lose", 0, 0, 0, "house", "the rule")
    accrued = BASE + 2 * (number + 1) * PART.increment_micros - hits * WIN
    reserve = 2 * (number + 1) * PART.hidden_micros
    taken = Hit("LINK", "major", 10, accrued, reserve, accrued, WIN, 0, 0)
    return WagerSettled("1.progressive", 1, "P1", "progressive", 100, "win", 1, 0, 0, "meter", "the rule", hit=taken)


def measure(rounds: int, number: int, played: int, repeat: int) -> Bench:
    """Keeps the book, reports from it, and lets clients play, in turns, on one meter and on their own."""
    with TemporaryDirectory() as name:
        turns = in_turns({each: partial(_play, Path(name), each, number, played) for each in (OWN, ONE)}, repeat)
        cases = _book(Path(name) / "book.db", rounds)
    bench = Bench("meters", {"rounds of the day": rounds, "clients": number, "rounds each": played}, cases | turns)
    first, last = _slice(0, rounds), _slice(_last(rounds), rounds)
    cost = "µs of processor/event"
    growth = bench.ratio(last, first, cost) if last != first else 1.0
    bench.gates.append(
        Gate("keeping the book, processor an event at the end, x at the beginning", growth, GROWTH, True)
    )
    report = "the day's report"
    bench.gates.append(Gate(f"{report}, seconds", bench.middle(report, "s"), SECONDS, True))
    linked = bench.ratio(ONE, OWN, "events/s")
    bench.gates.append(Gate(f"{number} clients {ONE}, x {OWN}", linked, LINKED))
    bench.notes.append(f"the same by processor time an event: {bench.ratio(ONE, OWN, cost):.3f} x")
    return bench


def _events(rounds: int) -> int:
    return 2 + rounds * PER_ROUND


def _last(rounds: int) -> int:
    """Where the last whole slice begins."""
    return max(_events(rounds) // SLICE - 1, 0) * SLICE


def _slice(begins: int, rounds: int) -> str:
    return f"keeping the book, events {begins + 1:,} to {min(begins + SLICE, _events(rounds)):,}"


def _book(path: Path, rounds: int) -> dict[str, list[Figures]]:
    """Takes the day in slice by slice, then reports it."""
    found: dict[str, list[Figures]] = {}
    source = Made(open_store(f"sqlite:///{path}"), 0)
    try:
        for begins in range(0, max(_events(rounds) // SLICE, 1) * SLICE, SLICE):
            source.end = min(begins + SLICE, _events(rounds))
            began, busy = time.perf_counter(), time.process_time()
            runner.catch_up(source, [MeterBook])
            busy, seconds = time.process_time() - busy, time.perf_counter() - began
            taken = source.end - begins
            if begins in (0, 9 * SLICE, _last(rounds)):
                figures = {"events/s": taken / seconds, "µs of processor/event": 1e6 * busy / taken}
                found[_slice(begins, rounds)] = [figures]
        runner.catch_up(source, [Meters])
        for name, asked in (("the day's report", Asked()), ("the month's report", Asked(period="month"))):
            found[name] = [_reported(source, asked) for _ in range(5)]
    finally:
        source.store.close()
    return found


def _reported(source: Made, asked: Asked) -> Figures:
    began, busy = time.perf_counter(), time.process_time()
    document = meter_report(source, asked).document
    busy, seconds = time.process_time() - busy, time.perf_counter() - began
    assert document is not None and document["holds"]
    (level,) = document["meters"][0]["levels"]
    assert level["in_count"] > 0 and len(document["meters"][0]["tables"]) == TABLES
    return {"s": seconds, "ms of processor": 1000 * busy}


def _play(folder: Path, case: str, number: int, played: int) -> Figures:
    """So many clients, each a table and its rounds, through the whole ledger; a round is handed in at once."""
    path = folder / f"{time.time_ns()}.db"
    with Ledger.open(f"sqlite:///{path}") as ledger:
        for command in _opening(case, number):
            (receipt,) = ledger.submit([_read(command)])
            assert receipt.status == "recorded", receipt
        # Dealt out in turns, so that the client's rounds are those of one table.
        pieces = [list(map(_read, _round(table, turn))) for turn in range(played) for table in range(number)]
        before = ledger.head().position
        done = clients.in_threads(pieces, number, ledger.record_all)
        recorded = ledger.head().position - before
    assert recorded > 10 * len(pieces)
    path.unlink()
    return clients.figures(done, recorded)


def _read(command: dict[str, Any]) -> tuple[Command, bytes]:
    return command_and_digest(json.dumps(command))


def _opening(case: str, number: int) -> Iterator[dict[str, Any]]:
    """A property; for each table a meter and a sheet, which names that meter or the first one."""
    papers = {"at": "2026-05-04T10:00:00-04:00", "by": "K1"}
    place = {"property": "NORTH", "zone": "America/New_York", "day_starts": "06:00", "currency": "USD"}
    yield {"command": "open_property", "command_id": "p", **papers, **place}
    papers |= {"approved_by": "M1", "effective_from": "2026-05-04T10:00:00-04:00"}
    terms = {"base_micros": 10**9, "reset_micros": 10**9, "rate_bp": 1_800, "hidden_rate_bp": 200, "limit_micros": None}
    for table in range(number):
        opened = {"meter": f"M{table}", "property": "NORTH", "unreasonable_micros": 10**9}
        levels = [{"level": "major", **terms}]
        yield {"command": "open_meter", "command_id": f"m{table}", **papers, **opened, "levels": levels}
        sheet = json.loads(json.dumps(sample("high-card-flush@1")))
        sheet["id"] = f"flush-{table}"
        sheet["wagers"]["progressive"]["meter"] = f"M{0 if case == ONE else table}"
        yield {"command": "publish_sheet", "command_id": f"s{table}", **papers, "sheet": sheet}


def _round(table: int, turn: int) -> Sequence[dict[str, Any]]:
    key = f"R{table}-{turn}"
    commands: list[dict[str, Any]] = []

    def say(command: str, **keys: Any) -> None:
        at = f"2026-05-04T{12 + turn // 60:02d}:{turn % 60:02d}:{len(commands):02d}-04:00"
        known = {"command": command, "command_id": f"{key}-{len(commands)}", "at": at, "by": "D1", "round": key}
        commands.append(known | keys)

    seats = {"2": "P2", "5": "P5"}
    where = {"property": "NORTH", "table": f"T{table}", "number": turn + 1, "game": "high_card_flush"}
    say("open_round", **where, sheet=f"flush-{table}@1", dealer="D1", seats=seats)
    for seat in (2, 5):
        say("place_wager", seat=seat, wager="ante", amount_cents=500)
        say("place_wager", seat=seat, wager="progressive", amount_cents=100)
    say("close_betting")
    cards = list(deck(joker=False))
    Random(table * 1_000 + turn).shuffle(cards)
    spots = ["dealer", *map(str, range(1, 7))]
    say("deal", hands={spot: show(cards[7 * place : 7 * place + 7]) for place, spot in enumerate(spots)}, stub=3)
    for seat in (2, 5):
        say("raise", seat=seat, amount_cents=500)
    say("settle")
    return commands


def main() -> int:
    """Measures and prints."""
    parser = options("tests.bench.meters", __doc__)
    parser.add_argument("--rounds", type=positive, default=250_000, help="of the day (default: 250,000)")
    parser.add_argument("--clients", type=positive, default=32)
    parser.add_argument("--played", type=positive, default=40, help="rounds of each client (default: 40)")
    told = parser.parse_args()
    return finish(measure(told.rounds, told.clients, told.played, told.repeat))


if __name__ == "__main__":
    sys.exit(main())
