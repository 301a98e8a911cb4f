"""The meter book: what moved every level of every meter on each gaming day, its hits, entries, readings and jackpots.

Amounts are micros, `…_cents` cents. Which gaming day a movement belongs to is a stored fact: of contributions and hits
it is the round's, of voids, payments, and entries and readings outside the rounds the one in the event. The opening of
a meter and a mystery that is told carry none; their day follows from `at` and the wall clock that the property was
opened with, and so does that of a void or payment that was recorded without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from domain import house_events as house
from domain.meters import Held
from domain.rounds import events as happened
from domain.rounds.claims import JACKPOT_WAGERS
from domain.rounds.events import ContributionTaken, Hit, MeterReversal, RoundVoided, WagerSettled
from domain.rounds.mystery import MYSTERY_WAGER
from domain.times import gaming_day, instant
from ledger.records import Record
from ledger.tables import BIG, TEXT, Column, Kind, Table
from projections.statements import Writing, among
from projections.store import Projection, every_row, upsert

FIGURES = (
    "increments_micros",
    "hidden_increments_micros",
    "in_count",
    "hits",
    "wins_micros",
    "resets_micros",
    "reserve_used_micros",
    "adjustments_micros",
    "transfers_in_micros",
    "transfers_out_micros",
    "reserve_adjustments_micros",
    "reserve_transfers_out_micros",
)
"""What a day adds up, kind by kind."""
CHANGES = ("accrued_change_micros", "reserve_change_micros")
"""How much more a level held after the day than before it, by the readings themselves and not by kind."""
SLOT = timedelta(minutes=10)
"""How finely a meter's life is kept between its hits and entries."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BY_DAY = ("meter", "gaming_day")
Row = dict[str, Any]
Name = tuple[str, str]
"""A level: its meter and its own name."""


class MeterBook(Projection):
    """What a coordinator's reports are read from."""

    NAME: ClassVar[str] = "meter_book"
    SCHEMA: ClassVar[int] = 3

    def __init__(self, build: int) -> None:
        super().__init__(build)
        self.levels = self._table("levels", ("meter", "level"), _LEVEL)
        sums = dict.fromkeys((*FIGURES, *CHANGES), BIG)
        self.days = self._table("days", ("meter", "level", "gaming_day"), sums, ("gaming_day",))
        self.life = self._table("life", ("meter", "level", "slot"), {"slot": BIG, "accrued_micros": BIG})
        self.members = self._table("members", ("meter", "gaming_day", "table"), {})
        self.hits = self._table("hits", ("position",), _HIT, _BY_DAY)
        self.entries = self._table("entries", ("position", "meter", "level"), _ENTRY, _BY_DAY)
        self.readings = self._table("readings", ("position",), _READING, _BY_DAY)
        self.findings = self._table("findings", ("position", "place"), _FINDING, ("gaming_day",))
        of_jackpots = ("state", "gaming_day"), ("gaming_day",), ("slip",)
        self.jackpots = self._table("jackpots", ("round", "line_id"), _JACKPOT, *of_jackpots)
        self.properties = self._table("properties", ("property",), _PROPERTY)
        self.rounds = self._table("rounds", ("round",), _ROUND)

    def _table(self, part: str, keys: Sequence[str], columns: Mapping[str, Kind], *indexes: tuple[str, ...]) -> Table:
        """A table by the kinds of its columns; what is no key and ends with `?` may be null."""
        kinds = {name.rstrip("?"): kind for name, kind in columns.items()}
        known = {"position": BIG, "place": BIG} | kinds
        others = [name for name in columns if name.rstrip("?") not in keys]
        return self.table(
            part,
            [
                *(Column(name, known.get(name, TEXT), key=True) for name in keys),
                *(Column(name.rstrip("?"), columns[name], null=name.endswith("?")) for name in others),
            ],
            *indexes,
            rowid=False,
        )

    def apply(self, connection: Writing, records: Sequence[Record]) -> None:
        """Brings the book to the end of the page."""
        ours = [record for record in records if isinstance(record.event, _OURS)]
        if not ours:
            return
        page = _Page()
        self._look_up(connection, page, ours)
        for record in ours:
            page.take(record)
        upsert(connection, self.properties, list(page.opened_properties.values()))
        upsert(connection, self.rounds, list(page.opened_rounds.values()))
        upsert(connection, self.levels, [page.levels[name] for name in sorted(page.moved)])
        upsert(connection, self.days, [page.days[key] for key in sorted(page.days)], frozenset((*FIGURES, *CHANGES)))
        upsert(connection, self.life, [page.life[key] for key in sorted(page.life)])
        upsert(connection, self.members, [dict(zip(_MEMBER, each, strict=True)) for each in sorted(page.members)])
        upsert(connection, self.hits, page.hits)
        upsert(connection, self.entries, page.entries)
        upsert(connection, self.readings, page.readings)
        upsert(connection, self.findings, page.findings)
        upsert(connection, self.jackpots, [page.jackpots[key] for key in sorted(page.changed)])

    def _look_up(self, connection: Writing, page: _Page, records: Iterable[Record]) -> None:
        """What the page builds on: levels, the rounds' own facts, their jackpots, and wall clocks."""
        names, rounds, told, clocks = _asked(records)
        if names:
            for row in every_row(connection, self.levels, among(self.levels["meter"], names)):
                page.levels[row["meter"], row["level"]] = row
        if rounds:
            for row in every_row(connection, self.rounds, among(self.rounds["round"], rounds)):
                page.rounds[row["round"]] = row
        if told:
            for row in every_row(connection, self.jackpots, among(self.jackpots["round"], told)):
                page.jackpots[row["round"], row["line_id"]] = row
        if clocks:
            for row in every_row(connection, self.properties):
                page.properties[row["property"]] = row


