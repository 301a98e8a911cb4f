"""What a whole simulation has in common: its chance, its book, and how people behave."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from cli.simulation.book import Book
from cli.simulation.chance import Chance
from cli.simulation.habits import Habits


@dataclass(frozen=True)
class Evening:
    """Play that begins on the evening of `day`. `bias`: big hands are frequent; `mistakes`: some commands are wrong."""

    chance: Chance
    book: Book
    habits: Habits
    day: date
    bias: bool
    mistakes: bool

    def happens(self, habit: str) -> bool:
        """Whether a thing of `Habits` happens this time."""
        return self.chance.in_ten_thousand(getattr(self.habits, habit))
