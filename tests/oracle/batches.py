"""Feeds by the thousand rounds: odd play, simulated evenings, eventful ones, each recorded and compared."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.oracle.odd import odd_feed
from tests.oracle.play import OPTIONAL
from tests.oracle.recorded import Disagreement, disagreements, rounds

GAMES = tuple(OPTIONAL)
KINDS = ("odd", "evening", "odd", "eventful")
ROUNDS_OF_A_FEED = 1000


class Batch(NamedTuple):
    """One feed; the same batch is the same feed."""

    kind: str
    seed: int
    rounds: int
    game: str | None

    def write(self, feed: Path) -> None:
        """Writes it down; an evening is written by `rounds simulate`."""
        if self.kind == "odd":
            commands = odd_feed(self.seed, self.rounds, (self.game,) if self.game else GAMES)
            feed.write_text("".join(json.dumps(command) + "\n" for command in commands))
            return
        game = ("--game", self.game) if self.game else ()
        lively = ("--eventful", "--bias", "--mistakes", "--coordinator") if self.kind == "eventful" else ()
        rounds("simulate", *game, *lively, "--rounds", self.rounds, "--seed", self.seed, "-o", feed)

    def disagreements(self, seen: Counter[str]) -> Iterator[Disagreement]:
        """Records it in a ledger of its own and compares."""
        with TemporaryDirectory() as folder:
            feed = Path(folder) / "feed.jsonl"
            self.write(feed)
            yield from disagreements(feed, Path(folder) / "ledger.db", seen)


def batches(game: str | None, count: int, seed: int) -> Iterator[Batch]:
    """As many rounds as asked, of the kinds by turns."""
    turn = 0
    while count > 0:
        yield Batch(KINDS[turn % len(KINDS)], seed + turn, min(count, ROUNDS_OF_A_FEED), game)
        count -= ROUNDS_OF_A_FEED
        turn += 1
