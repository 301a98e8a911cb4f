"""A random life of meters as a feed: play at two tables, hits, voids, new terms, entries, moves, ends and mysteries.

Beside it a plain book of every level, kept from the commands that were recorded: what a stake adds is the stake times
the rate in force, and only what a hit took and got back is read from its line. It shares no code with meters and
projections.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from domain.cards import show
from domain.intake import command_and_digest
from domain.rounds.events import WagerSettled
from domain.streams import Stream
from ledger.receipts import Receipt
from ledger.service import Ledger
from tests.domain.rounds.hands import FULL_HOUSES, PLAIN, QUADS
from tests.domain.rounds.table import a_sheet, dealt

Body = dict[str, Any]
Name = tuple[str, str]
DOLLAR = 1_000_000
MUST = 4 * DOLLAR
METERS = {"LINK": ("major", "minor"), "OWN": ("major", "minor"), "SPARE": ("major", "minor"), "MYST": ("grand",)}
FEEDS = {"both@1": ("LINK", "OWN"), "link@1": ("LINK", "MYST")}
TABLES = {"T1": "both@1", "T2": "link@1"}
HANDS = ((*QUADS[:2],), (QUADS[0], FULL_HOUSES[2]), (FULL_HOUSES[0], FULL_HOUSES[1]), ())


@dataclass
class Round:
    """What the book needs of a round: its stakes in cents by seat, what it added to each level, and its hits."""

    sheet: str
    stakes: dict[int, int]
    added: dict[Name, list[int]] = field(default_factory=dict)
    crossed: bool = False


@dataclass
class Book:
    """Every level's columns by plain sums, in micros."""

    columns: dict[Name, defaultdict[str, int]] = field(default_factory=dict)
    rates: dict[Name, list[tuple[str, int]]] = field(default_factory=dict)
    retired: set[Name] = field(default_factory=set)
    to_revenue: int = 0

    def accrued(self, name: Name) -> int:
        """The equation of the contract."""
        of = self.columns[name]
        gained = of["base"] + of["increments"] + of["resets"] + of["adjustments"] + of["transfers_in"]
        return gained - of["transfers_out"] - of["wins"]

    def reserve(self, name: Name) -> int:
        of = self.columns[name]
        return of["hidden"] - of["used"] + of["reserve_adjustments"] - of["reserve_out"]

    def rate(self, name: Name, at: str) -> int:
        """The rate in force: the latest of those that have begun; the changes are recorded as they begin."""
        return [rate for begins, rate in self.rates[name] if begins <= at][-1]


