"""What an event says to a person: a plain sentence or two for each class of event, as a pit supervisor would put it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import singledispatch

from domain import house_events as house
from domain.cards import Card, show
from domain.meters import LevelChange
from domain.money import MICROS_PER_CENT, cut_to_cents, dollars
from domain.money import dollars_of_micros as _micros
from domain.rounds import events as happened
from domain.rounds.events import HOUSE, Event, Hit, WagerSettled
from domain.rounds.mystery import MYSTERY_WAGER
from domain.rounds.state import Round, Wager
from projections.viewing import SURVEILLANCE, Viewer


@dataclass(frozen=True, slots=True)
class Told:
    """To whom and about which round it is said: `seat` leaves out the cards and names of the other seats, `eyes` has
    `??` for cards that this viewer does not see."""

    round: Round | None = None
    seat: int | None = None
    eyes: Viewer = SURVEILLANCE

    def who(self, seat: int) -> str:
        """A spot with its player: `seat 5 (P200)`, or the dealer."""
        if seat == HOUSE:
            return "the dealer"
        player = None if self.round is None else self.round.seats.get(seat)
        return f"seat {seat}" if player is None else f"seat {seat} ({player})"

    def show(self, spot: int, cards: Iterable[Card]) -> str:
        """The cards of a spot, as far as the viewer sees them."""
        return show(cards) if self.round is None else self.eyes.show(spot, cards, self.round)

    def sees(self, spot: int) -> bool:
        """Whether the viewer sees the whole hand of a spot."""
        return self.round is None or self.eyes.sees_hand(spot, self.round)

    def concerns(self, seat: int) -> bool:
        """Whether a spot's cards and names are told."""
        return self.seat is None or seat in (HOUSE, self.seat)


def tell(event: Event, round_: Round | None = None, seat: int | None = None, eyes: Viewer = SURVEILLANCE) -> str:
    """What `event` says; `round_` is its round with the event taken in, `seat` the only seat that is told of.

    Cards that `eyes` do not see are `??`; without `round_` all are seen. TypeError for an event that nobody has put
    into words.
    """
    text = words(event, Told(round_, seat, eyes))
    return text[:1].upper() + text[1:]


@singledispatch
def words(event: Event, told: Told) -> str:
    """The sentence of one class of event; each class registers its own."""
    raise TypeError(f"nobody has put {type(event).__name__} into words")


@words.register
def _(event: happened.RoundOpened, told: Told) -> str:
    seats = _listed(f"seat {each.seat} {each.player}" for each in event.seats if told.concerns(each.seat))
    deck = "" if event.deck is None else f", deck {event.deck}"
    return (
        f"round {event.round} opens at table {event.table} of {event.property}, number {event.number} of gaming day "
        f"{event.gaming_day}: {_name(event.game)} under sheet {event.sheet}, dealer {event.dealer}{deck}; {seats}."
    )


@words.register
def _(event: happened.WagerPlaced, told: Told) -> str:
    amount, wager = dollars(event.amount_cents), _name(event.wager)
    stands = "" if event.standing_cents == event.amount_cents else f"; {dollars(event.standing_cents)} stands"
    if event.bettor is not None:
        return f"{event.bettor} backs {told.who(event.seat)} with {amount} on {wager}{stands}."
    if event.toke:
        return f"{told.who(event.seat)} places a toke of {amount} for the dealers on {wager}{stands}."
    return f"{told.who(event.seat)} places {amount} on {wager}{stands}."


@words.register
def _(event: happened.WagerWithdrawn, told: Told) -> str:
    left = f"{dollars(event.standing_cents)} stands" if event.standing_cents else "nothing stands"
    what = f"{_name(event.wager)}{' of the toke' if event.toke else ''}"
    who = told.who(event.seat) if event.bettor is None else f"{event.bettor}, backing {told.who(event.seat)},"
    return f"{who} takes {dollars(event.amount_cents)} off {what}; {left}."


@words.register
def _(event: happened.BankTaken, told: Told) -> str:
    return (
        f"{told.who(event.seat)} takes the bank with {dollars(event.chips_cents)} in chips, "
        f"{dollars(event.at_risk_cents)} at risk; the house wagers {dollars(event.house_wager_cents)} against the bank."
    )


