"""Which commands the log has recorded already, found by their ids: the record of idempotency is the log itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from domain.commands import Command, RoundCommand
from domain.errors import Refusal
from ledger.dialects import Dialect, Question
from ledger.reading import Connection
from ledger.receipts import Receipt

CommandKey = tuple[str, str]
"""A command's source and id, unique together."""


class IdReused(Refusal):
    """The id of a recorded command under another body."""

    code = "command.id-reused"


class Seen(NamedTuple):
    """A recorded command: the digest of its body, and what its last event's version and position are."""

    digest: bytes
    version: int
    position: int
    events: tuple[str, ...]

    def answer(self, command: Command, digest: bytes) -> Receipt:
        """The first receipt again for the same body; `command.id-reused` for another."""
        if digest != self.digest:
            refusal = IdReused(
                f"{command.source} has recorded {command.command_id} with another body, at position {self.position}; "
                "send the new command under an id of its own"
            )
            return Receipt.refusing(refusal, command.command_id, round_of(command))
        return self.receipt(command).repeated()

    def is_of(self, digest: bytes, receipt: Receipt) -> bool:
        """Whether it is the command with this body, recorded as `receipt` says, wherever in the log."""
        return (self.digest, self.version, self.events) == (digest, receipt.version, receipt.events)

    def receipt(self, command: Command) -> Receipt:
        """The receipt of the command as it was recorded."""
        return Receipt(command.command_id, "recorded", round_of(command), self.version, self.position, self.events)


def command_key(command: Command) -> CommandKey:
    """What a command is known by."""
    return command.source, command.command_id


def round_of(command: Command) -> str | None:
    """The round that the command is about, None for other than round commands."""
    return command.round if isinstance(command, RoundCommand) else None


class SeenStore:
    """Looks recorded commands up on a caller's connection."""

    def __init__(self, dialect: Dialect) -> None:
        self._texts = dialect.texts
        self._find = dialect.sql(f"""
            SELECT f.command_id, f.body_hash, e.version, e.position, e.name
            FROM events AS f JOIN events AS e ON e.position >= f.position AND e.position < f.position + f.command_size
            WHERE f.source = ? AND f.command_id {dialect.among}
            ORDER BY e.position
        """)

    def find(self, connection: Connection, commands: Iterable[Command]) -> dict[CommandKey, Seen]:
        """Those of `commands` that are recorded, in one query a source."""
        questions = self.questions(commands)
        return self.found(questions, [connection.exec_driver_sql(*each).all() for each in questions])

    def questions(self, commands: Iterable[Command]) -> list[Question]:
        """What to ask about `commands`, a question a source."""
        by_source: dict[str, list[str]] = {}
        for command in commands:
            by_source.setdefault(command.source, []).append(command.command_id)
        return [(self._find, (source, self._texts(ids))) for source, ids in by_source.items()]

    def found(self, questions: Sequence[Question], answers: Sequence[Sequence[Any]]) -> dict[CommandKey, Seen]:
        """What the rows that answer `questions` say."""
        found: dict[CommandKey, Seen] = {}
        for (_, (source, _)), rows in zip(questions, answers, strict=True):
            for command_id, digest, version, position, name in rows:
                before = found.get((source, command_id))
                names = (name,) if before is None else (*before.events, name)
                digest = bytes(digest) if before is None else before.digest
                found[source, command_id] = Seen(digest, version, position, names)
        return found
