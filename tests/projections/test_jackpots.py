"""Jackpots: their states and order, filters, what is next, and numbers between slips that no payment has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from domain.house_events import PropertyOpened
from domain.rounds.events import Event, JackpotPaid, JackpotRefused, JackpotValidated, LineCorrected
from domain.streams import Stream
from ledger.service import Ledger
from projections.jackpots import STATES, Claims, list_jackpots, missing_slips, next_step, show_jackpots
from projections.meter_reports import Asked, meter_report
from projections.slips import gaps
from tests.projections.hands import contribution, corrected, hit, line, meter, opened, settled, voided
from tests.projections.sources import HandMade

BASE = 100_000_000
LINE = "1.progressive"
NORTH = Stream("property", "NORTH")
Row = dict[str, Any]


def claim(
    log: HandMade, key: str, *then: Event, day: str = "2026-05-04", at: str = "2026-05-04T18:00:00-04:00"
) -> None:
    """A round with a share of the meter."""
    if not log.records:
        log.add(NORTH, PropertyOpened("NORTH", "America/New_York", "06:00", "USD"))
        log.add(Stream("meter", "PROG"), meter())
    taken = hit(BASE, 10_000)
    log.in_round(key, opened(key, gaming_day=day), contribution(0), taken, settled(key), *then, at=at)


def validated(signal: bool = True) -> JackpotValidated:
    return JackpotValidated(LINE, 1, "progressive", 1, "F1", signal)


def refused() -> JackpotRefused:
    return JackpotRefused(LINE, 1, "progressive", 1, "F1", "the seal was broken")


def paid(key: str, slip: str, cents: int = 1, **other: Any) -> JackpotPaid:
    given: Row = {"gaming_day": "2026-05-04"} | other
    return JackpotPaid(key, LINE, 1, "progressive", 1, slip, "cage", "C1", "F1", cents, cents - 1, **given)


def listed(log: HandMade, **claims: Any) -> list[tuple[str, str]]:
    return [(row["round"], row["state"]) for row in list_jackpots(log, Claims(**claims)).rows]


def all_states(log: HandMade) -> None:
    claim(log, "VOID", voided(key="VOID"))
    claim(log, "REFUSED", refused())
    claim(log, "PAID", validated(), paid("PAID", "J-7", 4, supervisor="S1", withheld_cents=1))
    claim(log, "VALID", validated(signal=False), day="2026-05-05")
    claim(log, "CLAIM")


def test_open_ones_come_first(log: HandMade) -> None:
    all_states(log)
    found = listed(log)
    assert [state for _, state in found] == list(STATES)
    assert found[0] == ("CLAIM", "claimed")


def test_every_filter_keeps_what_it_says(log: HandMade) -> None:
    all_states(log)
    assert listed(log, day="2026-05-05") == [("VALID", "validated")]
    assert listed(log, slip="J-7") == listed(log, states=("paid",)) == [("PAID", "paid")]
    assert len(listed(log, meter="PROG")) == len(listed(log, property="NORTH")) == 5
    assert listed(log, meter="OTHER") == listed(log, property="SOUTH") == []


def test_an_odds_prize_is_a_jackpot_and_no_share_of_a_meter(log: HandMade) -> None:
    claim(log, "R1")
    prize = line(stake=100, won=5_000, wager="progressive", line_id=LINE, odds="50 for 1")
    log.in_round("R2", opened("R2"), prize, line(stake=100, wager="progressive", line_id="2.progressive"))
    assert listed(log) == [("R1", "claimed"), ("R2", "claimed")]
    assert listed(log, shares=True) == [("R1", "claimed")]


def test_the_row_has_the_slip_what_it_differs_by_and_who(log: HandMade) -> None:
    all_states(log)
    (row,) = list_jackpots(log, Claims(slip="J-7")).rows
    assert (row["amount_cents"], row["paid_cents"], row["difference_cents"], row["withheld_cents"]) == (1, 4, 3, 1)
    people = ("validated_by", "paid_by", "witness", "supervisor", "dealer")
    assert [row[name] for name in people] == ["F1", "C1", "F1", "S1", "D1"]
    assert (row["signal"], row["table"], row["paid_day"]) == (True, "T1", "2026-05-04")


NOT_CORRECTED: Row = {"amount_cents": 9_00, "due_cents": 9_00, "paid_cents": 8_00, "difference_cents": -1_00}


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("claimed", "not the dealer D1"),
        ("validated", "the cage, never the rack"),
        ("paid", "form W-2G is due"),
        ("refused", "correct_line with what is due, and adjust_meter"),
        ("voided", ""),
    ],
)
def test_what_is_next_is_said(state: str, says: str) -> None:
    row: Row = {"state": state, "percent": 10, "dealer": "D1", "form_due": "W-2G", "form": None} | NOT_CORRECTED
    told = next_step(row, 25_00)
    assert says in told and bool(told) == bool(says)
    assert next_step(row | {"state": "paid", "form": "117"}, 25_00) == ""
    assert "adjust_meter" not in next_step(row | {"state": "refused", "percent": None}, 25_00)
    assert "the cage or the rack" in next_step(row | {"state": "validated", "percent": None}, 25_00)


@pytest.mark.parametrize(
    ("state", "due", "says"),
    [
        ("claimed", 0, "nothing: its line was corrected to nothing"),
        ("validated", -1_00, "nothing: its line was corrected to nothing"),
        ("validated", 5_00, "pay_jackpot"),
        ("refused", 0, ""),
        ("paid", 0, "due $0.00 by its corrections, and the slip paid $8.00: settle"),
        ("paid", 9_00, ""),
    ],
)
def test_what_is_next_of_a_corrected_line_is_said(state: str, due: int, says: str) -> None:
    row: Row = {"state": state, "percent": 10, "dealer": "D1", "form_due": None, "form": None} | NOT_CORRECTED
    told = next_step(row | {"due_cents": due}, 25_00)
    assert says in told and bool(told) == bool(says)


def slips(*names: str, property_: str = "NORTH") -> list[Row]:
    return [{"property": property_, "slip": name, "paid_day": "2026-05-04"} for name in names]


@pytest.mark.parametrize(
    ("used", "missing"),
    [
        (("J-1", "J-2", "J-3"), []),
        (("J-3", "J-1"), ["J-2"]),
        (("J-009", "J-012"), ["J-010 to J-011"]),
        (("A1", "B3"), []),
        (("7", "10"), ["8 to 9"]),
        (("R1/5.progressive", "R9/5.progressive"), []),
    ],
)
def test_numbers_between_slips_of_a_run_are_missing(used: tuple[str, ...], missing: list[str]) -> None:
    assert [gap["missing"] for gap in gaps(slips(*used))] == missing


def test_runs_are_a_propertys_own() -> None:
    assert list(gaps([*slips("J-1"), *slips("J-5", property_="SOUTH")])) == []


def test_a_missing_slip_is_an_exception_of_the_day_the_next_one_was_paid(log: HandMade) -> None:
    claim(log, "R1", validated(), paid("R1", "J-1"))
    claim(log, "R2", validated(), paid("R2", "J-3", gaming_day="2026-05-06"))
    assert [gap["missing"] for gap in missing_slips(log).rows] == ["J-2"]
    assert missing_slips(log, "SOUTH").rows == []
    codes = {day: codes_of(log, day) for day in ("2026-05-05", "2026-05-06")}
    assert codes == {"2026-05-05": [], "2026-05-06": ["slip.gap"]}


def codes_of(log: HandMade, day: str, **asked: Any) -> list[str]:
    document = meter_report(log, Asked(day, **asked)).document
    assert document is not None
    return [each["code"] for each in document["exceptions"] if each["code"] != "meter.differs"]


def test_a_share_that_stays_unpaid_is_an_exception_after_the_days_that_are_given(log: HandMade) -> None:
    claim(log, "R1")
    assert codes_of(log, "2026-05-11") == []
    assert codes_of(log, "2026-05-12") == ["jackpot.open"]
    assert codes_of(log, "2026-05-12", open_days=8) == []


def of_this_line(difference: int) -> LineCorrected:
    return corrected(difference, wager="progressive", line_id=LINE)


def test_a_corrected_jackpot_says_what_is_due_by_now(log: HandMade) -> None:
    claim(log, "R1")
    log.in_round("R1", corrected(-50), of_this_line(-1), of_this_line(3), at="2026-05-05T18:00:00-04:00")
    claim(log, "R2", of_this_line(-1), of_this_line(-1))
    first, second = list_jackpots(log).rows
    assert (first["amount_cents"], first["due_cents"], first["corrected_at"]) == (1, 3, "2026-05-05T18:00:00-04:00")
    assert (second["amount_cents"], second["due_cents"], second["state"]) == (1, 0, "claimed")


def test_a_jackpot_that_was_corrected_to_nothing_is_not_waited_for(log: HandMade) -> None:
    claim(log, "R1")
    log.in_round("R1", of_this_line(-1), at="2026-05-13T18:00:00-04:00")
    assert codes_of(log, "2026-05-12") == ["jackpot.open"]
    assert codes_of(log, "2026-05-13") == []


LATER = "2026-05-13T18:00:00-04:00"


@pytest.mark.parametrize(
    "later",
    [validated(), refused(), voided(key="R1"), paid("R1", "J-1", gaming_day="2026-05-13")],
    ids=lambda event: event.NAME,
)
def test_a_past_days_report_says_what_was_open_then_whatever_came_later(log: HandMade, later: Event) -> None:
    claim(log, "R1")
    log.in_round("R1", later, at=LATER)
    assert codes_of(log, "2026-05-11") == []
    assert codes_of(log, "2026-05-12") == ["jackpot.open"]
    document = meter_report(log, Asked("2026-05-12")).document
    assert document is not None
    (found,) = [each for each in document["exceptions"] if each["code"] == "jackpot.open"]
    assert "is claimed for 8 days" in found["text"]
    assert codes_of(log, "2026-05-14") == (["jackpot.open"] if isinstance(later, JackpotValidated) else [])


def test_an_odds_prize_is_waited_for_from_its_validation_on(log: HandMade) -> None:
    claim(log, "R1", refused())
    prize = line(stake=100, won=5_000, wager="progressive", line_id=LINE, odds="50 for 1")
    log.in_round("R2", opened("R2"), prize)
    log.in_round("R2", validated(), at=LATER)
    assert [codes_of(log, day) for day in ("2026-05-12", "2026-05-13")] == [[], ["jackpot.open"]]


@pytest.fixture
def evening(tmp_path: Path) -> Ledger:
    from cli.simulation.feed import feed
    from cli.simulation.habits import EVENTFUL
    from tests.projections.sources import record_all, url

    ledger = Ledger.open(url(tmp_path / "evening.db"))
    record_all(ledger, feed(11, 60, habits=EVENTFUL, bias=True))
    return ledger


SAID_BY_BOTH = (
    "state",
    "amount_cents",
    "due_cents",
    "player",
    "validated_by",
    "slip",
    "paid_by",
    "witness",
    "signal",
)


def test_the_list_is_what_the_replays_say(evening: Ledger) -> None:
    from projections.replays import replay_all

    with evening:
        rows = {(row["round"], row["line_id"]): row for row in list_jackpots(evening).rows}
        told = {
            (document["round"], each["line_id"]): each
            for document in replay_all(evening)
            for each in document["jackpots"]
        }
        assert set(rows) == set(told) and len(rows) > 20
        for key, each in told.items():
            for name in SAID_BY_BOTH:
                assert rows[key][name] == each[name], (key, name)


def test_one_jackpot_is_shown_with_every_step_of_it(evening: Ledger) -> None:
    with evening:
        (first, *_) = list_jackpots(evening, Claims(states=("paid",))).rows
        (shown,) = show_jackpots(evening, first["round"], first["line_id"]).rows
        steps = [frame["event"] for frame in shown["course"]]
        assert steps[0] == "round.wager-settled"
        assert steps.index("jackpot.validated") < steps.index("jackpot.paid")
        assert {name: shown[name] for name in first} == first
        assert show_jackpots(evening, "nobody").rows == []