_OURS = (
    house.PropertyOpened,
    house.MeterOpened,
    house.MeterAdjusted,
    house.MeterTransferred,
    house.MeterRetired,
    house.MeterRead,
    happened.RoundOpened,
    ContributionTaken,
    WagerSettled,
    RoundVoided,
    happened.JackpotValidated,
    happened.JackpotRefused,
    happened.JackpotPaid,
    happened.LineCorrected,
)
_LEVEL = {
    "property": TEXT,
    "rank": BIG,
    "base_micros": BIG,
    "opened_day": TEXT,
    "opened_at": TEXT,
    "accrued_micros": BIG,
    "reserve_micros": BIG,
    "position": BIG,
    "retired_day?": TEXT,
    "retired_at?": TEXT,
}
_MEMBER = ("meter", "gaming_day", "table")
_HIT = {
    "meter": TEXT,
    "level": TEXT,
    "gaming_day": TEXT,
    "at": TEXT,
    "round": TEXT,
    "line_id": TEXT,
    "percent": BIG,
    "accrued_before_micros": BIG,
    "accrued_after_micros": BIG,
    "win_micros": BIG,
    "reset_micros": BIG,
    "reserve_used_micros": BIG,
}
_ENTRY = {
    "level": TEXT,
    "kind": TEXT,
    "gaming_day": TEXT,
    "at": TEXT,
    "by": TEXT,
    "approved_by": TEXT,
    "reason": TEXT,
    "evidence": TEXT,
    "other?": TEXT,
    "corrected_day?": TEXT,
    "accrued_before_micros": BIG,
    "accrued_after_micros": BIG,
    "reserve_before_micros": BIG,
    "reserve_after_micros": BIG,
    "amount_micros": BIG,
}
_READING = {
    "meter": TEXT,
    "level": TEXT,
    "gaming_day": TEXT,
    "at": TEXT,
    "by": TEXT,
    "display_cents": BIG,
    "expected_cents": BIG,
}
_FINDING = {
    "meter": TEXT,
    "gaming_day": TEXT,
    "at": TEXT,
    "round?": TEXT,
    "seat?": BIG,
    "code": TEXT,
    "text": TEXT,
}
_PROPERTY = {"zone": TEXT, "day_starts": TEXT, "supervisor_from_cents": BIG}
_ROUND = {"property": TEXT, "table": TEXT, "gaming_day": TEXT, "game": TEXT, "dealer": TEXT}
_CLAIM = {
    "claimed_position": BIG,
    "claimed_at": TEXT,
    "property": TEXT,
    "table": TEXT,
    "gaming_day": TEXT,
    "game": TEXT,
    "dealer": TEXT,
    "seat": BIG,
    "player?": TEXT,
    "bettor?": TEXT,
    "toke": BIG,
    "wager": TEXT,
    "hand?": TEXT,
    "odds?": TEXT,
    "cite": TEXT,
    "stake_cents": BIG,
    "amount_cents": BIG,
    "due_cents": BIG,
    "meter?": TEXT,
    "level?": TEXT,
    "percent?": BIG,
    "state": TEXT,
}
_COURSE = {
    "corrected_at?": TEXT,
    "validated_at?": TEXT,
    "validated_by?": TEXT,
    "signal?": BIG,
    "refused_at?": TEXT,
    "refused_by?": TEXT,
    "refused_reason?": TEXT,
    "voided_at?": TEXT,
    "paid_at?": TEXT,
    "paid_day?": TEXT,
    "slip?": TEXT,
    "paid_cents?": BIG,
    "difference_cents?": BIG,
    "withheld_cents?": BIG,
    "paid_from?": TEXT,
    "paid_by?": TEXT,
    "witness?": TEXT,
    "supervisor?": TEXT,
    "tax_year?": BIG,
    "form_due?": TEXT,
    "form?": TEXT,
}
_JACKPOT = _CLAIM | _COURSE | {"position": BIG}
_NOT_YET: Row = {name.rstrip("?"): None for name in _COURSE}


