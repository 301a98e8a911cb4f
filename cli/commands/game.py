"""`rounds game`: the games that rounds can be played in."""

from __future__ import annotations

import click

from cli import completing
from cli.errors import NotFound
from cli.meant import meant
from cli.options import Command, Group, Settings
from cli.output import write_document, write_rows


@click.group(cls=Group, example="rounds game show face_up")
def game() -> None:
    """List and show the games: cards, wagers in settling order, rulings and house ways."""


@game.command("list", cls=Command, example="rounds game list")
@click.pass_obj
def list_(settings: Settings) -> None:
    """List the games, each with a sample sheet to start from."""
    from cli.game_view import LIST_COLUMNS, list_row
    from domain.games import game, game_ids

    rows = (list_row(game(id_)) for id_ in game_ids())
    write_rows(settings, LIST_COLUMNS, rows, none="no games")


@game.command(
    cls=Command,
    example="""
        rounds game show face_up
        rounds game show six_card_fortune --format json
    """,
)
@click.argument("id_", metavar="GAME", shell_complete=completing.games)
@click.pass_obj
def show(settings: Settings, id_: str) -> None:
    """Show what is fixed about a game; amounts, odds and limits are the sheet's."""
    from cli.game_view import WAGER_COLUMNS, document, print_game
    from domain.games import game, game_ids

    if id_ not in game_ids():
        raise NotFound("game.unknown", f"no game {id_!r}; {meant(id_, game_ids())}")
    found = game(id_)
    shown = document(found)
    write_document(
        settings, shown, text=lambda paper: print_game(paper, shown), columns=WAGER_COLUMNS, rows=shown["wagers"]
    )
