"""Players' balances over all rounds: bought in, cashed out, staked, won, got back and paid. Amounts are cents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from domain.house_events import PlayerBoughtIn, PlayerCashedOut
from domain.rounds.events import RoundSettled, RoundVoided, WagerSettled
from domain.rounds.mystery import MYSTERY_WAGER
from ledger.records import Record
from ledger.tables import BIG, TEXT, Column
from projections.asof import AsOf, log
from projections.reading import Report, view
from projections.statements import Sql, Writing, equal, select
from projections.store import Projection, Source, every_row, upsert
from projections.tallies import Move, moves

_FIGURES = (
    "bought_in_cents",
    "cashed_out_cents",
    "staked_cents",
    "won_cents",
    "returned_cents",
    "commission_cents",
    "corrected_cents",
    "rounds",
)
_ADDED = frozenset(_FIGURES)


class Balances(Projection):
    """One row a player; beside them the players who already have a line of the round that is being settled."""

    NAME: ClassVar[str] = "balances"
    SCHEMA: ClassVar[int] = 1

    def __init__(self, build: int) -> None:
        super().__init__(build)
        figures = (Column(name, BIG) for name in (*_FIGURES, "position"))
        self.players = self.table("", [Column("player", TEXT, key=True), *figures])
        # A settlement may lie across two pages; then the second must know who has been counted for the round.
        self.settling = self.table("settling", [Column("player", TEXT, key=True)])

    def apply(self, connection: Writing, records: Sequence[Record]) -> None:
        """Adds what the page moves to the rows it concerns."""
        before = set(connection.column(select(self.settling["player"], self.settling)))
        tally = Tally(settling=set(before))
        tally.take(records)
        upsert(connection, self.players, tally.rows(), add=_ADDED)
        if tally.settling != before:
            connection.run(Sql(f"DELETE FROM {self.settling}"))
            upsert(connection, self.settling, [{"player": player} for player in sorted(tally.settling)])


@dataclass(slots=True)
class Tally:
    """Figures by player, summed in memory. `settling` are the players with a line of the round being settled."""

    figures: dict[str, dict[str, int]] = field(default_factory=dict)
    settling: set[str] = field(default_factory=set)

    def take(self, records: Iterable[Record]) -> None:
        """Adds what `records` move."""
        for record in records:
            self._take(record)

    def rows(self) -> list[dict[str, Any]]:
        """The sums as rows, players in order."""
        return [{"player": player, **self.figures[player]} for player in sorted(self.figures)]

    def _take(self, record: Record) -> None:
        event = record.event
        for move in moves(event):
            self._add(move, record.position)
        if isinstance(event, PlayerBoughtIn):
            self._of(event.player, record.position)["bought_in_cents"] += event.amount_cents
        elif isinstance(event, PlayerCashedOut):
            self._of(event.player, record.position)["cashed_out_cents"] += event.amount_cents
        elif isinstance(event, WagerSettled):
            # A mystery's line comes after its round is settled, which has counted by then.
            if event.player is not None and event.wager != MYSTERY_WAGER:
                self.settling.add(event.player)
        elif isinstance(event, RoundSettled):
            # A round counts once for a player, however many lines it has.
            for player in self.settling:
                self._of(player, record.position)["rounds"] += 1
            self.settling.clear()
        elif isinstance(event, RoundVoided):
            for reversal in event.players:
                self._of(reversal.player, record.position)["rounds"] -= reversal.rounds

    def _add(self, move: Move, position: int) -> None:
        figures = self._of(move.player, position)
        figures["staked_cents"] += move.staked_cents
        figures["won_cents"] += move.won_cents
        figures["returned_cents"] += move.returned_cents
        figures["commission_cents"] += move.commission_cents
        figures["corrected_cents"] += move.corrected_cents

    def _of(self, player: str, position: int) -> dict[str, int]:
        figures = self.figures.get(player)
        if figures is None:
            figures = self.figures[player] = dict.fromkeys(_FIGURES, 0)
        figures["position"] = position
        return figures


def balances(source: Source, player: str | None = None, as_of: AsOf | None = None) -> Report:
    """The balances of all players in order of their names, or of one; no row where a player never moved any money.

    With `as_of` they are folded from the log up to a position, or over what happened at or before a time. `position` of
    a row is that of the last event that moved something of the player's.
    """
    if as_of is not None:
        return _folded(source, player, as_of)
    with view(source, Balances) as open_:
        if open_.projection is None:
            return open_.report([])
        table = open_.projection.players
        one = [] if player is None else [equal(table["player"], player)]
        found = every_row(open_.connection, table, *one, order=table["player"])
        return open_.report([_shown(row) for row in found])


def _folded(source: Source, player: str | None, as_of: AsOf) -> Report:
    tally = Tally()
    tally.take(as_of.select(log(source.feed.after)))
    shown = [_shown(row) for row in tally.rows() if player in (None, row["player"])]
    return Report(shown, as_of.reached(source.head().position), 0)


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    net = Move(*(row[name] for name in ("player", *_FIGURES[2:7]))).net_cents
    return {
        "player": row["player"],
        **{name: row[name] for name in _FIGURES[:7]},
        "net_cents": net,
        "balance_cents": row["bought_in_cents"] - row["cashed_out_cents"] + net,
        "rounds": row["rounds"],
        "position": row["position"],
    }