def _asked(records: Iterable[Record]) -> tuple[set[str], set[str], set[str], bool]:
    """The meters that a page moves, the rounds whose facts and whose jackpots it needs, and whether wall clocks."""
    meters: set[str] = set()
    rounds: set[str] = set()
    told: set[str] = set()
    clocks = False
    for record in records:
        event, key = record.event, record.stream.key
        if isinstance(event, ContributionTaken):
            meters.add(event.meter)
            rounds.add(key)
        elif isinstance(event, WagerSettled):
            if event.hit is not None:
                meters.add(event.hit.meter)
            if event.hit is not None or _is_claim(event):
                rounds.add(key)
            clocks = clocks or event.wager == MYSTERY_WAGER
        elif isinstance(event, RoundVoided):
            clocks = True
            meters.update(reversal.meter for reversal in event.meters)
            told.add(key)
        elif isinstance(event, house.MeterOpened):
            clocks = True
        elif isinstance(event, house.MeterTransferred | house.MeterRetired):
            meters.update((event.meter, event.to))
        elif isinstance(event, house.MeterAdjusted):
            meters.add(event.meter)
        elif isinstance(event, happened.JackpotValidated | happened.JackpotRefused | happened.JackpotPaid):
            told.add(key)
            clocks = clocks or isinstance(event, happened.JackpotPaid)
        elif isinstance(event, happened.LineCorrected):
            told.add(key)
    return meters, rounds, told, clocks


def _is_claim(event: WagerSettled) -> bool:
    return event.wager in JACKPOT_WAGERS and event.outcome == "win"


