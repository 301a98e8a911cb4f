"""What every test may ask for: databases on a PostgreSQL server of this run."""

from __future__ import annotations

import signal

from tests.postgres import database, databases, pytest_configure, pytest_unconfigure

# A shell that starts the tests in the background has them ignore Ctrl-C, and with them every process they interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["database", "databases", "pytest_configure", "pytest_unconfigure"]
