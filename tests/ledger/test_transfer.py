"""The log as JSON lines: anybody can check it, and a ledger filled from it is the same to the last hash."""

from __future__ import annotations

import hashlib
import io
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO, Any

import pytest

from ledger import filling, integrity, transfer
from ledger.codec import EventCodec, event_classes
from ledger.errors import LedgerError, StoreNotFound, UnreadableEvent
from ledger.filling import NotEmpty
from ledger.integrity import Anchor
from ledger.rows import LogDiffers
from ledger.service import Ledger
from ledger.transfer import ExportRange, ImportCut, ImportDiffers, ImportMalformed, NotAnExport
from ledger.upcasts import UPCASTS
from tests.ledger.behind import Behind
from tests.ledger.conftest import KINDS
from tests.ledger.play import buy_in, contents, hand_in, ledger_at, play, url_of
from tests.ledger.test_integrity import Tampering, rehash
from tests.postgres import Database

PAGE = Path(__file__).parents[2] / "docs" / "backup.md"


def exported(url: str, after: int = 0, until: int | None = None) -> bytes:
    """The log at `url` as it is exported."""
    written: list[bytes] = []
    with Ledger.open(url, read_only=True) as ledger:
        transfer.export(ledger, written.append, after, until)
    return b"".join(written)


def imported(export: bytes, url: str) -> Anchor:
    return transfer.import_log(io.BytesIO(export), url)


@pytest.fixture
def export(url: str) -> bytes:
    """An export of three rounds."""
    with ledger_at(url) as ledger:
        play(ledger, rounds=3)
    return exported(url)


@pytest.fixture(params=KINDS)
def other(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a second ledger: a file that is not there, and a database whose ledger is empty."""
    if request.param == "sqlite":
        return url_of(tmp_path, "other.db")
    database: Database = request.getfixturevalue("databases").fresh()
    return database.url


def test_an_imported_ledger_is_the_same_to_the_last_byte(url: str, export: bytes, other: str) -> None:
    end = imported(export, other)
    assert exported(other) == export
    with ledger_at(url) as before, ledger_at(other) as after:
        assert integrity.anchor(after) == end == integrity.anchor(before)
        assert contents(after) == contents(before)
        assert integrity.verify(after, end).verified
        assert desk(after) == desk(before)


def desk(ledger: Ledger) -> list[tuple[Any, ...]]:
    """The stored desk and the position that it stands at."""
    with ledger.store.reading() as connection:
        rows = connection.exec_driver_sql("SELECT key, entry FROM desk ORDER BY key").all()
        return [*map(tuple, rows), (connection.exec_driver_sql(_POSITION).scalar(),)]


_POSITION = "SELECT value FROM meta WHERE name = 'desk_position'"


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_an_imported_ledger_goes_on(export: bytes, other: str) -> None:
    imported(export, other)
    with ledger_at(other) as ledger:
        again = ledger.submit(hand_in(buy_in("buy-1")))
        new = ledger.submit(hand_in(buy_in("later")))
        assert [each.status for each in again + new] == ["repeated", "recorded"]
        assert integrity.verify(ledger).verified


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_an_empty_log_is_exported_and_imported(url: str, other: str) -> None:
    ledger_at(url).close()
    export = exported(url)
    assert len(export.splitlines()) == 2
    assert imported(export, other) == Anchor(0, "00" * 32)
    assert exported(other) == export


def test_the_last_line_is_the_anchor(url: str, export: bytes) -> None:
    with ledger_at(url) as ledger:
        assert Anchor.read(export.splitlines()[-1].decode()) == integrity.anchor(ledger)


def test_every_column_stands_in_a_line(url: str, export: bytes) -> None:
    behind = Behind(url)
    for line in export.splitlines()[1:-1]:
        said = json.loads(line)
        row = behind.row(said["position"])
        names = dict(zip(("kind", "key"), *behind.execute(_NAMES, (row["stream_id"],)), strict=True))
        row["payload"] = json.loads(row["payload"])
        assert said == {
            name: bytes(value).hex() if isinstance(value, bytes | memoryview) else value
            for name, value in (row | names).items()
        }
    behind.close()


_NAMES = "SELECT kind, key FROM streams WHERE id = ?"


def stranger() -> Callable[[IO[bytes]], str]:
    """The program of the page, which knows nothing of this one."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    assert {name for name in names if not name.startswith("_")} == {"hashlib", "json", "check"}
    check: Callable[[IO[bytes]], str] = names["check"]
    return check


def test_the_program_on_the_page_checks_an_export(url: str, export: bytes) -> None:
    def says(content: bytes) -> str:
        return stranger()(io.BytesIO(content))

    assert says(export) == "sound"
    lines = export.splitlines(keepends=True)
    assert says(b"".join(lines[:-1])) == "cut after position 23"
    assert says(b"".join(lines[:9])) == "cut after position 8"
    assert says(b"".join(lines[:9] + lines[10:])) == "position 9 is not what was recorded"
    assert says(export.replace(b'"dealer":"D1"', b'"dealer":"D2"')) == "position 3 is not what was recorded"
    assert says(exported(url, after=9, until=14)) == "sound"


def test_the_hashes_fit_by_the_published_recipe_without_the_payloads_bytes(export: bytes) -> None:
    """What is stored is the canonical form, so that a reader that keeps no bytes can write them again."""
    for line in export.splitlines()[1:-1]:
        payload = json.loads(line)["payload"]
        written = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        assert line.endswith(b'"payload":' + written + b"}")


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_parts_of_a_log_hang_together(url: str, export: bytes) -> None:
    lines = export.splitlines()
    first, second = exported(url, until=10).splitlines(), exported(url, after=10).splitlines()
    assert first[1:-1] + second[1:-1] == lines[1:-1]
    assert json.loads(second[0])["previous"] == json.loads(first[-1])["head"]
    assert json.loads(first[-1])["count"] == 10
    assert second[-1] == lines[-1]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("after", "until"), [(24, None), (-1, None), (0, 24), (5, 4)])