@words.register
def _(event: happened.BettingClosed, told: Told) -> str:
    button = told.who(event.button)
    return f"no more bets: {dollars(event.staked_cents)} is staked, the bank button is at {button}."


@words.register
def _(event: happened.ContributionTaken, told: Told) -> str:
    levels = _listed(
        f"{part.level} {_signed_micros(part.increment_micros)}"
        + (f" and {_signed_micros(part.hidden_micros)} to its reserve" if part.hidden_micros else "")
        for part in event.levels
    )
    stake = f"{dollars(event.stake_cents)} {_name(event.wager)} wager"
    taken = "feeds another meter too" if _is_further(event, told) else "is taken"
    return f"{told.who(event.seat)}: the {stake} {taken}; meter {event.meter}: {levels}."


def _is_further(event: happened.ContributionTaken, told: Told) -> bool:
    """Whether the same stake has fed another meter before."""
    before = () if told.round is None else told.round.contributions[:-1]
    return any((each.seat, each.wager) == (event.seat, event.wager) for each in before)


@words.register
def _(event: happened.StartDrawn, told: Told) -> str:
    bank = HOUSE if told.round is None else told.round.bank_seat
    drawn = f"the machine draws {event.number}"
    if event.dice is not None:
        drawn = f"the dice show {_listed(map(str, event.dice))}, {event.number} in all"
    return f"{drawn}: counted from {told.who(bank)}, {told.who(event.position)} gets the first hand."


@words.register
def _(event: happened.HandsDealt, told: Told) -> str:
    hands = "; ".join(
        f"{told.who(each.seat)} {told.show(each.seat, each.cards)}" for each in event.hands if told.concerns(each.seat)
    )
    stub = f"{_count(event.stub, 'card')} left" + (
        f" ({told.eyes.show_stub(event.stub_cards)})" if event.stub_cards else ""
    )
    return f"the hands are dealt, {stub}: {hands}."


@words.register
def _(event: happened.CardExposed, told: Told) -> str:
    times = _count(event.exposed, "card")
    return f"{show((event.card,))} of {told.who(event.seat)} is exposed; {times} exposed so far."


@words.register
def _(event: happened.RoundMisdealt, told: Told) -> str:
    return f"misdeal: {_listed(map(told.eyes.text_of, event.findings))}; only a void ends the round."


@words.register
def _(event: happened.HandSet, told: Told) -> str:
    seen = told.sees(event.seat)
    how = ", the house way" if event.set_by == "house_way" else ""
    rule = f": {event.rule}" if event.rule and seen else ""
    foul = "; a foul, the low hand outranks the high hand" if event.foul and seen else ""
    high, low = told.show(event.seat, event.high), told.show(event.seat, event.low)
    return f"{told.who(event.seat)} sets {high} high and {low} low{how}{rule}{foul}."


@words.register
def _(event: happened.HandReset, told: Told) -> str:
    by = f" by the floor, approved by {_listed(event.approved_by)}" if event.set_by == "floor" else ""
    hands = f"{told.show(event.seat, event.high)} high and {told.show(event.seat, event.low)} low"
    rule = f" ({event.rule})" if told.sees(event.seat) else ""
    return f"the foul hand of {told.who(event.seat)} is reset the house way{by}: {hands}{rule}."


@words.register
def _(event: happened.DoubledDown, told: Told) -> str:
    return f"{told.who(event.seat)} doubles down with {dollars(event.stake_cents)}."


@words.register
def _(event: happened.Raised, told: Told) -> str:
    return f"{told.who(event.seat)} raises by {dollars(event.stake_cents)}."


@words.register
def _(event: happened.Folded, told: Told) -> str:
    return f"{told.who(event.seat)} folds."


@words.register
def _(event: happened.DealerSet, told: Told) -> str:
    hands = f"the dealer sets {show(event.high)} high and {show(event.low)} low"
    if any(finding.code == "dealer.not-house-way" for finding in event.findings):
        house_way = f"{show(event.house_high)} high and {show(event.house_low)} low"
        return f"{hands}; the house way is {house_way} ({event.rule}), and the round is settled by it."
    return f"{hands}, the house way: {event.rule}."


