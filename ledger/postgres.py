"""A ledger in a PostgreSQL database: how it is spoken to, and what its errors mean to a person."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar

import sqlalchemy as sa

from ledger import postgres_guards
from ledger.at_once import Appender
from ledger.dialects import ASKS, COPY, LOG, ROWS, UPGRADE, WRITES, Arranged, Asked, Insert
from ledger.errors import (
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
from ledger.postgres_append import PostgresAppender
from ledger.raw import as_raised
from ledger.reading import Connection, EngineReaders, Readers
from ledger.schema import TABLES, VERSION_TABLE
from ledger.settings import shown
from ledger.tables import BIG, BYTES, INT, TEXT, Table

_KEYS = {LOG: 1, COPY: 1, ROWS: 2, UPGRADE: 3}
_FAMILY = 0x524C4447  # "RLDG", so that no other program's advisory lock is ours.


class Postgres:
    """A ledger in one database. Who appends holds one advisory lock to the end of its transaction.

    Positions therefore follow the order of commits, whoever reads, and a transaction that somebody else holds open
    hides nothing.
    """

    among = "= ANY(?)"
    blob: type[bytes] | type[bytearray] = bytes
    made_by_upgrade = True

    LOCK_SECONDS: ClassVar[float] = 10.0
    """How long a transaction waits for a lock before it gives up."""
    WRITE_SECONDS: ClassVar[int] = 60
    """How long a writing transaction may work on one statement, or hold its lock and do nothing."""
    READ_SECONDS: ClassVar[int] = 3_600
    """How long a reading transaction may do nothing, as while a person pages through a report."""
    CONNECT_SECONDS: ClassVar[int] = 10
    TRUSTED_SECONDS: ClassVar[float] = 5.0
    """How long an idle connection is taken to be alive as long as nothing is heard of its end."""

    def __init__(self, url: str, *, read_only: bool) -> None:
        self.read_only = read_only
        self._url = _driver_url(url)
        self.place = shown(url)

    def engine(self) -> sa.Engine:
        engine = sa.create_engine(self._url, pool_size=5)
        sa.event.listen(engine, "do_connect", self._connect)
        sa.event.listen(engine, "checkin", _given_back)
        sa.event.listen(engine, "checkout", partial(self._still_there, engine.dialect))
        sa.event.listen(engine, "begin", self._begin)
        return engine

    def _connect(self, _: Any, __: Any, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
        import psycopg

        defaults: dict[str, Any] = {
            "connect_timeout": self.CONNECT_SECONDS,
            "application_name": "rounds",
            "client_encoding": "utf8",
            # A server that is gone is noticed, instead of waited for.
            "keepalives_idle": 30,
            "tcp_user_timeout": 30_000,
        }
        try:
            connection = psycopg.connect(*arguments, **defaults | options)
        except psycopg.OperationalError as error:
            raise self._unreachable(error) from error
        try:
            connection.execute(_SESSION, (f"{int(self.LOCK_SECONDS * 1000)}ms", f"{self.READ_SECONDS}s"))
            connection.commit()
        except BaseException:
            connection.close()
            raise
        return connection

    def _still_there(self, dialect: sa.Dialect, raw: Any, record: sa.pool.ConnectionPoolEntry, _: Any) -> None:
        """A connection that was idle for a while, or on which the server said something, is tried before its use."""
        idle_since = record.info.get(_IDLE_SINCE)
        if idle_since is None or (time.monotonic() - idle_since < self.TRUSTED_SECONDS and not _spoken_to(raw)):
            return
        import psycopg

        try:
            dialect.do_ping(raw)
        except psycopg.Error as error:
            raise sa.exc.InvalidatePoolError from error

    def _begin(self, connection: sa.Connection) -> None:
        from psycopg import IsolationLevel

        what = connection.get_execution_options().get(WRITES)
        raw: Any = connection.connection.dbapi_connection
        # A reader sees one moment; a writer sees, once it has the lock, what everybody before it committed.
        raw.isolation_level = IsolationLevel.REPEATABLE_READ if what is None else IsolationLevel.READ_COMMITTED
        # A database that somebody has made read only stays so for writers too.
        raw.read_only = True if what is None else None
        if what is not None:
            self._take_lock(connection, raw, what)

    def _take_lock(self, connection: sa.Connection, raw: Any, what: str) -> None:
        """Begins, makes the settings, asks and waits for the lock in one exchange, so that nobody waits for less."""
        asked = connection.get_execution_options().get(ASKS) or Asked()
        with self.together(connection):
            raw.execute(self._settings(what))
            answers = [raw.execute(*each) for each in asked.questions]
            raw.execute(self._lock(what))
        asked.found = [each.fetchall() for each in answers]

    def _settings(self, what: str) -> str:
        more = [f"set_config('idle_in_transaction_session_timeout', '{self._seconds(what)}s', true)"]
        if what in (LOG, COPY):
            more += ["set_config('enable_seqscan', 'off', true)", _DURABLE]
        elif what == ROWS:
            # Rows and their position are lost together or not at all, and what is lost is projected again.
            more.append("set_config('synchronous_commit', 'off', true)")
        return f"SELECT {', '.join(more)}"

    def _lock(self, what: str) -> str:
        lock = f"SELECT pg_advisory_xact_lock({_FAMILY}, {_KEYS[what]})"
        if what in (LOG, COPY):
            # For the statements after this one, which waits as long as it may wait for a lock.
            lock += f", set_config('statement_timeout', '{self._seconds(what)}s', true)"
        return lock

    def _seconds(self, what: str) -> int:
        return self.READ_SECONDS if what == COPY else self.WRITE_SECONDS

    def readers(self, engine: Callable[[], sa.Engine]) -> Readers:
        return EngineReaders(engine)

    def sql(self, statement: str) -> str:
        assert "%" not in statement, statement
        return statement.replace("?", "%s")

    def texts(self, texts: Iterable[str]) -> Any:
        return list(texts)

    @contextmanager
    def together(self, connection: sa.Connection) -> Iterator[None]:
        raw: Any = connection.connection.dbapi_connection
        with as_raised(connection), _exchange(raw):
            yield

    def inserting(self, table: Table, names: Sequence[str], conflict: str = "") -> Insert:
        text, arranged = self.inserting_at_once(table, names)
        text = f"{text} {conflict}"

        def insert(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
            connection.exec_driver_sql(text, arranged(rows))

        return insert

    def inserting_at_once(self, table: Table, names: Sequence[str], rows: int = 0) -> tuple[str, Arranged]:
        columns = ", ".join(f'"{name}"' for name in names)
        # In binary form, which costs the driver a thirtieth of the time that arrays cost as text.
        arrays = ", ".join(f"%b::{_TYPES[table.columns[name].kind]}[]" for name in names)
        return f"INSERT INTO {table.name} ({columns}) SELECT * FROM unnest({arrays})", _columns

    def appender(self, engine: Callable[[], sa.Engine]) -> Appender | None:
        import psycopg

        if self.read_only or not psycopg.Pipeline.is_supported():
            return None

        def connect() -> psycopg.Connection[Any]:
            made = engine()
            arguments, options = made.dialect.create_connect_args(made.url)
            connection: psycopg.Connection[Any] = self._connect(None, None, arguments, dict(options))
            return connection

        lock = _FAMILY, _KEYS[LOG]
        times = self.WRITE_SECONDS, self.TRUSTED_SECONDS, self.LOCK_SECONDS
        return PostgresAppender(connect, self.trouble, lock, *times)

    def wait_for_writers(self, engine: sa.Engine) -> None:
        """A server may still be at a commit whose connection is lost; whoever gets the lock knows how it ended."""
        with engine.connect() as connection:
            connection = connection.execution_options(**{WRITES: LOG})
            with connection.begin() as transaction:
                transaction.rollback()

    def version(self, connection: Connection) -> int | None:
        if _there(connection, VERSION_TABLE):
            stamped = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar()
            if stamped is None or not str(stamped).isdigit():
                raise NotALedger(f"{self.place}: the table {VERSION_TABLE} says {stamped!r}; name another database")
            return int(stamped)
        if foreign := [name for name in TABLES if _there(connection, name)]:
            raise NotALedger(
                f"{self.place} has tables of something else ({', '.join(sorted(foreign))}); name another database, or "
                "another schema with ?options=-csearch_path%3Dledger"
            )
        return None

    def create(self, connection: sa.Connection) -> None:
        raise AssertionError("a PostgreSQL store is made by the migrations")

    def stamp(self, connection: Connection, version: int) -> None:
        connection.exec_driver_sql(f"CREATE TABLE IF NOT EXISTS {VERSION_TABLE} (version_num varchar(32) PRIMARY KEY)")
        connection.exec_driver_sql(f"DELETE FROM {VERSION_TABLE}")
        connection.exec_driver_sql(f"INSERT INTO {VERSION_TABLE} VALUES (%s)", (f"{version:04}",))

    def guards(self, connection: Connection) -> set[str]:
        return postgres_guards.missing(connection)

    def strange_triggers(self, connection: Connection) -> set[str]:
        return postgres_guards.strangers(connection, list(TABLES))

    def tables(self, connection: Connection) -> set[str]:
        there = "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = current_schema()"
        return set(connection.exec_driver_sql(there).scalars())

    def hold(self, connection: Connection, tables: Iterable[Table]) -> bool:
        try:
            connection.exec_driver_sql(f"LOCK TABLE {', '.join(map(str, tables))} IN ACCESS SHARE MODE")
        except sa.exc.ProgrammingError as error:
            if getattr(error.orig, "sqlstate", None) != _NO_SUCH_TABLE:
                raise
            return False
        return True

    def only_reads(self, connection: Connection) -> bool:
        return connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar() is True

    def damage(self, connection: Connection, most: int) -> list[str]:
        # Reading every event reads every page of the table, whose checksums the server looks at.
        return []

    def trouble(self, error: Exception) -> LedgerError:
        state = getattr(error, "sqlstate", None) or ""
        said = _first_line(error)
        for prefix, (kind, meaning) in _MEANS.items():
            if state.startswith(prefix):
                return kind(f"{self.place}: {meaning} ({said})")
        if not state and type(error).__name__ in ("OperationalError", "InterfaceError"):
            return StoreLost(f"{self.place}: {_LOST} ({said})")
        return StoreFailed(f"{self.place}: {said}")

    def _unreachable(self, error: Exception) -> LedgerError:
        """A refused connection has no code, only the server's words, and those may be in any language."""
        said = _first_line(error)
        for words, (kind, meaning) in _AT_THE_DOOR.items():
            if words in str(error):
                return kind(f"{self.place}: {meaning} ({said})")
        return StoreNotFound(f"{self.place}: no database can be reached there; start it, or look at the URL ({said})")


