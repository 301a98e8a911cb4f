"""Writes the receipts of a recording as they come, and the count at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

import click

from cli.feed_lines import STANDARD_INPUT, FeedSource
from cli.options import Settings
from cli.output import RowWriter, paper_for
from cli.progress import ProgressLine
from cli.recording import Answer, Tally
from cli.tables import Column, Paper, clean, counted, draw_table
from domain.errors import Malformed

Tell = Callable[[list[Answer]], None]

COLUMNS = (
    Column("file"),
    Column("line", kind="int"),
    Column("command_id"),
    Column("status"),
    Column("round"),
    Column("version", kind="int"),
    Column("position", kind="int"),
    Column("events", kind="list"),
    Column("code"),
    Column("message"),
)


@contextmanager
def teller(
    settings: Settings, stream: IO[bytes], tally: Tally, sources: Sequence[FeedSource], *, dry_run: bool
) -> Iterator[Tell]:
    """Gives what a group's answers are told to; the count comes at the end, also where trouble ends it early.

    As a table the count is the answer and refusals are on standard error; otherwise the receipts are the answer and
    the count is on standard error.
    """
    progress = _Pace(settings, tally, sources)
    strange = _Strangers(sources)
    as_table = settings.format == "table"
    writer = None if as_table else RowWriter(settings, COLUMNS, stream)

    def tell(answers: list[Answer]) -> None:
        # The whole group is stored: it counts also where its receipts cannot all be written.
        for answer in answers:
            tally.take(answer)
        for answer in answers:
            told, warning = strange.look_at(answer)
            if writer is not None:
                shown = answer.as_json()
                if dry_run:
                    shown["dry_run"] = True
                writer.write(shown)
            elif answer.receipt.status == "refused" and told:
                progress.clear()
                click.echo(f"{answer.where}: {clean(f'{answer.receipt.code}: {answer.receipt.message}')}", err=True)
            if warning:
                progress.clear()
                click.echo(f"rounds: {clean(warning)}", err=True)
        stream.flush()
        progress.show()

    try:
        yield tell
    finally:
        progress.clear()
        for warning in strange.at_the_end():
            click.echo(f"rounds: {clean(warning)}", err=True)
        if writer is not None:
            writer.close()
            click.echo(f"rounds: {_tense(dry_run)}{tally.sentence()}", err=True)
        else:
            _print_count(paper_for(settings, stream), tally, dry_run)


class _Strangers:
    """Tells where a file is no feed at all: that is said once, and not again of each of ten thousand lines.

    Every line has its receipt all the same, and is counted.
    """

    ENOUGH = 10
    """So many lines, none of which has anything of a command, are no feed with mistakes in it."""

    def __init__(self, sources: Sequence[FeedSource]) -> None:
        self._only = sources[0].name if sources else ""
        self._seen: dict[str | None, int | None] = {}

    def look_at(self, answer: Answer) -> tuple[bool, str]:
        """Whether a person is told of this refusal, and what is to be said after it."""
        seen = self._seen.get(answer.file, 0)
        if seen is None or not self._is_strange(answer):
            self._seen[answer.file] = None
            return True, ""
        self._seen[answer.file] = seen + 1
        if seen + 1 != self.ENOUGH:
            return seen < self.ENOUGH, ""
        return True, self._warning(answer.file, f"first {self.ENOUGH}") + "; such lines are only counted until one is"

    def at_the_end(self) -> Iterator[str]:
        """What is to be said of shorter files that have several lines and no command, such as one that is indented."""
        for file, seen in self._seen.items():
            if seen is not None and 1 < seen < self.ENOUGH:
                yield self._warning(file, str(seen))

    def _warning(self, file: str | None, lines: str) -> str:
        name = file or self._only
        return (
            f"{'standard input' if name == STANDARD_INPUT else name} does not look like a feed: none of its {lines} "
            "lines is a command, one JSON object a line (docs/feed.md)"
        )

    @staticmethod
    def _is_strange(answer: Answer) -> bool:
        return answer.receipt.code == Malformed.code and answer.receipt.command_id is None


def _tense(dry_run: bool) -> str:
    return "dry run, nothing is stored: " if dry_run else ""


def _print_count(paper: Paper, tally: Tally, dry_run: bool) -> None:
    if dry_run:
        paper.print("Dry run: nothing is stored. It would be:")
    rows: list[dict[str, Any]] = [
        {"what": "recorded", "count": tally.recorded, "says": counted(tally.events, "event")},
        {"what": "repeated", "count": tally.repeated, "says": "recorded before, answered again"},
        {"what": "refused", "count": tally.refused, "says": "nothing of these is stored"},
    ]
    rows += [{"what": f"  {code}", "count": count} for code, count in tally.refusals.most_common()]
    columns = (Column("what", "Commands"), Column("count", " ", "int"), Column("says", " "))
    paper.print_all(draw_table(columns, rows))


class _Pace:
    """How far the recording is, told by a progress line."""

    def __init__(self, settings: Settings, tally: Tally, sources: Sequence[FeedSource]) -> None:
        self._line = ProgressLine(settings, with_answer=settings.format != "table")
        self._tally = tally
        self._sources = sources
        sizes = [source.size for source in sources]
        self._bytes = 0 if None in sizes else sum(size for size in sizes if size is not None)
        self._began = time.monotonic()
        self.clear = self._line.clear

    def show(self) -> None:
        """Says it again where it is time to."""
        if self._line.is_due:
            pace = self._tally.lines / max(time.monotonic() - self._began, 0.001)
            done = sum(source.bytes_read for source in self._sources)
            share = f"{100 * done // self._bytes} %, " if self._bytes else ""
            refused = f", {self._tally.refused:,} refused" if self._tally.refused else ""
            self._line.say(f"{share}{self._tally.lines:,} lines, {pace:,.0f} a second{refused}")
