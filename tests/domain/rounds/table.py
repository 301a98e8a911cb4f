"""Given, when, then at a table without a store: the desk's entries and the rounds are held in memory.

    table = a_table().given(*played({5: {"main": 50_00}}, {5: WINS}))
    table.when(settle()).lines(("5.main", "win", 50_00, 50_00, 2_50))

Every order that is accepted is folded as a ledger would fold it, and every settlement and void is computed a second
time by `recheck`, so each test also says that a replay finds what was recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeVar

from domain import commands, desk
from domain.cards import Hand, card, deck, parse
from domain.commands import Command
from domain.decide import decide
from domain.desk import Entry, Key, sheet_key
from domain.errors import Refusal
from domain.meters import Level, LevelTerms, Meter, NewTerms
from domain.rounds.events import Event, Finding, MysteryRevealed, RoundOpened, RoundSettled, RoundVoided, WagerSettled
from domain.rounds.recheck import Terms, meter_of, recheck
from domain.rounds.state import Round
from domain.seven_card import best
from domain.sheets import sample
from domain.streams import Draft, Stream
from tests.domain.rounds.hands import DEALER

PROPERTY = "NORTH"
TABLE = "T1"
ROUND = "R1"
METER = "PROG"
CLERK = "C1"
THE_DEALER = "D1"
FLOOR = ("F1",)
TWO = ("F1", "M1")
OPENING_AT = "2026-05-04T12:00:00-04:00"
AT = "2026-05-04T18:00:00-04:00"
SEATS: Mapping[int, str] = {seat: f"P{seat}" for seat in range(1, 7)}

Line = tuple[str, str, int, int, int]
"""What a test says of a line: its id, outcome, and cents won, returned and taken as commission."""
Content = dict[str, Any]
Happened = TypeVar("Happened", bound=Event)


class Order(NamedTuple):
    """A command that lacks what the table knows: id, time and author, and which round, property and table is meant."""

    command: type[Command]
    keys: Mapping[str, Any]

    def but(self, **keys: Any) -> Order:
        """The same order with other keys."""
        return Order(self.command, {**self.keys, **keys})


class House:
    """The surroundings of every decision, folded from what happened so far."""

    def __init__(self) -> None:
        self.streams: dict[Stream, list[Event]] = {}
        self._entries: dict[Key, Entry] = {}
        self._rounds: dict[str, Round] = {}

    def get(self, key: Key) -> Any:
        return self._entries.get(key)

    def put(self, key: Key, entry: Entry) -> None:
        self._entries[key] = entry

    def round(self, key: str) -> Round | None:
        return self._rounds.get(key)

    def take(self, drafts: Sequence[Draft]) -> None:
        """What a ledger does with the events of one command, in order."""
        for stream, event in drafts:
            self.streams.setdefault(stream, []).append(event)
            desk.fold(event, self)
            if isinstance(event, RoundOpened):
                self._rounds[stream.key] = Round(event)
            elif stream.kind == "round":
                self._rounds[stream.key].evolve(event)


@dataclass(frozen=True)
class Outcome:
    """What an order led to: the events, or the refusal."""

    table: Table
    events: tuple[Event, ...]
    refusal: Refusal | None = None

    def then(self, *events: Event) -> Outcome:
        """Exactly these events followed."""
        assert self.refusal is None, self.refusal
        assert self.events == events
        return self

    def accepted(self) -> Outcome:
        assert self.refusal is None, self.refusal
        return self

    def refused(self, code: str) -> str:
        """It was refused with this code; gives the message."""
        assert self.refusal is not None, self.events
        assert self.refusal.code == code, self.refusal
        assert self.refusal.message
        return self.refusal.message

    def one(self, kind: type[Happened]) -> Happened:
        """The only event of its kind."""
        (event,) = [each for each in self.accepted().events if isinstance(each, kind)]
        return event

    def lines(self, *expected: Line) -> Outcome:
        """Exactly these lines were settled, in this order."""
        assert [_line(each) for each in self.settled()] == list(expected)
        return self

    def settled(self) -> list[WagerSettled]:
        return [each for each in self.accepted().events if isinstance(each, WagerSettled)]

    def line(self, line_id: str) -> WagerSettled:
        (line,) = [each for each in self.settled() if each.line_id == line_id]
        return line

    def totals(self) -> tuple[int, int, int, int, int]:
        """In micros: players, house, dealers, meter, reserve."""
        totals = self.one(RoundSettled).totals
        return (
            totals.players_micros,
            totals.house_micros,
            totals.dealers_micros,
            totals.meter_micros,
            totals.reserve_micros,
        )

    @property
    def findings(self) -> list[tuple[str, int | None]]:
        """Code and seat of every finding, in order."""
        return [(each.code, each.seat) for each in self.details]

    @property
    def details(self) -> list[Finding]:
        """The findings themselves."""
        return [finding for event in self.accepted().events for finding in getattr(event, "findings", ())]


class Table:
    """One table of a house; `round` is the key of the round opened last."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.round = ROUND
        self._orders = 0
        self._terms: dict[tuple[str, type[Command]], dict[str, Meter]] = {}

    def given(self, *orders: Order) -> Table:
        """Orders that are accepted."""
        for order in orders:
            self.when(order).accepted()
        return self

    def when(self, order: Order) -> Outcome:
        """One order, accepted or refused; a refused one changes nothing."""
        command = self._command(order)
        try:
            drafts = decide(command, self.house)
        except Refusal as refusal:
            return Outcome(self, (), refusal)
        assert drafts, f"{command.NAME} left no event"
        if isinstance(command, commands.CloseBetting | commands.Settle | commands.RevealMystery):
            self._terms[command.round, type(command)] = self._meters(command.at)
        self.house.take(drafts)
        if isinstance(command, commands.OpenRound):
            self.round = command.round
        for stream, event in drafts:
            if isinstance(event, RoundSettled | RoundVoided | MysteryRevealed):
                assert self.recheck(stream.key) == []
        return Outcome(self, tuple(event for _, event in drafts))

    def events(self, kind: type[Happened], round_: str | None = None) -> list[Happened]:
        """What happened in the round, of one kind."""
        stream = self.house.streams[Stream("round", round_ or self.round)]
        return [each for each in stream if isinstance(each, kind)]

    def findings(self) -> list[tuple[str, int | None]]:
        """Code and seat of the round's findings so far."""
        return [(each.code, each.seat) for each in self.state().findings]

    def state(self, round_: str | None = None) -> Round:
        found = self.house.round(round_ or self.round)
        assert found is not None
        return found

    def meter(self, meter: str = METER) -> Meter:
        found = self.house.get(desk.meter_key(meter))
        assert isinstance(found, Meter)
        return found

    def level(self, level: str, meter: str = METER) -> Level:
        return self.meter(meter).levels[level]

    def desk(self, table: str = TABLE) -> desk.Table:
        found = self.house.get(desk.table_key(PROPERTY, table))
        assert isinstance(found, desk.Table)
        return found

    def recheck(self, round_: str, events: Sequence[Event] | None = None) -> list[str]:
        """What differs when the round is computed a second time."""
        state = self.state(round_)
        sheet = self.house.get(sheet_key(state.opened.sheet))
        moments = (commands.CloseBetting, commands.Settle, commands.RevealMystery)
        terms = Terms(*(self._terms.get((round_, kind), {}) for kind in moments))
        return recheck(events or self.house.streams[Stream("round", round_)], sheet, terms)

    def _meters(self, at: str) -> dict[str, Meter]:
        """Every meter's terms in force, from its own stream's events alone."""
        return {key: meter_of(events, at) for (kind, key), events in self.house.streams.items() if kind == "meter"}

    def _command(self, order: Order) -> Command:
        self._orders += 1
        known = {
            "command_id": f"k{self._orders}",
            "at": AT,
            "by": CLERK,
            "round": self.round,
            "property": PROPERTY,
            "table": TABLE,
        }
        needed = {field.name for field in fields(order.command)}
        return order.command(**{key: value for key, value in known.items() if key in needed} | dict(order.keys))


