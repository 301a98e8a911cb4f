"""On a server groups are decided ahead of the lock and go in one exchange; what others changed meanwhile is noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.commands import Command
from domain.desk import property_key
from ledger import integrity, postgres_append
from ledger.ahead import AheadWriter
from ledger.chain import event_body, event_hash
from ledger.errors import OutcomeUnknown, StoreFull, StoreLocked, StoreLost
from ledger.postgres import Postgres
from ledger.postgres_arrays import BYTEA, TEXT, bigints, integers, strings
from ledger.service import Ledger
from ledger.writer import Writer
from tests.ledger import test_following as following
from tests.ledger.play import (
    a_round,
    after_a_round,
    buy_in,
    close,
    hand_in,
    ledger_at,
    open_round,
    property_opened,
    void,
    wager,
)
from tests.postgres import Database


class Watched:
    """Counts what a ledger does ahead of the lock, under it, and past the one exchange."""

    def __init__(self, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent = self.under_the_lock = 0
        self.others = following.Exchanges(ledger)
        appender: Any = ledger.recorder.appender
        writer = ledger._recording.writer
        send, submit = appender._send, Writer._submit

        def sent(*given: Any) -> None:
            self.sent += 1
            send(*given)

        def submitted(own: Any, *given: Any) -> Any:
            self.under_the_lock += own is writer
            return submit(own, *given)

        monkeypatch.setattr(appender, "_send", sent)
        monkeypatch.setattr(Writer, "_submit", submitted)

    def begin(self) -> None:
        """Counts from here."""
        self.sent = self.under_the_lock = 0
        self.others.begin()

    @property
    def counted(self) -> tuple[int, int, int]:
        """Groups sent in one exchange, groups under the lock, and all exchanges but the first kind."""
        return self.sent, self.under_the_lock, self.others.counted()


ALONE = (1, 0, 0)
"""One exchange and nothing else."""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A group that met a change is decided under the lock, and the next one ahead again."""
    monkeypatch.setattr(AheadWriter, "PATIENCE", 0)


@pytest.fixture
def ledger(database: Database) -> Iterator[Ledger]:
    """A ledger that knows its property and has played a round."""
    with after_a_round(database.url) as opened:
        yield opened


def codes(ledger: Ledger, *commands: Command, stop: bool = False) -> list[str]:
    return [each.code or each.status for each in ledger.submit(hand_in(*commands), stop_on_refusal=stop)]


