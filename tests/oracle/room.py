"""A whole feed, command by command, as far as it was recorded: rounds, meters and what every player has."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.oracle.meters import Meters
from tests.oracle.play import Play
from tests.oracle.purses import Purses
from tests.oracle.settling import Line, meters_of, settle, totals, void


@dataclass
class Answer:
    """What a round must come to."""

    play: Play
    lines: list[Line] = field(default_factory=list)
    taken_back: list[Line] = field(default_factory=list)
    totals: dict[str, int] | None = None
    due: dict[tuple[Any, ...], int] = field(default_factory=dict)


@dataclass
class Room:
    """Everything that a feed says."""

    sheets: dict[str, dict[str, Any]] = field(default_factory=dict)
    meters: Meters = field(default_factory=Meters)
    answers: dict[str, Answer] = field(default_factory=dict)
    purses: Purses = field(default_factory=Purses)

    def take(self, commands: Iterable[dict[str, Any]]) -> None:
        """Each command that was recorded, in its order."""
        for command in commands:
            self.do(command)

    def do(self, command: dict[str, Any]) -> None:
        """One command; what moves no money is passed over."""
        name = command["command"]
        if name == "publish_sheet":
            sheet = command["sheet"]
            self.sheets[f"{sheet['id']}@{sheet['version']}"] = sheet
        elif name.endswith("_meter"):
            self.do_meter(name, command)
        elif name == "buy_in":
            self.purses.of(command["player"]).bought_in += command["amount_cents"]
        elif name == "cash_out":
            self.purses.of(command["player"]).cashed_out += command["amount_cents"]
        elif name == "open_round":
            seats = {int(seat): player for seat, player in command["seats"].items()}
            play = Play(command["round"], command["game"], self.sheets[command["sheet"]], seats)
            self.answers[play.key] = Answer(play)
        elif command.get("round") in self.answers:
            self.do_round(name, command, self.answers[command["round"]])

    def do_meter(self, name: str, command: dict[str, Any]) -> None:
        """What is done to a meter outside the rounds."""
        verbs = {
            "open_meter": self.meters.open,
            "change_meter": self.meters.change,
            "adjust_meter": self.meters.adjust,
            "transfer_meter": self.meters.transfer,
            "retire_meter": self.meters.retire,
        }
        if name in verbs:
            verbs[name](command)

    def do_round(self, name: str, command: dict[str, Any], answer: Answer) -> None:
        """What is done in a round."""
        play, at = answer.play, datetime.fromisoformat(command["at"])
        if name == "place_wager":
            # Whoever wagered has a row, also where the round is void by now.
            self.purses.of(command.get("bettor") or play.seats[command["seat"]])
        verbs = {
            "place_wager": play.place,
            "withdraw_wager": play.withdraw,
            "take_bank": play.take_bank,
            "deal": play.deal,
            "set_hand": play.set_hand,
            "double_down": play.double_down,
            "raise": play.raise_,
            "forfeit": play.forfeit,
        }
        if name in verbs:
            verbs[name](command)
        elif name == "reset_hand":
            play.reset_hand(command["seat"], "floor")
        elif name == "fold":
            play.folded.add(command["seat"])
        elif name == "close_betting":
            self.contribute(play, at)
        elif name == "settle":
            play.status = "settled"
            answer.lines = settle(play, self.meters, at)
            answer.totals = totals(play, answer.lines, self.meters)
            assert sum(answer.totals.values()) == 0, (play.key, answer.totals)
        elif name == "correct_line":
            answer.due[self.named(command)] = command["due_cents"]
        elif name == "void_round":
            play.status = "voided"
            self.meters.undo(play.key)
            answer.taken_back, answer.lines, answer.due = answer.lines, void(play), {}

    def balances(self) -> Purses:
        """What every player has, with all rounds as they stand."""
        for answer in self.answers.values():
            if answer.play.status == "open":
                for stake, amount in answer.play.stakes.items():
                    self.purses.of(stake.bettor or answer.play.seats[stake.seat]).staked += amount
            elif answer.play.status == "settled":
                self.purses.settle(answer.lines, answer.due)
        return self.purses

    def contribute(self, play: Play, at: datetime) -> None:
        """R15: a progressive stake is taken at "no more bets"."""
        for stake, amount in play.stakes.items():
            if stake.wager == "progressive":
                for meter in meters_of(play):
                    self.meters.contribute(play.key, meter, amount, at)

    def named(self, command: dict[str, Any]) -> tuple[Any, ...]:
        """Which line a command names."""
        keys = ("seat", "wager", "bettor", "toke", "for_seat", "kind")
        return tuple(command.get(key, False if key == "toke" else None) for key in keys)
