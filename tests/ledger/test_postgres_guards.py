"""What PostgreSQL itself refuses, whoever asks, and what each role may do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql

from ledger import integrity, roles
from ledger.errors import StoreForbidden, StoreReadOnly
from ledger.service import Ledger
from projections import balances, catalog
from tests.ledger.play import buy_in, decide, hand_in, ledger_at, play
from tests.ledger.test_guards import COLUMNS
from tests.postgres import Database, libpq

Raw = psycopg.Connection[Any]


def everything(raw: Raw) -> list[list[Any]]:
    return [raw.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in ("events", "streams")]


@pytest.fixture
def raw(database: Database) -> Iterator[Raw]:
    """A superuser's connection, to a ledger that is the same afterwards."""
    with ledger_at(database.url) as ledger:
        play(ledger, rounds=2)
    with database.connect() as connection:
        before = everything(connection)
        yield connection
        connection.execute("RESET ALL")
        assert everything(connection) == before


CHANGES = [
    "DELETE FROM events",
    "DELETE FROM events WHERE position = 16",
    "DELETE FROM events WHERE false",
    "TRUNCATE events",
    "TRUNCATE events CASCADE",
    "TRUNCATE streams, desk",
    "UPDATE streams SET key = 'other' WHERE key = 'r1'",
    "DELETE FROM streams WHERE key = 'r1'",
    "INSERT INTO streams SELECT * FROM streams ON CONFLICT (id) DO UPDATE SET key = 'other'",
    "INSERT INTO events SELECT * FROM events WHERE position = 16 ON CONFLICT (position) DO UPDATE SET by = 'D8'",
    "MERGE INTO events USING streams ON stream_id = id WHEN MATCHED THEN DELETE",
    "MERGE INTO events USING streams ON stream_id = id WHEN MATCHED THEN UPDATE SET by = 'D8'",
]


@pytest.mark.parametrize("change", [*CHANGES, *(f'UPDATE events SET "{each}" = "{each}"' for each in COLUMNS)])
@pytest.mark.parametrize("role", ["origin", "replica"])
def test_nothing_recorded_is_changed_or_removed(raw: Raw, change: str, role: str) -> None:
    raw.execute(f"SET session_replication_role = {role}")
    with pytest.raises(psycopg.IntegrityError, match="never changed and never removed"):
        raw.execute(change)


def row(raw: Raw, position: int) -> dict[str, Any]:
    cursor = raw.execute("SELECT * FROM events WHERE position = %s", (position,))
    found = cursor.fetchone()
    assert cursor.description is not None
    assert found is not None
    return dict(zip([each.name for each in cursor.description], found, strict=True))


def insert(raw: Raw, *rows: dict[str, Any], more: str = "") -> None:
    names = sql.SQL(", ").join(map(sql.Identifier, rows[0]))
    values = sql.SQL(", ").join(
        sql.SQL("({})").format(sql.SQL(", ").join(map(sql.Literal, row.values()))) for row in rows
    )
    raw.execute(sql.SQL("INSERT INTO events ({}) VALUES {} {}").format(names, values, sql.SQL(more)))


@pytest.mark.parametrize("position", [-1, 0, 18, 1000])
def test_an_event_is_put_at_the_next_position_only(raw: Raw, position: int) -> None:
    with pytest.raises(psycopg.IntegrityError, match="position is not the next one"):
        insert(raw, row(raw, 16) | {"version": 8, "command_id": None, "position": position})


@pytest.mark.parametrize("positions", [(17, 19), (18, 19), (0, 17), (19, 20, 21)])
def test_events_of_one_statement_leave_no_gap(raw: Raw, positions: tuple[int, ...]) -> None:
    new = row(raw, 16) | {"command_id": None}
    rows = [new | {"position": each, "version": version} for version, each in enumerate(positions, 8)]
    with pytest.raises(psycopg.IntegrityError, match="position is not the next one"):
        insert(raw, *rows)


@pytest.mark.parametrize("version", [-1, 0, 9, 100])
def test_an_event_has_the_next_version_of_its_stream(raw: Raw, version: int) -> None:
    with pytest.raises(psycopg.IntegrityError, match="version is not the next one"):
        insert(raw, row(raw, 16) | {"version": version, "command_id": None, "position": 17})


def test_versions_rise_with_positions(raw: Raw) -> None:
    new = row(raw, 16) | {"command_id": None}
    with pytest.raises(psycopg.IntegrityError, match="version is not the next one"):
        insert(raw, new | {"position": 17, "version": 9}, new | {"position": 18, "version": 8})


