"""The product's store alone: its ledger under rules that know the answer, for events that are stored bytes already.

Everything from the queue of waiting callers down is the product's own: groups, ids, versions, what was recorded
before, the chain, the guards, the desk's position and the durable commit. Parsing, deciding, folding and encoding are
not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from domain.commands import Command, RoundCommand
from domain.rounds.events import Event
from domain.streams import Draft, Stream
from ledger.codec import EventCodec
from ledger.memory import Memory
from ledger.service import Ledger
from tests.bench.material import StoredRound

Submissions = list[tuple[Command, bytes]]


@dataclass(frozen=True, slots=True)
class Kept(Event):
    """An event in its stored form."""

    payload: bytes


@cache
def kept(name: str, schema: int) -> type[Kept]:
    """The class of stored events of that name and shape."""
    return type("Kept", (Kept,), {"NAME": name, "SCHEMA": schema, "__slots__": ()})


class AsStored(EventCodec):
    """Hands stored bytes through."""

    def __init__(self) -> None:
        super().__init__((), {})

    def encode(self, event: Event) -> bytes:
        assert isinstance(event, Kept)
        return event.payload

    def decode(self, name: str, schema: int, payload: bytes, position: int | None = None) -> Event:
        return kept(name, schema)(payload)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided(RoundCommand):
    """A command that brings along what it leaves."""

    NAME = "decided"

    drafts: tuple[Draft, ...]


class Untold:
    """A round that nobody looks at."""

    def evolve(self, event: Any) -> None:
        """Nothing is kept of it."""


def _decide(command: Command, around: Memory) -> tuple[Draft, ...]:
    assert isinstance(command, Decided)
    return command.drafts


def _begin(event: Any) -> Untold:
    return Untold()


def ledger(url: str) -> Ledger:
    """The ledger at `url`, for submissions made here."""
    return Ledger.open(url, decide=_decide, begin=_begin, codec=AsStored())


def submissions(round_: StoredRound) -> Submissions:
    """The round's commands, each with the events that it left."""
    stream = Stream("round", round_.key)
    made: Submissions = []
    for first, events in _commands(round_):
        drafts = tuple(Draft(stream, kept(each.name, each.schema)(each.payload)) for each in events)
        assert first.source is not None and first.command_id is not None and first.body_hash is not None
        command = Decided(
            source=first.source,
            command_id=first.command_id,
            at=first.at,
            by=first.by,
            round=round_.key,
            drafts=drafts,
        )
        made.append((command, first.body_hash))
    return made


def _commands(round_: StoredRound) -> Sequence[tuple[Any, list[Any]]]:
    """Each command's first event and all its events in the round."""
    commands: list[tuple[Any, list[Any]]] = []
    for each in round_.events:
        if each.command_id is not None:
            commands.append((each, []))
        commands[-1][1].append(each)
    return commands
