"""Events and desk entries as stored bytes: a closed registry of names, each with the version of its shape.

The stored form is JSON in UTF-8 without spaces, keys in ascending order, fields at their default left out, no floats:
equal events have equal bytes. A name that is not in the registry is an error with its position, never an import.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from domain import house_events
from domain.desk import ENTRY_TYPES, Entry, Key
from domain.rounds import events as round_events
from domain.rounds.events import Event
from ledger.compiled import Convert, Misfit
from ledger.errors import UnreadableEvent
from ledger.shapes import shape
from ledger.upcasts import UPCASTS, Upcast

EVENT_MODULES = (round_events, house_events)


def event_classes() -> dict[str, type[Event]]:
    """Every event class by its stored name."""
    classes: dict[str, type[Event]] = {}
    for module in EVENT_MODULES:
        for each in vars(module).values():
            if isinstance(each, type) and issubclass(each, Event) and "NAME" in vars(each):
                assert classes.setdefault(each.NAME, each) is each, f"two events are named {each.NAME}"
    return classes


class EventCodec:
    """Writes and reads events of a fixed set of classes, older versions through `upcasts`."""

    def __init__(self, classes: Iterable[type[Event]], upcasts: Mapping[tuple[str, int], Upcast]) -> None:
        self._upcasts = upcasts
        self._classes: dict[str, type[Event]] = {}
        # Filled as events come by: a report reads a few kinds and need not wait for the others to be compiled.
        self._encoders: dict[type[Event], Convert] = {}
        self._decoders: dict[tuple[str, int], Convert] = {}
        self.schemas: dict[str, int] = {}
        for class_ in classes:
            self.schemas[class_.NAME] = class_.SCHEMA
            self._classes[class_.NAME] = class_
            for version in range(1, class_.SCHEMA):
                assert (class_.NAME, version) in upcasts, f"{class_.NAME} has no upcast from version {version}"

    def encode(self, event: Event) -> bytes:
        """The stored bytes of `event`; `Misfit` where a value is not what its class says, a float for one."""
        encoder = self._encoders.get(type(event)) or self._encoder(type(event))
        return _dumps(encoder(event))

    def decode(self, name: str, schema: int, payload: bytes, position: int | None = None) -> Event:
        """The event that `payload` holds; `UnreadableEvent` with `position` where it cannot be read."""
        try:
            decoder = self._decoders.get((name, schema))
            content = orjson.loads(payload)
            event: Event = decoder(content) if decoder is not None else self._other(name, schema, content)
            return event
        except (Misfit, orjson.JSONDecodeError) as trouble:
            raise UnreadableEvent(name, schema, str(trouble), position) from None

    def _encoder(self, class_: type[Event]) -> Convert:
        if self._classes.get(getattr(class_, "NAME", "")) is not class_:
            raise Misfit(f"{class_.__name__} is no event that this ledger stores")
        self._encoders[class_] = encoder = shape(class_).encode
        return encoder

    def _decoder(self, name: str) -> Convert:
        class_ = self._classes[name]
        self._decoders[name, class_.SCHEMA] = decoder = shape(class_).decode
        return decoder

    def _other(self, name: str, schema: int, content: Any) -> Event:
        """Of a shape that was not read before, or of an older one."""
        if name not in self.schemas:
            raise Misfit("no event has this name; a newer version of the program may know it")
        if not 0 < schema <= self.schemas[name]:
            raise Misfit(f"its newest known version is {self.schemas[name]}; a newer program may read it")
        if schema < self.schemas[name] and type(content) is not dict:
            raise Misfit("it is no JSON object")
        for version in range(schema, self.schemas[name]):
            content = self._step(name, version, content)
        event: Event = self._decoder(name)(content)
        return event

    def _step(self, name: str, version: int, content: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._upcasts[name, version](content)
        except (KeyError, TypeError, ValueError) as trouble:
            raise Misfit(f"it cannot be read as version {version + 1} ({trouble})") from None


def _dumps(content: Any) -> bytes:
    try:
        return orjson.dumps(content)
    except (orjson.JSONEncodeError, RecursionError) as trouble:
        # Integers over 64 bits and texts that are no Unicode (lone surrogates) end here.
        raise Misfit(str(trouble)) from None


EVENTS = EventCodec(event_classes().values(), UPCASTS)
"""The events of this version of the program."""


def encode_key(key: Key) -> str:
    """A desk key as the text that it is stored under.

    >>> encode_key(("table", "NORTH", "T1"))
    '["table","NORTH","T1"]'
    """
    return orjson.dumps(list(key)).decode()


def decode_key(stored: str) -> Key:
    """The desk key of its stored text."""
    return tuple(orjson.loads(stored))


def encode_entry(key: Key, entry: Entry) -> bytes:
    """The stored bytes of a desk entry, whose type the key's first part names."""
    return _dumps(shape(ENTRY_TYPES[key[0]]).encode(entry))


def decode_entry(key: Key, stored: bytes) -> Entry:
    """The desk entry of its stored bytes; `Misfit` where they are none."""
    try:
        entry: Entry = shape(ENTRY_TYPES[key[0]]).decode(orjson.loads(stored))
        return entry
    except orjson.JSONDecodeError as trouble:
        raise Misfit(str(trouble)) from None