_NO_SUCH_TABLE = "42P01"
_IDLE_SINCE = "idle since"


def _given_back(_: Any, record: sa.pool.ConnectionPoolEntry) -> None:
    record.info[_IDLE_SINCE] = time.monotonic()


def _spoken_to(raw: Any) -> bool:
    """Whether something has come from the server of an idle connection, such as that it is closed."""
    if raw.closed:
        return True
    poll = select.poll()
    poll.register(raw.fileno(), select.POLLIN)
    return bool(poll.poll(0))


@contextmanager
def _exchange(raw: Any) -> Iterator[None]:
    """Statements go out together, where the client library is new enough (PostgreSQL 14) to do so.

    What failed first is raised when everything has been answered, and the transaction that it leaves behind is ended.
    """
    import psycopg

    if not psycopg.Pipeline.is_supported():
        yield
        return
    failed: Exception | None = None
    try:
        with raw.pipeline() as pipeline:
            try:
                yield
            except Exception as error:
                failed = error
                _drain(raw, pipeline)
    except psycopg.Error as error:
        failed = failed or _first(error)
    if failed is not None:
        if raw.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
            raw.rollback()
        raise failed


def _first(error: BaseException) -> Any:
    """What failed, where the driver goes on to say of the statements after it that they were skipped."""
    import psycopg

    while isinstance(error, psycopg.errors.PipelineAborted) and isinstance(error.__context__, psycopg.Error):
        error = error.__context__
    return error


