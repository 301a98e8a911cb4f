"""Who gained what in a round, added up from its document's lines and what it moved of the meters. In micros."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.properties.naive_lines import MICROS_PER_CENT, Document, settled_lines
from tests.properties.naive_meters import Move


class Sums(NamedTuple):
    """The five who share a round's money; what one gains another loses."""

    players: int
    house: int
    dealers: int
    meter: int
    reserve: int


def sums(document: Document, moves: Sequence[Move]) -> Sums:
    """The round as it was settled; what meter, reserve and their winners got together came from the house."""
    players = house = dealers = 0
    for line in settled_lines(document):
        paid_out = line["won_cents"] + line["returned_cents"]
        if line["player"] is None:
            house += line["net_cents"]
        elif line.get("toke"):
            players -= line["stake_cents"]
            dealers += paid_out
        else:
            players += line["net_cents"]
        house += line["commission_cents"]
        if line["paid_by"] == "house":
            house += line["stake_cents"] - paid_out
        elif line["paid_by"] == "meter":
            house += line["stake_cents"]
    meter = sum(move.accrued for move in moves)
    reserve = sum(move.reserve for move in moves)
    into_meter = meter + reserve + sum(move.wins for move in moves)
    return Sums(
        players * MICROS_PER_CENT, house * MICROS_PER_CENT - into_meter, dealers * MICROS_PER_CENT, meter, reserve
    )
