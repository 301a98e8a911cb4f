"""What a decision may look at around its own stream: the desk's entries and any round as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from domain.desk import (
    Commitment,
    Key,
    Numbers,
    Property,
    PublishedSheet,
    Slip,
    Table,
    commitment_key,
    meter_key,
    numbers_key,
    property_key,
    sheet_key,
    slip_key,
    table_key,
)
from domain.meters import Meter
from domain.rounds.refusals import PropertyUnknown
from domain.sheets import Sheet, sheet_of

if TYPE_CHECKING:
    from domain.rounds.state import Round


class Surroundings(Protocol):
    """The ledger's view at the moment of the decision."""

    def get(self, key: Key) -> Any:
        """The desk entry at `key`, None where there is none."""

    def round(self, key: str) -> Round | None:
        """The round with the caller's `key`, None where there is none."""


def property_at(around: Surroundings, property_: str) -> Property:
    """The property; refuses an unknown one."""
    found: Property | None = around.get(property_key(property_))
    if found is None:
        raise PropertyUnknown(f"no property {property_!r} in this ledger; open it first with open_property")
    return found


def any_property(around: Surroundings) -> Property | None:
    """The property opened last, None in an empty ledger: it says the ledger's currency."""
    found: Property | None = around.get(property_key(""))
    return found


def sheet_at(around: Surroundings, ref: str) -> PublishedSheet | None:
    """The published sheet `id@version`."""
    found: PublishedSheet | None = around.get(sheet_key(ref))
    return found


def pinned_sheet(around: Surroundings, ref: str, fingerprint: str) -> Sheet:
    """The sheet that a round pinned; its fingerprint must be the one pinned."""
    published = sheet_at(around, ref)
    assert published is not None, f"the log lost sheet {ref}"
    assert published.fingerprint == fingerprint, f"sheet {ref} is not the one that was pinned"
    return sheet_of(fingerprint, published.content)


def table_at(around: Surroundings, property_: str, table: str) -> Table:
    """The table, as never used where it is new."""
    return around.get(table_key(property_, table)) or Table()


def numbers_at(around: Surroundings, property_: str, table: str, gaming_day: str) -> Numbers:
    """The round numbers the table used on that gaming day."""
    return around.get(numbers_key(property_, table, gaming_day)) or Numbers()


def meter_at(around: Surroundings, meter: str) -> Meter | None:
    """The meter's reading now."""
    found: Meter | None = around.get(meter_key(meter))
    return found


def slip_at(around: Surroundings, slip: str) -> Slip | None:
    """What a payment slip paid, None while it is unused."""
    found: Slip | None = around.get(slip_key(slip))
    return found


def commitment_at(around: Surroundings, commitment: str) -> Commitment | None:
    """The mystery level that has or had this commitment, None where it is new."""
    found: Commitment | None = around.get(commitment_key(commitment))
    return found
