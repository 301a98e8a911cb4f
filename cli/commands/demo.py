"""`rounds demo`: a recorded evening goes into a fresh store, and the reports are toured over it."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import click

from cli.errors import CommandFailed, Misused
from cli.options import Command, Settings

FEED = Path(__file__).parents[1] / "data" / "demo.jsonl.gz"
SOURCE = "demo"
"""The source of the feed's commands; a store that begins with another is not the demonstration's to replace."""
DEFAULT_URL = "sqlite:///demo.db"
STORY = "What happened"
"""The heading of a replay under which it is told event by event."""


class Step(NamedTuple):
    """A command of the tour, with what a person wants to know by it; `whole` says whether all of its answer is shown.

    Otherwise what follows the heading STORY is left out, and how much that is, is said.
    """

    asks: str
    arguments: tuple[str, ...]
    whole: bool = True


def _look(asks: str, round_: str, seat: int) -> Step:
    """A look at one seat of a round, without its story."""
    return Step(asks, ("replay", round_, "--seat", str(seat)), whole=False)


FOUND = "round,won_cents"
JACKPOT = "HB-SCF1-20260501-68"
EVENING = ("--table", "HB-F1", "--day", "2026-05-01")
TOUR = (
    Step("Six games at twelve tables for an evening: every fact an event.", ("record", str(FEED))),
    Step(
        "A player remembers seat 5, about twenty past five, and ten thousand.",
        ("list", "--seat", "5", "--around", "5:20pm", "--won", "10000..", "--fields", FOUND),
    ),
    Step(
        "One dollar won a whole progressive. By which rule, and from what reading?",
        ("replay", JACKPOT, "--seat", "5", "--recheck"),
    ),
    Step("Where did that leave the meter?", ("meter", "show", "HB-LINK-SC", "--as-of", "2026-05-01T17:26:00-07:00")),
    Step("What did the player take home?", ("balance", "P036")),
    _look("Fortune: a foul hand, reset by the floor supervisor. Did it win?", "HB-F1-20260501-10", 2),
    _look("Pai Gow: surveillance reads a hand again. Is the line edited?", "RV-PG1-20260501-33", 4),
    _look("Commission-free: the dealer has a Tiger 9. Who is paid?", "HB-CF1-20260501-41", 4),
    _look("Face Up: the dealer is ace-high, with the joker.", "HB-FU1-20260501-65", 4),
    _look("High Card Flush: he folded. Is his bonus still paid?", "HB-HCF1-20260501-40", 5),
    Step("Which Face Up hands were dealt wrong?", ("list", "--game", "face_up", "--status", "voided")),
    Step("What if that house set its hands by another house way?", ("recheck", *EVENING, "--with", "house-way=mbs")),
    Step("Does every settlement follow from its events and its rules?", ("recheck",)),
    Step("Is every event as it was recorded?", ("verify",)),
    Step("What do we keep outside, so that nobody can rewrite the log?", ("anchor",)),
)

NEXT = """
Try next:
  rounds replay HB-F1-20260501-6              # a player banks the table
  rounds replay HB-SCF1-20260501-67 --seat 5  # what no paragraph covers
  rounds replay HB-F1-20260501-6 -o hand.html # the same, for a browser
  rounds list --won 1000.. --outcome win      # who won much, and when
  rounds explain hand.foul                    # any code, and the way out
  rounds list --player P036 --format csv -o p036.csv
  rounds meter list
  rounds game show six_card_fortune           # wagers, rulings, house ways
  rounds recheck --game face_up --with house-way=trump
  rounds paytable show SEED4-BONUS            # exact odds and house edge
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
        _say("The ledger of this demo. With this set, type the commands as they are.")
        click.echo(f"$ export ROUNDS_DB={url}")
    for step in TOUR:
        _show(step, url)
    _say(f"{_events(url):,} events recorded, and all of this asked of them, in {time.monotonic() - began:.0f} seconds.")
    click.echo(NEXT.rstrip())


def _events(url: str) -> int:
    from ledger.service import Ledger

    with Ledger.open(url, create=False) as ledger:
        return ledger.head().position


def _say(text: str) -> None:
    click.echo()
    click.secho(f"# {text}", bold=True)


def _show(step: Step, url: str) -> None:
    _say(step.asks)
    click.echo(f"$ rounds {' '.join(step.arguments)}")
    if step.whole:
        code = _run(step, url)
    else:
        with _kept() as answer:
            code = _run(step, url)
        _show_without_story(answer.getvalue().decode(sys.stdout.encoding).splitlines())
    if code:
        raise DemoFailed("demo.failed", f"`rounds {' '.join(step.arguments)}` ended with {code}")


def _run(step: Step, url: str) -> int:
    from cli.main import app

    code = app.main([*step.arguments, "--db", url, "--format", "table", "--no-pager"], standalone_mode=False)
    assert isinstance(code, int)
    return code


class _Kept(io.BytesIO):
    """What is printed, kept; coloured like what it stands for."""

    def __init__(self, coloured: bool) -> None:
        super().__init__()
        self._coloured = coloured

    def isatty(self) -> bool:
        return self._coloured


@contextmanager
def _kept() -> Iterator[_Kept]:
    """Keeps what is printed meanwhile."""
    kept = _Kept(sys.stdout.isatty())
    stream = io.TextIOWrapper(kept, encoding=sys.stdout.encoding)
    with redirect_stdout(stream):
        yield kept
    stream.detach()


def _show_without_story(lines: Sequence[str]) -> None:
    told = next((place for place, line in enumerate(lines) if STORY in line), len(lines))
    click.echo("\n".join(lines[:told]).rstrip("\n"))
    if left := len(lines) - told:
        click.echo(f"... and {left} lines of what happened, event by event.")


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
