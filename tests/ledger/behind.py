"""A store in the hands of somebody who knows SQL: past the ledger, and with the guards taken away if he likes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from ledger import postgres_guards


class Behind:
    """A connection of its own to the store at `url`; every statement, written with `?`, takes effect at once."""

    def __init__(self, url: str) -> None:
        self._engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
        self._connection = self._engine.connect()
        self.sqlite = self._engine.dialect.name == "sqlite"

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Runs one statement; its rows."""
        if not self.sqlite:
            statement = statement.replace("%", "%%").replace("?", "%s")
        done = self._connection.exec_driver_sql(statement, tuple(parameters))
        return [tuple(row) for row in done] if done.returns_rows else []

    def row(self, position: int) -> dict[str, Any]:
        """An event's columns by name."""
        found = self._connection.execute(sa.text("SELECT * FROM events WHERE position = :at"), {"at": position})
        return dict(found.mappings().one())

    def drop_guards(self) -> dict[str, str]:
        """Takes every guard away; the statement that makes each, by name."""
        if self.sqlite:
            made = dict(self.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
            for name in made:
                self.execute(f"DROP TRIGGER {name}")
            return made
        for name, guard in postgres_guards.GUARDS.items():
            self.execute(f"DROP TRIGGER {name} ON {guard.table}")
        triggers = [each for each in postgres_guards.statements("public") if "TRIGGER" in each.split("(")[0]]
        return {
            name: "; ".join(each for each in triggers if f"TRIGGER {name}" in each) for name in postgres_guards.GUARDS
        }

    def close(self) -> None:
        """Gives the connection back."""
        self._connection.close()
        self._engine.dispose()
