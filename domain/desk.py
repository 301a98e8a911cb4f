"""The desk: what no single stream can answer, folded from the log. Pure; the ledger stores its entries.

Every entry has a key (a tuple of texts) and an immutable value. `fold` says which entries an event changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from domain.house_events import (
    MeterAdjusted,
    MeterChanged,
    MeterOpened,
    MeterRetired,
    MeterTransferred,
    PropertyOpened,
    SheetPublished,
    ShufflerCleared,
    ShufflerFailed,
)
from domain.making import changed, frozen, make_quickly
from domain.meters import Change, Held, Meter, open_meter
from domain.money import SUPERVISOR_FROM_CENTS
from domain.rounds.events import (
    HOUSE,
    ContributionTaken,
    Event,
    JackpotPaid,
    MeterReversal,
    MysteryRevealed,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagerSettled,
)

Key = tuple[str, ...]


@frozen()
class Property:
    """A property's wall clock and currency, and what it decided about jackpots."""

    property: str
    zone: str
    day_starts: str
    currency: str
    supervisor_from_cents: int = SUPERVISOR_FROM_CENTS
    reported_winnings: str = "gross"


@frozen()
class PublishedSheet:
    """A sheet as published; `content` is filled in. `effective_from` is RFC 3339 as recorded."""

    ref: str
    fingerprint: str
    effective_from: str
    content: Mapping[str, Any]


@frozen()
class Table:
    """A table between commands: its unfinished round, its shuffler, and the bank button of the last settled round.

    `banked` lists who banked since the button last stood at the dealer; `last_mains` gives each player of the last
    settled round the last main stake in cents that he had against the house (0: none, a player banked).
    """

    open_round: str | None = None
    shuffler_failed: bool = False
    button: int = HOUSE
    banked: tuple[str, ...] = ()
    last_mains: Mapping[str, int] | None = None


@frozen()
class Numbers:
    """The round numbers a table has used on a gaming day, as closed runs in ascending order."""

    runs: tuple[tuple[int, int], ...] = ()

    def __contains__(self, number: int) -> bool:
        return any(low <= number <= high for low, high in self.runs)

    def using(self, number: int) -> Numbers:
        runs: list[tuple[int, int]] = []
        for low, high in sorted([*self.runs, (number, number)]):
            if runs and low <= runs[-1][1] + 1:
                runs[-1] = (runs[-1][0], max(high, runs[-1][1]))
            else:
                runs.append((low, high))
        return Numbers(tuple(runs))


@frozen()
class Slip:
    """A payment slip that is used up, with the line it paid."""

    round: str
    line_id: str


@frozen()
class Commitment:
    """What a mystery level has or had published of a secret: one that was told must draw nothing again."""

    meter: str
    level: str


Entry = Property | PublishedSheet | Table | Numbers | Slip | Meter | Commitment
ENTRY_TYPES: Mapping[str, type] = {
    "property": Property,
    "sheet": PublishedSheet,
    "table": Table,
    "numbers": Numbers,
    "slip": Slip,
    "meter": Meter,
    "commitment": Commitment,
}
"""The type of an entry by the first part of its key."""


class Entries(Protocol):
    """Where entries are read and put; the ledger's draft of a transaction is one."""

    def get(self, key: Key) -> Any: ...

    def put(self, key: Key, entry: Entry) -> None: ...


class Unknown(LookupError):
    """Raised by the `get` of entries that hold only some of the desk: what is not there is not changed either."""


def property_key(property_: str) -> Key:
    """The key of a property's entry; the empty name stands for the property opened last."""
    return ("property", property_)


def sheet_key(ref: str) -> Key:
    """The key of a published sheet by `id@version`."""
    return ("sheet", ref)


def table_key(property_: str, table: str) -> Key:
    """The key of a table."""
    return ("table", property_, table)


def numbers_key(property_: str, table: str, gaming_day: str) -> Key:
    """The key of a table's used round numbers on a gaming day."""
    return ("numbers", property_, table, gaming_day)


def meter_key(meter: str) -> Key:
    """The key of a meter's reading."""
    return ("meter", meter)


def slip_key(slip: str) -> Key:
    """The key of a used payment slip."""
    return ("slip", slip)


def commitment_key(commitment: str) -> Key:
    """The key of what is or was published of a mystery's secret."""
    return ("commitment", commitment)


def fold(event: Event, entries: Entries) -> None:
    """Puts what `event` changes of the desk; most events change nothing."""
    change = _CHANGES.get(type(event))
    if change is not None:
        change(event, entries)


Changing = Callable[[Any, Entries], None]
_CHANGES: dict[type[Event], Changing] = {}
NAMES: set[str] = set()
"""The stored names of the events that can change the desk."""


def _changes(class_: type[Event]) -> Callable[[Changing], Changing]:
    """Says what events of `class_` change; a dictionary is what `fold` can afford for every event."""

    def register(change: Changing) -> Changing:
        _CHANGES[class_] = change
        NAMES.add(class_.NAME)
        return change

    return register


@_changes(PropertyOpened)
def _(event: PropertyOpened, entries: Entries) -> None:
    entry = Property(
        event.property,
        event.zone,
        event.day_starts,
        event.currency,
        event.supervisor_from_cents,
        event.reported_winnings,
    )
    entries.put(property_key(event.property), entry)
    entries.put(property_key(""), entry)


