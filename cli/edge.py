"""Where errors are caught, once: expected trouble becomes one sentence on standard error and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click

from cli.errors import (
    BROKEN,
    CONFLICT,
    DEFECT,
    DONE,
    INTERRUPTED,
    MISUSED,
    NOT_FOUND,
    PIPE_CLOSED,
    REFUSED,
    CommandFailed,
    Finished,
)


class PipeClosed(Exception):
    """Whoever read standard output has stopped reading; there is nobody left to tell."""


def exit_code_of(run: Callable[[], Any]) -> int:
    """Runs `run` and answers the exit code, having said on standard error what went wrong."""
    try:
        result = run()
    except PipeClosed:
        _silence_standard_output()
        return PIPE_CLOSED
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted")
        return INTERRUPTED
    except Finished as finished:
        return finished.exit_code
    except click.ClickException as error:
        error.show()
        return MISUSED
    except Exception as error:
        code, sentence = explain(error)
        _say(sentence)
        return code
    return result if isinstance(result, int) else DONE


def explain(error: Exception) -> tuple[int, str]:
    """The exit code of `error` and the sentence that says it; a defect's sentence has its traceback."""
    known = _own(error) or _of_packages(error) or _of_store(error) or _of_system(error)
    if known is not None:
        return known
    trace = "".join(traceback.format_exception(error)).rstrip()
    return DEFECT, f"{trace}\nthis is a defect of the program, not of the ledger; nothing unfinished was recorded"


def _own(error: Exception) -> tuple[int, str] | None:
    if not isinstance(error, CommandFailed):
        return None
    return error.exit_code, f"{error.code}: {error.message}"


def _of_packages(error: Exception) -> tuple[int, str] | None:
    """Refusals of the rules and errors of the ledger: small classes that carry a code and what it means to a caller."""
    code = getattr(error, "code", None)
    if not isinstance(code, str) or not type(error).__module__.startswith(("domain.", "ledger.", "projections.")):
        return None
    exit_code = getattr(error, "exit_code", REFUSED)
    return int(exit_code), f"{code}: {error}"


# What SQLite and PostgreSQL say, and what it means to a person. Matched on the driver's text: SQLAlchemy and sqlite3
# give the same class to a locked file and to a full disk.
_STORE_TROUBLE = (
    ("database is locked", CONFLICT, "store.locked", "another process is writing to this ledger; try again"),
    ("readonly database", REFUSED, "store.read-only", "this ledger can only be read here; record where it is writable"),
    ("disk is full", REFUSED, "store.disk-full", "there is no room left for the ledger; free some and try again"),
    ("unable to open database file", NOT_FOUND, "store.not-found", "there is no ledger that can be opened there"),
    ("not a database", MISUSED, "store.not-a-ledger", "this file is not a ledger"),
    ("malformed", BROKEN, "store.damaged", "the database file is damaged; restore it and run `rounds verify`"),
    ("connection refused", NOT_FOUND, "store.not-found", "no database answers there"),
    ("no such module", MISUSED, "store.url", "the database driver is not installed"),
)


def _of_store(error: Exception) -> tuple[int, str] | None:
    module = type(error).__module__
    if not module.startswith(("sqlalchemy.", "sqlite3", "psycopg")):
        return None
    text = str(getattr(error, "orig", None) or error)
    for words, exit_code, code, sentence in _STORE_TROUBLE:
        if words in text.lower():
            return exit_code, f"{code}: {sentence} ({_first_line(text)})"
    if type(error).__name__ in ("ArgumentError", "NoSuchModuleError"):
        return MISUSED, f"store.url: {_first_line(text)}; write it like sqlite:///rounds.db"
    return None


def _of_system(error: Exception) -> tuple[int, str] | None:
    if not isinstance(error, OSError):
        return None
    where = f"{error.filename}: " if error.filename else ""
    reason = error.strerror or str(error)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return NOT_FOUND, f"file.not-found: {where}{reason}"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return REFUSED, f"file.disk-full: {where}{reason}; free some room and try again"
    if error.errno in (errno.EISDIR, errno.EACCES, errno.EPERM, errno.EROFS):
        return MISUSED, f"file.not-usable: {where}{reason}; name another file"
    return REFUSED, f"file.trouble: {where}{reason}"


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0] if text.strip() else "no reason given"


def _say(sentence: str) -> None:
    # Where nobody reads standard error either, the exit code still says it.
    with suppress(OSError):
        click.echo(f"rounds: {sentence}", err=True)


def _silence_standard_output() -> None:
    """Keeps the interpreter from complaining at its end about what nobody will read."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
