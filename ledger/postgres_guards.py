"""What PostgreSQL itself refuses, whoever asks: to change or remove what is recorded, and to add it out of order.

The triggers are of the statement, so that a group of events costs one check. They fire always, also in a session that
replicates, and their functions look for tables in the ledger's own schema first: a temporary table named `events` would
otherwise stand in for the log.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ledger.reading import Connection

_INSERT, _ANY_CHANGE = 4, 58
"""How `pg_trigger.tgtype` says AFTER INSERT, and BEFORE UPDATE OR DELETE OR TRUNCATE, of the statement."""


class Guard(NamedTuple):
    """A trigger: its table, when it fires, and the function that it calls."""

    table: str
    fires: int
    function: str


GUARDS = {
    "events_next": Guard("events", _INSERT, "ledger_next_events"),
    "events_no_change": Guard("events", _ANY_CHANGE, "ledger_no_change"),
    "streams_no_change": Guard("streams", _ANY_CHANGE, "ledger_no_change"),
}
"""The guards of a PostgreSQL store by trigger name; `verify` looks for each."""

_BODIES = {
    "ledger_no_change": """
BEGIN
    RAISE EXCEPTION '%: what is recorded is never changed and never removed', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
""",
    "ledger_next_events": """
DECLARE
    first bigint;
    last bigint;
    added_rows bigint;
BEGIN
    SELECT min(position), max(position), count(*) INTO first, last, added_rows FROM added;
    IF added_rows = 0 THEN
        RETURN NULL;
    END IF;
    IF last - first + 1 <> added_rows
        OR first <> 1 + coalesce((SELECT max(position) FROM events WHERE position < first), 0)
        OR last <> (SELECT max(position) FROM events)
    THEN
        RAISE EXCEPTION 'events: the position is not the next one'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF EXISTS (
        SELECT 1 FROM added
        WHERE version <> 1 AND NOT EXISTS (
            SELECT 1 FROM events
            WHERE events.stream_id = added.stream_id AND events.version = added.version - 1
                AND events.position < added.position
        )
    ) THEN
        RAISE EXCEPTION 'events: the version is not the next one of its stream'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
""",
}


def statements(schema: str) -> list[str]:
    """What makes the guards on the tables in `schema`, given as a quoted name."""
    made = [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET search_path = {schema}, pg_temp AS $${body}$$"
        for name, body in _BODIES.items()
    ]
    for name, (table, fires, function) in GUARDS.items():
        when = (
            "AFTER INSERT ON {0} REFERENCING NEW TABLE AS added"
            if fires == _INSERT
            else "BEFORE UPDATE OR DELETE OR TRUNCATE ON {0}"
        )
        made.append(f"CREATE TRIGGER {name} {when.format(table)} FOR EACH STATEMENT EXECUTE FUNCTION {function}()")
        made.append(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")
    return made


def schema_of(connection: Connection) -> str:
    """The schema that tables are made in, as a quoted name."""
    schema = connection.exec_driver_sql("SELECT quote_ident(current_schema())").scalar()
    assert isinstance(schema, str)
    return schema


def missing(connection: Connection) -> set[str]:
    """The guards that are not there, or are not as `statements` makes them, by name."""
    schema = schema_of(connection)
    rows = connection.exec_driver_sql("""
        SELECT t.tgname, c.relname, t.tgtype, t.tgenabled, t.tgqual IS NULL, t.tgnewtable, p.proname, p.prosrc,
            p.proconfig
        FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
        WHERE NOT t.tgisinternal AND n.nspname = current_schema()
    """)
    there = {row[0]: tuple(row[1:]) for row in rows}
    return {name for name, guard in GUARDS.items() if there.get(name) != _as_found(guard, schema)}


def strangers(connection: Connection, tables: list[str]) -> set[str]:
    """The triggers on `tables` that no version of `statements` makes, by name."""
    rows = connection.exec_driver_sql(
        """
        SELECT t.tgname FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE NOT t.tgisinternal AND n.nspname = current_schema() AND c.relname = ANY(%s)
        """,
        (tables,),
    )
    return {name for (name,) in rows if name not in GUARDS}


def _as_found(guard: Guard, schema: str) -> tuple[Any, ...]:
    """What the catalogue says of a guard that is as it was made."""
    added = "added" if guard.fires == _INSERT else None
    body, settings = _BODIES[guard.function], [f"search_path={schema}, pg_temp"]
    return guard.table, guard.fires, "A", True, added, guard.function, body, settings
