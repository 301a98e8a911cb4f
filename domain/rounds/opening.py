"""Opening a round: at a property's free table, under a published sheet in force, with seats that the sheet allows."""

from __future__ import annotations

from domain.commands import OpenRound
from domain.rounds.events import RoundOpened, SeatTaken
from domain.rounds.refusals import (
    NumberUsed,
    RoundExists,
    SheetNotEffective,
    SheetOfOtherGame,
    SheetUnknown,
    TableBusy,
)
from domain.seating import check_seats
from domain.sheets import sheet_of
from domain.surroundings import Surroundings, numbers_at, property_at, sheet_at, table_at
from domain.times import gaming_day, instant


def open_round(command: OpenRound, around: Surroundings) -> RoundOpened:
    """The round's first event; it pins the sheet by id, version and fingerprint."""
    if around.round(command.round) is not None:
        raise RoundExists(f"round {command.round} exists; every round needs a key of its own")
    table = table_at(around, command.property, command.table)
    if table.open_round is not None:
        raise TableBusy(f"table {command.table} has the unfinished round {table.open_round}; settle or void it first")
    property_ = property_at(around, command.property)
    published = sheet_at(around, command.sheet)
    if published is None:
        raise SheetUnknown(f"no sheet {command.sheet} was published; publish it first or name another version")
    if instant(published.effective_from) > instant(command.at):
        raise SheetNotEffective(
            f"sheet {command.sheet} is in force from {published.effective_from}, the round opens at {command.at}"
        )
    sheet = sheet_of(published.fingerprint, published.content)
    if sheet.game != command.game:
        raise SheetOfOtherGame(f"sheet {command.sheet} is of {sheet.game}, the round of {command.game}")
    check_seats(command.seats, positions=sheet.positions, two_hands=sheet.two_hands)
    day = gaming_day(command.at, property_.zone, property_.day_starts)
    if command.number in numbers_at(around, command.property, command.table, day):
        raise NumberUsed(f"table {command.table} had a round {command.number} on {day}; give the next number")
    return RoundOpened(
        round=command.round,
        property=command.property,
        table=command.table,
        number=command.number,
        gaming_day=day,
        game=command.game,
        sheet=command.sheet,
        sheet_fingerprint=published.fingerprint,
        dealer=command.dealer,
        seats=tuple(SeatTaken(seat, command.seats[seat]) for seat in sorted(command.seats)),
        deck=command.deck,
    )
