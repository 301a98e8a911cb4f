"""Publishing a sheet: approved, once for each id and version, never changed (the contract's Sheet format)."""

from __future__ import annotations

import pytest

from domain.house_events import SheetPublished
from domain.streams import Stream
from tests.domain.rounds.table import House, Table, a_house, a_sheet, publish


def test_a_published_sheet_is_stored_whole_with_its_options_filled_in() -> None:
    table = Table(House())
    event = table.when(publish(a_sheet() | {"options": {"R14": "snapshot"}})).one(SheetPublished)
    assert (event.ref, event.effective_from, event.approved_by) == (
        "fortune-cardroom@1",
        "2026-05-04T12:00:00-04:00",
        ("M1",),
    )
    assert event.sheet["options"] == {"R7": "second", "R8": "equal_legal", "R10": "lose_or_reset", "R14": "snapshot"}
    assert list(table.house.streams) == [Stream("sheet", "fortune-cardroom@1")]


def test_the_same_id_and_version_is_never_published_again() -> None:
    house = a_house()
    assert "unchanged: publish it as version 2" in house.when(publish(a_sheet())).refused("sheet.exists")
    changed = a_sheet(title="Another title")
    assert "with other content" in house.when(publish(changed)).refused("sheet.exists")
    house.when(publish(a_sheet(version=2))).accepted()


def test_sheets_are_compared_after_filling_in_the_options() -> None:
    house = a_house()
    message = house.when(publish(a_sheet() | {"options": {}})).refused("sheet.exists")
    assert "unchanged" in message


def test_a_sheet_needs_no_property_and_names_meters_that_are_not_open() -> None:
    Table(House()).when(publish(a_sheet(wagers={"progressive": {"meter": "NOT-YET"}}))).accepted()


@pytest.mark.parametrize("wrong", [(), ("C1",), ("M1", "C1")])
def test_somebody_else_than_the_author_approves_a_sheet(wrong: tuple[str, ...]) -> None:
    Table(House()).when(publish(a_sheet(), approved_by=wrong)).refused("approval.insufficient")
    Table(House()).when(publish(a_sheet(), approved_by=("M1",))).accepted()


@pytest.mark.parametrize("change", [{"colour": "red"}, {"game": "no-such"}, {"positions": 7}, {"wagers": {}}])
def test_a_sheet_that_cannot_be_played_by_is_refused(change: dict[str, object]) -> None:
    Table(House()).when(publish(a_sheet() | change)).refused("sheet.invalid")


@pytest.mark.parametrize(
    ("line", "bank", "fits"),
    [
        ({"kind": "to_1", "n": 1}, True, True),
        ({"kind": "to_1", "n": 0}, True, True),
        ({"kind": "to_1", "n": 2}, True, False),
        ({"kind": "for_1", "n": 1}, True, False),
        ({"kind": "fixed", "cents": 1}, True, False),
        ({"kind": "to_1", "n": 2}, False, True),
    ],
)
def test_seed_004_a_player_bank_covers_mains_of_1_to_1(line: dict[str, object], bank: bool, fits: bool) -> None:
    sheet = a_sheet(player_bank=bank)
    table = {"source": "invented for trials, not a rule", "lines": [{"hand": "win", **line}]}
    sheet["paytables"] = sheet["paytables"] | {"even": table}
    outcome = Table(House()).when(publish(sheet))
    assert (outcome.refusal is None) is fits
    if not fits:
        assert "sheet.wagers.main.paytable" in outcome.refused("sheet.invalid")
