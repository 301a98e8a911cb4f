"""The tables of a store and the guards on them, for every database it can live in.

Positions are explicit and without gaps, versions of a stream too; triggers refuse to change or remove what is recorded.
`INSERT OR REPLACE` removes the row in its way without firing a DELETE trigger, so an INSERT must name exactly the next
position and version and an unused command id.
"""

from __future__ import annotations

import sqlalchemy as sa

SCHEMA_VERSION = 1

VERSION_TABLE = "ledger_schema"
"""Where a PostgreSQL store says which schema it has; a SQLite file says it in its header."""

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
# Ordered by code points everywhere, as SQLite does it, and not by the rules of some language.
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

METADATA = sa.MetaData()

STREAMS = sa.Table(
    "streams",
    METADATA,
    sa.Column("id", sa.LargeBinary(16), primary_key=True),
    sa.Column("kind", _TEXT, nullable=False),
    sa.Column("key", _TEXT, nullable=False),
    sa.UniqueConstraint("kind", "key", name="streams_kind_key"),
)

EVENTS = sa.Table(
    "events",
    METADATA,
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
EVENT_COLUMNS = tuple(EVENTS.columns.keys())
"""The columns of an event, in the order in which its row is inserted."""

sa.Index(
    "events_command",
    EVENTS.c.source,
    EVENTS.c.command_id,
    unique=True,
    # A PostgreSQL store is made by the migrations, which say the same; saying it here too would load its whole dialect.
    sqlite_where=EVENTS.c.command_id.isnot(None),
)

DESK = sa.Table(
    "desk",
    METADATA,
    sa.Column("key", _TEXT, primary_key=True),
    sa.Column("entry", sa.LargeBinary, nullable=False),
)

META = sa.Table(
    "meta",
    METADATA,
    sa.Column("name", _TEXT, primary_key=True),
    sa.Column("value", _TEXT, nullable=False),
)

SQLITE_GUARDS = {
    "events_next_position": """
        CREATE TRIGGER events_next_position BEFORE INSERT ON events
        WHEN NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM events)
        BEGIN SELECT RAISE(ABORT, 'events: the position is not the next one'); END""",
    "events_next_version": """
        CREATE TRIGGER events_next_version BEFORE INSERT ON events
        WHEN NEW.version IS NOT (SELECT coalesce(max(version), 0) + 1 FROM events WHERE stream_id = NEW.stream_id)
        BEGIN SELECT RAISE(ABORT, 'events: the version is not the next one of its stream'); END""",
    "events_new_command": """
        CREATE TRIGGER events_new_command BEFORE INSERT ON events
        WHEN NEW.command_id IS NOT NULL
            AND EXISTS (SELECT 1 FROM events WHERE source = NEW.source AND command_id = NEW.command_id)
        BEGIN SELECT RAISE(ABORT, 'events: the command is recorded already'); END""",
    "events_no_update": """
        CREATE TRIGGER events_no_update BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'events: what is recorded is never changed'); END""",
    "events_no_delete": """
        CREATE TRIGGER events_no_delete BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'events: what is recorded is never removed'); END""",
    "streams_new": """
        CREATE TRIGGER streams_new BEFORE INSERT ON streams
        WHEN EXISTS (SELECT 1 FROM streams WHERE id = NEW.id OR (kind = NEW.kind AND key = NEW.key))
        BEGIN SELECT RAISE(ABORT, 'streams: the stream is there already'); END""",
    "streams_no_update": """
        CREATE TRIGGER streams_no_update BEFORE UPDATE ON streams
        BEGIN SELECT RAISE(ABORT, 'streams: a stream is never changed'); END""",
    "streams_no_delete": """
        CREATE TRIGGER streams_no_delete BEFORE DELETE ON streams
        BEGIN SELECT RAISE(ABORT, 'streams: a stream is never removed'); END""",
}
"""The guards of a SQLite store by trigger name; `verify` looks for each."""
