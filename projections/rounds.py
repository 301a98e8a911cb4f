"""The list of rounds: where each stands, who played, what was staked and won, and what a reviewer should look at.

Rounds are kept and listed in round order, the order in which they were opened. Amounts are cents.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import Any, ClassVar

from domain.cards import JOKER, Hand, show
from domain.games import game
from domain.rounds import events as happened
from domain.rounds.events import HOUSE, Finding
from domain.times import instant
from ledger.records import Record
from ledger.tables import BIG, INT, TEXT, Column, Table
from projections.filters import EVERY, FEW, Filters, beside, conditions, of_a_seat, opened_at, seats_meant
from projections.reading import Report, View, view
from projections.statements import Sql, Writing, among, select
from projections.store import Projection, Source, every_row, upsert
from projections.tallies import moves

__all__ = ["EVERY", "Filters", "Rounds", "list_rounds", "round_keys", "selection", "similar_rounds", "stream_rounds"]

_FIGURES = ("staked_cents", "won_cents", "returned_cents", "commission_cents", "corrected_cents", "net_cents")
_PINNED = ("round", "property", "table", "number", "gaming_day", "game", "sheet", "dealer", "deck")
_PAGE = 500
_KEYS = 10_000
_NEIGHBOURS = 100
_FEW_ENOUGH = 2_000
"""Where so few rounds are left, each is asked whether it is meant: another index may list many in vain."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)


class Rounds(Projection):
    """One row a round; beside it one for each player and hand at a seat, for each line, and for each finding."""

    NAME: ClassVar[str] = "rounds"
    SCHEMA: ClassVar[int] = 2

    def __init__(self, build: int) -> None:
        super().__init__(build)
        self.rounds = self.table(
            "",
            [
                Column("opened_position", BIG, key=True),
                *(Column(name, TEXT) for name in ("round", "property", "table")),
                Column("number", BIG),
                *(Column(name, TEXT) for name in ("gaming_day", "game", "sheet", "dealer")),
                Column("deck", TEXT, null=True),
                *(Column(name, TEXT) for name in ("status", "phase")),
                *(Column(name, INT) for name in ("misdealt", "bank")),
                # Bit n stands for seat n.
                Column("taken", INT),
                Column("opened_at", TEXT),
                Column("opened_second", BIG),
                *(Column(name, TEXT, null=True) for name in ("settled_at", "voided_at")),
                *(Column(name, BIG) for name in (*_FIGURES, "position", "version")),
            ],
            *((name,) for name in ("table", "gaming_day", "dealer", "deck", "status", "opened_second")),
            # Which round numbers of a table and day are there is read from the index alone.
            ("table", "gaming_day", "property", "number"),
            unique="round",
        )
        self.players = self.table(
            "players",
            [Column("player", TEXT, key=True), Column("opened_position", BIG, key=True), Column("seat", INT, key=True)],
            ("opened_position",),
            rowid=False,
        )
        self.hands = self.table(
            "hands",
            [
                Column("opened_position", BIG, key=True),
                Column("seat", INT, key=True),
                Column("best", TEXT),
                Column("cards", TEXT),
            ],
            ("best", "opened_position"),
            rowid=False,
        )
        self.lines = self.table(
            "lines",
            [
                Column("opened_position", BIG, key=True),
                Column("version", BIG, key=True),
                Column("place", INT, key=True),
                Column("seat", INT),
                Column("player", TEXT, null=True),
                Column("wager", TEXT),
                Column("outcome", TEXT),
                Column("won_cents", BIG),
            ],
            ("won_cents", "opened_position"),
            ("wager", "outcome", "opened_position"),
            rowid=False,
        )
        self.findings = self.table(
            "findings",
            [
                Column("position", BIG, key=True),
                Column("place", INT, key=True),
                Column("opened_position", BIG),
                Column("code", TEXT),
                Column("seat", INT, null=True),
                Column("wager", TEXT, null=True),
                Column("text", TEXT),
            ],
            ("opened_position",),
            ("code", "opened_position"),
            rowid=False,
        )

    def apply(self, connection: Writing, records: Sequence[Record]) -> None:
        """Brings the rounds that the page concerns to its end."""
        ours = [record for record in records if record.stream.kind == "round"]
        keys = sorted({record.stream.key for record in ours})
        if not keys:
            return
        known = every_row(connection, self.rounds, among(self.rounds["round"], keys))
        page = _Page({row["round"]: row for row in known})
        for record in ours:
            page.take(record)
        upsert(connection, self.rounds, [page.rows[key] for key in keys])
        upsert(connection, self.players, [dict(zip(_PLAYER, each, strict=True)) for each in sorted(page.players)])
        upsert(connection, self.hands, page.hands)
        upsert(connection, self.lines, page.lines)
        upsert(connection, self.findings, page.findings)


