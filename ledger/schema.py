"""The tables of a store and the guards on them, for every database it can live in.

Positions are explicit and without gaps, versions of a stream too; triggers refuse to change or remove what is recorded.
`INSERT OR REPLACE` removes the row in its way without firing a DELETE trigger, so an INSERT must name exactly the next
position and version and an unused command id.
"""

from __future__ import annotations

from ledger.tables import BIG, BYTES, INT, TEXT, Column, Index, Table

SCHEMA_VERSION = 1

VERSION_TABLE = "ledger_schema"
"""Where a PostgreSQL store says which schema it has; a SQLite file says it in its header."""

STREAMS = Table(
    "streams",
    [Column("id", BYTES, key=True), Column("kind", TEXT), Column("key", TEXT)],
    [Index("streams_kind_key", ("kind", "key"), constraint=True)],
)

EVENTS = Table(
    "events",
    [
        Column("position", BIG, key=True),
        Column("stream_id", BYTES),
        Column("version", BIG),
        Column("name", TEXT),
        Column("schema", INT),
        Column("at", TEXT),
        Column("recorded_at", BIG),
        Column("by", TEXT),
        Column("source", TEXT, null=True),
        Column("command_id", TEXT, null=True),
        Column("command_size", INT, null=True),
        Column("body_hash", BYTES, null=True),
        Column("payload", BYTES),
        Column("hash", BYTES),
    ],
    [
        Index("events_stream_version", ("stream_id", "version"), constraint=True),
        Index("events_command", ("source", "command_id"), unique=True, where="command_id IS NOT NULL"),
    ],
)
EVENT_COLUMNS = EVENTS.names
"""The columns of an event, in the order in which its row is inserted."""

DESK = Table("desk", [Column("key", TEXT, key=True), Column("entry", BYTES)])

META = Table("meta", [Column("name", TEXT, key=True), Column("value", TEXT)])

TABLES = {table.name: table for table in (STREAMS, EVENTS, DESK, META)}
"""What a ledger is kept in, by name; the read models have tables of their own beside it."""

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