def test_positions_that_the_log_has_not_are_refused(url: str, export: bytes, after: int, until: int | None) -> None:
    with pytest.raises(ExportRange, match="the log ends at position 23"):
        exported(url, after, until)


def refused(export: bytes, url: str, error: type[LedgerError], words: str) -> None:
    """The import ends with `error`, and what was at `url` is as it was."""
    with pytest.raises(error, match=words):
        imported(export, url)
    path = Path(url.removeprefix("sqlite:///"))
    if url.startswith("sqlite"):
        assert not path.exists()
        assert [each for each in path.parent.iterdir() if "other" in each.name] == []
    else:
        with Ledger.open(url) as ledger:
            assert ledger.head().position == 0
            assert integrity.verify(ledger).verified


def with_line(export: bytes, number: int, change: Callable[[bytes], bytes]) -> bytes:
    """The export with one line, counted from 1, changed."""
    lines = export.splitlines(keepends=True)
    lines[number - 1] = change(lines[number - 1])
    return b"".join(lines)


MALFORMED: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"\n",
    "no JSON": lambda line: line[:-2] + b"\n",
    "an array": lambda _: b"[]\n",
    "a number": lambda _: b"7\n",
    "a space": lambda line: line.replace(b'"version":', b'"version": ', 1),
    "a carriage return": lambda line: line[:-1] + b"\r\n",
    "another order": lambda line: reordered(line),
    "a key more": lambda line: line.replace(b'"payload":', b'"more":1,"payload":', 1),
    "a key less": lambda line: line.replace(b'"by":"D7",', b"", 1),
    "a key twice": lambda line: line.replace(b'"by":', b'"by":"D7","by":', 1),
    "an escape": lambda line: line.replace(b'"by":"D7"', b'"by":"\\u0044\\u0037"'),
    "capital digits": lambda line: re.sub(rb'"hash":"[0-9a-f]+"', lambda found: found[0].upper(), line),
    "no digits": lambda line: re.sub(rb'"hash":"..', b'"hash":"zz', line),
    "a number as text": lambda line: re.sub(rb'"version":(\d+)', rb'"version":"\1"', line, count=1),
    "a truth": lambda line: re.sub(rb'"schema":(\d+)', rb'"schema":true', line, count=1),
    "a fraction": lambda line: re.sub(rb'"schema":(\d+)', rb'"schema":1.0', line, count=1),
    "a payload as text": lambda line: line.partition(b'"payload":')[0] + b'"payload":"{}"}\n',
    "bytes that are no text": lambda line: line.replace(b'"by":"D7"', b'"by":"\xff"'),
}


