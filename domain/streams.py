"""Which stream an event belongs to: one a round, a table, a player, a meter, a sheet and a property."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
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


# What a NamedTuple's own constructor does, without a call in Python for each.
_stream: partial[Stream] = partial(tuple.__new__, Stream)
_draft: partial[Draft] = partial(tuple.__new__, Draft)


def round_stream(key: str) -> Stream:
    """The stream of a round."""
    return _stream(("round", key))


def drafts(stream: Stream, events: Iterable[Event]) -> tuple[Draft, ...]:
    """Events of one stream, in order."""
    return tuple([_draft((stream, event)) for event in events])
