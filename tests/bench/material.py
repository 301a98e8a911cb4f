"""What every measure appends: whole rounds of a simulated feed, as the product recorded them, to the byte."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cli.simulation.feed import PLAYERS, feed
from cli.simulation.habits import ROOM
from domain.intake import command_and_digest
from ledger.quick_json import QUICK
from ledger.service import Ledger

GROUP = 64
"""Commands of a feed that are handed in at once."""

SHAPES = {"short rounds": 2, "full tables": PLAYERS}
"""How many players share the tables: with two a round is 12 events of 9 commands, with sixty 33 of 21."""

PLAYED = 400
"""Rounds that are played; where more are wanted these are taken again under other keys."""


class Stored(NamedTuple):
    """An event as it was stored, without its place in the log. The last four stand on a command's first event only."""

    version: int
    name: str
    schema: int
    at: str
    by: str
    payload: bytes
    source: str | None
    command_id: str | None
    command_size: int | None
    body_hash: bytes | None


class StoredRound(NamedTuple):
    """A whole round: its key, and its events by version."""

    key: str
    events: list[Stored]


def write_feed(path: Path, rounds: int, seed: int, players: int = PLAYERS) -> None:
    """A feed of Fortune at several tables that `players` share, each command once."""
    habits = replace(ROOM, sent_again=0)
    commands = feed(seed, rounds, games=("fortune",), habits=habits, players=players)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(command) + "\n" for command in commands)


def record(feed_file: Path, url: str) -> None:
    """Parsing and recording in this process, in the command line's groups."""
    with Ledger.open(url) as ledger, feed_file.open("rb") as lines:
        submissions = (command_and_digest(line, QUICK) for line in lines)
        while group := list(islice(submissions, GROUP)):
            ledger.submit(group)


def recorded_rounds(store: Path) -> list[StoredRound]:
    """The rounds of a recorded SQLite store, in the order in which they were opened."""
    with closing(sqlite3.connect(store)) as connection:
        rows = connection.execute(
            """SELECT s.key, e.version, e.name, e.schema, e."at", e."by", e.payload, e.source, e.command_id,
                e.command_size, e.body_hash
            FROM events AS e JOIN streams AS s ON s.id = e.stream_id WHERE s.kind = 'round' ORDER BY e.position"""
        )
        rounds: dict[str, list[Stored]] = {}
        for key, *row in rows:
            rounds.setdefault(key, []).append(Stored(*row))
    return [StoredRound(*each) for each in rounds.items()]


def played(rounds: int, seed: int, players: int = PLAYERS) -> list[StoredRound]:
    """So many rounds of a feed that is made and recorded for this, each under a key and command ids of its own."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_feed(folder / "feed.jsonl", min(rounds, PLAYED), seed, players)
        record(folder / "feed.jsonl", f"sqlite:///{folder / 'rounds.db'}")
        return copies(recorded_rounds(folder / "rounds.db"), rounds)


def copies(rounds: Sequence[StoredRound], wanted: int, mark: str = "") -> list[StoredRound]:
    """`wanted` rounds of the same bytes; `mark` sets their keys apart from those of other copies."""
    return list(islice(_again(rounds, mark), wanted))


def _again(rounds: Sequence[StoredRound], mark: str) -> Iterator[StoredRound]:
    for number, round_ in enumerate(cycle(rounds)):
        prefix = f"{mark}{number:06}"
        events = [
            each if each.command_id is None else each._replace(command_id=f"{prefix}-{each.command_id}")
            for each in round_.events
        ]
        yield StoredRound(f"{prefix}-{round_.key}", events)


def count(rounds: Sequence[StoredRound]) -> int:
    """The events of all of them."""
    return sum(len(each.events) for each in rounds)
