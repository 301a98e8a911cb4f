"""A group of decided events goes to PostgreSQL in one exchange: the lock, a look at what the decisions rest on, the
rows and the commit. Nobody waits for this process while it holds the lock.

The server gives out the positions and chains the hashes, for only under the lock is the head of the log known. The
driver's own layer is spoken to: its cursors cost as much as everything else together.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ledger.at_once import Looked, Placed, Unanswered
from ledger.chain import event_body
from ledger.errors import LedgerError, StoreLost
from ledger.postgres_arrays import BYTEA, TEXT, bigints, integers, strings
from ledger.records import GENESIS, Head
from ledger.schema import EVENTS

if TYPE_CHECKING:
    import psycopg

    from ledger.recorder import Addition

Columns = tuple[bytes, ...]

_SESSION = """
    SELECT set_config('statement_timeout', %s, false), set_config('enable_seqscan', 'off', false),
        set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false),
        set_config('plan_cache_mode', 'force_generic_plan', false),
        set_config('default_transaction_isolation', 'read committed', false)
"""
"""Every row is found by its key, however large the log has become since the plan was made."""

_BEGAN = "extract(epoch FROM backend_start)::text"
"""As a number: how a time is written depends on the session."""
_WHO = f"SELECT pid, {_BEGAN} FROM pg_stat_activity WHERE pid = pg_backend_pid()"
_END = f"SELECT pg_terminate_backend(pid, %s) FROM pg_stat_activity WHERE pid = %s AND {_BEGAN} = %s"
"""By its start too: the number may be somebody else's by now, or on the server that took over."""

_LOCK = """
    SELECT pg_advisory_xact_lock({family}, {key}),
        CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END
"""
"""Waits in a statement of its own, so that the next one sees what was committed meanwhile. A receipt stands for a
durable commit, whatever the server is set to."""

_APPEND = """
    WITH RECURSIVE last AS MATERIALIZED (
        SELECT coalesce(position, 0) AS position, coalesce(hash, {genesis}) AS hash,
            greatest(recorded_at, $1::bigint) AS recorded_at
        FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
            SELECT position, hash, recorded_at FROM events ORDER BY position DESC LIMIT 1
        ) AS ended ON true
    ), good AS MATERIALIZED (
        SELECT * FROM last
        WHERE (SELECT value FROM meta WHERE name = 'desk_position') = last.position::text
            AND NOT EXISTS (
                SELECT FROM unnest($2::text[], $3::bytea[]) AS looked (key, entry)
                WHERE (SELECT desk.entry FROM desk WHERE desk.key = looked.key) IS DISTINCT FROM looked.entry
            )
            AND NOT EXISTS (
                SELECT FROM unnest($4::bytea[], $5::bigint[]) AS looked (id, version)
                WHERE (SELECT 1 FROM events WHERE stream_id = looked.id AND version = looked.version + 1) = 1
            )
            AND NOT EXISTS (
                SELECT FROM unnest($6::text[], $7::text[]) AS looked (source, command_id)
                WHERE (
                    SELECT 1 FROM events WHERE source = looked.source AND command_id = looked.command_id
                ) = 1
            )
            AND coalesce((SELECT hash FROM events WHERE position = $15) = $16::bytea, $16 IS NULL)
    ), chain AS (
        SELECT 0 AS n, position, recorded_at, hash FROM good
        UNION ALL
        SELECT n + 1, position + 1, recorded_at, sha256(
            hash || int8send(position + 1) || substring(body FOR 16) || int8send(recorded_at) || substring(body FROM 17)
        ) FROM (SELECT *, ($8::bytea[])[n + 1] AS body FROM chain WHERE n < $9) AS next
    ), stored AS (
        INSERT INTO events (position, recorded_at, hash, {columns})
        SELECT position, recorded_at, hash, {values} FROM chain WHERE n > 0
    ), named AS (
        INSERT INTO streams (id, kind, key)
        SELECT new.* FROM good, unnest($10::bytea[], $11::text[], $12::text[]) AS new
    ), changed AS (
        INSERT INTO desk (key, entry) SELECT new.* FROM good, unnest($13::text[], $14::bytea[]) AS new
        ON CONFLICT (key) DO UPDATE SET entry = excluded.entry
    ), moved AS (
        UPDATE meta SET value = (good.position + $9)::text FROM good WHERE name = 'desk_position'
    )
    SELECT good.position, good.recorded_at, (SELECT hash FROM chain WHERE n = $9) FROM good
"""

