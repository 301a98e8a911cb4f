"""Settled rounds beside what they would have come to under another sheet or house way: by seat, over any rounds.

Nothing of it is stored. Amounts are cents; a toke's line is the dealers' and counts for no seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

from domain.desk import PublishedSheet
from domain.games import game
from domain.house_ways import house_way, house_way_ids
from domain.rounds.events import RoundOpened, WagerSettled
from domain.rounds.what_if import NotComputable, OtherGame, Otherwise, Pair, what_if
from domain.sheets import sheet_of
from ledger.errors import MISUSED, NOT_FOUND, LedgerError
from ledger.records import Record
from ledger.service import Ledger
from projections.rules import Rules, terms_of
from projections.suggesting import nearest

SAME, CHANGED, NOT_SETTLED, OTHER_GAME, NOT_COMPUTABLE = (
    "same",
    "changed",
    "not settled",
    "other game",
    "not computable",
)


class NoSuchSheet(LedgerError):
    """No sheet of that name was published."""

    code: ClassVar[str] = "sheet.unknown"
    exit_code: ClassVar[int] = NOT_FOUND


class NoSuchHouseWay(LedgerError):
    """There is no house way of that name."""

    code: ClassVar[str] = "house-way.unknown"
    exit_code: ClassVar[int] = NOT_FOUND


class WrongGame(LedgerError):
    """The other sheet or house way is of no game among the rounds."""

    code: ClassVar[str] = "what-if.other-game"
    exit_code: ClassVar[int] = MISUSED


class Change(NamedTuple):
    """What is changed in thought, in a form that goes to another process; None leaves it as it was."""

    fingerprint: str | None = None
    content: Mapping[str, Any] | None = None
    house_way: str | None = None

    @property
    def otherwise(self) -> Otherwise:
        """The change as the rules take it."""
        sheet = None if self.content is None or self.fingerprint is None else sheet_of(self.fingerprint, self.content)
        return Otherwise(sheet, self.house_way)

    @property
    def games(self) -> tuple[str, ...]:
        """The games that it may be asked of; of others it says nothing."""
        from domain.games import game_ids

        named = [each for each in game_ids() if self.content is None or each == self.content["game"]]
        if self.house_way is None:
            return tuple(named)
        size = house_way(self.house_way).HAND_SIZE
        return tuple(each for each in named if game(each).split is not None and game(each).hand_size == size)

    def as_json(self) -> dict[str, Any]:
        """What is changed, by name."""
        ref = None if self.content is None else f"{self.content['id']}@{self.content['version']}"
        return {"sheet": ref, "house_way": self.house_way}

    @property
    def named(self) -> str:
        """What is changed, as a person says it."""
        return " with ".join(f"{what.replace('_', ' ')} {of}" for what, of in self.as_json().items() if of is not None)


def change_of(sheet: PublishedSheet | None, house_way_id: str | None) -> Change:
    """The change to `sheet` and to the house way; raises NoSuchHouseWay."""
    if house_way_id is not None and house_way_id not in house_way_ids():
        raise NoSuchHouseWay(f"no house way {house_way_id!r}; there are {', '.join(house_way_ids())}")
    if sheet is None:
        return Change(house_way=house_way_id)
    return Change(sheet.fingerprint, sheet.content, house_way_id)


def published_sheet(ledger: Ledger, ref: str) -> PublishedSheet:
    """The sheet `id@version` of the ledger; raises NoSuchSheet with what may have been meant."""
    found = Rules(ledger).find(ref)
    if found is None:
        known = [key[1] for key, _ in ledger.desk.entries("sheet")]
        near = nearest(ref, known) or known
        raise NoSuchSheet(f"no sheet {ref!r} in this ledger; there are {', '.join(near)}, or name a file of one")
    return found


class Considered(NamedTuple):
    """One round in thought: what came of it, a row for each seat with a difference, or why it was left out."""

    round: str
    state: str
    rows: list[dict[str, Any]]
    house_cents: int = 0
    why: str | None = None


def consider(change: Change, ledger: Ledger, rules: Rules, keys: Sequence[str]) -> list[Considered]:
    """The rounds of `keys` under the change."""
    return [_considered(key, records, rules, change) for key, records in ledger.feed.streams("round", keys)]


def _considered(key: str, records: Sequence[Record], rules: Rules, change: Change) -> Considered:
    opened = records[0].event
    assert isinstance(opened, RoundOpened)
    events = [record.event for record in records]
    try:
        pairs = what_if(events, rules.published(opened.sheet), terms_of(records, rules).settling, change.otherwise)
    except OtherGame as other:
        return Considered(key, OTHER_GAME, [], why=str(other))
    except NotComputable as why:
        return Considered(key, NOT_COMPUTABLE, [], why=str(why))
    if pairs is None:
        return Considered(key, NOT_SETTLED, [], why="it is not settled, or it was voided")
    rows = list(_rows(opened, pairs))
    changed = [row for row in rows if row["lines"]]
    house = -sum(row["difference_cents"] for row in rows if row["player"] is not None)
    return Considered(key, CHANGED if changed else SAME, changed, house)


def _rows(opened: RoundOpened, pairs: Iterable[Pair]) -> Iterator[dict[str, Any]]:
    """A row for each seat and owner of a wager: what they gained, what they would have, and the lines that differ."""
    own = sorted((pair for pair in pairs if not pair.line.toke), key=lambda pair: (-pair.line.seat, _owner(pair)))
    for (seat, _), grouped in groupby(own, key=lambda pair: (pair.line.seat, _owner(pair))):
        lines = list(grouped)
        was = sum(pair.was.net_cents for pair in lines if pair.was is not None)
        difference = sum(pair.difference_cents for pair in lines)
        yield {
            "round": opened.round,
            "table": opened.table,
            "gaming_day": opened.gaming_day,
            "seat": seat,
            "player": lines[0].line.player,
            "net_cents": was,
            "would_be_cents": was + difference,
            "difference_cents": difference,
            "lines": [_compared(pair) for pair in lines if _differs(pair)],
        }


def _owner(pair: Pair) -> str:
    return pair.line.player or ""


def _differs(pair: Pair) -> bool:
    return pair.was is None or pair.would_be is None or _figures(pair.was) != _figures(pair.would_be)


def _compared(pair: Pair) -> dict[str, Any]:
    line = pair.line
    return {
        "line_id": line.line_id,
        "wager": line.wager,
        "was": None if pair.was is None else _figures(pair.was),
        "would_be": None if pair.would_be is None else _figures(pair.would_be),
        "difference_cents": pair.difference_cents,
    }


def _figures(line: WagerSettled) -> dict[str, Any]:
    return {
        "outcome": line.outcome,
        "odds": line.odds,
        "hand": line.hand,
        "won_cents": line.won_cents,
        "returned_cents": line.returned_cents,
        "commission_cents": line.commission_cents,
        "net_cents": line.net_cents,
    }


class Sum:
    """What many considered rounds come to."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self.states = dict.fromkeys((SAME, CHANGED, NOT_SETTLED, OTHER_GAME, NOT_COMPUTABLE), 0)
        self.rows: list[dict[str, Any]] = []
        self.left_out: list[dict[str, Any]] = []
        self.house_cents = 0

    def take(self, each: Considered) -> None:
        """Adds one round."""
        self.states[each.state] += 1
        self.rows.extend(each.rows)
        self.house_cents += each.house_cents
        if each.state == NOT_COMPUTABLE:
            self.left_out.append({"round": each.round, "why": each.why})

    @property
    def compared(self) -> int:
        """How many rounds could be compared."""
        return self.states[SAME] + self.states[CHANGED]

    def check(self) -> None:
        """Raises WrongGame where the change is of no game among the rounds."""
        if self.states[OTHER_GAME] and not self.compared and not self.states[NOT_COMPUTABLE]:
            raise WrongGame(f"{self._change.named} fits {self._fits()}")

    def _fits(self) -> str:
        games = self._change.games
        if not games:
            return "no game; name a house way that sets the hands of the sheet's game"
        return f"{', '.join(games)}, and none of these rounds is; name rounds of that game"

    def as_json(self) -> dict[str, Any]:
        """The whole comparison as one document; the house's difference is with what meters and dealers keep."""
        return {
            "with": self._change.as_json(),
            "rounds": sum(self.states.values()),
            "compared": self.compared,
            "changed": self.states[CHANGED],
            "not_settled": self.states[NOT_SETTLED],
            "other_game": self.states[OTHER_GAME],
            "players_difference_cents": sum(row["difference_cents"] for row in self.rows if row["player"] is not None),
            "house_difference_cents": self.house_cents,
            "not_computable": self.left_out,
            "seats": self.rows,
        }
