"""What the shell completes: rounds, sheets, tables, players and more as the ledger has them, fast and silently.

A SQLite file is asked by the plain driver, which is there at once; another database by the program's own. Where nothing
can be read nothing is completed, and nothing is said.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
from click.shell_completion import CompletionItem

from cli.options import Settings

MOST = 200
_LAST = "\U0010ffff"
Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
Ask = Callable[[str, tuple[str | int, ...]], list[tuple[Any, ...]]]


def from_store(find: Callable[[Ask, str], Iterator[str]]) -> Complete:
    """Completes with what `find` reads; any trouble completes nothing."""

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        settings = ctx.find_object(Settings) or Settings()
        try:
            return [CompletionItem(each) for each in _read(settings.url, find, incomplete)]
        except Exception:
            return []

    return complete


def from_words(words: Callable[[], list[str]]) -> Complete:
    """Completes with words that the program knows."""

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(word) for word in words() if word.startswith(incomplete)]

    return complete


def _read(url: str, find: Callable[[Ask, str], Iterator[str]], incomplete: str) -> list[str]:
    # Help needs no driver.
    import sqlite3

    beginning = "sqlite:///"
    if not url.startswith(beginning):
        return _read_elsewhere(url, find, incomplete)
    path = Path(url.removeprefix(beginning).partition("?")[0])
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=0.2)) as connection:
        return list(find(lambda text, values: connection.execute(text, values).fetchall(), incomplete))


def _read_elsewhere(url: str, find: Callable[[Ask, str], Iterator[str]], incomplete: str) -> list[str]:
    from ledger.service import Ledger

    with Ledger.open(url, read_only=True, create=False) as ledger, ledger.store.reading() as connection:
        sql = ledger.store.dialect.sql

        def ask(text: str, values: tuple[str | int, ...]) -> list[tuple[Any, ...]]:
            return [tuple(row) for row in connection.exec_driver_sql(sql(text), values).all()]

        return list(find(ask, incomplete))


def _streams(kind: str) -> Complete:
    """The keys of the streams of a kind, by their index."""

    def find(ask: Ask, incomplete: str) -> Iterator[str]:
        text = "SELECT key FROM streams WHERE kind = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?"
        yield from (key for (key,) in ask(text, (kind, incomplete, incomplete + _LAST, MOST)))

    return from_store(find)


def _tables(ask: Ask, incomplete: str) -> Iterator[str]:
    """The tables of the writer's own sums, whatever the property."""
    text, first = 'SELECT "key" FROM desk WHERE "key" >= ? AND "key" < ? ORDER BY "key"', '["table",'
    names = {json.loads(key)[2] for (key,) in ask(text, (first, first + _LAST))}
    yield from sorted(name for name in names if name.startswith(incomplete))


def _column(name: str) -> Complete:
    """The values of a column of the list of rounds, as far as that is projected."""

    def find(ask: Ask, incomplete: str) -> Iterator[str]:
        current = "SELECT build FROM projection_current WHERE name = ? ORDER BY schema DESC LIMIT 1"
        ((build,),) = ask(current, ("rounds",))
        table, last = f"projection_rounds_{int(build)}", incomplete
        # Each value is found by the index from the one before it.
        for comparing in (">=", *[">"] * MOST):
            ((value,),) = ask(f'SELECT min("{name}") FROM {table} WHERE "{name}" {comparing} ?', (last,))
            if not _begins(value, incomplete):
                return
            yield value
            last = value

    return from_store(find)


def _begins(value: str | None, incomplete: str) -> bool:
    return value is not None and value.startswith(incomplete)


def _games() -> list[str]:
    from domain.games import game_ids

    return list(game_ids())


def _wagers() -> list[str]:
    from domain.games import game, game_ids

    return sorted({rule.id for id_ in game_ids() for rule in game(id_).wagers} | {"house", "bank", "envy"})


def _hands() -> list[str]:
    from projections.hand_words import CLASSES

    return sorted(CLASSES)


def _codes() -> list[str]:
    from cli.codes import explanations

    return [*explanations(), "exit-codes"]


def _findings() -> list[str]:
    from cli.codes import explanations

    return [code for code, each in explanations().items() if each.kind == "finding"]


def _changes(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """`--with`: what is changed, then what there is of it."""
    what, equals, begun = incomplete.partition("=")
    if not equals:
        return [CompletionItem(each) for each in ("sheet=", "house-way=") if each.startswith(what)]
    if what == "sheet":
        return [CompletionItem(f"sheet={each.value}") for each in sheets(ctx, parameter, begun)]
    from domain.house_ways import house_way_ids

    return [CompletionItem(f"house-way={each}") for each in house_way_ids() if each.startswith(begun)]


rounds = _streams("round")
sheets = _streams("sheet")
meters = _streams("meter")
players = _streams("player")
properties = _streams("property")
tables = from_store(_tables)
dealers = _column("dealer")
decks = _column("deck")
days = _column("gaming_day")
games = from_words(_games)
wagers = from_words(_wagers)
hands = from_words(_hands)
codes = from_words(_codes)
findings = from_words(_findings)
changes: Complete = _changes
