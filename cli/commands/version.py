"""`rounds version`."""

from __future__ import annotations

import click

from cli.options import Command, Settings
from cli.output import write_document

NAME = "round-ledger"


def in_words() -> str:
    """The program and its version, as a person reads them."""
    return f"{NAME} {_installed()}"


@click.command(cls=Command, example="rounds version")
@click.pass_obj
def version(settings: Settings) -> None:
    """Say which version of the program this is."""
    document = {"name": NAME, "version": _installed()}
    write_document(settings, document, text=lambda paper: paper.print(in_words()))


def _installed() -> str:
    from importlib.metadata import version as installed

    return installed(NAME)
