"""People read a meter's findings in dollars; what is stored of them, and compared by a recheck, stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domain.intake import command_and_digest
from domain.meters import LevelTerms, Meter, open_meter
from domain.rounds.betting import contribution
from domain.rounds.events import ContributionTaken
from ledger.service import Ledger
from projections.finding_words import in_words
from projections.meter_reports import Asked, meter_report
from projections.replays import replay
from tests.cases.case import EXAMPLES
from tests.projections.sources import url

NAMES = ["PROG", "5 micros to X, above 3", "two\nlines"]


def meter(name: str) -> Meter:
    """A level that takes 18 %, and a mystery that was to be hit by what it holds."""
    plain = LevelTerms("major", 0, 0, 1_800, 0, None)
    mystery = LevelTerms("grand", 999_999_999, 0, 100, 0, None, 1_000_000_000, "ab" * 32)
    opened = open_meter(name, "NORTH", "2026-01-01T00:00:00Z", 1_000_000, [plain, mystery])
    return opened.contributed(contribution(1, "P1", "progressive", 1_00, opened))


@pytest.mark.parametrize("name", NAMES)
def test_what_the_rules_find_is_told_in_dollars(name: str) -> None:
    found = contribution(5, "P5", "progressive", 100_00, meter(name)).findings
    assert [(each.code, in_words(each.code, each.text)) for each in found] == [
        ("meter.unreasonable", f"$18.00 to {name} major, above $1.00"),
        ("mystery.due", f"{name} grand was to be hit by $1,000.00; its secret is due"),
    ]


@pytest.mark.parametrize("text", ["too much", "5 micros", "$18.00 to PROG major, above $1.00", ""])
def test_a_text_of_another_form_is_left_alone(text: str) -> None:
    assert in_words("meter.unreasonable", text) == in_words("mystery.due", text) == text
    assert in_words("hand.foul", "5 micros to X, above 3") == "5 micros to X, above 3"


def test_replays_and_reports_have_dollars_and_the_log_what_was_recorded(tmp_path: Path) -> None:
    feed = (EXAMPLES / "one-round.jsonl").read_text(encoding="utf-8").splitlines()
    given = [json.loads(line) for line in feed]
    for each in given:
        if each["command"] == "open_meter":
            each["unreasonable_micros"] = 60_000
    with Ledger.open(url(tmp_path / "rounds.db")) as ledger:
        receipts = ledger.submit([command_and_digest(json.dumps(each)) for each in given])
        assert {each.status for each in receipts} == {"recorded"}
        key = next(each["round"] for each in given if "round" in each)
        events = [record.event for record in ledger.round_records(key)]
        (stored,) = {each.text for event in events if isinstance(event, ContributionTaken) for each in event.findings}
        assert stored == "180000 micros to PROG major, above 60000"
        document = replay(ledger, key)
        texts = {each["text"] for each in document["findings"] if each["code"] == "meter.unreasonable"}
        assert texts == {"$0.18 to PROG major, above $0.06"}
        assert document["recheck"] == {"matches": True, "differences": []}
        report, _, _ = meter_report(ledger, Asked())
        assert report is not None and texts <= {each["text"] for each in report["exceptions"]}
