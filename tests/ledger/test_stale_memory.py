"""What a process remembers may be of another moment, or of a log that is no more: nothing wrong comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from domain.intake import body_digest, command_from
from domain.sheets.samples import sample
from ledger import integrity
from ledger.ahead import AheadWriter
from ledger.errors import OutcomeUnknown
from ledger.service import Ledger
from ledger.writer import Submission
from tests.domain.feed_bodies import BODIES
from tests.ledger.play import (
    AT,
    after_a_round,
    buy_in,
    hand_in,
    ledger_at,
    open_round,
    void,
    wager,
)
from tests.postgres import Database

TABLES = ("events", "streams", "desk", "meta")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups are decided ahead of the lock whatever others do."""
    monkeypatch.setattr(AheadWriter, "PATIENCE", 0)


@pytest.fixture
def ledger(database: Database) -> Iterator[Ledger]:
    """A ledger that knows its property and has played a round."""
    with after_a_round(database.url) as opened:
        yield opened


def codes(ledger: Ledger, *commands: Any) -> list[str]:
    return [each.code or each.status for each in ledger.submit(hand_in(*commands))]


class Standby:
    """A copy of a database that takes its place, with what was recorded since it was made lost."""

    def __init__(self, database: Database) -> None:
        self._database = database
        with database.connect() as raw:
            for table in TABLES:
                raw.execute(f"CREATE TABLE kept_{table} AS SELECT * FROM {table}")

    def promote(self) -> None:
        """Everybody's connection is lost, and what they find is the copy."""
        with self._database.connect() as raw, raw.transaction():
            raw.execute("SET LOCAL session_replication_role = replica")
            for table in TABLES:
                raw.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
                raw.execute(f"DELETE FROM {table}")
                raw.execute(f"INSERT INTO {table} SELECT * FROM kept_{table}")
            raw.execute("ALTER TABLE events ENABLE ALWAYS TRIGGER events_next")
            for table in ("events", "streams"):
                raw.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_no_change")
        with self._database.connect() as raw:
            raw.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid()"
            )


def test_a_round_of_a_log_that_was_lost_is_not_gone_on_with(database: Database, ledger: Ledger) -> None:
    codes(ledger, open_round("o", "R1"))
    standby = Standby(database)
    assert codes(ledger, wager("w", "R1", 500), wager("x", "R1", 700)) == ["recorded"] * 2
    standby.promote()
    with ledger_at(database.url) as other:
        # As many events as were lost, in the same round: versions and positions tell nothing.
        assert codes(other, wager("y", "R1", 10), wager("z", "R1", 20)) == ["recorded"] * 2
    assert codes(ledger, wager("v", "R1", 100)) == ["recorded"]
    assert [each.event.standing_cents for each in ledger.round_records("R1")[1:]] == [10, 30, 130]  # type: ignore[attr-defined]
    assert integrity.verify(ledger).verified


def test_what_is_remembered_of_a_log_that_was_lost_is_not_followed(database: Database, ledger: Ledger) -> None:
    codes(ledger, buy_in("a"))
    standby = Standby(database)
    assert codes(ledger, open_round("o", "R1", "T9", 9), wager("w", "R1", 500)) == ["recorded"] * 2
    standby.promote()
    with ledger_at(database.url) as other:
        assert codes(other, open_round("p", "R2", "T8", 9), wager("q", "R2", 500)) == ["recorded"] * 2
    # It rests on nothing that was lost and is recorded at the position that follows; what comes then is not decided so.
    assert codes(ledger, buy_in("b")) == ["recorded"]
    # The same twice in a group is decided under the lock, where what is remembered is not compared.
    again = [open_round("r", "R3", "T9", 10)] * 2
    assert codes(ledger, *again) == ["recorded", "repeated"]
    assert integrity.verify(ledger).verified


def real(name: str, id_: str, **more: Any) -> Submission:
    """A command for the rules themselves."""
    body = {"command": name, "command_id": id_, "at": AT, "by": "M2"} | BODIES[name] | more
    return command_from(body), body_digest(body)


def sheet(version: int, id_: str) -> Submission:
    content = {**sample("pai-gow-pa@1"), "version": version}
    return real("publish_sheet", id_, sheet=content)


def opening(id_: str, round_: str, version: int, table: str = "T1") -> Submission:
    game = {"game": "pai_gow", "sheet": f"pai-gow-pa@{version}"}
    return real("open_round", id_, round=round_, table=table, number=int(id_[1:]), seats={"1": "P1"}, **game)


def answers(ledger: Ledger, *submissions: Submission) -> list[str]:
    return [each.code or each.status for each in ledger.submit(submissions)]


def test_a_sheet_that_was_lost_is_pinned_by_no_round(database: Database) -> None:
    with Ledger.open(database.url) as ledger:
        assert answers(ledger, real("open_property", "p")) == ["recorded"]
        assert answers(ledger, sheet(1, "s1"), opening("o1", "R1", 1)) == ["recorded"] * 2
        standby = Standby(database)
        assert answers(ledger, sheet(2, "s2"), opening("o2", "R2", 2, "T2")) == ["recorded"] * 2
        standby.promote()
        assert answers(ledger, opening("o3", "R3", 2, "T3")) == ["sheet.unknown"]
        assert answers(ledger, opening("o4", "R4", 1, "T4")) == ["recorded"]
        assert integrity.verify(ledger).verified


def test_what_was_read_at_two_moments_is_no_defect(database: Database) -> None:
    """The round is read when it is asked for; that its sheet was not published is remembered."""
    with Ledger.open(database.url) as ledger, Ledger.open(database.url) as other:
        assert answers(ledger, real("open_property", "p")) == ["recorded"]
        assert answers(ledger, opening("o1", "R1", 1)) == ["sheet.unknown"]
        assert answers(other, sheet(1, "s1"), opening("o2", "R2", 1)) == ["recorded"] * 2
        assert answers(ledger, real("place_wager", "w", round="R2", seat=1, amount_cents=2_500)) == ["recorded"]


def test_the_same_id_with_another_body_is_not_taken_for_a_group_whose_answer_was_lost(
    database: Database, ledger: Ledger
) -> None:
    appender: Any = ledger.recorder.appender

    def lost(*_: Any) -> None:
        appender.close()
        with ledger_at(database.url) as other:
            assert codes(other, buy_in("b", cents=7)) == ["recorded"]
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    codes(ledger, buy_in("a"))
    appender._send = lost
    with pytest.raises(OutcomeUnknown, match="send the same commands again"):
        ledger.submit(hand_in(buy_in("b", cents=8)))
    del appender._send
    assert codes(ledger, buy_in("b", cents=8)) == ["command.id-reused"]


def test_a_refusal_that_nobody_compared_is_no_answer(database: Database, ledger: Ledger) -> None:
    """Another process records the rest of the group while its answer is lost."""
    appender: Any = ledger.recorder.appender
    codes(ledger, open_round("o", "R1"))
    group = [buy_in("b"), open_round("p", "R2")]

    def lost(*_: Any) -> None:
        appender.close()
        with ledger_at(database.url) as other:
            assert codes(other, void("v", "R1"), group[0]) == ["recorded"] * 2
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    appender._send = lost
    with pytest.raises(OutcomeUnknown, match="send the same commands again"):
        ledger.submit(hand_in(*group))
    del appender._send
    assert codes(ledger, *group) == ["repeated", "recorded"]