@words.register
def _(event: happened.WagerForfeited, told: Told) -> str:
    approved = _listed(event.approved_by)
    name = _wager(Wager(event.seat, event.wager, event.bettor, event.toke), told)
    return f"{name} is declared forfeited: {event.reason}. Approved by {approved}."


@words.register
def _(event: WagerSettled, told: Told) -> str:
    rests = event.cite if event.ruling is None else f"{event.cite}; ruling {event.ruling}"
    return f"{_line(event, told)}. Net {_signed(event.net_cents)}. [{rests}]"


@words.register
def _(event: happened.RoundSettled, told: Told) -> str:
    totals = event.totals
    gains = {
        "players": totals.players_micros,
        "house": totals.house_micros,
        "dealers": totals.dealers_micros,
        "meter": totals.meter_micros,
        "reserve": totals.reserve_micros,
    }
    shown = _listed(f"{name} {_signed_micros(gain)}" for name, gain in gains.items() if gain or name != "dealers")
    dealer = f", the dealer's hand being {show(event.dealer_high)} high and {show(event.dealer_low)} low"
    against = f"{dealer} ({event.dealer_rule})" if event.dealer_high else ""
    return f"the round is settled{against}. In sum: {shown}."


@words.register
def _(event: happened.PaymentReported, told: Told) -> str:
    paid, due = dollars(event.paid_cents), dollars(event.expected_cents)
    line = f"{told.who(event.seat)}'s {_name(event.wager)} (line {event.line_id})"
    return f"{paid} really moved for {line}, {due} was due{'' if paid == due else ': a difference'}."


@words.register
def _(event: happened.LineCorrected, told: Told) -> str:
    whose = "the dealers" if event.toke else event.player
    return (
        f"line {event.line_id} is corrected: {dollars(event.due_cents)} is due instead of "
        f"{dollars(event.previous_due_cents)}, {_signed(event.difference_cents)} for {whose} on gaming day "
        f"{event.gaming_day}. Reason: {event.reason}. Approved by {_listed(event.approved_by)}."
    )


@words.register
def _(event: happened.RoundVoided, told: Told) -> str:
    stakes = _listed(
        f"{dollars(each.stake_cents)} of {_wager(Wager(each.seat, each.wager, each.bettor, each.toke), told)}"
        for each in event.returned
        if told.concerns(each.seat)
    )
    back = f"Back go {stakes}." if stakes else "No wager stood."
    after = " Its lines, corrections and meter movements are taken back." if event.phase == "settled" else ""
    return f"the round is voided: {event.reason}. Approved by {_listed(event.approved_by)}. {back}{after}"


@words.register
def _(event: happened.JackpotValidated, told: Told) -> str:
    light = "on" if event.signal else "not on"
    jackpot = f"the jackpot of {dollars(event.amount_cents)} of {told.who(event.seat)} (line {event.line_id})"
    return f"{event.validated_by} validates {jackpot}; the system's light was {light}."


@words.register
def _(event: happened.JackpotRefused, told: Told) -> str:
    jackpot = f"the jackpot of {dollars(event.amount_cents)} of {told.who(event.seat)} (line {event.line_id})"
    return f"{event.refused_by} refuses {jackpot}: {event.reason}."


@words.register
def _(event: happened.JackpotPaid, told: Told) -> str:
    jackpot = f"the jackpot of {dollars(event.amount_cents)} of {told.who(event.seat)} (line {event.line_id})"
    how = f"from the {event.paid_from} on slip {event.slip} by {event.paid_by}, witnessed by {event.witness}"
    return f"{jackpot} is paid {how}.{_slip(event)}{_tax(event)}"


@words.register
def _(event: happened.MysteryRevealed, told: Told) -> str:
    winner = "the round is void, so nobody wins" if event.seat is None else f"{told.who(event.seat)} took it past"
    return (
        f"the mystery of level {event.level} of meter {event.meter} is revealed (cycle {event.cycle}): its trigger was "
        f"{_micros(event.trigger_micros)} between {_micros(event.begins_micros)} and "
        f"{_micros(event.must_hit_by_micros)}, secret {event.secret}; {winner}."
    )


@words.register
def _(event: house.PropertyOpened, told: Told) -> str:
    return (
        f"property {event.property} opens: its days start at {event.day_starts} in {event.zone}, "
        f"its money is {event.currency}."
    )


