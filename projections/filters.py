"""Which rounds are meant, and how the tables of `projections.rounds` are asked for them.

What is said of a seat holds of one and the same seat, what is said of a wager of one and the same line: seat 3, four
of a kind, won 100 to 500 finds no round where seat 3 had the hand and seat 5 the money.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from domain.games import game, game_ids
from projections.hand_words import HandMeant

if TYPE_CHECKING:
    from projections.rounds import Rounds

FEW = 20_000
"""Up to so many rounds are looked up one by one; of more it is cheaper to ask each round whether it is meant."""


class Window(NamedTuple):
    """Rounds opened from one second to another, both included, in seconds since 1970 UTC; None is every property."""

    property: str | None
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Filters:
    """Which rounds are meant; None leaves a filter out.

    `player` also finds backers, `finding` is a finding's code. `windows`: opened in any of them. `hand` is what the
    dealt cards of a seat contain, `won` the least and the most cents that a line won, None for no bound.
    """

    property: str | None = None
    table: str | None = None
    day: str | None = None
    player: str | None = None
    dealer: str | None = None
    game: str | None = None
    status: str | None = None
    finding: str | None = None
    deck: str | None = None
    windows: tuple[Window, ...] | None = None
    seat: int | None = None
    hand: HandMeant | None = None
    wager: str | None = None
    outcome: str | None = None
    won: tuple[int | None, int | None] | None = None


EVERY = Filters()
"""No filter at all."""


def of_a_line(filters: Filters) -> bool:
    """Whether a settled line is asked for."""
    return filters.wager is not None or filters.outcome is not None or filters.won is not None


def of_a_seat(filters: Filters) -> bool:
    """Whether something is said of one seat."""
    return filters.seat is not None or filters.player is not None or filters.hand is not None or of_a_line(filters)


OUTCOMES = ("win", "lose", "push", "returned", "forfeited")
ROUND_LINES = ("house", "bank", "envy")
"""Lines that nobody wagers on."""


def wager_ids() -> list[str]:
    """Every wager that a line may be of."""
    placed = dict.fromkeys(rule.id for id_ in game_ids() for rule in game(id_).wagers)
    return [*placed, *ROUND_LINES]


def conditions(tables: Rounds, filters: Filters) -> Iterator[sa.ColumnElement[bool]]:
    """What the round's own row must hold."""
    rounds = tables.rounds.c
    plain = {
        "property": filters.property,
        "table": filters.table,
        "gaming_day": filters.day,
        "dealer": filters.dealer,
        "game": filters.game,
        "status": filters.status,
        "deck": filters.deck,
    }
    for name, wanted in plain.items():
        if wanted is not None:
            yield rounds[name] == wanted
    if filters.windows is not None:
        yield sa.or_(sa.false(), *(_within(rounds, window) for window in filters.windows))


def _within(rounds: Any, window: Window) -> sa.ColumnElement[bool]:
    opened = rounds.opened_second.between(window.first, window.last)
    return opened if window.property is None else sa.and_(opened, rounds.property == window.property)


def beside(tables: Rounds, filters: Filters) -> Iterator[sa.Select[Any]]:
    """For what is said of a seat, and of a finding: the position at which each such round opened, and the seat."""
    if of_a_seat(filters):
        yield seats_meant(tables, filters)
    if filters.finding is not None:
        found = tables.findings.c
        yield sa.select(found.opened_position, found.seat).where(found.code == filters.finding)


def opened_at(tables: Rounds, filters: Filters) -> Iterator[list[sa.Select[Any]]]:
    """What an index knows of the wanted rounds: for each thing asked, statements that find them together."""
    if filters.windows is not None:
        rounds = tables.rounds.c
        yield [sa.select(rounds.opened_position).where(_within(rounds, window)) for window in filters.windows]
    for statement in beside(tables, filters):
        yield [statement]


def seats_meant(tables: Rounds, filters: Filters) -> sa.Select[Any]:
    """The seats that everything holds of: from the table of players, hands or lines, joined where more are needed."""
    players, hands, lines = tables.players, tables.hands, tables.lines
    needed: list[sa.Table] = []
    if of_a_line(filters):
        needed.append(lines)
    if filters.hand is not None:
        needed.append(hands)
    if not needed or (filters.player is not None and not of_a_line(filters)):
        needed.append(players)
    first, *others = needed
    statement = sa.select(first.c.opened_position, first.c.seat)
    for other in others:
        same = sa.and_(other.c.opened_position == first.c.opened_position, other.c.seat == first.c.seat)
        statement = statement.join_from(first, other, same)
    return statement.where(*_of_seat(first, needed, tables, filters))


def _of_seat(
    first: sa.Table, needed: Sequence[sa.Table], tables: Rounds, filters: Filters
) -> Iterator[sa.ColumnElement[bool]]:
    if filters.seat is not None:
        yield first.c.seat == filters.seat
    if filters.player is not None:
        table = tables.players if tables.players in needed else tables.lines
        yield table.c.player == filters.player
    if filters.hand is not None:
        yield from _of_hand(tables.hands, filters.hand)
    if of_a_line(filters):
        yield from _of_line(tables.lines, filters)


def _of_hand(hands: sa.Table, meant: HandMeant) -> Iterator[sa.ColumnElement[bool]]:
    yield hands.c.best == meant.best
    if meant.rank is not None:
        # The joker is written Jk; it stands for an ace, and is no jack.
        joker = "A" if meant.rank == "A" else ""
        cards = sa.func.replace(hands.c.cards, "Jk", joker)
        without = sa.func.replace(cards, meant.rank, "")
        yield sa.func.length(cards) - sa.func.length(without) >= meant.at_least


def _of_line(lines: sa.Table, filters: Filters) -> Iterator[sa.ColumnElement[bool]]:
    if filters.wager is not None:
        yield lines.c.wager == filters.wager
    if filters.outcome is not None:
        yield lines.c.outcome == filters.outcome
        if filters.wager is None and filters.won is None:
            # The index is by wager first.
            yield lines.c.wager.in_(wager_ids())
    if filters.won is not None:
        least, most = filters.won
        if least is not None:
            yield lines.c.won_cents >= least
        if most is not None:
            yield lines.c.won_cents <= most
