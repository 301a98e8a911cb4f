"""A point in the ledger's past as a person names it: a log position, or a time that goes by the events' own `at`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from domain.times import instant
from ledger.records import Record


@dataclass(frozen=True, slots=True)
class AsOf:
    """Either a log `position`, counted in, or a `moment` in UTC."""

    position: int | None = None
    moment: datetime | None = None

    def covers(self, record: Record) -> bool:
        """Whether `record` counts at this point."""
        if self.position is not None:
            return record.position <= self.position
        assert self.moment is not None
        return instant(record.at) <= self.moment

    def reached(self, head: int) -> int:
        """The log position that a fold to this point has looked at, where the log ends at `head`."""
        return head if self.position is None else min(self.position, head)

    def select(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records that count, in log order; `at` may run backwards, so for a time the whole log is looked at."""
        for record in records:
            if self.covers(record):
                yield record
            elif self.position is not None:
                return


def parse(text: str) -> AsOf:
    """The point that `text` names: `1234` is a position, `2026-05-04T18:00:00-04:00` a time.

    ValueError says what is wrong and what would be right.
    """
    if text.isascii() and text.isdigit():
        return AsOf(position=int(text))
    try:
        return AsOf(moment=instant(text))
    except ValueError as refused:
        raise ValueError(
            f"{text!r} is neither a log position, such as 1234, nor a time with its offset, such as "
            "2026-05-04T18:00:00-04:00"
        ) from refused


def log(after: Callable[[int, int], list[Record]], page: int = 2_000) -> Iterator[Record]:
    """The whole log in order, a page at a time; `after(position, limit)` reads a page."""
    position = 0
    while records := after(position, page):
        yield from records
        position = records[-1].position
