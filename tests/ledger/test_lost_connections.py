"""The server ends a connection at any moment of a commit: what was answered stays, what was not can be sent again.

ROUNDS_KILLS gives another number of random moments than the few of an ordinary run.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from domain.commands import Command
from ledger import integrity
from ledger.ahead import AheadWriter
from ledger.errors import LedgerError, OutcomeUnknown, StoreLost
from ledger.receipts import Receipt
from ledger.service import Ledger
from tests.ledger.play import a_round, buy_in, decide, hand_in, ledger_at, property_opened
from tests.postgres import Database

KILLS = int(os.environ.get("ROUNDS_KILLS", "30"))

ROUNDS = 60
STEPS = 28
"""More than a group of commands has statements, and moments around its commit."""


class Killer:
    """Ends the ledger's connection when it is told for the n-th time that a step is done."""

    def __init__(self, ledger: Ledger, raw: psycopg.Connection[Any], *, under_the_lock: bool = True) -> None:
        """The steps are those of a group that is decided under the lock, or of one that goes in one exchange."""
        self._raw = raw
        self.left: int | None = None
        self.kills = 0
        if under_the_lock:
            self._watch(ledger.engine)
        else:
            self._watch_appender(ledger.recorder.appender)

    def _watch(self, engine: sa.Engine) -> None:
        sa.event.listen(engine, "before_cursor_execute", lambda connection, *_: self._step(connection.connection))
        sa.event.listen(engine, "after_cursor_execute", lambda connection, *_: self._step(connection.connection))
        commit: Callable[[Any], None] = engine.dialect.do_commit

        def watched(connection: Any) -> None:
            self._step(connection)
            commit(connection)
            if self._step(connection):
                raise psycopg.OperationalError("server closed the connection unexpectedly")

        engine.dialect.do_commit = watched  # type: ignore[assignment, method-assign]

    def _watch_appender(self, appender: Any) -> None:
        """Before a group is sent, when it is, and when its answers are there and not looked at."""
        send, answers = appender._send, appender._answers

        def sent(pgconn: Any, given: Any) -> None:
            self._end_at(pgconn.backend_pid)
            send(pgconn, given)
            self._end_at(pgconn.backend_pid)

        def answered(pgconn: Any) -> Any:
            found = answers(pgconn)
            if self._end_at(pgconn.backend_pid):
                raise psycopg.OperationalError("server closed the connection unexpectedly")
            return found

        appender._send, appender._answers = sent, answered

    def at(self, step: int) -> None:
        """From now on, the step with this number is the last of its connection."""
        self.left = step

    def off(self) -> None:
        """From now on nothing is ended."""
        self.left = None

    def _step(self, connection: Any) -> bool:
        return self._end_at(connection.dbapi_connection.info.backend_pid)

    def _end_at(self, pid: int) -> bool:
        if self.left is None:
            return False
        self.left -= 1
        if self.left >= 0:
            return False
        self.left = None
        self.kills += 1
        kill(self._raw, pid)
        return True


def kill(raw: psycopg.Connection[Any], pid: int) -> None:
    """Ends a server process and waits until it is gone."""
    raw.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))


def commands(number: int) -> list[tuple[Command, bytes]]:
    return hand_in(*a_round(number), buy_in(f"b{number}", f"P{number % 5}"))


def answered_again(first: list[Receipt], again: list[Receipt]) -> bool:
    """Whether a receipt that was given stands for good."""
    return again == [each.repeated() for each in first]


def test_a_connection_that_ends_at_any_statement_of_a_commit_loses_and_repeats_nothing(
    database: Database, under_the_lock: None
) -> None:
    with ledger_at(database.url) as ledger, database.connect() as raw:
        killer = Killer(ledger, raw)
        ledger.submit(hand_in(property_opened()))
        unanswered = 0
        for number in range(1, ROUNDS + 1):
            killer.at(number % STEPS)
            failure = failure_of(ledger, number)
            killer.off()
            unanswered += failure is not None
            assert failure is None or isinstance(failure, StoreLost | OutcomeUnknown), failure
            receipts = ledger.submit(commands(number))
            assert {each.status for each in receipts} == {"recorded"} if failure else {"repeated"}
        assert killer.kills > ROUNDS // 2
        assert ROUNDS // 3 < unanswered < killer.kills
        assert ledger.head().position == 1 + 8 * ROUNDS
        assert integrity.verify(ledger).verified


SENDING = 4
"""The moments around a group that goes in one exchange, and one after them."""


def test_a_connection_that_ends_at_any_moment_of_one_exchange_loses_and_repeats_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AheadWriter, "PATIENCE", 0)
    with ledger_at(database.url) as ledger, database.connect() as raw:
        ledger.submit(hand_in(property_opened()))
        killer = Killer(ledger, raw, under_the_lock=False)
        failed: dict[int, set[bool]] = {step: set() for step in range(SENDING)}
        for number in range(1, 6 * SENDING):
            killer.at(number % SENDING)
            failure = failure_of(ledger, number)
            killer.off()
            assert failure is None or isinstance(failure, StoreLost), failure
            failed[number % SENDING].add(failure is not None)
            receipts = ledger.submit(commands(number))
            assert {each.status for each in receipts} == {"recorded"} if failure else {"repeated"}
        assert killer.kills == 6 * (SENDING - 1) - 1
        # What was not sent is not recorded; what was is, or is not, while the server was at work; then it is answered.
        assert failed[0] == {True}
        assert failed[2] == failed[3] == {False}
        assert integrity.verify(ledger).verified


