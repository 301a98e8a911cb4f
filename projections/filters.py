"""Which rounds are meant, and how the tables of `projections.rounds` are asked for them.

What is said of a seat holds of one and the same seat, what is said of a wager of one and the same line: seat 3, four
of a kind, won 100 to 500 finds no round where seat 3 had the hand and seat 5 the money.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from domain.games import game, game_ids
from ledger.tables import Table
from projections.hand_words import HandMeant
from projections.statements import Sql, among, both, either, equal, select

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


class Aside(NamedTuple):
    """What a table beside the rounds knows of the wanted ones: the columns with the opening and the seat, and which."""

    opened: str
    seat: str
    source: str
    where: tuple[Sql, ...]

    def positions(self, most: int) -> Sql:
        """Where those rounds opened, at most so many; a round may be there more than once."""
        return select(self.opened, self.source, self.where, f"LIMIT {most:d}")

    def has(self, opened: str) -> Sql:
        """Whether the round whose opening is in the column `opened` is one of them."""
        known = select("1", self.source, (*self.where, Sql(f"{self.opened} = {opened}")))
        return Sql(f"EXISTS ({known.text})", known.values)

    def seats(self, positions: Sequence[int]) -> Sql:
        """The seats meant of the rounds that opened at `positions`: rows of both columns, in their order."""
        what = f"{self.opened}, {self.seat}"
        where = *self.where, among(self.opened, positions)
        return select(f"DISTINCT {what}", self.source, where, f"ORDER BY {what}")


def conditions(tables: Rounds, filters: Filters) -> Iterator[Sql]:
    """What the round's own row must hold."""
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
            yield equal(tables.rounds[name], wanted)
    if filters.windows is not None:
        yield either(_within(tables.rounds, window) for window in filters.windows)


def _within(rounds: Table, window: Window) -> Sql:
    opened = Sql(f"{rounds['opened_second']} BETWEEN ? AND ?", (window.first, window.last))
    return opened if window.property is None else both(opened, equal(rounds["property"], window.property))


def beside(tables: Rounds, filters: Filters) -> Iterator[Aside]:
    """What is said of a seat, and of a finding."""
    if of_a_seat(filters):
        yield seats_meant(tables, filters)
    if filters.finding is not None:
        found = tables.findings
        code = equal(found["code"], filters.finding)
        yield Aside(found["opened_position"], found["seat"], found.name, (code,))


def opened_at(tables: Rounds, filters: Filters, most: int) -> Iterator[list[Sql]]:
    """What an index knows of the wanted rounds: for each thing asked, statements that together find where they opened.

    Each finds at most so many. What finds few is asked first.
    """
    rounds, limit = tables.rounds, f"LIMIT {most:d}"
    if filters.windows is not None and any((filters.table, filters.day, filters.dealer, filters.deck)):
        # A table's rounds are few enough to look at each: by its time alone many tables' would be found.
        yield [select(rounds["opened_position"], rounds, conditions(tables, filters), limit)]
    elif filters.windows is not None:
        yield [select(rounds["opened_position"], rounds, [_within(rounds, each)], limit) for each in filters.windows]
    for aside in beside(tables, filters):
        yield [aside.positions(most)]


def seats_meant(tables: Rounds, filters: Filters) -> Aside:
    """The seats that everything holds of: from the tables of players, lines and hands, as many as are needed."""
    needed: list[Table] = []
    if filters.player is not None or (filters.hand is None and not of_a_line(filters)):
        needed.append(tables.players)
    if of_a_line(filters):
        needed.append(tables.lines)
    if filters.hand is not None:
        needed.append(tables.hands)
    first = needed[0]
    # A player's rounds are found first where one is named: SQLite takes tables that it is to cross in their order.
    source = (", " if filters.player is None else " CROSS JOIN ").join(map(str, needed))
    return Aside(first["opened_position"], first["seat"], source, tuple(_of_seat(needed, tables, filters)))


def _of_seat(needed: Sequence[Table], tables: Rounds, filters: Filters) -> Iterator[Sql]:
    first, *others = needed
    for other in others:
        yield from (Sql(f"{other[name]} = {first[name]}") for name in ("opened_position", "seat"))
    if filters.seat is not None:
        yield equal(first["seat"], filters.seat)
    if filters.player is not None:
        whose = (table for table in needed if table is not tables.hands)
        yield from (equal(table["player"], filters.player) for table in whose)
    if filters.hand is not None:
        yield from _of_hand(tables.hands, filters.hand)
    if of_a_line(filters):
        yield from _of_line(tables.lines, filters)


def _of_hand(hands: Table, meant: HandMeant) -> Iterator[Sql]:
    yield equal(hands["best"], meant.best)
    if meant.rank is not None:
        # The joker is written Jk; it stands for an ace, and is no jack.
        joker = "A" if meant.rank == "A" else ""
        cards = f"replace({hands['cards']}, 'Jk', '{joker}')"
        count = f"length({cards}) - length(replace({cards}, ?, ''))"
        yield Sql(f"{count} >= ?", (meant.rank, meant.at_least))


def _of_line(lines: Table, filters: Filters) -> Iterator[Sql]:
    if filters.wager is not None:
        yield equal(lines["wager"], filters.wager)
    if filters.outcome is not None:
        yield equal(lines["outcome"], filters.outcome)
        if filters.wager is None and filters.won is None:
            # The index is by wager first.
            yield among(lines["wager"], wager_ids())
    if filters.won is not None:
        least, most = filters.won
        if least is not None:
            yield Sql(f"{lines['won_cents']} >= ?", (least,))
        if most is not None:
            yield Sql(f"{lines['won_cents']} <= ?", (most,))