_COLUMNS = {
    "stream_id": "bytea",
    "version": "bigint",
    "name": "text",
    "schema": "integer",
    "at": "text",
    "by": "text",
    "source": "text",
    "command_id": "text",
    "command_size": "integer",
    "body_hash": "bytea",
    "payload": "bytea",
}
"""What comes with an event; its position, its time and its hash are the server's to say."""
assert set(_COLUMNS) | {"position", "recorded_at", "hash"} == set(EVENTS.names)

_FIRST_COLUMN = 17
_PARAMETERS = _FIRST_COLUMN + len(_COLUMNS) - 1
_STATEMENT = _APPEND.format(
    genesis=f"decode('{GENESIS.hash.hex()}', 'hex')",
    columns=", ".join(f'"{name}"' for name in _COLUMNS),
    values=", ".join(f"(${number}::{type_}[])[n]" for number, type_ in enumerate(_COLUMNS.values(), _FIRST_COLUMN)),
).encode()
_BIGINT_OID, _INTEGER_OID = 20, 23
_OIDS = [0] * _PARAMETERS
_OIDS[0], _OIDS[8], _OIDS[14] = _BIGINT_OID, _INTEGER_OID, _BIGINT_OID
_BINARY = [1] * _PARAMETERS

_NONE_OF_BYTES, _NONE_OF_TEXTS, _NONE_OF_NUMBERS = strings(BYTEA, []), strings(TEXT, []), bigints([])


