"""Where somebody stands who steps through a round: at which event, with which seat, and with whose eyes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cli.replay.phases import Mark, marks
from cli.replay.saying import Document

Load = Callable[[int | None, str], Sequence[Document]]
"""Gives the documents after each event, of one seat or of all (None), as somebody sees them."""


class Stepper:
    """A place among the steps of a round, which changes and never leaves them."""

    def __init__(self, load: Load, seat: int | None = None, eyes: str = "surveillance", at: int | None = None) -> None:
        self._load = load
        self.seat = seat
        self.eyes = eyes
        self.steps = load(seat, eyes)
        self.place = len(self.steps) - 1
        everybody = self.steps[-1] if seat is None else load(None, eyes)[-1]
        self.seats: tuple[int, ...] = tuple(each["seat"] for each in everybody["seats"])
        if at is not None:
            self.to_event(at)

    @property
    def document(self) -> Document:
        """The round as it was after the event that is looked at."""
        return self.steps[self.place]

    @property
    def marks(self) -> list[Mark]:
        """The phases of the steps."""
        return marks(self.steps[-1]["frames"])

    @property
    def phase(self) -> str:
        """The phase of the step that is looked at."""
        return next((mark.name for mark in reversed(self.marks) if mark.place <= self.place), "")

    @property
    def version(self) -> int:
        """The number of the event that is looked at."""
        return int(self.document["frames"][-1]["version"])

    def go(self, place: int) -> None:
        """To a step, counted from 0; the first or the last one where there is no such step."""
        self.place = min(max(place, 0), len(self.steps) - 1)

    def to_event(self, version: int) -> None:
        """To the last step that is not after the round's event of that number."""
        self.go(sum(each["frames"][-1]["version"] <= version for each in self.steps) - 1)

    def next_phase(self) -> None:
        """To the next mark, or to the end."""
        self.go(next((mark.place for mark in self.marks if mark.place > self.place), len(self.steps) - 1))

    def last_phase(self) -> None:
        """To the mark before this step."""
        self.go(next((mark.place for mark in reversed(self.marks) if mark.place < self.place), 0))

    def next_seat(self) -> None:
        """What concerns the next seat alone; after the last seat, all of them."""
        around = (None, *self.seats)
        self._look(around[(around.index(self.seat) + 1) % len(around)], self.eyes)

    def next_eyes(self) -> None:
        """The same with the eyes of the dealer, of each seat in turn, and of surveillance again."""
        around = ("surveillance", "dealer", *(f"seat:{seat}" for seat in self.seats))
        self._look(self.seat, around[(around.index(self.eyes) + 1) % len(around)])

    def _look(self, seat: int | None, eyes: str) -> None:
        version = self.version
        self.seat, self.eyes = seat, eyes
        self.steps = self._load(seat, eyes)
        self.to_event(version)
