"""The stored form of events and desk entries: what comes back is what went in, and nothing else comes in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.cards import parse
from domain.desk import ENTRY_TYPES, Key, Numbers, Table, table_key
from domain.house_events import SheetPublished
from domain.rounds.events import Event, Finding, HandSet, LevelContribution, SeatTaken, WagerPlaced
from ledger.codec import EVENTS, EventCodec, decode_entry, decode_key, encode_entry, encode_key, event_classes
from ledger.compiled import Misfit
from ledger.errors import UnreadableEvent
from ledger.shapes import shape
from tests.ledger.values import values

WAGER = WagerPlaced(3, "P101", "fortune", 500, 1500)

quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("name", sorted(event_classes()))
@quick
@given(data=st.data())
def test_an_event_comes_back_as_it_was_stored(name: str, data: st.DataObject) -> None:
    class_ = event_classes()[name]
    event: Event = data.draw(values(class_))
    stored = EVENTS.encode(event)
    again = EVENTS.decode(name, class_.SCHEMA, stored)
    assert again == event
    assert EVENTS.encode(again) == stored


@pytest.mark.parametrize("kind", sorted(ENTRY_TYPES))
@quick
@given(data=st.data())
def test_a_desk_entry_comes_back_as_it_was_stored(kind: str, data: st.DataObject) -> None:
    entry = data.draw(values(ENTRY_TYPES[kind]))
    key: Key = (kind, data.draw(st.text(max_size=8)))
    stored = encode_entry(key, entry)
    assert decode_entry(key, stored) == entry
    assert encode_entry(key, decode_entry(key, stored)) == stored
    assert decode_key(encode_key(key)) == key


@quick
@given(data=st.data())
def test_keys_stand_in_ascending_order_at_every_depth(data: st.DataObject) -> None:
    class_ = data.draw(st.sampled_from(sorted(event_classes().values(), key=lambda each: each.NAME)))
    stored = EVENTS.encode(data.draw(values(class_)))
    assert orjson.dumps(orjson.loads(stored), option=orjson.OPT_SORT_KEYS) == stored


def test_the_stored_form_is_the_one_that_is_published() -> None:
    assert EVENTS.encode(WAGER) == (
        b'{"amount_cents":500,"player":"P101","seat":3,"standing_cents":1500,"wager":"fortune"}'
    )


def test_fields_at_their_default_are_left_out_and_come_back() -> None:
    set_ = HandSet(1, parse("As Ad Kd 9c 2c"), parse("Qs Jk"), "player")
    assert orjson.loads(EVENTS.encode(set_)) == {
        "high": "As Ad Kd 9c 2c",
        "low": "Qs Jk",
        "seat": 1,
        "set_by": "player",
    }
    assert EVENTS.decode(set_.NAME, 1, EVENTS.encode(set_)).foul is False  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seat": None}, "WagerPlaced.seat: None is not an integer"),
        ({"seat": True}, "WagerPlaced.seat: True is not an integer"),
        ({"seat": "3"}, "WagerPlaced.seat: '3' is not an integer"),
        ({"amount_cents": 500.0}, "WagerPlaced.amount_cents: 500.0 is not an integer"),
        ({"amount_cents": 2**64}, "is not an integer"),
        ({"player": 5}, "WagerPlaced.player: 5 is not a text"),
        ({"toke": 1}, "WagerPlaced.toke: 1 is not true or false"),
        ({"bettor": 7}, "WagerPlaced.bettor: 7 is not a text"),
        ({"colour": "red"}, "WagerPlaced has no field colour"),
        ({"seat": ...}, "WagerPlaced.seat: is missing"),
    ],
)
def test_a_stored_value_of_another_shape_is_refused(change: dict[str, Any], says: str) -> None:
    stored = orjson.loads(EVENTS.encode(WAGER)) | change
    bytes_ = _json({key: value for key, value in stored.items() if value is not ...})
    with pytest.raises(UnreadableEvent, match=says) as refused:
        EVENTS.decode("round.wager-placed", 1, bytes_, position=41)
    assert refused.value.position == 41
    assert str(refused.value).startswith("position 41: round.wager-placed (version 1) cannot be read: ")


def _json(content: Any) -> bytes:
    import json

    return json.dumps(content).encode()


@pytest.mark.parametrize("stored", [b"", b"{", b"[]", b"null", b'"text"', b"{}{}", b'{"a":NaN}', b"\xff"])
def test_stored_bytes_that_are_no_event_are_refused(stored: bytes) -> None:
    with pytest.raises(UnreadableEvent, match=r"position 9: round\.wager-placed"):
        EVENTS.decode("round.wager-placed", 1, stored, position=9)


@pytest.mark.parametrize(
    "event",
    [
        WagerPlaced(3, "P101", "fortune", 5.0, 1500),  # type: ignore[arg-type]
        WagerPlaced(True, "P101", "fortune", 500, 1500),
        WagerPlaced(3, None, "fortune", 500, 1500),  # type: ignore[arg-type]
        WagerPlaced(3, "P101", "fortune", 2**64, 1500),
        WagerPlaced(3, "\ud800", "fortune", 500, 1500),
        WagerPlaced(3, "P101", "fortune", 500, 1500, toke=0),  # type: ignore[arg-type]
        HandSet(1, (99,), (), "player"),  # type: ignore[arg-type]
        HandSet(1, (-1,), (), "player"),  # type: ignore[arg-type]
        HandSet(1, [], (), "player"),  # type: ignore[arg-type]
        HandSet(1, (), (), "player", findings=("text",)),  # type: ignore[arg-type]
        SheetPublished("s@1", "f", "2026-01-01T00:00:00Z", ("M1",), {"n": 0.05}),
        SheetPublished("s@1", "f", "2026-01-01T00:00:00Z", ("M1",), {"deep": [{"n": float("nan")}]}),
        SheetPublished("s@1", "f", "2026-01-01T00:00:00Z", ("M1",), {5: "five"}),  # type: ignore[dict-item]
    ],
)
def test_an_event_that_is_not_of_its_shape_is_never_written(event: Event) -> None:
    with pytest.raises(Misfit):
        EVENTS.encode(event)


def test_floats_hidden_in_a_stored_sheet_are_refused() -> None:
    sheet = SheetPublished("s@1", "f", "2026-01-01T00:00:00Z", ("M1",), {"a": [{"b": 1}]})
    stored = EVENTS.encode(sheet).replace(b'"b":1', b'"b":1.0')
    with pytest.raises(UnreadableEvent, match="without floats"):
        EVENTS.decode(sheet.NAME, 1, stored)


def test_an_unknown_name_is_an_error_with_its_position_and_never_an_import() -> None:
    with pytest.raises(UnreadableEvent, match=r"position 7: os\.system .* no event has this name"):
        EVENTS.decode("os.system", 1, b"{}", position=7)


def test_an_event_outside_the_registry_is_never_written() -> None:
    @dataclass(frozen=True, slots=True)
    class Stranger(Event):
        NAME: ClassVar[str] = "stranger.came"

    with pytest.raises(Misfit, match="Stranger is no event"):
        EVENTS.encode(Stranger())


@pytest.mark.parametrize("schema", [0, 2, -1])
def test_a_version_that_is_not_known_is_an_error(schema: int) -> None:
    with pytest.raises(UnreadableEvent, match="newest known version is 1"):
        EVENTS.decode("round.wager-placed", schema, EVENTS.encode(WAGER))


@dataclass(frozen=True, slots=True)
class LightSwitched(Event):
    """A toy whose first version said `colour`, the second `lamp`, and this one `lamp` and `minutes`."""

    NAME: ClassVar[str] = "light.switched"
    SCHEMA: ClassVar[int] = 3

    lamp: str
    minutes: int


def _colour_is_lamp(stored: dict[str, Any]) -> dict[str, Any]:
    return {"lamp": stored["colour"]}


def _minutes_were_one(stored: dict[str, Any]) -> dict[str, Any]:
    return stored | {"minutes": 1}


def test_older_versions_are_read_step_by_step() -> None:
    steps = {("light.switched", 1): _colour_is_lamp, ("light.switched", 2): _minutes_were_one}
    codec = EventCodec((LightSwitched,), steps)
    assert codec.decode("light.switched", 1, b'{"colour":"red"}') == LightSwitched("red", 1)
    assert codec.decode("light.switched", 2, b'{"lamp":"red"}') == LightSwitched("red", 1)
    assert codec.decode("light.switched", 3, b'{"lamp":"red","minutes":2}') == LightSwitched("red", 2)
    with pytest.raises(UnreadableEvent, match="lamp: is missing"):
        codec.decode("light.switched", 2, b'{"colour":"red"}')
    with pytest.raises(UnreadableEvent, match="'colour'"):
        codec.decode("light.switched", 1, b'{"lamp":"red"}')


def test_a_raised_version_without_its_step_is_noticed_when_the_program_starts() -> None:
    with pytest.raises(AssertionError, match="no upcast from version 2"):
        EventCodec((LightSwitched,), {("light.switched", 1): _colour_is_lamp})


def test_every_shape_has_a_stored_form_and_floats_have_none() -> None:
    with pytest.raises(TypeError, match="float"):
        shape(float)

    @dataclass(frozen=True)
    class Rate:
        percent: tuple[float, ...]

    with pytest.raises(TypeError, match="has no stored form"):
        shape(Rate)


def test_a_nested_misfit_says_where_it_is() -> None:
    with pytest.raises(Misfit, match=r"HandSet\.findings: Finding\.code: 5 is not a text"):
        EVENTS.encode(HandSet(1, (), (), "player", findings=(Finding(5, "text"),)))  # type: ignore[arg-type]


def test_tuples_of_fixed_length_and_mappings_keep_their_shape() -> None:
    numbers = Numbers(((1, 4), (7, 7)))
    key = ("numbers", "NORTH", "T1", "2026-05-04")
    assert encode_entry(key, numbers) == b'{"runs":[[1,4],[7,7]]}'
    with pytest.raises(Misfit, match="2 values"):
        decode_entry(key, b'{"runs":[[1,4,5]]}')
    table = Table(last_mains={"P2": 5, "P1": 7})
    assert encode_entry(table_key("N", "T"), table) == b'{"last_mains":{"P1":7,"P2":5}}'
    with pytest.raises(Misfit):
        decode_entry(table_key("N", "T"), b"{")


def test_small_parts_have_no_marks_of_their_class() -> None:
    assert shape(SeatTaken).encode(SeatTaken(1, "P1")) == {"player": "P1", "seat": 1}
    assert shape(LevelContribution).encode(LevelContribution("major", 5, 6)) == {
        "hidden_micros": 6,
        "increment_micros": 5,
        "level": "major",
    }
