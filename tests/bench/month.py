"""A month of six games at some forty tables, and what a reviewer's questions cost in it, each as a whole process.

`python -m tests.bench.month FILE [--rounds 500000] [--template 21000] [--repeat 3]`

The first five days are played, recorded and projected as they come. The month is made of them again and again: other
tables, later days, other keys, with the hashes, ids and desk that recording leaves; it verifies. A store that is there
already is used as it is.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ledger.app import new_stream_id
from ledger.chain import event_hash
from ledger.records import Head
from tests.bench import large

GROUPS = ("", "B", "C", "D")
"""What the copies' tables are called beside the played ones."""
_DAY = re.compile(rb'"gaming_day":"(\d{4}-\d{2}-\d{2})"')
_TABLE = re.compile(rb'"table":"([^"]+)"')


class Copy(NamedTuple):
    """The played days once more: so many days later, at the tables of another group."""

    days: int
    group: str

    def day(self, text: str) -> str:
        """A date of the played days, as it is in the copy."""
        return (date.fromisoformat(text) + timedelta(days=self.days)).isoformat()

    def key(self, key: str, table: str, day: str) -> str:
        """A round's key in the copy, made as the played ones are: table, day, number."""
        return f"{table}{self.group}-{self.day(day).replace('-', '')}-{key.rpartition('-')[2]}"


class Event(NamedTuple):
    """An event of a played round; `moves` says that its payload names the round, its table or its day."""

    key: str
    table: str
    day: str
    version: int
    name: str
    schema: int
    at: str
    by: str
    source: str | None
    command_id: str | None
    command_size: int | None
    body_hash: bytes | None
    payload: bytes
    moves: bool

    def in_copy(self, copy: Copy, key: str) -> bytes:
        """The payload with the copy's names."""
        if not self.moves:
            return self.payload
        named = self.payload.replace(f'"{self.key}"'.encode(), f'"{key}"'.encode())
        tabled = _TABLE.sub(rb'"table":"\g<1>' + copy.group.encode() + b'"', named)
        return _DAY.sub(lambda found: b'"gaming_day":"' + copy.day(found[1].decode()).encode() + b'"', tabled)


def built(path: Path, rounds: int, template: int, seed: int = 7) -> Path:
    """The store at `path`, made where it is not."""
    if not path.exists():
        with TemporaryDirectory(dir=path.parent) as name:
            first = _played(Path(name), template, seed)
            with closing(sqlite3.connect(first, isolation_level=None)) as connection:
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute("PRAGMA cache_size = -262144")
                _fill(connection, rounds)
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            large.bring_desk_up(first, Path(name) / "feed.jsonl")
            shutil.move(first, path)
    return path


def _played(folder: Path, rounds: int, seed: int) -> Path:
    feed, store = folder / "feed.jsonl", folder / "first.db"
    _rounds("simulate", "--rounds", str(rounds), "--seed", str(seed), "-o", str(feed))
    _rounds("record", "-q", str(feed), "--db", f"sqlite:///{store}")
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return store


def _rounds(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "cli", *arguments], check=True, stdout=subprocess.DEVNULL)


def _fill(connection: sqlite3.Connection, rounds: int) -> None:
    """Appends copies, days by days and for each the tables, until there are so many rounds."""
    events = list(_events(connection))
    days = {each.day for each in events}
    span = (date.fromisoformat(max(days)) - date.fromisoformat(min(days))).days + 1
    one = len({each.key for each in events})
    head = Head(*connection.execute("SELECT position, hash, recorded_at FROM events ORDER BY position DESC").fetchone())
    copies = ((later, group) for later in range(100) for group in GROUPS if (later, group) != (0, GROUPS[0]))
    have = connection.execute("SELECT count(*) FROM streams WHERE kind = 'round'").fetchone()[0]
    with large.Unguarded(connection):
        for number, (later, group) in enumerate(copies, 1):
            if have >= rounds:
                break
            connection.execute("BEGIN")
            head = _append(connection, events, head, Copy(later * span, group), number)
            connection.execute("COMMIT")
            have += one


def _events(connection: sqlite3.Connection) -> Iterator[Event]:
    """Every round in the log's order, but those that won a meter: a hit says what the meter held then."""
    opened = {
        key: json.loads(payload)
        for key, payload in connection.execute(
            """SELECT s.key, e.payload FROM events AS e JOIN streams AS s ON s.id = e.stream_id
            WHERE s.kind = 'round' AND e.version = 1 AND e.stream_id NOT IN (
                SELECT stream_id FROM events WHERE instr(payload, '"hit":{') > 0)"""
        )
    }
    rows = connection.execute(
        """SELECT s.key, e.version, e.name, e.schema, e."at", e."by", e.source, e.command_id, e.command_size,
            e.body_hash, e.payload
        FROM events AS e JOIN streams AS s ON s.id = e.stream_id WHERE s.kind = 'round' ORDER BY e.position"""
    )
    for key, *row, payload in rows:
        if key in opened:
            of = opened[key]
            moves = f'"{key}"'.encode() in payload or b'"table":' in payload or b'"gaming_day":' in payload
            yield Event._make((key, of["table"], of["gaming_day"], *row, payload, moves))


