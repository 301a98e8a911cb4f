"""A backup is of one moment, whole or not there, and what is restored from it is what was recorded."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from ledger import backup, integrity, roles
from ledger.backup import BackupUnsound
from ledger.errors import NotALedger, StoreFailed, StoreFull, StoreNotFound
from ledger.filling import NotEmpty
from ledger.integrity import Anchor
from ledger.placing import FileTaken
from ledger.rows import LogDiffers
from ledger.service import Ledger
from projections import catalog
from tests.cli.conftest import environment
from tests.ledger.behind import Behind
from tests.ledger.conftest import KINDS
from tests.ledger.play import a_round, hand_in, ledger_at, play, url_of
from tests.ledger.test_integrity import Tampering, rehash
from tests.ledger.test_transfer import desk, exported
from tests.postgres import Database, Databases

SQLITE = pytest.mark.parametrize("url", ["sqlite"], indirect=True)


@pytest.fixture
def ledger(url: str) -> Iterator[Ledger]:
    """A ledger of three rounds."""
    with ledger_at(url) as opened:
        play(opened, rounds=3)
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for backups."""
    made = tmp_path / "backups"
    made.mkdir()
    return made


@pytest.fixture(params=["a new file", "an empty file", "an empty database"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a backup may be restored."""
    if request.param == "an empty database":
        database: Database = request.getfixturevalue("databases").fresh()
        return database.url
    if request.param == "an empty file":
        ledger_at(url_of(tmp_path, "empty.db")).close()
        return url_of(tmp_path, "empty.db")
    return url_of(tmp_path, "new.db")


def url_to(file: Path) -> str:
    return f"sqlite:///{file}"


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_backup_is_a_ledger_with_the_same_log(url: str, ledger: Ledger, folder: Path) -> None:
    copied = backup.backup(ledger, folder / "night")
    assert Anchor(copied.events, copied.head) == integrity.anchor(ledger)
    with Ledger.open(url_to(folder / "night"), read_only=True) as made:
        assert integrity.verify(made, integrity.anchor(ledger)).verified
        assert desk(made) == desk(ledger)
    assert exported(url_to(folder / "night")) == exported(url)
    assert names(folder) == ["night"]


def test_a_backup_is_one_file_that_can_only_be_read(ledger: Ledger, folder: Path) -> None:
    backup.backup(ledger, folder / "night")
    assert stat.S_IMODE((folder / "night").stat().st_mode) & 0o222 == 0
    with closing(sqlite3.connect(f"file:{folder / 'night'}?mode=ro&immutable=1", uri=True)) as plain:
        assert plain.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert plain.execute("SELECT count(*) FROM events").fetchone() == (23,)


def test_restoring_gives_the_ledger_back(url: str, ledger: Ledger, folder: Path, place: str) -> None:
    before = digests(ledger)
    kept = integrity.anchor(ledger)
    backup.backup(ledger, folder / "night")
    restored = backup.restore(folder / "night", place, kept)
    assert (restored.events, restored.head) == (kept.count, kept.head)
    assert exported(place) == exported(url)
    with ledger_at(place) as again:
        assert integrity.verify(again, kept).verified
        assert desk(again) == desk(ledger)
        assert digests(again) == before
        again.submit(hand_in(*a_round(4)))
        assert integrity.verify(again, kept).verified


def digests(ledger: Ledger) -> list[str]:
    """What every projection holds."""
    catalog.catch_up(ledger)
    return [catalog.digest(ledger, each.NAME) for each in catalog.KINDS]


@SQLITE
def test_a_backup_is_of_the_moment_at_which_it_begins(
    url: str, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step of the copy is followed by a commit, which would make a copy without a snapshot begin again."""
    monkeypatch.setattr(backup, "STEP_PAGES", 1)
    kept = integrity.anchor(ledger)
    steps = 0

    def tell(what: str, done: int, of: int) -> None:
        nonlocal steps
        steps += 1
        ledger.submit(hand_in(*a_round(100 + steps, f"T{steps}")))
        assert done == steps

    with Ledger.open(url, read_only=True) as reading:
        copied = backup.backup(reading, folder / "night", tell=tell)
    assert steps > 10
    assert Anchor(copied.events, copied.head) == kept
    with Ledger.open(url_to(folder / "night"), read_only=True) as made:
        assert integrity.verify(made, kept).count == 23
    assert ledger.head().position == 23 + 7 * steps


def test_a_backup_while_another_process_records_is_a_beginning_of_its_log(
    url: str, ledger: Ledger, folder: Path
) -> None:
    command = [sys.executable, "-m", "tests.ledger.writing", url, "7", "40"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment()) as writing:
        assert writing.stdout is not None
        writing.stdout.readline()
        copies = [backup.backup(ledger, folder / f"{number}") for number in range(3)]
        writing.stdout.read()
    assert writing.returncode == 0
    for number, copied in enumerate(copies):
        kept = Anchor(copied.events, copied.head)
        assert integrity.verify(ledger, kept).verified
        with Ledger.open(url_to(folder / f"{number}"), read_only=True) as made:
            assert integrity.verify(made, kept).verified
            assert integrity.anchor(made) == kept


def test_nothing_is_overwritten_unless_that_is_wanted(ledger: Ledger, folder: Path) -> None:
    (folder / "night").write_bytes(b"something")
    with pytest.raises(FileTaken, match="--force"):
        backup.backup(ledger, folder / "night")
    assert (folder / "night").read_bytes() == b"something"
    for _ in range(2):
        backup.backup(ledger, folder / "night", replace=True)
    with Ledger.open(url_to(folder / "night"), read_only=True) as made:
        assert integrity.verify(made).count == 23
    assert names(folder) == ["night"]


@SQLITE
def test_the_ledger_itself_is_never_replaced(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("rounds.db")
    for name in ("rounds.db", "link"):
        with pytest.raises(FileTaken, match="the ledger itself"):
            backup.backup(ledger, tmp_path / name, replace=True)
    assert integrity.verify(ledger).count == 23


@SQLITE
def test_a_name_with_a_write_ahead_log_beside_it_is_refused(ledger: Ledger, folder: Path) -> None:
    """SQLite would take what lies there for the new file's own."""
    with ledger_at(url_to(folder / "other.db")) as other:
        play(other, rounds=1)
        with pytest.raises(FileTaken, match=r"other\.db-wal belongs to"):
            backup.backup(ledger, folder / "other.db", replace=True)
        assert integrity.verify(other).count == 9
    (folder / "lost.db-wal").write_bytes(b"the last commits")
    backup.backup(ledger, folder / "night")
    with pytest.raises(FileTaken, match=r"lost\.db-wal belongs to"):
        backup.restore(folder / "night", url_to(folder / "lost.db"))
    assert (folder / "lost.db-wal").read_bytes() == b"the last commits"


@SQLITE
def test_a_place_that_cannot_be_is_refused(ledger: Ledger, folder: Path) -> None:
    with pytest.raises(FileTaken, match="is a folder"):
        backup.backup(ledger, folder, replace=True)
    with pytest.raises(StoreNotFound, match=r"the folder .* does not exist"):
        backup.backup(ledger, folder / "nowhere" / "night")


def test_an_interrupted_backup_leaves_nothing(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "STEP_PAGES", 5)
    monkeypatch.setattr(backup, "_TOLD_EVERY", 5)
    with pytest.raises(KeyboardInterrupt):
        backup.backup(ledger, folder / "night", tell=interrupt)
    assert names(folder) == []
    (folder / "night").write_bytes(b"the one before")
    with pytest.raises(KeyboardInterrupt):
        backup.backup(ledger, folder / "night", replace=True, tell=interrupt)
    assert names(folder) == ["night"]
    assert (folder / "night").read_bytes() == b"the one before"


def interrupt(what: str, done: int, of: int) -> None:
    raise KeyboardInterrupt


def test_an_interrupted_restore_leaves_the_place_as_it_was(
    ledger: Ledger, folder: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup.backup(ledger, folder / "night")
    monkeypatch.setattr(backup, "STEP_PAGES", 5)
    monkeypatch.setattr(backup, "_TOLD_EVERY", 5)

    def tell(what: str, done: int, of: int) -> None:
        if "copied" in what:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backup.restore(folder / "night", place, tell=tell)
    left_as_it_was(place)
    assert backup.restore(folder / "night", place).events == 23


def left_as_it_was(place: str) -> None:
    """No ledger, or an empty one."""
    path = Path(place.removeprefix("sqlite:///"))
    if path.name == "new.db":
        assert [each for each in path.parent.iterdir() if "new.db" in each.name] == []
    else:
        with Ledger.open(place) as opened:
            assert opened.head().position == 0
            assert integrity.verify(opened).verified


KILLED = """
import os, signal, sys
from pathlib import Path
from ledger import backup
from ledger.service import Ledger

def die(what, done, of):
    if what == sys.argv[3]:
        os.kill(os.getpid(), signal.SIGKILL)

backup.STEP_PAGES = 3
backup._TOLD_EVERY = 7
"""
BACKUP = "backup.backup(Ledger.open(sys.argv[1]), Path(sys.argv[2]), tell=die)"
RESTORE = "backup.restore(Path(sys.argv[2]), sys.argv[1], tell=die)"


def run(program: str, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_backup_leaves_no_file_of_its_name(kind: str, request: pytest.FixtureRequest, folder: Path) -> None:
    url = url_of(folder.parent) if kind == "sqlite" else request.getfixturevalue("database").url
    with ledger_at(url) as ledger:
        play(ledger)
    killed = run(KILLED + BACKUP, url, folder / "night", "pages copied" if kind == "sqlite" else "events copied")
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert all(name.startswith(".night.") for name in names(folder))


@SQLITE
def test_a_killed_restore_leaves_the_place_as_it_was(ledger: Ledger, folder: Path, place: str) -> None:
    backup.backup(ledger, folder / "night")
    what = "pages copied" if place.endswith("new.db") else "events copied"
    killed = run(KILLED + RESTORE, place, folder / "night", what)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not Path(place.removeprefix("sqlite:///")).exists() or not place.endswith("new.db")
    assert backup.restore(folder / "night", place).events == 23


def limited() -> None:
    """No file of this process may grow beyond 64 KiB: what a full disk does to it."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, 65_536))


def test_a_disk_that_takes_no_more_leaves_nothing(url: str, folder: Path) -> None:
    with ledger_at(url) as ledger:
        play(ledger, rounds=60)
    full = run(
        f"{FULL}backup.backup(Ledger.open(sys.argv[1]), Path(sys.argv[2]))", url, folder / "night", preexec_fn=limited
    )
    assert (full.returncode, full.stdout.split(":")[0]) == (1, "StoreFailed"), full.stderr
    assert names(folder) == []
    with Ledger.open(url, read_only=True) as ledger:
        backup.backup(ledger, folder / "night")
    full = run(
        f"{FULL}backup.restore(Path(sys.argv[2]), sys.argv[1])",
        url_to(folder / "new.db"),
        folder / "night",
        preexec_fn=limited,
    )
    assert (full.returncode, full.stdout.split(":")[0]) == (1, "StoreFailed"), full.stderr
    assert names(folder) == ["night"]


FULL = """
import sys
from pathlib import Path
from ledger import backup
from ledger.errors import LedgerError
from ledger.service import Ledger

def say(kind, error, trace):
    print(kind.__name__, error, sep=": ")
    sys.stdout.flush()
    assert issubclass(kind, LedgerError)

sys.excepthook = say
"""


def test_a_full_disk_is_said(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorname = "SQLITE_FULL"
        raise error

    monkeypatch.setattr(backup, "unjournaled", full)
    monkeypatch.setattr("ledger.filling.unjournaled", lambda connection, _: full(connection))
    with pytest.raises(StoreFull, match="night"):
        backup.backup(ledger, folder / "night")
    assert names(folder) == []


@pytest.fixture
def night(ledger: Ledger, folder: Path) -> Path:
    """A backup that its owner can change."""
    backup.backup(ledger, folder / "night")
    (folder / "night").chmod(0o600)
    return folder / "night"


CHANGES: dict[str, tuple[tuple[str, ...], str]] = {
    "an event": (("UPDATE events SET \"by\" = 'D8' WHERE position = 13",), "position 13: hash.differs"),
    "a removed event": (("DELETE FROM events WHERE position = 13",), "position 14: position.gap"),
    "a cut log": (
        (
            "DELETE FROM events WHERE position > 16",
            "DELETE FROM streams WHERE id NOT IN (SELECT stream_id FROM events)",
        ),
        "desk.position",
    ),
    "a desk entry": (("DELETE FROM desk WHERE key LIKE '%table%'",), "desk.differs"),
    "a stream": (("DELETE FROM streams WHERE key = 'r2'",), "position 10: stream.missing"),
}


@SQLITE
@pytest.mark.parametrize(("changes", "words"), CHANGES.values(), ids=list(CHANGES))
def test_a_changed_backup_is_refused_with_the_position(
    night: Path, tmp_path: Path, changes: tuple[str, ...], words: str
) -> None:
    change(night, *changes)
    with pytest.raises(BackupUnsound, match=words):
        backup.restore(night, url_of(tmp_path, "new.db"))
    left_as_it_was(url_of(tmp_path, "new.db"))


def change(night: Path, *changes: str, afterwards: Callable[[Tampering], None] = lambda _: None) -> None:
    """Changes the backup and puts its guards back."""
    tampering = Tampering(url_to(night))
    for statement in changes:
        tampering.execute(statement)
    afterwards(tampering)
    for statement in tampering.guards.values():
        tampering.execute(statement)
    tampering.close()


@SQLITE
def test_a_backup_without_its_guards_is_refused(night: Path, tmp_path: Path) -> None:
    tampering = Tampering(url_to(night))
    tampering.close()
    with pytest.raises(BackupUnsound, match=r"guard\.missing"):
        backup.restore(night, url_of(tmp_path, "new.db"))


@SQLITE
def test_a_backup_that_was_written_anew_is_refused_by_the_anchor(night: Path, ledger: Ledger, tmp_path: Path) -> None:
    change(night, "UPDATE events SET \"by\" = 'D8' WHERE position = 13", afterwards=rehash)
    with pytest.raises(BackupUnsound, match=r"position 23: anchor\.differs"):
        backup.restore(night, url_of(tmp_path, "new.db"), integrity.anchor(ledger))
    assert backup.restore(night, url_of(tmp_path, "new.db")).events == 23


@SQLITE
def test_an_older_backup_is_refused_by_a_newer_anchor(night: Path, ledger: Ledger, tmp_path: Path) -> None:
    ledger.submit(hand_in(*a_round(4)))
    with pytest.raises(BackupUnsound, match=r"anchor\.cut"):
        backup.restore(night, url_of(tmp_path, "new.db"), integrity.anchor(ledger))


@SQLITE
def test_a_backup_that_is_cut_is_refused_with_how_far_it_can_be_read(url: str, folder: Path, tmp_path: Path) -> None:
    with ledger_at(url) as ledger:
        play(ledger, rounds=60)
        backup.backup(ledger, folder / "night")
    whole = (folder / "night").read_bytes()
    (folder / "night").chmod(0o600)
    readable = []
    for part in range(1, 20):
        (folder / "night").write_bytes(whole[: len(whole) * part // 20])
        with pytest.raises((BackupUnsound, NotALedger)) as refused:
            backup.restore(folder / "night", url_of(tmp_path, "new.db"))
        if isinstance(refused.value, BackupUnsound):
            assert "damaged or cut" in str(refused.value)
            readable.append(int(str(refused.value).partition("up to position ")[2].partition(".")[0]))
    left_as_it_was(url_of(tmp_path, "new.db"))
    assert readable == sorted(readable)
    assert 0 < readable[-1] < 422


@SQLITE
def test_every_damaged_page_is_found_or_does_not_matter(night: Path, ledger: Ledger, tmp_path: Path) -> None:
    """A page of zeros is refused wherever it is, unless nothing of the ledger stands on it."""
    whole = night.read_bytes()
    new = tmp_path / "new.db"
    for start in range(0, len(whole), 4096):
        night.write_bytes(whole[:start] + bytes(4096) + whole[start + 4096 :])
        with suppress(BackupUnsound, NotALedger, StoreNotFound):
            backup.restore(night, url_to(new), integrity.anchor(ledger))
            with Ledger.open(url_to(new), read_only=True) as restored:
                assert integrity.verify(restored, integrity.anchor(ledger)).verified
            new.unlink()
        assert names(tmp_path) == ["backups", "rounds.db", "rounds.db-shm", "rounds.db-wal"]


@SQLITE
def test_what_is_no_backup_is_refused(url: str, ledger: Ledger, folder: Path, tmp_path: Path) -> None:
    new = url_of(tmp_path, "new.db")
    (folder / "log.jsonl").write_bytes(exported(url))
    (folder / "text").write_text("a text", encoding="utf-8")
    (folder / "empty").touch()
    with closing(sqlite3.connect(folder / "other")) as other:
        other.execute("CREATE TABLE a (b)")
    for name, error, words in (
        ("log.jsonl", NotALedger, "rounds import"),
        ("text", NotALedger, "no SQLite database"),
        ("other", NotALedger, "something else"),
        ("empty", StoreNotFound, "empty"),
        ("nothing", StoreNotFound, "there is no backup"),
        ("", NotALedger, "is a folder"),
    ):
        with pytest.raises(error, match=words):
            backup.restore(folder / name, new)
    left_as_it_was(new)


def test_a_ledger_that_holds_events_is_refused_before_anything_is_read(url: str, ledger: Ledger, folder: Path) -> None:
    before = exported(url)
    backup.backup(ledger, folder / "night")
    with pytest.raises(NotEmpty, match="holds 23 events"):
        backup.restore(folder / "night", url, tell=interrupt)
    assert exported(url) == before


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_a_database_whose_log_was_changed_is_not_backed_up(url: str, ledger: Ledger, folder: Path) -> None:
    tampering = Tampering(url)
    tampering.execute("UPDATE events SET \"by\" = 'D8' WHERE position = 13")
    tampering.close()
    with pytest.raises(LogDiffers, match=r"^position 13: .*`rounds verify`"):
        backup.backup(ledger, folder / "night")
    assert names(folder) == []


@SQLITE
def test_a_restored_file_can_be_written_and_keeps_to_the_mask(ledger: Ledger, folder: Path, tmp_path: Path) -> None:
    backup.backup(ledger, folder / "night")
    backup.restore(folder / "night", url_of(tmp_path, "new.db"))
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new.db").stat().st_mode) == 0o666 & ~mask


@SQLITE
def test_a_backup_is_not_for_more_eyes_than_its_ledger(ledger: Ledger, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "rounds.db").chmod(0o600)
    backup.backup(ledger, folder / "night")
    assert stat.S_IMODE((folder / "night").stat().st_mode) == 0o400


@SQLITE
def test_a_disk_that_fails_is_said(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(backup, "unjournaled", fails)
    with pytest.raises(StoreFailed, match="night: disk I/O error"):
        backup.backup(ledger, folder / "night")


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_who_only_looks_may_back_up_and_who_records_may_restore(
    url: str, ledger: Ledger, folder: Path, databases: Databases
) -> None:
    other = databases.fresh()
    for place in (url, other.url):
        behind = Behind(place)
        for statement in roles.statements():
            behind.execute(statement)
        behind.close()
    with Ledger.open(Database(url).as_role(roles.READER)) as reading:
        copied = backup.backup(reading, folder / "night")
    backup.restore(folder / "night", other.as_role(roles.WRITER))
    with Ledger.open(other.as_role(roles.READER)) as restored:
        assert integrity.verify(restored, Anchor(copied.events, copied.head)).verified
