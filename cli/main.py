"""The command `rounds`. Commands load when they are called, so help comes at once and without the store."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

import click

from cli.edge import PipeClosed, exit_code_of
from cli.options import Group


class Entry(NamedTuple):
    """Where a command lives and what the list of commands says of it."""

    module: str
    name: str
    says: str


COMMANDS = {
    "demo": Entry("demo", "demo", "Fill a fresh store with recorded play and tour the reports."),
    "simulate": Entry("simulate", "simulate", "Write a feed of simulated play, the same bytes for the same seed."),
    "record": Entry("record", "record", "Record a table feed, one command a line."),
    "list": Entry("listing", "list_rounds", "List rounds, by table, day, player, finding and more."),
    "replay": Entry("replay", "replay", "Show a round: cards, hands, every line and the rule behind it."),
    "recheck": Entry("recheck", "recheck", "Compute many rounds anew, or what they would be under other rules."),
    "balance": Entry("balance", "balance", "Show what players have won, lost and hold."),
    "meter": Entry("meter", "meter", "Show progressive meters, report their days, draw their lives."),
    "jackpot": Entry("jackpot", "jackpot", "List and show jackpots from claim to payment."),
    "game": Entry("game", "game", "List and show the games: wagers, rulings, house ways."),
    "paytable": Entry("paytable", "paytable", "List and show paytables with their exact odds."),
    "sheet": Entry("sheet", "sheet", "List, show and publish the rules and paytables in force."),
    "verify": Entry("integrity", "verify", "Check the whole log against its hashes."),
    "anchor": Entry("integrity", "anchor", "Print the head of the log, to be kept outside."),
    "backup": Entry("backup", "backup", "Copy the ledger into a file while others record."),
    "restore": Entry("backup", "restore", "Put a backup back, verified, into a place that is empty."),
    "export": Entry("transfer", "export", "Write the whole log as JSON lines, readable without this program."),
    "import": Entry("transfer", "import_", "Fill an empty ledger from an export, the same to the last hash."),
    "explain": Entry("explain", "explain", "Say what a code means, with an example and the way out."),
    "projection": Entry("projection", "projection", "Look after the tables that the reports are read from."),
    "db": Entry("db", "db", "Make and look at the tables of the ledger's database."),
    "completion": Entry("completion", "completion", "Write the script with which a shell completes all this."),
    "version": Entry("version", "version", "Say which version this is."),
}


class Rounds(Group):
    """The top of the command line: a table of commands, and the edge where errors become exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = getattr(import_module(f"cli.commands.{entry.module}"), entry.name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # The commands are not loaded, so the library cannot say which may have been meant.
        if args[0] not in COMMANDS and not ctx.resilient_parsing and not args[0].startswith("-"):
            from difflib import get_close_matches

            from cli.meant import did_you_mean

            near = get_close_matches(args[0], COMMANDS, n=3, cutoff=0.5)
            hint = did_you_mean(near, "`rounds --help` lists them all")
            ctx.fail(f"No such command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.says) for name, entry in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosed from error

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs the command and exits with its code; outside of standalone mode returns the code instead."""

        def run() -> Any:
            return super(Rounds, self).main(args, prog_name or "rounds", complete_var, standalone_mode=False, **extra)

        code = exit_code_of(run)
        if standalone_mode:
            sys.exit(code)
        return code


def _say_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """What `rounds version` says, for those who ask as they ask every other program."""
    if asked and not ctx.resilient_parsing:
        from cli.commands.version import in_words

        click.echo(in_words())
        ctx.exit()


@click.group(
    cls=Rounds,
    example="""
        rounds demo
        rounds record feed.jsonl
        rounds replay PG01-20260314-1 --recheck
    """,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit: 0 done, 1 refused or a check failed, 2 misused, 3 not found, 4 conflict (try again), "
    "5 integrity failure. `rounds explain CODE` says more of any code in a message.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_say_version,
    help="Say which version this is; `rounds version` says it as JSON too.",
)
def app() -> None:
    """A ledger of casino table-game rounds: record them, replay them, and see the rule behind every cent."""


OBJECTS_BETWEEN = 100_000
"""New objects after which cycles are looked for: starting makes thousands that stay, a feed millions without any."""


def main() -> None:
    """The entry point of the script `rounds`."""
    gc.set_threshold(OBJECTS_BETWEEN, 50, 100)
    app.main()


if __name__ == "__main__":
    main()
