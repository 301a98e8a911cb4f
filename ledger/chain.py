"""The hash chain: what each event's hash is made of. `docs/integrity.md` publishes the same for an outsider."""

from __future__ import annotations

from hashlib import sha256
from struct import Struct

ABSENT = -1
"""The length of a text that is not there, and the number of events of what is no command's first event."""

_NUMBERS = Struct(">5q10i")


def event_hash(
    previous: bytes,
    position: int,
    version: int,
    schema: int,
    recorded_at: int,
    command_size: int | None,
    stream_id: bytes,
    kind: str,
    key: str,
    name: str,
    at: str,
    by: str,
    source: str | None,
    command_id: str | None,
    body_hash: bytes | None,
    payload: bytes,
) -> bytes:
    """The SHA-256 over the hash before, five numbers, ten lengths and the ten texts: every column of the event."""
    kind_, key_, name_, at_, by_ = kind.encode(), key.encode(), name.encode(), at.encode(), by.encode()
    source_ = b"" if source is None else source.encode()
    command_id_ = b"" if command_id is None else command_id.encode()
    numbers = _NUMBERS.pack(
        position,
        version,
        schema,
        recorded_at,
        ABSENT if command_size is None else command_size,
        len(stream_id),
        len(kind_),
        len(key_),
        len(name_),
        len(at_),
        len(by_),
        ABSENT if source is None else len(source_),
        ABSENT if command_id is None else len(command_id_),
        ABSENT if body_hash is None else len(body_hash),
        len(payload),
    )
    return sha256(
        b"".join(
            (
                previous,
                numbers,
                stream_id,
                kind_,
                key_,
                name_,
                at_,
                by_,
                source_,
                command_id_,
                body_hash or b"",
                payload,
            )
        )
    ).digest()


_BODY_NUMBERS = Struct(">3q10i")


def event_body(
    version: int,
    schema: int,
    command_size: int | None,
    stream_id: bytes,
    kind: bytes,
    key: bytes,
    name: bytes,
    at: bytes,
    by: bytes,
    source: bytes | None,
    command_id: bytes | None,
    body_hash: bytes | None,
    payload: bytes,
) -> bytes:
    """What of an event is hashed and known before its place is; the texts in UTF-8.

    Its hash is that over the hash before, the position, the first 16 bytes of this, `recorded_at` and the others.
    """
    numbers = _BODY_NUMBERS.pack(
        version,
        schema,
        ABSENT if command_size is None else command_size,
        len(stream_id),
        len(kind),
        len(key),
        len(name),
        len(at),
        len(by),
        ABSENT if source is None else len(source),
        ABSENT if command_id is None else len(command_id),
        ABSENT if body_hash is None else len(body_hash),
        len(payload),
    )
    texts = (stream_id, kind, key, name, at, by, source or b"", command_id or b"", body_hash or b"", payload)
    return b"".join((numbers, *texts))
