"""Opens the ledger that a command works on; nothing here loads the store before it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from cli.errors import Misused
from cli.options import Settings
from cli.tables import counted

if TYPE_CHECKING:
    from ledger.service import Ledger
    from projections.asof import AsOf
    from projections.store import Projection


@contextmanager
def to_record(settings: Settings) -> Iterator[Ledger]:
    """The ledger, made where there is none yet."""
    from ledger.service import Ledger

    with Ledger.open(settings.url) as ledger:
        yield ledger


@contextmanager
def to_read(settings: Settings) -> Iterator[Ledger]:
    """A ledger that is there already; a report never makes one."""
    from ledger.service import Ledger

    with Ledger.open(settings.url, create=False) as ledger:
        yield ledger


def keep_up(settings: Settings, ledger: Ledger, *kinds: type[Projection]) -> None:
    """Takes in what the log has gained for a report, and where that takes long says on a terminal how far it is."""
    from cli.progress import ProgressLine
    from projections.keeping_up import catch_up
    from projections.standing import status

    late = [kind for kind, found in zip(kinds, status(ledger, kinds), strict=True) if found.lag > _LONG_LAG]
    if late:
        with ProgressLine(settings) as line:
            catch_up(ledger, late, progress=lambda _, done, head: line.count("events taken in", done, head))


_LONG_LAG = 10_000


def say_lag(ledger: Ledger, lag: int) -> None:
    """Says that a report is behind the log, and how to get all of it; `-q` does not hide it, for it must be known."""
    if lag:
        behind = f"{counted(lag, 'event')} behind the log, which has {ledger.head().position:,}"
        click.echo(f"rounds: this answer is {behind}: {_why_behind(ledger)}", err=True)


def _why_behind(ledger: Ledger) -> str:
    from projections.catalog import status

    stopped = [each for each in status(ledger) if each.error_position is not None]
    if stopped:
        names = " and ".join(f"{each.name} at position {each.error_position}" for each in stopped)
        return f"a read model has stopped ({names}); see rounds projection status"
    if ledger.read_only:
        return f"it has what was projected before the store could only be read; for all of it {_whole(ledger)}"
    return "it was recorded meanwhile, or the store cannot be written just now; ask again"


def _whole(ledger: Ledger) -> str:
    place = ledger.store.dialect.place
    if not Path(place).is_file():
        return "ask as somebody who may write rows, or rounds backup it and restore that"
    return f"run rounds restore {quote(place)} --db sqlite:///whole.db, and ask there"


def as_of_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--as-of POSITION|TIME`, read when the command runs."""
    return click.option(
        "--as-of",
        metavar="POSITION|TIME",
        help="As it stood at a log position, or at a time such as 2026-05-04T18:00:00-04:00.",
    )(command)


def point_of(text: str | None) -> AsOf | None:
    """What `--as-of` names; misused where it names nothing."""
    from projections.asof import parse

    if text is None:
        return None
    try:
        return parse(text)
    except ValueError as error:
        raise Misused("as-of.invalid", str(error)) from None
