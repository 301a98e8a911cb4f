"""`rounds balance`: what players have won, lost and hold."""

from __future__ import annotations

import click

from cli import completing
from cli.errors import NotFound
from cli.meant import did_you_mean
from cli.options import Command, Settings
from cli.output import destination, paper_for, write_rows
from cli.store import as_of_option, keep_up, point_of, say_lag, to_read
from cli.tables import Column, clean, draw_record

COLUMNS: tuple[Column, ...] = (
    Column("player", "Player"),
    Column("bought_in_cents", "Bought in", "cents"),
    Column("cashed_out_cents", "Cashed out", "cents"),
    Column("staked_cents", "Staked", "cents"),
    Column("won_cents", "Won", "cents"),
    Column("returned_cents", "Returned", "cents"),
    Column("commission_cents", "Comm.", "cents"),
    Column("corrected_cents", "Corrected", "cents"),
    Column("net_cents", "Net", "cents"),
    Column("balance_cents", "Balance", "cents"),
    Column("rounds", "Rounds", "int"),
    Column("position", "Position", "int", in_table=False),
)


@click.command(
    cls=Command,
    example="""
        rounds balance
        rounds balance P100 --as-of 2026-03-14T19:00:00-04:00
    """,
)
@click.argument("player", required=False, shell_complete=completing.players)
@as_of_option
@click.pass_obj
def balance(settings: Settings, player: str | None, as_of: str | None) -> None:
    """Show the balance of PLAYER, or of every player.

    Balance = bought in - cashed out + net, and net = won + returned - staked - commission + corrected. A stake counts
    as staked from the moment it is placed.
    """
    from projections import balances
    from projections.suggesting import similar_names

    point = point_of(as_of)
    with to_read(settings) as ledger:
        if point is None:
            keep_up(settings, ledger, balances.Balances)
        report = balances.balances(ledger, player, point)
        rows = report.rows if player is None else list(report.rows)
        if player is not None and not rows:
            say_lag(ledger, report.lag)
            near = similar_names(ledger, "player", player)
            hint = did_you_mean([clean(each) for each in near], "`rounds balance` lists them all")
            raise NotFound("player.unknown", f"no player {player!r} in this ledger; {hint}")
        if player is not None and settings.format == "table" and not settings.fields:
            with destination(settings) as stream:
                paper_for(settings, stream).print_all(draw_record(COLUMNS, next(iter(rows))))
        else:
            write_rows(settings, COLUMNS, rows, none="no players yet")
        say_lag(ledger, report.lag)
