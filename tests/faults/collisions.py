"""Commands that get in each other's way: a simulated feed, out of order, twice, under other ids and with other bodies.

Every property's meters get a mystery that is hit every few wagers, so that its cycles are played for too.
"""

from __future__ import annotations

import json
import random
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from cli.simulation.feed import feed
from cli.simulation.habits import EVENTFUL
from domain.commands import OpenRound, RevealMystery
from domain.errors import Refusal
from domain.intake import command_and_digest
from domain.mystery import commitment_of
from ledger.receipts import Receipt
from ledger.writer import Submission

Body = dict[str, Any]

RECENT = 80
TRIES = 3
"""How often a line of the feed is handed out again that was refused."""
OWN = "own-"
"""What ids begin with that are not the feed's."""
LEVEL = "mystery"
APPROVED = ["S08", "S09"]
SOURCES = ("cli", "cli", "cli", "pit-2")


class Collisions:
    """Where groups of commands come from; several of one `seed` have the same feed, each with an own `name`."""

    def __init__(self, seed: int, rounds: int, name: str = "", share: Callable[[Body], bool] | None = None) -> None:
        """With `share` lines of the feed for which it is false are mostly left to the others."""
        made = feed(seed, rounds, bias=True, mistakes=True, habits=EVENTFUL, tables=3, coordinator=True)
        self._lines = [_with_mystery(line) for line in made]
        self._meters = [line["meter"] for line in self._lines if line["command"] == "open_meter"]
        self._cycles = dict.fromkeys(self._meters, 1)
        self._name = name
        self._share = share
        self._next = 0
        self._count = 0
        self._recent: deque[Body] = deque(maxlen=RECENT)
        self._back: list[Submission] = []
        self._tried = Counter[str]()
        self._unopened = set[str]()
        self._at: dict[str, str] = {}
        self._looked = Counter[str]()
        self._tricks: list[Callable[[random.Random], Body | None]] = [
            self._again,
            self._again,
            self._other_body,
            self._copy,
            self._early,
            self._rival,
            self._slip,
            self._shuffler,
            self._sheet,
            *[self._reveal] * 4,
            self._void if seed % 3 else self._copy,
            self._moved_meter,
        ]

    @property
    def is_over(self) -> bool:
        """Whether the whole feed was handed out."""
        return self._next >= len(self._lines) and not self._back

    def give_back(self, group: Sequence[Submission]) -> None:
        """Takes commands that nobody answered; they are handed out again."""
        self._back += group

    def answered(self, group: Sequence[Submission], receipts: Sequence[Receipt]) -> None:
        """Learns of mysteries that were hit; what came too early or was not looked at is handed out again."""
        self._back += group[len(receipts) :]
        for submission, receipt in zip(group, receipts, strict=False):
            command = submission[0]
            if isinstance(command, OpenRound):
                self._opened(command, receipt)
            if isinstance(command, RevealMystery) and receipt.status == "recorded":
                self._cycles[command.meter] += 1
            if isinstance(command, RevealMystery) and receipt.code == "mystery.not-hit":
                self._looked[command.meter] += 1
            tried = TRIES if command.command_id.startswith(OWN) else self._tried[command.command_id]
            if receipt.status == "refused" and tried < TRIES:
                self._tried[command.command_id] += 1
                self._back.append(submission)

    def _opened(self, command: OpenRound, receipt: Receipt) -> None:
        """The lines of a round that nobody could open are passed over; one that was left unfinished is voided."""
        if receipt.status != "refused":
            self._unopened.discard(command.round)
            self._at[command.table] = command.round
            return
        self._unopened.add(command.round)
        if receipt.code == "table.busy" and command.table in self._at:
            line = {"at": command.at, "by": command.by, "round": self._at.pop(command.table)}
            self._back.append(_submission(self._void_of(line)))

    def group(self, chance: random.Random, size: int) -> list[Submission]:
        """About so many commands."""
        if self._next == 0:
            return list(self._openings())
        back = self._back[:size] if chance.random() < 0.9 else []
        self._back = self._back[len(back) :]
        group = back + list(self._submissions(chance, max(1, size - len(back))))
        # A group with a command in it twice is decided under the lock.
        return [*group, chance.choice(group)] if group and chance.random() < 0.15 else group

    def _openings(self) -> Iterator[Submission]:
        """What everything else needs."""
        while (line := self._lines[self._next])["command"] in ("open_property", "open_meter"):
            self._next += 1
            yield _submission(line)

    def _submissions(self, chance: random.Random, size: int) -> Iterator[Submission]:
        for _ in range(size):
            body = self._next_line(chance) if chance.random() < 0.75 else chance.choice(self._tricks)(chance)
            if body is None:
                continue
            try:
                command, digest = _submission(body)
            except Refusal:
                continue
            yield replace(command, source=chance.choice(SOURCES)) if chance.random() < 0.03 else command, digest

    def _next_line(self, chance: random.Random) -> Body | None:
        while self._next < len(self._lines):
            line = self._lines[self._next]
            self._next += 1
            self._recent.append(line)
            if self._share is None or self._share(line) or chance.random() < 0.1:
                if line.get("round") not in self._unopened or chance.random() < 0.1:
                    return line
        return self._again(chance)

    def _again(self, chance: random.Random) -> Body | None:
        return chance.choice(self._recent) if self._recent else None

    def _early(self, chance: random.Random) -> Body | None:
        if chance.random() < 0.7:
            return self._again(chance)
        place = self._next + chance.randrange(12)
        return self._lines[place] if place < len(self._lines) else None

    def _other_body(self, chance: random.Random) -> Body | None:
        line = self._again(chance)
        return line and {**line, "at": line["at"].replace(":0", ":1")}

    def _copy(self, chance: random.Random) -> Body | None:
        line = self._again(chance)
        return line and self._renamed(line)

    def _renamed(self, line: Body, **more: Any) -> Body:
        self._count += 1
        return {**line, **more, "command_id": f"{OWN}{self._name}-{self._count}"}

    def _a_recent(self, chance: random.Random, *names: str) -> Body | None:
        found = [line for line in self._recent if line["command"] in names]
        return chance.choice(found) if found else None

    def _rival(self, chance: random.Random) -> Body | None:
        """Another round at the same table, under the same number or the next."""
        line = self._a_recent(chance, "open_round")
        number = line["number"] + chance.randrange(2) if line else 0
        if line is None:
            return None
        rival = self._renamed(line, number=number, round=f"{line['round']}-{chance.choice('ab')}")
        # Whoever got the table gives it back, or nothing would be played there any more.
        self._back.append(_submission(self._void_of(rival)))
        return rival

    def _void(self, chance: random.Random) -> Body | None:
        line = self._a_round(chance)
        return line and self._void_of(line) if chance.random() < 0.3 else self._copy(chance)

    def _void_of(self, line: Body) -> Body:
        return self._order(line, "void_round", round=line["round"], reason="misdeal", approved_by=APPROVED)

    def _slip(self, chance: random.Random) -> Body | None:
        paid = [line for line in self._lines[: self._next] if line["command"] == "pay_jackpot"]
        return self._renamed(paid[-1], slip=chance.choice(paid)["slip"]) if paid else None

    def _shuffler(self, chance: random.Random) -> Body | None:
        line = self._a_recent(chance, "open_round")
        if line is None:
            return None
        place = {"property": line["property"], "table": line["table"]}
        cleared = self._order(line, "clear_shuffler", **place, approved_by="S08")
        if chance.random() < 0.5:
            return cleared
        self._back.append(_submission(cleared))
        return self._order(line, "shuffler_error", **place)

    def _sheet(self, chance: random.Random) -> Body | None:
        """A further version of a sheet, or the same once more, while rounds are open."""
        published = [line for line in self._lines[: self._next] if line["command"] == "publish_sheet"]
        if not published:
            return None
        line = chance.choice(published)
        version = line["sheet"]["version"] + chance.randrange(3) * 50
        return self._renamed(line, sheet={**line["sheet"], "version": version})

    def _reveal(self, chance: random.Random) -> Body | None:
        """Tells a secret, mostly that of the current cycle, for a round that may have hit it."""
        meter = chance.choice(self._meters)
        # The round that passed the trigger comes after the one that passed the last.
        closed = [line for line in self._lines[: self._next] if line["command"] == "close_betting"]
        closed = [line for line in closed if line["round"].startswith(meter[:3])]
        if not closed:
            return None
        line = closed[self._looked[meter] % len(closed)]
        cycle = self._cycles[meter] + chance.choice((0, 0, 0, 1))
        return self._order(
            line,
            "reveal_mystery",
            round=line["round"],
            meter=meter,
            level=LEVEL,
            secret=secret(meter, cycle),
            commitment=commitment_of(secret(meter, cycle + 1)),
        )

    def _moved_meter(self, chance: random.Random) -> Body | None:
        """Somebody puts a meter right, reads it, moves money or changes its terms."""
        line = self._a_round(chance)
        meter, other = chance.choice(self._meters), chance.choice(self._meters)
        if line is None:
            return None
        proof = {"reason": "regulator_order", "evidence": "sheet 1", "approved_by": APPROVED}
        match chance.randrange(4):
            case 0:
                return self._order(
                    line, "adjust_meter", meter=meter, level="minor", amount_micros=chance.randrange(-9, 9), **proof
                )
            case 1:
                return self._order(
                    line, "transfer_meter", meter=meter, level="minor", amount_micros=7, to=other, **proof
                )
            case 2:
                return self._order(line, "read_meter", meter=meter, level="major", display_cents=chance.randrange(99))
        terms = [{"level": "minor", "rate_bp": chance.randrange(500, 900)}]
        return self._order(line, "change_meter", meter=meter, levels=terms, effective_from=line["at"], **proof)

    def _a_round(self, chance: random.Random) -> Body | None:
        found = [line for line in self._recent if "round" in line]
        return chance.choice(found) if found else None

    def _order(self, line: Body, name: str, **more: Any) -> Body:
        return self._renamed({"command": name, "at": line["at"], "by": line["by"], **more})


def _submission(body: Body) -> Submission:
    return command_and_digest(json.dumps(body).encode())


def secret(meter: str, cycle: int) -> str:
    """What decides a cycle of the meter's mystery."""
    return sha256(f"{meter} {cycle}".encode()).hexdigest()


def _with_mystery(line: Body) -> Body:
    if line["command"] != "open_meter":
        return line
    mystery = {
        "level": LEVEL,
        "base_micros": 1_000_000,
        "reset_micros": 1_000_000,
        "rate_bp": 700,
        "hidden_rate_bp": 100,
        "limit_micros": None,
        "must_hit_by_micros": 1_000_100,
        "commitment": commitment_of(secret(line["meter"], 1)),
    }
    return {**line, "levels": [*line["levels"], mystery]}
