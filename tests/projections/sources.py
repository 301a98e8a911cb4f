"""Where the tests' events come from: ledgers recorded from feeds, and logs made by hand of nothing but events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from domain.intake import command_and_digest
from domain.rounds.events import Event
from domain.streams import Stream
from ledger.reading import Connection
from ledger.records import Head, Record
from ledger.service import Ledger
from ledger.store import Store, open_store

AT = "2026-05-04T18:00:00-04:00"


def url(path: Path) -> str:
    """The store in the file `path`."""
    return f"sqlite:///{path}"


def record_all(ledger: Ledger, commands: Iterable[Mapping[str, Any]], group: int = 64) -> None:
    """Records a feed; whatever is refused fails the test."""
    submissions = [command_and_digest(json.dumps(command)) for command in commands]
    for start in range(0, len(submissions), group):
        for receipt in ledger.submit(submissions[start : start + group]):
            assert receipt.status != "refused", receipt.message


@dataclass
class HandMade:
    """A log of events that no rule has looked at, beside a real store for the projections' tables."""

    store: Store
    records: list[Record]

    @property
    def feed(self) -> HandMade:
        return self

    def after(self, position: int, limit: int = 500, connection: Connection | None = None) -> list[Record]:
        """The next records after `position`."""
        return self.records[position : position + limit]

    def stream(self, stream: Stream, connection: Connection | None = None) -> list[Record]:
        """The records of one stream."""
        return [record for record in self.records if record.stream == stream]

    def head(self) -> Head:
        """The end of the log."""
        return Head(len(self.records), bytes(32))

    def add(self, stream: Stream, *events: Event, at: str = AT) -> None:
        """Appends events to a stream."""
        for event in events:
            version = len(self.stream(stream)) + 1
            position = len(self.records) + 1
            self.records.append(
                Record(position, stream, UUID(int=1), version, event, at, 0, "D1", None, None, None, bytes(32))
            )

    def in_round(self, key: str, *events: Event, at: str = AT) -> None:
        """Appends events to a round."""
        self.add(Stream("round", key), *events, at=at)


def by_hand(path: Path) -> HandMade:
    """An empty log made by hand."""
    return HandMade(open_store(url(path)), [])


class Following:
    """A ledger whose log can be listened in on: `after_reading` is told each page that was read."""

    def __init__(self, ledger: Ledger, after_reading: Callable[[Sequence[Record]], None]) -> None:
        self.ledger = ledger
        self.after_reading = after_reading

    @property
    def store(self) -> Store:
        return self.ledger.store

    @property
    def feed(self) -> Following:
        return self

    def head(self) -> Head:
        """The end of the log."""
        return self.ledger.head()

    def after(self, position: int, limit: int = 500, connection: Connection | None = None) -> list[Record]:
        """The next page, with the listener told."""
        records = self.ledger.feed.after(position, limit, connection)
        self.after_reading(records)
        return records

    def stream(self, stream: Stream, connection: Connection | None = None) -> list[Record]:
        """The records of one stream."""
        return self.ledger.feed.stream(stream, connection)
