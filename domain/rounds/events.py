"""What can happen in a round, as facts. `NAME` is what is stored; it outlives the names of classes and modules.

Seat 0 is the dealer's (house's) spot. Amounts are cents, meters micros. A field at its default is left out when stored.
Findings are decided with the event that shows them and kept in it, so a replay lists what was known at the time.
"""

from __future__ import annotations

from typing import ClassVar

from domain.cards import Card, Hand
from domain.making import frozen, make_quickly

HOUSE = 0
"""The dealer's spot in hands, start positions and the banker's seat."""


@frozen()
class Event:
    """A past-tense fact with a stored name and the version of its shape."""

    NAME: ClassVar[str]
    SCHEMA: ClassVar[int] = 1


@frozen()
class Finding:
    """Something a reviewer should look at; it never changes what is paid."""

    code: str
    text: str
    seat: int | None = None
    wager: str | None = None


@frozen()
class SeatTaken:
    seat: int
    player: str


@frozen()
class RoundOpened(Event):
    """A round began at a table. It pins the sheet it is played and settled under by id, version and fingerprint."""

    NAME: ClassVar[str] = "round.opened"

    round: str
    property: str
    table: str
    number: int
    gaming_day: str
    game: str
    sheet: str
    sheet_fingerprint: str
    dealer: str
    seats: tuple[SeatTaken, ...]
    deck: str | None = None


@frozen()
class WagerPlaced(Event):
    """Chips went onto a wager. `player` owns them (a backer's wager: the bettor); `standing_cents` is the sum now."""

    NAME: ClassVar[str] = "round.wager-placed"

    seat: int
    player: str
    wager: str
    amount_cents: int
    standing_cents: int
    toke: bool = False
    bettor: str | None = None


@frozen()
class WagerWithdrawn(Event):
    """Chips came off a wager before no more bets."""

    NAME: ClassVar[str] = "round.wager-withdrawn"

    seat: int
    player: str
    wager: str
    amount_cents: int
    standing_cents: int
    toke: bool = False
    bettor: str | None = None


@frozen()
class BankTaken(Event):
    """A player banks the round; the house wagers against him."""

    NAME: ClassVar[str] = "round.bank-taken"

    seat: int
    player: str
    chips_cents: int
    house_wager_cents: int
    at_risk_cents: int
    findings: tuple[Finding, ...] = ()


@frozen()
class BettingClosed(Event):
    """No more bets. `button` is where the bank button stood for this round, 0 for the dealer."""

    NAME: ClassVar[str] = "round.betting-closed"

    staked_cents: int
    button: int = HOUSE
    findings: tuple[Finding, ...] = ()


@frozen()
class MysteryMark:
    """Where a contribution left a mystery level in its cycle: what was accrued after it, and the most before it.

    The contribution with which the most passes the trigger is the one that hits; there is exactly one in a cycle.
    """

    cycle: int
    peak_before_micros: int
    after_micros: int


@frozen()
class LevelContribution:
    level: str
    increment_micros: int
    hidden_micros: int
    mystery: MysteryMark | None = None


@frozen()
class ContributionTaken(Event):
    """A progressive stake was taken, with what it adds to the meter's levels and reserves (R15)."""

    NAME: ClassVar[str] = "round.contribution-taken"
    SCHEMA: ClassVar[int] = 2

    seat: int
    player: str
    wager: str
    stake_cents: int
    meter: str
    levels: tuple[LevelContribution, ...]
    findings: tuple[Finding, ...] = ()


@frozen()
class StartDrawn(Event):
    """The position that gets the first hand, counted from the banker; 0 is the dealer."""

    NAME: ClassVar[str] = "round.start-drawn"

    method: str
    number: int
    position: int
    dice: tuple[int, ...] | None = None


@frozen()
class DealtHand:
    seat: int
    cards: Hand


@frozen()
class HandsDealt(Event):
    """Every spot has its cards; `stub` is how many were left, `stub_cards` which, where a camera shoe knows them."""

    NAME: ClassVar[str] = "round.hands-dealt"

    hands: tuple[DealtHand, ...]
    stub: int
    stub_cards: Hand | None = None
    findings: tuple[Finding, ...] = ()


@frozen()
class CardExposed(Event):
    """A card was seen during the deal; `exposed` is how many of the round so far."""

    NAME: ClassVar[str] = "round.card-exposed"

    seat: int
    card: Card
    exposed: int


