"""What a simulation knows of its own play: every command is decided as the ledger will, and folded in memory.

People at a table see the cards, the chips and what is paid; the book is where they look. It also holds the simulation
to its word: a command that it means to be recorded is, and one that it means to be refused is refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from domain.decide import decide
from domain.desk import Entry, Key, fold
from domain.errors import Refusal
from domain.house_events import PlayerBoughtIn, PlayerCashedOut
from domain.intake import command_from
from domain.rounds import events as happened
from domain.rounds.events import Event, RoundOpened
from domain.rounds.state import Round
from domain.streams import Draft


class Book:
    """The desk, the rounds that are still talked about, and the chips in front of each player in cents."""

    def __init__(self) -> None:
        self._entries: dict[Key, Any] = {}
        self._rounds: dict[str, Round] = {}
        self._chips: defaultdict[str, int] = defaultdict(int)

    def get(self, key: Key) -> Any:
        """The desk entry at `key`, None where there is none."""
        return self._entries.get(key)

    def put(self, key: Key, entry: Entry) -> None:
        """Changes the desk."""
        self._entries[key] = entry

    def round(self, key: str) -> Round | None:
        """The round with that key, None where there is none or it is closed here."""
        return self._rounds.get(key)

    def chips_cents(self, player: str) -> int:
        """What the player has in front of him; below zero after a correction to his disadvantage."""
        return self._chips[player]

    def take(self, body: Mapping[str, Any]) -> None:
        """Takes a command in as the ledger does."""
        for draft in decide(command_from(body), self):
            self._fold(draft)

    def refuses(self, body: Mapping[str, Any]) -> bool:
        """Whether the ledger would refuse the command."""
        try:
            decide(command_from(body), self)
        except Refusal:
            return True
        return False

    def close(self, key: str) -> None:
        """Forgets a round of which nothing more is said."""
        del self._rounds[key]

    def _fold(self, draft: Draft) -> None:
        stream, event = draft
        if isinstance(event, RoundOpened):
            self._rounds[stream.key] = Round(event)
        elif stream.kind == "round":
            self._rounds[stream.key].evolve(event)
        fold(event, self)
        self._move_chips(event)

    def _move_chips(self, event: Event) -> None:
        match event:
            case PlayerBoughtIn():
                self._chips[event.player] += event.amount_cents
            case PlayerCashedOut():
                self._chips[event.player] -= event.amount_cents
            case happened.WagerPlaced():
                self._chips[event.player] -= event.amount_cents
            case happened.WagerWithdrawn():
                self._chips[event.player] += event.amount_cents
            case happened.DoubledDown() | happened.Raised():
                self._chips[event.player] -= event.stake_cents
            case happened.WagerSettled():
                self._settle(event)
            case happened.LineCorrected() if event.player is not None and not event.toke:
                self._chips[event.player] += event.difference_cents
            case happened.RoundVoided():
                for back in event.players:
                    self._chips[back.player] += back.staked_cents - back.won_cents - back.returned_cents
                    self._chips[back.player] += back.commission_cents - back.corrected_cents

    def _settle(self, line: happened.WagerSettled) -> None:
        # A toke's winnings are the dealers'; the bank's risk was never put on the layout.
        if line.player is None or line.toke:
            return
        staked = line.stake_cents if line.wager == "bank" else 0
        self._chips[line.player] += line.won_cents + line.returned_cents - line.commission_cents - staked