class History:
    """Plays `steps` random steps into `ledger`, one command at a time, and keeps the book of what was recorded."""

    def __init__(self, ledger: Ledger, seed: int) -> None:
        self.ledger = ledger
        self.chance = Random(seed)
        self.book = Book()
        self.rounds: dict[str, Round] = {}
        self.refusals: defaultdict[str, int] = defaultdict(int)
        self.mysteries = 0
        self._commands = 0
        self._minute = 0
        self._secret = self._drawn()
        self._cycle: list[str] = []
        self._begins = DOLLAR
        self._open()

    def play(self, steps: int) -> None:
        """Play mostly; now and then something is done to a meter."""
        acts = [self._adjust, self._transfer, self._change, self._read, self._void, self._reveal, self._hidden]
        for step in range(steps):
            self._round(step)
            if self.chance.random() < 0.7:
                self.chance.choice(acts)()
            if step == steps * 2 // 3:
                self._retire("OWN", "major")
        self._reveal()

    # What happens

    def _open(self) -> None:
        place = {"property": "NORTH", "zone": "America/New_York", "day_starts": "06:00", "currency": "USD"}
        self._send("open_property", **place)
        for meter, levels in METERS.items():
            terms = [self._level(meter, level) for level in levels]
            self._send(
                "open_meter",
                meter=meter,
                property="NORTH",
                levels=terms,
                unreasonable_micros=10**9,
                effective_from="2026-05-01T00:00:00Z",
                approved_by="M1",
            )
        for ref, meters in FEEDS.items():
            self._send(
                "publish_sheet",
                sheet=_sheet(ref, meters),
                effective_from="2026-05-01T00:00:00Z",
                approved_by="M1",
            )

    def _level(self, meter: str, level: str) -> Body:
        base = self.chance.randrange(10, 50) * DOLLAR if meter != "MYST" else DOLLAR
        terms: Body = {"level": level, "base_micros": base, "reset_micros": base // 2, "limit_micros": None}
        terms |= {"rate_bp": self.chance.randrange(1, 5_000), "hidden_rate_bp": self.chance.randrange(0, 2_000)}
        if meter == "MYST":
            terms |= {"must_hit_by_micros": MUST, "commitment": _hash(self._secret)}
            self._begins = base
        self.book.columns[meter, level] = defaultdict(int, base=base)
        self.book.rates[meter, level] = [("", terms["rate_bp"])]
        self.book.rates[meter, f"{level} hidden"] = [("", terms["hidden_rate_bp"])]
        return terms

    def _round(self, number: int) -> None:
        table, sheet = self.chance.choice(list(TABLES.items()))
        key = f"R{number}"
        hands = self.chance.choice(HANDS)
        seats = self.chance.sample(range(1, 7), max(len(hands), self.chance.randrange(1, 3)))
        keys = {"round": key}
        place = {"property": "NORTH", "table": table, "number": number + 1, "game": "fortune", "sheet": sheet}
        self._send("open_round", **keys, **place, dealer="D1", seats={str(seat): f"P{seat}" for seat in seats})
        round_ = self.rounds[key] = Round(sheet, {})
        for seat in seats:
            self._send("place_wager", **keys, seat=seat, wager="main", amount_cents=500)
            cents = self.chance.randrange(100, 300)
            placed = self._send("place_wager", **keys, seat=seat, wager="progressive", amount_cents=cents)
            if placed.status == "recorded":
                round_.stakes[seat] = cents
        self._close(key, round_)
        self._send("draw_start", **keys, method="rng", number=1)
        cards = dealt({0: PLAIN, **dict(zip(seats, hands, strict=False))})
        spots = {"dealer" if spot == 0 else str(spot): show(hand) for spot, hand in cards.items()}
        self._send("deal", **keys, hands=spots, stub=4)
        for seat in seats:
            self._send("set_hand", **keys, seat=seat, house_way=True)
        before = self.ledger.head().position
        self._send("settle", **keys)
        self._book_hits(key, before)

    def _close(self, key: str, round_: Round) -> None:
        at = self._send("close_betting", round=key).at
        for seat in sorted(round_.stakes, reverse=True):
            for meter in FEEDS[round_.sheet]:
                for level in METERS[meter]:
                    self._contribute(key, round_, (meter, level), round_.stakes[seat], at)

    def _contribute(self, key: str, round_: Round, name: Name, cents: int, at: str) -> None:
        if name in self.book.retired:
            return
        meter, level = name
        shown = cents * self.book.rate(name, at)
        hidden = cents * self.book.rate((meter, f"{level} hidden"), at)
        self.book.columns[name]["increments"] += shown
        self.book.columns[name]["hidden"] += hidden
        self.book.columns[name]["in_count"] += 1
        sums = round_.added.setdefault(name, [0, 0, 0])
        round_.added[name] = [sums[0] + shown, sums[1] + hidden, sums[2] + 1]
        if meter == "MYST" and not self._crossed and self.book.accrued(name) >= self._trigger:
            self._cycle.append(key)

    def _book_hits(self, key: str, after: int) -> None:
        for record in self.ledger.feed.stream(Stream("round", key)):
            if record.position > after and isinstance(record.event, WagerSettled) and record.event.hit is not None:
                hit = record.event.hit
                of = self.book.columns[hit.meter, hit.level]
                of["wins"] += record.event.won_cents * 10_000
                of["resets"] += hit.reset_micros
                of["used"] += hit.reserve_used_micros
                of["hits"] += 1

    def _void(self) -> None:
        key = self.chance.choice(list(self.rounds))
        hits = [
            record.event.hit
            for record in self.ledger.feed.stream(Stream("round", key))
            if isinstance(record.event, WagerSettled) and record.event.hit is not None
        ]
        if self._send("void_round", round=key, reason="wrong deck", approved_by=["F1", "M1"]).status != "recorded":
            return
        for hit in hits:
            of = self.book.columns[hit.meter, hit.level]
            of["wins"] -= hit.win_micros
            of["resets"] -= hit.reset_micros
            of["used"] -= hit.reserve_used_micros
            of["hits"] -= 1
        for name, (shown, hidden, count) in self.rounds[key].added.items():
            of = self.book.columns[name]
            of["increments"] -= shown
            of["hidden"] -= hidden
            of["in_count"] -= count

    def _adjust(self) -> None:
        name = self._any()
        amount = self.chance.randrange(-2 * DOLLAR, 2 * DOLLAR) or 1
        if self._entry("adjust_meter", name, amount_micros=amount, reason="regulator_order"):
            self.book.columns[name]["adjustments"] += amount

    def _hidden(self) -> None:
        name = self._any()
        amount = -self.chance.randrange(1, DOLLAR // 4)
        if self._entry("adjust_meter", name, amount_micros=amount, reason="hidden_to_revenue"):
            self.book.columns[name]["reserve_adjustments"] += amount
            self.book.to_revenue -= amount

    def _transfer(self) -> None:
        name = self._any()
        to = self.chance.choice([*METERS, "revenue"])
        amount = self.chance.randrange(1, 3 * DOLLAR)
        if self._entry("transfer_meter", name, amount_micros=amount, to=to, reason="table_moved"):
            self._moved(name, to, amount, 0)

    def _retire(self, meter: str, level: str) -> None:
        name = (meter, level)
        accrued, reserve = self.book.accrued(name), self.book.reserve(name)
        if self._entry("retire_meter", name, to="SPARE", reason="game_removed"):
            self._moved(name, "SPARE", accrued, reserve)
            self.book.retired.add(name)

    def _moved(self, name: Name, to: str, accrued: int, reserve: int) -> None:
        self.book.columns[name]["transfers_out"] += accrued
        self.book.columns[name]["reserve_out"] += reserve
        if to == "revenue":
            self.book.to_revenue += accrued + reserve
        else:
            self.book.columns[to, name[1]]["transfers_in"] += accrued + reserve

    def _change(self) -> None:
        meter, level = self._any()
        rate, hidden = self.chance.randrange(1, 5_000), self.chance.randrange(0, 2_000)
        at = self._time(self._minute + 1)
        sent = self._send(
            "change_meter",
            meter=meter,
            levels=[{"level": level, "rate_bp": rate, "hidden_rate_bp": hidden}],
            effective_from=at,
            approved_by=["M1", "M2"],
        )
        if sent.status == "recorded":
            self.book.rates[meter, level].append((at, rate))
            self.book.rates[meter, f"{level} hidden"].append((at, hidden))

    def _read(self) -> None:
        meter, level = self._any()
        self._send("read_meter", meter=meter, level=level, display_cents=0)

    def _reveal(self) -> None:
        """The secret is told of the one round that passed the trigger, and refused of every other."""
        following = self._drawn()
        told = []
        for key in list(self.rounds)[-12:] if not self._cycle else [*list(self.rounds)[-3:], *self._cycle]:
            before = self.ledger.head().position
            keys = {"meter": "MYST", "level": "grand", "secret": self._secret, "commitment": _hash(following)}
            if self._send("reveal_mystery", round=key, **keys).status == "recorded":
                told.append(key)
                self._book_hits(key, before)
                break
        assert told == self._cycle[:1], (told, self._cycle)
        if told:
            self.mysteries += 1
            self._secret, self._cycle = following, []
            self._begins = self.book.accrued(("MYST", "grand"))

    # How it is said

    def _send(self, command: str, **keys: Any) -> Sent:
        self._commands += 1
        self._minute += 1
        at = self._time(self._minute)
        body = {"command": command, "command_id": f"c{self._commands}", "at": at, "by": "C1", **keys}
        (receipt,) = self.ledger.submit([command_and_digest(json.dumps(body))])
        if receipt.status == "refused":
            self.refusals[str(receipt.code)] += 1
        return Sent(receipt, at)

    def _entry(self, command: str, name: Name, **keys: Any) -> bool:
        papers = {"meter": name[0], "level": name[1], "evidence": "form 7", "approved_by": ["M1", "M2"]}
        return self._send(command, **papers, **keys).status == "recorded"

    def _any(self) -> Name:
        return self.chance.choice(list(self.book.columns))

    @staticmethod
    def _time(minute: int) -> str:
        days, minutes = divmod(minute, 24 * 60)
        return f"2026-05-{2 + days:02d}T{minutes // 60:02d}:{minutes % 60:02d}:00Z"

    def _drawn(self) -> str:
        return self.chance.randbytes(32).hex()

    @property
    def _crossed(self) -> bool:
        return bool(self._cycle)

    @property
    def _trigger(self) -> int:
        drawn = int.from_bytes(sha256(b"trigger" + bytes.fromhex(self._secret)).digest(), "big")
        return self._begins + 1 + drawn % max(MUST - self._begins, 1)


@dataclass
class Sent:
    """A command's receipt and its time."""

    receipt: Receipt
    at: str

    @property
    def status(self) -> str:
        return self.receipt.status


def _hash(secret: str) -> str:
    return sha256(bytes.fromhex(secret)).hexdigest()


def _sheet(ref: str, meters: tuple[str, ...]) -> Body:
    lines = [("four_of_a_kind", 100, "major", "LINK"), ("full_house", 30, "minor", "LINK")]
    if "OWN" in meters:
        lines[1] = ("full_house", 30, "minor", "OWN")
    return a_sheet(
        id=ref.partition("@")[0],
        paytables={
            "trial": [
                {"hand": hand, "kind": "percent_of_meter", "percent": percent, "level": level, "meter": meter}
                for hand, percent, level, meter in lines
            ]
        },
        wagers={"progressive": {"paytable": "trial", "meter": list(meters), "max_cents": 1_000}},
    )


def differences(history: History, documents: Iterator[Body]) -> Iterator[str]:
    """Where the meters' documents are not what the book says, and where money was lost between the levels."""
    whole = 0
    for document in documents:
        for level in document["levels"]:
            name = (document["meter"], level["level"])
            of, book = history.book.columns[name], history.book
            expected = {
                "accrued_micros": book.accrued(name),
                "reserve_micros": book.reserve(name),
                "in_count": of["in_count"],
                "hits": of["hits"],
                "wins_micros": of["wins"],
                "increments_micros": of["increments"],
                "resets_micros": of["resets"],
                "adjustments_micros": of["adjustments"],
                "transfers_in_micros": of["transfers_in"],
                "transfers_out_micros": of["transfers_out"],
            }
            whole += level["accrued_micros"] + level["reserve_micros"]
            for figure, value in expected.items():
                if level[figure] != value:
                    yield f"{name} {figure}: {level[figure]}, by the book {value}"
    columns = history.book.columns.values()
    gained = sum(
        of["base"] + of["increments"] + of["hidden"] + of["resets"] - of["used"] + of["adjustments"] for of in columns
    )
    kept = gained - sum(of["wins"] for of in columns) - history.book.to_revenue
    if whole != kept:
        yield f"shown and hidden are {whole} in all, by the book {kept}"
