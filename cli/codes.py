"""What every stable code means: refusals, findings, errors, and what `rounds verify` finds. The texts are data."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent / "data" / "codes.toml"

KINDS = {
    "refusal": "a command that the rules refuse; nothing of it is recorded",
    "finding": "something to look at, recorded with the round; it never changes what is paid",
    "error": "a call of the program that could not be answered",
    "report": "something that a report asks somebody to look at; nothing is recorded",
    "verify": "a way in which the log is not what was recorded",
}
"""What kinds of codes there are."""

EXIT_CODES = {
    0: ("done", "Everything was done and, of a check, everything is as it should be."),
    1: ("refused", "Something was refused, or a check failed. Standard error, or the receipt, has code and reason."),
    2: ("misused", "The call cannot mean anything, or names a file that is something else. Look at --help."),
    3: ("not found", "A ledger, file, round, player, meter, sheet or code is not there."),
    4: ("conflict", "Somebody else holds or changed the ledger. The same call may succeed now."),
    5: ("integrity failure", "The log, a backup or an export is not what was recorded. Run rounds verify."),
    70: ("defect", "The program itself is wrong. Standard error has the details; nothing unfinished was recorded."),
    130: ("interrupted", "Ctrl-C ended it. What was counted before is stored; the same call goes on from there."),
    141: ("pipe closed", "Whoever read the answer stopped reading, as `head` does."),
}
"""Every exit code with its name and what it means."""


class Explanation(NamedTuple):
    """A code: its kind, what it means, an example of it, and the way out."""

    code: str
    kind: str
    means: str
    example: str
    way_out: str


@cache
def explanations() -> dict[str, Explanation]:
    """Every code in alphabetical order."""
    content = tomllib.loads(DATA.read_text(encoding="utf-8"))
    return {code: Explanation(code, **texts) for code, texts in sorted(content.items())}
