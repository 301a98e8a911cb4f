"""What was stored once is read for ever: each version of each event has a sample here, and the sample never changes.

Whoever changes an event's shape raises its `SCHEMA`, leaves the old sample as it is, adds one of the new version with
every field in it, and the step between them in `ledger/upcasts.py`.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import orjson
import pytest

from domain.rounds.events import Event
from ledger.codec import EVENTS, event_classes

HERE = Path(__file__).parent
VERSIONS = [(class_, version) for class_ in event_classes().values() for version in range(1, class_.SCHEMA + 1)]
IDS = [f"{class_.NAME}.{version}" for class_, version in VERSIONS]


def sample(class_: type[Event], version: int) -> bytes:
    """The stored bytes; the file ends with a line feed that is not stored."""
    return (HERE / f"{class_.NAME}.{version}.json").read_bytes().removesuffix(b"\n")


def test_every_version_of_every_event_has_a_sample_and_nothing_else_has() -> None:
    assert {each.name for each in HERE.glob("*.json")} == {f"{each}.json" for each in IDS}


@pytest.mark.parametrize(("class_", "version"), VERSIONS, ids=IDS)
def test_a_sample_is_read_and_todays_version_is_written_to_the_same_bytes(class_: type[Event], version: int) -> None:
    stored = sample(class_, version)
    event = EVENTS.decode(class_.NAME, version, stored)
    assert type(event) is class_
    if version == class_.SCHEMA:
        assert EVENTS.encode(event) == stored


@pytest.mark.parametrize("class_", event_classes().values(), ids=event_classes())
def test_the_sample_of_todays_version_has_every_field(class_: type[Event]) -> None:
    stored = orjson.loads(sample(class_, class_.SCHEMA))
    assert set(stored) == {each.name for each in fields(class_)}


def test_the_names_are_those_of_the_contract() -> None:
    contract = """
        property.opened sheet.published round.opened round.wager-placed round.wager-withdrawn round.bank-taken
        round.betting-closed round.contribution-taken round.start-drawn round.hands-dealt round.card-exposed
        round.misdealt round.hand-set round.hand-reset round.dealer-set round.wager-forfeited round.wager-settled
        round.settled round.payment-reported round.line-corrected round.voided table.shuffler-failed
        table.shuffler-cleared player.bought-in player.cashed-out meter.opened jackpot.validated jackpot.refused
        jackpot.paid
    """
    assert set(contract.split()) <= set(event_classes())
