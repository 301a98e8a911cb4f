"""Random lives of meters over many days: every day's report holds, the days lead on to each other and to what is held.

`METER_HISTORIES=200` plays that many instead of a few.
"""

from __future__ import annotations

import os
from collections import defaultdict
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from domain.house_events import PropertyOpened
from domain.rounds.events import ContributionTaken, RoundOpened, WagerSettled
from domain.times import gaming_day
from ledger.service import Ledger
from projections import catalog
from projections.asof import AsOf, log
from projections.jackpots import list_jackpots, missing_slips, show_jackpots
from projections.meter_life import meter_life
from projections.meter_reports import Asked, meter_report
from projections.meters import list_meters
from tests.postgres import Database
from tests.properties.meter_history import History, Sent

SEEDS = range(int(os.environ.get("METER_HISTORIES", "2")))
STEPS, FEWER = 20, 8
_COLUMNS = {
    "increments": "increments",
    "hidden_increments": "hidden",
    "resets": "resets",
    "adjustments": "adjustments",
    "transfers_in": "transfers_in",
    "transfers_out": "transfers_out",
    "wins": "wins",
    "in_count": "in_count",
    "hits": "hits",
    "reserve_used": "used",
    "hidden_adjustments": "reserve_adjustments",
    "hidden_transfers_out": "reserve_out",
}
Level = tuple[str, str]


class LongHistory(History):
    """The same life, slower: two weeks of it."""

    def _send(self, command: str, **keys: Any) -> Sent:
        self._minute += self.chance.randrange(0, 90)
        return super()._send(command, **keys)


def played(ledger: Ledger, seed: int, steps: int) -> LongHistory:
    history = LongHistory(ledger, seed)
    history.play(steps)
    return history


def reports(ledger: Ledger) -> list[dict[str, Any]]:
    """The report of each day from the first to the last; the levels in one dictionary."""
    first, last = date(2026, 5, 1), date.fromisoformat(latest(ledger))
    days = [(first + timedelta(days=number)).isoformat() for number in range((last - first).days + 1)]
    documents = [meter_report(ledger, Asked(day)).document for day in days]
    return [document for document in documents if document is not None]


def latest(ledger: Ledger) -> str:
    document = meter_report(ledger, Asked()).document
    assert document is not None
    return str(document["day"])


def levels(document: dict[str, Any]) -> dict[Level, dict[str, Any]]:
    return {(meter["meter"], level["level"]): level for meter in document["meters"] for level in meter["levels"]}


def check(ledger: Ledger, history: LongHistory) -> None:
    """Every day holds, opens with the closing before it, and all of them come to the book and to what is held."""
    sums: defaultdict[Level, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    closing: dict[Level, tuple[int, int]] = {}
    for document in reports(ledger):
        assert document["holds"], document
        for name, level in levels(document).items():
            opens = (level["opening"], level["hidden_opening"])
            assert opens == closing.get(name, (level["base_micros"], 0)), (document["day"], name)
            closing[name] = (level["closing"], level["hidden_closing"])
            for column in _COLUMNS:
                sums[name][column] += level[column]
    for name, of in history.book.columns.items():
        for column, in_the_book in _COLUMNS.items():
            assert sums[name][column] == of[in_the_book], (name, column)
        assert closing[name] == (history.book.accrued(name), history.book.reserve(name))
    for meter in list_meters(ledger).rows:
        for level in meter["levels"]:
            held = (level["accrued_micros"], level["reserve_micros"])
            assert closing[meter["meter"], level["level"]] == held


@pytest.mark.parametrize("seed", SEEDS)
def test_every_day_of_a_random_life_holds_and_leads_to_the_next(seed: int, tmp_path: Path) -> None:
    with Ledger.open(f"sqlite:///{tmp_path / 'rounds.db'}") as ledger:
        history = played(ledger, seed, STEPS)
        check(ledger, history)
        assert len(reports(ledger)) > 5
        _by_the_rounds_days(ledger)
        before = catalog.digest(ledger, "meter_book")
        catalog.rebuild(ledger, "meter_book", page=53)
        assert catalog.digest(ledger, "meter_book") == before


def _by_the_rounds_days(ledger: Ledger) -> None:
    """What the rounds of a day took and won, counted once more from the log; voids are theirs apart.

    A mystery is won on the day on which it is told.
    """
    day_of: dict[str, str] = {}
    clock_of: dict[str, tuple[str, str]] = {}
    counted: defaultdict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for record in log(ledger.feed.after):
        event = record.event
        if isinstance(event, PropertyOpened):
            clock_of[event.property] = (event.zone, event.day_starts)
        elif isinstance(event, RoundOpened):
            day_of[event.round] = event.gaming_day
            clock_of[event.round] = clock_of[event.property]
        elif isinstance(event, ContributionTaken):
            for part in event.levels:
                counted[event.meter, part.level, day_of[record.stream.key]][0] += part.increment_micros
        elif isinstance(event, WagerSettled) and event.hit is not None:
            key = record.stream.key
            day = gaming_day(record.at, *clock_of[key]) if event.wager == "mystery" else day_of[key]
            counted[event.hit.meter, event.hit.level, day][1] += event.won_cents * 10_000
    for document in reports(ledger):
        if "round.voided" not in [each["code"] for each in document["exceptions"]]:
            for name, level in levels(document).items():
                assert [level["increments"], level["wins"]] == counted[(*name, document["day"])]


def test_the_reports_of_a_life_in_postgresql_are_those_of_a_file(database: Database, tmp_path: Path) -> None:
    with Ledger.open(database.url) as there, Ledger.open(f"sqlite:///{tmp_path / 'rounds.db'}") as here:
        history = played(there, 1, FEWER)
        played(here, 1, FEWER)
        check(there, history)
        assert reports(there) == reports(here)
        assert list_jackpots(there) == list_jackpots(here)
        assert meter_life(there, "LINK") == meter_life(here, "LINK")
        assert show_jackpots(there, "R1").rows == show_jackpots(here, "R1").rows
        assert missing_slips(there) == missing_slips(here)
        asked = Asked(period="month", property="NORTH", meter="OWN")
        assert meter_report(there, asked) == meter_report(here, asked)
        point = AsOf(position=here.head().position // 2)
        assert list_meters(there, point).rows == list_meters(here, point).rows
        before = catalog.digest(there, "meter_book")
        catalog.rebuild(there, "meter_book", page=31)
        assert catalog.digest(there, "meter_book") == before == catalog.digest(here, "meter_book")
