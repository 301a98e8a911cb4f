"""Decides any command: what it leaves in the log, or a refusal. Pure: everything it looks at is handed in."""

from __future__ import annotations

import json

from domain import commands as order
from domain.house_decide import decide_house
from domain.house_events import ShufflerFailed
from domain.meter_decide import decide_meter
from domain.rounds.decide import decide_in_round
from domain.rounds.events import Finding, RoundMisdealt
from domain.rounds.opening import open_round
from domain.streams import Draft, Stream, drafts, round_stream
from domain.surroundings import Surroundings, property_at, table_at


def decide(command: order.Command, around: Surroundings) -> tuple[Draft, ...]:
    """The events of `command`, at least one, in order; the last is of the command's own stream.

    Raises Refusal with its code where the rules say no.
    """
    if isinstance(command, order.RoundCommand):
        own = round_stream(command.round)
        if isinstance(command, order.OpenRound):
            return (Draft(own, open_round(command, around)),)
        return drafts(own, decide_in_round(command, around))
    own = own_stream(command)
    if isinstance(command, order.ShufflerError):
        return _shuffler_error(command, around)
    if isinstance(command, order.MeterCommand):
        return (Draft(own, decide_meter(command, around)),)
    return (Draft(own, decide_house(command, around)),)


def own_stream(command: order.Command) -> Stream:
    """The stream whose version the command's receipt gives."""
    match command:
        case order.RoundCommand():
            return round_stream(command.round)
        case order.OpenProperty():
            return Stream("property", command.property)
        case order.PublishSheet():
            return Stream("sheet", f"{command.sheet.get('id')}@{command.sheet.get('version')}")
        case order.ShufflerError() | order.ClearShuffler():
            return Stream("table", json.dumps([command.property, command.table]))
        case order.BuyIn() | order.CashOut():
            return Stream("player", command.player)
        case order.MeterCommand():
            return Stream("meter", command.meter)
    raise TypeError(f"no stream for {command.NAME}")


def _shuffler_error(command: order.ShufflerError, around: Surroundings) -> tuple[Draft, ...]:
    """Blocks the table's deal; a hand that was dealt and not settled is a misdeal (seed 004, Misdealt Hands 5)."""
    property_at(around, command.property)
    key = table_at(around, command.property, command.table).open_round
    round_ = around.round(key) if key is not None else None
    dealt = round_ is not None and round_.phase == "dealt"
    failed = Draft(own_stream(command), ShufflerFailed(command.property, command.table, key if dealt else None))
    if round_ is None or not dealt or round_.misdealt:
        return (failed,)
    finding = Finding("shuffler.failed", "the shuffler signalled an error after the deal")
    return (Draft(round_stream(round_.key), RoundMisdealt((finding,))), failed)
