"""Decides any command: what it leaves in the log, or a refusal. Pure: everything it looks at is handed in."""

from __future__ import annotations

from typing import Any, Protocol

from domain.commands import Command, RoundCommand
from domain.desk import Key
from domain.rounds.state import Round
from domain.streams import Draft, Stream


class Surroundings(Protocol):
    """What a decision may look at: the desk's entries and any round as it stands."""

    def get(self, key: Key) -> Any: ...

    def round(self, key: str) -> Round | None: ...


def decide(command: Command, around: Surroundings) -> tuple[Draft, ...]:
    """The events of `command`, at least one, in order; the last is of the command's own stream.

    Raises Refusal with its code where the rules say no.
    """
    raise NotImplementedError


def own_stream(command: Command) -> Stream:
    """The stream whose version the command's receipt gives."""
    raise NotImplementedError
