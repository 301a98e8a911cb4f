"""The way from a command to its decision: each command has a stream and a rule, or the program stops."""

from __future__ import annotations

import pytest

from domain import commands
from domain.commands import Command
from domain.decide import own_stream
from domain.house_decide import decide_house
from domain.making import frozen
from domain.streams import Stream
from tests.domain.rounds.table import House


@frozen(kw_only=True)
class Unheard(Command):
    """A command that nobody decides."""

    NAME = "unheard"


def test_a_command_without_a_stream_or_a_rule_stops_the_program() -> None:
    command = Unheard(command_id="k1", at="2026-05-04T18:00:00Z", by="C1")
    with pytest.raises(TypeError, match="unheard"):
        own_stream(command)
    with pytest.raises(TypeError, match="unheard"):
        decide_house(command, House())


def test_streams_of_one_key_and_different_kinds_are_different() -> None:
    about = {"command_id": "k1", "at": "2026-05-04T18:00:00Z", "by": "C1"}
    place = {"property": "NORTH", "table": "T1"}
    assert own_stream(commands.CloseBetting(round="X", **about)) == Stream("round", "X")
    assert own_stream(commands.BuyIn(player="X", amount_cents=1, **place, **about)) == Stream("player", "X")
    assert own_stream(commands.ShufflerError(**place, **about)) == Stream("table", '["NORTH", "T1"]')


def test_a_tables_stream_cannot_be_taken_for_another_tables() -> None:
    about = {"command_id": "k1", "at": "2026-05-04T18:00:00Z", "by": "C1"}
    first = own_stream(commands.ShufflerError(property='a","b', table="c", **about))
    second = own_stream(commands.ShufflerError(property="a", table='b","c', **about))
    assert first != second
