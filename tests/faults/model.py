"""What must be true of a ledger after anything: told by what was sent and answered, and by plain counts of its rows.

The log is read past the ledger. What it should hold is worked out by a second, quiet ledger that is handed the recorded
commands in their order, and by counts of the events that share no code with the projections.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from domain.commands import Command
from domain.errors import Refusal
from domain.intake import command_and_digest
from ledger import integrity
from ledger.records import Record
from ledger.service import Ledger
from projections import balances, catalog, meters
from tests.ledger.play import contents
from tests.postgres import libpq
from tests.projections import naive

Receipt = dict[str, Any]

_LOG = """
    SELECT position, stream_id, version, name, recorded_at, command_id, command_size, body_hash, hash
    FROM events ORDER BY position
"""


class Row(NamedTuple):
    """An event's row as it is stored."""

    position: int
    stream_id: bytes
    version: int
    name: str
    recorded_at: int
    command_id: str | None
    command_size: int | None
    body_hash: bytes | None
    hash: bytes


class Recorded(NamedTuple):
    """A command as its rows have it."""

    digest: bytes
    events: tuple[str, ...]
    version: int
    position: int


class Broken(AssertionError):
    """Something that a ledger promises does not hold."""


class Model:
    """A ledger at `url` as it must be; `folder` takes the quiet ledger beside it."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url = url
        self._sent: dict[str, tuple[Command, bytes]] = {}
        self._receipts: dict[str, Receipt] = {}
        self._recorded: set[str] = set()
        self._hashes: list[bytes] = []
        self._quiet = Ledger.open(f"sqlite:///{folder / 'quiet.db'}")

    def close(self) -> None:
        """Gives the quiet ledger back."""
        self._quiet.close()

    @property
    def answered(self) -> set[str]:
        """The ids of the commands that a receipt says are recorded."""
        return set(self._receipts)

    @property
    def length(self) -> int:
        """How many events the log had when it was last looked at."""
        return len(self._hashes)

    def sent(self, lines: Iterable[bytes]) -> None:
        """Remembers the commands among `lines` before somebody is sent them; other lines are none."""
        for line in lines:
            with suppress(Refusal):
                command, digest = command_and_digest(line)
                self._sent[command.command_id] = (command, digest)

    def told(self, receipts: Iterable[Receipt]) -> None:
        """Remembers answers: a command is recorded once, and from then on answered alike, whoever sends it."""
        _hold(fault for receipt in receipts for fault in self._told(receipt))

    def _told(self, receipt: Receipt) -> Iterator[str]:
        id_ = receipt["command_id"]
        first = self._receipts.get(id_)
        if receipt["status"] == "refused":
            if first is not None and receipt["code"] != "command.id-reused":
                yield f"{id_} was recorded and is now refused: {receipt['message']}"
            return
        if receipt["status"] == "recorded" and id_ in self._recorded:
            yield f"{id_} is recorded twice"
        elif first is not None and first != _bare(receipt):
            yield f"{first} was answered again as {receipt}"
        self._receipts[id_] = _bare(receipt)
        if receipt["status"] == "recorded":
            self._recorded.add(id_)

    def check(self) -> None:
        """`Broken` where anything does not hold; afterwards what is recorded counts as answered."""
        if self._is_made():
            with Ledger.open(self._url) as ledger:
                recorded = self._whole_log(ledger)
                _hold(self._decided_quietly(ledger, recorded))
                _hold(projected(ledger))
                _hold(self._repeated(ledger, recorded))

    def check_log(self) -> None:
        """The quicker half of it: the log and the answers."""
        if self._is_made():
            with Ledger.open(self._url) as ledger:
                self._whole_log(ledger)

    def _whole_log(self, ledger: Ledger) -> dict[str, Recorded]:
        _hold(self._verified(ledger))
        rows = [Row(*each) for each in query(self._url, _LOG)]
        _hold(self._log(rows))
        recorded = dict(_commands(rows))
        _hold(self._answers(recorded))
        self._hashes = [row.hash for row in rows]
        self._recorded |= set(recorded)
        return recorded

    def _is_made(self) -> bool:
        made = not self._url.startswith("sqlite") or bool(query(self._url, "SELECT 1 FROM sqlite_master"))
        _hold([] if made or not self._receipts else ["the store is empty, and commands were answered"])
        return made

    def _verified(self, ledger: Ledger) -> Iterator[str]:
        """By itself, and against how the log ended before."""
        kept = integrity.Anchor(len(self._hashes), self._hashes[-1].hex()) if self._hashes else None
        report = integrity.verify(ledger, kept)
        if not report.verified:
            yield f"the log does not verify: {report.as_json()}"

    def _log(self, rows: Sequence[Row]) -> Iterator[str]:
        """It only grows, without gaps, its clock never falls, and every command is there whole and once."""
        if [row.hash for row in rows][: len(self._hashes)] != self._hashes:
            yield "what was recorded before is not there any more"
        if [row.position for row in rows] != list(range(1, len(rows) + 1)):
            yield "the positions have a gap"
        if any(later.recorded_at < earlier.recorded_at for earlier, later in pairwise(rows)):
            yield "recorded_at falls"
        versions = Counter[bytes]()
        for row in rows:
            versions[row.stream_id] += 1
            if row.version != versions[row.stream_id]:
                yield f"position {row.position} has version {row.version}, expected {versions[row.stream_id]}"
        ids = [row.command_id for row in rows if row.command_id is not None]
        yield from (f"{id_} is recorded {times} times" for id_, times in Counter(ids).items() if times > 1)
        if sum(row.command_size or 0 for row in rows) != len(rows):
            yield "a command is there in part"

    def _answers(self, recorded: dict[str, Recorded]) -> Iterator[str]:
        """Every receipt stands for what is stored, and nothing is stored that nobody sent."""
        for id_, receipt in self._receipts.items():
            found = recorded.get(id_)
            if found is None:
                yield f"{id_} was answered and is lost"
            elif (found.version, found.position, list(found.events)) != _place(receipt):
                yield f"{id_} was answered with {receipt}, stored is {found}"
        for id_, found in recorded.items():
            if id_ not in self._sent or self._sent[id_][1] != found.digest:
                yield f"{id_} is recorded with a body that nobody sent"

    def _decided_quietly(self, ledger: Ledger, recorded: dict[str, Recorded]) -> Iterator[str]:
        """The same commands one after another, undisturbed, leave the same events."""
        start = self._quiet.head().position
        new = [id_ for id_, found in recorded.items() if found.position > start]
        for receipt in self._quiet.submit([self._sent[id_] for id_ in new]):
            if receipt.status != "recorded":
                yield f"{receipt.command_id} was recorded; undisturbed it is {receipt.code}: {receipt.message}"
        wanted, found_ = contents(self._quiet), contents(ledger)
        for one, other in zip(wanted, found_, strict=False):
            if one != other:
                yield f"undisturbed it would be {one}, it is {other}"
                break
        if len(wanted) != len(found_):
            yield f"undisturbed there would be {len(wanted)} events, there are {len(found_)}"

    def _repeated(self, ledger: Ledger, recorded: dict[str, Recorded]) -> Iterator[str]:
        """Everything sent again is answered with the first receipts, and leaves nothing."""
        head = ledger.head()
        again = [each.as_json() for each in ledger.submit([self._sent[id_] for id_ in recorded])]
        if {each["status"] for each in again} - {"repeated"} or ledger.head() != head:
            yield "sending everything again left something"
        self.told(again)


def query(url: str, text: str) -> list[tuple[Any, ...]]:
    """Asks a database past the ledger."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            return connection.execute(text).fetchall()
    with psycopg.connect(libpq(url)) as other:
        return other.execute(text.encode()).fetchall()