@words.register
def _(event: house.SheetPublished, told: Told) -> str:
    approved = _listed(event.approved_by)
    return f"sheet {event.ref} is published, in force from {event.effective_from}. Approved by {approved}."


@words.register
def _(event: house.ShufflerFailed, told: Told) -> str:
    misdeal = "" if event.round is None else f"; round {event.round} had been dealt and is a misdeal"
    return f"the shuffler of table {event.table} of {event.property} reports an error{misdeal}."


@words.register
def _(event: house.ShufflerCleared, told: Told) -> str:
    approved = _listed(event.approved_by)
    return f"the shuffler of table {event.table} of {event.property} is cleared. Approved by {approved}."


@words.register
def _(event: house.PlayerBoughtIn, told: Told) -> str:
    return f"{event.player} buys in for {dollars(event.amount_cents)} at table {event.table} of {event.property}."


@words.register
def _(event: house.PlayerCashedOut, told: Told) -> str:
    return f"{event.player} cashes out {dollars(event.amount_cents)} at table {event.table} of {event.property}."


@words.register
def _(event: house.MeterOpened, told: Told) -> str:
    levels = _listed(f"{terms.level} at {_micros(terms.base_micros)}" for terms in event.levels)
    return (
        f"meter {event.meter} opens at {event.property} with {levels}, fed from {event.effective_from} on. "
        f"Approved by {_listed(event.approved_by)}."
    )


@words.register
def _(event: house.MeterChanged, told: Told) -> str:
    new = [_new_terms(change) for change in event.levels]
    if event.unreasonable_micros is not None:
        new.append(f"contributions above {_micros(event.unreasonable_micros)} are unreasonable")
    approved = _listed(event.approved_by)
    return (
        f"meter {event.meter} has new terms for wagers from {event.effective_from} on: {'; '.join(new)}."
        f"{_because(event.reason, event.evidence)} Approved by {approved}."
    )


@words.register
def _(event: house.MeterAdjusted, told: Told) -> str:
    day = "" if event.corrected_day is None else f", for gaming day {event.corrected_day}"
    hidden = event.before.accrued_micros == event.after.accrued_micros
    what, before, after = (
        ("the reserve of ", event.before.reserve_micros, event.after.reserve_micros)
        if hidden
        else ("", event.before.accrued_micros, event.after.accrued_micros)
    )
    return (
        f"{what}level {event.level} of meter {event.meter} is adjusted by {_signed_micros(event.amount_micros)}, from "
        f"{_micros(before)} to {_micros(after)}{day}.{_because(event.reason, event.evidence)} "
        f"Approved by {_listed(event.approved_by)}."
    )


@words.register
def _(event: house.MeterTransferred, told: Told) -> str:
    return (
        f"{_micros(event.amount_micros)} of level {event.level} of meter {event.meter} goes to {_taker(event)}, which "
        f"leaves {_micros(event.after.accrued_micros)}.{_because(event.reason, event.evidence)} "
        f"Approved by {_listed(event.approved_by)}."
    )


@words.register
def _(event: house.MeterRetired, told: Told) -> str:
    reserve = event.before.reserve_micros
    hidden = f" and {_micros(reserve)} of its reserve" if reserve else ""
    return (
        f"level {event.level} of meter {event.meter} is retired: {_micros(event.before.accrued_micros)}{hidden} goes "
        f"to {_taker(event)}.{_because(event.reason, event.evidence)} Approved by {_listed(event.approved_by)}."
    )


@words.register
def _(event: house.MeterRead, told: Told) -> str:
    difference = event.display_cents - event.expected_cents
    beside = "as it should" if not difference else f"{_signed(difference)} beside {dollars(event.expected_cents)}"
    return f"the sign of level {event.level} of meter {event.meter} shows {dollars(event.display_cents)}, {beside}."


def _taker(event: house.MeterTransferred | house.MeterRetired) -> str:
    return "revenue" if event.to_after is None else f"meter {event.to}"


def _because(reason: str | None, evidence: str | None) -> str:
    said = "" if reason is None else f" Reason: {_name(reason)}."
    return said if evidence is None else f"{said} Evidence: {evidence}."


