"""Decides commands around the rounds: properties, sheets, shufflers and players' chips."""

from __future__ import annotations

from functools import singledispatch
from typing import ClassVar

from domain import commands as order
from domain import house_events as happened
from domain.approvals import require_approval
from domain.errors import Refusal
from domain.rounds.events import Event
from domain.rounds.refusals import ShufflerNotFailed
from domain.sheets.reading import read_sheet
from domain.surroundings import Surroundings, any_property, property_at, sheet_at, table_at
from domain.times import gaming_day


class PropertyExists(Refusal):
    """The property is open already."""

    code: ClassVar[str] = "property.exists"


class OtherCurrency(Refusal):
    """A ledger keeps one currency."""

    code: ClassVar[str] = "property.currency"


class SheetExists(Refusal):
    """This id and version is published; a sheet never changes."""

    code: ClassVar[str] = "sheet.exists"


@singledispatch
def decide_house(command: order.Command, around: Surroundings) -> Event:
    """The event that `command` leaves; raises a Refusal where the rules say no."""
    raise TypeError(f"no command around the rounds: {command.NAME}")


@decide_house.register
def _(command: order.OpenProperty, around: Surroundings) -> Event:
    known = any_property(around)
    if known is not None and known.currency != command.currency:
        raise OtherCurrency(f"this ledger keeps {known.currency}; keep {command.currency} in a ledger of its own")
    try:
        property_at(around, command.property)
    except Refusal:
        return happened.PropertyOpened(
            command.property,
            command.zone,
            command.day_starts,
            command.currency,
            command.supervisor_from_cents,
            command.reported_winnings,
        )
    raise PropertyExists(f"property {command.property} is open already")


@decide_house.register
def _(command: order.PublishSheet, around: Surroundings) -> Event:
    require_approval(command.approved_by, by=command.by)
    sheet = read_sheet(command.sheet)
    published = sheet_at(around, sheet.ref)
    if published is not None:
        same = "unchanged" if published.fingerprint == sheet.fingerprint else "with other content"
        raise SheetExists(
            f"sheet {sheet.ref} is published and never changes; this one is {same}: publish it as version "
            f"{sheet.version + 1}"
        )
    return happened.SheetPublished(
        sheet.ref, sheet.fingerprint, command.effective_from, command.approved_by, sheet.content
    )


@decide_house.register
def _(command: order.ClearShuffler, around: Surroundings) -> Event:
    table = table_at(around, command.property, command.table)
    open_round = around.round(table.open_round) if table.open_round is not None else None
    require_approval(command.approved_by, by=command.by, dealer=open_round.opened.dealer if open_round else None)
    property_at(around, command.property)
    if not table.shuffler_failed:
        raise ShufflerNotFailed(f"the shuffler of table {command.table} has no error to clear")
    return happened.ShufflerCleared(command.property, command.table, command.approved_by)


@decide_house.register(order.BuyIn)
@decide_house.register(order.CashOut)
def _(command: order.BuyIn | order.CashOut, around: Surroundings) -> Event:
    property_ = property_at(around, command.property)
    day = gaming_day(command.at, property_.zone, property_.day_starts)
    made = happened.PlayerBoughtIn if isinstance(command, order.BuyIn) else happened.PlayerCashedOut
    return made(command.property, command.table, command.player, command.amount_cents, day)