def a_house(
    *, sheet: Content | None = None, levels: Sequence[LevelTerms] | None = None, unreasonable_micros: int = 1_000_000
) -> Table:
    """A table before its first round: the property, the meter and the sheet are there."""
    return Table(House()).given(
        open_property(), open_meter(levels, unreasonable_micros=unreasonable_micros), publish(sheet or a_sheet())
    )


def a_table(
    *,
    seats: Mapping[int, str] = SEATS,
    sheet: Content | None = None,
    levels: Sequence[LevelTerms] | None = None,
    unreasonable_micros: int = 1_000_000,
) -> Table:
    """A table whose round is open; six players sit there unless `seats` says otherwise."""
    house = a_house(sheet=sheet, levels=levels, unreasonable_micros=unreasonable_micros)
    return house.given(open_round(seats=seats, sheet=_ref(sheet or a_sheet())))


# What the house is like


def a_sheet(
    *,
    options: Mapping[str, str] | None = None,
    wagers: Mapping[str, Mapping[str, Any]] | None = None,
    paytables: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    envy_tables: Mapping[str, Mapping[str, int]] | None = None,
    without: Sequence[str] = (),
    **changes: Any,
) -> Content:
    """The cardroom's sheet with changes: options, keys of wagers, further tables, keys left out, keys set."""
    content: Content = dict(sample("fortune-cardroom@1")) | changes
    content["options"] = {**content["options"], **(options or {})}
    content["wagers"] = {id_: {**terms, **(wagers or {}).get(id_, {})} for id_, terms in content["wagers"].items()}
    content["paytables"] = content["paytables"] | {
        name: {"source": "invented for trials, not a rule", "ranking": "seven_card_bonus", "lines": list(lines)}
        for name, lines in (paytables or {}).items()
    }
    content["envy_tables"] = content["envy_tables"] | {
        name: {
            "source": "invented for trials, not a rule",
            "lines": [{"hand": hand, "cents": cents} for hand, cents in lines.items()],
        }
        for name, lines in (envy_tables or {}).items()
    }
    for key in without:
        del content[key]
    return content


