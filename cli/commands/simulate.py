"""`rounds simulate`: a table feed of simulated play, to try the program on and to test with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import click

from cli.errors import Misused
from cli.meant import meant
from cli.options import Command, Settings
from cli.output import destination, json_line
from cli.progress import ProgressLine

_ALL = "all"
_FIRST_YEAR, _LAST_YEAR = 2000, 2199


@click.command(
    cls=Command,
    example="""
        rounds simulate --rounds 200 --seed 7 -o feed.jsonl
        rounds simulate --game face_up --rounds 50 --seed 1 | rounds record - --db sqlite:///trial.db
    """,
)
@click.option("--game", default=_ALL, show_default=True, metavar="GAME", help="One game, as `rounds game list` has it.")
@click.option(
    "--rounds", type=click.IntRange(min=1), default=100, show_default=True, help="How many rounds are played."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Another number gives another evening.")
@click.option("--players", type=click.IntRange(min=1), default=60, show_default=True, help="How many people play.")
@click.option("--start", default="2026-05-01", show_default=True, metavar="DATE", help="The first evening.")
@click.option("--bias", is_flag=True, help="Hands that pay are dealt often.")
@click.option("--eventful", is_flag=True, help="Fouls, banks, misdeals, voids and corrections come often.")
@click.option("--mistakes", is_flag=True, help="Now and then a command is sent that a ledger refuses.")
@click.option("--coordinator", is_flag=True, help="Signs of meters are read every two hours, and meters put right.")
@click.pass_obj
def simulate(
    settings: Settings,
    game: str,
    rounds: int,
    seed: int,
    players: int,
    start: str,
    bias: bool,
    eventful: bool,
    mistakes: bool,
    coordinator: bool,
) -> None:
    """Write a feed of simulated play, one JSON command a line.

    Two properties are opened with their meters and sheets, players buy in, and tables play beside each other: dealt
    fairly, with hands set well and badly, and with what goes wrong in a room at the rates at which it does. The same
    arguments give the same bytes on any machine. A new ledger records every line of it, --mistakes apart.
    """
    from cli.simulation.feed import feed
    from cli.simulation.habits import EVENTFUL, ROOM

    if settings.format_given not in (None, "table", "jsonl"):
        raise Misused("simulate.format", "a feed is JSON lines; leave --format out")
    commands = feed(
        seed,
        rounds,
        games=_games(game),
        players=players,
        start=_day(start),
        bias=bias,
        mistakes=mistakes,
        habits=EVENTFUL if eventful else ROOM,
        coordinator=coordinator,
    )
    progress = ProgressLine(settings, with_answer=True)
    played = 0
    with destination(settings) as stream:
        for command in commands:
            stream.write(json_line(command))
            played += command["command"] == "settle"
            if progress.is_due:
                progress.say(f"{100 * min(played, rounds) // rounds} %, {played:,} rounds")
    progress.clear()


def _games(name: str) -> Sequence[str]:
    from domain.games import game_ids

    if name != _ALL and name not in game_ids():
        raise Misused("game.unknown", f"no game {name!r}; {meant(name, (*game_ids(), _ALL))}")
    return game_ids() if name == _ALL else (name,)


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Misused("day.invalid", f"{text!r} is no date; write it like 2026-05-01") from None
    if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        raise Misused("day.invalid", f"{text} is too far away; the years {_FIRST_YEAR} to {_LAST_YEAR} are played")
    return day
