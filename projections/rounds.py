"""The list of rounds: where each stands, who played, what was staked and won, and what a reviewer should look at.

Rounds are kept and listed in round order, the order in which they were opened. Amounts are cents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar

import sqlalchemy as sa

from domain.rounds import events as happened
from domain.rounds.events import HOUSE, Finding
from ledger.records import Record
from projections.reading import Report, View, view
from projections.store import BIG, TEXT, Projection, Source, rows, upsert
from projections.tallies import moves

_FIGURES = ("staked_cents", "won_cents", "returned_cents", "commission_cents", "corrected_cents", "net_cents")
_PINNED = ("round", "property", "table", "number", "gaming_day", "game", "sheet", "dealer")
_PAGE = 500
_NEIGHBOURS = 100


@dataclass(frozen=True, slots=True)
class Filters:
    """Which rounds are meant; None leaves a filter out. `player` also finds backers, `finding` is a finding's code."""

    property: str | None = None
    table: str | None = None
    day: str | None = None
    player: str | None = None
    dealer: str | None = None
    game: str | None = None
    status: str | None = None
    finding: str | None = None


EVERY = Filters()
"""No filter at all."""


class Rounds(Projection):
    """One row a round, one a player of it, one a finding."""

    NAME: ClassVar[str] = "rounds"
    SCHEMA: ClassVar[int] = 1

    def __init__(self, build: int) -> None:
        super().__init__(build)
        self.rounds = sa.Table(
            self.table_name(""),
            self.metadata,
            sa.Column("opened_position", BIG, primary_key=True, autoincrement=False),
            sa.Column("round", TEXT, nullable=False, unique=True),
            sa.Column("property", TEXT, nullable=False),
            sa.Column("table", TEXT, nullable=False, index=True),
            sa.Column("number", BIG, nullable=False),
            sa.Column("gaming_day", TEXT, nullable=False, index=True),
            sa.Column("game", TEXT, nullable=False),
            sa.Column("sheet", TEXT, nullable=False),
            sa.Column("dealer", TEXT, nullable=False, index=True),
            sa.Column("status", TEXT, nullable=False, index=True),
            sa.Column("phase", TEXT, nullable=False),
            sa.Column("misdealt", sa.Integer, nullable=False),
            sa.Column("bank", sa.Integer, nullable=False),
            sa.Column("opened_at", TEXT, nullable=False),
            sa.Column("settled_at", TEXT),
            sa.Column("voided_at", TEXT),
            *(sa.Column(name, BIG, nullable=False) for name in (*_FIGURES, "position", "version")),
        )
        self.players = sa.Table(
            self.table_name("players"),
            self.metadata,
            sa.Column("player", TEXT, primary_key=True),
            sa.Column("opened_position", BIG, primary_key=True, index=True),
            sqlite_with_rowid=False,
        )
        self.findings = sa.Table(
            self.table_name("findings"),
            self.metadata,
            sa.Column("position", BIG, primary_key=True),
            sa.Column("place", sa.Integer, primary_key=True),
            sa.Column("opened_position", BIG, nullable=False, index=True),
            sa.Column("code", TEXT, nullable=False),
            sa.Column("seat", sa.Integer),
            sa.Column("wager", TEXT),
            sa.Column("text", TEXT, nullable=False),
            sqlite_with_rowid=False,
        )
        sa.Index(f"ix_{self.findings.name}_code", self.findings.c.code, self.findings.c.opened_position)

    def apply(self, connection: sa.Connection, records: Sequence[Record]) -> None:
        """Brings the rounds that the page concerns to its end."""
        ours = [record for record in records if record.stream.kind == "round"]
        keys = sorted({record.stream.key for record in ours})
        if not keys:
            return
        known = rows(connection, sa.select(self.rounds).where(self.rounds.c.round.in_(keys)))
        page = _Page({row["round"]: row for row in known})
        for record in ours:
            page.take(record)
        upsert(connection, self.rounds, [page.rows[key] for key in keys])
        upsert(connection, self.players, [{"player": name, "opened_position": at} for name, at in sorted(page.players)])
        upsert(connection, self.findings, page.findings)


class _Page:
    """The rows that a page of the log changes, in memory."""

    def __init__(self, rows: dict[str, dict[str, Any]]) -> None:
        self.rows = rows
        self.players: set[tuple[str, int]] = set()
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
        self._follow(event, row, record.at)
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
            "opened_at": record.at,
            "settled_at": None,
            "voided_at": None,
            **dict.fromkeys(_FIGURES, 0),
        }
        self.players.update((taken.player, record.position) for taken in event.seats)

    def _follow(self, event: happened.Event, row: dict[str, Any], at: str) -> None:
        match event:
            case happened.WagerPlaced(bettor=str(bettor)):
                self.players.add((bettor, row["opened_position"]))
            case happened.BankTaken():
                row["bank"] = event.seat
            case happened.BettingClosed():
                row["phase"] = "closed"
            case happened.HandsDealt():
                row["phase"] = "dealt"
            case happened.RoundMisdealt():
                row["misdealt"] = 1
            case happened.RoundSettled():
                row |= {"phase": "settled", "status": "settled", "settled_at": at}
            case happened.RoundVoided():
                row |= {"phase": "voided", "status": "voided", "voided_at": at}

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


