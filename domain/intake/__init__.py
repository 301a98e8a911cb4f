"""Reading a feed line into a command, strictly, with the digest that tells a retry from an id used again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from domain import strict_json
from domain.commands import Command
from domain.errors import Malformed, Refusal
from domain.intake import forms
from domain.intake.forms import Fault
from domain.intake.plans import COMMANDS, FORMS, PLANS, read_object
from domain.intake.quick import QuickJson, read_quickly
from domain.strict_json import NotStrict

__all__ = ["COMMANDS", "QuickJson", "body_digest", "command_and_digest", "command_from", "parse", "read_line"]


def command_and_digest(line: bytes | str, quick: QuickJson | None = None) -> tuple[Command, bytes]:
    """The command of a feed line and its body's digest. Raises Malformed, UnknownKey or AmountInvalid.

    A refusal has as `command_id` and `round` what could be read of them. `quick` saves time and changes nothing.
    """
    if quick is not None and isinstance(line, bytes) and (read := read_quickly(line, quick)) is not None:
        return read
    body = read_line(line)
    return command_from(body), body_digest(body)


def parse(line: bytes | str) -> Command:
    """The command of a feed line; refuses as `command_and_digest` does."""
    return command_from(read_line(line))


def read_line(line: bytes | str) -> dict[str, Any]:
    """The JSON object of a feed line. Raises Malformed for anything else, and where two readers could differ."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        body = strict_json.loads(text)
    except UnicodeDecodeError as error:
        raise Malformed(f"the line is no UTF-8 at byte {error.start + 1}; send it as UTF-8") from None
    except NotStrict as error:
        raise _identified(Malformed(f"the line cannot be read: {error}"), _salvaged(text, error.repeated)) from None
    if type(body) is not dict:
        raise Malformed(f"the line is {forms.shown(body)}; send one JSON object a line")
    return body


def command_from(body: Mapping[str, Any]) -> Command:
    """The command of a line's object. Of several faults form comes first, then an unknown key, then an amount."""
    name = body.get("command")
    if type(name) is not str or name not in PLANS:
        raise _identified(Malformed(_no_command(body)), body)
    try:
        values = read_object(body, PLANS[name])
    except Fault as fault:
        raise _identified(fault.refusal(f"{name}: {fault.path[1:]} {fault.problem}"), body) from None
    del values["command"]
    return COMMANDS[name](**values)


def body_digest(body: Mapping[str, Any]) -> bytes:
    """The SHA-256 of what makes two bodies the same: equal JSON values whatever the order of keys, `source` apart."""
    if "source" in body:
        body = {key: value for key, value in body.items() if key != "source"}
    return sha256(strict_json.canonical(body)).digest()


def _no_command(body: Mapping[str, Any]) -> str:
    if "command" not in body:
        return "command is missing; name one of the feed's commands"
    return (
        f"command is {forms.shown(body['command'])}, which the feed does not have; write one of {', '.join(COMMANDS)}"
    )


def _salvaged(text: str, repeated: str | None) -> Mapping[str, Any]:
    """What a lenient reader finds on a refused line, less the key that stands twice; empty where it finds nothing."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return {key: value for key, value in body.items() if key != repeated} if type(body) is dict else {}


def _identified(refusal: Refusal, body: Mapping[str, Any]) -> Refusal:
    """The refusal with the command's id and round as far as they are of their form."""
    refusal.command_id = _read_or_none("command_id", body)
    refusal.round = _read_or_none("round", body)
    return refusal


def _read_or_none(key: str, body: Mapping[str, Any]) -> str | None:
    try:
        text: str = FORMS[key](body.get(key))
        text.encode()
    except (Fault, UnicodeEncodeError):
        return None
    return text