class _Page:
    """The rows that a page of the log changes, in memory."""

    def __init__(self, rows: dict[str, dict[str, Any]]) -> None:
        self.rows = rows
        self.players: set[tuple[str, int, int]] = set()
        self.hands: list[dict[str, Any]] = []
        self.lines: list[dict[str, Any]] = []
        self.findings: list[dict[str, Any]] = []

    def take(self, record: Record) -> None:
        """Takes the next event of a round in."""
        event = record.event
        if isinstance(event, happened.RoundOpened):
            self._open(event, record)
        row = self.rows[record.stream.key]
        row["position"] = record.position
        row["version"] = record.version
        for move in moves(event):
            for figure in _FIGURES:
                row[figure] += getattr(move, figure)
        self._follow(event, row, record)
        findings: tuple[Finding, ...] = getattr(event, "findings", ())
        for place, finding in enumerate(findings):
            self._find(finding, place, record.position, row["opened_position"])

    def _open(self, event: happened.RoundOpened, record: Record) -> None:
        self.rows[event.round] = {
            "opened_position": record.position,
            **{name: getattr(event, name) for name in _PINNED},
            "status": "open",
            "phase": "open",
            "misdealt": 0,
            "bank": HOUSE,
            "taken": sum(1 << taken.seat for taken in event.seats),
            "opened_at": record.at,
            "opened_second": (instant(record.at) - _EPOCH) // _SECOND,
            "settled_at": None,
            "voided_at": None,
            **dict.fromkeys(_FIGURES, 0),
        }
        self.players.update((taken.player, record.position, taken.seat) for taken in event.seats)

    def _follow(self, event: happened.Event, row: dict[str, Any], record: Record) -> None:
        match event:
            case happened.WagerPlaced(bettor=str(bettor)):
                self.players.add((bettor, row["opened_position"], event.seat))
            case happened.WagerSettled():
                self._line(event, row, record.version, outcome=event.outcome, won_cents=event.won_cents)
            case happened.BankTaken():
                row["bank"] = event.seat
            case happened.BettingClosed():
                row["phase"] = "closed"
            case happened.HandsDealt():
                row["phase"] = "dealt"
                self._deal(event, row)
            case happened.RoundMisdealt():
                row["misdealt"] = 1
            case happened.RoundSettled():
                row |= {"phase": "settled", "status": "settled", "settled_at": record.at}
            case happened.RoundVoided():
                row |= {"phase": "voided", "status": "voided", "voided_at": record.at}
                for place, wager in enumerate(event.returned):
                    self._line(wager, row, record.version, place, outcome="returned", won_cents=0)

    def _deal(self, event: happened.HandsDealt, row: dict[str, Any]) -> None:
        """Keeps what each taken seat was dealt, where it is a hand of the game; a misdeal's need not be."""
        of = game(row["game"])
        for dealt in event.hands:
            if row["taken"] >> dealt.seat & 1 and _is_hand(dealt.cards, of.hand_size, joker=of.joker):
                best = of.best(dealt.cards)
                where = {"opened_position": row["opened_position"], "seat": dealt.seat}
                self.hands.append(where | {"best": best, "cards": show(dealt.cards)})

    def _line(
        self,
        line: happened.WagerSettled | happened.ReturnedWager,
        row: dict[str, Any],
        version: int,
        place: int = 0,
        **came: Any,
    ) -> None:
        where = {"opened_position": row["opened_position"], "version": version, "place": place}
        self.lines.append(where | {"seat": line.seat, "player": line.player, "wager": line.wager} | came)

    def _find(self, finding: Finding, place: int, position: int, opened_position: int) -> None:
        self.findings.append(
            {
                "position": position,
                "place": place,
                "opened_position": opened_position,
                "code": finding.code,
                "seat": finding.seat,
                "wager": finding.wager,
                "text": finding.text,
            }
        )


