"""The desk as it is stored: a row an entry, and the log position of all; changed in the events' own transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from domain.desk import Entry, Key
from ledger.codec import decode_entry, decode_key, encode_entry, encode_key
from ledger.compiled import Misfit
from ledger.dialects import Dialect
from ledger.errors import StoreDamaged
from ledger.reading import Connection
from ledger.schema import DESK


class DeskStore:
    """Reads and writes the stored desk on a caller's connection."""

    def __init__(self, dialect: Dialect) -> None:
        self._get = dialect.sql("SELECT entry FROM desk WHERE key = ?")
        update = "ON CONFLICT (key) DO UPDATE SET entry = excluded.entry"
        self._put = dialect.inserting(DESK, ("key", "entry"), update)
        self._of_kind = dialect.sql("SELECT key, entry FROM desk WHERE key >= ? AND key < ? ORDER BY key")
        self._position = "SELECT value FROM meta WHERE name = 'desk_position'"
        self._move = dialect.sql("UPDATE meta SET value = ? WHERE name = 'desk_position'")

    def position(self, connection: Connection) -> int:
        """The log position that the stored entries stand at."""
        return self.position_of(connection.exec_driver_sql(self._position).scalar())

    def position_of(self, value: Any) -> int:
        """The position that is stored as `value`; `StoreDamaged` where it is none."""
        stored = str(value)
        if not stored.isdecimal():
            raise StoreDamaged(f"the desk's position is {stored}; restore the ledger from a backup and verify it")
        return int(stored)

    def get(self, connection: Connection, key: Key) -> Any:
        """The stored entry at `key`, None where there is none."""
        return self.decoded(key, self.raw(connection, key))

    def raw(self, connection: Connection, key: Key) -> bytes | None:
        """The bytes of the stored entry at `key`, None where there is none."""
        stored = connection.exec_driver_sql(self._get, (encode_key(key),)).scalar()
        return None if stored is None else _bytes(stored)

    def decoded(self, key: Key, stored: bytes | None) -> Any:
        """The entry that `raw` found."""
        return None if stored is None else _decoded(key, stored)

    def save(self, connection: Connection, entries: Mapping[Key, Entry], position: int) -> None:
        """Stores what changed, as of `position`."""
        self.put(connection, entries)
        self.move(connection, position)

    def put(self, connection: Connection, entries: Mapping[Key, Entry]) -> None:
        """Stores what changed; `move` says as of which position."""
        rows = [(encode_key(key), encode_entry(key, entry)) for key, entry in entries.items()]
        if rows:
            self._put(connection, rows)

    def move(self, connection: Connection, position: int) -> None:
        """Says that the stored entries stand at `position`."""
        connection.exec_driver_sql(self._move, (str(position),))

    def stored(self, connection: Connection) -> Iterator[tuple[str, bytes]]:
        """Every stored entry, as bytes, by its stored key in ascending order."""
        for key, entry in connection.exec_driver_sql("SELECT key, entry FROM desk ORDER BY key"):
            yield key, _bytes(entry)

    def entries(self, connection: Connection, kind: str) -> Iterator[tuple[Key, Any]]:
        """The entries whose key begins with `kind`, such as `sheet` or `meter`."""
        first = encode_key((kind,))[:-1] + ","
        for stored_key, entry in connection.exec_driver_sql(self._of_kind, (first, first + "\U0010ffff")):
            key = decode_key(stored_key)
            yield key, _decoded(key, _bytes(entry))


def _bytes(stored: Any) -> bytes:
    # SQLite lets a column hold anything; a text in place of bytes is somebody else's work.
    return f"not bytes: {stored}".encode() if isinstance(stored, str) else bytes(stored)


def _decoded(key: Key, stored: bytes) -> Entry:
    """The entry; `StoreDamaged` where it is none, for only a failing disk or somebody else writes one that is none."""
    try:
        return decode_entry(key, stored)
    except (Misfit, KeyError, TypeError, ValueError) as trouble:
        raise StoreDamaged(
            f"the desk's entry {encode_key(key)} cannot be read ({trouble}); restore the ledger from a backup and "
            "verify it"
        ) from trouble
