"""What a finding says to a person: as it was recorded, but amounts of a meter as dollars.

The text of a finding is part of its event and is compared by a recheck, so what is stored stays as it is.
"""

from __future__ import annotations

import re

from domain.money import dollars_of_micros

_UNREASONABLE = re.compile(r"(\d+) micros to (.*), above (\d+)", re.DOTALL)
_DUE = re.compile(r"(.*) was to be hit by (\d+) micros; its secret is due", re.DOTALL)


def in_words(code: str, text: str) -> str:
    """The text of a finding with the amounts that it has in micros as dollars; any other text as it is.

    >>> in_words("meter.unreasonable", "18000000 micros to PROG major, above 1000000")
    '$18.00 to PROG major, above $1.00'
    >>> in_words("mystery.due", "LINK grand was to be hit by 1000000000 micros; its secret is due")
    'LINK grand was to be hit by $1,000.00; its secret is due'
    """
    if code == "meter.unreasonable" and (found := _UNREASONABLE.fullmatch(text)):
        return f"{_dollars(found[1])} to {found[2]}, above {_dollars(found[3])}"
    if code == "mystery.due" and (found := _DUE.fullmatch(text)):
        return f"{found[1]} was to be hit by {_dollars(found[2])}; its secret is due"
    return text


def _dollars(micros: str) -> str:
    return dollars_of_micros(int(micros))
