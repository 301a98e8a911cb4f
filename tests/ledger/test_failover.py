"""The primary dies while commands come in and the standby is promoted: no receipt is lost, no command repeated."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from ledger import integrity
from ledger.errors import LedgerError, StoreReadOnly
from ledger.receipts import Receipt
from ledger.service import Ledger
from ledger.upgrade import upgrade
from projections import balances
from tests.ledger.play import a_round, buy_in, decide, hand_in, ledger_at, property_opened
from tests.postgres import SYSTEM_USER, command


class Server(NamedTuple):
    """A server with its data and, beside them, its socket in one folder."""

    folder: Path

    @property
    def data(self) -> str:
        return str(self.folder / "data")

    def url(self, *others: Server) -> str:
        """The ledger's database here, or on whichever of several can be written to."""
        hosts = "&".join(f"host={each.folder}" for each in (self, *others))
        return f"postgresql+psycopg://postgres@/rounds?{hosts}" + ("&target_session_attrs=read-write" if others else "")

    def execute(self, *statements: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Runs statements; the rows of the last one."""
        with psycopg.connect(host=str(self.folder), user="postgres", dbname=database, autocommit=True) as connection:
            for statement in statements[:-1]:
                connection.execute(statement.encode())
            done = connection.execute(statements[-1].encode())
            return done.fetchall() if done.description else []

    def start(self) -> None:
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off"
        command("pg_ctl", "-D", self.data, "-o", options, "-l", str(self.folder / "log"), "-w", "start")

    def kill(self) -> None:
        """Ends it without a goodbye to anybody, as a power cut would."""
        command("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")


def new_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="rounds-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, SYSTEM_USER)
    return folder


class Pair(NamedTuple):
    """A primary with a ledger, and its standby, which has every commit before it is answered."""

    primary: Server
    standby: Server


@pytest.fixture
def pair(databases: object) -> Iterator[Pair]:
    # The run's own server sees to the user that servers run as.
    servers = Pair(Server(new_folder()), Server(new_folder()))
    primary, standby = servers
    running: list[Server] = []
    try:
        command("initdb", "-D", primary.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N")
        primary.start()
        running.append(primary)
        primary.execute("CREATE DATABASE rounds")
        upgrade(primary.url())
        source = str(primary.folder)
        command("pg_basebackup", "-h", source, "-U", "postgres", "-D", standby.data, "-R", "-N", "-c", "fast")
        standby.start()
        running.append(standby)
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        yield servers
    finally:
        for each in running:
            if Path(each.data, "postmaster.pid").exists():
                each.kill()
        for each in servers:
            shutil.rmtree(each.folder)


def commands(number: int) -> list[tuple[object, bytes]]:
    return [*hand_in(*a_round(number), buy_in(f"b{number}"))]


def until_answered(ledger: Ledger, number: int) -> list[Receipt]:
    """Sends the same commands until they are answered, as a feed does."""
    for _ in range(2_000):
        try:
            return ledger.submit(commands(number))  # type: ignore[arg-type]
        except LedgerError:
            time.sleep(0.01)
    raise AssertionError(f"group {number} was never answered")


def test_a_promoted_standby_has_every_receipt(pair: Pair) -> None:
    primary, standby = pair
    with ledger_at(primary.url(standby)) as ledger:
        ledger.submit(hand_in(property_opened()))
        given = [until_answered(ledger, number) for number in range(1, 11)]
        assert primary.execute("SELECT sync_state FROM pg_stat_replication") == [("sync",)]

        def fail_over() -> None:
            primary.kill()
            command("pg_ctl", "-D", standby.data, "-w", "promote")

        failing = threading.Thread(target=fail_over)
        failing.start()
        while failing.is_alive():
            given.append(until_answered(ledger, len(given) + 1))
        failing.join()
        given += [until_answered(ledger, len(given) + each) for each in range(1, 6)]
        for number, receipts in enumerate(given, 1):
            again = ledger.submit(commands(number))  # type: ignore[arg-type]
            assert [each.position for each in again] == [each.position for each in receipts]
            assert {each.status for each in again} == {"repeated"}
        assert ledger.head().position == 1 + 8 * len(given)
        assert integrity.verify(ledger).verified
    with ledger_at(standby.url()) as promoted:
        assert promoted.head().position == 1 + 8 * len(given)


def test_a_standby_is_read_and_says_how_far_its_reports_are_behind(pair: Pair) -> None:
    with ledger_at(pair.primary.url()) as ledger:
        ledger.submit(hand_in(property_opened(), buy_in("1")))
        shown = balances.balances(ledger)
        ledger.submit(hand_in(buy_in("2")))
    (end,) = pair.primary.execute("SELECT pg_current_wal_lsn()::text")[0]
    for _ in range(1_000):
        if pair.standby.execute(f"SELECT pg_last_wal_replay_lsn() >= '{end}'") == [(True,)]:
            break
        time.sleep(0.01)
    with Ledger.open(pair.standby.url(), decide=decide) as reader:
        assert reader.read_only
        assert integrity.verify(reader).verified
        assert balances.balances(reader) == shown._replace(lag=1)
        with pytest.raises(StoreReadOnly):
            reader.submit(hand_in(buy_in("3")))
