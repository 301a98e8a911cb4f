"""A disk that is really full, on demand and as root: `python -m tests.faults.small_disk` mounts small ones.

The rest of the disk is filled with ballast, so that commands run out of room in the middle of recording; then the
ballast goes, and the same feed goes on.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psycopg

from cli.simulation.feed import feed
from ledger.upgrade import upgrade
from tests.faults import places
from tests.faults.model import Model
from tests.faults.nursery import Nursery
from tests.faults.plan import Plan
from tests.ledger.test_failover import Server
from tests.postgres import command

LINES = [json.dumps(command).encode() for command in feed(7, 60, bias=True)]
BLOCK = 1 << 12


def main() -> None:
    """Fills both, and says how each recording ended."""
    with tempfile.TemporaryDirectory(prefix="rounds-small-") as folder, Nursery(Path(folder)) as nursery:
        for room_kib in (0, 40, 200):
            with small_disk(6) as disk:
                said = fill(disk, f"sqlite:///{disk / 'rounds.db'}", room_kib, Path(folder), nursery)
                print(f"SQLite, {room_kib} KiB left: {said}", flush=True)
        # The other server sees to the user that servers run as.
        with places.server():
            for room_kib in (0, 400):
                with small_disk(120) as disk, a_server(disk) as server:
                    said = fill(disk, server.url(), room_kib, Path(folder), nursery, server)
                    print(f"PostgreSQL, {room_kib} KiB left: {said}", flush=True)


def fill(disk: Path, url: str, room_kib: int, folder: Path, nursery: Nursery, server: Server | None = None) -> str:
    """Records until the disk is full, makes room, and records the rest; how the first recording ended."""
    (own := Path(tempfile.mkdtemp(dir=folder))).chmod(0o700)
    with closing(Model(url, own)) as model:
        model.sent(LINES)
        first = nursery.record(url, LINES[:50]).wait()
        assert first.code == 0, first
        ballast = lay_ballast(disk, room_kib)
        full = nursery.record(url, LINES, Plan(lines_a_commit=20)).wait()
        assert full.code in (1, 3, 4), full
        assert "Traceback" not in full.errors
        ballast.unlink()
        if server is not None and not is_up(server):
            server.start()
        for ended in (first, full):
            model.told(ended.receipts)
        model.check()
        assert nursery.record(url, LINES).wait().code == 0
        model.check()
    return f"exit {full.code} after {len(full.receipts)} receipts: {full.errors.splitlines()[-1]}"


def lay_ballast(disk: Path, room_kib: int) -> Path:
    """Fills the disk up to so much room."""
    path = disk / "ballast"
    with path.open("wb", buffering=0) as ballast, suppress(OSError):
        while True:
            ballast.write(bytes(BLOCK))
    with path.open("r+b") as ballast:
        ballast.truncate(max(0, path.stat().st_size - room_kib * 1_024))
    return path


@contextmanager
def small_disk(mebibytes: int) -> Iterator[Path]:
    """A file system of that size."""
    with tempfile.TemporaryDirectory(prefix="rounds-disk-") as folder:
        Path(folder).chmod(0o755)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=777", "none", folder], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


@contextmanager
def a_server(disk: Path) -> Iterator[Server]:
    """A server with its data there."""
    server = Server(disk)
    command("initdb", "-D", server.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N")
    server.start()
    try:
        server.execute("CREATE DATABASE rounds")
        upgrade(server.url())
        yield server
    finally:
        if is_up(server):
            server.kill()


def is_up(server: Server) -> bool:
    """Whether it answers."""
    try:
        server.execute("SELECT 1")
    except psycopg.OperationalError:
        return False
    return True


if __name__ == "__main__":
    main()
