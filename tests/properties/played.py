"""A random feed recorded into a fresh ledger, with what the tests look at afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from domain.intake import command_and_digest
from ledger.receipts import Receipt
from ledger.service import Ledger
from projections.replays import replay_all

Command = dict[str, Any]
Document = dict[str, Any]

GROUP = 64


@dataclass(frozen=True)
class Played:
    """The ledger, the commands that it recorded in their order, every receipt, and each round's document."""

    ledger: Ledger
    commands: tuple[Command, ...]
    receipts: tuple[Receipt, ...]
    documents: dict[str, Document]

    @property
    def recorded(self) -> Iterator[Command]:
        """Each command once, as it was recorded."""
        answered = zip(self.commands, self.receipts, strict=True)
        return (command for command, receipt in answered if receipt.status == "recorded")


@contextmanager
def play(commands: Iterable[Command], folder: Path) -> Iterator[Played]:
    """Records `commands` into a ledger in `folder`."""
    sent = tuple(commands)
    with Ledger.open(f"sqlite:///{folder / 'rounds.db'}") as ledger:
        receipts = record(ledger, sent)
        documents = {document["round"]: document for document in replay_all(ledger)}
        yield Played(ledger, sent, receipts, documents)


def record(ledger: Ledger, commands: Iterable[Command]) -> tuple[Receipt, ...]:
    """Records `commands` in groups as the command line does, and returns their receipts."""
    submissions = (command_and_digest(json.dumps(command)) for command in commands)
    receipts: list[Receipt] = []
    while group := list(islice(submissions, GROUP)):
        receipts += ledger.submit(group)
    return tuple(receipts)
