"""A seeded feed of Fortune Pai Gow Poker, dealt fairly and played by people.

`python -m tests.generators.fortune --rounds 100 --seed 1 > feed.jsonl`
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from domain.sheets.reading import read_sheet
from tests.generators.chance import Chance
from tests.generators.house import OPENED_AT, PROPERTIES, SUPERVISORS, opening, sheets
from tests.generators.scene import Habits, Order
from tests.generators.table import Table

Command = dict[str, Any]

PLAYERS = 60


def feed(
    seed: int, rounds: int, *, bias: bool = False, tables: int = 5, retries: int = 8, habits: Habits | None = None
) -> Iterator[Command]:
    """Commands of `rounds` rounds at up to five tables in two properties, in the order they are to be recorded.

    `bias` makes hands that pay from a meter frequent; of a thousand commands `retries` are sent again later. Nothing in
    it is refused by a store that is empty at first.
    """
    chance = Chance(seed)
    sent: list[Command] = []
    for order in _orders(chance, rounds, bias, tables, habits or Habits()):
        identified = {"command": order["command"], "command_id": f"sim-{seed}-{len(sent) + 1}"} | order
        sent.append(identified)
        yield identified
        if chance.in_thousand(retries):
            yield _again(chance, sent)


def _orders(chance: Chance, rounds: int, bias: bool, tables: int, habits: Habits) -> Iterator[Order]:
    for order in opening(chance):
        yield {"at": OPENED_AT, "by": SUPERVISORS[0]} | order
    playing = _tables(chance, bias, habits)[:tables]
    while playing:
        table = chance.pick(playing)
        opened = sum(each.rounds for each in playing)
        step = table.step(may_open=opened < rounds)
        if step is not None:
            yield step
        elif opened >= rounds:
            rounds -= table.rounds
            playing.remove(table)
            yield from table.rest()


def _tables(chance: Chance, bias: bool, habits: Habits) -> list[Table]:
    """The properties' tables, each beside the other property's, with one lobby a property."""
    made: list[list[Table]] = []
    for number, property_ in enumerate(PROPERTIES):
        lobby = [f"P{1 + number + len(PROPERTIES) * each:03d}" for each in range(PLAYERS)]
        lobby = chance.shuffled(lobby)
        readable = [read_sheet(content) for content in sheets(property_)]
        made.append(
            [Table(chance, property_, name, readable, lobby, habits=habits, bias=bias) for name in property_.tables]
        )
    longest = max(map(len, made))
    return [tables[place] for place in range(longest) for tables in made if place < len(tables)]


def _again(chance: Chance, sent: list[Command]) -> Command:
    """A command that a table system repeats because it missed the receipt: a recent one, its keys in any order."""
    recent = sent[-30:]
    return dict(chance.shuffled(list(chance.pick(recent).items())))


def main() -> None:
    """Writes a feed to standard output, one command a line."""
    parser = argparse.ArgumentParser(prog="python -m tests.generators.fortune", description=__doc__)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--bias", action="store_true", help="big hands come often")
    options = parser.parse_args()
    for command in feed(options.seed, options.rounds, bias=options.bias, tables=options.tables):
        sys.stdout.write(json.dumps(command, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
