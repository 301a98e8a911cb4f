"""Takes feed lines to the ledger in groups and writes what comes back: receipts, refusals, and a count at the end."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from cli.feed_lines import LONGEST_LINE_BYTES, FeedLine, FeedSource
from cli.tables import counted
from domain.errors import Malformed, Refusal
from domain.intake import command_and_digest
from ledger.quick_json import QUICK
from ledger.receipts import Receipt

if TYPE_CHECKING:
    from domain.commands import Command
    from ledger.service import Submit


class LineTooLong(Malformed):
    """A line longer than any command; it is not read into memory."""


class Answer(NamedTuple):
    """A receipt with where its line stood; `file` is None where only one was given."""

    receipt: Receipt
    line: int
    file: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The receipt as the contract gives it."""
        shown: dict[str, Any] = {"line": self.line} if self.file is None else {"file": self.file, "line": self.line}
        shown.update(self.receipt.as_json())
        return shown

    @property
    def where(self) -> str:
        """The line as a person finds it."""
        return f"line {self.line}" if self.file is None else f"{self.file}:{self.line}"


@dataclass
class Tally:
    """What has come back so far."""

    lines: int = 0
    recorded: int = 0
    repeated: int = 0
    events: int = 0
    refusals: Counter[str] = field(default_factory=Counter)

    @property
    def refused(self) -> int:
        """How many lines were refused."""
        return self.refusals.total()

    def take(self, answer: Answer) -> None:
        """Counts one answer."""
        receipt = answer.receipt
        self.lines += 1
        if receipt.status == "recorded":
            self.recorded += 1
            self.events += len(receipt.events)
        elif receipt.status == "repeated":
            self.repeated += 1
        else:
            self.refusals[str(receipt.code)] += 1

    def sentence(self) -> str:
        """The count in one line."""
        codes = ", ".join(f"{code} {count:,}" for code, count in self.refusals.most_common())
        in_brackets = f" ({codes})" if codes else ""
        return (
            f"recorded {self.recorded:,} ({counted(self.events, 'event')}), repeated {self.repeated:,}, "
            f"refused {self.refused:,}{in_brackets}"
        )


def record_lines(
    sources: Sequence[FeedSource],
    submit: Submit,
    tell: Callable[[list[Answer]], None],
    *,
    stop_on_refusal: bool,
) -> bool:
    """Hands the lines of `sources` to `submit` group by group, and each group's answers to `tell` once it is stored.

    False where Ctrl-C ended it early: never inside a group, so that what is stored and what is told agree.
    """
    with Interrupts() as interrupts:
        try:
            for source in sources:
                file = source.name if len(sources) > 1 else None
                for group in source.groups():
                    with interrupts.held():
                        answers = _answer(group, file, submit, stop_on_refusal)
                        tell(answers)
                    if stop_on_refusal and answers[-1].receipt.status == "refused":
                        return True
        except KeyboardInterrupt:
            return False
    return True


def _answer(group: Sequence[FeedLine], file: str | None, submit: Submit, stop_on_refusal: bool) -> list[Answer]:
    """The answers to a group in the order of its lines, those that are no commands among them.

    With `stop_on_refusal` they end with the first refused line, and nothing after it is recorded.
    """
    read = list(_read_all(group, stop_on_refusal))
    commands = [each for each in read if not isinstance(each, Receipt)]
    recorded = iter(submit(commands, stop_on_refusal=stop_on_refusal) if commands else [])
    answers: list[Answer] = []
    for line, each in zip(group, read, strict=False):
        receipt = each if isinstance(each, Receipt) else next(recorded)
        answers.append(Answer(receipt, line.number, file))
        if stop_on_refusal and receipt.status == "refused":
            break
    return answers


def _read_all(group: Sequence[FeedLine], stop_on_refusal: bool) -> Iterator[tuple[Command, bytes] | Receipt]:
    for line in group:
        yield (read := _read(line))
        if stop_on_refusal and isinstance(read, Receipt):
            return


def _read(line: FeedLine) -> tuple[Command, bytes] | Receipt:
    try:
        if line.text is None:
            raise LineTooLong(f"the line is longer than {LONGEST_LINE_BYTES:,} bytes; no command is")
        return command_and_digest(line.text, QUICK)
    except Refusal as refusal:
        return Receipt.refusing(refusal, refusal.command_id, refusal.round)


class Interrupts:
    """Keeps Ctrl-C waiting while something is held; elsewhere, and the second time, it ends at once."""

    def __init__(self) -> None:
        self._holding = False
        self._kept = False
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        # Only the main thread may set handlers, and only it is ever interrupted.
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._on_interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def held(self) -> Iterator[None]:
        """An interrupt that comes in here is raised at the end of it."""
        self._holding = True
        try:
            yield
        finally:
            self._holding = False
        if self._kept:
            raise KeyboardInterrupt

    def _on_interrupt(self, _: int, __: FrameType | None) -> None:
        if not self._holding or self._kept:
            raise KeyboardInterrupt
        self._kept = True
