"""Which stream an event belongs to: one a round, a table, a player, a meter, a sheet and a property."""

from __future__ import annotations

from typing import NamedTuple

from domain.rounds.events import Event


class Stream(NamedTuple):
    """A stream by its kind and the caller's key, unique together.

    Kinds: property, sheet, table, player, meter, round.
    """

    kind: str
    key: str


class Draft(NamedTuple):
    """An event that was decided and is not yet recorded."""

    stream: Stream
    event: Event