def _drain(raw: Any, pipeline: Any) -> None:
    """Takes the answers to what came after a statement that failed; each says only that it was skipped."""
    import psycopg

    while not raw.closed:
        try:
            pipeline.sync()
        except psycopg.Error:
            continue
        return


def _driver_url(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        raise StoreUrlInvalid(f"{shown(url)} is no URL; write it like postgresql+psycopg://user@host/rounds") from None
    if parsed.drivername not in ("postgresql", "postgresql+psycopg"):
        raise StoreUrlInvalid(f"{shown(url)} names another driver; write it like postgresql+psycopg://user@host/rounds")
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise StoreUrlInvalid(
            "the driver of PostgreSQL is not installed; run pip install 'round-ledger[postgres]'"
        ) from None
    return parsed.set(drivername="postgresql+psycopg")


_TYPES = {BIG: "bigint", INT: "integer", TEXT: "text", BYTES: "bytea"}


def _columns(rows: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(list(column) for column in zip(*rows, strict=True))


def _there(connection: Connection, table: str) -> bool:
    found = connection.exec_driver_sql(
        "SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
        " WHERE n.nspname = current_schema() AND c.relname = %s AND c.relkind IN ('r', 'p', 'v', 'm', 'f')",
        (table,),
    )
    return found.first() is not None


def _first_line(error: Exception) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__


# The writer looks for a few rows by their keys in a growing log: a plan made for yesterday's size, compiled or spread
# over processes would cost more than the query.
# What the guards say of their schema is compared as text.
_SESSION = """
    SELECT set_config('lock_timeout', %s, false), set_config('idle_in_transaction_session_timeout', %s, false),
        set_config('jit', 'off', false), set_config('plan_cache_mode', 'force_custom_plan', false),
        set_config('max_parallel_workers_per_gather', '0', false), set_config('quote_all_identifiers', 'off', false)
"""

# A receipt stands for a durable commit; a setting that is stricter than "on" is left as it is.
_DURABLE = (
    "set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'"
    " ELSE current_setting('synchronous_commit') END, true)"
)

_LOST = "the connection was lost; try again, what was answered is recorded and the rest can be sent again"
_BUSY = "another process holds it; try again"
_POOLED = "a pooler gives this session other sessions' connections; let it pool by session"
_NO_RIGHT = "this role may not do that; connect as another one, or grant it what `rounds db roles` prints"

_MEANS: dict[str, tuple[type[LedgerError], str]] = {
    "55P03": (StoreLocked, _BUSY),
    "40": (StoreLocked, _BUSY),
    "57014": (StoreLocked, "the database ended what took too long; try again"),
    "53300": (StoreLocked, "the database has no connection left; try again, or raise max_connections"),
    "57P": (StoreLost, _LOST),
    "08": (StoreLost, _LOST),
    "25P03": (StoreLost, "the database ended a transaction that did nothing for too long; try again"),
    "25006": (StoreReadOnly, "it can only be read here; record on the primary"),
    "53100": (StoreFull, "no room is left on the disk of the database; make room and try again"),
    "42501": (StoreForbidden, _NO_RIGHT),
    "28": (StoreForbidden, _NO_RIGHT),
    "42P01": (StoreOutdated, "a table is missing; run `rounds db upgrade`"),
    "3D000": (StoreNotFound, "there is no such database; make it with createdb, then run `rounds db upgrade`"),
    "3F000": (StoreNotFound, "there is no such schema; make it, then run `rounds db upgrade`"),
    "42P05": (StoreFailed, _POOLED),
    "26000": (StoreFailed, _POOLED),
    "XX001": (StoreDamaged, "the database says that its files are damaged; restore it from a backup and verify it"),
    "XX002": (StoreDamaged, "the database says that an index is damaged; run REINDEX, then verify it"),
}
"""By SQLSTATE, or the beginning of one."""

_AT_THE_DOOR: dict[str, tuple[type[LedgerError], str]] = {
    "too many": _MEANS["53300"],
    "remaining connection slots": _MEANS["53300"],
    "starting up": (StoreLocked, "the database is starting; try again"),
    "shutting down": (StoreLocked, "the database is being stopped; try again when it is back"),
    "not accepting connections": (StoreLocked, "the database takes no connections yet; try again"),
    "not yet accepting connections": (StoreLocked, "the database takes no connections yet; try again"),
    "recovery mode": (StoreLocked, "the database is putting itself right after a crash; try again"),
    "read-only": (StoreReadOnly, "no server there can be written to; record on the primary"),
    "database": _MEANS["3D000"],
    "password": (StoreForbidden, "the role and password do not open it; look at the URL or at PGPASSFILE"),
    "authentication": (StoreForbidden, "the role and password do not open it; look at the URL or at pg_hba.conf"),
    "role": (StoreForbidden, "there is no such role; make it with createuser, or name another in the URL"),
}
