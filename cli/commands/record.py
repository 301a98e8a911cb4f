"""`rounds record`: a table feed goes into the ledger, a receipt a line comes back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import click

from cli.errors import INTERRUPTED, REFUSED, Finished, Misused
from cli.feed_lines import STANDARD_INPUT, FeedSource
from cli.options import Command, Settings
from cli.output import destination
from cli.store import to_record

if TYPE_CHECKING:
    from ledger.service import Ledger, Submit


@click.command(
    cls=Command,
    example="""
        rounds record feed.jsonl
        rounds record -q --format jsonl - < feed.jsonl > receipts.jsonl
    """,
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...|-", type=click.Path())
@click.option("--stop-on-refusal", is_flag=True, help="Record nothing after the first refused line.")
@click.option("--dry-run", is_flag=True, help="Say what would be recorded and refused, and record nothing.")
@click.pass_obj
def record(settings: Settings, files: tuple[str, ...], stop_on_refusal: bool, dry_run: bool) -> None:
    """Record table feeds, one JSON command a line, in the order given; - is standard input.

    A line that is recorded already is answered with its first receipt, so a feed can be sent again after any trouble.
    A refused line changes nothing and the next line is taken; its reason is on standard error, or in its receipt with
    --format jsonl. A receipt is written only when its line is safely stored.

    Exit: 0 everything is recorded, 1 a line was refused.
    """
    from cli.receipts import teller
    from cli.recording import Tally, record_lines

    if files.count(STANDARD_INPUT) > 1:
        raise Misused("record.input", "standard input can be read only once; name - once")
    tally = Tally()
    with ExitStack() as opened:
        # Every file is opened first: one that is not there must not be found out after others are recorded.
        sources = [opened.enter_context(FeedSource(name)) for name in files]
        ledger = opened.enter_context(to_record(settings))
        stream = opened.enter_context(destination(settings))
        tell = opened.enter_context(teller(settings, stream, tally, sources, dry_run=dry_run))
        submit = opened.enter_context(_submit(ledger, dry_run))
        whole = record_lines(sources, submit, tell, stop_on_refusal=stop_on_refusal)
    if not whole:
        settings.note("rounds: interrupted; what is counted above is stored. The same command goes on from there.")
        raise Finished(INTERRUPTED)
    if tally.refused:
        raise Finished(REFUSED)


@contextmanager
def _submit(ledger: Ledger, dry_run: bool) -> Iterator[Submit]:
    if dry_run:
        with ledger.rehearsal() as submit:
            yield submit
    else:
        yield ledger.submit
