"""Writes `docs/rules.md`: every branch of every settlement, every row of the house ways and every ruling, with the
stored round that shows it.

`python -m tests.rounds.rules_page` writes it anew.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from domain.cards import Hand, show
from domain.games import game, game_ids
from domain.games.game import Game
from domain.house_ways import house_way, house_way_ids
from domain.rounds.events import DealerSet, HandReset, HandSet, RoundSettled, RoundVoided, WagerSettled
from projections.replays import VOID_CITE
from tests.rounds.house_way_rows import ROWS
from tests.rounds.playback import ROOT, PlayedRound, case_feeds, played_rounds, recorded_feeds
from tests.rounds.words import IN_EVERY_GAME, RULINGS, WORDS, generalized, words_for

PAGE = ROOT / "docs" / "rules.md"

_INTRODUCTION = """\
# The rules, branch by branch

Every branch that settles a wager, with the text it rests on, what it means, and a stored round that shows it. The
page is written by `python -m tests.rounds.rules_page` from the recorded rounds (`tests/rounds`) and the conformance
cases (`tests/cases/data`); a test says when it is stale, and when a game can say something that no recorded round
shows. `rounds record FILE` and `rounds replay ROUND` play any of them.

A cite names a paragraph of the Pennsylvania Code, title 58 (`670a.11`), or a part of the cardroom's rules (`seed
004`). Where the texts are silent or disagree a ruling decides (`R1` to `R27`, at the end)."""


class Shown(NamedTuple):
    """Where something is shown: the feed, from the top of the repository, and the round."""

    feed: str
    round: str


class Branch(NamedTuple):
    """One way in which a wager of a game is settled; the wager is empty for what holds of every one."""

    game: str
    wager: str
    outcome: str
    cite: str
    ruling: str | None


class Example(NamedTuple):
    """A hand set by a row of a house way."""

    high: Hand
    low: Hand
    shown: Shown


@cache
def stored_rounds() -> tuple[PlayedRound, ...]:
    """The recorded rounds, then the cases' rounds."""
    return tuple(each for feed in (*recorded_feeds(), *case_feeds()) for each in played_rounds(feed))


def branches() -> dict[Branch, Shown]:
    """Every branch that a stored round shows, with the first that does."""
    found: dict[Branch, Shown] = {}
    for played in stored_rounds():
        for branch in _branches_of(played):
            found.setdefault(branch, Shown(played.feed, played.key))
    return found


def rows() -> dict[tuple[str, str], Example]:
    """Every row of a house way that a stored round shows, by the house way's id and the row."""
    found: dict[tuple[str, str], Example] = {}
    for played in stored_rounds():
        way = played.sheet.house_way
        if way is not None:
            for high, low, rule in _settings_of(played):
                found.setdefault((way, rule), Example(high, low, Shown(played.feed, played.key)))
    return found


@cache
def ruling_tests() -> dict[str, dict[str, list[str]]]:
    """The tests whose names name a ruling: by its id, then by their file."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in _test_names(path):
            for ruling in RULINGS.keys() & set(name.split("_")):
                found.setdefault(ruling, {}).setdefault(path.relative_to(ROOT).as_posix(), []).append(name)
    return found


def page() -> str:
    """The page's text."""
    parts = [_INTRODUCTION, *_games(), *_house_ways(), *_rulings()]
    return "\n\n".join(parts) + "\n"


def _branches_of(played: PlayedRound) -> Iterator[Branch]:
    game_id = played.sheet.game
    for event in played.events:
        if isinstance(event, WagerSettled):
            cite, everywhere = generalized(event.cite), (event.cite, event.outcome) in IN_EVERY_GAME
            wager = "" if everywhere else _wager(event)
            yield Branch(game_id, wager, event.outcome, cite, event.ruling)
        elif isinstance(event, RoundVoided) and event.returned:
            yield Branch(game_id, "", "returned", VOID_CITE, None)


def _wager(line: WagerSettled) -> str:
    return f"{line.kind} envy" if line.wager == "envy" else line.wager


def _settings_of(played: PlayedRound) -> Iterator[tuple[Hand, Hand, str]]:
    for event in played.events:
        if isinstance(event, HandSet | HandReset) and event.rule is not None:
            yield event.high, event.low, event.rule
        elif isinstance(event, DealerSet):
            yield event.house_high, event.house_low, event.rule
        elif isinstance(event, RoundSettled) and event.dealer_rule:
            yield event.dealer_high, event.dealer_low, event.dealer_rule


def _test_names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name


def _games() -> Iterator[str]:
    shown = branches()
    for id_ in game_ids():
        own = sorted((each for each in shown if each.game == id_ and each.wager), key=_place)
        lines = [
            _row(_spoken(each.wager), each.outcome, each.cite, _linked(each.ruling), _meaning(each), _link(shown[each]))
            for each in own
        ]
        head = _row("Wager", "Outcome", "Cite", "Ruling", "In words", "Shown by")
        yield f"## {game(id_).title} (`{id_}`)"
        yield _table(head, lines)
    yield "## In every game"
    lines = []
    for (cite, outcome), words in IN_EVERY_GAME.items():
        examples = [(each, shown[each]) for each in shown if (each.cite, each.outcome) == (cite, outcome)]
        ruling = next(each.ruling for each, _ in examples)
        links = ", ".join(_link(at) for _, at in examples)
        lines.append(_row(outcome, cite, _linked(ruling), words, links))
    yield _table(_row("Outcome", "Cite", "Ruling", "In words", "Shown by"), lines)


def _place(branch: Branch) -> tuple[int, int, str]:
    """Wagers in settling order, the house's line first, the bank's and envy after them; then as the words stand."""
    base = [rule.id for rule in game(branch.game).wagers]
    envy = [f"{id_} envy" for id_ in base]
    order = ["house", *base, "bank", *envy]
    texts = list(WORDS[branch.game])
    cite = branch.cite.removeprefix("670a.11(g)(1), ")
    return order.index(branch.wager), texts.index((cite, branch.outcome)), branch.ruling or ""


def _meaning(branch: Branch) -> str:
    return words_for(branch.game, branch.cite, branch.outcome)


def _house_ways() -> Iterator[str]:
    shown = rows()
    yield "## House ways"
    yield (
        "How a house sets its own hand, and a player's who asks for it. Of the splits that a row allows, the best low "
        "hand is played, then the best high hand."
    )
    for id_ in house_way_ids():
        there = [row for row in ROWS[id_] if (id_, row) in shown]
        lines = [_example_row(row, shown[id_, row]) for row in there]
        yield f"### `{id_}` ({house_way(id_).HAND_SIZE} cards)"
        yield _table(_row("Row", "High", "Low", "Shown by"), lines)
        missing = [row for row in ROWS[id_] if row not in there]
        if missing:
            yield "Not shown by a recorded round, since taken over from another house way that shows them:"
            yield "\n".join(f"- {row}" for row in missing)


def _example_row(row: str, example: Example) -> str:
    return _row(row, show(example.high), show(example.low), _link(example.shown))


def _rulings() -> Iterator[str]:
    yield "## Rulings"
    yield (
        "What is done where the texts are silent or disagree. An option is chosen by the sheet (`options`), the "
        "default is named first; a round keeps what its sheet said."
    )
    for id_, ruling in RULINGS.items():
        yield f"### {id_}"
        touched = [game(each) for each in game_ids() if ruling.touches(game(each))]
        yield f"{ruling.question}: {ruling.answer}."
        facts = [f"Games: {_listed(touched)}."]
        options = _options(id_, touched)
        if options:
            facts.append(f"Options: {options}.")
        if ruling.said_by is not None:
            facts.append(f"Sheet: {ruling.said_by}.")
        yield "\n".join(f"- {fact}" for fact in [*facts, *_tests(id_)])


def _options(ruling: str, touched: list[Game]) -> str:
    """The tokens, by game where the default differs."""
    by_tokens: dict[tuple[str, ...], list[Game]] = {}
    for each in touched:
        if ruling in each.options:
            by_tokens.setdefault(each.options[ruling], []).append(each)
    if len(by_tokens) == 1:
        return ", ".join(f"`{token}`" for token in next(iter(by_tokens)))
    return "; ".join(
        f"{', '.join(f'`{token}`' for token in tokens)} ({_listed(games)})" for tokens, games in by_tokens.items()
    )


def _tests(ruling: str) -> Iterator[str]:
    for path, names in ruling_tests().get(ruling, {}).items():
        yield f"Tests in `{path}`: {', '.join(f'`{name}`' for name in names)}."


def _listed(games: list[Game]) -> str:
    return "all" if len(games) == len(game_ids()) else ", ".join(f"`{each.id}`" for each in games)


def _spoken(wager: str) -> str:
    return wager.replace("_", " ")


def _linked(ruling: str | None) -> str:
    """The ruling, leading to what is said of it below."""
    return "" if ruling is None else f"[{ruling}](#{ruling.lower()})"


def _link(shown: Shown) -> str:
    return f"[{shown.round}](../{shown.feed})"


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _table(head: str, lines: list[str]) -> str:
    return "\n".join([head, "|" + "---|" * (head.count("|") - 1), *lines])


def main() -> None:
    """Writes the page."""
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} written")


if __name__ == "__main__":
    main()
