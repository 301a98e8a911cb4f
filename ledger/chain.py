"""The hash chain: what each event's hash is made of. `docs/integrity.md` publishes the same for an outsider."""

from __future__ import annotations

from hashlib import sha256
from struct import Struct

ABSENT = -1
"""The length of a text that is not there, and the number of events of what is no command's first event."""

_NUMBERS = Struct(">3q10i").pack
_PLACED = Struct(">q16sq").pack


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
    body = event_body(
        version,
        schema,
        command_size,
        stream_id,
        kind.encode(),
        key.encode(),
        name.encode(),
        at.encode(),
        by.encode(),
        None if source is None else source.encode(),
        None if command_id is None else command_id.encode(),
        body_hash,
        payload,
    )
    return sha256(b"".join((previous, _PLACED(position, body[:16], recorded_at), body[16:]))).digest()


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
    numbers = _NUMBERS(
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