def shares(*lines: tuple[str, int, str]) -> list[Mapping[str, Any]]:
    """Lines of a paytable that pay percentages of a meter: hand, percent, level."""
    return [
        {"hand": hand, "kind": "percent_of_meter", "percent": percent, "level": level} for hand, percent, level in lines
    ]


def a_level(
    level: str,
    base: int,
    *,
    reset: int = 5_000_000_000,
    rate_bp: int = 1800,
    hidden_rate_bp: int = 200,
    limit: int | None = None,
) -> LevelTerms:
    """A meter's level; amounts in micros."""
    return LevelTerms(level, base, reset, rate_bp, hidden_rate_bp, limit)


def standard_levels() -> tuple[LevelTerms, ...]:
    return (
        a_level("major", 10_000_000_000),
        a_level("minor", 500_000_000, reset=500_000_000, rate_bp=600, hidden_rate_bp=0, limit=1_000_000_000),
    )


def _ref(sheet: Content) -> str:
    return f"{sheet['id']}@{sheet['version']}"


def _line(line: WagerSettled) -> Line:
    assert line.net_cents == line.won_cents + line.returned_cents - line.stake_cents - line.commission_cents
    return line.line_id, line.outcome, line.won_cents, line.returned_cents, line.commission_cents


# Orders around the rounds


def open_property(property_: str = PROPERTY, **keys: Any) -> Order:
    return Order(
        commands.OpenProperty,
        {"property": property_, "zone": "America/New_York", "day_starts": "06:00", "currency": "USD", **keys},
    )


def publish(sheet: Content, **keys: Any) -> Order:
    return Order(commands.PublishSheet, {"sheet": sheet, "effective_from": OPENING_AT, "approved_by": ("M1",), **keys})


def open_meter(levels: Sequence[LevelTerms] | None = None, **keys: Any) -> Order:
    terms = {"meter": METER, "unreasonable_micros": 1_000_000, "effective_from": OPENING_AT, "approved_by": ("M1",)}
    return Order(commands.OpenMeter, {**terms, "levels": tuple(levels or standard_levels()), **keys})


def change_meter(*levels: NewTerms, **keys: Any) -> Order:
    terms = {"meter": METER, "levels": levels, "effective_from": AT, "approved_by": TWO}
    return Order(commands.ChangeMeter, {**terms, **keys})


def adjust_meter(amount_micros: int, reason: str, **keys: Any) -> Order:
    terms = {"meter": METER, "level": "major", "evidence": "form 7", "approved_by": TWO}
    return Order(commands.AdjustMeter, {"amount_micros": amount_micros, "reason": reason, **terms, **keys})


