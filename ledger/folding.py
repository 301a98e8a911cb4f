"""The desk folded anew from a log of any length: what changes often in memory, the rest in a store behind it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Protocol

from domain.desk import Entry, Key, fold
from domain.rounds.events import Event
from ledger.codec import decode_entry, encode_entry, encode_key

HOT = 1_024
"""Entries that are kept in memory; a casino's tables, meters and numbers of a day are a few hundred."""


class Behind(Protocol):
    """Where entries go that have not been looked at for long."""

    def get(self, key: Key) -> Any:
        """The entry at `key`, None where there is none."""

    def save(self, entries: Mapping[Key, Entry]) -> None:
        """Keeps the entries, in place of those at the same keys."""


class FoldedDesk:
    """Takes the events of a log in, one after another, with the same small memory however many they are."""

    def __init__(self, behind: Behind) -> None:
        self._behind = behind
        self._entries: dict[Key, Any] = {}
        self._changed: dict[Key, Entry] = {}

    def get(self, key: Key) -> Any:
        """The entry at `key`, None where there is none."""
        if key in self._entries:
            # What is looked at goes to the end: what stands in front can be let go.
            entry = self._entries[key] = self._entries.pop(key)
        else:
            entry = self._entries[key] = self._behind.get(key)
        return entry

    def put(self, key: Key, entry: Entry) -> None:
        """Changes the entry at `key`."""
        self._entries.pop(key, None)
        self._entries[key] = self._changed[key] = entry

    def fold(self, event: Event) -> None:
        """Takes the log's next event in."""
        fold(event, self)
        self.trim()

    def flush(self) -> None:
        """Gives everything that was changed to the store behind."""
        self._behind.save(self._changed)
        self._changed = {}

    def trim(self) -> None:
        """Lets go what was not looked at for longest, where there is more than memory is given for."""
        if len(self._entries) <= HOT:
            return
        self.flush()
        for key in list(islice(self._entries, len(self._entries) - HOT // 2)):
            del self._entries[key]


class ScratchDesk:
    """A store behind a desk that nobody else sees; SQLite keeps it in a temporary file of its own as it grows."""

    CACHE_KIB = 4_096

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None)
        self._connection.execute(f"PRAGMA cache_size = -{self.CACHE_KIB}")
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("CREATE TABLE desk (key TEXT PRIMARY KEY, entry BLOB NOT NULL) WITHOUT ROWID")

    def get(self, key: Key) -> Any:
        """The entry at `key`, None where there is none."""
        row = self._connection.execute("SELECT entry FROM desk WHERE key = ?", (encode_key(key),)).fetchone()
        return None if row is None else decode_entry(key, row[0])

    def save(self, entries: Mapping[Key, Entry]) -> None:
        """Keeps the entries, in place of those at the same keys."""
        rows = [(encode_key(key), encode_entry(key, entry)) for key, entry in entries.items()]
        self._connection.executemany("INSERT OR REPLACE INTO desk VALUES (?, ?)", rows)

    def stored(self) -> Iterator[tuple[str, bytes]]:
        """Every entry as bytes, by its stored key in ascending order."""
        return self._connection.execute("SELECT key, entry FROM desk ORDER BY key")

    def close(self) -> None:
        """Takes the temporary file away."""
        self._connection.close()


def differences(stored: Iterable[tuple[Any, bytes]], right: Iterable[tuple[str, bytes]]) -> Iterator[str]:
    """What is wrong with the stored entries, in words; both are given in ascending order of their keys."""
    wanted = iter(right)
    next_ = next(wanted, None)
    for key, entry in stored:
        if not isinstance(key, str):
            yield f"the desk has an entry {key!r} that no event made"
            continue
        while next_ is not None and next_[0] < key:
            yield f"the desk lacks the entry {next_[0]}"
            next_ = next(wanted, None)
        if next_ is None or next_[0] != key:
            yield f"the desk has an entry {key} that no event made"
            continue
        if next_[1] != entry:
            yield f"the desk's entry {key} is not what the log says"
        next_ = next(wanted, None)
    while next_ is not None:
        yield f"the desk lacks the entry {next_[0]}"
        next_ = next(wanted, None)
