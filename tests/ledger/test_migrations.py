"""The tables are described once: what the steps make is what the code expects, and an older store is brought there."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from ledger import integrity
from ledger.errors import LedgerError, NotALedger, StoreNotFound
from ledger.making_tables import defined
from ledger.schema import SCHEMA_VERSION, TABLES, VERSION_TABLE
from ledger.service import Ledger
from ledger.upgrade import STEPS, Upgraded, status, upgrade
from tests.ledger.behind import Behind
from tests.ledger.play import contents, decide, ledger_at, ledger_in, play, url_of
from tests.postgres import Database


def test_the_last_step_leads_to_the_version_that_the_code_knows() -> None:
    steps = ScriptDirectory(str(STEPS))
    assert [step.revision for step in reversed(list(steps.walk_revisions()))] == [
        f"{version:04}" for version in range(1, SCHEMA_VERSION + 1)
    ]


def test_a_file_made_by_the_steps_is_the_file_that_the_ledger_makes(tmp_path: Path) -> None:
    assert upgrade(url_of(tmp_path, "steps.db")) == Upgraded(None, SCHEMA_VERSION)
    ledger_in(tmp_path).close()
    assert described(tmp_path / "steps.db") == described(tmp_path / "rounds.db")
    assert upgrade(url_of(tmp_path)) == Upgraded(SCHEMA_VERSION, SCHEMA_VERSION)
    with ledger_at(url_of(tmp_path, "steps.db")) as ledger:
        play(ledger, rounds=1)
        assert integrity.verify(ledger).verified


def described(file: Path) -> tuple[object, ...]:
    """What is in a file besides rows."""
    connection = sqlite3.connect(file)
    objects = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
    header = [connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")]
    meta = [name for (name,) in connection.execute("SELECT name FROM meta ORDER BY name")]
    connection.close()
    return [(kind, name, re.sub(r"\s+", " ", sql or "")) for kind, name, sql in objects], header, meta


def test_the_tables_made_by_the_steps_are_those_that_the_code_expects(database: Database) -> None:
    engine = sa.create_engine(database.url)
    with engine.connect() as connection:
        found = MigrationContext.configure(
            connection, opts={"compare_type": True, "include_object": lambda _, name, *__: name != VERSION_TABLE}
        )
        assert compare_metadata(found, defined(TABLES.values())) == []
    engine.dispose()


STEP = """
from alembic import op
import sqlalchemy as sa
revision = "0002"
down_revision = "0001"
def upgrade():
    op.add_column("desk", sa.Column("note", sa.Text))
    {then}
"""


def steps(folder: Path, then: str = "") -> Path:
    """The steps of this version and one more."""
    versions = folder / "steps" / "versions"
    versions.mkdir(parents=True)
    for step in (STEPS / "versions").glob("v*.py"):
        (versions / step.name).write_text(step.read_text())
    (versions / "v0002_notes.py").write_text(STEP.format(then=then))
    return versions.parent


def list_of_events(url: str) -> list[tuple[object, ...]]:
    """Every column of the log."""
    behind = Behind(url)
    found = behind.execute("SELECT * FROM events ORDER BY position")
    behind.close()
    return found


def test_an_older_store_is_upgraded_with_what_is_recorded_in_place(url: str, tmp_path: Path) -> None:
    with ledger_at(url) as ledger:
        play(ledger, rounds=1)
        before = list_of_events(url)
    later = steps(tmp_path)
    assert upgrade(url, later, known=2) == Upgraded(1, 2)
    assert upgrade(url, later, known=2) == Upgraded(2, 2)
    found = status(url)
    assert (found.schema, found.ready, found.events) == (2, False, 9)
    behind = Behind(url)
    assert behind.execute("SELECT count(*) FROM desk WHERE note IS NULL")[0][0] > 0
    behind.close()
    assert list_of_events(url) == before
    with pytest.raises(NotALedger, match="newer version"):
        Ledger.open(url)


def test_a_step_that_fails_changes_nothing(url: str, tmp_path: Path) -> None:
    with ledger_at(url) as ledger:
        play(ledger, rounds=1)
        before = contents(ledger)
    broken = steps(tmp_path, then='op.execute("SELECT no_such_column FROM events")')
    with pytest.raises(LedgerError):
        upgrade(url, broken, known=2)
    with ledger_at(url) as ledger:
        assert contents(ledger) == before
        assert integrity.verify(ledger).verified
    behind = Behind(url)
    with pytest.raises(sa.exc.DBAPIError):
        behind.execute("SELECT note FROM desk")
    behind.close()


def test_a_store_of_another_program_is_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "rounds.db")
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    for attempt in (upgrade, status):
        with pytest.raises(NotALedger, match="something else"):
            attempt(url_of(tmp_path))


def test_a_status_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound):
        status(url_of(tmp_path))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "rounds.db").touch()
    assert status(url_of(tmp_path)).schema is None
    with Ledger.open(url_of(tmp_path), decide=decide):
        assert status(url_of(tmp_path)).ready
