"""A round as its events leave it. `evolve` only records: it refuses nothing and looks nothing up."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatchmethod
from typing import NamedTuple

from domain.cards import Card, Hand
from domain.rounds import events as happened
from domain.rounds.events import HOUSE, Event, Finding


class Wager(NamedTuple):
    """Names a wager that stands: a seat's own, a toke riding on it, or a backer's."""

    seat: int
    wager: str
    bettor: str | None = None
    toke: bool = False

    @property
    def own(self) -> bool:
        return self.bettor is None and not self.toke


class SetHands(NamedTuple):
    """A seat's two hands as set, and whether they are a foul."""

    high: Hand
    low: Hand
    set_by: str
    foul: bool
    rule: str | None


class Round:
    """One round folded from its events; phases are open, closed, dealt, settled and voided.

    Mutable and private to whoever folds it: `evolve` changes it in place.
    """

    def __init__(self, opened: happened.RoundOpened) -> None:
        self.opened = opened
        self.version = 0
        self.phase = "open"
        self.seats: dict[int, str] = {each.seat: each.player for each in opened.seats}
        self.stakes: dict[Wager, int] = {}
        self.bank: happened.BankTaken | None = None
        self.closed: happened.BettingClosed | None = None
        self.contributions: list[happened.ContributionTaken] = []
        self.start: happened.StartDrawn | None = None
        self.hands: dict[int, Hand] = {}
        self.stub: int | None = None
        self.exposed: list[tuple[int, Card]] = []
        self.misdealt = False
        self.set_hands: dict[int, SetHands] = {}
        self.folded: set[int] = set()
        self.dealer_set: happened.DealerSet | None = None
        self.forfeited: dict[Wager, str] = {}
        self.lines: dict[str, happened.WagerSettled] = {}
        self.settled: happened.RoundSettled | None = None
        self.due_cents: dict[str, int] = {}
        self.corrections: list[happened.LineCorrected] = []
        self.validated: dict[str, happened.JackpotValidated] = {}
        self.jackpots_refused: set[str] = set()
        self.jackpots_paid: dict[str, happened.JackpotPaid] = {}
        self.voided: happened.RoundVoided | None = None
        self.findings: list[Finding] = []
        self.evolve(opened)

    @property
    def key(self) -> str:
        return self.opened.round

    @property
    def bank_seat(self) -> int:
        return HOUSE if self.bank is None else self.bank.seat

    def stake_cents(self, seat: int, wager: str) -> int:
        """The seat's own stake on `wager`, 0 where none stands."""
        return self.stakes.get(Wager(seat, wager), 0)

    def owner(self, wager: Wager) -> str:
        """Whose chips they are: the bettor of a backer's wager, else the seat's player."""
        return wager.bettor or self.seats[wager.seat]

    def evolve(self, event: Event) -> None:
        """Takes the next event of the stream in."""
        self.version += 1
        self._take(event)
        self.findings.extend(getattr(event, "findings", ()))

    @singledispatchmethod
    def _take(self, event: Event) -> None:
        raise TypeError(f"no event of a round: {type(event).__name__}")

    @_take.register
    def _(self, event: happened.RoundOpened) -> None:
        pass

    @_take.register(happened.WagerPlaced)
    @_take.register(happened.WagerWithdrawn)
    def _(self, event: happened.WagerPlaced | happened.WagerWithdrawn) -> None:
        wager = Wager(event.seat, event.wager, event.bettor, event.toke)
        if event.standing_cents:
            self.stakes[wager] = event.standing_cents
        else:
            del self.stakes[wager]

    @_take.register
    def _(self, event: happened.BankTaken) -> None:
        self.bank = event

    @_take.register
    def _(self, event: happened.BettingClosed) -> None:
        self.phase = "closed"
        self.closed = event

    @_take.register
    def _(self, event: happened.ContributionTaken) -> None:
        self.contributions.append(event)

    @_take.register
    def _(self, event: happened.StartDrawn) -> None:
        self.start = event

    @_take.register
    def _(self, event: happened.HandsDealt) -> None:
        self.phase = "dealt"
        self.hands = {each.seat: each.cards for each in event.hands}
        self.stub = event.stub

    @_take.register
    def _(self, event: happened.CardExposed) -> None:
        self.exposed.append((event.seat, event.card))

    @_take.register
    def _(self, event: happened.RoundMisdealt) -> None:
        self.misdealt = True

    @_take.register
    def _(self, event: happened.HandSet) -> None:
        self.set_hands[event.seat] = SetHands(event.high, event.low, event.set_by, event.foul, event.rule)

    @_take.register
    def _(self, event: happened.HandReset) -> None:
        self.set_hands[event.seat] = SetHands(event.high, event.low, event.set_by, False, event.rule)

    @_take.register
    def _(self, event: happened.DoubledDown) -> None:
        self.stakes[Wager(event.seat, "double_down")] = event.stake_cents

    @_take.register
    def _(self, event: happened.Raised) -> None:
        self.stakes[Wager(event.seat, "raise")] = event.stake_cents

    @_take.register
    def _(self, event: happened.Folded) -> None:
        self.folded.add(event.seat)

    @_take.register
    def _(self, event: happened.DealerSet) -> None:
        self.dealer_set = event

    @_take.register
    def _(self, event: happened.WagerForfeited) -> None:
        self.forfeited[Wager(event.seat, event.wager, event.bettor, event.toke)] = event.reason

    @_take.register
    def _(self, event: happened.WagerSettled) -> None:
        self.lines[event.line_id] = event
        self.due_cents[event.line_id] = event.net_cents + event.stake_cents

    @_take.register
    def _(self, event: happened.RoundSettled) -> None:
        self.phase = "settled"
        self.settled = event

    @_take.register
    def _(self, event: happened.PaymentReported) -> None:
        pass

    @_take.register
    def _(self, event: happened.LineCorrected) -> None:
        self.due_cents[event.line_id] = event.due_cents
        self.corrections.append(event)

    @_take.register
    def _(self, event: happened.JackpotValidated) -> None:
        self.validated[event.line_id] = event

    @_take.register
    def _(self, event: happened.JackpotRefused) -> None:
        self.jackpots_refused.add(event.line_id)

    @_take.register
    def _(self, event: happened.JackpotPaid) -> None:
        self.jackpots_paid[event.line_id] = event

    @_take.register
    def _(self, event: happened.RoundVoided) -> None:
        self.phase = "voided"
        self.voided = event


def fold(events: Iterable[Event]) -> Round | None:
    """The round that `events` leave, in stream order; None where there are none."""
    round_: Round | None = None
    for event in events:
        if round_ is None:
            assert isinstance(event, happened.RoundOpened)
            round_ = Round(event)
        else:
            round_.evolve(event)
    return round_