@frozen()
class RoundMisdealt(Event):
    """The hand is a misdeal; its findings say why. Only a void ends it."""

    NAME: ClassVar[str] = "round.misdealt"

    findings: tuple[Finding, ...]


@frozen()
class HandSet(Event):
    """A seat committed its hands. `rule` names the house way's row where the house way set it."""

    NAME: ClassVar[str] = "round.hand-set"

    seat: int
    high: Hand
    low: Hand
    set_by: str
    foul: bool = False
    rule: str | None = None
    findings: tuple[Finding, ...] = ()


@frozen()
class HandReset(Event):
    """A foul hand was set again the house way: by the floor (R10), or the banker's own at settling."""

    NAME: ClassVar[str] = "round.hand-reset"

    seat: int
    high: Hand
    low: Hand
    set_by: str
    rule: str
    approved_by: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


@frozen()
class DoubledDown(Event):
    """A Double Down Wager equal to the seat's own main went up before the dealer's cards were turned (670a.11(c))."""

    NAME: ClassVar[str] = "round.doubled-down"

    seat: int
    player: str
    stake_cents: int


@frozen()
class Raised(Event):
    """A Raise Wager went up (678a.11(c)(1))."""

    NAME: ClassVar[str] = "round.raised"

    seat: int
    player: str
    stake_cents: int


@frozen()
class Folded(Event):
    """The seat gave up its ante; its side wagers stay live (678a.11(c)(2))."""

    NAME: ClassVar[str] = "round.folded"

    seat: int
    player: str


@frozen()
class DealerSet(Event):
    """What the dealer did with the dealer's cards, beside the house way, by which the round is settled."""

    NAME: ClassVar[str] = "round.dealer-set"

    high: Hand
    low: Hand
    house_high: Hand
    house_low: Hand
    rule: str
    findings: tuple[Finding, ...] = ()


@frozen()
class WagerForfeited(Event):
    """A floorperson declared an abandoned wager lost (R23)."""

    NAME: ClassVar[str] = "round.wager-forfeited"

    seat: int
    player: str
    wager: str
    reason: str
    approved_by: tuple[str, ...]
    toke: bool = False
    bettor: str | None = None


@frozen()
class Hit:
    """A share of a meter level: what it was read from and what it moves.

    `accrued_before_micros` and `reserve_before_micros` are the level at this hit's turn, `basis_micros` the V that the
    percentage is of, `win_micros` what leaves for the winner, `reset_micros` what the level gets back, of it
    `reserve_used_micros` from the reserve and the rest from the house.
    """

    meter: str
    level: str
    percent: int
    accrued_before_micros: int
    reserve_before_micros: int
    basis_micros: int
    win_micros: int
    reset_micros: int
    reserve_used_micros: int


@frozen()
class WagerSettled(Event):
    """One line of the settlement.

    `won_cents` excludes the stake, `returned_cents` is the stake given back. `commission_cents` is what this line's
    player pays, net = won + returned - stake - commission. `paid_by` is the counterparty: house, bank or meter.
    """

    NAME: ClassVar[str] = "round.wager-settled"

    line_id: str
    seat: int
    player: str | None
    wager: str
    stake_cents: int
    outcome: str
    won_cents: int
    returned_cents: int
    commission_cents: int
    paid_by: str
    cite: str
    odds: str | None = None
    ruling: str | None = None
    hand: str | None = None
    toke: bool = False
    bettor: str | None = None
    for_seat: int | None = None
    kind: str | None = None
    hit: Hit | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def net_cents(self) -> int:
        return self.won_cents + self.returned_cents - self.stake_cents - self.commission_cents


@frozen()
class Totals:
    """Who gained what in the round, in micros; they sum to zero."""

    players_micros: int
    house_micros: int
    dealers_micros: int
    meter_micros: int
    reserve_micros: int

    @property
    def sum_micros(self) -> int:
        return self.players_micros + self.house_micros + self.dealers_micros + self.meter_micros + self.reserve_micros


@frozen()
class PlayedMain:
    """A player's main stake against the house, 0 where a player banked; the next bank's house wager looks at it."""

    player: str
    main_cents: int


@frozen()
class RoundSettled(Event):
    """Every line is settled: the dealer's hands it rests on, the totals, and what the bank button needs to know."""

    NAME: ClassVar[str] = "round.settled"

    round: str
    property: str
    table: str
    bank: int
    button: int
    dealer_high: Hand
    dealer_low: Hand
    dealer_rule: str
    totals: Totals
    banker: str | None = None
    played: tuple[PlayedMain, ...] = ()


