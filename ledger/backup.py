"""Makes a backup while others record, and restores one: a single SQLite file that is a ledger in itself.

The backup of a SQLite ledger is its pages as one moment of it has them; that of a PostgreSQL ledger its log as one
snapshot has it. Either is opened like any ledger, and restored into either kind of database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple
from urllib.parse import quote

from ledger.dialects import Sqlite
from ledger.errors import BROKEN, LedgerError, NotALedger, StoreDamaged, StoreNotFound
from ledger.feed import head as head_of
from ledger.filling import Filling, filling, new_file, refuse_filled, unjournaled
from ledger.integrity import Anchor, Progress, verify_on
from ledger.placing import FileTaken, placed
from ledger.reading import Connection, driver_of
from ledger.records import Head
from ledger.rows import LogRow, read_rows
from ledger.settings import dialect_of, shown, sqlite_file
from ledger.store import open_store

if TYPE_CHECKING:
    from ledger.service import Ledger

_TOLD_EVERY = 1_000
STEP_PAGES = 1_024
"""Pages that are copied between two looks at the clock and for Ctrl-C."""

Tell = Callable[[str, int, int], None]
"""Is told what is counted, how many of it are done, and of how many."""


class BackupUnsound(LedgerError):
    """A backup that is not what was recorded; nothing of it was restored."""

    code: ClassVar[str] = "backup.unsound"
    exit_code: ClassVar[int] = BROKEN


class Copied(NamedTuple):
    """A ledger that was copied: where it is now, and its anchor."""

    place: str
    events: int
    head: str


def backup(ledger: Ledger, file: Path, *, replace: bool = False, tell: Tell | None = None) -> Copied:
    """Copies the ledger as it stands at this moment into `file`, while others go on recording.

    `FileTaken` where the file is there and `replace` is not given. The copy is on the disk and whole before it takes
    its name, and can only be read.
    """
    dialect = ledger.store.dialect
    if isinstance(dialect, Sqlite) and file.exists() and file.samefile(dialect.path):
        raise FileTaken(f"{file} is the ledger itself; name another file")
    with placed(file, replace=replace) as made:
        with ledger.store.reading() as connection:
            head = ledger.feed.head(connection)
            if isinstance(dialect, Sqlite):
                made.chmod(dialect.path.stat().st_mode & 0o666)
                copy_pages(connection, made, file, tell)
            else:
                with new_file(made) as (store, own):
                    _take_all(Filling(store, own), read_rows(dialect, connection), head, tell)
        made.chmod(made.stat().st_mode & 0o444)
    return Copied(str(file), head.position, head.hash.hex())


def restore(file: Path, url: str, kept: Anchor | None = None, tell: Tell | None = None) -> Copied:
    """Puts the backup `file` into the ledger at `url`, which is empty or not there yet.

    Every event of it is verified first, against the anchor `kept` too where one is given; `BackupUnsound` with the
    first position that is not as it was recorded. Whatever goes wrong leaves `url` as it was.
    """
    fresh = dialect_of(url) == "sqlite" and not sqlite_file(url).exists()
    if not fresh:
        _refuse_filled(url)
    with _verified(file, kept, tell) as (source, connection):
        head = source.feed.head(connection)
        if fresh:
            place = sqlite_file(url)
            with placed(place) as made:
                copy_pages(connection, made, place, tell)
        else:
            with filling(url) as target:
                _take_all(target, read_rows(source.store.dialect, connection), head, tell)
    return Copied(shown(url), head.position, head.hash.hex())


def copy_pages(connection: Connection, target: Path, place: Path, tell: Tell | None = None) -> None:
    """Copies the SQLite store of a reading transaction into the file `target`, which is to stand at `place`.

    The transaction sees one moment, so that what others commit meanwhile neither gets in nor makes it begin again. The
    copy is one file in itself, without a write-ahead log.
    """
    raw: Any = driver_of(connection)
    made = sqlite3.connect(target, isolation_level=None)
    try:
        unjournaled(made)
        raw.backup(made, pages=STEP_PAGES, progress=_pages(tell))
        made.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.Error as error:
        raise Sqlite(place, read_only=False).trouble(error) from error
    finally:
        made.close()


def _pages(tell: Tell | None) -> Callable[[int, int, int], None]:
    def progress(_: int, left: int, of: int) -> None:
        if tell is not None:
            tell("pages copied", of - left, of)

    return progress


def _take_all(target: Filling, rows: Iterable[LogRow], head: Head, tell: Tell | None) -> None:
    progress = _telling(tell, "events copied")
    for row in rows:
        target.take(row)
        if progress is not None and row.position % _TOLD_EVERY == 0:
            progress(row.position, head.position)
    target.finish()


def _telling(tell: Tell | None, what: str) -> Progress | None:
    return None if tell is None else partial(tell, what)


def _refuse_filled(url: str) -> None:
    """Says at once, and not after an hour, that the place is taken."""
    store = open_store(url)
    try:
        with store.reading() as connection:
            refuse_filled(store, head_of(connection).position)
    finally:
        store.close()


@contextmanager
def _verified(file: Path, kept: Anchor | None, tell: Tell | None) -> Iterator[tuple[Ledger, Connection]]:
    """The backup as a ledger, and the transaction in which all of it was found to be as it was recorded."""
    from ledger.service import Ledger

    _refuse_other_files(file)
    with ExitStack() as opened:
        try:
            source = opened.enter_context(Ledger.open(f"sqlite:///{file.absolute()}", read_only=True))
            connection = opened.enter_context(source.store.reading())
            with source.store.speaking():
                report = verify_on(source, connection, kept, _telling(tell, "events verified"))
        except StoreDamaged:
            raise BackupUnsound(
                f"{file} is damaged or cut; its events can be read up to position {readable_to(file)}. "
                "Nothing was restored; take another backup"
            ) from None
        if report.first is not None:
            where = "" if report.first.position is None else f"position {report.first.position}: "
            raise BackupUnsound(
                f"{file}: {where}{report.first.code}: {report.first.text}. Nothing was restored; take another backup"
            )
        yield source, connection


def _refuse_other_files(file: Path) -> None:
    if not file.exists():
        raise StoreNotFound(f"there is no backup at {file}; look at the name")
    if file.is_dir():
        raise NotALedger(f"{file} is a folder; name a backup in it")
    with file.open("rb") as stream:
        if stream.read(9) == b'{"export"':
            raise NotALedger(f"{file} is an export of a log; take it in with `rounds import {file}`")


def readable_to(file: Path) -> int:
    """Up to which position the events of a damaged SQLite file can still be read, 0 where none can."""
    position = 0
    uri = f"file:{quote(str(file.absolute()))}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection, suppress(sqlite3.DatabaseError):
        # Reads a file that is shorter than it says as far as it goes.
        connection.execute("PRAGMA writable_schema = ON")
        for found, _ in connection.execute("SELECT position, payload FROM events ORDER BY position"):
            if found != position + 1:
                break
            position = found
    return position
