"""Reads a table feed's lines in groups: full ones from a file, and from a pipe whatever is there without waiting."""

from __future__ import annotations

import gzip
import io
import os
import select
import stat
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, NamedTuple, cast

from cli.errors import CommandFailed, Misused

PIPE_GROUP = 64
FILE_GROUP = 512
"""Lines that share a durable commit; a file's are all there, so nobody waits for the receipt of the first."""
LONGEST_LINE_BYTES = 1 << 20
_CHUNK_BYTES = 1 << 16
_BEGINNING = 64
_LONGEST_WAIT_SECONDS = 0.05
STANDARD_INPUT = "-"


class FeedLine(NamedTuple):
    """A line with its number, counted from 1 with the empty ones; `text` is None where it is too long for a command."""

    number: int
    text: bytes | None


class FeedSource:
    """A file of lines, or standard input for `-`. Counts the bytes read, so that progress can be told."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.bytes_read = 0
        self._stream = _open(name)
        self._pipe = _pipe_of(name, self._stream)

    @property
    def size(self) -> int | None:
        """How many bytes there are, None where that cannot be known."""
        if self.name == STANDARD_INPUT or self.name.endswith(".gz"):
            return None
        return os.path.getsize(self.name)

    def groups(self) -> Iterator[list[FeedLine]]:
        """Lines in groups, empty ones left out; a group ends early where a pipe has nothing more to read at once."""
        size = FILE_GROUP if self._pipe is None else PIPE_GROUP
        splitter = _Splitter()
        group: list[FeedLine] = []
        since = time.monotonic()
        while chunk := self._read():
            for line in splitter.lines(chunk):
                if not group:
                    since = time.monotonic()
                group.append(line)
                if len(group) >= size:
                    yield group
                    group = []
            if group and self._has_paused(since):
                yield group
                group = []
        group.extend(splitter.rest())
        if group:
            yield group

    def __enter__(self) -> FeedSource:
        return self

    def __exit__(self, *_: object) -> None:
        # Standard input stays open; it is not this command's own.
        if self.name != STANDARD_INPUT:
            self._stream.close()

    def _read(self) -> bytes:
        try:
            chunk = self._stream.read(_CHUNK_BYTES) if self._pipe is None else os.read(self._pipe, _CHUNK_BYTES)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise CommandFailed(
                "feed.broken", f"{self.name} is not a whole gzip file ({error}); send it again"
            ) from None
        self.bytes_read += len(chunk)
        return chunk

    def _has_paused(self, since: float) -> bool:
        if self._pipe is None:
            return False
        if time.monotonic() - since > _LONGEST_WAIT_SECONDS:
            return True
        return not select.select([self._pipe], [], [], 0)[0]


class _Splitter:
    """Cuts chunks into numbered lines, skipping the empty ones and dropping what is too long to be a command."""

    def __init__(self) -> None:
        self._number = 0
        self._begun: list[bytes] = []
        self._begun_bytes = 0

    def lines(self, chunk: bytes) -> Iterator[FeedLine]:
        *ended, begun = chunk.split(b"\n")
        if ended and self._begun_bytes:
            self._keep(ended.pop(0))
            yield from self.rest()
        for part in ended:
            self._number += 1
            if len(part) > LONGEST_LINE_BYTES:
                yield FeedLine(self._number, None)
            elif part and not part.isspace():
                yield FeedLine(self._number, part)
        self._keep(begun)

    def rest(self) -> Iterator[FeedLine]:
        """The line begun, ended here."""
        if self._begun_bytes > LONGEST_LINE_BYTES:
            self._number += 1
            yield FeedLine(self._number, None)
        elif self._begun:
            self._number += 1
            text = b"".join(self._begun)
            if text.strip():
                yield FeedLine(self._number, text)
        self._begun = []
        self._begun_bytes = 0

    def _keep(self, part: bytes) -> None:
        self._begun_bytes += len(part)
        if self._begun_bytes <= LONGEST_LINE_BYTES:
            self._begun.append(part)
        else:
            self._begun.clear()


def _open(name: str) -> IO[bytes]:
    if name == STANDARD_INPUT:
        return sys.stdin.buffer
    stream = cast(io.BufferedReader, gzip.open(name, "rb") if name.endswith(".gz") else open(name, "rb"))  # noqa: SIM115
    try:
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            _refuse_other_files(name, _beginning(stream))
    except BaseException:
        stream.close()
        raise
    return stream


def _beginning(stream: io.BufferedReader) -> bytes:
    # What is no gzip file is found out where it is read.
    with suppress(gzip.BadGzipFile, EOFError, zlib.error):
        return stream.peek(_BEGINNING)
    return b""


def _refuse_other_files(name: str, beginning: bytes) -> None:
    """What the program writes and is no feed would be refused line by line, thousands of times, without its name."""
    if beginning.startswith(b'{"export":"round-ledger"'):
        raise Misused("feed.other-file", f"{name} is an export of a log; take it in with `rounds import {name}`")
    if beginning.startswith(b"SQLite format 3\0"):
        raise Misused("feed.other-file", f"{name} is a ledger or a backup; name it with --db sqlite:///{name}")
    if beginning.startswith(b"\x1f\x8b"):
        raise Misused("feed.other-file", f"{name} is compressed; give it a name that ends in .gz")


def _pipe_of(name: str, stream: IO[bytes]) -> int | None:
    """The descriptor to wait on where lines arrive as somebody writes them; a file's lines are all there already."""
    if name.endswith(".gz"):
        return None
    try:
        descriptor = stream.fileno()
    except (OSError, AttributeError):
        return None
    return None if stat.S_ISREG(os.fstat(descriptor).st_mode) else descriptor
