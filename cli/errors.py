"""What a command ends with when it does not end well: an exit code and one sentence."""

from __future__ import annotations

from typing import ClassVar

DONE = 0
REFUSED = 1
MISUSED = 2
NOT_FOUND = 3
CONFLICT = 4
BROKEN = 5
DEFECT = 70
"""A defect of the program itself, never a state of the ledger (sysexits' EX_SOFTWARE)."""
INTERRUPTED = 130
PIPE_CLOSED = 141


class CommandFailed(Exception):
    """Ends a command with `exit_code`; `code` is stable, the message gives the values and the way out."""

    exit_code: ClassVar[int] = REFUSED

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Misused(CommandFailed):
    """The command was called in a way that cannot mean anything."""

    exit_code = MISUSED


class NotFound(CommandFailed):
    """What was asked for is not in the ledger, or a file is not there."""

    exit_code = NOT_FOUND


class Conflict(CommandFailed):
    """Somebody else holds the ledger; trying again can help."""

    exit_code = CONFLICT


class IntegrityFailed(CommandFailed):
    """The log is not what was written."""

    exit_code = BROKEN


class Finished(Exception):
    """Ends a command with `exit_code` after everything has been said."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code
