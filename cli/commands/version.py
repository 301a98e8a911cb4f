"""`rounds version`."""

from __future__ import annotations

import click

from cli.options import Command, Settings
from cli.output import write_document
from cli.tables import Paper


@click.command(cls=Command, example="rounds version")
@click.pass_obj
def version(settings: Settings) -> None:
    """Say which version of the program this is."""
    from importlib.metadata import version as installed

    document = {"name": "round-ledger", "version": installed("round-ledger")}

    def text(paper: Paper) -> None:
        paper.print(f"{document['name']} {document['version']}")

    write_document(settings, document, text=text)
