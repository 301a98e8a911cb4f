"""A must-hit-by mystery's trigger: drawn by a secret whose hash is published before, so that anybody can check it.

The meter's controller keeps the secret; the ledger knows its hash (the commitment) from the moment that the level
begins anew, and the secret only when the prize is hit. `docs/decisions/0005-mystery.md` says why.
"""

from __future__ import annotations

from hashlib import sha256

SECRET_PATTERN = "[0-9a-f]{64}"
"""A secret is 32 random bytes in hexadecimal, and so is its commitment."""


def commitment_of(secret: str) -> str:
    """What is published of a secret before the prize is hit: its SHA-256, both in hexadecimal.

    >>> commitment_of("00" * 32)
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
    """
    return sha256(bytes.fromhex(secret)).hexdigest()


def trigger_of(secret: str, begins_micros: int, must_hit_by_micros: int) -> int:
    """The amount in micros at which the prize is hit: above what the level begins with, at most what it must hit by.

    Where a level begins at or above that, its next contribution hits.

    >>> trigger_of("00" * 32, 500_000_000, 1_000_000_000)
    940412919
    """
    drawn = int.from_bytes(sha256(b"trigger" + bytes.fromhex(secret)).digest(), "big")
    return begins_micros + 1 + drawn % max(must_hit_by_micros - begins_micros, 1)