@frozen()
class MysteryRevealed(Event):
    """The secret of a must-hit-by level was told: it fits the commitment, and its trigger was passed in this round.

    `seat` won by line `line_id`; both are None where the round was void by then and nobody wins. The level's next
    cycle begins at `next_begins_micros` under `next_commitment`.
    """

    NAME: ClassVar[str] = "round.mystery-revealed"

    meter: str
    level: str
    cycle: int
    secret: str
    commitment: str
    begins_micros: int
    must_hit_by_micros: int
    trigger_micros: int
    next_commitment: str
    next_begins_micros: int
    seat: int | None = None
    line_id: str | None = None


@frozen()
class PaymentReported(Event):
    """What really moved for a line (won and returned, before commission) beside what was due."""

    NAME: ClassVar[str] = "round.payment-reported"

    line_id: str
    seat: int
    wager: str
    paid_cents: int
    expected_cents: int
    findings: tuple[Finding, ...] = ()


@frozen()
class LineCorrected(Event):
    """A linked correction: the line stays, the difference goes to the player on the correction's own gaming day."""

    NAME: ClassVar[str] = "round.line-corrected"

    line_id: str
    seat: int
    player: str | None
    wager: str
    due_cents: int
    previous_due_cents: int
    difference_cents: int
    gaming_day: str
    reason: str
    approved_by: tuple[str, ...]
    toke: bool = False


@frozen()
class PlayerReversal:
    """What the void takes back of a player's figures from this round, so that the net from it is zero."""

    player: str
    staked_cents: int
    won_cents: int
    returned_cents: int
    commission_cents: int
    corrected_cents: int
    rounds: int


@frozen()
class MeterReversal:
    """What the void takes back of a meter level: exactly the round's own movements."""

    meter: str
    level: str
    increment_micros: int
    hidden_micros: int
    in_count: int
    win_micros: int
    reset_micros: int
    reserve_used_micros: int
    hits: int


@frozen()
class ReturnedWager:
    """A wager that goes back whole."""

    line_id: str
    seat: int
    player: str
    wager: str
    stake_cents: int
    paid_by: str
    toke: bool = False
    bettor: str | None = None


@frozen()
class RoundVoided(Event):
    """The round does not count: stakes go back, and everything that it moved is taken back.

    `gaming_day` is that of the void, which takes back on it; None where it was not recorded.
    """

    NAME: ClassVar[str] = "round.voided"
    SCHEMA: ClassVar[int] = 2

    round: str
    property: str
    table: str
    phase: str
    reason: str
    approved_by: tuple[str, ...]
    returned: tuple[ReturnedWager, ...] = ()
    players: tuple[PlayerReversal, ...] = ()
    meters: tuple[MeterReversal, ...] = ()
    gaming_day: str | None = None


@frozen()
class JackpotValidated(Event):
    """A floorperson or above validated a winning progressive line; the amount is the line's, fixed at settling."""

    NAME: ClassVar[str] = "jackpot.validated"

    line_id: str
    seat: int
    wager: str
    amount_cents: int
    validated_by: str
    signal: bool
    findings: tuple[Finding, ...] = ()


@frozen()
class JackpotRefused(Event):
    """A claim was refused instead of validated."""

    NAME: ClassVar[str] = "jackpot.refused"

    line_id: str
    seat: int
    wager: str
    amount_cents: int
    refused_by: str
    reason: str


@frozen()
class JackpotPaid(Event):
    """A validated jackpot was paid, once, on a slip of its own.

    `paid_cents` is what the slip says, `difference_cents` that less the line's amount. `form_due` is the tax form that
    the payment asks for by the figures of `tax_year`, `form` the reference of the one made out (no person in it), and
    `withheld_cents` what was kept back of the payment.
    """

    NAME: ClassVar[str] = "jackpot.paid"
    SCHEMA: ClassVar[int] = 2

    round: str
    line_id: str
    seat: int
    wager: str
    amount_cents: int
    slip: str
    paid_from: str
    paid_by: str
    witness: str
    paid_cents: int
    difference_cents: int = 0
    gaming_day: str | None = None
    supervisor: str | None = None
    tax_year: int | None = None
    form_due: str | None = None
    form: str | None = None
    withheld_cents: int = 0


make_quickly(vars())
