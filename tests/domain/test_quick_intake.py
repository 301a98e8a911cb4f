"""The quick reading of a line gives what the strict one gives, or leaves the line to it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain import times
from domain.commands import Command
from domain.errors import Refusal
from domain.intake import COMMANDS, body_digest, command_and_digest, command_from
from domain.intake.plans import PLANS
from domain.intake.quick import read_quickly
from ledger.quick_json import QUICK
from tests.cases import case
from tests.domain.feed_bodies import BODIES, body

LEFT_ALONE = {"publish_sheet"}
"""Commands with a value that is looked into only when the command is decided."""

PLAIN = b'{"command":"settle","command_id":"c","at":"2026-05-04T18:00:00Z","by":"D","round":"r"}'
DEAL = PLAIN.replace(b"settle", b"deal").replace(b'"round":', b'"stub":1,"hands":{"1":"As"},"round":')

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
STYLES = st.sampled_from(
    [{}, {"separators": (",", ":")}, {"ensure_ascii": False}, {"indent": 1}, {"separators": (" , ", " : ")}]
)


def answer(line: bytes, **quick: Any) -> tuple[Command, bytes] | tuple[Any, ...]:
    """The command and digest, or all that a refusal says."""
    try:
        return command_and_digest(line, **quick)
    except Refusal as refusal:
        return type(refusal), refusal.message, refusal.command_id, refusal.round


def assert_same(line: bytes) -> None:
    """Both readings give the same, types and order of what is in them included, and the quick one alone no other."""
    strictly = answer(line)
    assert repr(answer(line, quick=QUICK)) == repr(strictly)
    quickly = read_quickly(line, QUICK)
    assert quickly is None or repr(quickly) == repr(strictly)


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - LEFT_ALONE))
@pytest.mark.parametrize("style", [{}, {"separators": (",", ":")}, {"indent": 1}])
@pytest.mark.parametrize("more", [{}, {"source": "pit-2"}])
def test_a_plain_line_is_read_quickly(name: str, style: dict[str, Any], more: dict[str, Any]) -> None:
    content = body(name, **more)
    assert read_quickly(json.dumps(content, **style).encode(), QUICK) == (command_from(content), body_digest(content))


@pytest.mark.parametrize("name", sorted(LEFT_ALONE))
def test_a_value_that_no_form_looks_into_is_left_to_the_strict_reading(name: str) -> None:
    line = json.dumps(body(name)).encode()
    assert read_quickly(line, QUICK) is None
    assert_same(line)


@pytest.mark.parametrize("name", [each.name for each in case.load(case.DATA)])
def test_every_line_of_the_cases_is_read_alike(name: str) -> None:
    here = next(each for each in case.load(case.DATA) if each.name == name)
    for line in here.feed.read_bytes().splitlines():
        assert_same(line)


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - LEFT_ALONE))
@pytest.mark.parametrize("number", [1.5, 1.0, 10**19, 2**63, 2**64, -(2**63) - 1, 10**400])
def test_no_form_takes_a_number_that_the_quick_reader_could_make_another(name: str, number: float) -> None:
    for key in PLANS[name].forms:
        for value in (number, [number], {"1": number}, [number] * 3, [{"level": number}]):
            line = json.dumps(body(name) | {key: value}).encode()
            assert read_quickly(line, QUICK) is None
    assert_same(json.dumps(body(name) | {"at": number}).encode())


@pytest.mark.parametrize(
    "line",
    [
        PLAIN.replace(b'"by":"D"', b'"by":"D","by":"D"'),
        PLAIN.replace(b'"by":"D"', b'"by":"D","command":"settle"'),
        PLAIN.replace(b'"by":"D"', b'"by":"D","source":"a","source":"a"'),
        PLAIN.replace(b'"by":"D"', b'"by":"E\\u0000"'),
        PLAIN.replace(b'"by":"D"', b'"by":"E\\ud800"'),
        PLAIN.replace(b'"by":"D"', b'"by":"E\xed\xa0\x80"'),
        PLAIN.replace(b'"by":"D"', b'"by":"E\x1f"'),
        DEAL.replace(b'"stub":1', b'"stub":1,"stub":2'),
        DEAL.replace(b'"1":"As"', b'"1":"As","1":"As"'),
        DEAL.replace(b'"stub":1', b'"stub":01'),
        b"\xef\xbb\xbf" + PLAIN,
        PLAIN + b"\0",
        b'{"command":["settle"],"command_id":"c"}',
        b'["command"]',
        b'"command"',
        b"",
    ],
)
def test_a_doubtful_line_is_left_to_the_strict_reading(line: bytes) -> None:
    assert read_quickly(PLAIN, QUICK) is not None and read_quickly(DEAL, QUICK) is not None
    assert read_quickly(line, QUICK) is None
    assert_same(line)


def test_a_text_is_read_as_it_is_also_where_it_looks_like_json() -> None:
    line = json.dumps(body("settle", by="a:b,{1.5e3}[é]", command_id="'01'"), ensure_ascii=False).encode()
    assert read_quickly(line, QUICK) is not None
    assert_same(line)


def test_nothing_less_is_nothing() -> None:
    line = json.dumps(body("deal", stub=-7)).replace("-7", "-0").encode()
    assert read_quickly(line, QUICK) is not None
    assert_same(line)


@given(st.sampled_from(sorted(COMMANDS)), STYLES, st.data())
def test_lines_with_anything_in_a_key_are_read_alike(name: str, style: dict[str, Any], data: st.DataObject) -> None:
    content = body(name)
    key = data.draw(st.sampled_from(sorted(content)) | st.sampled_from(sorted(PLANS[name].forms)) | st.text(max_size=8))
    assert_same(json.dumps(content | {key: data.draw(JSON_VALUES)}, **style).encode())


@given(st.sampled_from(sorted(COMMANDS)), STYLES, st.data())
def test_lines_that_are_nearly_right_are_read_alike(name: str, style: dict[str, Any], data: st.DataObject) -> None:
    line = bytearray(json.dumps(body(name), **style).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(0, len(line)))
        end = data.draw(st.integers(begin, min(begin + 12, len(line))))
        other = data.draw(st.sampled_from([b"", bytes(line[begin:end]) * 2]) | st.binary(max_size=3))
        line[begin:end] = other
    assert_same(bytes(line))


@given(st.sampled_from(sorted(COMMANDS)), st.data())
def test_a_key_that_stands_twice_is_never_read(name: str, data: st.DataObject) -> None:
    pairs = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in body(name, source="pit-2").items()]
    place = data.draw(st.integers(0, len(pairs)))
    pairs.insert(place, data.draw(st.sampled_from(pairs)))
    line = f"{{{', '.join(pairs)}}}".encode()
    assert read_quickly(line, QUICK) is None
    assert_same(line)


TWO_DIGITS = st.integers(0, 99).map("{:02}".format)
DATES = st.sampled_from(["2026-05-04", "2026-02-29", "2024-02-29", "0001-01-01", "0002-01-01", "9998-12-31"])


@example("2026-05-04", "18", "00", "00", "", "Z")
@example("2026-05-04", "23", "59", "59", "", "+23:59")
@given(
    DATES,
    TWO_DIGITS,
    TWO_DIGITS,
    TWO_DIGITS,
    st.sampled_from(["", ".0", ".123456789", "."]),
    st.sampled_from(["Z", "z", "", "+00", "-04:00:00"])
    | st.tuples(TWO_DIGITS, TWO_DIGITS).map("-{0[0]}:{0[1]}".format),
)
def test_a_time_is_valid_where_it_is_an_instant(
    date: str, hour: str, minute: str, second: str, fraction: str, offset: str
) -> None:
    for between in "Tt _":
        text = f"{date}{between}{hour}:{minute}:{second}{fraction}{offset}"
        try:
            times.instant(text)
            is_instant = True
        except ValueError:
            is_instant = False
        times.valid_instant(f"{date}{between}12:00:00Z")
        assert times.valid_instant(text) is times.valid_instant(text) is is_instant


def test_the_forms_of_bodies_here_are_all_there_are() -> None:
    assert set(BODIES) == set(COMMANDS)
