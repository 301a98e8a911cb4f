"""What a log must be, worked out by the rules alone: commands decided one after another against plain dictionaries.

It shares no code with the writer, its memory, the desk's storage and the recorder. It also tells whether a refusal was
right at a moment of the log at which it may have been decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from domain import desk
from domain.commands import Command
from domain.decide import decide
from domain.desk import Entry, Key
from domain.errors import Refusal
from domain.rounds.state import Round
from domain.streams import Draft, Stream
from ledger.codec import EVENTS, encode_entry, encode_key
from ledger.receipts import Receipt
from ledger.seen import IdReused
from ledger.writer import Submission
from tests.faults.model import query

LOG = """
    SELECT e.position, s.kind, s.key, e.version, e.name, e.schema, e."at", e."by", e.source, e.command_id,
        e.command_size, e.body_hash, e.recorded_at, e.payload
    FROM events AS e JOIN streams AS s ON s.id = e.stream_id ORDER BY e.position
"""


class Row(NamedTuple):
    """An event as it is stored."""

    position: int
    kind: str
    key: str
    version: int
    name: str
    schema: int
    at: str
    by: str
    source: str | None
    command_id: str | None
    command_size: int | None
    body_hash: bytes | None
    recorded_at: int
    payload: bytes


class Answer(NamedTuple):
    """A group and what became of it; the log had `since` events when it was sent, `until` when it was answered."""

    sent: Sequence[Submission]
    receipts: Sequence[Receipt]
    since: int
    until: int


class Recorded(NamedTuple):
    """A command as it stands in the log."""

    digest: bytes
    version: int
    position: int
    events: tuple[str, ...]


class Refused(NamedTuple):
    """A refusal that was right at one of the moments from `since` to `until`, or at none."""

    command: Command
    digest: bytes
    receipt: Receipt
    since: int
    until: int


class Quiet:
    """Everything as it stands after some events of the log."""

    def __init__(self) -> None:
        self.entries: dict[Key, Entry] = {}
        self.rounds: dict[str, Round] = {}
        self.versions: dict[Stream, int] = {}
        self.recorded: dict[tuple[str, str], Recorded] = {}

    def get(self, key: Key) -> Any:
        """The desk's entry."""
        return self.entries.get(key)

    def put(self, key: Key, entry: Entry) -> None:
        """Changes the desk."""
        self.entries[key] = entry

    def round(self, key: str) -> Round | None:
        """The round."""
        return self.rounds.get(key)

    def decide(self, command: Command, digest: bytes) -> tuple[Draft, ...]:
        """What the command leaves now, or a refusal; a command that is recorded leaves nothing again."""
        before = self.recorded.get((command.source, command.command_id))
        if before is None:
            return decide(command, self)
        if before.digest != digest:
            raise IdReused("with another body")
        return ()

    def take(self, draft: Draft) -> int:
        """Takes an event in; its version."""
        stream, event = draft
        if stream.kind == "round":
            if stream.key in self.rounds:
                self.rounds[stream.key].evolve(event)
            else:
                self.rounds[stream.key] = Round(event)  # type: ignore[arg-type]
        self.versions[stream] = self.versions.get(stream, 0) + 1
        desk.fold(event, self)
        return self.versions[stream]


def faults(url: str, answers: Sequence[Answer], sent: Sequence[Submission]) -> Iterator[str]:
    """What of the log at `url` is not as it must be, after these answers; `sent` is all that anybody sent."""
    rows = [
        Row(*each)._replace(body_hash=each[11] and bytes(each[11]), payload=bytes(each[13])) for each in query(url, LOG)
    ]
    bodies = {(command.source, command.command_id, digest): command for command, digest in sent}
    waiting = sorted(refusals(answers), key=lambda each: each.since)
    quiet = Quiet()
    yield from _in_order(rows)
    yield from _replayed(rows, bodies, quiet, waiting)
    yield from _desk(url, quiet)
    yield from _answered(answers, quiet, len(rows))


def refusals(answers: Sequence[Answer]) -> Iterator[Refused]:
    """The refusals, each with the moments at which it may have been decided.

    A group is decided at one moment: where something of it is recorded, what stands beside that was decided there.
    """
    for sent, receipts, since, until in answers:
        firsts = [each.position - len(each.events) for each in receipts if each.status == "recorded" and each.position]
        moment = firsts[0] if firsts else None
        for (command, digest), receipt in zip(sent, receipts, strict=False):
            if receipt.status == "recorded":
                moment = receipt.position
            elif receipt.status == "refused":
                yield Refused(
                    command, digest, receipt, since if moment is None else moment, until if moment is None else moment
                )


