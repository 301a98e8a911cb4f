"""Writes docs/manual.md, the help of every command as `--help` gives it: `python -m tests.manual`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from click.testing import CliRunner

from cli.main import COMMANDS, app

PAGE = Path(__file__).parents[1] / "docs" / "manual.md"
_HEAD = """# Manual

The help of every command, as `rounds COMMAND --help` gives it. This page is written by `python -m tests.manual`; what
commands answer, with examples one after another, is in [cli.md](cli.md).
"""
_SHARED = "\nEvery command:\n"
_ONCE = """
## Every command

These options stand before or after any command.

```
{}
```
"""


def paths() -> Iterator[tuple[str, ...]]:
    """The program, then every command and group in the order of the program's help."""
    yield ()
    context = click.Context(app)
    for name in COMMANDS:
        command = app.get_command(context, name)
        yield (name,)
        if isinstance(command, click.Group):
            yield from ((name, inner) for inner in command.commands)


def helped(path: tuple[str, ...]) -> str:
    """What `--help` says."""
    result = CliRunner().invoke(app, [*path, "--help"], prog_name="rounds", terminal_width=100)
    assert result.exit_code == 0
    return result.stdout.rstrip()


def written() -> str:
    """The page; what is the same for every command is there once."""
    shared = helped(("version",)).partition(_SHARED)[2]
    parts = [_HEAD]
    for path in paths():
        own = helped(path).partition(_SHARED)[0].rstrip()
        parts.append(f"\n## {' '.join(('rounds', *path))}\n\n```\n{own}\n```\n")
    return "".join([*parts, _ONCE.format(shared)])


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
