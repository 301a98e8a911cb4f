"""What the driver is told past SQLAlchemy, and its errors as SQLAlchemy would have raised them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa


@contextmanager
def as_raised(connection: sa.Connection) -> Iterator[None]:
    """Turns an error of the driver into SQLAlchemy's; a connection that was lost is not used again."""
    driver: Any = connection.dialect.loaded_dbapi
    try:
        yield
    except driver.Error as error:
        raise _explained(connection, error, driver) from error


def _explained(connection: sa.Connection, error: Exception, driver: Any) -> BaseException:
    dialect, lost = connection.dialect, connection.invalidated
    if not lost and dialect.is_disconnect(error, connection.connection.dbapi_connection, None):  # type: ignore[arg-type]
        connection.invalidate(error)
        lost = True
    return sa.exc.DBAPIError.instance(
        "a statement of the ledger", None, error, driver.Error, connection_invalidated=lost, dialect=dialect
    )