def test_a_round_is_recorded_in_one_exchange(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(ledger, monkeypatch)
    receipts = ledger.submit(hand_in(*a_round(1)))
    assert watched.counted == ALONE
    assert [(each.version, each.position) for each in receipts] == [(1, 9), (2, 10), (3, 11), (6, 14), (7, 15)]
    watched.begin()
    assert codes(ledger, open_round("o", "R2", number=2), wager("w", "R2")) == ["recorded"] * 2
    assert codes(ledger, close("c", "R2")) == ["recorded"]
    assert watched.counted == (2, 0, 0)
    assert integrity.verify(ledger).verified


def test_processes_at_tables_of_their_own_never_wait_for_each_others_decisions(
    ledger: Ledger, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ledger_at(database.url) as other:
        other.submit(hand_in(*a_round(100, "T2")))
        other.submit(hand_in(*a_round(101, "T2")))
        watched = Watched(ledger, monkeypatch)
        for number in range(1, 5):
            watched.begin()
            assert codes(ledger, *a_round(number)) == ["recorded"] * 5
            assert watched.counted == ALONE
            assert codes(other, *a_round(number + 200, "T2")) == ["recorded"] * 5
        assert integrity.verify(ledger).verified


@pytest.mark.parametrize(
    "history",
    [
        following.test_two_processes_play_one_round_in_turns,
        following.test_a_table_that_the_other_process_took_is_busy_and_then_free,
        following.test_a_command_that_the_other_process_has_recorded_since_is_answered_again,
        following.test_what_was_saved_without_the_desk_meanwhile_reaches_it,
        following.test_an_entry_that_is_not_remembered_is_read_when_it_is_needed,
    ],
)
def test_what_another_process_did_is_noticed_by_every_group(
    history: Callable[[str], None], database: Database, impatient: None
) -> None:
    history(database.url)


def test_a_round_that_another_process_opened_is_found(
    ledger: Ledger, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ledger_at(database.url) as other:
        other.submit(hand_in(open_round("o", "R9", "T9", 9)))
    watched = Watched(ledger, monkeypatch)
    assert codes(ledger, wager("w", "R9")) == ["recorded"]
    assert (watched.sent, watched.under_the_lock) == (1, 0)
    assert codes(ledger, void("v", "R9")) == ["recorded"]
    assert integrity.verify(ledger).verified


def test_a_round_whose_table_changed_hands_goes_on_from_where_it_stands(
    ledger: Ledger, database: Database, impatient: None
) -> None:
    with ledger_at(database.url) as other:
        codes(ledger, open_round("o", "R1"), wager("w1", "R1"))
        assert codes(other, buy_in("b"), wager("w2", "R1")) == ["recorded"] * 2
        assert codes(ledger, wager("w3", "R1")) == ["recorded"]
        assert codes(other, wager("w4", "R1")) == ["recorded"]
    assert [each.event.standing_cents for each in ledger.round_records("R1")[1:]] == [500, 1000, 1500, 2000]  # type: ignore[attr-defined]


def test_refusals_rest_on_what_is_stored_too(
    ledger: Ledger, database: Database, monkeypatch: pytest.MonkeyPatch, impatient: None
) -> None:
    with ledger_at(database.url) as other:
        codes(ledger, open_round("o", "R1"))
        watched = Watched(ledger, monkeypatch)
        assert codes(ledger, open_round("p", "S1")) == ["table.busy"]
        assert watched.counted == ALONE
        assert codes(other, void("v", "R1")) == ["recorded"]
        assert codes(ledger, open_round("q", "S1")) == ["recorded"]
        assert codes(ledger, wager("w", "nowhere")) == ["round.unknown"]


def test_a_refusal_may_end_a_group(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(ledger, monkeypatch)
    group = open_round("o", "R1"), open_round("p", "S1"), wager("w", "R1")
    assert codes(ledger, *group, stop=True) == ["recorded", "table.busy"]
    assert watched.counted == ALONE
    assert codes(ledger, *group) == ["repeated", "table.busy", "recorded"]


def test_commands_sent_again_are_answered_whether_they_would_be_refused_or_not(ledger: Ledger, impatient: None) -> None:
    group = open_round("o", "R1"), wager("w", "R1"), buy_in("b")
    first = ledger.submit(hand_in(*group))
    for command, receipt in zip(group, first, strict=True):
        assert ledger.submit(hand_in(command)) == [receipt.repeated()]
    assert codes(ledger, buy_in("b", cents=1), wager("w", "R1", 1)) == ["command.id-reused"] * 2
    assert codes(ledger, buy_in("twice"), buy_in("twice"), buy_in("twice", cents=1)) == [
        "recorded",
        "repeated",
        "command.id-reused",
    ]
    assert ledger.head().position == 8 + 3 + 1


def test_where_others_always_come_between_a_while_is_spent_under_the_lock(
    ledger: Ledger, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ledger_at(database.url) as other:
        codes(ledger, open_round("o", "R1"))
        codes(other, buy_in("first"))
        watched = Watched(ledger, monkeypatch)
        for number in range(40):
            assert codes(ledger, wager(f"l{number}", "R1")) == ["recorded"]
            assert codes(other, wager(f"o{number}", "R1")) == ["recorded"]
        assert watched.sent < 8
        watched.begin()
        for number in range(40, 120):
            assert codes(ledger, wager(f"l{number}", "R1")) == ["recorded"]
        assert watched.sent > 40
        assert integrity.verify(ledger).verified


def test_recorded_times_never_fall(database: Database) -> None:
    times = iter([5_000_000, 9_000_000, 4_000_000, 6_000_000])
    with ledger_at(database.url, clock=lambda: next(times)) as ledger:
        for command in (property_opened(), buy_in("1"), buy_in("2"), buy_in("3")):
            assert codes(ledger, command) == ["recorded"]
        assert [each.recorded_at for each in ledger.records()] == [5_000_000, 9_000_000, 9_000_000, 9_000_000]
        assert integrity.verify(ledger).verified


def test_a_lock_that_another_holds_is_waited_for_no_longer_than_usual(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Postgres, "LOCK_SECONDS", 0.05)
    with ledger_at(database.url) as ledger, database.connect() as other:
        ledger.submit(hand_in(property_opened()))
        with other.transaction():
            other.execute("SELECT pg_advisory_xact_lock(1380729927, 1)")
            with pytest.raises(StoreLocked, match="another process holds it; try again"):
                ledger.submit(hand_in(buy_in("1")))
        assert codes(ledger, buy_in("1")) == ["recorded"]


@contextmanager
def at_each_insert(database: Database, body: str, when: str = "AFTER INSERT ON events") -> Iterator[Any]:
    """Somebody's own trigger on the log."""
    with database.connect() as raw:
        raw.execute("CREATE TABLE found (setting text)")
        raw.execute(f"CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {body}; RETURN NULL; END$$")
        raw.execute(f"CREATE CONSTRAINT TRIGGER own {when} FOR EACH ROW EXECUTE FUNCTION own()")
        yield raw


def test_a_commit_is_durable_whatever_the_database_is_set_to(database: Database) -> None:
    with database.connect() as raw:
        raw.execute(f"ALTER DATABASE {database.name} SET synchronous_commit = off")
        raw.execute(f"ALTER DATABASE {database.name} SET default_transaction_isolation = 'serializable'")
    settings = "current_setting('synchronous_commit') || ', ' || current_setting('transaction_isolation')"
    seen = f"INSERT INTO found VALUES ({settings})"
    with at_each_insert(database, seen) as raw, ledger_at(database.url) as ledger:
        ledger.submit(hand_in(property_opened()))
        raw.execute("DELETE FROM found")
        assert codes(ledger, buy_in("1")) == ["recorded"]
        assert raw.execute("SELECT * FROM found").fetchall() == [("on, read committed",)]


def test_a_commit_that_fails_records_nothing(ledger: Ledger, database: Database) -> None:
    full = "RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'"
    with at_each_insert(database, full, "AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED") as raw:
        with pytest.raises(StoreFull, match="no room"):
            ledger.submit(hand_in(*a_round(1)))
        raw.execute("DROP TRIGGER own ON events")
    assert codes(ledger, *a_round(1)) == ["recorded"] * 5
    assert ledger.head().position == 15
    assert integrity.verify(ledger).verified


@pytest.fixture
def lost(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Iterator[psycopg.Connection[Any]]:
    """The next group is on its way and the client hears no more of it; the connection, whose server has not read it."""
    appender: Any = ledger.recorder.appender
    connection = appender._connection

    def cut(*_: Any) -> None:
        appender._connection = None
        monkeypatch.setattr(appender, "_send", send)
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    send = appender._send
    monkeypatch.setattr(appender, "_send", cut)
    yield connection
    connection.close()


def test_what_a_lost_connection_has_sent_cannot_be_recorded_after_it_was_looked_for(
    ledger: Ledger, database: Database, lost: psycopg.Connection[Any]
) -> None:
    with pytest.raises(StoreLost):
        ledger.submit(hand_in(buy_in("1")))
    with database.connect() as other:
        there = other.execute("SELECT pid FROM pg_stat_activity WHERE pid = %s", (lost.info.backend_pid,))
        assert there.fetchall() == []
    assert codes(ledger, buy_in("1")) == ["recorded"]


def test_a_lost_connection_whose_end_cannot_be_seen_leaves_the_outcome_open(
    ledger: Ledger, lost: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_append, "_END", "SELECT false WHERE %s > 0 AND %s > 0 AND %s < now()")
    with pytest.raises(OutcomeUnknown, match="send the same commands again"):
        ledger.submit(hand_in(buy_in("1")))
    assert codes(ledger, buy_in("1")) == ["recorded"]


def test_only_the_lost_connection_is_ended(ledger: Ledger, database: Database) -> None:
    """Its number may be somebody else's by now, on another server, too."""
    appender: Any = ledger.recorder.appender
    with database.connect() as other:
        appender._who = (other.info.backend_pid, appender._who[1])
        appender.end_lost()
        assert other.execute("SELECT 1").fetchone() == (1,)


def test_an_idle_connection_is_tried_before_it_is_used(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    appender: Any = ledger.recorder.appender
    pid = appender._connection.info.backend_pid
    appender._used -= 60
    assert codes(ledger, buy_in("1")) == ["recorded"]
    assert appender._connection.info.backend_pid == pid
    appender._used -= 60
    appender._connection.pgconn.finish()
    assert codes(ledger, buy_in("2")) == ["recorded"]
    assert appender._connection.info.backend_pid != pid


def test_entries_as_an_older_program_stored_them_are_compared_as_they_are(
    ledger: Ledger, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.connect() as raw:
        raw.execute("""UPDATE desk SET entry = convert_to(replace(convert_from(entry, 'UTF8'), ',', ' , '), 'UTF8')""")
    with ledger_at(database.url) as again:
        again.submit(hand_in(buy_in("1")))
        watched = Watched(again, monkeypatch)
        assert codes(again, buy_in("2")) == ["recorded"]
        assert watched.counted == ALONE
        assert again.desk.get(property_key("NORTH")) is not None


NUMBERS = st.integers(0, 2**31 - 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
BYTES = st.binary(max_size=6)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.none() | NUMBERS, BYTES, st.tuples(*[TEXTS] * 5), st.data())
def test_a_body_is_what_is_hashed_without_its_place(
    position: int,
    version: int,
    schema: int,
    recorded_at: int,
    size: int | None,
    stream_id: bytes,
    texts: tuple[str, ...],
    data: st.DataObject,
) -> None:
    kind, key, name, at, by = texts
    source, command = data.draw(st.none() | TEXTS), data.draw(st.none() | TEXTS)
    digest, payload = data.draw(st.none() | BYTES), data.draw(BYTES)
    body = event_body(
        version,
        schema,
        size,
        stream_id,
        kind.encode(),
        key.encode(),
        name.encode(),
        at.encode(),
        by.encode(),
        None if source is None else source.encode(),
        None if command is None else command.encode(),
        digest,
        payload,
    )
    chained = sha256(bytes(32) + position.to_bytes(8) + body[:16] + recorded_at.to_bytes(8) + body[16:]).digest()
    hashed = (version, schema, recorded_at, size, stream_id, kind, key, name, at, by, source, command, digest, payload)
    assert chained == event_hash(bytes(32), position, *hashed)


def test_arrays_are_what_the_server_reads(database: Database) -> None:
    texts = ["", "Zoë 😀", None, "x" * 300]
    given: list[tuple[str, bytes, list[Any]]] = [
        ("text", strings(TEXT, [None if each is None else each.encode() for each in texts]), texts),
        ("bytea", strings(BYTEA, [b"\x00\xff", None, b""]), [b"\x00\xff", None, b""]),
        ("text", strings(TEXT, []), []),
        ("bigint", bigints([0, -1, 2**62]), [0, -1, 2**62]),
        ("bigint", bigints([]), []),
        ("integer", integers([7, None, 0]), [7, None, 0]),
    ]
    with database.connect() as connection:
        for type_, array, expected in given:
            answer = connection.pgconn.exec_params(f"SELECT $1::{type_}[]".encode(), [array], None, [1], 1)
            loaded = psycopg.adapt.Transformer(connection)
            loaded.set_pgresult(answer)
            assert loaded.load_row(0, tuple) == (expected,)
