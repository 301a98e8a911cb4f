"""A small world for the ledger's tests: rules of a few lines, commands of one, and ledgers that use them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from domain.commands import BuyIn, CloseBetting, Command, OpenProperty, OpenRound, PlaceWager, RoundCommand, VoidRound
from domain.desk import property_key, table_key
from domain.errors import Refusal
from domain.house_events import PlayerBoughtIn, PropertyOpened
from domain.rounds.events import BettingClosed, Event, RoundOpened, RoundVoided, SeatTaken, WagerPlaced
from domain.streams import Draft, Stream
from ledger.memory import Memory
from ledger.receipts import Receipt
from ledger.service import Ledger

AT = "2026-05-04T18:00:00-04:00"
FINGERPRINT = "f" * 64


class NoProperty(Refusal):
    code = "property.unknown"


class Unknown(Refusal):
    code = "round.unknown"


class Busy(Refusal):
    code = "table.busy"


class Defect(Exception):
    """A mistake in the rules."""


def decide(command: Command, around: Memory) -> tuple[Draft, ...]:
    """Rules that look at the desk and at rounds as the real ones do, for a handful of commands."""
    if isinstance(command, OpenProperty):
        opened = PropertyOpened(command.property, command.zone, command.day_starts, command.currency)
        return (Draft(Stream("property", command.property), opened),)
    if isinstance(command, BuyIn):
        return (Draft(Stream("player", command.player), _bought_in(command, around)),)
    assert isinstance(command, RoundCommand)
    return tuple(Draft(Stream("round", command.round), event) for event in _of_round(command, around))


def _bought_in(command: BuyIn, around: Memory) -> PlayerBoughtIn:
    if around.get(property_key(command.property)) is None:
        raise NoProperty(f"no property {command.property}")
    return PlayerBoughtIn(command.property, command.table, command.player, command.amount_cents, "2026-05-04")


def _of_round(command: RoundCommand, around: Memory) -> tuple[Event, ...]:
    if isinstance(command, OpenRound):
        table = around.get(table_key(command.property, command.table))
        if table is not None and table.open_round is not None:
            raise Busy(f"{command.table} plays {table.open_round}")
        return (_opened(command),)
    round_ = around.round(command.round)
    if round_ is None:
        raise Unknown(f"no round {command.round}")
    if isinstance(command, PlaceWager):
        if command.wager == "defect":
            raise Defect(command.round)
        standing = round_.stake_cents(command.seat, command.wager) + command.amount_cents
        player = round_.seats[command.seat]
        return (WagerPlaced(command.seat, player, command.wager, command.amount_cents, standing),)
    if isinstance(command, CloseBetting):
        return (BettingClosed(sum(round_.stakes.values())), *(_misplaced() for _ in range(2)))
    assert isinstance(command, VoidRound)
    opened = round_.opened
    return (
        RoundVoided(command.round, opened.property, opened.table, round_.phase, command.reason, command.approved_by),
    )


def _misplaced() -> Event:
    """A second and third event, so that one command leaves several."""
    return WagerPlaced(1, "P1", "fortune", 100, 100)


def _opened(command: OpenRound) -> RoundOpened:
    return RoundOpened(
        command.round,
        command.property,
        command.table,
        command.number,
        "2026-05-04",
        command.game,
        command.sheet,
        FINGERPRINT,
        command.dealer,
        tuple(SeatTaken(seat, player) for seat, player in command.seats.items()),
    )


def property_opened(id_: str = "open") -> OpenProperty:
    return OpenProperty(
        command_id=id_,
        at=AT,
        by="M1",
        property="NORTH",
        zone="America/New_York",
        day_starts="06:00",
        currency="USD",
    )


def buy_in(id_: str, player: str = "P1", cents: int = 10_000, *, source: str = "cli") -> BuyIn:
    return BuyIn(
        source=source, command_id=id_, at=AT, by="D7", property="NORTH", table="T1", player=player, amount_cents=cents
    )


def open_round(id_: str, round_: str, table: str = "T1", number: int = 1) -> OpenRound:
    return OpenRound(
        command_id=id_,
        at=AT,
        by="D7",
        round=round_,
        property="NORTH",
        table=table,
        number=number,
        game="fortune",
        sheet="s@1",
        dealer="D1",
        seats={1: "P1", 2: "P2"},
    )


def wager(id_: str, round_: str, cents: int = 500, seat: int = 1, name: str = "main") -> PlaceWager:
    return PlaceWager(command_id=id_, at=AT, by="D7", round=round_, seat=seat, wager=name, amount_cents=cents)


def close(id_: str, round_: str) -> CloseBetting:
    return CloseBetting(command_id=id_, at=AT, by="D7", round=round_)


def void(id_: str, round_: str) -> VoidRound:
    return VoidRound(command_id=id_, at=AT, by="F1", round=round_, reason="misdeal", approved_by=("F1", "F2"))


def digest(command: Command) -> bytes:
    """A digest that differs where the body does."""
    return sha256(repr(command).encode()).digest()


def hand_in(*commands: Command) -> list[tuple[Command, bytes]]:
    """The commands as they are submitted."""
    return [(command, digest(command)) for command in commands]


def a_round(number: int, table: str = "T1") -> Sequence[Command]:
    """A round of five commands and seven events."""
    key = f"r{number}"
    return (
        open_round(f"{key}-1", key, table, number),
        wager(f"{key}-2", key, 500, 1),
        wager(f"{key}-3", key, 700, 2),
        close(f"{key}-4", key),
        void(f"{key}-5", key),
    )


def url_of(folder: Path, name: str = "rounds.db") -> str:
    """The URL of a ledger in `folder`."""
    return f"sqlite:///{folder / name}"


def ledger_at(url: str, **parts: Any) -> Ledger:
    """The ledger at `url` under the small rules above."""
    return Ledger.open(url, **{"decide": decide} | parts)


def ledger_in(folder: Path, **parts: Any) -> Ledger:
    """A ledger in a file in `folder` under the small rules above."""
    return ledger_at(url_of(folder), **parts)


def after_a_round(url: str) -> Ledger:
    """The ledger at `url` when it knows its property and has played a round."""
    ledger = ledger_at(url)
    ledger.submit(hand_in(property_opened()))
    ledger.submit(hand_in(*a_round(0)))
    return ledger


def play(ledger: Ledger, rounds: int = 3) -> list[Receipt]:
    """A property, a buy-in and some rounds, each command in a group of its own round."""
    receipts = ledger.submit(hand_in(property_opened(), buy_in("buy-1")))
    for number in range(1, rounds + 1):
        receipts += ledger.submit(hand_in(*a_round(number)))
    assert [each.status for each in receipts] == ["recorded"] * len(receipts)
    return receipts


def contents(ledger: Ledger) -> list[tuple[Any, ...]]:
    """The log without what may differ between two recordings of the same: ids, clocks and hashes."""
    return [
        (each.position, each.stream, each.version, each.event, each.at, each.by, each.command_id, each.command_size)
        for page in ledger.feed.pages()
        for each in page
    ]