def list_rounds(source: Source, filters: Filters = EVERY, limit: int | None = None) -> Report:
    """The rounds that `filters` mean, in round order, at most the first `limit`."""
    with view(source, Rounds) as open_:
        listed: list[dict[str, Any]] = []
        if open_.projection is not None:
            after = 0
            while limit is None or len(listed) < limit:
                found = _page(open_, open_.projection, filters, after)
                listed.extend(found)
                if len(found) < _PAGE:
                    break
                after = found[-1]["opened_position"]
        return open_.report(listed[:limit])


def stream_rounds(source: Source, filters: Filters = EVERY) -> Iterator[dict[str, Any]]:
    """The rounds that `filters` mean, in round order, a page at a time; rounds opened after the call are left out."""
    last = source.head().position
    after = 0
    while True:
        with view(source, Rounds) as open_:
            found = [] if open_.projection is None else _page(open_, open_.projection, filters, after)
        for row in found:
            if row["opened_position"] > last:
                return
            yield row
        if len(found) < _PAGE:
            return
        after = found[-1]["opened_position"]


def similar_rounds(source: Source, key: str, limit: int = 5) -> list[str]:
    """Keys of rounds that resemble `key`, the nearest first: what a person may have meant."""
    with view(source, Rounds) as open_:
        if open_.projection is None:
            return []
        column = open_.projection.rounds.c.round
        below = sa.select(column).where(column < key).order_by(column.desc()).limit(_NEIGHBOURS)
        above = sa.select(column).where(column > key).order_by(column).limit(_NEIGHBOURS)
        near = [name for statement in (below, above) for name in open_.connection.execute(statement).scalars()]
    return get_close_matches(key, near, n=limit, cutoff=0.5)


def _page(open_: View[Rounds], tables: Rounds, filters: Filters, after: int) -> list[dict[str, Any]]:
    found = rows(open_.connection, selection(tables, filters, after))
    positions = [row["opened_position"] for row in found]
    players = _beside(open_, tables.players, tables.players.c.player, positions)
    codes = _beside(open_, tables.findings, tables.findings.c.code, positions)
    return [_shown(row, players, codes) for row in found]


def selection(tables: Rounds, filters: Filters, after: int) -> sa.Select[Any]:
    """The page of rounds after the position `after` that `filters` mean, in round order."""
    rounds = tables.rounds
    meant = sa.select(rounds).where(rounds.c.opened_position > after, *_conditions(tables, filters, after))
    return meant.order_by(rounds.c.opened_position).limit(_PAGE)


def _conditions(tables: Rounds, filters: Filters, after: int) -> Iterator[sa.ColumnElement[bool]]:
    rounds, players, findings = tables.rounds.c, tables.players.c, tables.findings.c
    plain = {
        "property": filters.property,
        "table": filters.table,
        "gaming_day": filters.day,
        "dealer": filters.dealer,
        "game": filters.game,
        "status": filters.status,
    }
    for name, wanted in plain.items():
        if wanted is not None:
            yield rounds[name] == wanted
    if filters.player is not None:
        played = sa.select(players.opened_position).where(players.player == filters.player)
        yield rounds.opened_position.in_(played.where(players.opened_position > after))
    if filters.finding is not None:
        found = sa.select(findings.opened_position).where(findings.code == filters.finding)
        yield rounds.opened_position.in_(found.where(findings.opened_position > after))


def _beside(
    open_: View[Rounds], table: sa.Table, column: sa.Column[str], positions: Sequence[int]
) -> dict[int, list[str]]:
    """The texts of a side table by round, each once, in order of their appearance or by name."""
    statement = sa.select(table.c.opened_position, column).where(table.c.opened_position.in_(positions))
    beside: dict[int, list[str]] = {}
    for position, text in open_.connection.execute(statement.order_by(*table.primary_key)):
        texts = beside.setdefault(position, [])
        if text not in texts:
            texts.append(text)
    return beside


def _shown(row: Mapping[str, Any], players: Mapping[int, list[str]], codes: Mapping[int, list[str]]) -> dict[str, Any]:
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
        **{name: row[name] for name in ("version", "position", "opened_position")},
    }