class PostgresAppender:
    """The connection of who appends, kept open with its settings and its two statements prepared."""

    def __init__(
        self,
        connect: Callable[[], psycopg.Connection[Any]],
        trouble: Callable[[Exception], LedgerError],
        lock: tuple[int, int],
        seconds: int,
        trusted_seconds: float,
        lost_seconds: float,
    ) -> None:
        """`seconds` is how long a statement may take; after `trusted_seconds` a connection is tried before its use;
        `lost_seconds` is how long the end of a lost one is waited for.
        """
        self._connect = connect
        self._trouble = trouble
        self._lock = _LOCK.format(family=lock[0], key=lock[1]).encode()
        self._seconds = seconds
        self._trusted_seconds = trusted_seconds
        self._lost_seconds = lost_seconds
        self._connection: psycopg.Connection[Any] | None = None
        self._who: Sequence[Any] = ()
        self._poll: Any = None
        self._used = 0.0

    def append(
        self, additions: Sequence[Addition], looked: Looked, changed: Sequence[tuple[str, bytes]], now: int
    ) -> Placed | None:
        """See `Appender`."""
        import psycopg

        pgconn = self._ready()
        try:
            self._send(pgconn, parameters(additions, looked, changed, now))
            placed = self._placed(self._answers(pgconn), now, len(additions))
        except psycopg.errors.IntegrityError:
            # Somebody came between where nothing was looked at: a version, a stream or a command that is there already.
            placed = None
        except psycopg.Error as error:
            # An error that the server has not said comes from the connection.
            lost = error.sqlstate is None or self._is_lost()
            self.close()
            meant = self._trouble(error)
            raise (Unanswered(meant) if lost else meant) from error
        except BaseException:
            # Half of an answer may be on its way.
            self.close()
            raise
        self._used = time.monotonic()
        return placed

    def open(self) -> None:
        """Connects where nobody has, so that the first group need not."""
        self._ready()

    def close(self) -> None:
        """Closes the connection; the next group makes another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def end_lost(self) -> None:
        """See `Appender`: what was sent may wait there to be read, behind whoever asks what is recorded."""
        import psycopg

        with self._connect() as connection:
            try:
                found = connection.execute(_END, (int(1000 * self._lost_seconds), *self._who)).fetchone()
            except psycopg.Error as error:
                raise self._trouble(error) from error
        if found == (False,):
            raise StoreLost("the server has not ended the lost connection yet")

    def _ready(self) -> Any:
        """The driver's connection, made where there is none that lives."""
        if self._connection is not None and not self._lives():
            self.close()
        if self._connection is None:
            self._connect_anew()
        assert self._connection is not None
        return self._connection.pgconn

    def _connect_anew(self) -> None:
        import psycopg

        self._connection = connection = self._connect()
        try:
            connection.autocommit = True
            connection.execute(_SESSION, (f"{self._seconds}s",))
            self._who = connection.execute(_WHO).fetchone() or ()
            pgconn = connection.pgconn
            for name, statement, oids in ((b"lock", self._lock, []), (b"append", _STATEMENT, _OIDS)):
                prepared = pgconn.prepare(name, statement, oids)
                if prepared.status != psycopg.pq.ExecStatus.COMMAND_OK:
                    raise psycopg.errors.error_from_result(prepared)
            pgconn.enter_pipeline_mode()
        except psycopg.Error as error:
            self.close()
            raise self._trouble(error) from error
        self._poll = select.poll()
        self._poll.register(pgconn.socket, select.POLLIN)

    def _lives(self) -> bool:
        """Whether the server has said nothing to an idle connection, such as its end, and still answers."""
        import psycopg

        assert self._connection is not None
        if self._connection.closed or self._poll.poll(0):
            return False
        if time.monotonic() - self._used < self._trusted_seconds:
            return True
        try:
            pgconn = self._connection.pgconn
            pgconn.pipeline_sync()
            self._flush(pgconn)
            return self._answers(pgconn) == []
        except psycopg.Error:
            return False

    def _is_lost(self) -> bool:
        import psycopg

        return self._connection is None or self._connection.pgconn.status != psycopg.pq.ConnStatus.OK

    def _send(self, pgconn: Any, given: Sequence[bytes | None]) -> None:
        """Lock and group in one transaction, which the server commits where it finds the end of the exchange."""
        pgconn.send_query_prepared(b"lock", None)
        pgconn.send_query_prepared(b"append", given, _BINARY, 1)
        pgconn.pipeline_sync()
        self._flush(pgconn)

    def _flush(self, pgconn: Any) -> None:
        while pgconn.flush():
            writing = select.poll()
            writing.register(pgconn.socket, select.POLLIN | select.POLLOUT)
            if any(event & select.POLLIN for _, event in writing.poll()):
                pgconn.consume_input()

    def _answers(self, pgconn: Any) -> list[Any]:
        """The answers of an exchange, when it is over; what failed first in it is raised."""
        import psycopg

        status = psycopg.pq.ExecStatus
        answers: list[Any] = []
        failed: psycopg.Error | None = None
        while True:
            while pgconn.is_busy():
                self._poll.poll()
                pgconn.consume_input()
            answer = pgconn.get_result()
            if answer is None:
                if self._is_lost():
                    raise failed or psycopg.OperationalError("server closed the connection unexpectedly")
            elif answer.status == status.PIPELINE_SYNC:
                break
            elif answer.status == status.FATAL_ERROR:
                failed = failed or psycopg.errors.error_from_result(answer)
            else:
                answers.append(answer)
        if failed is not None:
            raise failed
        return answers

    def _placed(self, answers: Sequence[Any], now: int, count: int) -> Placed | None:
        _, answer = answers
        if not answer.ntuples:
            return None
        before, recorded_at = (int.from_bytes(answer.get_value(0, column)) for column in (0, 1))
        return Placed(before, Head(before + count, bytes(answer.get_value(0, 2)), recorded_at))


