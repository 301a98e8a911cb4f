"""`--as-of POSITION|TIME`: what a person may write, and which events it covers."""

from __future__ import annotations

import pytest

from domain.house_events import PlayerBoughtIn
from domain.streams import Stream
from projections.asof import AsOf, parse
from tests.projections.naive import of_kind
from tests.projections.sources import HandMade


def bought(cents: int) -> PlayerBoughtIn:
    """A buy-in of P1."""
    return PlayerBoughtIn("NORTH", "T1", "P1", cents, "2026-05-04")


def test_a_number_is_a_position_and_a_time_with_its_offset_a_time() -> None:
    assert parse("12") == AsOf(position=12)
    assert parse("2026-05-04T18:00:00-04:00") == parse("2026-05-04T22:00:00Z")


@pytest.mark.parametrize("text", ["", "-1", "1.5", "yesterday", "2026-05-04", "2026-05-04T18:00:00", "١٢"])
def test_anything_else_is_refused_with_both_forms_named(text: str) -> None:
    with pytest.raises(ValueError, match="neither a log position, such as 1234, nor a time"):
        parse(text)


def test_a_position_counts_its_own_event_and_none_after_it(log: HandMade) -> None:
    log.add(Stream("player", "P1"), bought(1), bought(2), bought(3))
    assert [each.amount_cents for each in of_kind(parse("2").select(log.records), PlayerBoughtIn)] == [1, 2]


def test_a_time_goes_by_at_also_where_at_runs_backwards(log: HandMade) -> None:
    stream = Stream("player", "P1")
    log.add(stream, bought(1), at="2026-05-04T18:00:00-04:00")
    log.add(stream, bought(2), at="2026-05-04T19:00:01-04:00")
    log.add(stream, bought(3), at="2026-05-04T23:00:00Z")
    covered = parse("2026-05-04T19:00:00-04:00").select(log.records)
    assert [each.amount_cents for each in of_kind(covered, PlayerBoughtIn)] == [1, 3]


def test_a_point_beyond_the_log_reaches_its_end() -> None:
    assert parse("99").reached(7) == 7
    assert parse("5").reached(7) == 5