def _append(connection: sqlite3.Connection, events: Sequence[Event], head: Head, copy: Copy, number: int) -> Head:
    position, hash_, recorded_at = head
    ids: dict[str, tuple[bytes, str]] = {}
    dates: dict[str, str] = {}
    rows: list[tuple[Any, ...]] = []
    for each in events:
        position += 1
        known = ids.get(each.key)
        if known is None:
            known = ids[each.key] = new_stream_id().bytes, copy.key(each.key, each.table, each.day)
        id_, key = known
        day = dates.get(each.at[:10])
        if day is None:
            day = dates[each.at[:10]] = copy.day(each.at[:10])
        at, payload = day + each.at[10:], each.in_copy(copy, key)
        command_id = None if each.command_id is None else f"{number:03}-{each.command_id}"
        hash_ = event_hash(
            hash_, position, each.version, each.schema, recorded_at, each.command_size, id_, "round", key, each.name,
            at, each.by, each.source, command_id, each.body_hash, payload,
        )  # fmt: skip
        rows.append((
            position, id_, each.version, each.name, each.schema, at, recorded_at, each.by, each.source, command_id,
            each.command_size, each.body_hash, payload, hash_,
        ))  # fmt: skip
    streams = [(id_, "round", key) for id_, key in ids.values()]
    connection.executemany("INSERT INTO streams (id, kind, key) VALUES (?, ?, ?)", streams)
    connection.executemany(f"INSERT INTO events ({large.COLUMNS}) VALUES ({', '.join('?' * 14)})", rows)
    return Head(position, hash_, recorded_at)


class Took(NamedTuple):
    """What a call took: seconds from start to exit, seconds of the processor, its own and its children's."""

    wall: float
    processor: float
    lines: int


# Whoever calls the program has its modules compiled from the time before.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
    "NO_COLOR": "1"
}


def ask(url: str, *arguments: str) -> Took:
    """Calls `rounds` as a process of its own."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    called = [sys.executable, "-m", "cli", "--db", url, *arguments]
    ran = subprocess.run(called, capture_output=True, env=_ENVIRONMENT, check=False)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ran.returncode == 0, (arguments, ran.returncode, ran.stderr.decode()[-2000:])
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Took(wall, used, ran.stdout.count(b"\n"))


def questions(store: Path) -> Mapping[str, Sequence[str]]:
    """What is asked, about a round, a table, a day and a player in the middle of the month."""
    with closing(sqlite3.connect(store)) as connection:
        payload, at = connection.execute(
            """SELECT payload, "at" FROM events WHERE name = 'round.opened'
            AND position >= (SELECT max(position) / 2 FROM events) ORDER BY position"""
        ).fetchone()
    opened = json.loads(payload)
    seat, player = opened["seats"][0]["seat"], opened["seats"][0]["player"]
    table, day = ("--table", opened["table"]), ("--day", opened["gaming_day"])
    about = ("--around", at[11:16], "--within", "20m")
    return {
        "list: seat 3, half past nine, that table, four of a kind": (
            "list", *table, "--around", "21:30", "--within", "20m", "--seat", "3", "--hand", "quads",
        ),
        "list: table, day, about the time, seat": ("list", *table, *day, *about, "--seat", str(seat)),
        "list: four eights that won 100 to 500": ("list", "--hand", "four eights", "--won", "100..500"),
        "list: any seat that won 5,000 and more": ("list", "--won", "5000..", "--limit", "50"),
        "list: a player, a forfeited wager": ("list", "--player", player, "--outcome", "forfeited"),
        "list: a player, won 100 to 500": ("list", "--player", player, "--won", "100..500"),
        "list: four eights of one game": ("list", "--hand", "four eights", "--game", "pai_gow"),
        "list: the first one": ("list", "--limit", "1"),
        "list: a finding": ("list", "--finding", "bank.out-of-turn", "--limit", "50"),
        "list: half past nine on any day, a dealer": ("list", "--around", "21:30", "--dealer", "D07", "--limit", "50"),
        "list: an unknown table": ("list", "--table", "PG-99"),
        "list --missing of a day": ("list", "--missing", *day),
        "list --missing of the month": ("list", "--missing"),
        "replay": ("replay", opened["round"]),
        "balance of a player": ("balance", player),
        "recheck of a day": ("recheck", *day),
        "what if, a day of one game": ("recheck", *day, "--game", "fortune", "--with", "house-way=mbs"),
    }  # fmt: skip


def measure(store: Path, repeat: int) -> dict[str, list[Took]]:
    """Each question so many times, after the projections have caught up."""
    url = f"sqlite:///{store}"
    ask(url, "list", "--limit", "1")
    ask(url, "balance")
    return {name: [ask(url, *asked) for _ in range(repeat)] for name, asked in questions(store).items()}


def main() -> int:
    """Makes the month and asks."""
    parser = ArgumentParser(prog="python -m tests.bench.month", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=500_000)
    parser.add_argument("--template", type=int, default=21_000)
    parser.add_argument("--repeat", type=int, default=3)
    told = parser.parse_args()
    began = time.perf_counter()
    built(told.file, told.rounds, told.template)
    print(f"{told.file.stat().st_size:,} bytes, made in {time.perf_counter() - began:.0f} s", flush=True)
    print(f"{'question':58} {'median s':>9} {'processor s':>12} {'lines':>7}")
    for name, took in measure(told.file, told.repeat).items():
        wall = sorted(each.wall for each in took)[len(took) // 2]
        used = sorted(each.processor for each in took)[len(took) // 2]
        print(f"{name:58} {wall:9.2f} {used:12.2f} {took[0].lines:7,}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
