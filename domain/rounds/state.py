"""A round as its events leave it. `evolve` only records: it refuses nothing and looks nothing up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

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


def wager_named(seat: int, wager: str, bettor: str | None = None, toke: bool = False) -> Wager:
    """A wager to be looked up and nothing else: a plain tuple finds it and is made sooner."""
    return (seat, wager, bettor, toke)  # type: ignore[return-value]


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
        return self.stakes.get(wager_named(seat, wager), 0)

    def owner(self, wager: Wager) -> str:
        """Whose chips they are: the bettor of a backer's wager, else the seat's player."""
        return wager.bettor or self.seats[wager.seat]

    def evolve(self, event: Event) -> None:
        """Takes the next event of the stream in."""
        self.version += 1
        take = _TAKES.get(type(event))
        if take is None:
            raise TypeError(f"no event of a round: {type(event).__name__}")
        take(self, event)
        found = getattr(event, "findings", None)
        if found:
            self.findings.extend(found)


Take = Callable[[Round, Any], None]
_TAKES: dict[type[Event], Take] = {}


def _takes(*classes: type[Event]) -> Callable[[Take], Take]:
    """Says what events of `classes` change of a round; a dictionary is what `evolve` can afford for every event."""

    def register(take: Take) -> Take:
        _TAKES.update(dict.fromkeys(classes, take))
        return take

    return register


@_takes(happened.RoundOpened, happened.PaymentReported, happened.MysteryRevealed)
def _nothing_but_the_fact(round_: Round, event: Event) -> None:
    """The round is made of its opening; a payment changes nothing that is due, and a mystery has a line of its own."""


@_takes(happened.WagerPlaced, happened.WagerWithdrawn)
def _stake_changed(round_: Round, event: happened.WagerPlaced | happened.WagerWithdrawn) -> None:
    wager = Wager(event.seat, event.wager, event.bettor, event.toke)
    if event.standing_cents:
        round_.stakes[wager] = event.standing_cents
    else:
        del round_.stakes[wager]


@_takes(happened.BankTaken)
def _bank_taken(round_: Round, event: happened.BankTaken) -> None:
    round_.bank = event


@_takes(happened.BettingClosed)
def _betting_closed(round_: Round, event: happened.BettingClosed) -> None:
    round_.phase = "closed"
    round_.closed = event


@_takes(happened.ContributionTaken)
def _contribution_taken(round_: Round, event: happened.ContributionTaken) -> None:
    round_.contributions.append(event)


@_takes(happened.StartDrawn)
def _start_drawn(round_: Round, event: happened.StartDrawn) -> None:
    round_.start = event


@_takes(happened.HandsDealt)
def _hands_dealt(round_: Round, event: happened.HandsDealt) -> None:
    round_.phase = "dealt"
    round_.hands = {each.seat: each.cards for each in event.hands}
    round_.stub = event.stub


@_takes(happened.CardExposed)
def _card_exposed(round_: Round, event: happened.CardExposed) -> None:
    round_.exposed.append((event.seat, event.card))


@_takes(happened.RoundMisdealt)
def _round_misdealt(round_: Round, event: happened.RoundMisdealt) -> None:
    round_.misdealt = True


@_takes(happened.HandSet)
def _hand_set(round_: Round, event: happened.HandSet) -> None:
    round_.set_hands[event.seat] = SetHands(event.high, event.low, event.set_by, event.foul, event.rule)


@_takes(happened.HandReset)
def _hand_reset(round_: Round, event: happened.HandReset) -> None:
    round_.set_hands[event.seat] = SetHands(event.high, event.low, event.set_by, False, event.rule)


@_takes(happened.DoubledDown)
def _doubled_down(round_: Round, event: happened.DoubledDown) -> None:
    round_.stakes[Wager(event.seat, "double_down")] = event.stake_cents


@_takes(happened.Raised)
def _raised(round_: Round, event: happened.Raised) -> None:
    round_.stakes[Wager(event.seat, "raise")] = event.stake_cents


@_takes(happened.Folded)
def _folded(round_: Round, event: happened.Folded) -> None:
    round_.folded.add(event.seat)


@_takes(happened.DealerSet)
def _dealer_set(round_: Round, event: happened.DealerSet) -> None:
    round_.dealer_set = event


@_takes(happened.WagerForfeited)
def _wager_forfeited(round_: Round, event: happened.WagerForfeited) -> None:
    round_.forfeited[Wager(event.seat, event.wager, event.bettor, event.toke)] = event.reason


@_takes(happened.WagerSettled)
def _wager_settled(round_: Round, event: happened.WagerSettled) -> None:
    round_.lines[event.line_id] = event
    round_.due_cents[event.line_id] = event.net_cents + event.stake_cents


@_takes(happened.RoundSettled)
def _round_settled(round_: Round, event: happened.RoundSettled) -> None:
    round_.phase = "settled"
    round_.settled = event


@_takes(happened.LineCorrected)
def _line_corrected(round_: Round, event: happened.LineCorrected) -> None:
    round_.due_cents[event.line_id] = event.due_cents
    round_.corrections.append(event)


@_takes(happened.JackpotValidated)
def _jackpot_validated(round_: Round, event: happened.JackpotValidated) -> None:
    round_.validated[event.line_id] = event


@_takes(happened.JackpotRefused)
def _jackpot_refused(round_: Round, event: happened.JackpotRefused) -> None:
    round_.jackpots_refused.add(event.line_id)


@_takes(happened.JackpotPaid)
def _jackpot_paid(round_: Round, event: happened.JackpotPaid) -> None:
    round_.jackpots_paid[event.line_id] = event


@_takes(happened.RoundVoided)
def _round_voided(round_: Round, event: happened.RoundVoided) -> None:
    round_.phase = "voided"
    round_.voided = event


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
