"""`rounds db`: the tables of a ledger's database, made and looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.errors import NOT_FOUND, REFUSED, Finished
from cli.options import Command, Group, Settings
from cli.output import write_document
from cli.tables import Column, Paper, counted

if TYPE_CHECKING:
    from ledger.upgrade import StoreStatus

STATUS_COLUMNS = (
    Column("database"),
    Column("schema", kind="int"),
    Column("known", kind="int"),
    Column("ready"),
    Column("events", kind="int"),
    Column("read_only"),
)
UPGRADE_COLUMNS = (Column("before", kind="int"), Column("now", kind="int"))


@click.group(cls=Group, example="rounds db upgrade --db postgresql+psycopg://owner@db/rounds")
def db() -> None:
    """Make and look at the tables of a ledger's database."""


@db.command(
    cls=Command,
    example="""
        rounds db upgrade
        rounds db upgrade --db postgresql+psycopg://owner@db/rounds
    """,
)
@click.pass_obj
def upgrade(settings: Settings) -> None:
    """Make the tables of a ledger, or bring those there to this version; what is recorded stays as it is.

    Several may run at once: one does the work and the others wait for it. Make a backup first where there is a ledger.
    """
    from ledger.upgrade import upgrade as upgrade_store

    done = upgrade_store(settings.url)._asdict()

    def text(paper: Paper) -> None:
        if done["before"] == done["now"]:
            paper.print(f"Schema {done['now']}: nothing to do.")
        elif done["before"] is None:
            paper.print(f"Schema {done['now']}: an empty ledger was made.")
        else:
            paper.print(f"Schema {done['now']}: upgraded from {done['before']}.")

    write_document(settings, done, text=text, columns=UPGRADE_COLUMNS, rows=[done])


@db.command(cls=Command, example="rounds db status")
@click.pass_obj
def status(settings: Settings) -> None:
    """Show which schema the ledger's tables have, and whether this version can work on them.

    Exit: 0 they are ready, 1 they need `rounds db upgrade` or are of a newer version, 3 there is no ledger.
    """
    from ledger.upgrade import status as status_of

    found = status_of(settings.url)
    document = _document(found)
    write_document(
        settings, document, text=lambda paper: _print_status(paper, found), columns=STATUS_COLUMNS, rows=[document]
    )
    if not found.ready:
        raise Finished(NOT_FOUND if found.schema is None else REFUSED)


def _document(found: StoreStatus) -> dict[str, Any]:
    return {
        "database": found.place,
        "schema": found.schema,
        "known": found.known,
        "ready": found.ready,
        "events": found.events,
        "read_only": found.read_only,
    }


def _print_status(paper: Paper, found: StoreStatus) -> None:
    paper.print(f"Database  {found.place}{' (can only be read)' if found.read_only else ''}")
    if found.schema is None:
        paper.print("Schema    none yet; run rounds db upgrade")
        return
    ready = "ready" if found.ready else f"this version works on {found.known}; run rounds db upgrade"
    if found.schema > found.known:
        ready = f"this version knows up to {found.known}; use the newer one"
    paper.print(f"Schema    {found.schema}, {ready}")
    paper.print(f"Log       {counted(found.events, 'event')}")


@db.command(cls=Command, example="rounds db roles | psql rounds")
@click.option("--schema", default="public", show_default=True, help="The schema that the tables are in.")
@click.pass_obj
def roles(settings: Settings, schema: str) -> None:
    """Print the SQL that gives PostgreSQL one role for recording, one for reports and one for looking.

    Read it, then run it as the owner of the database. None of the roles can change what is recorded.
    """
    from ledger.roles import statements

    made = statements(schema)
    write_document(
        settings,
        {"statements": made},
        text=lambda paper: paper.print_all(f"{each};" for each in made),
        columns=(Column("statement"),),
        rows=[{"statement": each} for each in made],
    )