@_changes(SheetPublished)
def _(event: SheetPublished, entries: Entries) -> None:
    entries.put(sheet_key(event.ref), PublishedSheet(event.ref, event.fingerprint, event.effective_from, event.sheet))


@_changes(ShufflerFailed)
def _(event: ShufflerFailed, entries: Entries) -> None:
    _change_table(entries, event.property, event.table, lambda table: replace(table, shuffler_failed=True))


@_changes(ShufflerCleared)
def _(event: ShufflerCleared, entries: Entries) -> None:
    _change_table(entries, event.property, event.table, lambda table: replace(table, shuffler_failed=False))


@_changes(MeterOpened)
def _(event: MeterOpened, entries: Entries) -> None:
    meter = open_meter(event.meter, event.property, event.effective_from, event.unreasonable_micros, event.levels)
    entries.put(meter_key(event.meter), meter)
    for terms in event.levels:
        if terms.commitment is not None:
            entries.put(commitment_key(terms.commitment), Commitment(event.meter, terms.level))


@_changes(MeterChanged)
def _(event: MeterChanged, entries: Entries) -> None:
    change = Change(event.effective_from, event.levels, event.unreasonable_micros)
    _change_meter(entries, event.meter, lambda meter: meter.changed(change))


@_changes(MeterAdjusted)
def _(event: MeterAdjusted, entries: Entries) -> None:
    _change_meter(entries, event.meter, lambda meter: meter.holding(event.level, event.after))


@_changes(MeterTransferred)
def _(event: MeterTransferred, entries: Entries) -> None:
    _change_meter(entries, event.meter, lambda meter: meter.holding(event.level, event.after))
    _take_over(event, entries)


@_changes(MeterRetired)
def _(event: MeterRetired, entries: Entries) -> None:
    _change_meter(entries, event.meter, lambda meter: meter.retiring(event.level, event.shown_micros, event.after))
    _take_over(event, entries)


@_changes(RoundOpened)
def _(event: RoundOpened, entries: Entries) -> None:
    _change_table(entries, event.property, event.table, lambda table: changed(table, open_round=event.round))
    key = numbers_key(event.property, event.table, event.gaming_day)
    _change(entries, key, lambda numbers: (numbers or Numbers()).using(event.number))


@_changes(ContributionTaken)
def _(event: ContributionTaken, entries: Entries) -> None:
    _change_meter(entries, event.meter, lambda meter: meter.contributed(event))


@_changes(WagerSettled)
def _(event: WagerSettled, entries: Entries) -> None:
    if event.hit is not None:
        hit = event.hit
        _change_meter(entries, hit.meter, lambda meter: meter.hit(hit))


@_changes(MysteryRevealed)
def _(event: MysteryRevealed, entries: Entries) -> None:
    _change_meter(entries, event.meter, lambda meter: meter.begun_anew(event))
    entries.put(commitment_key(event.next_commitment), Commitment(event.meter, event.level))


@_changes(RoundSettled)
def _(event: RoundSettled, entries: Entries) -> None:
    _change_table(entries, event.property, event.table, lambda table: _after_round(table, event))


@_changes(RoundVoided)
def _(event: RoundVoided, entries: Entries) -> None:
    if event.phase != "settled":
        _change_table(entries, event.property, event.table, lambda table: replace(table, open_round=None))
    for reversal in event.meters:
        _change_meter(entries, reversal.meter, partial(_taken_back, reversal))


@_changes(JackpotPaid)
def _(event: JackpotPaid, entries: Entries) -> None:
    entries.put(slip_key(event.slip), Slip(event.round, event.line_id))


def _taken_back(reversal: MeterReversal, meter: Meter) -> Meter:
    return meter.reversed(reversal)


def _change_meter(entries: Entries, meter: str, change: Callable[[Meter], Meter]) -> None:
    _change(entries, meter_key(meter), change)


def _take_over(event: MeterTransferred | MeterRetired, entries: Entries) -> None:
    """The other meter holds what went to it; revenue is no meter."""
    if event.to_after is not None:
        held: Held = event.to_after
        _change_meter(entries, event.to, lambda meter: meter.holding(event.level, held))


def _change_table(entries: Entries, property_: str, table: str, change: Callable[[Table], Table]) -> None:
    _change(entries, table_key(property_, table), lambda known: change(known or Table()))


def _change(entries: Entries, key: Key, change: Callable[[Any], Entry]) -> None:
    try:
        before = entries.get(key)
    except Unknown:
        return
    entries.put(key, change(before))


def _after_round(table: Table, event: RoundSettled) -> Table:
    """The button stays where the round had it; who banked is remembered until it comes round to the dealer."""
    known = table.last_mains or {}
    last_mains: dict[str, int] = {}
    for played in event.played:
        main = played.main_cents or known.get(played.player, 0)
        last_mains[played.player] = max(main, last_mains.get(played.player, 0))
    banked = () if event.button == HOUSE else table.banked
    if event.bank != HOUSE and event.banker is not None:
        banked = (*banked, event.banker)
    return changed(table, open_round=None, button=event.button, banked=banked, last_mains=last_mains)


make_quickly(vars())
