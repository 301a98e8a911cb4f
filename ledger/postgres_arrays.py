"""Arrays as PostgreSQL takes them in binary form, made at once: the driver makes them value by value.

A number of dimensions, whether a value is missing, the type of the values, how many and from which index; then each
value's length, -1 where it is missing, and its bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

BYTEA, BIGINT, INTEGER, TEXT = 17, 20, 23, 25
"""The types by their numbers in the catalogue, which are the same everywhere."""

_HEADER = Struct(">iiIii").pack
_LENGTH = Struct(">i").pack
_BIGINT = Struct(">iq").pack
_INTEGER = Struct(">ii").pack
_MISSING = _LENGTH(-1)


def strings(type_: int, values: Sequence[bytes | None]) -> bytes:
    """An array of texts in UTF-8 or of bytes.

    >>> strings(TEXT, [b"ab", None])[20:]
    b'\\x00\\x00\\x00\\x02ab\\xff\\xff\\xff\\xff'
    """
    found = [_MISSING if value is None else _LENGTH(len(value)) + value for value in values]
    return _HEADER(1, None in values, type_, len(values), 1) + b"".join(found)


def bigints(values: Sequence[int]) -> bytes:
    """An array of numbers of eight bytes.

    >>> bigints([258])[20:]
    b'\\x00\\x00\\x00\\x08\\x00\\x00\\x00\\x00\\x00\\x00\\x01\\x02'
    """
    return _HEADER(1, False, BIGINT, len(values), 1) + b"".join([_BIGINT(8, value) for value in values])


def integers(values: Sequence[int | None]) -> bytes:
    """An array of numbers of four bytes."""
    found = [_MISSING if value is None else _INTEGER(4, value) for value in values]
    return _HEADER(1, None in values, INTEGER, len(values), 1) + b"".join(found)