def reordered(line: bytes) -> bytes:
    """The line with its keys in ascending order."""
    return json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("other", ["sqlite"], indirect=True)
@pytest.mark.parametrize("change", MALFORMED.values(), ids=list(MALFORMED))
def test_a_malformed_line_is_refused_by_its_number(export: bytes, other: str, change: Callable[[bytes], bytes]) -> None:
    changed = with_line(export, 14, change)
    assert changed != export
    refused(changed, other, ImportMalformed, "^line 14: ")


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_changed_event_is_refused_by_its_line(export: bytes, other: str) -> None:
    changed = with_line(export, 14, lambda line: line.replace(b'"by":"D7"', b'"by":"D8"'))
    refused(changed, other, ImportDiffers, r"^line 14: .* \(position 13\)")


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("other", ["sqlite"], indirect=True)
def test_a_missing_a_repeated_and_an_exchanged_line_are_refused(export: bytes, other: str) -> None:
    lines = export.splitlines(keepends=True)
    for changed in (
        lines[:13] + lines[14:],
        [*lines[:13], lines[12], *lines[13:]],
        [*lines[:13], lines[14], lines[13], *lines[15:]],
    ):
        refused(b"".join(changed), other, ImportDiffers, "^line 14: ")


@pytest.mark.parametrize("other", ["sqlite"], indirect=True)
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_file_that_is_cut_anywhere_is_refused(export: bytes, other: str) -> None:
    ends = [place for place, byte in enumerate(export) if byte == ord(b"\n")]
    for place in (*ends[:-1], *(end + 1 for end in ends[:-1]), *(end + 20 for end in ends[:-1]), len(export) - 1):
        if place <= ends[0]:
            refused(export[:place], other, NotAnExport, "first line")
        else:
            refused(export[:place], other, ImportCut, "is cut (in|after) line")


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("other", ["sqlite"], indirect=True)
def test_an_end_that_is_not_that_of_the_events_is_refused(export: bytes, other: str) -> None:
    lines = export.splitlines(keepends=True)
    refused(b"".join(lines[:-3] + lines[-1:]), other, ImportCut, "not the end of these 21 events")


@pytest.mark.parametrize("other", ["sqlite"], indirect=True)
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_something_after_the_end_is_refused(export: bytes, other: str) -> None:
    refused(export + b"\n", other, ImportMalformed, "^line 26: something follows")


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (b"", "first line"),
        (b"{}\n", "first line"),
        (b'{"command":"settle"}\n', "first line"),
        (b'{"export":"round-ledger","version":2}\n', "version 2"),
        (b"\xff\xfe\n", "first line"),
    ],
)
def test_what_is_no_export_is_refused(tmp_path: Path, first: bytes, words: str) -> None:
    refused(first, url_of(tmp_path, "other.db"), NotAnExport, words)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_part_of_a_log_is_refused(url: str, export: bytes, tmp_path: Path) -> None:
    refused(exported(url, after=3), url_of(tmp_path, "other.db"), NotAnExport, "begins after position 3")


def test_a_ledger_that_holds_events_is_refused(url: str, export: bytes) -> None:
    with pytest.raises(NotEmpty, match="holds 23 events"):
        imported(export, url)
    assert exported(url) == export


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_ledger_that_is_there_and_empty_is_filled(url: str, export: bytes, tmp_path: Path) -> None:
    other = url_of(tmp_path, "other.db")
    with ledger_at(other) as open_:
        imported(export, other)
        assert integrity.verify(open_).count == 23
    assert exported(other) == export


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_database_without_tables_is_refused(export: bytes, tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound, match="make it"):
        imported(export, f"sqlite:///{tmp_path / 'nowhere' / 'rounds.db'}")


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_an_unknown_event_stops_with_its_position(export: bytes, other: str) -> None:
    known = [class_ for name, class_ in event_classes().items() if name != "round.wager-placed"]
    with pytest.raises(UnreadableEvent, match=r"^position 4: round.wager-placed"):
        transfer.import_log(io.BytesIO(export), other, codec=EventCodec(known, UPCASTS))


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("column", ["by", "payload"])
def test_an_export_stops_at_what_was_not_recorded(url: str, export: bytes, column: str) -> None:
    tampering = Tampering(url)
    value = tampering.row(13)[column]
    changed = value.replace(b"1200", b"1201") if column == "payload" else "D8"
    assert changed != value
    tampering.execute(f'UPDATE events SET "{column}" = ? WHERE position = 13', (changed,))
    tampering.close()
    with pytest.raises(LogDiffers, match=r"^position 13: .*`rounds verify`"):
        exported(url)