def transfer_meter(amount_micros: int, to: str, **keys: Any) -> Order:
    terms = {"meter": METER, "level": "major", "reason": "table_moved", "evidence": "form 8", "approved_by": TWO}
    return Order(commands.TransferMeter, {"amount_micros": amount_micros, "to": to, **terms, **keys})


def retire_meter(to: str, level: str = "major", **keys: Any) -> Order:
    terms = {"meter": METER, "reason": "game_removed", "evidence": "form 9", "approved_by": TWO}
    return Order(commands.RetireMeter, {"to": to, "level": level, **terms, **keys})


def read_meter(display_cents: int, **keys: Any) -> Order:
    return Order(commands.ReadMeter, {"meter": METER, "level": "major", "display_cents": display_cents, **keys})


def buy_in(player: str, amount_cents: int, **keys: Any) -> Order:
    return Order(commands.BuyIn, {"player": player, "amount_cents": amount_cents, **keys})


def cash_out(player: str, amount_cents: int, **keys: Any) -> Order:
    return Order(commands.CashOut, {"player": player, "amount_cents": amount_cents, **keys})


def shuffler_error(**keys: Any) -> Order:
    return Order(commands.ShufflerError, keys)


def clear_shuffler(**keys: Any) -> Order:
    return Order(commands.ClearShuffler, {"approved_by": FLOOR, **keys})


# Orders of a round


def open_round(round_: str = ROUND, *, number: int = 1, seats: Mapping[int, str] = SEATS, **keys: Any) -> Order:
    terms = {"game": "fortune", "sheet": "fortune-cardroom@1", "dealer": THE_DEALER}
    return Order(commands.OpenRound, {"round": round_, "number": number, "seats": seats, **terms, **keys})


def place(seat: int, wager: str, amount_cents: int, **keys: Any) -> Order:
    return Order(commands.PlaceWager, {"seat": seat, "wager": wager, "amount_cents": amount_cents, **keys})


def toke(seat: int, wager: str, amount_cents: int) -> Order:
    return place(seat, wager, amount_cents, toke=True)


def back(seat: int, bettor: str, amount_cents: int, **keys: Any) -> Order:
    return place(seat, "main", amount_cents, bettor=bettor, **keys)


def withdraw(seat: int, wager: str, amount_cents: int, **keys: Any) -> Order:
    return Order(commands.WithdrawWager, {"seat": seat, "wager": wager, "amount_cents": amount_cents, **keys})


def bank(seat: int, *, chips: int = 1_000_000, house: int = 500) -> Order:
    return Order(commands.TakeBank, {"seat": seat, "chips_cents": chips, "house_wager_cents": house})


def close() -> Order:
    return Order(commands.CloseBetting, {})


def start(number: int | None = None, *, dice: tuple[int, ...] | None = None) -> Order:
    return Order(commands.DrawStart, {"method": "rng" if dice is None else "dice", "number": number, "dice": dice})


def dealt(hands: Mapping[int, str], *, positions: int = 6) -> dict[int, Hand]:
    """A whole deal: the hands given, plain ones from the rest of the deck for the others.

    The dealer has DEALER where nobody else holds its cards.
    """
    given = {spot: parse(text) for spot, text in hands.items()}
    used = [each for hand in given.values() for each in hand]
    if 0 not in given and not set(used) & set(parse(DEALER)):
        given[0] = parse(DEALER)
        used += given[0]
    assert len(used) == len(set(used)), "a card is dealt twice"
    missing = [spot for spot in range(positions + 1) if spot not in given]
    return given | dict(zip(missing, _plain(tuple(sorted(used)), len(missing)), strict=True))


@cache
def _plain(used: Hand, count: int) -> list[Hand]:
    """Hands of two pairs at most, so that what a test does not name pays nothing by any table."""
    rest, chance = [each for each in deck(joker=True) if each not in used], Random(1)
    for _ in range(5_000):
        chance.shuffle(rest)
        found = [tuple(rest[place * 7 : place * 7 + 7]) for place in range(count)]
        if all(best(hand) in ("two_pair", "one_pair", "high_card") for hand in found):
            return found
    raise AssertionError("the rest of the deck makes no plain hands")


def deal(hands: Mapping[int, str] | None = None) -> Order:
    """A right deal."""
    return deal_cards(dealt(hands or {}))


