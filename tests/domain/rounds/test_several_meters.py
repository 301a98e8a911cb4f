"""One stake that feeds several meters: each takes its own part exactly, and a line says which of them it pays from."""

from __future__ import annotations

from typing import Any

import pytest

from domain.meters import LevelTerms
from domain.rounds.events import ContributionTaken, LevelContribution, RoundVoided
from domain.sheets.node import SheetInvalid
from domain.sheets.reading import read_sheet
from tests.domain.rounds.hands import FULL_HOUSES, PLAIN, QUADS
from tests.domain.rounds.table import (
    Content,
    Table,
    a_house,
    a_level,
    a_sheet,
    close,
    open_meter,
    open_round,
    place,
    played,
    publish,
    retire_meter,
    settle,
    void,
)

BOTH = {"main": 10_00, "progressive": 1_00}
LINK = 10_000_000_000
OWN = 1_000_000_000


def line(hand: str, percent: int, level: str, meter: str | None) -> dict[str, Any]:
    named = {} if meter is None else {"meter": meter}
    return {"hand": hand, "kind": "percent_of_meter", "percent": percent, "level": level, **named}


def sheet_of(*lines: dict[str, Any], meters: Any = ("LINK", "OWN")) -> Content:
    return a_sheet(
        id="trial",
        paytables={"trial": lines},
        wagers={"progressive": {"paytable": "trial", "meter": list(meters) if isinstance(meters, tuple) else meters}},
    )


def of_two_meters(link: list[LevelTerms] | None = None, *, percent: int = 10) -> Table:
    """Quads win the major level of LINK, a full house `percent` of OWN's."""
    sheet = sheet_of(line("four_of_a_kind", 100, "major", "LINK"), line("full_house", percent, "major", "OWN"))
    house = a_house(sheet=sheet).given(
        open_meter(link or [a_level("major", LINK), a_level("mega", 0, rate_bp=300)], meter="LINK"),
        open_meter([a_level("major", OWN, reset=OWN, rate_bp=500, hidden_rate_bp=0)], meter="OWN"),
    )
    return house.given(open_round(sheet="trial@1"))


def test_a_stake_feeds_every_meter_in_the_sheets_order() -> None:
    table = of_two_meters().given(place(5, "main", 10_00), place(5, "progressive", 1_00))
    taken = [event for event in table.when(close()).events if isinstance(event, ContributionTaken)]
    assert taken == [
        ContributionTaken(
            5,
            "P5",
            "progressive",
            1_00,
            "LINK",
            (LevelContribution("major", 180_000, 20_000), LevelContribution("mega", 30_000, 20_000)),
        ),
        ContributionTaken(5, "P5", "progressive", 1_00, "OWN", (LevelContribution("major", 50_000, 0),)),
    ]
    assert table.level("mega", "LINK").held.accrued_micros == 30_000
    assert table.level("major", "OWN").in_count == 1


