"""SQLite's own file operations, watched: somebody is asked before and after each write, sync, truncation and deletion.

SQLite reaches the disk through a table of functions; here the table is a copy whose functions ask first. What is
written and not yet synced is remembered, so that a power cut can take it back.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

FULL = 13
"""SQLite's result code where no room is left."""
WRITE_FAILED = 10 | 3 << 8
SYNC_FAILED = 10 | 4 << 8
READ_FAILED = 10 | 1 << 8
SHORT_READ = 10 | 2 << 8
_OK = 0

Ask = Callable[[str], int | None]
"""Told the moment, as `before write wal`; answers the result code that the operation is to fail with, or None."""

_Pointer = ctypes.c_void_p
_Int = ctypes.c_int
_Long = ctypes.c_int64
_WRITE = ctypes.CFUNCTYPE(_Int, _Pointer, _Pointer, _Int, _Long)
_READ = _WRITE
_TRUNCATE = ctypes.CFUNCTYPE(_Int, _Pointer, _Long)
_SYNC = ctypes.CFUNCTYPE(_Int, _Pointer, _Int)
_SIZE = ctypes.CFUNCTYPE(_Int, _Pointer, ctypes.POINTER(_Long))
_CLOSE = ctypes.CFUNCTYPE(_Int, _Pointer)
_OPEN = ctypes.CFUNCTYPE(_Int, _Pointer, _Pointer, _Pointer, _Int, ctypes.POINTER(_Int))
_DELETE = ctypes.CFUNCTYPE(_Int, _Pointer, ctypes.c_char_p, _Int)


class _Methods(ctypes.Structure):
    """`sqlite3_io_methods`."""

    _fields_ = (
        ("version", _Int),
        *((name, _Pointer) for name in ("close", "read", "write", "truncate", "sync", "size")),
        *((f"other_{number}", _Pointer) for number in range(12)),
    )


class _Vfs(ctypes.Structure):
    """`sqlite3_vfs`."""

    _fields_ = (
        ("version", _Int),
        ("file_bytes", _Int),
        ("longest_path", _Int),
        ("next", _Pointer),
        ("name", ctypes.c_char_p),
        ("data", _Pointer),
        ("open", _Pointer),
        ("delete", _Pointer),
        *((f"other_{number}", _Pointer) for number in range(14)),
    )


class _Write(NamedTuple):
    """A change of a file that was not yet synced: what is there now and what was there before."""

    offset: int
    new: bytes | None
    old: bytes
    old_size: int


class _File:
    """An open file of SQLite's, by its own functions."""

    def __init__(self, pointer: int, kind: str, unsynced: list[_Write]) -> None:
        self.pointer = pointer
        self.kind = kind
        self.unsynced = unsynced
        own = _Methods.from_address(_Pointer.from_address(pointer).value or 0)
        self.methods = own
        self.read_ = _READ(own.read)
        self.write_ = _WRITE(own.write)
        self.truncate_ = _TRUNCATE(own.truncate)
        self.sync_ = _SYNC(own.sync)
        self.size_ = _SIZE(own.size)
        self.close_ = _CLOSE(own.close)

    @property
    def size(self) -> int:
        """In bytes."""
        size = _Long()
        assert self.size_(self.pointer, ctypes.byref(size)) == _OK
        return size.value

    def read(self, offset: int, amount: int) -> bytes:
        """What the file holds there, as far as it goes."""
        amount = max(0, min(amount, self.size - offset))
        buffer = ctypes.create_string_buffer(amount)
        assert self.read_(self.pointer, buffer, amount, offset) == _OK
        return buffer.raw

    def put(self, offset: int, content: bytes) -> int:
        """Writes, unasked."""
        return int(self.write_(self.pointer, content, len(content), offset))

    def remember(self, offset: int, new: bytes | None, amount: int) -> None:
        """That this is about to be written, or with None cut off at the offset."""
        self.unsynced.append(_Write(offset, new, self.read(offset, amount), self.size))

    def cut_power(self, chance: random.Random) -> None:
        """Takes everything unsynced back, and then lets some of it reach the disk after all."""
        for each in reversed(self.unsynced):
            if each.old:
                self.put(each.offset, each.old)
            self.truncate_(self.pointer, each.old_size)
        for each in self.unsynced:
            if chance.random() < 0.5:
                if each.new is None:
                    self.truncate_(self.pointer, each.offset)
                else:
                    self.put(each.offset, each.new[: _torn(chance, len(each.new))])


