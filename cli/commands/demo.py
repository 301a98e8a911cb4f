"""`rounds demo`: a recorded evening goes into a fresh store, and the reports are toured over it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

import click

from cli.errors import CommandFailed, Misused
from cli.options import Command, Settings

FEED = Path(__file__).parents[1] / "data" / "demo.jsonl.gz"
SOURCE = "demo"
"""The source of the feed's commands; a store that begins with another is not the demonstration's to replace."""
DEFAULT_URL = "sqlite:///demo.db"
FOUL = "RV-F1-20260501-27"
JACKPOT = "RV-F1-20260501-14"


class Step(NamedTuple):
    """A command of the tour, with what a person wants to know by it."""

    asks: str
    arguments: tuple[str, ...]


TOUR = (
    Step(
        "An evening at twelve tables, every game, is recorded: each event durable, none ever edited.",
        ("record", str(FEED)),
    ),
    Step("Which rounds at the Fortune table had a foul hand?", ("list", "--table", "RV-F1", "--finding", "hand.foul")),
    Step("A player disputes one of them. What happened, and does it add up?", ("replay", FOUL, "--recheck")),
    Step(
        "A royal flush took a share of a meter. What was it paid from?", ("replay", JACKPOT, "--seat", "6", "--recheck")
    ),
    Step("Where does that meter stand now?", ("meter", "show", "RV-F-PROG")),
    Step("And the player?", ("balance", "P055")),
    Step("Is every event as it was recorded?", ("verify",)),
    Step("What do we keep outside, so that nobody can rewrite the log?", ("anchor",)),
)

NEXT = """
Try next:
  rounds list --player P055 --format csv -o p055.csv
  rounds list --status voided
  rounds replay RV-F1-20260501-14 --at 20
  rounds meter show RV-F-PROG --as-of 2026-05-01T18:27:00-04:00
  rounds paytable show SEED4-BONUS
  rounds sheet show --sample fortune-cardroom@1 -o mine.json
  rounds simulate --rounds 500 --seed 9 -o feed.jsonl
  rounds --help
"""


class DemoFailed(CommandFailed):
    """A step of the tour did not end well."""


@click.command(
    cls=Command,
    example="""
        rounds demo
        rounds demo --db sqlite:///trial.db
    """,
)
@click.option("--force", is_flag=True, help="Replace the store of an earlier demo. No other ledger is ever replaced.")
@click.pass_obj
def demo(settings: Settings, force: bool) -> None:
    """Record an evening of every game into a fresh store and tour the reports over it.

    The store is demo.db unless --db or ROUNDS_DB names another. Each command is shown as a person types it; the tour
    takes less than a minute and ends with what to try next.

    Exit: 0 every step went well, 1 one did not.
    """
    if settings.output is not None or settings.format != "table":
        raise Misused("demo.text", "the tour is for reading; use -o and --format with the commands that it shows")
    url = settings.url_given or DEFAULT_URL
    _make_room(url, force=force)
    began = time.monotonic()
    if url != "sqlite:///rounds.db":
        _say("The ledger of this demo; with this set, the commands below can be typed as they are.")
        click.echo(f"$ export ROUNDS_DB={url}")
    for step in TOUR:
        _show(step, url)
    _say(f"All of it took {time.monotonic() - began:.0f} seconds.")
    click.echo(NEXT.rstrip())


def _say(text: str) -> None:
    click.echo()
    click.secho(f"# {text}", bold=True)


def _show(step: Step, url: str) -> None:
    from cli.main import app

    _say(step.asks)
    click.echo(f"$ rounds {' '.join(step.arguments)}")
    code = app.main([*step.arguments, "--db", url, "--format", "table"], standalone_mode=False)
    if code:
        raise DemoFailed("demo.failed", f"`rounds {' '.join(step.arguments)}` ended with {code}")


def _make_room(url: str, *, force: bool) -> None:
    """Refuses a store that holds anything, unless it is an earlier demonstration's and may be replaced."""
    from ledger.errors import StoreNotFound
    from ledger.service import Ledger
    from ledger.settings import dialect_of, sqlite_file

    try:
        with Ledger.open(url, create=False) as ledger:
            first = ledger.records(limit=1)
    except StoreNotFound:
        return
    if not first:
        return
    if first[0].source != SOURCE:
        raise DemoFailed("demo.not-fresh", f"{url} holds a ledger; name a fresh store with --db")
    if not force or dialect_of(url) != "sqlite":
        raise DemoFailed(
            "demo.not-fresh", f"{url} holds an earlier demo; use --force to replace a file, or another --db"
        )
    file = sqlite_file(url)
    for path in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
        path.unlink(missing_ok=True)
