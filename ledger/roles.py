"""Least privilege in PostgreSQL: what each role may do, as statements for whoever owns the database."""

from __future__ import annotations

WRITER, READER, REPORTS = "rounds_writer", "rounds_reader", "rounds_reports"


def statements(schema: str = "public") -> list[str]:
    """Makes the three roles where they are missing and grants each what it needs, no more.

    The writer appends and keeps the desk, the reader looks, and reports keep the tables that they are read from. None
    of them can change what is recorded, or touch the guards; they have no password until somebody gives them one.
    """
    place = f'"{schema}"'
    log = f"{place}.events, {place}.streams"
    every = f"{log}, {place}.desk, {place}.meta, {place}.ledger_schema"
    return [
        *(_role(name) for name in (WRITER, READER, REPORTS)),
        f"REVOKE CREATE ON SCHEMA {place} FROM PUBLIC",
        f"GRANT USAGE ON SCHEMA {place} TO {WRITER}, {READER}, {REPORTS}",
        f"GRANT SELECT ON {every} TO {WRITER}, {READER}, {REPORTS}",
        f"GRANT INSERT ON {log}, {place}.desk TO {WRITER}",
        f"GRANT UPDATE (entry) ON {place}.desk TO {WRITER}",
        f"GRANT UPDATE (value) ON {place}.meta TO {WRITER}",
        f"GRANT CREATE ON SCHEMA {place} TO {REPORTS}",
        f"ALTER DEFAULT PRIVILEGES FOR ROLE {REPORTS} IN SCHEMA {place} GRANT SELECT ON TABLES TO {READER}, {WRITER}",
    ]


def _role(name: str) -> str:
    there = "EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL"
    return f"DO $$ BEGIN CREATE ROLE {name} LOGIN; {there}; END $$"