def test_an_export_stops_at_a_gap_and_at_a_stream_without_a_name(url: str, export: bytes) -> None:
    tampering = Tampering(url)
    tampering.execute("DELETE FROM streams WHERE key = 'r3'")
    with pytest.raises(LogDiffers, match=r"^position 17: its stream has no name"):
        exported(url)
    tampering.execute("DELETE FROM events WHERE position = 9")
    tampering.close()
    with pytest.raises(LogDiffers, match=r"^position 9: the event is missing"):
        exported(url)
    with pytest.raises(LogDiffers, match=r"^position 9: the event is missing"):
        exported(url, after=9)


def forged(url: str, *changes: str) -> bytes:
    """An export of a log that somebody changed and gave right hashes."""
    tampering = Tampering(url)
    for change in changes:
        tampering.execute(change)
    rehash(tampering)
    tampering.close()
    return exported(url)


FORGED = {
    "a version that does not follow": (("UPDATE events SET version = 9 WHERE position = 13",), "^line 14: version 9"),
    "a time that falls": (("UPDATE events SET recorded_at = 1 WHERE position = 13",), "^line 14: .*before the event"),
    "a command without its size": (
        ("UPDATE events SET command_size = NULL WHERE position = 13",),
        "^line 14: .*id and size",
    ),
    "a command twice": (
        ("DROP INDEX events_command", "UPDATE events SET command_id = 'buy-1' WHERE position = 5"),
        "^line 2: the store refuses it or one up to 23",
    ),
}


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("changes", "words"), FORGED.values(), ids=list(FORGED))
def test_what_no_ledger_can_hold_is_refused_even_under_right_hashes(
    url: str, export: bytes, other: str, changes: tuple[str, ...], words: str
) -> None:
    refused(forged(url, *changes), other, ImportDiffers, words)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("other", ["sqlite"], indirect=True)
def test_a_stream_that_changes_its_name_is_refused(url: str, export: bytes, other: str) -> None:
    lines = export.splitlines(keepends=True)
    previous = bytes.fromhex(json.loads(lines[12])["hash"])
    lines[13] = forge(lines[13], previous, key="r9")
    refused(b"".join(lines[:14]), other, ImportDiffers, "^line 14: its stream was called round r2 before")


def forge(line: bytes, previous: bytes, **changes: Any) -> bytes:
    """The line with other columns and the hash that belongs to them."""
    from ledger.rows import right_hash

    row = transfer.read_line(line, 0)._replace(**changes)
    hash_ = right_hash(row, previous)
    assert hash_ is not None
    assert hashlib.sha256().digest_size == len(hash_)
    return transfer.line_of(row._replace(hash=hash_))


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("other", ["sqlite"], indirect=True)
def test_streams_that_were_let_go_are_looked_up(
    url: str, export: bytes, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "GROUP", 2)
    monkeypatch.setattr(filling, "KEPT_STREAMS", 0)
    imported(export, other)
    assert exported(other) == export


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_who_makes_the_file_meanwhile_keeps_it(export: bytes, tmp_path: Path) -> None:
    other = tmp_path / "other.db"

    class Late(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            line = super().readline(size)
            if line.startswith(b'{"count"'):
                assert not other.exists()
                ledger_at(f"sqlite:///{other}").close()
            return line

    with pytest.raises(LedgerError, match="is there already"):
        transfer.import_log(Late(export), f"sqlite:///{other}")
    with closing(sqlite3.connect(other)) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (0,)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("other", ["sqlite"], indirect=True)
def test_progress_is_told(url: str, export: bytes, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "_TOLD_EVERY", 10)
    told: list[tuple[int, int]] = []
    with Ledger.open(url, read_only=True) as ledger:
        transfer.export(ledger, lambda _: None, 3, None, lambda *done: told.append(done))
    transfer.import_log(io.BytesIO(export), other, lambda *done: told.append(done))
    assert told == [(7, 20), (17, 20), (10, 23), (20, 23)]
