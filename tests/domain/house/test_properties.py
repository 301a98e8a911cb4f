"""Opening a property (the contract's open_property): once, in the ledger's one currency."""

from __future__ import annotations

from domain.desk import Property
from domain.house_events import PropertyOpened
from tests.domain.rounds.table import House, Table, open_property


def test_a_property_is_opened_with_its_wall_clock_and_currency() -> None:
    table = Table(House())
    table.when(open_property("NORTH")).then(PropertyOpened("NORTH", "America/New_York", "06:00", "USD"))
    assert table.house.get(("property", "NORTH")) == Property("NORTH", "America/New_York", "06:00", "USD")


def test_a_property_is_opened_once() -> None:
    table = Table(House()).given(open_property("NORTH"))
    table.when(open_property("NORTH")).refused("property.exists")
    table.when(open_property("NORTH", zone="America/Los_Angeles")).refused("property.exists")
    table.when(open_property("SOUTH", zone="America/Los_Angeles")).accepted()


def test_a_ledger_keeps_one_currency() -> None:
    table = Table(House()).given(open_property("NORTH"))
    assert "keeps USD" in table.when(open_property("SOUTH", currency="EUR")).refused("property.currency")
    table.given(open_property("SOUTH")).when(open_property("WEST", currency="EUR")).refused("property.currency")
    Table(House()).when(open_property("NORTH", currency="EUR")).accepted()