def _commands(rows: Sequence[Row]) -> Iterator[tuple[str, Recorded]]:
    """The commands of the log in order; the events after a command's first have no id."""
    for start, row in enumerate(rows):
        if row.command_id is not None:
            own = rows[start : start + (row.command_size or 0)]
            names = tuple(each.name for each in own)
            yield row.command_id, Recorded(bytes(row.body_hash or b""), names, own[-1].version, own[-1].position)


def projected(ledger: Ledger, *, only_play: bool = True) -> Iterator[str]:
    """What the projections show is what plain counts of the events give, and what a rebuild gives.

    The plain count of meters knows `only_play` and nobody who puts a meter right.
    """
    catalog.catch_up(ledger)
    records = [each for page in ledger.feed.pages() for each in page]
    yield from _balances(ledger, records)
    if only_play:
        yield from _meters(ledger, records)
    yield from (f"the writer's fold differs: {each}" for each in meters.discrepancies(ledger).rows)
    for kind in catalog.KINDS:
        before = catalog.digest(ledger, kind.NAME)
        catalog.rebuild(ledger, kind.NAME)
        if catalog.digest(ledger, kind.NAME) != before:
            yield f"{kind.NAME} has other rows after a rebuild"


def _balances(ledger: Ledger, records: Sequence[Record]) -> Iterator[str]:
    counted = naive.balances(records)
    shown = {row["player"]: row for row in balances.balances(ledger).rows}
    for player, figures in counted.items():
        own = shown.get(player, dict.fromkeys(figures, 0))
        if {name: own[name] for name in figures} != figures:
            yield f"{player} has {own}, counted are {figures}"
    if extra := {player for player, row in shown.items() if player not in counted and any(_figures(row))}:
        yield f"nobody touched {sorted(extra)}"


def _figures(row: dict[str, Any]) -> Iterator[int]:
    return (value for name, value in row.items() if name.endswith("_cents"))


def _meters(ledger: Ledger, records: Sequence[Record]) -> Iterator[str]:
    shown = {
        (row["meter"], level["level"]): level
        for name in {meter for meter, _ in naive.meters(records)}
        for row in meters.show_meter(ledger, name).rows
        for level in row["levels"]
    }
    for key, figures in naive.meters(records).items():
        own = {name: shown[key][name] for name in figures}
        if own != figures:
            yield f"the meter {key} shows {own}, counted are {figures}"


def _bare(receipt: Receipt) -> Receipt:
    """A receipt without what differs between the first time and another."""
    return {name: value for name, value in receipt.items() if name not in ("line", "status", "file")}


def _place(receipt: Receipt) -> tuple[int, int, list[str]]:
    return receipt["version"], receipt["position"], receipt["events"]


def _hold(faults: Iterable[str]) -> None:
    found = list(faults)
    if found:
        raise Broken("; ".join(found[:5]))
