"""The drivers of both databases, watched: somebody is asked before and after each statement and around each commit.

What stands between is the driver's own connection and cursor, so that no way to the database goes past it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from ledger.postgres_append import PostgresAppender

Ask = Callable[[str], object]
"""Told the moment, as `before BEGIN`; it may raise what the driver would."""

ASK_WITHIN = "within commit"
"""PostgreSQL has been told to commit, and its answer was not read."""


class Drivers:
    """From now on every connection that this process opens asks `ask`."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._sqlite()
        self._postgres()

    @contextmanager
    def _around(self, statement: Any) -> Iterator[None]:
        name = statement_name(statement)
        self._ask(f"before {name}")
        yield
        self._ask(f"after {name}")

    def _sqlite(self) -> None:
        around = self._around
        connect = sqlite3.connect

        class Cursor(sqlite3.Cursor):
            def execute(self, sql: str, *given: Any) -> Any:
                with around(sql):
                    return super().execute(sql, *given)

            def executemany(self, sql: str, *given: Any) -> Any:
                with around(sql):
                    return super().executemany(sql, *given)

        class Connection(sqlite3.Connection):
            def cursor(self, factory: Any = None) -> Any:
                return super().cursor(Cursor)

            def execute(self, sql: str, *given: Any) -> Any:
                with around(sql):
                    return super().execute(sql, *given)

            def executemany(self, sql: str, *given: Any) -> Any:
                with around(sql):
                    return super().executemany(sql, *given)

            def commit(self) -> None:
                with around("COMMIT"):
                    super().commit()

        def watched(*given: Any, **options: Any) -> sqlite3.Connection:
            made: sqlite3.Connection = connect(*given, **{"factory": Connection} | options)
            return made

        for module in (sqlite3, sqlite3.dbapi2):
            setattr(module, "connect", watched)  # noqa: B010

    def _postgres(self) -> None:
        ask, around = self._ask, self._around

        class Cursor(psycopg.Cursor[Any]):
            def execute(self, query: Any, *given: Any, **options: Any) -> Any:
                with around(query):
                    return super().execute(query, *given, **options)

            def executemany(self, query: Any, *given: Any, **options: Any) -> Any:
                with around(query):
                    return super().executemany(query, *given, **options)

        class Connection(psycopg.Connection[Any]):
            def __init__(self, *given: Any, **options: Any) -> None:
                super().__init__(*given, **options)
                self.cursor_factory = Cursor

            def commit(self) -> None:
                ask("before COMMIT")
                if ask(ASK_WITHIN):
                    # Whoever asked for it dies at the next moment, which is before the answer.
                    self.pgconn.send_query(b"COMMIT")
                    self.pgconn.flush()
                    ask("unheard COMMIT")
                super().commit()
                ask("after COMMIT")

        psycopg.connect = Connection.connect
        watch_exchanges(ask)


def watch_exchanges(ask: Ask) -> None:
    """From now on `ask` is asked around each group that goes to PostgreSQL past cursors, with its commit."""
    send, append = PostgresAppender._send, PostgresAppender.append

    def sent(appender: PostgresAppender, *given: Any) -> None:
        ask("before sending")
        send(appender, *given)
        ask("after sending, unheard")

    def appended(appender: PostgresAppender, *given: Any) -> Any:
        placed = append(appender, *given)
        ask("after COMMIT")
        return placed

    setattr(PostgresAppender, "_send", sent)  # noqa: B010
    setattr(PostgresAppender, "append", appended)  # noqa: B010


def statement_name(statement: Any) -> str:
    """A statement's first words, and the table where it names one."""
    words = (statement.decode() if isinstance(statement, bytes) else str(statement)).split()
    return " ".join(words[:3] if words and words[0] in ("INSERT", "CREATE", "DELETE") else words[:1])
