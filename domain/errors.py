"""Refusals: what the rules say no with. Each reason is a small class beside the rule that it guards."""

from __future__ import annotations

from typing import ClassVar


class Refusal(Exception):
    """A command that the rules refuse; nothing is changed by it.

    `code` is stable and part of the contract; the message gives the values and the way out. `retry` says whether the
    same command can succeed later without being changed. `command_id` and `round` are given where a line was no
    command: what could be read of them.
    """

    code: ClassVar[str]
    retry: ClassVar[bool] = False
    command_id: str | None = None
    round: str | None = None

    @property
    def message(self) -> str:
        return str(self.args[0])


class Malformed(Refusal):
    """A line that is not a command: bad JSON, an unknown command, a missing or repeated key, a wrong type or form."""

    code = "feed.malformed"


class UnknownKey(Refusal):
    """A key that the command does not have."""

    code = "command.unknown-key"


class AmountInvalid(Refusal):
    """An amount that is no integer or out of its range."""

    code = "amount.invalid"


class OutOfPhase(Refusal):
    """A command that the round's phase does not accept."""

    code = "command.out-of-phase"
    retry = True


class NotInGame(Refusal):
    """A command that the round's game lacks."""

    code = "command.not-in-game"


class ApprovalInsufficient(Refusal):
    """Too few approvers, or one who may not approve."""

    code = "approval.insufficient"