def failure_of(ledger: Ledger, number: int) -> LedgerError | None:
    """What the ledger says of the commands, None where it answers them."""
    try:
        ledger.submit(commands(number))
    except LedgerError as error:
        return error
    return None


def test_a_commit_that_took_place_unheard_is_answered_from_the_stored_ids(
    database: Database, under_the_lock: None
) -> None:
    """The last step of a group is after its commit."""
    with ledger_at(database.url) as ledger, database.connect() as raw:
        ledger.submit(hand_in(property_opened()))
        killer = Killer(ledger, raw)
        ledger.submit(commands(1))
        killer.at(10_000)
        ledger.submit(commands(2))
        assert killer.left is not None
        killer.at(9_999 - killer.left)
        receipts = ledger.submit(commands(3))
        assert killer.kills == 1
        assert {each.status for each in receipts} == {"recorded"}
        assert answered_again(receipts, ledger.submit(commands(3)))


@contextmanager
def killing_at_random(database: Database, seed: int, seconds: float) -> Iterator[tuple[list[int], Callable[[], bool]]]:
    """Ends the ledger's connections from outside, `seconds` apart on average: those ended, and whether it goes on."""
    chance, ended, done = random.Random(seed), list[int](), threading.Event()

    def run() -> None:
        with database.connect() as raw:
            while not done.wait(chance.random() * 2 * seconds):
                ended.extend(pid for (pid,) in raw.execute(END_ALL).fetchall())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield ended, thread.is_alive
    finally:
        done.set()
        thread.join()


END_ALL = """
    WITH ledgers AS MATERIALIZED (
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rounds'
    )
    SELECT pid FROM ledgers WHERE pg_terminate_backend(pid, 5000)
"""


@pytest.mark.parametrize("seed", [1])
def test_connections_that_end_at_random_moments_lose_and_repeat_nothing(database: Database, seed: int) -> None:
    with ledger_at(database.url) as ledger:
        ledger.submit(hand_in(property_opened()))
        given = [until_answered(ledger, number) for number in range(1, 6)]
        with killing_at_random(database, seed, seconds=3 * seconds_of_a_group(ledger)) as (ended, goes_on):
            while len(ended) < KILLS and goes_on():
                given.append(until_answered(ledger, len(given) + 1))
        assert len(ended) >= KILLS
        assert ledger.head().position == 1 + 8 * len(given)
        for number, receipts in enumerate(given, 1):
            again = ledger.submit(commands(number))
            assert [each.position for each in again] == [each.position for each in receipts], (seed, number)
            assert {each.status for each in again} == {"repeated"}
        assert integrity.verify(ledger).verified


def seconds_of_a_group(ledger: Ledger) -> float:
    """How long a group takes here that needs a new connection."""
    ledger.engine.dispose()
    began = time.monotonic()
    ledger.submit(commands(1))
    return time.monotonic() - began


def until_answered(ledger: Ledger, number: int) -> list[Receipt]:
    """Sends the same commands until they are answered, as a feed does."""
    for _ in range(500):
        try:
            return ledger.submit(commands(number))
        except (StoreLost, OutcomeUnknown):
            continue
    raise AssertionError(f"group {number} was never answered")


SLOW_COMMIT = (
    "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END'",
    """CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION slow()""",
)


def test_a_lost_commit_is_looked_up_only_when_the_server_has_ended_it(database: Database, under_the_lock: None) -> None:
    """The server may still be at the commit when the client asks on a new connection; asking waits for its lock."""
    with ledger_at(database.url) as ledger:
        ledger.submit(hand_in(property_opened()))
        with database.connect() as raw:
            for statement in SLOW_COMMIT:
                raw.execute(statement)
        commit: Callable[[Any], None] = ledger.engine.dialect.do_commit

        def lost(connection: Any) -> None:
            ledger.engine.dialect.do_commit = commit  # type: ignore[assignment, method-assign]
            driver = connection.dbapi_connection
            driver.pgconn.send_query_params(b"COMMIT", None)
            driver.pgconn.pipeline_sync()
            driver.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")

        ledger.engine.dialect.do_commit = lost  # type: ignore[assignment, method-assign]
        receipts = ledger.submit(hand_in(buy_in("1")))
        assert [(each.status, each.position) for each in receipts] == [("recorded", 2)]
        assert ledger.submit(hand_in(buy_in("1"))) == [each.repeated() for each in receipts]
        assert ledger.head().position == 2


def test_a_server_that_was_restarted_is_found_again_by_the_next_command(database: Database) -> None:
    with ledger_at(database.url) as ledger, database.connect() as raw:
        ledger.submit(hand_in(property_opened()))
        for _ in range(3):
            raw.execute(END_ALL)
            assert ledger.head().position == 1
        assert ledger.submit(hand_in(buy_in("1")))[0].status == "recorded"


def test_a_reader_that_loses_its_connection_can_read_again(database: Database) -> None:
    with Ledger.open(database.url, decide=decide) as ledger, database.connect() as raw:
        ledger.submit(hand_in(property_opened()))
        with pytest.raises(StoreLost, match="try again"):
            _lose_while_reading(ledger, raw)
        assert len(ledger.records()) == 1


def _lose_while_reading(ledger: Ledger, raw: psycopg.Connection[Any]) -> None:
    with ledger.store.reading() as connection:
        kill(raw, connection.exec_driver_sql("SELECT pg_backend_pid()").scalar())
        connection.exec_driver_sql("SELECT 1")