def _new_terms(change: LevelChange) -> str:
    before, after = change.before, change.after
    new = []
    for name, what in (("rate_bp", "rate"), ("hidden_rate_bp", "hidden rate")):
        if getattr(before, name) != getattr(after, name):
            new.append(f"{what} {_percent(getattr(after, name))} instead of {_percent(getattr(before, name))}")
    if before.limit_micros != after.limit_micros:
        new.append(f"limit {_limit(after.limit_micros)} instead of {_limit(before.limit_micros)}")
    if before.reset_micros != after.reset_micros:
        new.append(f"reset {_micros(after.reset_micros)} instead of {_micros(before.reset_micros)}")
    return f"level {after.level} {_listed(new)}"


def _percent(basis_points: int) -> str:
    whole, rest = divmod(basis_points, 100)
    return f"{whole}.{rest:02d} %"


def _limit(micros: int | None) -> str:
    return "none" if micros is None else _micros(micros)


def _slip(event: happened.JackpotPaid) -> str:
    if not event.difference_cents:
        return ""
    allowed = "" if event.supervisor is None else f", allowed by {event.supervisor}"
    return f" The slip says {dollars(event.paid_cents)}, {_signed(event.difference_cents)} beside the line{allowed}."


def _tax(event: happened.JackpotPaid) -> str:
    if event.form_due is None:
        return ""
    form = "no reference given" if event.form is None else event.form
    withheld = f", {dollars(event.withheld_cents)} withheld" if event.withheld_cents else ""
    return f" Form {event.form_due} is due ({form}){withheld}."


def _line(event: WagerSettled, told: Told) -> str:
    """A settlement line without its net and what it rests on."""
    whose = _whose(event, told)
    if event.outcome != "win":
        back = f", {dollars(event.returned_cents)} back" if event.returned_cents else ""
        return f"{whose}: {_OUTCOMES[event.outcome]}{back}"
    named = event.odds is None or event.wager == MYSTERY_WAGER
    odds = "" if named else f" at {event.odds}" if event.odds != "fixed" else " fixed"
    hand = "" if event.hand is None else f" for {_name(event.hand)}"
    back = f", {dollars(event.returned_cents)} back" if event.returned_cents else ""
    commission = f", commission {dollars(event.commission_cents)}" if event.commission_cents else ""
    hit = "" if event.hit is None else f"; {_hit(event.hit)}"
    return f"{whose}: wins {dollars(event.won_cents)}{odds}{hand}{back}{commission}{hit}"


_OUTCOMES = {"lose": "loses", "push": "pushes", "returned": "goes back", "forfeited": "is forfeited"}


def _whose(event: WagerSettled, told: Told) -> str:
    if event.wager == "envy":
        assert event.for_seat is not None
        return f"{told.who(event.seat)}, {event.kind} envy for {told.who(event.for_seat)}"
    if event.wager == MYSTERY_WAGER:
        return f"{told.who(event.seat)}, mystery"
    stake = dollars(event.stake_cents)
    if event.wager == "house":
        return f"the house's {stake} against the bank"
    if event.wager == "bank":
        return f"the bank of {told.who(event.seat)}, {stake} at risk"
    return f"{_wager(Wager(event.seat, event.wager, event.bettor, event.toke), told)} of {stake}"


def _hit(hit: Hit) -> str:
    left = hit.accrued_before_micros - hit.win_micros + hit.reset_micros
    part = ""
    if hit.win_micros < cut_to_cents(hit.basis_micros * hit.percent // 100) * MICROS_PER_CENT:
        part = "an equal part of "
    return (
        f"{part}{hit.percent}% of {_micros(hit.basis_micros)} on level {hit.level} of meter {hit.meter}, "
        f"which goes from {_micros(hit.accrued_before_micros)} to {_micros(left)}"
    )


def _wager(wager: Wager, told: Told) -> str:
    name = f"{told.who(wager.seat)}, {_name(wager.wager)}"
    if wager.toke:
        return f"{name} toke"
    return name if wager.bettor is None else f"{name} backed by {wager.bettor}"


def _name(id_: str) -> str:
    return id_.replace("_", " ")


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(texts)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _signed(cents: int) -> str:
    return dollars(cents) if cents <= 0 else f"+{dollars(cents)}"


def _signed_micros(micros: int) -> str:
    return _micros(micros) if micros <= 0 else f"+{_micros(micros)}"
