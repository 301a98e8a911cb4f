"""What every test may ask for: databases on a PostgreSQL server of this run."""

from __future__ import annotations

from tests.postgres import database, databases, pytest_configure, pytest_unconfigure

__all__ = ["database", "databases", "pytest_configure", "pytest_unconfigure"]
