"""What can go wrong with a store: one small class a reason, with its stable code and its exit code."""

from __future__ import annotations

from typing import ClassVar

REFUSED = 1
MISUSED = 2
NOT_FOUND = 3
CONFLICT = 4
BROKEN = 5


class LedgerError(Exception):
    """Trouble with a store; `retry` says whether the same can succeed later without being changed."""

    code: ClassVar[str]
    exit_code: ClassVar[int] = REFUSED
    retry: ClassVar[bool] = False

    @property
    def message(self) -> str:
        return str(self)


class StoreUrlInvalid(LedgerError):
    """A URL that names no store this ledger can use."""

    code = "store.url"
    exit_code = MISUSED


class StoreNotFound(LedgerError):
    """There is no store at that place, or no folder to make one in."""

    code = "store.not-found"
    exit_code = NOT_FOUND


class NotALedger(LedgerError):
    """The file or database is something else, or was written by a newer version."""

    code = "store.not-a-ledger"
    exit_code = MISUSED


class StoreLocked(LedgerError):
    """Another process holds the store."""

    code = "store.locked"
    exit_code = CONFLICT
    retry = True


class StoreReadOnly(LedgerError):
    """The store was opened, or can only be opened, for reading."""

    code = "store.read-only"


class StoreFull(LedgerError):
    """The disk has no room left."""

    code = "store.disk-full"
    retry = True


class StoreForbidden(StoreReadOnly):
    """The database does not let this role do that."""

    code = "store.forbidden"


class StoreOutdated(LedgerError):
    """The store has not the tables of this version, and can be given them."""

    code = "store.outdated"
    exit_code = MISUSED


class StoreLost(LedgerError):
    """The connection to the database was lost before anything was committed on it."""

    code = "store.connection-lost"
    exit_code = CONFLICT
    retry = True


class StoreDamaged(LedgerError):
    """The database itself says that its file is damaged."""

    code = "store.damaged"
    exit_code = BROKEN


class StoreFailed(LedgerError):
    """Any other failure of the database or the disk."""

    code = "store.failed"
    retry = True


class WriteConflict(LedgerError):
    """Somebody else wrote in between; nothing of this group was recorded."""

    code = "store.conflict"
    exit_code = CONFLICT
    retry = True


class OutcomeUnknown(LedgerError):
    """The store failed while committing and cannot be asked whether it did; sending the same command again is safe."""

    code = "store.outcome-unknown"
    exit_code = CONFLICT
    retry = True


class LedgerClosed(LedgerError):
    """The ledger was closed while, or before, the command was handed in; it was not recorded."""

    code = "ledger.closed"
    retry = True


class UnreadableEvent(LedgerError):
    """A stored event that cannot be read: an unknown name, a newer shape, or content that is not of its shape."""

    code = "event.unreadable"
    exit_code = BROKEN

    def __init__(self, name: str, schema: int, reason: str, position: int | None = None) -> None:
        self.name = name
        self.schema = schema
        self.reason = reason
        self.position = position
        super().__init__(name, schema, reason, position)

    def __str__(self) -> str:
        where = "" if self.position is None else f"position {self.position}: "
        return f"{where}{self.name} (version {self.schema}) cannot be read: {self.reason}"

    def at(self, position: int) -> UnreadableEvent:
        """The same, saying where."""
        return UnreadableEvent(self.name, self.schema, self.reason, position)
