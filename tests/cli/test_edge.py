"""The edge: what an error that reached it becomes, by its kind."""

from __future__ import annotations

import errno
import sqlite3

import pytest

from cli.edge import explain
from cli.errors import IntegrityFailed, Misused
from domain.errors import OutOfPhase
from ledger.errors import StoreLocked, UnreadableEvent


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (Misused("a.code", "the way out"), 2, "a.code: the way out"),
        (IntegrityFailed("a.code", "the way out"), 5, "a.code: the way out"),
        (OutOfPhase("not now"), 1, "command.out-of-phase: not now"),
        (StoreLocked("held"), 4, "store.locked: held"),
        (UnreadableEvent("round.opened", 9, "newer", 7), 5, "event.unreadable: position 7: "),
        (FileNotFoundError(errno.ENOENT, "No such file", "a.json"), 3, "file.not-found: a.json: "),
        (NotADirectoryError(errno.ENOTDIR, "Not a directory", "a/b"), 3, "file.not-found: a/b: "),
        (PermissionError(errno.EACCES, "Permission denied", "a.json"), 2, "file.not-usable: a.json: "),
        (OSError(errno.EROFS, "Read-only file system", "a.json"), 2, "file.not-usable: a.json: "),
        (OSError(errno.ENOSPC, "No space left on device"), 1, "file.disk-full: "),
        (OSError(errno.EIO, "Input/output error", "a.json"), 1, "file.trouble: a.json: "),
        (sqlite3.OperationalError("database is locked"), 4, "store.locked: "),
        (sqlite3.OperationalError("database or disk is full"), 1, "store.disk-full: "),
        (sqlite3.OperationalError("attempt to write a readonly database"), 1, "store.read-only: "),
        (sqlite3.DatabaseError("database disk image is malformed"), 5, "store.damaged: "),
    ],
    ids=lambda each: str(each)[:30],
)
def test_expected_trouble_is_one_sentence_with_its_code(error: Exception, code: int, said: str) -> None:
    exit_code, sentence = explain(error)
    assert exit_code == code
    assert sentence.startswith(said)
    assert "Traceback" not in sentence
    assert "\n" not in sentence


def test_what_nobody_expected_is_a_defect_with_its_traceback() -> None:
    exit_code, sentence = explain(KeyError("missing"))
    assert exit_code == 70
    assert "KeyError: 'missing'" in sentence
