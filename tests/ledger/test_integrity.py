"""Whatever is changed behind the ledger's back is found, with its position."""

from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ledger import folding, integrity
from ledger.errors import StoreReadOnly
from ledger.integrity import Anchor, AnchorInvalid, VerifyReport
from ledger.reading import Connection, driver_of
from ledger.service import Ledger
from ledger.settings import sqlite_file
from tests.ledger.behind import Behind
from tests.ledger.play import buy_in, hand_in, ledger_at, play, url_of
from tests.ledger.test_guards import COLUMNS
from tests.postgres import libpq

PLACE = 13
"""The event that is tampered with: the first of a command with several, in the middle of a round."""


class Tampering(Behind):
    """Somebody who has dropped the guards, and puts them back before anybody looks."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._url = url
        self.guards = self.drop_guards()

    def verify(self, kept: Anchor | None = None) -> VerifyReport:
        """What `verify` says, once the guards are back."""
        for statement in self.guards.values():
            self.execute(statement)
        self.guards = {}
        with Ledger.open(self._url, read_only=True) as ledger:
            return integrity.verify(ledger, kept)


@pytest.fixture
def kept(url: str) -> Anchor:
    with ledger_at(url) as ledger:
        play(ledger, rounds=3)
        return integrity.anchor(ledger)


@pytest.fixture
def tampering(url: str, kept: Anchor) -> Iterator[Tampering]:
    made = Tampering(url)
    yield made
    made.close()


def codes(report: VerifyReport) -> list[tuple[str, int | None]]:
    return [(each.code, each.position) for each in report.problems]


def test_an_untouched_log_is_verified(tampering: Tampering, kept: Anchor) -> None:
    report = tampering.verify(kept)
    assert report.verified
    assert report.first is None
    assert report.as_json() == {
        "verified": True,
        "count": 23,
        "head": kept.head,
        "anchor": {"count": 23, "head": kept.head},
        "problems": [],
        "more": False,
    }


OTHER: dict[str, Callable[[Any], Any]] = {
    "stream_id": lambda value: bytes([value[0] ^ 1]) + value[1:],
    "version": lambda value: value + 100,
    "name": lambda _: "round.wager-withdrawn",
    "schema": lambda value: value + 1,
    "at": lambda value: value.replace("18:00", "18:01"),
    "recorded_at": lambda value: value + 1,
    "by": lambda _: "D8",
    "source": lambda _: "pit",
    "command_id": lambda value: f"{value}x",
    "command_size": lambda value: value + 1,
    "body_hash": lambda value: bytes([value[0] ^ 1]) + value[1:],
    "payload": lambda value: value.replace(b"1200", b"1201"),
    "hash": lambda value: value[:31] + bytes([value[31] ^ 128]),
}


@pytest.mark.parametrize("column", [each for each in COLUMNS if each != "position"])
def test_a_change_of_any_column_is_found_where_it_was_made(tampering: Tampering, column: str) -> None:
    row = tampering.row(PLACE)
    changed = OTHER[column](row[column])
    assert changed != row[column]
    tampering.execute(f'UPDATE events SET "{column}" = ? WHERE position = ?', (changed, PLACE))
    report = tampering.verify()
    assert not report.verified
    assert report.first is not None
    assert report.first.position == PLACE
    found = {code for code, position in codes(report) if position == PLACE}
    assert found & {"hash.differs", "stream.missing"}


@pytest.mark.parametrize("column", ["source", "command_id", "command_size", "body_hash"])
def test_an_emptied_column_is_found(tampering: Tampering, column: str) -> None:
    tampering.execute(f"UPDATE events SET {column} = NULL WHERE position = ?", (PLACE,))
    assert ("hash.differs", PLACE) in codes(tampering.verify())


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("value", [b"\xff\x00", "text", 70, 1.5])
@pytest.mark.parametrize("column", [each for each in COLUMNS if each != "position"])
def test_a_column_of_another_type_is_found(url: str, tampering: Tampering, column: str, value: object) -> None:
    tampering.execute(f'UPDATE events SET "{column}" = ? WHERE position = ?', (value, PLACE))
    first = tampering.verify().first
    assert first is not None
    assert first.position == PLACE
    with Ledger.open(url, read_only=True) as ledger:
        assert not integrity.round_integrity(ledger, "r2").verified


def test_bytes_moved_from_one_column_to_the_next_are_found(tampering: Tampering) -> None:
    """Lengths are hashed too: the same bytes, cut elsewhere, are another event."""
    row = tampering.row(PLACE)
    tampering.execute(
        'UPDATE events SET "at" = ?, "by" = ? WHERE position = ?', (row["at"] + row["by"][0], row["by"][1:], PLACE)
    )
    assert codes(tampering.verify()) == [("hash.differs", PLACE)]


def test_a_renamed_stream_is_found_at_its_first_event(tampering: Tampering) -> None:
    tampering.execute("UPDATE streams SET key = 'r9' WHERE key = 'r2'")
    first = tampering.verify().first
    assert first is not None
    assert (first.code, first.position) == ("hash.differs", 10)


def test_two_streams_with_their_names_exchanged_are_found(tampering: Tampering) -> None:
    for old, new in (("r1", "x"), ("r2", "r1"), ("x", "r2")):
        tampering.execute("UPDATE streams SET key = ? WHERE key = ?", (new, old))
    assert tampering.verify().first == integrity.Problem(
        "hash.differs", "its content, or an event before it, is not what was recorded", 3
    )


def test_a_removed_stream_name_is_found(tampering: Tampering) -> None:
    tampering.execute("DELETE FROM streams WHERE key = 'r2'")
    assert ("stream.missing", 10) in codes(tampering.verify())


def test_a_stream_without_events_is_found(tampering: Tampering) -> None:
    tampering.execute("INSERT INTO streams (id, kind, key) VALUES (?, 'round', 'ghost')", (b"g" * 16,))
    assert codes(tampering.verify()) == [("stream.empty", None)]


def test_a_removed_event_is_found_where_it_was(tampering: Tampering) -> None:
    tampering.execute("DELETE FROM events WHERE position = ?", (PLACE,))
    report = tampering.verify()
    assert ("position.gap", PLACE + 1) in codes(report)
    assert ("version.gap", PLACE + 1) in codes(report)


def test_a_removed_event_whose_gap_was_closed_is_found(tampering: Tampering) -> None:
    tampering.execute("DELETE FROM events WHERE position = ?", (PLACE,))
    for position in range(PLACE + 1, 24):
        tampering.execute("UPDATE events SET position = position - 1 WHERE position = ?", (position,))
    assert ("hash.differs", PLACE) in codes(tampering.verify())


def test_an_inserted_event_is_found(tampering: Tampering) -> None:
    for position in range(23, PLACE - 1, -1):
        tampering.execute("UPDATE events SET position = position + 1 WHERE position = ?", (position,))
    row = tampering.row(PLACE + 1) | {"position": PLACE, "version": 99, "command_id": None}
    marks = ", ".join("?" * len(row))
    tampering.execute(f"INSERT INTO events VALUES ({marks})", tuple(row.values()))
    assert ("hash.differs", PLACE) in codes(tampering.verify())


def test_two_events_that_changed_places_are_found(tampering: Tampering) -> None:
    for old, new in ((12, 999), (13, 12), (999, 13)):
        tampering.execute("UPDATE events SET position = ? WHERE position = ?", (new, old))
    report = tampering.verify()
    assert report.first is not None
    assert report.first.position == 12
    assert ("version.gap", 12) in codes(report) or ("version.gap", 13) in codes(report)


def test_a_command_recorded_twice_is_found(tampering: Tampering) -> None:
    tampering.execute("DROP INDEX events_command")
    tampering.execute("UPDATE events SET command_id = 'buy-1' WHERE position = 5")
    assert ("command.twice", 5) in codes(tampering.verify())


def test_a_cut_tail_is_found_by_the_anchor_and_by_the_desk(tampering: Tampering, kept: Anchor) -> None:
    tampering.execute("DELETE FROM events WHERE position > 16")
    tampering.execute("DELETE FROM streams WHERE id NOT IN (SELECT stream_id FROM events)")
    report = tampering.verify(kept)
    assert ("anchor.cut", 17) in codes(report)
    assert ("desk.position", None) in codes(report)


def test_a_cut_tail_with_the_desk_put_right_is_found_by_the_anchor_alone(
    url: str, tampering: Tampering, kept: Anchor
) -> None:
    cut_and_put_right(tampering)
    assert tampering.verify().verified
    assert codes(tampering.verify(kept)) == [("anchor.cut", 17)]


def cut_and_put_right(tampering: Tampering) -> None:
    """Everything after the second round goes, and the desk is made to agree."""
    tampering.execute("DELETE FROM events WHERE position > 16")
    tampering.execute("DELETE FROM streams WHERE id NOT IN (SELECT stream_id FROM events)")
    tampering.execute("UPDATE meta SET value = '16' WHERE name = 'desk_position'")
    tampering.execute("UPDATE desk SET entry = ? WHERE key LIKE '%numbers%'", (b'{"runs":[[1,2]]}',))


def test_a_log_rewritten_with_right_hashes_is_found_by_the_anchor_alone(tampering: Tampering, kept: Anchor) -> None:
    """Who can rewrite every hash leaves a log that is sound in itself; the head kept outside is another."""
    payload = tampering.row(PLACE + 1)["payload"].replace(b"100", b"900")
    tampering.execute("UPDATE events SET payload = ? WHERE position = ?", (payload, PLACE + 1))
    rehash(tampering)
    assert tampering.verify().verified
    assert codes(tampering.verify(kept)) == [("anchor.differs", 23)]


def rehash(sql: Tampering) -> None:
    """The chain as `docs/integrity.md` describes it, written a second time."""
    previous = bytes(32)
    rows = sql.execute(
        "SELECT position, version, schema, recorded_at, command_size, stream_id, kind, key, name, at, by, source,"
        " command_id, body_hash, payload FROM events JOIN streams ON streams.id = stream_id ORDER BY position"
    )
    for position, *numbers_and_texts in rows:
        numbers, texts = [position, *numbers_and_texts[:4]], numbers_and_texts[4:]
        whole = hashlib.sha256(previous)
        for number in numbers:
            whole.update((-1 if number is None else number).to_bytes(8, "big", signed=True))
        as_bytes = [each.encode() if isinstance(each, str) else each for each in texts]
        for each in as_bytes:
            whole.update((-1 if each is None else len(each)).to_bytes(4, "big", signed=True))
        for each in as_bytes:
            whole.update(each or b"")
        previous = whole.digest()
        sql.execute("UPDATE events SET hash = ? WHERE position = ?", (previous, position))


def test_the_published_recipe_gives_the_stored_hashes(tampering: Tampering) -> None:
    before = tampering.execute("SELECT position, hash FROM events ORDER BY position")
    rehash(tampering)
    assert tampering.execute("SELECT position, hash FROM events ORDER BY position") == before


def test_an_anchor_holds_while_the_log_grows(url: str, kept: Anchor) -> None:
    with ledger_at(url) as ledger:
        ledger.submit(hand_in(buy_in("later")))
        assert integrity.verify(ledger, kept).verified
        assert integrity.verify(ledger, Anchor(0, "00" * 32)).verified
        assert not integrity.verify(ledger, Anchor(0, "11" * 32)).verified
        assert codes(integrity.verify(ledger, Anchor(5, kept.head))) == [("anchor.differs", 5)]


def test_an_anchor_is_read_as_it_was_printed(kept: Anchor) -> None:
    import json

    assert Anchor.read(json.dumps(kept.as_json())) == kept
    assert Anchor.read(json.dumps(kept.as_json() | {"head": kept.head.upper(), "at": "2026"})) == kept


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '"x"',
        '{"count": 3}',
        '{"count": -1, "head": "' + "00" * 32 + '"}',
        '{"count": true, "head": "' + "00" * 32 + '"}',
        '{"count": 3, "head": "00"}',
        '{"count": 3, "head": "zz"}',
        '{"count": 3, "head": 5}',
    ],
)
def test_a_text_that_is_no_anchor_is_refused(text: str) -> None:
    with pytest.raises(AnchorInvalid, match="no anchor"):
        Anchor.read(text)


NUMBERS = "key LIKE '%numbers%'"


@pytest.mark.parametrize(
    ("change", "parameters"),
    [
        (f"UPDATE desk SET entry = ? WHERE {NUMBERS}", (b'{"runs":[[2,3]]}',)),
        (f"DELETE FROM desk WHERE {NUMBERS}", ()),
        ("INSERT INTO desk VALUES (?, ?)", ('["table","NORTH","T9"]', b"{}")),
        ("UPDATE meta SET value = '22' WHERE name = 'desk_position'", ()),
        ("UPDATE meta SET value = 'far' WHERE name = 'desk_position'", ()),
        ("DELETE FROM meta WHERE name = 'desk_position'", ()),
    ],
)
def test_a_desk_that_is_not_the_logs_is_found(tampering: Tampering, change: str, parameters: tuple[Any, ...]) -> None:
    tampering.execute(change, parameters)
    assert [code.startswith("desk.") for code, _ in codes(tampering.verify())] == [True]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_desk_entry_of_another_type_is_found(tampering: Tampering) -> None:
    tampering.execute(f"UPDATE desk SET entry = CAST(entry AS TEXT) WHERE {NUMBERS}")
    assert [code for code, _ in codes(tampering.verify())] == ["desk.differs"]


def test_an_event_that_cannot_be_read_is_found_even_under_right_hashes(tampering: Tampering) -> None:
    tampering.execute("UPDATE events SET payload = ? WHERE position = ?", (b'{"seat":1}', PLACE + 1))
    rehash(tampering)
    assert codes(tampering.verify()) == [("event.unreadable", PLACE + 1)]


def test_an_unknown_event_is_found_even_under_right_hashes(tampering: Tampering) -> None:
    tampering.execute("UPDATE events SET name = 'os.system' WHERE position = ?", (PLACE + 1,))
    rehash(tampering)
    assert codes(tampering.verify()) == [("event.unreadable", PLACE + 1)]


def test_every_missing_guard_is_named(tampering: Tampering) -> None:
    left_out = sorted(tampering.guards)
    tampering.guards = {}
    report = tampering.verify()
    assert codes(report) == [("guard.missing", None)] * len(left_out)
    assert [each.text.split()[2] for each in report.problems] == left_out


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_guard_that_was_made_harmless_is_named(tampering: Tampering) -> None:
    tampering.guards["events_no_delete"] = (
        "CREATE TRIGGER events_no_delete BEFORE DELETE ON events WHEN 0 BEGIN SELECT 1; END"
    )
    (problem,) = tampering.verify().problems
    assert "events_no_delete" in problem.text


HARMLESS = {
    "a trigger that is off": "ALTER TABLE events DISABLE TRIGGER events_no_change",
    "one that a replica does not fire": "ALTER TABLE events ENABLE TRIGGER events_no_change",
    "another body": "CREATE OR REPLACE FUNCTION ledger_no_change() RETURNS trigger LANGUAGE plpgsql"
    " SET search_path = public, pg_temp AS 'BEGIN RETURN NULL; END'",
    "another function": "CREATE OR REPLACE TRIGGER events_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON events"
    " EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "another time": "CREATE OR REPLACE TRIGGER events_no_change BEFORE TRUNCATE ON events"
    " EXECUTE FUNCTION ledger_no_change()",
    "a way around the tables": "ALTER FUNCTION ledger_no_change() SET search_path = pg_temp, public",
}


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("change", HARMLESS.values(), ids=list(HARMLESS))
def test_a_guard_that_was_made_harmless_in_postgresql_is_named(url: str, kept: Anchor, change: str) -> None:
    behind = Behind(url)
    behind.execute(change)
    behind.close()
    with Ledger.open(url, read_only=True) as ledger:
        report = integrity.verify(ledger, kept)
    assert {each.code for each in report.problems} == {"guard.missing"}
    assert "events_no_change" in report.problems[0].text


FOREIGN = {
    "sqlite": ["CREATE TRIGGER quiet AFTER INSERT ON streams BEGIN UPDATE meta SET value = value; END"],
    "postgresql": [
        "CREATE FUNCTION quiet() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER quiet BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION quiet()",
    ],
}


def test_a_trigger_that_is_no_guard_is_named(url: str, kept: Anchor) -> None:
    behind = Behind(url)
    for statement in FOREIGN[url.partition(":")[0].partition("+")[0]]:
        behind.execute(statement)
    behind.close()
    with Ledger.open(url, read_only=True) as ledger:
        (problem,) = integrity.verify(ledger, kept).problems
    assert problem.code == "guard.foreign"
    assert "quiet" in problem.text


def test_a_report_lists_the_first_problems_and_says_that_there_are_more(
    tampering: Tampering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(integrity, "PROBLEMS", 3)
    tampering.execute("UPDATE events SET \"by\" = 'nobody'")
    report = tampering.verify()
    assert codes(report) == [("hash.differs", 1), ("hash.differs", 2), ("hash.differs", 3)]
    assert report.more


def test_progress_is_told_up_to_the_end(url: str, kept: Anchor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integrity, "_PAGE", 10)
    told: list[tuple[int, int]] = []
    with ledger_at(url) as ledger:
        assert integrity.verify(ledger, kept, lambda done, total: told.append((done, total))).count == 23
    assert told == [(10, 23), (20, 23), (23, 23)]


def test_a_round_proves_its_own_events(url: str, kept: Anchor) -> None:
    with ledger_at(url) as ledger:
        proof = integrity.round_integrity(ledger, "r2")
        assert (proof.verified, proof.broken) == (True, None)
        assert proof.head == ledger.round_records("r2")[-1].hash.hex()
        assert proof.as_json() == {"verified": True, "head": proof.head}
        assert not integrity.round_integrity(ledger, "no-such-round").verified


@pytest.mark.parametrize("column", [each for each in COLUMNS if each not in ("position", "stream_id")])
def test_a_round_whose_event_was_changed_does_not_prove_it(url: str, tampering: Tampering, column: str) -> None:
    row = tampering.row(PLACE)
    tampering.execute(f'UPDATE events SET "{column}" = ? WHERE position = ?', (OTHER[column](row[column]), PLACE))
    with Ledger.open(url, read_only=True) as ledger:
        proof = integrity.round_integrity(ledger, "r2")
        assert not proof.verified
        assert integrity.round_integrity(ledger, "r1").verified
        assert integrity.round_integrity(ledger, "r3").verified


def test_verifying_needs_no_writing(url: str, kept: Anchor) -> None:
    with Ledger.open(url, read_only=True) as ledger:
        assert integrity.verify(ledger, kept).verified
        with pytest.raises(StoreReadOnly):
            ledger.submit(hand_in(buy_in("x")))


def test_the_program_in_the_documentation_checks_a_ledger(url: str, tampering: Tampering, kept: Anchor) -> None:
    page = (Path(__file__).parents[2] / "docs" / "integrity.md").read_text(encoding="utf-8")
    program: dict[str, Any] = {}
    exec(page.partition("```python\n")[2].partition("```")[0], program)
    with closing(sqlite3.connect(sqlite_file(url)) if tampering.sqlite else psycopg.connect(libpq(url))) as connection:
        assert program["check"](connection) == f"sound; the head is {kept.head}"
    tampering.execute("UPDATE events SET \"by\" = 'nobody' WHERE position = ?", (PLACE,))
    with closing(sqlite3.connect(sqlite_file(url)) if tampering.sqlite else psycopg.connect(libpq(url))) as connection:
        assert program["check"](connection) == f"position {PLACE} is not what was recorded"


def test_ctrl_c_ends_a_long_statement(tmp_path: Path) -> None:
    """SQLite counts for minutes here; it hears of the interrupt while it does."""
    long = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 500000000) SELECT sum(i) FROM n"
    with ledger_at(url_of(tmp_path)) as ledger, ledger.store.reading() as connection:
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt), integrity._interruptible(connection):
            connection.exec_driver_sql(long)
        timer.join()
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1


def test_verifying_keeps_little_of_the_desk_in_memory(
    url: str, tampering: Tampering, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few entries are kept, the same is found."""
    monkeypatch.setattr(folding, "HOT", 1)
    tampering.execute(f"UPDATE desk SET entry = ? WHERE {NUMBERS}", (b'{"runs":[[2,3]]}',))
    assert codes(tampering.verify()) == [("desk.differs", None)]


def test_an_interrupted_verification_says_nothing_else(url: str, kept: Anchor, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt may leave a connection closed; what is done at the end must not stumble over that."""

    def interrupted(_: object, connection: Connection, *__: object, **___: object) -> None:
        driver = driver_of(connection)
        if isinstance(driver, sqlite3.Connection):
            driver.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(integrity, "read_rows", interrupted)
    with pytest.raises(KeyboardInterrupt), ledger_at(url) as ledger:
        integrity.verify(ledger, kept)
