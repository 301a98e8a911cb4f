"""What a caller gets for a command: what it left in the log, or why it was refused."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from domain.errors import Refusal

Status = Literal["recorded", "repeated", "refused"]


class Receipt(NamedTuple):
    """The answer to one command.

    `version` and `position` are those of the command's last event, `events` the stored names in order. A refused
    command has none of them, but `code` and `message`, and `retry`: whether it can succeed later unchanged.
    """

    command_id: str | None
    status: Status
    round: str | None = None
    version: int | None = None
    position: int | None = None
    events: tuple[str, ...] = ()
    code: str | None = None
    message: str | None = None
    retry: bool = False

    @classmethod
    def refusing(cls, refusal: Refusal, command_id: str | None, round_: str | None = None) -> Receipt:
        """The receipt of a command that `refusal` ended."""
        return cls(
            command_id,
            "refused",
            round_,
            code=refusal.code,
            message=refusal.message,
            retry=refusal.retry,
        )

    def repeated(self) -> Receipt:
        """The same answer for the same command sent again."""
        return self._replace(status="repeated")

    def as_json(self) -> dict[str, Any]:
        """The receipt as the feed's contract gives it, without `file` and `line`, which only the reader knows."""
        shown: dict[str, Any] = {
            "command_id": self.command_id,
            "status": self.status,
            "round": self.round,
            "version": self.version,
            "position": self.position,
            "events": list(self.events),
        }
        if self.status == "refused":
            shown |= {"code": self.code, "message": self.message, "retry": self.retry}
        return shown
