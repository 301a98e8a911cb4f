"""`rounds completion`: what a shell needs to complete commands, options, rounds, sheets, tables and more."""

from __future__ import annotations

import sys

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from cli.options import Command, Settings
from cli.output import destination

VARIABLE = "_ROUNDS_COMPLETE"


class _Bash(BashComplete):
    """The script alone; which version of the shell reads it is not asked here."""

    @staticmethod
    def _check_version() -> None:
        return None


SHELLS: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": ZshComplete, "fish": FishComplete}
WHERE = {
    "bash": 'add to ~/.bashrc:  eval "$(rounds completion bash)"',
    "zsh": 'add to ~/.zshrc:  eval "$(rounds completion zsh)"',
    "fish": "rounds completion fish -o ~/.config/fish/completions/rounds.fish",
}


@click.command(
    cls=Command,
    example="""
        rounds completion bash
        rounds completion fish -o rounds.fish
    """,
)
@click.argument("shell", type=click.Choice(list(SHELLS)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Write the script with which SHELL completes `rounds`: commands, options, and what the ledger has.

    In bash and zsh: eval "$(rounds completion bash)". The ledger is the one of --db, ROUNDS_DB, or rounds.db.
    """
    settings = ctx.find_object(Settings) or Settings()
    script = SHELLS[shell](ctx.find_root().command, {}, "rounds", VARIABLE).source()
    with destination(settings) as stream:
        stream.write(script.encode())
    # Read by a shell that starts, it would be said in every window.
    if settings.output is not None or sys.stdout.isatty():
        settings.note(f"rounds: to have it in every shell: {WHERE[shell]}")
