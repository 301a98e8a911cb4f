"""The orders a table system or a person may give, typed; field names are the feed's keys.

`domain.intake` reads them from a line; the ledger decides them against a round, a meter, a sheet or a table.
`approved_by` is always a tuple here, however it was written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from domain.cards import Card, Hand
from domain.making import frozen, make_quickly
from domain.meters import LevelTerms, NewTerms
from domain.money import SUPERVISOR_FROM_CENTS


@frozen(kw_only=True)
class Command:
    """What every command says: who (`by`), when (`at`, RFC 3339 as given) and its idempotency key."""

    NAME: ClassVar[str]

    source: str = "cli"
    command_id: str
    at: str
    by: str


@frozen(kw_only=True)
class RoundCommand(Command):
    """A command about one round, named by the caller's key."""

    round: str


@frozen(kw_only=True)
class OpenProperty(Command):
    NAME = "open_property"

    property: str
    zone: str
    day_starts: str
    currency: str
    supervisor_from_cents: int = SUPERVISOR_FROM_CENTS
    reported_winnings: str = "gross"


@frozen(kw_only=True)
class PublishSheet(Command):
    NAME = "publish_sheet"

    sheet: Mapping[str, Any]
    effective_from: str
    approved_by: tuple[str, ...]


@frozen(kw_only=True)
class OpenRound(RoundCommand):
    NAME = "open_round"

    property: str
    table: str
    number: int
    game: str
    sheet: str
    dealer: str
    seats: Mapping[int, str]
    deck: str | None = None


@frozen(kw_only=True)
class PlaceWager(RoundCommand):
    NAME = "place_wager"

    seat: int
    wager: str
    amount_cents: int
    toke: bool = False
    bettor: str | None = None


@frozen(kw_only=True)
class WithdrawWager(RoundCommand):
    NAME = "withdraw_wager"

    seat: int
    wager: str
    amount_cents: int
    toke: bool = False
    bettor: str | None = None


@frozen(kw_only=True)
class TakeBank(RoundCommand):
    NAME = "take_bank"

    seat: int
    chips_cents: int
    house_wager_cents: int


@frozen(kw_only=True)
class CloseBetting(RoundCommand):
    NAME = "close_betting"


@frozen(kw_only=True)
class DrawStart(RoundCommand):
    NAME = "draw_start"

    method: str
    number: int | None = None
    dice: tuple[int, ...] | None = None


@frozen(kw_only=True)
class Deal(RoundCommand):
    """`hands` by seat, 0 is the dealer."""

    NAME = "deal"

    hands: Mapping[int, Hand]
    stub: int
    stub_cards: Hand | None = None


@frozen(kw_only=True)
class ExposeCard(RoundCommand):
    """`seat` 0 is the dealer."""

    NAME = "expose_card"

    seat: int
    card: Card


@frozen(kw_only=True)
class SetHand(RoundCommand):
    """Either `low` or `house_way`."""

    NAME = "set_hand"

    seat: int
    low: Hand | None = None
    house_way: bool = False


@frozen(kw_only=True)
class ResetHand(RoundCommand):
    NAME = "reset_hand"

    seat: int
    approved_by: tuple[str, ...]


@frozen(kw_only=True)
class DoubleDown(RoundCommand):
    NAME = "double_down"

    seat: int


@frozen(kw_only=True)
class Raise(RoundCommand):
    NAME = "raise"

    seat: int
    amount_cents: int


@frozen(kw_only=True)
class Fold(RoundCommand):
    NAME = "fold"

    seat: int


@frozen(kw_only=True)
class SetDealer(RoundCommand):
    NAME = "set_dealer"

    low: Hand


@frozen(kw_only=True)
class Settle(RoundCommand):
    NAME = "settle"


@frozen(kw_only=True)
class LineCommand(RoundCommand):
    """A command about one line of the round; the optional keys tell lines of one seat and wager apart."""

    seat: int
    wager: str
    toke: bool = False
    bettor: str | None = None
    for_seat: int | None = None
    kind: str | None = None
    meter: str | None = None
    level: str | None = None


