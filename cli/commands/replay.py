"""`rounds replay`: a round as its events tell it, with the rule behind every cent."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cli import completing
from cli.errors import BROKEN, REFUSED, Finished, Misused
from cli.fields import chosen
from cli.filters import filter_options, filters
from cli.meant import meant_round
from cli.options import WITH_PAGE, Command, Settings
from cli.output import RowWriter, destination, is_terminal, paper_for
from cli.store import say_lag, to_read
from cli.tables import PAGE_WIDTH, Column
from cli.what_if import change, compare, with_option

if TYPE_CHECKING:
    from ledger.service import Ledger

Document = Mapping[str, Any]

LINE_COLUMNS = (
    Column("round"),
    Column("line_id"),
    Column("seat", kind="int"),
    Column("player"),
    Column("wager"),
    Column("kind"),
    Column("for_seat", kind="int"),
    Column("toke"),
    Column("bettor"),
    Column("stake_cents", kind="cents"),
    Column("outcome"),
    Column("odds"),
    Column("won_cents", kind="cents"),
    Column("returned_cents", kind="cents"),
    Column("commission_cents", kind="cents"),
    Column("net_cents", kind="cents"),
    Column("paid_by"),
    Column("hand"),
    Column("cite"),
    Column("ruling"),
)


@click.command(
    cls=Command,
    formats=WITH_PAGE,
    example="""
        rounds replay PG01-20260314-1 --recheck
        rounds replay PG01-20260314-1 --at 12 --seat 5 --as seat:5
        rounds replay PG01-20260314-1 --with house-way=mbs
        rounds replay PG01-20260314-1 --step
        rounds replay --all --day 2026-03-14 --format jsonl -o day.jsonl
    """,
)
@click.argument("round_key", required=False, metavar="ROUND", shell_complete=completing.rounds)
@click.option("--at", type=click.IntRange(min=1), metavar="N", help="As the round was after its event N.")
@click.option("--seat", type=click.IntRange(min=1), metavar="N", help="Only what concerns seat N and everybody.")
@click.option(
    "--as",
    "eyes",
    metavar="WHO",
    help="As surveillance, the dealer or seat:N sees it: cards not face up for them are ??.  [surveillance]",
)
@click.option("--step", is_flag=True, help="Step through it on the whole screen; ? there says how.")
@click.option("--plain", is_flag=True, help="In sentences alone, to be read aloud.")
@click.option("--recheck", is_flag=True, help="Exit 1 where the settlement, computed anew, is not what was recorded.")
@click.option("--all", "all_", is_flag=True, help="Every round that the filters mean, in the order of their opening.")
@with_option
@partial(filter_options, without=("--seat",))
@click.pass_obj
def replay(
    settings: Settings,
    /,
    round_key: str | None,
    at: int | None,
    seat: int | None,
    eyes: str | None,
    step: bool,
    plain: bool,
    recheck: bool,
    all_: bool,
    with_: Sequence[str],
    **given: Any,
) -> None:
    """Replay ROUND from its events, under the sheet that it was opened with: findings, cards, hands, and every line.

    On a terminal the table is drawn; into a file or a pipe it is text in columns. As CSV it is the round's lines.
    Every replay computes the settlement anew and says whether it matches; with
    --recheck a difference also ends it with exit 1.

    Exit: 0 shown, 1 a recheck failed, 3 no such round, 5 the round's events are not as they were recorded.
    """
    if all_ == (round_key is not None):
        raise Misused("replay.which", "name one ROUND, or --all with filters")
    if all_ and (at is not None or seat is not None or eyes is not None):
        raise Misused("replay.which", "--at, --seat and --as are for one round")
    if all_ and settings.format == "html":
        raise Misused("replay.which", "a page is for one round")
    if plain and settings.format != "table":
        raise Misused("replay.which", f"--plain is text; it cannot be {settings.format}")
    if not all_ and any(value is not None for value in given.values()):
        raise Misused("replay.which", "filters are for --all")
    if step:
        _check_screen(settings, alone=not (all_ or plain or with_))
    if with_:
        _what_if(settings, round_key, with_, alone=not (all_ or plain or recheck or at or seat or eyes))
        return
    if settings.fields and settings.format in ("table", "html"):
        raise Misused(
            "fields.none", "a replay that is read has no fields; use --fields with --format json, jsonl or csv"
        )
    outcome = _Outcome()
    with to_read(settings) as ledger:
        if all_:
            documents = outcome.watch(_every(ledger, given))
        else:
            documents = outcome.watch([_one(ledger, str(round_key), at, seat, eyes)])
        if step:
            _step(ledger, documents, at, seat)
        elif settings.format == "html":
            _write_page(settings, ledger, documents, seat)
        else:
            _write(settings, documents, whole=all_, plain=plain)
        if all_ and ledger.read_only:
            say_lag(ledger, _lag(ledger))
    outcome.end(recheck=recheck)


def _what_if(settings: Settings, round_key: str | None, with_: Sequence[str], *, alone: bool) -> None:
    """The round beside what it would have come to under another sheet or house way."""
    if round_key is None or not alone:
        raise Misused("replay.which", "--with stands alone beside one ROUND; `rounds recheck --with` compares many")
    with to_read(settings) as ledger:
        _one(ledger, round_key, None, None, None)
        other = change(ledger, with_)
    compare(settings, [round_key], other)


class _Outcome:
    """Which rounds did not stand the recheck or the hashes, of those that passed by."""

    def __init__(self) -> None:
        self.differing: list[str] = []
        self.broken: list[str] = []

    def watch(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            if not document["recheck"]["matches"]:
                self.differing.append(document["round"])
            if not document["integrity"]["verified"]:
                self.broken.append(document["round"])
            yield document

    def end(self, *, recheck: bool) -> None:
        """Ends the command with what is wrong, if anything is."""
        if self.broken:
            _say(f"the events of {_named(self.broken)} are not as they were recorded; run `rounds verify`")
            raise Finished(BROKEN)
        if self.differing:
            _say(f"{_named(self.differing)}: the settlement computed anew is not what was recorded")
            if recheck:
                raise Finished(REFUSED)


def _say(sentence: str) -> None:
    click.echo(f"rounds: {sentence}", err=True)


def _named(rounds: list[str], most: int = 5) -> str:
    more = f" and {len(rounds) - most:,} more" if len(rounds) > most else ""
    return f"round{'s' if len(rounds) > 1 else ''} {', '.join(rounds[:most])}{more}"


def _every(ledger: Ledger, given: dict[str, Any]) -> Iterator[Document]:
    from projections.replays import replay_all

    return replay_all(ledger, filters(ledger, given))


def _lag(ledger: Ledger) -> int:
    # Which rounds there are is read from a projection; what they are, from the log.
    from projections.catalog import status

    return status(ledger, ["rounds"])[0].lag


def _one(ledger: Ledger, round_key: str, at: int | None, seat: int | None, eyes: str | None) -> Document:
    from cli.errors import NotFound
    from projections.replays import NoSuchRound
    from projections.replays import replay as replay_of
    from projections.viewing import viewer

    try:
        return replay_of(ledger, round_key, at, seat, viewer(eyes or "surveillance"))
    except NoSuchRound as error:
        raise NotFound(error.code, f"{error}; {meant_round(ledger, round_key)}") from None


def _check_screen(settings: Settings, *, alone: bool) -> None:
    """Stepping is for one round and for somebody in front of a terminal."""
    if not alone or settings.format != "table" or settings.output is not None:
        raise Misused("replay.step", "--step is for one ROUND on the screen; leave out the other ways to show it")
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise Misused("replay.step", "--step needs a terminal; `rounds replay ROUND --format html` makes a page of it")


def _step(ledger: Ledger, documents: Iterable[Document], at: int | None, seat: int | None) -> None:
    from cli import terminal
    from cli.replay.screen import Stepping
    from cli.replay.stepper import Stepper
    from projections.replays import replay_steps
    from projections.viewing import viewer

    for document in documents:

        def load(seat: int | None, eyes: str, key: str = document["round"]) -> Sequence[Document]:
            return replay_steps(ledger, key, seat, viewer(eyes))

        stepper = Stepper(load, seat, document["seen_by"], at)
        Stepping(stepper, ascii_only=terminal.encoding() == "ascii").run()


def _write_page(settings: Settings, ledger: Ledger, documents: Iterable[Document], seat: int | None) -> None:
    from cli.replay.page import page

    with destination(settings) as stream:
        for document in documents:
            stream.write(page(_steps(ledger, document, seat)).encode())


def _steps(ledger: Ledger, document: Document, seat: int | None) -> list[dict[str, Any]]:
    """The documents after each event that led to this one."""
    from projections.replays import replay_steps
    from projections.viewing import viewer

    return replay_steps(ledger, document["round"], seat, viewer(document["seen_by"]))[: len(document["frames"])]


def _write(settings: Settings, documents: Iterable[Document], *, whole: bool, plain: bool) -> None:
    from cli import terminal
    from cli.output import json_text
    from cli.replay.text import COLUMNS, DRAWN, SENTENCES, print_replay

    with destination(settings, paged=True) as stream:
        if settings.format == "table":
            paper = paper_for(settings, stream)
            drawn = is_terminal(settings, stream)
            page = terminal.page_width() if drawn else PAGE_WIDTH
            form = SENTENCES if plain else DRAWN if drawn else COLUMNS
            for count, document in enumerate(documents):
                if count:
                    paper.print_all(["", "-" * page, ""])
                print_replay(paper, document, form, page)
            return
        if settings.format == "json" and not whole:
            for document in documents:
                stream.write(json_text(chosen(settings.fields, document)))
            return
        writer = RowWriter(settings, LINE_COLUMNS, stream)
        for document in documents:
            for row in _lines(document) if settings.format == "csv" else [document]:
                writer.write(row)
        writer.close()


def _lines(document: Document) -> Iterator[Mapping[str, Any]]:
    for line in document["lines"]:
        yield {"round": document["round"], **line}
