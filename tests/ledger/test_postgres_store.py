"""A store in PostgreSQL: made by the upgrade alone, and what its errors mean to a person."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from ledger import integrity, upgrade
from ledger.errors import (
    CONFLICT,
    MISUSED,
    NOT_FOUND,
    LedgerError,
    NotALedger,
    StoreDamaged,
    StoreFailed,
    StoreForbidden,
    StoreFull,
    StoreLocked,
    StoreLost,
    StoreNotFound,
    StoreOutdated,
    StoreReadOnly,
    StoreUrlInvalid,
)
from ledger.postgres import Postgres
from ledger.reading import driver_of
from ledger.service import Ledger
from projections import catalog
from tests.ledger.play import buy_in, contents, decide, hand_in, play, property_opened
from tests.postgres import Database, Databases


@pytest.fixture
def ledger(database: Database) -> Iterator[Ledger]:
    with Ledger.open(database.url, decide=decide) as opened:
        yield opened


@pytest.fixture
def empty(databases: Databases) -> Iterator[Database]:
    made = databases.empty()
    yield made
    databases.drop_one(made)


def test_a_writer_makes_no_tables_and_names_the_command_that_does(empty: Database) -> None:
    with pytest.raises(StoreNotFound, match="run `rounds db upgrade`") as refused:
        Ledger.open(empty.url)
    assert refused.value.exit_code == NOT_FOUND
    with empty.connect() as raw:
        assert raw.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


def test_a_store_made_by_many_at_once_is_made_once(empty: Database) -> None:
    start = threading.Barrier(6)

    def run(_: int) -> upgrade.Upgraded:
        start.wait()
        return upgrade.upgrade(empty.url)

    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(run, range(6)))
    assert sorted(each.before is None for each in done) == [False] * 5 + [True]
    assert {each.now for each in done} == {1}
    with Ledger.open(empty.url, decide=decide) as ledger:
        play(ledger, rounds=1)
        assert integrity.verify(ledger).verified


def test_a_status_says_what_is_there_and_changes_nothing(empty: Database) -> None:
    assert upgrade.status(empty.url)[1:] == (None, 1, 0, False)
    upgrade.upgrade(empty.url)
    with Ledger.open(empty.url, decide=decide) as ledger:
        ledger.submit(hand_in(property_opened()))
    found = upgrade.status(empty.url)
    assert (found.schema, found.known, found.events, found.ready) == (1, 1, 1, True)


def test_a_database_of_something_else_is_left_alone(empty: Database) -> None:
    with empty.connect() as raw:
        raw.execute("CREATE TABLE events (what text)")
    for attempt in (upgrade.upgrade, upgrade.status, Ledger.open):
        with pytest.raises(NotALedger, match=r"something else \(events\)"):
            attempt(empty.url)


def test_a_version_table_that_is_no_ledgers_is_left_alone(empty: Database) -> None:
    with empty.connect() as raw:
        raw.execute("CREATE TABLE ledger_schema (version_num text)")
        raw.execute("INSERT INTO ledger_schema VALUES ('spring')")
    with pytest.raises(NotALedger, match="says 'spring'"):
        upgrade.upgrade(empty.url)


def test_a_ledger_of_a_newer_version_is_left_alone(database: Database) -> None:
    with database.connect() as raw:
        raw.execute("UPDATE ledger_schema SET version_num = '0099'")
    for attempt in (upgrade.upgrade, Ledger.open):
        with pytest.raises(NotALedger, match=r"newer version \(schema 99, known 1\)"):
            attempt(database.url)


def test_a_ledger_of_an_older_version_is_refused_with_the_way_out(database: Database) -> None:
    with database.connect() as raw:
        raw.execute("UPDATE ledger_schema SET version_num = '0000'")
    with pytest.raises(StoreOutdated, match="run `rounds db upgrade`") as refused:
        Ledger.open(database.url)
    assert (refused.value.code, refused.value.exit_code) == ("store.outdated", MISUSED)


def test_a_database_that_cannot_hold_every_character_is_refused(databases: Databases) -> None:
    made = databases.empty(encoding="LATIN1")
    with pytest.raises(NotALedger, match="encoded in LATIN1"):
        upgrade.upgrade(made.url)
    databases.drop_one(made)


def test_texts_keep_every_character_that_a_feed_may_bring(ledger: Ledger) -> None:
    name = "Zoë 😀 \x01\x7f %s %% ? ‮"
    ledger.submit(hand_in(property_opened(), buy_in("1", name, source=name)))
    assert ledger.records()[1].stream.key == name
    assert ledger.records()[1].source == name
    assert ledger.submit(hand_in(buy_in("1", name, source=name)))[0].status == "repeated"
    assert integrity.verify(ledger).verified


def test_the_longest_ids_are_found_by_their_index(ledger: Ledger) -> None:
    longest = "".join(chr(0x1F300 + number) for number in range(200))
    ledger.submit(hand_in(property_opened(), buy_in(longest, longest, source=longest)))
    assert ledger.submit(hand_in(buy_in(longest, longest, source=longest)))[0].status == "repeated"


def test_texts_are_ordered_by_code_points_whatever_the_database_speaks(ledger: Ledger, database: Database) -> None:
    catalog.catch_up(ledger)
    with database.connect() as raw:
        collations = raw.execute("""
            SELECT a.attrelid::regclass::text, a.attname, c.collname
            FROM pg_attribute AS a JOIN pg_class AS t ON t.oid = a.attrelid
                LEFT JOIN pg_collation AS c ON c.oid = a.attcollation
            WHERE t.relnamespace = 'public'::regnamespace AND a.atttypid = 'text'::regtype AND a.attnum > 0
        """).fetchall()
    assert len(collations) > 20
    assert [row for row in collations if row[2] != "C"] == []


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"database": "nowhere_to_be_found"}, StoreNotFound, "createdb"),
        ({"username": "nobody_at_all"}, StoreForbidden, "no such role"),
        ({"host": "127.0.0.1", "port": 1, "query": {}}, StoreNotFound, "start it, or look at the URL"),
    ],
)
def test_a_place_that_cannot_be_reached_says_why_and_shows_no_password(
    database: Database, change: dict[str, object], error: type[LedgerError], says: str
) -> None:
    import sqlalchemy as sa

    url = sa.make_url(database.url).set(password="secret", **change).render_as_string(hide_password=False)  # type: ignore[arg-type]
    with pytest.raises(error, match=says) as refused:
        Ledger.open(url)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["postgresql+asyncpg://db/rounds", "postgresql+psycopg2://db/rounds"])
def test_another_driver_is_refused_with_the_right_form(url: str) -> None:
    with pytest.raises(StoreUrlInvalid, match=r"write it like postgresql\+psycopg://"):
        Ledger.open(url)


def test_a_plain_url_means_the_same_database(ledger: Ledger, database: Database) -> None:
    with Ledger.open(database.url.replace("+psycopg", "")) as plain:
        assert plain.head() == ledger.head()


def test_a_ledger_held_by_another_says_so_and_can_be_tried_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Postgres, "LOCK_SECONDS", 0.05)
    with Ledger.open(database.url, decide=decide) as ledger, database.connect() as other:
        with other.transaction():
            other.execute("SELECT pg_advisory_xact_lock(1380729927, 1)")
            with pytest.raises(StoreLocked, match="another process holds it; try again") as refused:
                ledger.submit(hand_in(property_opened()))
            assert (refused.value.exit_code, refused.value.retry) == (CONFLICT, True)
            assert ledger.head().position == 0
        assert ledger.submit(hand_in(property_opened()))[0].status == "recorded"


def test_a_writer_that_does_nothing_for_too_long_lets_go(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Postgres, "WRITE_SECONDS", 1)
    with Ledger.open(database.url, decide=decide) as idle, Ledger.open(database.url, decide=decide) as other:
        with pytest.raises(StoreLost):
            _rehearse_meanwhile(idle, other)
        assert idle.submit(hand_in(buy_in("1")))[0].status == "recorded"


def _rehearse_meanwhile(idle: Ledger, other: Ledger) -> None:
    with idle.rehearsal() as submit:
        submit(hand_in(property_opened()))
        assert other.submit(hand_in(property_opened()))[0].status == "recorded"
        submit(hand_in(buy_in("1")))


def test_who_projects_does_not_wait_for_who_records(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    play(ledger, rounds=1)
    with ledger.store.writing() as connection:
        connection.exec_driver_sql("SELECT 1")
        assert ledger.submit(hand_in(buy_in("meanwhile")))[0].status == "recorded"


def test_a_commit_is_durable_whatever_the_database_is_set_to(database: Database) -> None:
    with database.connect() as raw:
        raw.execute(f"ALTER DATABASE {database.name} SET synchronous_commit = off")
    with Ledger.open(database.url, decide=decide) as ledger, ledger.recorder.begin(keep=False) as tx:
        assert tx.connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
    with database.connect() as raw:
        raw.execute(f"ALTER DATABASE {database.name} SET synchronous_commit = remote_apply")
    with Ledger.open(database.url, decide=decide) as ledger, ledger.recorder.begin(keep=False) as tx:
        assert tx.connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "remote_apply"


def test_a_reader_sees_one_moment_and_writes_nothing(ledger: Ledger) -> None:
    play(ledger, rounds=1)
    with ledger.store.reading() as connection:
        before = connection.exec_driver_sql("SELECT max(position) FROM events").scalar()
        ledger.submit(hand_in(buy_in("meanwhile")))
        assert connection.exec_driver_sql("SELECT max(position) FROM events").scalar() == before
        settings = "SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only')"
        assert connection.exec_driver_sql(settings).first() == ("repeatable read", "on")
    with pytest.raises(StoreReadOnly, match="record on the primary"), ledger.store.reading() as connection:
        connection.exec_driver_sql("DELETE FROM desk")


def test_a_ledger_opened_for_reading_records_nothing(ledger: Ledger, database: Database) -> None:
    play(ledger, rounds=1)
    with Ledger.open(database.url, read_only=True, decide=decide) as reader:
        assert contents(reader) == contents(ledger)
        with pytest.raises(StoreReadOnly):
            reader.submit(hand_in(buy_in("9")))


@pytest.mark.parametrize(
    ("state", "error"),
    [
        ("55P03", StoreLocked),
        ("40P01", StoreLocked),
        ("40001", StoreLocked),
        ("57014", StoreLocked),
        ("53300", StoreLocked),
        ("57P01", StoreLost),
        ("08006", StoreLost),
        ("25P03", StoreLost),
        ("25006", StoreReadOnly),
        ("53100", StoreFull),
        ("42501", StoreForbidden),
        ("28P01", StoreForbidden),
        ("42P01", StoreOutdated),
        ("3D000", StoreNotFound),
        ("XX001", StoreDamaged),
        ("XX002", StoreDamaged),
        ("22003", StoreFailed),
        ("58030", StoreFailed),
    ],
)
def test_what_the_database_says_is_said_to_a_person(state: str, error: type[LedgerError]) -> None:
    raised = psycopg.errors.lookup(state)("as the server says\nDETAIL: and more")
    meant = Postgres("postgresql://pit:secret@db/rounds", read_only=False).trouble(raised)
    assert type(meant) is error
    assert "postgresql://pit:***@db/rounds" in str(meant)
    assert "as the server says" in str(meant)
    assert "DETAIL" not in str(meant)


def test_a_server_that_closes_the_connection_without_a_word_is_a_lost_connection() -> None:
    raised = psycopg.OperationalError("server closed the connection unexpectedly")
    meant = Postgres("postgresql://db/rounds", read_only=False).trouble(raised)
    assert type(meant) is StoreLost
    assert (meant.code, meant.exit_code, meant.retry) == ("store.connection-lost", CONFLICT, True)


def test_a_connection_in_use_when_the_store_is_closed_is_closed_when_it_is_given_back(database: Database) -> None:
    ledger = Ledger.open(database.url, decide=decide)
    with ledger.store.reading() as connection:
        raw = driver_of(connection)
        ledger.close()
    assert raw is not None
    assert raw.closed


@pytest.mark.parametrize(
    "words",
    ["starting up", "shutting down", "in recovery mode", "not yet accepting connections", "not accepting connections"],
)
def test_a_server_that_is_not_ready_is_worth_another_try(words: str) -> None:
    said = psycopg.OperationalError(f"connection failed: FATAL:  the database system is {words}")
    meant = Postgres("postgresql://host/rounds", read_only=False)._unreachable(said)
    assert isinstance(meant, StoreLocked) and "try again" in str(meant), meant


def test_a_pooler_that_mixes_sessions_up_is_named() -> None:
    said = psycopg.errors.DuplicatePreparedStatement('prepared statement "lock" already exists')
    assert "let it pool by session" in str(Postgres("postgresql://host/rounds", read_only=False).trouble(said))
