"""`rounds explain`: what a code means, an example of it, and the way out."""

from __future__ import annotations

from difflib import get_close_matches

import click

from cli import completing, terminal
from cli.codes import EXIT_CODES, KINDS, Explanation, explanations
from cli.errors import NotFound
from cli.meant import did_you_mean
from cli.options import Command, Settings
from cli.output import write_document, write_rows
from cli.tables import PAGE_WIDTH, Column, Paper, wrapped

EXITS = "exit-codes"

COLUMNS: tuple[Column, ...] = (
    Column("code", "Code"),
    Column("kind", "Kind"),
    Column("means", "Means"),
    Column("example", in_table=False),
    Column("way_out", in_table=False),
)
EXIT_COLUMNS: tuple[Column, ...] = (Column("exit", "Exit", "int"), Column("name", "Name"), Column("means", "Means"))


@click.command(
    cls=Command,
    example="""
        rounds explain hand.foul
        rounds explain exit-codes
    """,
)
@click.argument("code", required=False, shell_complete=completing.codes)
@click.pass_obj
def explain(settings: Settings, code: str | None) -> None:
    """Explain CODE: of a refusal, a finding, an error, or a failure that verify found. Without CODE list them all.

    `exit-codes` explains the numbers that commands end with.
    """
    if code == EXITS:
        rows = [{"exit": number, "name": name, "means": means} for number, (name, means) in EXIT_CODES.items()]
        write_rows(settings, EXIT_COLUMNS, rows, none="")
    elif code is None:
        write_rows(settings, COLUMNS, [each._asdict() for each in explanations().values()], none="")
    else:
        found = _found(code)
        write_document(
            settings,
            found._asdict(),
            text=lambda paper: _print(paper, found),
            columns=COLUMNS,
            rows=[found._asdict()],
        )


def _found(code: str) -> Explanation:
    # A code is copied with the colon that follows it.
    known = explanations()
    wanted = code.strip().rstrip(":").lower()
    if wanted not in known:
        near = get_close_matches(wanted, [*known, EXITS], n=3, cutoff=0.5)
        hint = did_you_mean(near, "`rounds explain` lists them all")
        raise NotFound("code.unknown", f"no code {code!r}; {hint}")
    return known[wanted]


def _print(paper: Paper, found: Explanation) -> None:
    page = min(terminal.screen_width(), PAGE_WIDTH)
    paper.print_all(wrapped(f"{found.code}: {KINDS[found.kind]}", page=page))
    paper.print()
    for title, text in (("Means", found.means), ("For example", found.example), ("Way out", found.way_out)):
        paper.print_all(wrapped(f"{title}: {text}", "  ", "  ", page))
