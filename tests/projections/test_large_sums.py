"""No accepted log stops a read model: what would take a meter's sums past 64 bits is refused before."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from domain.intake import command_and_digest
from domain.money import FULL_MICROS, MAX_CENTS, MAX_MICROS
from ledger import integrity
from ledger.service import Ledger
from projections import catalog
from projections.meter_reports import Asked, meter_report
from projections.meters import show_meter
from tests.cases.case import EXAMPLES
from tests.projections.sources import url

Command = dict[str, Any]
AT = "2026-03-14T18:00:00-04:00"
MOST = {"min_cents": 1, "max_cents": MAX_CENTS}
LEVEL = {"level": "major", "base_micros": 0, "reset_micros": 0, "rate_bp": 10_000, "hidden_rate_bp": 10_000}
TWO = ["F1", "M1"]


def house() -> Iterator[Command]:
    """The example's property and sheet without limits, and two meters that take every stake twice over."""
    given = [json.loads(line) for line in (EXAMPLES / "one-round.jsonl").read_text(encoding="utf-8").splitlines()]
    property_, published = (next(each for each in given if each["command"] == name) for name in HOUSE)
    sheet = published["sheet"]
    share = {"hand": "five_aces", "kind": "percent_of_meter", "percent": 100, "level": "major"}
    sheet["paytables"]["most"] = {"source": "trial", "ranking": "seven_card_bonus", "lines": [share]}
    sheet["wagers"] = {
        "main": {**MOST, "paytable": "even"},
        "progressive": {**MOST, "paytable": "most", "meter": "PROG"},
    }
    yield property_
    yield published
    for meter in ("PROG", "OTHER"):
        yield {
            "command": "open_meter",
            "meter": meter,
            "property": property_["property"],
            "levels": [LEVEL | {"limit_micros": None}],
            "unreasonable_micros": MAX_MICROS,
            "effective_from": published["effective_from"],
            "approved_by": "F1",
        }


HOUSE = ("open_property", "publish_sheet")


def wagers(rounds: int) -> Iterator[Command]:
    """A round each at a table of its own, with the largest stake that there is on one meter."""
    for number in range(1, rounds + 1):
        key = {"round": f"R{number}"}
        yield key | {
            "command": "open_round",
            "property": "RIVERSIDE",
            "table": f"T{number}",
            "number": 1,
            "game": "fortune",
            "sheet": "fortune-cardroom@1",
            "dealer": "D1",
            "seats": {"1": "P1"},
        }
        yield key | {"command": "place_wager", "seat": 1, "wager": "main", "amount_cents": 1}
        yield key | {"command": "place_wager", "seat": 1, "wager": "progressive", "amount_cents": MAX_CENTS}
        yield key | {"command": "close_betting"}


def there_and_back(times: int) -> Iterator[Command]:
    """The largest amount that can be moved, from one meter into the other and again and again."""
    entry = {"level": "major", "amount_micros": MAX_MICROS, "evidence": "form 7", "approved_by": TWO}
    yield {"command": "adjust_meter", "meter": "PROG", "reason": "house_added", **entry}
    for each in range(times):
        meters = ("PROG", "OTHER") if each % 2 == 0 else ("OTHER", "PROG")
        yield {
            "command": "transfer_meter",
            "reason": "table_moved",
            **dict(zip(("meter", "to"), meters, strict=True)),
        } | entry


def record(ledger: Ledger, commands: Iterator[Command]) -> Counter[str]:
    """Records what is accepted; how often which code was refused."""
    told = ({"command_id": f"c{number}", "at": AT, "by": "E1"} | each for number, each in enumerate(commands))
    receipts = ledger.submit([command_and_digest(json.dumps(each)) for each in told])
    return Counter(each.code for each in receipts if each.code is not None)


def test_the_largest_wagers_are_refused_before_a_sum_of_their_meter_leaves_64_bits(tmp_path: Path) -> None:
    with Ledger.open(url(tmp_path / "rounds.db")) as ledger:
        refused = record(ledger, iter([*house(), *wagers(60)]))
        assert refused == {"meter.full": 34}
        assert_followed(ledger)
        (level,) = show_meter(ledger, "PROG").rows[0]["levels"]
        taken = 26 * MAX_MICROS
        assert (level["increments_micros"], level["hidden_increments_micros"]) == (taken, taken)
        document, _, _ = meter_report(ledger, Asked("2026-03-14"))
        assert document is not None and document["holds"]


def test_the_largest_entries_are_refused_before_a_sum_of_their_meters_leaves_64_bits(tmp_path: Path) -> None:
    with Ledger.open(url(tmp_path / "rounds.db")) as ledger:
        assert record(ledger, iter([*house(), *there_and_back(120)])).keys() == {"meter.full", "meter.insufficient"}
        assert_followed(ledger)
        for meter in ("PROG", "OTHER"):
            (level,) = show_meter(ledger, meter).rows[0]["levels"]
            assert max(value for name, value in level.items() if name.endswith("_micros") and value) <= FULL_MICROS


def assert_followed(ledger: Ledger) -> None:
    """Every read model took the whole log in, and the writer's own sums are those of the log."""
    statuses: list[Any] = catalog.catch_up(ledger)
    assert [(each.name, each.lag, each.error) for each in statuses if each.lag or each.error] == []
    assert integrity.verify(ledger).verified


def test_a_level_that_filled_up_meanwhile_is_refused_at_no_more_bets_and_the_wager_can_be_withdrawn(
    tmp_path: Path,
) -> None:
    commands: list[Mapping[str, Any]] = [*house(), *wagers(60)]
    opened = [each for each in commands if each["command"] != "close_betting"]
    closed = [each for each in commands if each["command"] == "close_betting"]
    with Ledger.open(url(tmp_path / "rounds.db")) as ledger:
        assert record(ledger, iter([*map(dict, opened), *map(dict, closed)])) == {"meter.full": 34}
        off = {"command": "withdraw_wager", "seat": 1, "wager": "progressive", "amount_cents": MAX_CENTS}
        last = [{**off, "round": "R60", "command_id": "off"}, {**closed[-1], "command_id": "closed"}]
        assert record(ledger, iter(last)) == {}
        assert_followed(ledger)