def deal_cards(hands: Mapping[int, Hand], *, stub: int = 4, stub_cards: Hand | None = None) -> Order:
    """A deal of these cards, right or wrong."""
    return Order(commands.Deal, {"hands": hands, "stub": stub, "stub_cards": stub_cards})


def expose(seat: int, name: str) -> Order:
    return Order(commands.ExposeCard, {"seat": seat, "card": card(name)})


def set_low(seat: int, low: str) -> Order:
    return Order(commands.SetHand, {"seat": seat, "low": parse(low)})


def house_way(seat: int) -> Order:
    return Order(commands.SetHand, {"seat": seat, "house_way": True})


def reset_hand(seat: int, **keys: Any) -> Order:
    return Order(commands.ResetHand, {"seat": seat, "approved_by": FLOOR, **keys})


def dealer_sets(low: str) -> Order:
    return Order(commands.SetDealer, {"low": parse(low)})


def settle() -> Order:
    return Order(commands.Settle, {})


def forfeit(seat: int, wager: str, **keys: Any) -> Order:
    terms = {"approved_by": FLOOR, "reason": "left the table"}
    return Order(commands.Forfeit, {"seat": seat, "wager": wager, **terms, **keys})


def report(seat: int, wager: str, paid_cents: int, **keys: Any) -> Order:
    return Order(commands.ReportPayment, {"seat": seat, "wager": wager, "paid_cents": paid_cents, **keys})


def correct(seat: int, wager: str, due_cents: int, **keys: Any) -> Order:
    terms = {"approved_by": TWO, "reason": "paid wrong"}
    return Order(commands.CorrectLine, {"seat": seat, "wager": wager, "due_cents": due_cents, **terms, **keys})


def void(**keys: Any) -> Order:
    return Order(commands.VoidRound, {"reason": "wrong deck", "approved_by": TWO, **keys})


def validate(seat: int, **keys: Any) -> Order:
    terms = {"wager": "progressive", "validated_by": "F1", "signal": True}
    return Order(commands.ValidateJackpot, {"seat": seat, **terms, **keys})


def pay_jackpot(seat: int, **keys: Any) -> Order:
    terms = {"wager": "progressive", "slip": "S1", "paid_from": "cage", "paid_by": "CAGE1", "witness": "F2"}
    return Order(commands.PayJackpot, {"seat": seat, **terms, **keys})


def refuse_jackpot(seat: int, **keys: Any) -> Order:
    terms = {"wager": "progressive", "refused_by": "F1", "reason": "cards were switched"}
    return Order(commands.RefuseJackpot, {"seat": seat, **terms, **keys})


def reveal(secret: str, commitment: str, **keys: Any) -> Order:
    terms = {"meter": METER, "level": "grand", "secret": secret, "commitment": commitment}
    return Order(commands.RevealMystery, {**terms, **keys})


def double_down(seat: int) -> Order:
    return Order(commands.DoubleDown, {"seat": seat})


def raise_(seat: int, amount_cents: int) -> Order:
    return Order(commands.Raise, {"seat": seat, "amount_cents": amount_cents})


def fold(seat: int) -> Order:
    return Order(commands.Fold, {"seat": seat})


def wagers_of(stakes: Mapping[int, Mapping[str, int]]) -> Iterator[Order]:
    """Each seat's own wagers, cents by wager id."""
    for seat, by_wager in stakes.items():
        for wager, cents in by_wager.items():
            yield place(seat, wager, cents)


def played(
    stakes: Mapping[int, Mapping[str, int]],
    hands: Mapping[int, str],
    *,
    lows: Mapping[int, str] | None = None,
    further: Sequence[Order] = (),
    banker: Order | None = None,
) -> list[Order]:
    """A whole round up to settling: wagers, the bank, further wagers, the deal, every hand set.

    Hands are set the house way but for those whose low hand `lows` names; the banker sets last.
    """
    bankers = [] if banker is None else [banker.keys["seat"]]
    own = lows or {}
    seats = [*(seat for seat, wagers in stakes.items() if "main" in wagers and seat not in bankers), *bankers]
    return [
        *(order for order in wagers_of(stakes) if order.keys["seat"] not in bankers),
        *([] if banker is None else [banker]),
        *(order for order in wagers_of(stakes) if order.keys["seat"] in bankers),
        *further,
        close(),
        start(1),
        deal(hands),
        *(set_low(seat, own[seat]) if seat in own else house_way(seat) for seat in seats),
    ]
