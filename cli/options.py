"""The options every command shares, and the command classes that give them before or after the command's name."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from cli.errors import Misused

FORMATS = ("table", "json", "jsonl", "csv")
WITH_PAGE = (*FORMATS, "html")
"""The formats of a command that can also write a page to be looked at in a browser."""
DRAWN = ("svg", "json", "jsonl", "csv")
"""The formats of a command that draws."""
COLOURS = ("auto", "always", "never")
DEFAULT_URL = "sqlite:///rounds.db"
GZIPPED = ".gz"
"""A file of `-o` that ends so is compressed; its format is what the rest of the name says."""
SUFFIXES = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".txt": "table",
    ".html": "html",
    ".svg": "svg",
}

OTHERS = frozenset({".png", ".jpg", ".jpeg", ".gif", ".pdf", ".xls", ".xlsx", ".ods", ".xml", ".parquet", ".md"})
"""Endings of names that promise what no command writes; another one is only a name."""


@dataclass
class Settings:
    """What the shared options say; of one given twice, before and after the command, the later counts."""

    db: str | None = None
    format_given: str | None = None
    output: str | None = None
    quiet: bool = False
    fields: tuple[str, ...] = ()
    colour: str = "auto"
    no_pager: bool = False
    formats: tuple[str, ...] = FORMATS
    """What the command can write; some have more than every report."""

    @property
    def url_given(self) -> str | None:
        """The URL that `--db` or else ROUNDS_DB names."""
        return self.db or os.environ.get("ROUNDS_DB") or None

    @property
    def url(self) -> str:
        """The ledger's URL: the one given, else rounds.db in the current directory."""
        return self.url_given or DEFAULT_URL

    @property
    def format(self) -> str:
        """`--format`, else what the suffix of `-o FILE` says, else a table."""
        if self.format_given:
            return self.format_given
        named = SUFFIXES.get(self.suffix, self.formats[0])
        return named if named in self.formats else self.formats[0]

    @property
    def suffix(self) -> str:
        """How the name of `-o FILE` ends, `.gz` aside."""
        return os.path.splitext((self.output or "").lower().removesuffix(GZIPPED))[1]

    @property
    def is_misnamed(self) -> bool:
        """Whether the name of `-o FILE` promises a form that the command does not write, and no format is given."""
        promised = SUFFIXES.get(self.suffix, self.formats[0])
        return not self.format_given and (self.suffix in OTHERS or promised not in self.formats)

    def note(self, text: str) -> None:
        """Says `text` on standard error, unless `-q`."""
        if not self.quiet:
            click.echo(text, err=True)


def _stores(name: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    def store(ctx: click.Context, _: click.Parameter, value: Any) -> Any:
        settings = ctx.ensure_object(Settings)
        if value:
            setattr(settings, name, value)
        return value

    return store


def _reads_fields(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None:
        names = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
        if not names:
            raise click.BadParameter("name at least one field, such as --fields round,net_cents", ctx, parameter)
        ctx.ensure_object(Settings).fields = names
    return value


def _shared_options(formats: tuple[str, ...] = FORMATS) -> list[click.Parameter]:
    return [
        click.Option(
            ["--db"],
            metavar="URL",
            expose_value=False,
            callback=_stores("db"),
            help="The ledger, as a SQLAlchemy URL.  [else ROUNDS_DB, else sqlite:///rounds.db]",
        ),
        click.Option(
            ["--format"],
            type=click.Choice(formats),
            expose_value=False,
            callback=_stores("format_given"),
            help="How the answer is written.  [else by the suffix of FILE, else table]",
        ),
        click.Option(
            ["-o", "--output"],
            metavar="FILE",
            type=click.Path(),
            expose_value=False,
            callback=_stores("output"),
            help="Write the answer to FILE, whole or not at all.",
        ),
        click.Option(
            ["--fields"],
            metavar="A,B,...",
            expose_value=False,
            callback=_reads_fields,
            help="Only these fields, in this order, as JSON and CSV name them.",
        ),
        click.Option(
            ["--color"],
            type=click.Choice(COLOURS),
            expose_value=False,
            callback=_stores("colour"),
            help="When to colour text.  [auto: on a terminal, unless NO_COLOR is set]",
        ),
        click.Option(
            ["--no-pager"],
            is_flag=True,
            expose_value=False,
            callback=_stores("no_pager"),
            help="Show a long answer at once; on a terminal it goes through PAGER, else less.",
        ),
        click.Option(
            ["-q", "--quiet"],
            is_flag=True,
            expose_value=False,
            callback=_stores("quiet"),
            help="Say nothing on standard error that is not needed.",
        ),
    ]


class _Explained(click.Command):
    """Help that leads with an example and keeps the shared options apart."""

    example: str = ""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_example(formatter)
        super().format_help(ctx, formatter)

    def format_example(self, formatter: click.HelpFormatter) -> None:
        for line in self.example.strip().splitlines():
            formatter.write(f"  $ {line.strip()}\n")
        formatter.write("\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        shared = {each.name for each in _shared_options()}
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        records = [(each.name in shared, each.get_help_record(ctx)) for each in options]
        for title, is_shared in (("Options", False), ("Every command", True)):
            rows = [record for of_all, record in records if record is not None and of_all is is_shared]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Command(_Explained):
    """A command of `rounds`, with the shared options and an example of its use; `formats` are those it can write."""

    def __init__(self, *args: Any, example: str, formats: tuple[str, ...] = FORMATS, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.example = example
        self.formats = formats
        self.params.extend(_shared_options(formats))

    def invoke(self, ctx: click.Context) -> Any:
        settings = ctx.ensure_object(Settings)
        settings.formats = self.formats
        if settings.is_misnamed:
            raise Misused(
                "format.none",
                f"`{ctx.command_path}` writes {', '.join(self.formats)}, and {settings.output} ends as none of these; "
                "choose another name, or say --format",
            )
        if settings.format not in self.formats:
            raise Misused("format.none", f"`{ctx.command_path}` writes {', '.join(self.formats)}; choose one of these")
        return super().invoke(ctx)


class Group(_Explained, click.Group):
    """A group of commands that takes the shared options too, for the commands in it."""

    def __init__(self, *args: Any, example: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.example = example
        self.params.extend(_shared_options(WITH_PAGE))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        _Explained.format_options(self, ctx, formatter)
