"""The `eventsourcing` application of the ledger: its own mapper, recorder and factory, and no other moving parts.

Nothing here reads the environment: a cipher, a cache or a persistence module that somebody's shell names would change
what is stored. There is no aggregate cache and no snapshot; a stored name is looked up in the closed registry, never
imported.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    EventStore,
    InfrastructureFactory,
    Mapper,
    NotSupportedError,
    ProcessRecorder,
    Recording,
    StoredEvent,
    TrackingRecorder,
    Transcoder,
)
from eventsourcing.utils import Environment, EnvType

from domain.rounds.events import Event
from ledger.at_once import AtOnce
from ledger.codec import EventCodec
from ledger.recorder import Addition, SqlRecorder, name_and_schema, topic_of


class NewEvent(NamedTuple):
    """An event on its way into its stream."""

    originator_id: UUID
    originator_version: int
    event: Event


class PastEvent(NamedTuple):
    """An event read back from its stream."""

    originator_id: UUID
    originator_version: int
    event: Event


class Batch:
    """Events of any number of streams that the application saves in one transaction."""

    id = None
    """The library asks every aggregate for one; a batch is none."""

    def __init__(self, additions: Sequence[Addition]) -> None:
        self._additions = additions

    def collect_events(self) -> Sequence[Addition]:
        """What `Application.save` asks for."""
        return self._additions


class LedgerMapper(Mapper[UUID]):
    """Between events and their stored bytes, by the closed registry."""

    def __init__(self, codec: EventCodec) -> None:
        super().__init__(NoTranscoder())
        self._codec = codec

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """The stored form of a `NewEvent`; `Misfit` where it has none."""
        originator_id, version, event = domain_event
        return StoredEvent(originator_id, version, topic_of(event.NAME, event.SCHEMA), self._codec.encode(event))

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """The `PastEvent` of stored bytes; `UnreadableEvent` where they are none."""
        name, schema = name_and_schema(stored_event.topic)
        event = self._codec.decode(name, schema, stored_event.state, getattr(stored_event, "id", None))
        assert isinstance(stored_event.originator_id, UUID)
        return PastEvent(stored_event.originator_id, stored_event.originator_version, event)


class LedgerEvents(EventStore[UUID]):
    """Stores events without describing each back to the caller, which would cost as much as inserting it."""

    def put(self, domain_events: Sequence[Any], **kwargs: Any) -> list[Recording[UUID]]:
        """Stores the events of one transaction."""
        tx = kwargs.get("tx")
        if isinstance(tx, AtOnce):
            assert isinstance(self.recorder, SqlRecorder)
            self.recorder.append_at_once(tx)
        elif domain_events and isinstance(domain_events[0], Addition):
            assert isinstance(self.recorder, SqlRecorder)
            self.recorder.append(domain_events, kwargs["tx"])
        else:
            self.recorder.insert_events([self.mapper.to_stored_event(each) for each in domain_events], **kwargs)
        return []


class NoTranscoder(Transcoder):
    """The library wants one; the mapper above needs none."""

    def encode(self, obj: Any) -> NoReturn:
        raise NotSupportedError("events are written by the ledger's codec")

    def decode(self, data: bytes) -> NoReturn:
        raise NotSupportedError("events are read by the ledger's codec")


class LedgerFactory(InfrastructureFactory[TrackingRecorder]):
    """Gives the application the ledger's recorder, and refuses what the ledger has not."""

    def __init__(self, env: Environment | EnvType | None, recorder: SqlRecorder) -> None:
        super().__init__(env)
        self._recorder = recorder

    def application_recorder(self) -> ApplicationRecorder:
        return self._recorder

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        raise NotSupportedError("the ledger keeps no snapshots")

    def tracking_recorder(self, tracking_recorder_class: type[TrackingRecorder] | None = None) -> TrackingRecorder:
        raise NotSupportedError("projections keep their own positions")

    def process_recorder(self) -> ProcessRecorder:
        raise NotSupportedError("projections keep their own positions")


class LedgerApplication(Application[UUID]):
    """Saves batches of events in one transaction and folds streams, also as they were at an earlier version."""

    name = "Ledger"

    def __init__(self, recorder: SqlRecorder, codec: EventCodec) -> None:
        self._ledger_recorder = recorder
        self._codec = codec
        self.encode = codec.encode
        self.decode = codec.decode
        super().__init__()

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        return Environment(name, {})

    def construct_factory(self, env: Environment) -> InfrastructureFactory[TrackingRecorder]:
        return LedgerFactory(env, self._ledger_recorder)

    def construct_mapper(self) -> Mapper[UUID]:
        return LedgerMapper(self._codec)

    def construct_event_store(self) -> EventStore[UUID]:
        return LedgerEvents(self.mapper, self.recorder)


def new_stream_id() -> UUID:
    """A time-ordered id (UUID version 7, microseconds behind the milliseconds), so that an index grows at its end."""
    nanos = time.time_ns()
    millis, rest = divmod(nanos, 1_000_000)
    fraction = rest * 4096 // 1_000_000
    value = (millis & (1 << 48) - 1) << 80 | 7 << 76 | fraction << 64 | 0b10 << 62 | secrets.randbits(62)
    return UUID(int=value)
