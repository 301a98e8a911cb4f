"""A whole simulated feed: properties are opened, tables play beside each other, and every command has its id."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import zip_longest
from typing import Any

from cli.simulation.book import Book
from cli.simulation.chance import Chance
from cli.simulation.coordinator import AUTHOR, Coordinator
from cli.simulation.evening import Evening
from cli.simulation.floor import Floor
from cli.simulation.habits import ROOM, Habits
from cli.simulation.house import PROPERTIES, opening, table_names
from cli.simulation.people import crowd
from cli.simulation.table import Step, Table
from domain.games import game, game_ids
from domain.games.game import Game

Command = dict[str, Any]

START = date(2026, 5, 1)
PLAYERS = 60
_RECENT = 30


def feed(
    seed: int,
    rounds: int,
    *,
    games: Sequence[str] = (),
    players: int = PLAYERS,
    start: date = START,
    bias: bool = False,
    mistakes: bool = False,
    habits: Habits = ROOM,
    tables: int | None = None,
    coordinator: bool = False,
) -> Iterator[Command]:
    """The commands of `rounds` rounds of `games` (all without any), in the order in which they are to be recorded.

    `players` share the tables of two properties, at most `tables` of them, from the evening of `start` on. `bias` makes
    hands that pay frequent; with `coordinator` meters are read, and now and then put right. A store that is empty at
    first refuses none of the commands, unless `mistakes` asks for some that it does. The same arguments give the same
    commands on any machine.
    """
    evening = Evening(Chance(seed), Book(), habits, start, bias, mistakes)
    floors = list(_floors(evening, [game(id_) for id_ in games or game_ids()], players))
    sent: deque[Command] = deque(maxlen=_RECENT)
    walking = [Coordinator(floor, seed + place) for place, floor in enumerate(floors)] if coordinator else []
    for number, (order, meant) in enumerate(_steps(floors, walking, rounds, tables), 1):
        command = {"command": order["command"], "command_id": f"sim-{seed}-{number}", "at": order["at"]} | order
        if not meant:
            assert evening.book.refuses(command), f"this mistake would be recorded: {command}"
            yield command
            continue
        evening.book.take(command)
        yield command
        if order["by"] == AUTHOR:
            continue
        sent.append(command)
        if evening.happens("sent_again"):
            yield _again(evening.chance, sent)


def _floors(evening: Evening, games: Sequence[Game], players: int) -> Iterator[Floor]:
    """The properties, each with its share of the players waiting for a seat."""
    people = list(crowd(evening.chance, players))
    for number, property_ in enumerate(PROPERTIES):
        lobby = evening.chance.shuffled(people[number :: len(PROPERTIES)])
        yield Floor(evening, property_, games, lobby)


def _steps(
    floors: Sequence[Floor], walking: Sequence[Coordinator], rounds: int, most_tables: int | None
) -> Iterator[Step]:
    """The openings, and then everybody's commands in the order of their clocks until so many rounds are over."""
    for floor in floors:
        yield from map(Step, opening(floor.evening, floor.property, floor.games))
    tables = _tables(floors)[:most_tables]
    playing: list[Table | Coordinator] = [*tables, *walking]
    while playing:
        table = min(playing, key=lambda each: each.clock)
        may_open = sum(each.rounds for each in tables) < rounds
        step = table.step(may_open=may_open)
        if step is not None:
            yield step
        elif table.is_over(may_open=may_open):
            playing.remove(table)


def _tables(floors: Sequence[Floor]) -> list[Table]:
    """The properties' tables, each beside the other property's."""
    named = [
        [Table(floor, name, game) for name, game in table_names(floor.property, [each.id for each in floor.games])]
        for floor in floors
    ]
    return [table for places in zip_longest(*named) for table in places if table is not None]


def _again(chance: Chance, sent: Sequence[Command]) -> Command:
    """A command that a table system repeats because it missed the receipt: a recent one, its keys in any order."""
    return dict(chance.shuffled(list(chance.pick(sent).items())))
