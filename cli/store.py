"""Opens the ledger that a command works on; nothing here loads the store before it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from cli.errors import Misused
from cli.options import Settings
from cli.tables import counted

if TYPE_CHECKING:
    from ledger.service import Ledger
    from projections.asof import AsOf


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


def keep_up(settings: Settings, ledger: Ledger, name: str) -> None:
    """Takes in what the log has gained for a report, and where that takes long says on a terminal how far it is."""
    from cli.progress import ProgressLine
    from projections import catalog

    (status,) = catalog.status(ledger, [name])
    if status.lag > _LONG_LAG:
        with ProgressLine(settings) as line:
            catalog.catch_up(ledger, [name], progress=lambda _, done, head: line.count("events taken in", done, head))


_LONG_LAG = 10_000


def say_lag(settings: Settings, lag: int) -> None:
    """Says that a report is behind the log; that is needed to read it, so `-q` does not hide it."""
    if lag:
        behind = f"{counted(lag, 'event')} behind the log"
        why = "the store can only be read here, or a read model has stopped; see rounds projection status"
        click.echo(f"rounds: this answer is {behind}: {why}", err=True)


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
