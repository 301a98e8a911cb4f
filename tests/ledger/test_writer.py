"""Groups of commands: repeated ones answered, refused ones leaving nothing, all of a group durable or none of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from domain.commands import Command
from domain.desk import property_key, table_key
from domain.streams import Draft, Stream
from ledger import integrity
from ledger.errors import LedgerClosed, OutcomeUnknown, StoreDamaged, StoreFull, StoreLocked, StoreReadOnly
from ledger.memory import Memory
from ledger.recorder import SqlRecorder
from ledger.service import Ledger
from tests.ledger.behind import Behind
from tests.ledger.play import (
    AT,
    Defect,
    a_round,
    buy_in,
    close,
    contents,
    decide,
    digest,
    hand_in,
    ledger_at,
    open_round,
    play,
    property_opened,
    wager,
)


def test_a_receipt_gives_the_last_events_version_and_position(ledger: Ledger) -> None:
    receipts = ledger.submit(hand_in(property_opened(), *a_round(1)))
    assert [each.as_json() for each in receipts[4:5]] == [
        {
            "command_id": "r1-4",
            "status": "recorded",
            "round": "r1",
            "version": 6,
            "position": 7,
            "events": ["round.betting-closed", "round.wager-placed", "round.wager-placed"],
        }
    ]
    assert (receipts[0].round, receipts[0].version, receipts[0].position) == (None, 1, 1)


def test_the_same_command_again_gets_the_first_receipt(ledger: Ledger) -> None:
    first = ledger.submit(hand_in(property_opened(), *a_round(1)))
    again = ledger.submit(hand_in(property_opened(), *a_round(1)))
    assert [each.status for each in again] == ["repeated"] * 6
    assert again == [each.repeated() for each in first]
    assert ledger.head().position == 8


def test_the_same_command_again_after_reopening_gets_the_first_receipt(url: str) -> None:
    with ledger_at(url) as ledger:
        first = ledger.submit(hand_in(property_opened(), *a_round(1)))
    with ledger_at(url) as ledger:
        assert ledger.submit(hand_in(*a_round(1))) == [each.repeated() for each in first[1:]]


def test_the_same_command_twice_in_one_group_is_recorded_once(ledger: Ledger) -> None:
    receipts = ledger.submit(hand_in(property_opened(), buy_in("1"), buy_in("1"), buy_in("1", cents=7)))
    assert [(each.status, each.position) for each in receipts] == [
        ("recorded", 1),
        ("recorded", 2),
        ("repeated", 2),
        ("refused", None),
    ]
    assert receipts[3].code == "command.id-reused"


def test_an_id_with_another_body_is_refused_and_says_where_it_was_used(ledger: Ledger) -> None:
    ledger.submit(hand_in(property_opened(), buy_in("1")))
    receipt = ledger.submit(hand_in(buy_in("1", cents=9)))[0]
    assert (receipt.status, receipt.code) == ("refused", "command.id-reused")
    assert "position 2" in (receipt.message or "")
    assert ledger.head().position == 2


def test_an_id_belongs_to_its_source(ledger: Ledger) -> None:
    receipts = ledger.submit(hand_in(property_opened(), buy_in("1"), buy_in("1", source="pit-2")))
    assert [each.status for each in receipts] == ["recorded"] * 3
    again = ledger.submit(hand_in(buy_in("1", source="pit-2"), buy_in("1")))
    assert [(each.status, each.position) for each in again] == [("repeated", 3), ("repeated", 2)]


def test_the_id_decides_before_the_rules_do(ledger: Ledger) -> None:
    play(ledger, rounds=1)
    late = ledger.submit(hand_in(wager("r1-2", "no-such-round")))[0]
    assert late.code == "command.id-reused"


def test_a_refused_command_leaves_nothing_and_does_not_own_its_id(ledger: Ledger) -> None:
    refused = ledger.submit(hand_in(buy_in("1")))[0]
    assert refused.as_json() == {
        "command_id": "1",
        "status": "refused",
        "round": None,
        "version": None,
        "position": None,
        "events": [],
        "code": "property.unknown",
        "message": "no property NORTH",
        "retry": False,
    }
    with ledger.store.reading() as connection:
        for table in ("events", "streams", "desk"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0
    assert ledger.submit(hand_in(property_opened(), buy_in("1", cents=5)))[1].status == "recorded"


def test_a_refusal_in_a_group_does_not_touch_the_others(ledger: Ledger) -> None:
    receipts = ledger.submit(
        hand_in(
            property_opened(),
            open_round("1", "r1"),
            open_round("2", "r2"),
            wager("3", "r2"),
            wager("4", "r1"),
        )
    )
    assert [each.code for each in receipts] == [None, None, "table.busy", "round.unknown", None]
    assert [each.stream.key for each in ledger.records()] == ["NORTH", "r1", "r1"]


def test_stopping_at_a_refusal_leaves_the_rest_unlooked_at(ledger: Ledger) -> None:
    group = hand_in(property_opened(), buy_in("1"), wager("2", "r1"), buy_in("3"))
    receipts = ledger.submit(group, stop_on_refusal=True)
    assert [each.status for each in receipts] == ["recorded", "recorded", "refused"]
    assert ledger.head().position == 2
    with ledger.rehearsal() as submit:
        assert len(submit(group, stop_on_refusal=True)) == 3
    assert [each.status for each in ledger.submit(group)] == ["repeated", "repeated", "refused", "recorded"]


def test_a_command_sees_what_the_one_before_it_in_the_group_left(ledger: Ledger) -> None:
    ledger.submit(hand_in(property_opened(), open_round("1", "r1"), wager("2", "r1", 500), wager("3", "r1", 300)))
    standing = [each.event.standing_cents for each in ledger.round_records("r1")[1:]]  # type: ignore[attr-defined]
    assert standing == [500, 800]


def test_a_defect_in_the_middle_of_a_group_records_nothing_of_it(ledger: Ledger) -> None:
    play(ledger, rounds=1)
    before = contents(ledger)
    group = hand_in(open_round("1", "r2", number=2), wager("2", "r2"), wager("3", "r2", name="defect"))
    with pytest.raises(Defect):
        ledger.submit(group)
    assert contents(ledger) == before
    assert ledger.desk.get(table_key("NORTH", "T1")).open_round is None
    receipts = ledger.submit(group[:2])
    assert [(each.status, each.version) for each in receipts] == [("recorded", 1), ("recorded", 2)]
    assert integrity.verify(ledger).verified


def test_a_failure_between_two_streams_records_neither(
    ledger: Ledger, under_the_lock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.submit(hand_in(property_opened()))
    append = SqlRecorder.append

    def failing(self: SqlRecorder, additions: Any, tx: Any) -> Any:
        append(self, additions[:2], tx)
        raise Defect("after the first stream")

    with monkeypatch.context() as patched:
        patched.setattr(SqlRecorder, "append", failing)
        with pytest.raises(Defect):
            ledger.submit(hand_in(buy_in("1", "P1"), buy_in("2", "P2"), buy_in("3", "P3")))
    assert ledger.head().position == 1
    receipts = ledger.submit(hand_in(buy_in("1", "P1"), buy_in("2", "P2"), buy_in("3", "P3")))
    assert [(each.version, each.position) for each in receipts] == [(1, 2), (1, 3), (1, 4)]
    assert integrity.verify(ledger).verified


def test_a_command_that_leaves_no_event_is_a_defect(url: str) -> None:
    with ledger_at(url, decide=lambda command, around: ()) as ledger, pytest.raises(AssertionError):
        ledger.submit(hand_in(property_opened()))


def test_one_command_writes_several_streams_at_once(url: str) -> None:
    def both(command: Command, around: Memory) -> tuple[Draft, ...]:
        (bought,) = decide(buy_in("x"), around) if around.get(property_key("NORTH")) else decide(command, around)
        return (bought, Draft(Stream("player", "P2"), bought.event)) if bought.stream.kind == "player" else (bought,)

    with ledger_at(url, decide=both) as ledger:
        ledger.submit(hand_in(property_opened()))
        receipt = ledger.submit(hand_in(buy_in("1")))[0]
        assert (receipt.version, receipt.position, len(receipt.events)) == (1, 3, 2)
        assert ledger.submit(hand_in(buy_in("1")))[0] == receipt.repeated()
        assert [each.stream.key for each in ledger.records()] == ["NORTH", "P1", "P2"]


@pytest.fixture
def other(url: str, ledger: Ledger) -> Iterator[Ledger]:
    """A second ledger on the same file, as another process has it."""
    with ledger_at(url) as opened:
        yield opened


def test_two_writers_on_one_file_see_each_others_rounds_tables_and_ids(ledger: Ledger, other: Ledger) -> None:
    ledger.submit(hand_in(property_opened(), open_round("1", "r1")))
    assert other.submit(hand_in(open_round("2", "r2")))[0].code == "table.busy"
    other.submit(hand_in(wager("3", "r1", 500)))
    receipt = ledger.submit(hand_in(wager("4", "r1", 300)))[0]
    assert (receipt.version, receipt.position) == (3, 4)
    assert ledger.round_records("r1")[2].event.standing_cents == 800  # type: ignore[attr-defined]
    assert ledger.submit(hand_in(wager("3", "r1", 500)))[0].status == "repeated"
    assert other.submit(hand_in(close("5", "r1")))[0].position == 7
    assert integrity.verify(ledger).verified


def test_the_desk_equals_a_rebuild_after_every_group(ledger: Ledger, other: Ledger) -> None:
    for number in range(1, 5):
        writer = (ledger, other)[number % 2]
        writer.submit(hand_in(property_opened(), *a_round(number)))
        assert integrity.verify(ledger).verified


def test_a_rehearsal_gives_the_receipts_and_records_nothing(ledger: Ledger) -> None:
    ledger.submit(hand_in(property_opened()))
    with ledger.rehearsal() as submit:
        receipts = submit(hand_in(*a_round(1)[:3]))
        receipts += submit(hand_in(*a_round(1)[2:]))
        receipts += submit(hand_in(buy_in("1", cents=5), open_round("x", "r1", number=7)))
    statuses = [each.status for each in receipts]
    assert statuses == ["recorded"] * 3 + ["repeated"] + ["recorded"] * 4
    assert ledger.head().position == 1
    assert ledger.dry_run(hand_in(*a_round(1))) == ledger.submit(hand_in(*a_round(1)))
    assert integrity.verify(ledger).verified


def test_a_long_rehearsal_reads_back_what_it_let_go(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "ROUNDS", 1)
    monkeypatch.setattr(Memory, "STREAMS", 1)
    monkeypatch.setattr(Memory, "ENTRIES", 1)
    ledger.submit(hand_in(property_opened()))
    opened = [open_round(f"o{each}", f"r{each}", f"T{each}") for each in range(4)]
    with ledger.rehearsal() as submit:
        for command in opened:
            submit(hand_in(command))
        receipts = [submit(hand_in(wager(f"w{each}", f"r{each}")))[0] for each in (2, 0, 3, 1)]
    assert [each.version for each in receipts] == [2, 2, 2, 2]
    assert ledger.head().position == 1


def test_rounds_and_entries_that_were_let_go_are_read_again(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "ROUNDS", 2)
    monkeypatch.setattr(Memory, "STREAMS", 2)
    monkeypatch.setattr(Memory, "ENTRIES", 2)
    ledger.submit(hand_in(property_opened(), *(open_round(f"o{each}", f"r{each}", f"T{each}") for each in range(9))))
    for number in range(9):
        assert ledger.submit(hand_in(wager(f"w{number}", f"r{number}")))[0].version == 2
    assert integrity.verify(ledger).verified


class Commits:
    """Makes the next commits of a ledger's engine fail, before or after they took place."""

    def __init__(self, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
        self._dialect = ledger.engine.dialect
        self._commit = self._dialect.do_commit
        self._patch = monkeypatch

    def fail(self, *, after: bool) -> None:
        """The disk is full, says the next commit, `after` it took place or instead of it."""
        error = full(self._dialect.name)

        def failing(connection: Any) -> None:
            self._patch.setattr(self._dialect, "do_commit", self._commit)
            if after:
                self._commit(connection)
            raise error

        self._patch.setattr(self._dialect, "do_commit", failing)


@pytest.fixture
def commits(ledger: Ledger, under_the_lock: None, monkeypatch: pytest.MonkeyPatch) -> Commits:
    ledger.submit(hand_in(property_opened()))
    return Commits(ledger, monkeypatch)


def full(database: str) -> Exception:
    """What the driver says of a full disk."""
    if database == "postgresql":
        return psycopg.errors.DiskFull("could not extend file: No space left on device")
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorname = "SQLITE_FULL"
    return error


def test_a_commit_that_failed_records_nothing_and_can_be_repeated(ledger: Ledger, commits: Commits) -> None:
    commits.fail(after=False)
    with pytest.raises(StoreFull, match="no room"):
        ledger.submit(hand_in(*a_round(1)))
    assert ledger.head().position == 1
    assert [each.status for each in ledger.submit(hand_in(*a_round(1)))] == ["recorded"] * 5
    assert integrity.verify(ledger).verified


def test_a_commit_that_took_place_and_then_failed_is_answered_from_the_stored_ids(
    ledger: Ledger, commits: Commits
) -> None:
    commits.fail(after=True)
    receipts = ledger.submit(hand_in(*a_round(1), buy_in("1"), buy_in("1", cents=8)))
    assert [each.status for each in receipts] == ["recorded"] * 6 + ["refused"]
    assert ledger.submit(hand_in(*a_round(1))) == [each.repeated() for each in receipts[:5]]
    assert integrity.verify(ledger).verified


def test_an_outcome_that_nobody_can_tell_is_said_and_sending_again_is_safe(
    url: str, ledger: Ledger, commits: Commits, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_: Any, **__: Any) -> Any:
        raise StoreLocked("gone")

    commits.fail(after=True)
    with monkeypatch.context() as patched:
        patched.setattr(type(ledger.store), "reading", unreachable)
        with pytest.raises(OutcomeUnknown, match="send the same commands again"):
            ledger.submit(hand_in(*a_round(1)))
    assert [each.status for each in ledger.submit(hand_in(*a_round(1)))] == ["repeated"] * 5


def test_a_group_of_refused_commands_survives_a_failed_commit(ledger: Ledger, commits: Commits) -> None:
    commits.fail(after=False)
    assert ledger.submit(hand_in(wager("1", "r1")))[0].code == "round.unknown"


def test_a_log_whose_tail_was_cut_is_not_written_to(url: str, behind: Behind) -> None:
    with ledger_at(url) as ledger:
        play(ledger, rounds=1)
    behind.drop_guards()
    behind.execute("DELETE FROM events WHERE position > 6")
    with ledger_at(url) as ledger, pytest.raises(StoreDamaged, match="its tail is missing"):
        ledger.submit(hand_in(buy_in("9")))


def test_a_ledger_opened_for_reading_records_nothing(url: str) -> None:
    with ledger_at(url) as ledger:
        play(ledger, rounds=1)
        before = contents(ledger)
    with Ledger.open(url, read_only=True, decide=decide) as reader:
        assert reader.read_only
        assert contents(reader) == before
        for attempt in (reader.submit, reader.record_all, reader.dry_run):
            with pytest.raises(StoreReadOnly):
                attempt(hand_in(buy_in("9")))


def test_a_closed_ledger_records_nothing(url: str) -> None:
    with ledger_at(url) as ledger:
        ledger.submit(hand_in(property_opened()))
    with pytest.raises(LedgerClosed):
        ledger.submit(hand_in(buy_in("1")))
    with pytest.raises(LedgerClosed):
        ledger.record(buy_in("1"), digest(buy_in("1")))
    with pytest.raises(LedgerClosed):
        ledger.head()


def test_many_ids_are_looked_up_in_one_group(ledger: Ledger) -> None:
    group = hand_in(property_opened(), *(buy_in(f"b{each}", f"P{each % 40}") for each in range(1500)))
    assert {each.status for each in ledger.submit(group)} == {"recorded"}
    assert {each.status for each in ledger.submit(group)} == {"repeated"}
    assert ledger.records(0, 1)[0].at == AT


def test_ids_are_found_by_index(ledger: Ledger) -> None:
    """A full scan for ids would make every group as slow as the log is long."""
    from ledger.seen import SeenStore

    text = SeenStore(ledger.store.dialect)._find
    ids = ledger.store.dialect.texts(["1"])
    with ledger.recorder.begin(keep=False) as tx:
        if tx.connection.dialect.name == "sqlite":
            found = tx.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", ("cli", ids)).all()
            plan = "\n".join(row[3] for row in found)
            assert "events_command (source=? AND command_id=?)" in plan
            assert "SCAN e" not in plan
            assert "SCAN f" not in plan
        else:
            found = tx.connection.exec_driver_sql(f"EXPLAIN {text}", ("cli", ids)).all()
            plan = "\n".join(row[0] for row in found)
            assert "events_command" in plan
            assert "events_pkey" in plan
            assert "Seq Scan" not in plan