@frozen(kw_only=True)
class ReportPayment(LineCommand):
    NAME = "report_payment"

    paid_cents: int


@frozen(kw_only=True)
class Forfeit(RoundCommand):
    """Without `toke` or `bettor` every wager of that id on the seat is meant."""

    NAME = "forfeit"

    seat: int
    wager: str
    toke: bool | None = None
    bettor: str | None = None
    approved_by: tuple[str, ...]
    reason: str


@frozen(kw_only=True)
class VoidRound(RoundCommand):
    NAME = "void_round"

    reason: str
    approved_by: tuple[str, ...]


@frozen(kw_only=True)
class CorrectLine(LineCommand):
    NAME = "correct_line"

    due_cents: int
    reason: str
    approved_by: tuple[str, ...]


@frozen(kw_only=True)
class ValidateJackpot(LineCommand):
    NAME = "validate_jackpot"

    validated_by: str
    signal: bool


@frozen(kw_only=True)
class PayJackpot(LineCommand):
    NAME = "pay_jackpot"

    slip: str
    paid_from: str
    paid_by: str
    witness: str
    amount_cents: int | None = None
    supervisor: str | None = None
    form: str | None = None


@frozen(kw_only=True)
class RefuseJackpot(LineCommand):
    NAME = "refuse_jackpot"

    refused_by: str
    reason: str


@frozen(kw_only=True)
class RevealMystery(RoundCommand):
    """The controller tells the secret of a mystery that `round` hit, and the next one's commitment."""

    NAME = "reveal_mystery"

    meter: str
    level: str
    secret: str
    commitment: str


@frozen(kw_only=True)
class ShufflerError(Command):
    NAME = "shuffler_error"

    property: str
    table: str


@frozen(kw_only=True)
class ClearShuffler(Command):
    NAME = "clear_shuffler"

    property: str
    table: str
    approved_by: tuple[str, ...]


@frozen(kw_only=True)
class BuyIn(Command):
    NAME = "buy_in"

    property: str
    table: str
    player: str
    amount_cents: int


@frozen(kw_only=True)
class CashOut(Command):
    NAME = "cash_out"

    property: str
    table: str
    player: str
    amount_cents: int


@frozen(kw_only=True)
class MeterCommand(Command):
    """A command about one progressive meter."""

    meter: str


@frozen(kw_only=True)
class OpenMeter(MeterCommand):
    NAME = "open_meter"

    property: str
    levels: tuple[LevelTerms, ...]
    unreasonable_micros: int
    effective_from: str
    approved_by: tuple[str, ...]


@frozen(kw_only=True)
class ChangeMeter(MeterCommand):
    """New terms for wagers from `effective_from` on; what is left out stays."""

    NAME = "change_meter"

    levels: tuple[NewTerms, ...] = ()
    unreasonable_micros: int | None = None
    effective_from: str
    approved_by: tuple[str, ...]
    reason: str | None = None
    evidence: str | None = None


@frozen(kw_only=True)
class AdjustMeter(MeterCommand):
    """`gaming_day` is the day whose play is put right, where that is not the day of the entry itself."""

    NAME = "adjust_meter"

    level: str
    amount_micros: int
    reason: str
    evidence: str
    approved_by: tuple[str, ...]
    gaming_day: str | None = None


@frozen(kw_only=True)
class TransferMeter(MeterCommand):
    NAME = "transfer_meter"

    level: str
    amount_micros: int
    to: str
    reason: str
    evidence: str
    approved_by: tuple[str, ...]


@frozen(kw_only=True)
class RetireMeter(MeterCommand):
    NAME = "retire_meter"

    level: str
    to: str
    reason: str
    evidence: str
    approved_by: tuple[str, ...]


@frozen(kw_only=True)
class ReadMeter(MeterCommand):
    NAME = "read_meter"

    level: str
    display_cents: int


make_quickly(vars())
