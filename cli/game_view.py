"""A game as people and programs read it: its cards, its wagers in settling order, its rulings and its house ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cli.tables import Column, Paper, draw_record, draw_table, words, wrapped
from domain.games.game import Game, WagerRule
from domain.house_ways import house_way, house_way_ids
from domain.sheets import sample, sample_ids

LIST_COLUMNS = (
    Column("game", "Game"),
    Column("title", "Title"),
    Column("cards", "Cards"),
    Column("samples", "Sample sheet", "list"),
    Column("wagers", "Wagers", "list"),
)
WAGER_COLUMNS = (
    Column("wager", "Wager"),
    Column("made", "Made"),
    Column("rankings", "Paytable by", "list"),
    Column("may_have", "May have", "list"),
)

# R20: the cardroom's house way where a sheet names none.
_HOUSE_WAY = "cardroom"
_DECIDES = {
    "R1": "a won and an identical hand",
    "R2": "the dealer's joker lying low",
    "R5": "the ace in straight flushes",
    "R7": "where A-2-3-4-5 ranks",
    "R8": "high and low hand equal",
    "R10": "a foul, the house banking",
    "R14": "meter hits in one round",
    "R18": "the amount of a raise",
}


def list_row(game: Game) -> dict[str, Any]:
    """The game in the list."""
    return {
        "game": game.id,
        "title": game.title,
        "cards": f"{game.hand_size} of {game.deck_size}",
        "samples": _samples(game),
        "wagers": [rule.id for rule in game.wagers],
    }


def document(game: Game) -> dict[str, Any]:
    """Everything that is fixed about the game."""
    samples = _samples(game)
    return {
        "game": game.id,
        "title": game.title,
        "source": sample(samples[0])["source"] if samples else None,
        "deck": {"cards": game.deck_size, "joker": game.joker},
        "hand_size": game.hand_size,
        "low_size": game.low_size,
        "dealer_first": game.dealer_first,
        "player_bank": game.player_bank,
        "commission": game.commission,
        "exposed_limit": game.exposed_limit,
        "decisions": sorted(game.decisions),
        "wagers": [_wager(game, rule) for rule in game.wagers],
        "options": [
            {"ruling": ruling, "decides": _DECIDES.get(ruling), "default": tokens[0], "tokens": list(tokens)}
            for ruling, tokens in game.options.items()
        ],
        "house_ways": _house_ways(game),
        "house_way": _HOUSE_WAY if _HOUSE_WAY in _house_ways(game) else None,
        "cites": dict(game.cites),
        "samples": samples,
    }


def _samples(game: Game) -> list[str]:
    return [ref for ref in sample_ids() if sample(ref)["game"] == game.id]


def _house_ways(game: Game) -> list[str]:
    if game.split is None:
        return []
    return [id_ for id_ in house_way_ids() if game.hand_size == house_way(id_).HAND_SIZE]


def _wager(game: Game, rule: WagerRule) -> dict[str, Any]:
    may_have = {"backers": rule.backed, "tokes": rule.toke, "envy": rule.envy, "meter": rule.meter}
    return {
        "wager": rule.id,
        "made": "before the deal" if rule.placed else "during the hand",
        "needs": None if rule.base else game.base_wager,
        "rankings": list(rule.rankings),
        "may_have": [name for name, has in may_have.items() if has],
    }


def print_game(paper: Paper, shown: Mapping[str, Any]) -> None:
    """Prints the game; the widest line keeps to 80 columns."""
    paper.print(paper.style(f"{shown['title']} ({shown['game']})", bold=True))
    if shown["source"]:
        paper.print_all(wrapped(f"Source: {shown['source']}"))
    paper.print()
    paper.print_all(draw_record(_TERMS, _terms(shown)))
    paper.heading("Wagers, in settling order")
    paper.print_all(draw_table(WAGER_COLUMNS, [_in_words(wager) for wager in shown["wagers"]], indent="  "))
    paper.heading("Rulings that a sheet chooses, the default first")
    paper.print_all(_rulings(shown))
    if shown["cites"]:
        paper.heading("Where the text is")
        for name, cite in shown["cites"].items():
            paper.print_all(wrapped(f"{words(name).replace('.', ' ')}: {cite}", indent="  ", hanging="  "))


_TERMS = (
    Column("cards", "Cards"),
    Column("set", "Hands"),
    Column("dealer_first", "Dealer"),
    Column("bank", "Bank"),
    Column("commission", "Commission"),
    Column("house_ways", "House ways"),
    Column("samples", "Sample sheet"),
)


def _terms(shown: Mapping[str, Any]) -> dict[str, str | None]:
    high = shown["hand_size"] - shown["low_size"]
    with_joker = " with the joker" if shown["deck"]["joker"] else ""
    return {
        "cards": f"{shown['hand_size']} of {shown['deck']['cards']}{with_joker}",
        "set": f"{high} high, {shown['low_size']} low" if shown["low_size"] else "not set",
        "dealer_first": "sets first, face up" if shown["dealer_first"] else None,
        "bank": "the house, or a player" if shown["player_bank"] else "the house",
        "commission": "where the sheet has one" if shown["commission"] else "never",
        "house_ways": ", ".join(_ways_in_words(shown)) or None,
        "samples": ", ".join(shown["samples"]) or None,
    }


def _ways_in_words(shown: Mapping[str, Any]) -> Iterator[str]:
    for id_ in shown["house_ways"]:
        yield f"{id_} (where the sheet names none)" if id_ == shown["house_way"] else id_


def _in_words(wager: Mapping[str, Any]) -> dict[str, Any]:
    lists = {key: ", ".join(map(words, wager[key])) for key in ("rankings", "may_have")}
    return {**wager, **lists, "wager": words(wager["wager"])}


def _rulings(shown: Mapping[str, Any]) -> Iterator[str]:
    columns = (Column("ruling", "Ruling"), Column("decides", "Decides"), Column("tokens", "Tokens"))
    rows = [{**option, "tokens": ", ".join(option["tokens"])} for option in shown["options"]]
    return draw_table(columns, rows, indent="  ")