_PLAYER = ("player", "opened_position", "seat")


def _is_hand(cards: Hand, size: int, *, joker: bool) -> bool:
    return len(cards) == len(set(cards)) == size and (joker or JOKER not in cards)


def list_rounds(source: Source, filters: Filters = EVERY, limit: int | None = None) -> Report:
    """The rounds that `filters` mean, in round order, at most the first `limit`."""
    with view(source, Rounds) as open_:
        listed: list[dict[str, Any]] = []
        if open_.projection is not None:
            few = _few(open_, open_.projection, filters)
            after: int | None = 0
            while after is not None and (limit is None or len(listed) < limit):
                most = _PAGE if limit is None else min(_PAGE, limit - len(listed))
                found, after = _page(open_, open_.projection, filters, after, few, most)
                listed.extend(found)
        return open_.report(listed)


def stream_rounds(source: Source, filters: Filters = EVERY) -> Iterator[dict[str, Any]]:
    """The rounds that `filters` mean, in round order, a page at a time; rounds opened after the call are left out."""
    last = source.head().position
    after: int | None = 0
    while after is not None:
        with view(source, Rounds) as open_:
            tables = open_.projection
            if tables is None:
                return
            found, after = _page(open_, tables, filters, after, _few(open_, tables, filters))
        for row in found:
            if row["opened_position"] > last:
                return
            yield row


def round_keys(source: Source, filters: Filters = EVERY) -> Report:
    """The rounds that `filters` mean, in round order, by their keys alone: rows of `round`."""
    with view(source, Rounds) as open_:
        listed: list[dict[str, Any]] = []
        if open_.projection is not None:
            rounds = open_.projection.rounds
            few = _few(open_, open_.projection, filters)
            after: int | None = 0
            while after is not None:
                some, following = _some(few, after)
                what = f"{rounds['round']}, {rounds['opened_position']}"
                found = open_.connection.all(selection(open_.projection, filters, after, some, what, _KEYS))
                listed.extend({"round": key} for key, _ in found)
                after = found[-1][1] if len(found) == _KEYS else following
        return open_.report(listed)


def similar_rounds(source: Source, key: str, limit: int = 5) -> list[str]:
    """Keys of rounds that resemble `key`, whatever its capitals, the nearest first: what a person may have meant."""
    near: dict[str, str] = {}
    with view(source, Rounds) as open_:
        if open_.projection is None:
            return []
        rounds, column = open_.projection.rounds, open_.projection.rounds["round"]
        for spelled in dict.fromkeys((key, key.upper())):
            for comparing, order in (("<", "DESC"), (">=", "ASC")):
                beside_it = [Sql(f"{column} {comparing} ?", (spelled,))]
                statement = select(column, rounds, beside_it, f"ORDER BY {column} {order} LIMIT {_NEIGHBOURS}")
                near |= {name.casefold(): name for name in open_.connection.column(statement)}
    return [near[each] for each in get_close_matches(key.casefold(), near, n=limit, cutoff=0.5)]


def _few(open_: View[Rounds], tables: Rounds, filters: Filters) -> list[int] | None:
    """Where the rounds opened that a time or a side table means, in round order; None where that is nothing or many."""
    few: set[int] | None = None
    for statements in opened_at(tables, filters, FEW + 1):
        if few is not None and len(few) <= _FEW_ENOUGH:
            break
        found = _positions(open_, statements)
        if found is not None:
            few = found if few is None else few & found
    return None if few is None else sorted(few)


