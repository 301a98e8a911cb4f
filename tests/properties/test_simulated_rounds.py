"""Simulated play of all games: nothing is refused, sums are zero, and every second look finds the same.

`python -m tests.exhaustive.simulated_rounds` does the same with as many rounds as one likes.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.simulation.feed import feed
from cli.simulation.habits import EVENTFUL, ROOM, Habits
from domain.games import game_ids
from tests.properties.checks import faults
from tests.properties.naive_lines import settled_lines
from tests.properties.played import play


class Play(NamedTuple):
    """A feed of one game or, without one, of all."""

    games: tuple[str, ...]
    seed: int
    rounds: int
    habits: Habits
    bias: bool

    @property
    def name(self) -> str:
        games = self.games[0] if self.games else "all"
        kind = "room" if self.habits == ROOM else "eventful"
        return f"{games}-{kind}-{'biased' if self.bias else 'fair'}-{self.seed}"


PLAYS = [
    *(Play((game,), 100 + place, 100, ROOM, False) for place, game in enumerate(game_ids())),
    *(Play((game,), 200 + place, 100, EVENTFUL, place % 2 == 0) for place, game in enumerate(game_ids())),
    *(Play((), 300 + place, 200, EVENTFUL if place % 2 else ROOM, place > 1) for place in range(4)),
]
"""2,000 rounds in all."""


@pytest.mark.parametrize("play_", PLAYS, ids=lambda each: each.name)
def test_every_round_of_simulated_play_holds_under_every_check(play_: Play, tmp_path: Path) -> None:
    commands = feed(play_.seed, play_.rounds, games=play_.games, habits=play_.habits, bias=play_.bias)
    with play(commands, tmp_path) as played:
        assert len(played.documents) == play_.rounds
        assert faults(played) == []


def test_there_are_two_thousand_rounds() -> None:
    assert sum(each.rounds for each in PLAYS) == 2_000


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 2**32),
    bias=st.booleans(),
    habits=st.sampled_from((ROOM, EVENTFUL)),
    tables=st.integers(1, 12),
    players=st.integers(1, 60),
)
def test_any_seed_keeps_the_books(seed: int, bias: bool, habits: Habits, tables: int, players: int) -> None:
    commands = feed(seed, 8, bias=bias, tables=tables, players=players, habits=habits)
    with TemporaryDirectory() as folder, play(commands, Path(folder)) as played:
        assert faults(played) == []


@pytest.mark.parametrize("game", game_ids())
def test_payments_that_are_right_are_never_a_finding(game: str, tmp_path: Path) -> None:
    habits = Habits(payment=10_000, wrong_payment=0, careless=2_000, bank=4_000, forfeit=500, correction=0)
    with play(feed(7, 15, games=(game,), habits=habits), tmp_path) as played:
        for document in played.documents.values():
            due = [line for line in settled_lines(document) if line["won_cents"] + line["returned_cents"]]
            assert len(document["payments"]) == len(due)
            assert "payment.difference" not in [finding["code"] for finding in document["findings"]]