@dataclass(slots=True)
class _Page:
    """The rows that a page of the log changes, in memory."""

    properties: dict[str, Row] = field(default_factory=dict)
    rounds: dict[str, Row] = field(default_factory=dict)
    levels: dict[Name, Row] = field(default_factory=dict)
    jackpots: dict[Name, Row] = field(default_factory=dict)
    opened_properties: dict[str, Row] = field(default_factory=dict)
    opened_rounds: dict[str, Row] = field(default_factory=dict)
    moved: set[Name] = field(default_factory=set)
    changed: set[Name] = field(default_factory=set)
    days: dict[tuple[str, str, str], Row] = field(default_factory=dict)
    life: dict[tuple[str, str, int], Row] = field(default_factory=dict)
    members: set[tuple[str, str, str]] = field(default_factory=set)
    hits: list[Row] = field(default_factory=list)
    entries: list[Row] = field(default_factory=list)
    readings: list[Row] = field(default_factory=list)
    findings: list[Row] = field(default_factory=list)

    def take(self, record: Record) -> None:
        """Takes the next event in."""
        match record.event:
            case happened.RoundOpened() as event:
                kept = {name: getattr(event, name) for name in _ROUND}
                self.rounds[event.round] = self.opened_rounds[event.round] = {"round": event.round, **kept}
            case ContributionTaken() as event:
                self._contribute(event, record)
            case WagerSettled() as event:
                if event.hit is not None:
                    self._hit(event, event.hit, record)
                if _is_claim(event):
                    self._claim(event, record)
            case RoundVoided() as event:
                self._void(event, record)
            case house.PropertyOpened() as event:
                row = {"property": event.property} | {name: getattr(event, name) for name in _PROPERTY}
                self.properties[event.property] = self.opened_properties[event.property] = row
            case house.MeterOpened() as event:
                self._open(event, record)
            case house.MeterRead() as event:
                kept = {name: getattr(event, name) for name in _READING if name not in ("at", "by")}
                self.readings.append({"position": record.position, "at": record.at, "by": record.by, **kept})
            case house.MeterAdjusted() | house.MeterTransferred() | house.MeterRetired() as event:
                self._enter(event, record)
            case happened.JackpotValidated() | happened.JackpotRefused() | happened.JackpotPaid() as event:
                self._follow(event, record)
            case happened.LineCorrected() as event:
                self._correct(event, record)

    def _day(self, property_: str, at: str) -> str:
        clock = self.properties[property_]
        return gaming_day(at, clock["zone"], clock["day_starts"])

    def _open(self, event: house.MeterOpened, record: Record) -> None:
        day = self._day(event.property, record.at)
        for rank, terms in enumerate(event.levels):
            self.levels[event.meter, terms.level] = {
                "meter": event.meter,
                "level": terms.level,
                "property": event.property,
                "rank": rank,
                "base_micros": terms.base_micros,
                "opened_day": day,
                "opened_at": record.at,
                "accrued_micros": terms.base_micros,
                "reserve_micros": 0,
                "retired_day": None,
                "retired_at": None,
            }
            self._move((event.meter, terms.level), day, record, 0, 0)

    def _contribute(self, event: ContributionTaken, record: Record) -> None:
        round_ = self.rounds[record.stream.key]
        day = round_["gaming_day"]
        self.members.add((event.meter, day, round_["table"]))
        for part in event.levels:
            self._move(
                (event.meter, part.level),
                day,
                record,
                part.increment_micros,
                part.hidden_micros,
                increments_micros=part.increment_micros,
                hidden_increments_micros=part.hidden_micros,
                in_count=1,
            )
        for place, finding in enumerate(event.findings):
            found = {"round": round_["round"], "seat": event.seat, "code": finding.code, "text": finding.text}
            self._find(event.meter, day, record, place, found)

    def _hit(self, event: WagerSettled, hit: Hit, record: Record) -> None:
        round_ = self.rounds[record.stream.key]
        # A round's hits are its day's; a mystery that is told later moves the meter then.
        told = event.wager == MYSTERY_WAGER
        day = self._day(round_["property"], record.at) if told else round_["gaming_day"]
        self._move(
            (hit.meter, hit.level),
            day,
            record,
            hit.reset_micros - hit.win_micros,
            -hit.reserve_used_micros,
            hits=1,
            wins_micros=hit.win_micros,
            resets_micros=hit.reset_micros,
            reserve_used_micros=hit.reserve_used_micros,
        )
        after = hit.accrued_before_micros + hit.reset_micros - hit.win_micros
        self.hits.append(
            {
                "position": record.position,
                "meter": hit.meter,
                "level": hit.level,
                "gaming_day": day,
                "at": record.at,
                "round": round_["round"],
                "line_id": event.line_id,
                "percent": hit.percent,
                "accrued_before_micros": hit.accrued_before_micros,
                "accrued_after_micros": after,
                "win_micros": hit.win_micros,
                "reset_micros": hit.reset_micros,
                "reserve_used_micros": hit.reserve_used_micros,
            }
        )

    def _void(self, event: RoundVoided, record: Record) -> None:
        day = event.gaming_day or self._day(event.property, record.at)
        for back in event.meters:
            self._take_back(back, event, day, record)
        for key, row in self.jackpots.items():
            if key[0] == event.round:
                row |= {"state": "voided", "voided_at": record.at, "position": record.position}
                self.changed.add(key)

    def _take_back(self, back: MeterReversal, event: RoundVoided, day: str, record: Record) -> None:
        level = self.levels[back.meter, back.level]
        before = Held(level["accrued_micros"], level["reserve_micros"])
        accrued = back.win_micros - back.increment_micros - back.reset_micros
        reserve = back.reserve_used_micros - back.hidden_micros
        after = Held(before.accrued_micros + accrued, before.reserve_micros + reserve)
        papers = {"reason": event.reason, "evidence": event.round, "approved_by": event.approved_by}
        self._keep((back.meter, back.level), "voided", accrued + reserve, before, after, record, day, papers)
        self._move(
            (back.meter, back.level),
            day,
            record,
            accrued,
            reserve,
            increments_micros=-back.increment_micros,
            hidden_increments_micros=-back.hidden_micros,
            in_count=-back.in_count,
            hits=-back.hits,
            wins_micros=-back.win_micros,
            resets_micros=-back.reset_micros,
            reserve_used_micros=-back.reserve_used_micros,
        )

    def _enter(self, event: house.MeterAdjusted | house.MeterTransferred | house.MeterRetired, record: Record) -> None:
        name = (event.meter, event.level)
        accrued = event.after.accrued_micros - event.before.accrued_micros
        reserve = event.after.reserve_micros - event.before.reserve_micros
        if isinstance(event, house.MeterAdjusted):
            hidden = reserve != 0
            by = {"reserve_adjustments_micros" if hidden else "adjustments_micros": event.amount_micros}
            self._move(name, event.gaming_day, record, accrued, reserve, **by)
            self._keep_of(event, "adjusted", event.amount_micros, record, corrected_day=event.corrected_day)
            for place, finding in enumerate(event.findings):
                found = {"round": None, "seat": None, "code": finding.code, "text": finding.text}
                self._find(event.meter, event.gaming_day, record, place, found)
            return
        retired = isinstance(event, house.MeterRetired)
        out = event.before.accrued_micros if isinstance(event, house.MeterRetired) else event.amount_micros
        hidden_out = event.before.reserve_micros if retired else 0
        self._move(
            name,
            event.gaming_day,
            record,
            accrued,
            reserve,
            transfers_out_micros=out,
            reserve_transfers_out_micros=hidden_out,
        )
        if retired:
            row = self.levels[name]
            row["retired_day"] = row["retired_day"] or event.gaming_day
            row["retired_at"] = row["retired_at"] or record.at
        kind = "retired" if retired else "transferred"
        self._keep_of(event, kind, -out - hidden_out, record, other=event.to)
        if event.to_before is not None and event.to_after is not None:
            came = event.to_after.accrued_micros - event.to_before.accrued_micros
            to = (event.to, event.level)
            self._move(to, event.gaming_day, record, came, 0, transfers_in_micros=out + hidden_out)
            papers = {"reason": event.reason, "evidence": event.evidence, "approved_by": event.approved_by}
            papers["other"] = event.meter
            held = (event.to_before, event.to_after)
            self._keep(to, "received", out + hidden_out, *held, record, event.gaming_day, papers)

    def _keep_of(
        self,
        event: house.MeterAdjusted | house.MeterTransferred | house.MeterRetired,
        kind: str,
        amount_micros: int,
        record: Record,
        **papers: Any,
    ) -> None:
        papers |= {"reason": event.reason, "evidence": event.evidence, "approved_by": event.approved_by}
        name, held = (event.meter, event.level), (event.before, event.after)
        self._keep(name, kind, amount_micros, *held, record, event.gaming_day, papers)

    def _keep(
        self,
        name: Name,
        kind: str,
        amount_micros: int,
        before: Held,
        after: Held,
        record: Record,
        day: str,
        papers: Mapping[str, Any],
    ) -> None:
        """Keeps an entry as it concerns one level, with what that held before and after it."""
        self.entries.append(
            {
                "position": record.position,
                "meter": name[0],
                "level": name[1],
                "kind": kind,
                "gaming_day": day,
                "at": record.at,
                "by": record.by,
                "approved_by": " and ".join(papers["approved_by"]),
                "reason": papers["reason"],
                "evidence": papers["evidence"],
                "other": papers.get("other"),
                "corrected_day": papers.get("corrected_day"),
                "accrued_before_micros": before.accrued_micros,
                "accrued_after_micros": after.accrued_micros,
                "reserve_before_micros": before.reserve_micros,
                "reserve_after_micros": after.reserve_micros,
                "amount_micros": amount_micros,
            }
        )

    def _find(self, meter: str, day: str, record: Record, place: int, found: Row) -> None:
        where = {"position": record.position, "place": place, "meter": meter, "gaming_day": day, "at": record.at}
        self.findings.append(where | found)

    def _move(self, name: Name, day: str, record: Record, accrued: int, reserve: int, **by: int) -> None:
        """Moves a level by what it holds more or less, and its day by that and by the kinds in `by`."""
        level = self.levels[name]
        level["accrued_micros"] += accrued
        level["reserve_micros"] += reserve
        level["position"] = record.position
        self.moved.add(name)
        sums = self.days.get((*name, day))
        if sums is None:
            where = {"meter": name[0], "level": name[1], "gaming_day": day}
            sums = self.days[(*name, day)] = where | dict.fromkeys((*FIGURES, *CHANGES), 0)
        sums["accrued_change_micros"] += accrued
        sums["reserve_change_micros"] += reserve
        for figure, amount in by.items():
            sums[figure] += amount
        slot = (instant(record.at) - _EPOCH) // SLOT
        held = {"meter": name[0], "level": name[1], "slot": slot, "accrued_micros": level["accrued_micros"]}
        self.life[(*name, slot)] = held

    def _claim(self, event: WagerSettled, record: Record) -> None:
        round_ = self.rounds[record.stream.key]
        hit = event.hit
        self.jackpots[round_["round"], event.line_id] = {
            **round_,
            "line_id": event.line_id,
            "claimed_position": record.position,
            "claimed_at": record.at,
            "seat": event.seat,
            "player": event.player,
            "bettor": event.bettor,
            "toke": int(event.toke),
            "wager": event.wager,
            "hand": event.hand,
            "odds": event.odds,
            "cite": event.cite,
            "stake_cents": event.stake_cents,
            "amount_cents": event.won_cents,
            "due_cents": event.won_cents,
            "meter": None if hit is None else hit.meter,
            "level": None if hit is None else hit.level,
            "percent": None if hit is None else hit.percent,
            "state": "claimed",
            **_NOT_YET,
            "position": record.position,
        }
        self.changed.add((round_["round"], event.line_id))

    def _correct(self, event: happened.LineCorrected, record: Record) -> None:
        """What a jackpot is due by now; most corrections are of other lines."""
        key = (record.stream.key, event.line_id)
        row = self.jackpots.get(key)
        if row is not None:
            row |= {"due_cents": row["due_cents"] + event.difference_cents, "corrected_at": record.at}
            row["position"] = record.position
            self.changed.add(key)

    def _follow(
        self, event: happened.JackpotValidated | happened.JackpotRefused | happened.JackpotPaid, record: Record
    ) -> None:
        key = (record.stream.key, event.line_id)
        row = self.jackpots[key]
        self.changed.add(key)
        row["position"] = record.position
        if isinstance(event, happened.JackpotValidated):
            row |= {"state": "validated", "validated_at": record.at, "validated_by": event.validated_by}
            row["signal"] = int(event.signal)
        elif isinstance(event, happened.JackpotRefused):
            row |= {"state": "refused", "refused_at": record.at, "refused_by": event.refused_by}
            row["refused_reason"] = event.reason
        else:
            row |= {"state": "paid", "paid_at": record.at, **{name: getattr(event, name) for name in _SLIP}}
            row["paid_day"] = event.gaming_day or self._day(row["property"], record.at)


_SLIP = (
    "slip",
    "paid_cents",
    "difference_cents",
    "withheld_cents",
    "paid_from",
    "paid_by",
    "witness",
    "supervisor",
    "tax_year",
    "form_due",
    "form",
)