def _positions(open_: View[Rounds], statements: Iterable[Sql]) -> set[int] | None:
    """What the statements find together; None where that is more than a few."""
    found: set[int] = set()
    for statement in statements:
        listed = open_.connection.column(statement)
        found.update(listed)
        # A round may be listed more than once, so the list itself says whether it was cut.
        if len(listed) > FEW or len(found) > FEW:
            return None
    return found


def _some(few: Sequence[int] | None, after: int) -> tuple[Sequence[int] | None, int | None]:
    """The next of the few after a position, as many as a page, and after which the following come; None at the end."""
    if few is None:
        return None, None
    first = bisect_right(few, after)
    some = few[first : first + _PAGE]
    return some, some[-1] if first + _PAGE < len(few) else None


def _page(
    open_: View[Rounds], tables: Rounds, filters: Filters, after: int, few: Sequence[int] | None, most: int = _PAGE
) -> tuple[list[dict[str, Any]], int | None]:
    """The next rounds, and the position after which there may be more; None where there are none."""
    some, following = _some(few, after)
    found = open_.connection.rows(selection(tables, filters, after, some, most=most))
    positions = [row["opened_position"] for row in found]
    if len(found) == most:
        following = positions[-1]
    players = _beside(open_, tables.players, "player", positions)
    codes = _beside(open_, tables.findings, "code", positions)
    seats = _seats(open_, tables, filters, positions)
    return [_shown(row, players, codes, seats) for row in found], following


def selection(
    tables: Rounds,
    filters: Filters,
    after: int,
    some: Sequence[int] | None = None,
    what: str | None = None,
    most: int = _PAGE,
) -> Sql:
    """The page of rounds after the position `after` that `filters` mean, in round order, among `some` if given."""
    opened = tables.rounds["opened_position"]
    where = [Sql(f"{opened} > ?", (after,)), *conditions(tables, filters)]
    if some is not None:
        where.append(among(opened, some))
    where += [aside.has(opened) for aside in beside(tables, filters)]
    return select(what or tables.rounds.all, tables.rounds, where, f"ORDER BY {opened} LIMIT {most:d}")


def _seats(open_: View[Rounds], tables: Rounds, filters: Filters, positions: Sequence[int]) -> dict[int, list[int]]:
    """The seats of each round that everything said of a seat holds of; a player's name alone says nothing of one."""
    if not of_a_seat(replace(filters, player=None)):
        return {}
    found: dict[int, list[int]] = {}
    for position, number in open_.connection.all(seats_meant(tables, filters).seats(positions)):
        found.setdefault(position, []).append(number)
    return found


def _beside(open_: View[Rounds], table: Table, column: str, positions: Sequence[int]) -> dict[int, list[str]]:
    """The texts of a side table by round, each once, in order of their appearance or by name."""
    opened = table["opened_position"]
    statement = select(f"{opened}, {table[column]}", table, [among(opened, positions)], f"ORDER BY {table.order}")
    beside: dict[int, list[str]] = {}
    for position, text in open_.connection.all(statement):
        texts = beside.setdefault(position, [])
        if text not in texts:
            texts.append(text)
    return beside


def _shown(
    row: Mapping[str, Any],
    players: Mapping[int, list[str]],
    codes: Mapping[int, list[str]],
    seats: Mapping[int, list[int]],
) -> dict[str, Any]:
    opened = row["opened_position"]
    return {
        **{name: row[name] for name in _PINNED},
        "status": row["status"],
        "phase": row["phase"],
        "misdealt": bool(row["misdealt"]),
        "bank": "house" if row["bank"] == HOUSE else row["bank"],
        **{name: row[name] for name in ("opened_at", "settled_at", "voided_at")},
        "players": players.get(opened, []),
        **{name: row[name] for name in _FIGURES},
        "findings": codes.get(opened, []),
        "seats_found": seats.get(opened, []),
        **{name: row[name] for name in ("version", "position", "opened_position")},
    }