def test_a_line_pays_from_the_meter_that_it_names() -> None:
    table = of_two_meters().given(*played({5: BOTH, 4: BOTH}, {0: PLAIN, 5: QUADS[0], 4: FULL_HOUSES[2]}))
    outcome = table.when(settle())
    whole, tenth = outcome.line("5.progressive"), outcome.line("4.progressive")
    assert (whole.won_cents, whole.odds) == ((LINK + 360_000) // 10_000, "100% of major of LINK")
    assert (tenth.won_cents, tenth.odds) == ((OWN + 100_000) // 100_000, "10% of major of OWN")
    assert table.level("major", "LINK").accrued_micros == 5_000_000_000
    assert sum(outcome.totals()) == 0


def test_hits_of_levels_of_one_name_on_two_meters_do_not_share() -> None:
    table = of_two_meters(percent=100)
    table.given(*played({5: BOTH, 4: BOTH}, {0: PLAIN, 5: QUADS[0], 4: FULL_HOUSES[2]}))
    outcome = table.when(settle())
    won = [outcome.line(f"{seat}.progressive").won_cents for seat in (5, 4)]
    assert won == [(LINK + 360_000) // 10_000, (OWN + 100_000) // 10_000]


def test_a_void_takes_back_what_the_round_moved_of_each_meter() -> None:
    table = of_two_meters()
    before = {name: table.meter(name) for name in ("LINK", "OWN")}
    table.given(*played({5: BOTH, 4: BOTH}, {0: PLAIN, 5: QUADS[0], 4: FULL_HOUSES[2]}), settle())
    reversals = table.when(void()).one(RoundVoided).meters
    assert [(each.meter, each.level) for each in reversals] == [("LINK", "major"), ("LINK", "mega"), ("OWN", "major")]
    assert {name: table.meter(name) for name in ("LINK", "OWN")} == before


def test_a_wager_needs_every_one_of_its_meters() -> None:
    sheet = sheet_of(line("four_of_a_kind", 100, "major", "LINK"))
    table = a_house(sheet=sheet).given(open_meter(meter="LINK"), open_round(sheet="trial@1"), place(5, "main", 10_00))
    assert "OWN" in table.when(place(5, "progressive", 1_00)).refused("meter.not-open")
    table.given(open_meter(meter="OWN"), place(5, "progressive", 1_00))


def test_a_retired_meter_among_several_stops_the_wager() -> None:
    table = of_two_meters().given(place(5, "main", 10_00), retire_meter("revenue", meter="OWN"))
    assert "OWN" in table.when(place(5, "progressive", 1_00)).refused("meter.retired")


def test_the_level_that_a_line_names_is_looked_for_on_its_own_meter() -> None:
    table = of_two_meters([a_level("mega", 0)]).given(place(5, "main", 10_00))
    message = table.when(place(5, "progressive", 1_00)).refused("meter.not-open")
    assert "LINK has no level major" in message


def test_a_list_of_one_meter_and_a_name_are_the_same_wager() -> None:
    plain = line("four_of_a_kind", 100, "major", None)
    for meters in ("LINK", ["LINK"]):
        sheet = read_sheet(sheet_of(plain, meters=meters))
        assert sheet.wagers["progressive"].meters == ("LINK",)
        assert sheet.content["wagers"]["progressive"]["meter"] == meters
        assert sheet.wagers["progressive"].paying_meter(sheet.wagers["progressive"].paytable.lines[0]) == "LINK"


@pytest.mark.parametrize(
    ("meters", "named", "problem"),
    [
        (["LINK", "OWN"], None, "the key is missing"),
        (["LINK", "OWN"], "OTHER", "none of the wager's meters"),
        ("LINK", "OWN", "none of the wager's meters"),
    ],
)
def test_a_line_names_one_of_several_meters(meters: Any, named: str | None, problem: str) -> None:
    content = sheet_of(line("full_house", 10, "major", named), meters=meters)
    with pytest.raises(SheetInvalid, match=rf"paytables\.trial\.lines\[0\]\.meter.*{problem}"):
        read_sheet(content)


def test_only_a_share_of_a_meter_names_one() -> None:
    fixed = {"hand": "flush", "kind": "for_1", "n": 3, "meter": "LINK"}
    with pytest.raises(SheetInvalid, match=r"lines\[0\]\.meter: no such key"):
        read_sheet(sheet_of(fixed))


def test_two_sheets_feed_one_meter_from_two_tables() -> None:
    other = sheet_of(line("four_of_a_kind", 100, "major", None), meters="LINK") | {"id": "other"}
    table = of_two_meters().given(publish(other), open_round("R2", number=1, table="T2", sheet="other@1"))
    for round_ in ("R1", "R2"):
        table.round = round_
        table.given(place(5, "main", 10_00), place(5, "progressive", 1_00), close())
    assert (table.level("major", "LINK").in_count, table.level("major", "OWN").in_count) == (2, 1)
