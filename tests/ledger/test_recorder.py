"""The log's order: positions without gaps, versions that follow, a chain under all, clocks that never run back."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent

from domain.house_events import PlayerBoughtIn
from domain.streams import Stream
from ledger import integrity
from ledger.app import NewEvent, new_stream_id
from ledger.errors import UnreadableEvent
from ledger.recorder import Addition, SqlRecorder
from ledger.records import GENESIS
from ledger.service import Ledger
from ledger.store import open_store
from tests.ledger.play import buy_in, contents, hand_in, ledger_at, play, property_opened, url_of

BOUGHT = PlayerBoughtIn("NORTH", "T1", "P1", 100, "2026-05-04")


def bare(stream: UUID, version: int) -> StoredEvent:
    return StoredEvent(stream, version, "player.bought-in", b"{}")


def test_positions_start_at_one_and_have_no_gaps(ledger: Ledger) -> None:
    play(ledger, rounds=4)
    positions = [each.position for page in ledger.feed.pages(limit=3) for each in page]
    assert positions == list(range(1, 31))
    assert ledger.head().position == 30


def test_an_empty_log_has_the_zero_hash(ledger: Ledger) -> None:
    assert ledger.head() == GENESIS
    assert ledger.records() == []
    assert ledger.recorder.max_notification_id() is None


@pytest.mark.parametrize("version", [0, 2, 5, -1])
def test_a_new_stream_begins_at_version_one(ledger: Ledger, version: int) -> None:
    with pytest.raises(IntegrityError, match="version"):
        ledger.recorder.insert_events([bare(uuid4(), version)])
    assert ledger.head() == GENESIS


@pytest.mark.parametrize("version", [1, 2, 4])
def test_a_version_that_does_not_follow_the_last_is_a_conflict(ledger: Ledger, version: int) -> None:
    stream = uuid4()
    ledger.recorder.insert_events([bare(stream, 1), bare(stream, 2)])
    with pytest.raises(IntegrityError):
        ledger.recorder.insert_events([bare(stream, version)])
    assert ledger.head().position == 2


def test_events_of_one_call_are_all_recorded_or_none(ledger: Ledger) -> None:
    one, other = uuid4(), uuid4()
    with pytest.raises(IntegrityError):
        ledger.recorder.insert_events([bare(one, 1), bare(other, 1), bare(one, 3)])
    assert ledger.head() == GENESIS
    assert ledger.recorder.select_events(one) == []
    assert ledger.recorder.insert_events([bare(one, 1), bare(other, 1), bare(one, 2)]) == [1, 2, 3]


def test_a_bare_save_chains_hashes_and_refuses_gaps(ledger: Ledger) -> None:
    stream = new_stream_id()
    ledger.app.save(NewEvent(stream, 1, BOUGHT))
    ledger.app.save(NewEvent(stream, 2, BOUGHT), NewEvent(stream, 3, BOUGHT))
    with pytest.raises(IntegrityError):
        ledger.app.save(NewEvent(stream, 5, BOUGHT))
    ledger.submit(hand_in(property_opened()))
    report = integrity.verify(ledger)
    assert report.verified, report
    assert report.count == 4
    assert [each.stream for each in ledger.records(0, 3)] == [Stream("unnamed", str(stream))] * 3


def test_events_saved_without_the_writer_reach_the_desk_with_the_next_command(ledger: Ledger) -> None:
    from domain.desk import property_key
    from domain.house_events import PropertyOpened

    ledger.app.save(NewEvent(new_stream_id(), 1, PropertyOpened("NORTH", "UTC", "06:00", "USD")))
    assert ledger.desk.get(property_key("NORTH")) is None
    assert [each.status for each in ledger.submit(hand_in(buy_in("1")))] == ["recorded"]
    assert ledger.desk.get(property_key("NORTH")) is not None
    assert integrity.verify(ledger).verified


def test_a_stream_is_opened_once(ledger: Ledger) -> None:
    stream = Stream("player", "P1")
    for expected in (nullcontext(), pytest.raises(IntegrityError, match="stream")):
        with expected, ledger.recorder.begin() as tx:
            ledger.recorder.append([Addition(uuid4().bytes, 1, "player.bought-in", 1, b"{}", stream)], tx)
    assert ledger.head().position == 1


def test_recorded_at_never_falls_when_the_clock_is_set_back(url: str) -> None:
    times = iter([5_000_000, 3_000_000, 6_000_000])
    with ledger_at(url, clock=lambda: next(times)) as ledger:
        ledger.submit(hand_in(property_opened()))
        ledger.submit(hand_in(buy_in("1"), buy_in("2")))
        ledger.submit(hand_in(buy_in("3")))
        assert [each.recorded_at for each in ledger.records()] == [5_000_000, 5_000_000, 5_000_000, 6_000_000]
        assert integrity.verify(ledger).verified


def test_command_fields_stand_on_a_commands_first_event_only(ledger: Ledger) -> None:
    play(ledger, rounds=1)
    ids = [(each.source, each.command_id, each.command_size) for each in ledger.round_records("r1")]
    assert ids == [
        ("cli", "r1-1", 1),
        ("cli", "r1-2", 1),
        ("cli", "r1-3", 1),
        ("cli", "r1-4", 3),
        (None, None, None),
        (None, None, None),
        ("cli", "r1-5", 1),
    ]


def test_subscriptions_are_not_offered_and_the_error_names_the_reader(ledger: Ledger) -> None:
    with pytest.raises(NotImplementedError, match=r"ledger\.feed\.Feed"):
        ledger.recorder.subscribe()


def test_stream_ids_are_version_seven_and_rise_with_time() -> None:
    ids = [new_stream_id() for _ in range(200)]
    assert {each.version for each in ids} == {7}
    assert {each.variant for each in ids} == {"specified in RFC 4122"}
    stamps = [each.int >> 64 for each in ids]
    assert stamps == sorted(stamps)
    assert len(set(ids)) == 200


def test_a_stored_name_outside_the_registry_stops_the_reader_at_its_position(ledger: Ledger) -> None:
    play(ledger, rounds=1)
    position = ledger.head().position + 1
    ledger.recorder.insert_events([StoredEvent(uuid4(), 1, "os.system", b"{}")])
    with pytest.raises(UnreadableEvent, match=f"position {position}: os.system"):
        ledger.records()
    assert len(ledger.records(0, position - 1)) == position - 1
    with pytest.raises(UnreadableEvent, match=f"position {position}: os.system"):
        ledger.submit(hand_in(buy_in("2")))


def test_the_version_of_an_events_shape_is_part_of_its_topic(ledger: Ledger) -> None:
    stream = uuid4()
    ledger.recorder.insert_events([StoredEvent(stream, 1, "light.switched@3", b"{}")])
    assert ledger.recorder.select_events(stream)[0].topic == "light.switched@3"
    assert len(ledger.recorder.select_notifications(1, 10, topics=["light.switched@3"])) == 1
    assert len(ledger.recorder.select_notifications(1, 10, topics=["light.switched"])) == 0
    with ledger.store.reading() as connection:
        assert connection.exec_driver_sql("SELECT name, schema FROM events").all() == [("light.switched", 3)]


def test_a_round_is_folded_as_it_was_at_any_version(ledger: Ledger) -> None:
    play(ledger, rounds=1)
    phases = [round_.phase if (round_ := ledger.round("r1", version)) else None for version in range(1, 8)]
    assert phases == ["open", "open", "open", "closed", "closed", "closed", "voided"]
    assert ledger.round("r1", 3).stakes == {(1, "main", None, False): 500, (2, "main", None, False): 700}  # type: ignore[union-attr]
    assert (last := ledger.round("r1")) is not None
    assert last.version == 7
    assert ledger.round("r2") is None


def test_a_cipher_or_cache_named_in_the_environment_changes_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPRESSOR_TOPIC", "zlib")
    monkeypatch.setenv("PERSISTENCE_MODULE", "eventsourcing.popo")
    monkeypatch.setenv("AGGREGATE_CACHE_MAXSIZE", "10")
    monkeypatch.setenv("IS_SNAPSHOTTING_ENABLED", "y")
    with ledger_at(url) as ledger:
        play(ledger, rounds=1)
        assert ledger.app.repository.cache is None
        assert ledger.app.snapshots is None
        with ledger.store.reading() as connection:
            payload = connection.exec_driver_sql("SELECT payload FROM events WHERE position = 1").scalar()
    assert bytes(payload).startswith(b'{"currency":"USD"')


def test_a_failed_save_leaves_a_recorder_that_goes_on(url: str) -> None:
    store = open_store(url)
    recorder, stream = SqlRecorder(store), uuid4()
    for _ in range(7):
        with pytest.raises(IntegrityError):
            recorder.insert_events([bare(stream, 2)])
    assert recorder.insert_events([bare(stream, 1)]) == [1]
    assert recorder.max_notification_id() == 1
    store.close()


def test_two_ledgers_with_the_same_commands_have_the_same_contents(tmp_path: Path, url: str) -> None:
    with ledger_at(url) as one:
        play(one)
        first = contents(one)
    with ledger_at(url_of(tmp_path, "other.db")) as other:
        play(other)
        assert contents(other) == first