def _torn(chance: random.Random, length: int) -> int:
    """How much of a write reaches the disk: all of it, or some sectors."""
    return length if chance.random() < 0.5 else min(length, 512 * chance.randrange(1 + length // 512))


_held: list[Any] = []
"""What SQLite holds on to for as long as the process lives."""


def reachable() -> bool:
    """Whether this interpreter's SQLite is a library of its own, whose table can be had."""
    return hasattr(ctypes.CDLL(getattr(_sqlite3, "__file__", None)), "sqlite3_vfs_find")


class WatchedFiles:
    """From now on every file that SQLite opens in this process asks `ask`."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._library = ctypes.CDLL(_sqlite3.__file__)
        self._library.sqlite3_vfs_find.restype = _Pointer
        self._library.sqlite3_vfs_register.argtypes = (_Pointer, _Int)
        self._unix = self._library.sqlite3_vfs_find(None)
        self._vfs = _Vfs()
        ctypes.memmove(ctypes.byref(self._vfs), self._unix, ctypes.sizeof(_Vfs))
        self._open_file = _OPEN(self._vfs.open)
        self._delete_file = _DELETE(self._vfs.delete)
        own = (_OPEN(self._open), _DELETE(self._delete))
        self._files: dict[int, _File] = {}
        self._unsynced: dict[bytes, list[_Write]] = {}
        self._tables: dict[int, _Methods] = {}
        self._vfs.name = b"watched"
        self._vfs.next = None
        self._vfs.open, self._vfs.delete = (ctypes.cast(each, _Pointer) for each in own)
        self._own = {
            "close": _CLOSE(self._close),
            "write": _WRITE(self._write),
            "truncate": _TRUNCATE(self._truncate),
            "sync": _SYNC(self._sync),
        }
        _held.append((self, own))
        assert self._library.sqlite3_vfs_register(ctypes.addressof(self._vfs), 1) == _OK

    def cut_power(self, seed: int) -> None:
        """Undoes what no sync has made safe; whatever is written afterwards would be nonsense."""
        chance = random.Random(seed)
        for file in self._files.values():
            file.cut_power(chance)
            file.unsynced.clear()

    def _open(self, _: int, name: int | None, file: int, flags: int, out: Any) -> int:
        # SQLite keeps the name's own address.
        result = int(self._open_file(self._unix, name, file, flags, out))
        if result == _OK and name is not None:
            path = ctypes.string_at(name)
            opened = self._files[file] = _File(file, _kind(path), self._unsynced.setdefault(path, []))
            _Pointer.from_address(file).value = ctypes.addressof(self._table(opened.methods))
        return result

    def _table(self, methods: _Methods) -> _Methods:
        """The functions of a file with ours among them; one table for each of SQLite's."""
        key = ctypes.addressof(methods)
        if key not in self._tables:
            table = self._tables[key] = _Methods()
            ctypes.memmove(ctypes.byref(table), key, ctypes.sizeof(_Methods))
            for name, function in self._own.items():
                setattr(table, name, ctypes.cast(function, _Pointer))
        return self._tables[key]

    def _close(self, pointer: int) -> int:
        return int(self._files.pop(pointer).close_(pointer))

    def _write(self, pointer: int, buffer: int, amount: int, offset: int) -> int:
        file = self._files[pointer]
        content = ctypes.string_at(buffer, amount)
        if (failure := self._ask(f"before write {file.kind}")) is not None:
            return failure
        file.remember(offset, content, amount)
        half = amount // 2
        file.put(offset, content[:half])
        # A process can die between two parts of a write, and a disk can fill up there.
        if (failure := self._ask(f"within write {file.kind}")) is not None:
            return failure
        result = file.put(offset + half, content[half:])
        return result or self._ask(f"after write {file.kind}") or _OK

    def _truncate(self, pointer: int, size: int) -> int:
        file = self._files[pointer]
        if (failure := self._ask(f"before truncate {file.kind}")) is not None:
            return failure
        file.remember(size, None, file.size)
        result = file.truncate_(pointer, size)
        return result or self._ask(f"after truncate {file.kind}") or _OK

    def _sync(self, pointer: int, flags: int) -> int:
        file = self._files[pointer]
        if (failure := self._ask(f"before sync {file.kind}")) is not None:
            return SYNC_FAILED if failure == WRITE_FAILED else failure
        result = file.sync_(pointer, flags)
        if result == _OK:
            file.unsynced.clear()
        return result or self._ask(f"after sync {file.kind}") or _OK

    def _delete(self, _: int, path: bytes, sync: int) -> int:
        kind = _kind(path)
        if (failure := self._ask(f"before delete {kind}")) is not None:
            return failure
        self._unsynced.pop(path, None)
        result = self._delete_file(self._unix, path, sync)
        return result or self._ask(f"after delete {kind}") or _OK


def _kind(path: bytes) -> str:
    """The file's part in a store: `wal`, `journal` or the database itself."""
    name = Path(path.decode()).name
    return next((kind for kind in ("wal", "journal") if name.endswith(f"-{kind}")), "db")
