"""Plays a stored feed without a store: each line is read by the real parser, decided by the rules and folded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from domain.decide import decide
from domain.errors import Refusal
from domain.intake import parse
from domain.rounds.events import Event, RoundOpened
from domain.sheets import Sheet
from domain.surroundings import pinned_sheet
from tests.cases.case import DATA
from tests.domain.rounds.table import House

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent


class PlayedRound(NamedTuple):
    """One round of a feed: the feed's path from the top of the repository, the round's key, sheet and events."""

    feed: str
    key: str
    sheet: Sheet
    events: tuple[Event, ...]


def recorded_feeds() -> list[Path]:
    """The recorded rounds' feeds, one for each game."""
    return sorted(HERE.glob("*.jsonl"))


def case_feeds() -> list[Path]:
    """The conformance cases' feeds."""
    return sorted(path for path in DATA.glob("*.jsonl") if not path.name.endswith(".expected.jsonl"))


def played_rounds(feed: Path) -> Iterator[PlayedRound]:
    """The feed's rounds in the order of their opening; lines that are refused or repeated leave nothing."""
    house, recorded = House(), set()
    for line in feed.read_text(encoding="utf-8").splitlines():
        try:
            command = parse(line)
            if (command.source, command.command_id) not in recorded:
                house.take(decide(command, house))
                recorded.add((command.source, command.command_id))
        except Refusal:
            continue
    for stream, events in house.streams.items():
        opened = events[0]
        if isinstance(opened, RoundOpened):
            sheet = pinned_sheet(house, opened.sheet, opened.sheet_fingerprint)
            yield PlayedRound(feed.relative_to(ROOT).as_posix(), stream.key, sheet, tuple(events))
