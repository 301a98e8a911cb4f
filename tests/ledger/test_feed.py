"""The log in order: every event once, at its place, or an error that says which one is not there."""

from __future__ import annotations

import pytest

from domain.streams import Stream
from ledger.errors import StoreDamaged
from ledger.records import Record
from ledger.service import Ledger
from tests.ledger.behind import Behind
from tests.ledger.play import AT, buy_in, hand_in, ledger_at, play, property_opened


def test_a_record_says_where_when_by_whom_and_on_which_command(ledger: Ledger) -> None:
    ledger.submit(hand_in(property_opened(), buy_in("1", source="pit-2")))
    (record,) = ledger.records(1)
    assert isinstance(record, Record)
    assert (record.position, record.stream, record.version) == (2, Stream("player", "P1"), 1)
    assert (record.at, record.by) == (AT, "D7")
    assert (record.source, record.command_id, record.command_size) == ("pit-2", "1", 1)
    assert record.hash == ledger.head().hash
    assert record.recorded_at == ledger.head().recorded_at
    assert record.stream_id.version == 7


@pytest.mark.parametrize("limit", [1, 2, 7, 23, 500])
def test_pages_of_any_size_give_the_same_log(ledger: Ledger, limit: int) -> None:
    play(ledger)
    pages = list(ledger.feed.pages(limit=limit))
    assert [each for page in pages for each in page] == ledger.records(0, 1000)
    assert all(len(page) == limit for page in pages[:-1])


def test_reading_on_from_a_position_misses_nothing_that_is_recorded_meanwhile(ledger: Ledger) -> None:
    ledger.submit(hand_in(property_opened()))
    seen = 0
    for number in range(12):
        ledger.submit(hand_in(buy_in(f"b{number}", f"P{number % 3}")))
        for record in ledger.feed.after(seen, limit=2):
            assert record.position == seen + 1
            seen = record.position
    assert seen == ledger.head().position
    assert ledger.feed.after(seen) == []


def test_a_streams_own_records_come_by_version(ledger: Ledger) -> None:
    play(ledger)
    records = ledger.feed.stream(Stream("round", "r2"))
    assert [each.version for each in records] == [1, 2, 3, 4, 5, 6, 7]
    assert {each.stream for each in records} == {Stream("round", "r2")}
    assert ledger.feed.stream(Stream("round", "r9")) == []


@pytest.fixture
def damaged(url: str, behind: Behind) -> Behind:
    with ledger_at(url) as ledger:
        play(ledger)
    behind.drop_guards()
    return behind


def test_a_removed_event_stops_the_reader_instead_of_being_skipped(url: str, damaged: Behind) -> None:
    damaged.execute("DELETE FROM events WHERE position = 12")
    with ledger_at(url) as ledger:
        with pytest.raises(StoreDamaged, match="position 12 is missing"):
            ledger.records()
        with pytest.raises(StoreDamaged, match="event 3 of round r2 is missing"):
            ledger.round_records("r2")
        assert len(ledger.records(0, 11)) == 11
        assert ledger.records(12, 1)[0].position == 13


def test_an_event_whose_stream_has_lost_its_name_stops_the_reader(url: str, damaged: Behind) -> None:
    damaged.execute("DELETE FROM streams WHERE key = 'r2'")
    with ledger_at(url) as ledger, pytest.raises(StoreDamaged, match="position 10 is of a stream without a name"):
        ledger.records()
