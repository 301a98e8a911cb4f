"""Why a round refuses a command; the codes are part of the contract."""

from __future__ import annotations

from domain.errors import ApprovalInsufficient, OutOfPhase, Refusal


class RoundUnknown(Refusal):
    """No round has this key."""

    code = "round.unknown"
    retry = True


class RoundExists(Refusal):
    """The ledger has a round with this key already."""

    code = "round.exists"


class NumberUsed(Refusal):
    """The table has had a round with this number on this gaming day."""

    code = "round.number-used"


class TableBusy(Refusal):
    """The table has an unfinished round."""

    code = "table.busy"
    retry = True


class RoundMisdeal(Refusal):
    """After a misdeal only a void is left."""

    code = "round.misdeal"


class AlreadyVoided(OutOfPhase):
    """The round is void already, and no other command will change that."""

    retry = False


class PropertyUnknown(Refusal):
    """No property has this id."""

    code = "property.unknown"
    retry = True


class SheetUnknown(Refusal):
    """No sheet with this id and version was published."""

    code = "sheet.unknown"
    retry = True


class SheetNotEffective(Refusal):
    """The sheet is not in force yet at the command's time."""

    code = "sheet.not-effective"


class SheetOfOtherGame(Refusal):
    """The sheet is of another game."""

    code = "sheet.other-game"


class SeatEmpty(Refusal):
    """Nobody sits there in this round."""

    code = "seat.empty"


class WagerNotOffered(Refusal):
    """The sheet does not offer the wager, or not in this form."""

    code = "wager.not-offered"


class WagerLimit(Refusal):
    """The stake would leave the sheet's limits."""

    code = "wager.limit"


class WagerNeedsMain(Refusal):
    """The wager needs another one to stand first, or that one may not go from under it."""

    code = "wager.needs-main"
    retry = True


class WagerNone(Refusal):
    """No such wager stands, or less than named."""

    code = "wager.none"


class WagerForfeitedAlready(Refusal):
    """The wager is forfeited already."""

    code = "wager.forfeited"


class BackerRefused(Refusal):
    """This player can't back this hand, or not with this wager."""

    code = "wager.backer"


class MainTokeWithBank(Refusal):
    """While a player banks nobody tokes on the main wager."""

    code = "wager.main-toke-with-bank"


class BankRefused(Refusal):
    """This seat can't bank this round."""

    code = "bank.refused"


class BankUncovered(Refusal):
    """The banker's chips don't cover the wagers against him."""

    code = "bank.uncovered"


class MeterNotOpen(Refusal):
    """The progressive's meter is not open, or not at this time or for this table."""

    code = "meter.not-open"


class MeterNotOpenYet(MeterNotOpen):
    """The progressive's meter was never opened."""

    retry = True


class LevelFull(Refusal):
    """More has gone through a level of the meter than its sums are let grow to."""

    code = "meter.full"


class MeterRetired(Refusal):
    """The meter's level has ended: nothing feeds it, moves it or is won from it."""

    code = "meter.retired"


class MeterMystery(Refusal):
    """The terms of a must-hit-by level do not fit together, or something is asked of it that it does not have."""

    code = "meter.mystery"


class StartNumber(Refusal):
    """A start number that the table can't count to."""

    code = "start.number"


class ShufflerFailed(Refusal):
    """The table's shuffler waits for a supervisor."""

    code = "shuffler.failed"
    retry = True


class ShufflerNotFailed(Refusal):
    """There is no shuffler error to clear."""

    code = "shuffler.not-failed"


class SpotUnknown(Refusal):
    """A hand or card of a spot that was not dealt."""

    code = "deal.spot-unknown"


class CardNotThere(Refusal):
    """A card that is not in that hand, or was exposed before."""

    code = "deal.card-not-there"


class HandAlreadySet(Refusal):
    """The hand is set, and a set hand is final."""

    code = "hand.set"


class HandNotInPlay(Refusal):
    """The seat has no hand to set: no main wager and not the bank."""

    code = "hand.not-in-play"


class HandOutOfTurn(Refusal):
    """Another hand of the same player is set first."""

    code = "hand.out-of-turn"
    retry = True


class HandDecided(Refusal):
    """The seat has decided already, or decides too late."""

    code = "hand.decided"


class RaiseLimit(Refusal):
    """A raise outside what the hand allows."""

    code = "raise.limit"


class HandWrongCards(Refusal):
    """The low hand is not made of the seat's cards."""

    code = "hand.cards"


class HandNotSet(Refusal):
    """A hand that settling needs is not set."""

    code = "hand.not-set"
    retry = True


class ResetRefused(Refusal):
    """The floor may not reset this hand."""

    code = "hand.reset-refused"


class LineUnknown(Refusal):
    """The round has no such line."""

    code = "line.unknown"


class CorrectionNeedless(Refusal):
    """The line is already due what the correction says, or is not a player's."""

    code = "line.already-due"


class JackpotRefusal(Refusal):
    """The jackpot is not in the state that the command needs."""

    code = "jackpot.state"


class JackpotNotValidated(JackpotRefusal):
    """The jackpot waits for its validation."""

    retry = True


class JackpotApproval(ApprovalInsufficient):
    """The person may not do this to a jackpot."""


class JackpotNothingDue(Refusal):
    """The jackpot's line was corrected to nothing."""

    code = "jackpot.nothing-due"
    retry = True


class JackpotFromRack(Refusal):
    """A share of the meter never comes from the rack."""

    code = "jackpot.from-rack"


class JackpotPaidOut(Refusal):
    """A jackpot of the round was paid, so the round can't be voided."""

    code = "jackpot.paid"


class SlipUsed(Refusal):
    """The slip number has paid another line."""

    code = "slip.used"