def parameters(
    additions: Sequence[Addition], looked: Looked, changed: Sequence[tuple[str, bytes]], now: int
) -> list[bytes | None]:
    """What the statement is given, in binary form."""
    bodies: list[bytes] = []
    columns: list[Any] = []
    streams: list[tuple[bytes, bytes, bytes]] = []
    for stream_id, version, name, schema, payload, (kind, key), at, by, source, command, size, digest in additions:
        texts = (
            name.encode(),
            at.encode(),
            by.encode(),
            None if source is None else source.encode(),
            None if command is None else command.encode(),
        )
        kind_, key_ = kind.encode(), key.encode()
        bodies.append(event_body(version, schema, size, stream_id, kind_, key_, *texts, digest, payload))
        columns.append((stream_id, version, schema, size, digest, payload, *texts))
        if version == 1:
            streams.append((stream_id, kind_, key_))
    return [
        now.to_bytes(8),
        *_pairs(looked.entries),
        *_ends(looked.ends),
        *_commands(looked.unseen),
        strings(BYTEA, bodies),
        len(bodies).to_bytes(4),
        *_streams(streams),
        *_pairs(changed),
        *_known(looked.known),
        *_columns(columns),
    ]


def _pairs(entries: Sequence[tuple[str, bytes | None]]) -> Columns:
    if not entries:
        return _NONE_OF_TEXTS, _NONE_OF_BYTES
    return strings(TEXT, [key.encode() for key, _ in entries]), strings(BYTEA, [entry for _, entry in entries])


def _ends(ends: Sequence[tuple[bytes, int]]) -> Columns:
    if not ends:
        return _NONE_OF_BYTES, _NONE_OF_NUMBERS
    return strings(BYTEA, [id_ for id_, _ in ends]), bigints([version for _, version in ends])


def _commands(commands: Sequence[tuple[str, str]]) -> Columns:
    if not commands:
        return _NONE_OF_TEXTS, _NONE_OF_TEXTS
    sources, ids = zip(*commands, strict=True)
    return strings(TEXT, [each.encode() for each in sources]), strings(TEXT, [each.encode() for each in ids])


def _known(head: Head | None) -> tuple[bytes, bytes | None]:
    if head is None or not head.position:
        return bytes(8), None
    return head.position.to_bytes(8), head.hash


def _streams(streams: Sequence[tuple[bytes, bytes, bytes]]) -> Columns:
    if not streams:
        return _NONE_OF_BYTES, _NONE_OF_TEXTS, _NONE_OF_TEXTS
    ids, kinds, keys = zip(*streams, strict=True)
    return strings(BYTEA, ids), strings(TEXT, kinds), strings(TEXT, keys)


def _columns(rows: Sequence[tuple[Any, ...]]) -> Columns:
    """The rows' columns in the order of `_COLUMNS`."""
    if not rows:
        return _NO_ROWS
    ids, versions, schemas, sizes, digests, payloads, names, ats, bys, sources, commands = zip(*rows, strict=True)
    return (
        strings(BYTEA, ids),
        bigints(versions),
        strings(TEXT, names),
        integers(schemas),
        strings(TEXT, ats),
        strings(TEXT, bys),
        strings(TEXT, sources),
        strings(TEXT, commands),
        integers(sizes),
        strings(BYTEA, digests),
        strings(BYTEA, payloads),
    )


_EMPTY = {"bytea": _NONE_OF_BYTES, "text": _NONE_OF_TEXTS, "bigint": _NONE_OF_NUMBERS, "integer": integers([])}
_NO_ROWS = tuple(_EMPTY[type_] for type_ in _COLUMNS.values())