def _in_order(rows: Sequence[Row]) -> Iterator[str]:
    if [row.position for row in rows] != list(range(1, len(rows) + 1)):
        yield "the positions have a gap"
    if any(later.recorded_at < earlier.recorded_at for earlier, later in pairwise(rows)):
        yield "recorded_at falls"


def _replayed(
    rows: Sequence[Row], bodies: dict[tuple[str, str, bytes], Command], quiet: Quiet, waiting: list[Refused]
) -> Iterator[str]:
    place = 0
    while True:
        waiting = list(_not_yet_right(waiting, quiet, place))
        yield from (_wrong(each) for each in waiting if each.until <= place)
        waiting = [each for each in waiting if each.until > place]
        if place == len(rows):
            break
        own = rows[place : place + (rows[place].command_size or 1)]
        yield from _recorded_rightly(own, bodies, quiet)
        place += len(own)
    yield from (_wrong(each) for each in waiting)


def _not_yet_right(waiting: Sequence[Refused], quiet: Quiet, place: int) -> Iterator[Refused]:
    for each in waiting:
        if each.since > place or not _is_right(each, quiet):
            yield each


def _is_right(each: Refused, quiet: Quiet) -> bool:
    try:
        quiet.decide(each.command, each.digest)
    except IdReused:
        return each.receipt.code == IdReused.code
    except Refusal as refusal:
        return (refusal.code, refusal.message, refusal.retry) == each.receipt[6:9]
    return False


def _wrong(each: Refused) -> str:
    return f"never right from {each.since} to {each.until}: {each.receipt}, {each.command}"


def _recorded_rightly(own: Sequence[Row], bodies: dict[tuple[str, str, bytes], Command], quiet: Quiet) -> Iterator[str]:
    first = own[0]
    assert first.source is not None and first.command_id is not None and first.body_hash is not None, first
    command = bodies.get((first.source, first.command_id, first.body_hash))
    if command is None:
        yield f"position {first.position} holds what nobody sent: {first.command_id}"
        return
    try:
        drafts = quiet.decide(command, first.body_hash)
    except Refusal as refusal:
        yield f"position {first.position}: {command} would be refused: {refusal.code} {refusal.message}"
        drafts = ()
    left = [
        (draft.stream.kind, draft.stream.key, quiet.take(draft), draft.event.NAME, draft.event.SCHEMA,
         command.at, command.by, EVENTS.encode(draft.event))
        for draft in drafts
    ]  # fmt: skip
    found = [(*row[1:8], row.payload) for row in own]
    if left != found:
        yield f"position {first.position}: {command} should leave {left}, it left {found}"
    key = first.source, first.command_id
    if key in quiet.recorded:
        yield f"{key} is recorded twice"
    quiet.recorded[key] = Recorded(first.body_hash, own[-1].version, own[-1].position, tuple(each.name for each in own))


def _desk(url: str, quiet: Quiet) -> Iterator[str]:
    stored = {key: bytes(entry) for key, entry in query(url, "SELECT key, entry FROM desk")}
    folded = {encode_key(key): encode_entry(key, entry) for key, entry in quiet.entries.items()}
    for key in stored.keys() | folded.keys():
        if stored.get(key) != folded.get(key):
            yield f"the desk has {key} {stored.get(key)!r}, folded it is {folded.get(key)!r}"


def _answered(answers: Sequence[Answer], quiet: Quiet, length: int) -> Iterator[str]:
    """Every receipt of a recorded command says what the log does, and one of them that it was then."""
    told = set[tuple[str, str]]()
    for sent, receipts, since, until in answers:
        for (command, digest), receipt in zip(sent, receipts, strict=False):
            if receipt.status == "refused":
                continue
            key = command.source, command.command_id
            found = quiet.recorded.get(key)
            if found is None or found != (digest, receipt.version, receipt.position, receipt.events):
                yield f"{command} was answered with {receipt}, stored is {found}"
            elif found.position > until or (receipt.status == "recorded" and found.position <= since):
                yield f"{command} was answered with {receipt} between {since} and {until}"
            elif receipt.status == "recorded":
                if key in told:
                    yield f"{key} is recorded twice"
                told.add(key)