@pytest.mark.parametrize("more", ["", "ON CONFLICT (stream_id, version) DO NOTHING"])
def test_a_version_or_a_command_is_not_recorded_twice(raw: Raw, more: str) -> None:
    with pytest.raises(psycopg.errors.UniqueViolation):
        insert(raw, row(raw, 16) | {"version": 8, "position": 17}, more=more)
    with pytest.raises(psycopg.errors.UniqueViolation):
        insert(raw, row(raw, 16) | {"version": 7, "position": 17, "command_id": None})


def test_a_temporary_table_does_not_stand_in_for_the_log(raw: Raw) -> None:
    raw.execute("CREATE TEMPORARY TABLE events AS SELECT * FROM public.events")
    raw.execute("INSERT INTO pg_temp.events SELECT 999, stream_id, 8 FROM public.events WHERE position = 16")
    with pytest.raises(psycopg.IntegrityError, match="position is not the next one"):
        raw.execute("""
            INSERT INTO public.events SELECT 1000, stream_id, 8, name, schema, at, recorded_at, by, source, NULL, NULL,
                NULL, payload, hash FROM public.events WHERE position = 16""")
    raw.execute("DROP TABLE pg_temp.events")


def test_a_stream_is_not_opened_twice(raw: Raw) -> None:
    with pytest.raises(psycopg.errors.UniqueViolation):
        raw.execute("INSERT INTO streams SELECT 'another-id-of-16', kind, key FROM streams WHERE key = 'r1'")


@pytest.fixture
def shared(database: Database) -> Database:
    """A ledger with the three roles and some play."""
    with ledger_at(database.url) as ledger:
        play(ledger, rounds=2)
    with database.connect() as raw:
        for statement in roles.statements():
            raw.execute(statement)
            raw.execute(statement)
    return database


def test_a_writer_records_and_verifies(shared: Database) -> None:
    with Ledger.open(shared.as_role(roles.WRITER), decide=decide) as ledger:
        assert ledger.submit(hand_in(buy_in("by the writer")))[0].status == "recorded"
        assert integrity.verify(ledger).verified


FORBIDDEN = [
    "UPDATE events SET by = 'D8'",
    "DELETE FROM events",
    "TRUNCATE events",
    "ALTER TABLE events DISABLE TRIGGER ALL",
    "ALTER TABLE events ADD COLUMN note text",
    "DROP TRIGGER events_no_change ON events",
    "DROP TABLE events",
    "UPDATE streams SET key = 'other'",
    "DELETE FROM streams",
    "CREATE OR REPLACE FUNCTION ledger_no_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "ALTER FUNCTION ledger_next_events() SET search_path = pg_temp",
    "SET session_replication_role = replica",
    "UPDATE ledger_schema SET version_num = '0002'",
    "DELETE FROM desk",
    "UPDATE meta SET name = 'other'",
    "CREATE RULE nothing AS ON INSERT TO events DO INSTEAD NOTHING",
    "CREATE POLICY nothing ON events USING (false)",
]


@pytest.mark.parametrize("statement", FORBIDDEN)
@pytest.mark.parametrize("role", [roles.WRITER, roles.READER, roles.REPORTS])
def test_no_role_changes_what_is_recorded_or_the_guards(shared: Database, role: str, statement: str) -> None:
    connection = psycopg.connect(libpq(shared.as_role(role)), autocommit=True)
    with connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(statement)


@pytest.mark.parametrize("role", [roles.READER, roles.REPORTS])
def test_who_looks_records_nothing(shared: Database, role: str) -> None:
    with Ledger.open(shared.as_role(role), decide=decide) as ledger:
        assert integrity.verify(ledger).verified
        with pytest.raises(StoreForbidden, match="rounds db roles") as refused:
            ledger.submit(hand_in(buy_in("9")))
        assert isinstance(refused.value, StoreReadOnly)
        assert refused.value.code == "store.forbidden"


def test_reports_keep_their_tables_and_readers_and_writers_read_them(shared: Database) -> None:
    with Ledger.open(shared.as_role(roles.REPORTS)) as reports:
        kept = balances.balances(reports)
        catalog.rebuild(reports)
    assert kept.lag == 0
    for role in (roles.READER, roles.WRITER):
        with Ledger.open(shared.as_role(role), decide=decide) as reader:
            assert balances.balances(reader) == kept
    with Ledger.open(shared.as_role(roles.WRITER), decide=decide) as writer:
        writer.submit(hand_in(buy_in("later")))
    with Ledger.open(shared.as_role(roles.READER)) as reader:
        assert balances.balances(reader) == kept._replace(lag=1)


def test_who_may_not_look_is_told_so(shared: Database) -> None:
    with shared.connect() as raw:
        raw.execute(f"REVOKE SELECT ON ledger_schema FROM {roles.READER}")
    with pytest.raises(StoreForbidden, match="connect as another one"):
        Ledger.open(shared.as_role(roles.READER))
