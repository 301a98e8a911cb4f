"""What a round was played under: its sheet and its meters' terms, from their own streams; and the recheck by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from domain.desk import PublishedSheet
from domain.errors import Refusal
from domain.house_events import SheetPublished
from domain.meters import Meter
from domain.rounds.events import ContributionTaken, Event, RoundOpened, WagerSettled
from domain.rounds.mystery import MYSTERY_WAGER
from domain.rounds.recheck import Terms, meter_of, recheck
from domain.streams import Stream
from ledger.records import Record
from projections.store import Source

E = TypeVar("E", bound=Event)


class Rules:
    """Sheets and meter terms of a ledger, each stream read once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._sheets: dict[str, PublishedSheet | None] = {}
        self._meters: dict[str, Sequence[Record]] = {}
        self._in_force: dict[tuple[str, int, str], Meter] = {}

    def find(self, ref: str) -> PublishedSheet | None:
        """The sheet `id@version`, None where none was published."""
        if ref not in self._sheets:
            events = [record.event for record in self._source.feed.stream(Stream("sheet", ref))]
            published = [event for event in events if isinstance(event, SheetPublished)]
            self._sheets[ref] = next(map(_as_published, published), None)
        return self._sheets[ref]

    def published(self, ref: str) -> PublishedSheet:
        """The sheet that a round pinned."""
        found = self.find(ref)
        assert found is not None, f"the log lost sheet {ref}"
        return found

    def meter(self, meter: str, record: Record) -> Meter:
        """The meter under the terms that were in force when `record` was recorded."""
        if meter not in self._meters:
            self._meters[meter] = self._source.feed.stream(Stream("meter", meter))
        before = [each.event for each in self._meters[meter] if each.position < record.position]
        # Terms that never changed are the same at every time after the opening.
        at = record.at if len(before) > 1 else ""
        known = self._in_force.get((meter, len(before), at))
        if known is None:
            known = self._in_force[meter, len(before), at] = meter_of(before, record.at)
        return known


def _as_published(event: SheetPublished) -> PublishedSheet:
    return PublishedSheet(event.ref, event.fingerprint, event.effective_from, event.sheet)


def differences_of(records: Sequence[Record], rules: Rules) -> list[str]:
    """What differs between a round's records and the same computed anew; what cannot be computed is a difference."""
    opened = records[0].event
    assert isinstance(opened, RoundOpened)
    try:
        return recheck([record.event for record in records], rules.published(opened.sheet), terms_of(records, rules))
    except (AssertionError, LookupError, ValueError, Refusal) as impossible:
        return [f"cannot be computed anew: {type(impossible).__name__}: {impossible}"]


def terms_of(records: Sequence[Record], rules: Rules) -> Terms:
    """The meters that the round fed and hit, as they were in force then."""
    fed: dict[str, Record] = {}
    hit: dict[str, Record] = {}
    told: dict[str, Record] = {}
    for record in records:
        event = record.event
        if isinstance(event, ContributionTaken):
            fed[event.meter] = record
        elif isinstance(event, WagerSettled) and event.hit is not None:
            (told if event.wager == MYSTERY_WAGER else hit)[event.hit.meter] = record
    return Terms(_in_force(fed, rules), _in_force(hit, rules), _in_force(told, rules))


def _in_force(records: Mapping[str, Record], rules: Rules) -> dict[str, Meter]:
    return {name: rules.meter(name, record) for name, record in records.items()}
