"""A file that is written beside its name and takes it only when it is whole and on the disk."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from ledger.errors import LedgerError, StoreNotFound

SIDES = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file that is in use, or that a crash has left unfinished."""


class FileTaken(LedgerError):
    """Something stands already where a file is to be written."""

    code: ClassVar[str] = "file.exists"


@contextmanager
def placed(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """A file beside `path` to write into; at the end it stands at `path`, after any trouble there is none.

    `FileTaken` where something is there: any file unless `replace` says to, and always what a SQLite database that is
    open, or was not closed, keeps beside it.
    """
    path = Path(os.path.abspath(path))
    refuse_taken(path, replace=replace)
    handle, name = _beside(path)
    os.close(handle)
    temporary = Path(name)
    try:
        temporary.chmod(0o666 & ~_umask())
        yield temporary
        _reach_the_disk(temporary)
        refuse_taken(path, replace=replace)
        _take(path, temporary, replace=replace)
        _reach_the_disk(path.parent)
    finally:
        for side in ("", *SIDES):
            temporary.with_name(temporary.name + side).unlink(missing_ok=True)


def refuse_taken(path: Path, *, replace: bool = False) -> None:
    """`FileTaken`, or `StoreNotFound` where there is no folder for it; nothing where `path` can be written."""
    if not path.parent.is_dir():
        raise StoreNotFound(f"the folder {path.parent} does not exist; make it, or name another file")
    if path.is_dir():
        raise FileTaken(f"{path} is a folder; name a file in it")
    if path.exists() and not replace:
        raise FileTaken(f"{path} is there already; name another file, or replace it with --force")
    for side in (path.with_name(path.name + each) for each in SIDES if each != "-shm"):
        if side.exists() and (side.stat().st_size or path.exists()):
            raise FileTaken(
                f"{side} belongs to a ledger that is open or was not closed, and would be mixed up with the new file; "
                "end what uses it, or move it away with its ledger"
            )


def _beside(path: Path) -> tuple[int, str]:
    try:
        return tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None


def _take(path: Path, temporary: Path, *, replace: bool) -> None:
    if replace:
        os.replace(temporary, path)
        return
    try:
        # Unlike a renaming this fails where somebody else made the file meanwhile.
        os.link(temporary, path)
    except FileExistsError:
        raise FileTaken(f"{path} was made by somebody else meanwhile; look at it, or name another file") from None
    except OSError:
        # A file system without hard links.
        os.rename(temporary, path)


def _reach_the_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError:
        # Some file systems cannot do so with a folder.
        if not path.is_dir():
            raise
    finally:
        os.close(descriptor)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
