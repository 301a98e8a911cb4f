"""Whose money stands where at one moment of a round: staked, won, returned, commission, corrected, net."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cli.replay.saying import Document, Line


class Purse(NamedTuple):
    """One person's money in the round so far, in cents; `net_cents` is None while a wager of his is not settled."""

    who: str
    staked_cents: int
    won_cents: int
    returned_cents: int
    commission_cents: int
    corrected_cents: int
    net_cents: int | None


def purses(document: Document) -> list[Purse]:
    """Everybody's money, seats from the lowest up, backers and the dealers' tokes apart."""
    return list(_purses(document))


def _purses(document: Document) -> Iterator[Purse]:
    of = {(each["seat"], _who(each)) for each in (*document["wagers"], *document["lines"])}
    names = sorted(of, key=lambda each: (each[0], each[1] != "", each[1]))
    for seat, riding in names:
        lines = [line for line in document["lines"] if (line["seat"], _who(line)) == (seat, riding)]
        wagers = [each for each in document["wagers"] if (each["seat"], _who(each)) == (seat, riding)]
        yield _purse(_name(seat, riding, document), wagers, lines, document)


def _purse(name: str, wagers: list[Line], lines: list[Line], document: Document) -> Purse:
    ids = {line["line_id"] for line in lines}
    corrected = sum(each["difference_cents"] for each in document["corrections"] if each["line_id"] in ids)
    if document["void"] is not None:
        corrected = 0  # A void takes corrections back too.
    placed = {each["wager"] for each in wagers}
    at_stake = placed - {line["wager"] for line in lines}
    # The house's line and the banker's have stakes that nobody placed on the table.
    staked = sum(each["stake_cents"] for each in (*wagers, *(line for line in lines if line["wager"] not in placed)))
    return Purse(
        name,
        staked,
        sum(line["won_cents"] for line in lines),
        sum(line["returned_cents"] for line in lines),
        sum(line["commission_cents"] for line in lines),
        corrected,
        None if at_stake else sum(line["net_cents"] for line in lines) + corrected,
    )


def _who(line: Line) -> str:
    """What rides on a seat's own wagers: a toke, or a backer by name; empty for the seat's own."""
    return "the dealers" if line.get("toke") else str(line.get("bettor") or "")


def _name(seat: int, riding: str, document: Document) -> str:
    if seat == 0:
        return "House, against the bank"
    player = next((each["player"] for each in document["seats"] if each["seat"] == seat), "")
    own = f"Seat {seat}, {player}"
    return (
        f"{own}: toke for the dealers" if riding == "the dealers" else f"{own}: backed by {riding}" if riding else own
    )
