"""Schema 1: the log, its streams, the desk, and their guards."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from ledger import postgres_guards
from ledger.schema import SQLITE_GUARDS

revision = "0001"
down_revision = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Makes an empty ledger."""
    op.create_table(
        "streams",
        sa.Column("id", sa.LargeBinary(16), primary_key=True),
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("key", _TEXT, nullable=False),
        sa.UniqueConstraint("kind", "key", name="streams_kind_key"),
    )
    op.create_table(
        "events",
        sa.Column("position", _BIG, primary_key=True, autoincrement=False),
        sa.Column("stream_id", sa.LargeBinary(16), nullable=False),
        sa.Column("version", _BIG, nullable=False),
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.Column("at", _TEXT, nullable=False),
        sa.Column("recorded_at", _BIG, nullable=False),
        sa.Column("by", _TEXT, nullable=False),
        sa.Column("source", _TEXT),
        sa.Column("command_id", _TEXT),
        sa.Column("command_size", sa.Integer),
        sa.Column("body_hash", sa.LargeBinary(32)),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.UniqueConstraint("stream_id", "version", name="events_stream_version"),
    )
    of_a_command = sa.text("command_id IS NOT NULL")
    op.create_index(
        "events_command",
        "events",
        ["source", "command_id"],
        unique=True,
        sqlite_where=of_a_command,
        postgresql_where=of_a_command,
    )
    op.create_table(
        "desk",
        sa.Column("key", _TEXT, primary_key=True),
        sa.Column("entry", sa.LargeBinary, nullable=False),
    )
    meta = op.create_table(
        "meta",
        sa.Column("name", _TEXT, primary_key=True),
        sa.Column("value", _TEXT, nullable=False),
    )
    created = {"name": "created", "value": datetime.now(UTC).isoformat()}
    op.bulk_insert(meta, [created, {"name": "desk_position", "value": "0"}])
    _guard()


def _guard() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        guards = list(SQLITE_GUARDS.values())
    else:
        guards = [each.replace("%", "%%") for each in postgres_guards.statements(postgres_guards.schema_of(connection))]
    for statement in guards:
        connection.exec_driver_sql(statement)
