"""A whole simulated feed: properties are opened, tables play beside each other, and every command has its id."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import zip_longest
from typing import Any

from cli.simulation.book import Book
from cli.simulation.chance import Chance
from cli.simulation.floor import Floor, games_of
from cli.simulation.habits import ROOM, Habits
from cli.simulation.house import PROPERTIES, opening, table_names
from cli.simulation.people import Person, crowd
from cli.simulation.table import Step, Table
from domain.games import game_ids

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
) -> Iterator[Command]:
    """The commands of `rounds` rounds of `games` (all without any), in the order in which they are to be recorded.

    `players` share the tables of two properties, at most `tables` of them, from the evening of `start` on. `bias` makes
    hands that pay frequent. A store that is empty at first refuses none of the commands, unless `mistakes` asks for
    some that it does. The same arguments give the same commands on any machine.
    """
    chance = Chance(seed)
    book = Book()
    sent: deque[Command] = deque(maxlen=_RECENT)
    ids = 0
    floors = list(_floors(chance, book, games or game_ids(), players, start, bias, mistakes, habits))
    for order, meant in _steps(chance, floors, rounds, tables):
        ids += 1
        command = {"command": order["command"], "command_id": f"sim-{seed}-{ids}", "at": order["at"]} | order
        if not meant:
            assert book.refuses(command), f"this mistake would be recorded: {command}"
            yield command
            continue
        book.take(command)
        sent.append(command)
        yield command
        if chance.in_ten_thousand(habits.sent_again):
            yield _again(chance, sent)


def _floors(
    chance: Chance,
    book: Book,
    games: Sequence[str],
    players: int,
    start: date,
    bias: bool,
    mistakes: bool,
    habits: Habits,
) -> Iterator[Floor]:
    """The properties, each with its share of the players waiting for a seat."""
    people: list[Person] = list(crowd(chance, players))
    for number, property_ in enumerate(PROPERTIES):
        lobby = chance.shuffled(people[number :: len(PROPERTIES)])
        yield Floor(chance, habits, bias, mistakes, book, property_, start, games_of(games), lobby)


def _steps(chance: Chance, floors: Sequence[Floor], rounds: int, most_tables: int | None) -> Iterator[Step]:
    """The openings, and then the tables' commands in the order of their clocks until so many rounds are over."""
    for floor in floors:
        yield from map(Step, opening(chance, floor.property, floor.games, floor.day))
    tables = _tables(floors)[:most_tables]
    playing = list(tables)
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
