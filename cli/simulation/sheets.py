"""The sheets of a simulation: a game's sample, and versions that between them take every option the game has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cli.simulation.chance import Chance
from cli.simulation.house import LEVELS, Property, meters_of
from domain.games import game
from domain.games.game import Game, WagerRule
from domain.house_ways import house_way, house_way_ids
from domain.sheets import sample, sample_ids
from domain.sheets.reading import ROUNDINGS, TWO_HANDS

Content = dict[str, Any]

VERSIONS = 6
"""How many versions of a game's sheet a property has; the first is the sample."""
TRIAL = "invented for trials, not a rule"

_PAYOUT_LIMITS_CENTS = {4: 500_000, 6: 50_000}
_TOKE_LIMIT_CENTS = 500
# Shares of the meter down a paytable's classes: whole levels, parts of them, and percentages that leave a rest.
_SHARES = (100, "major"), (50, "major"), (33, "major"), (100, "minor"), (10, "major"), (25, "minor"), (7, "minor")
_ENVY_CENTS = (10_000, 5_000, 2_500, 1_000, 300)


def sheets_of(chance: Chance, property_: Property, game_id: str) -> list[Content]:
    """Every version of the game's sheet at the property, to be published in this order."""
    samples = [content for ref in sample_ids() if (content := sample(ref))["game"] == game_id]
    played = game(game_id)
    turns = _Turns(chance, played)
    first = dict(samples[0]) | {"id": f"{game_id.replace('_', '-')}-{property_.id.lower()}", "version": 1}
    return [
        _with_meter(first, played, property_),
        *(_variant(first, played, property_, turns, version) for version in range(2, VERSIONS + 1)),
    ]


class _Turns:
    """Which of several choices a version takes: by turns, from a beginning that the seed decides for each thing."""

    def __init__(self, chance: Chance, played: Game) -> None:
        things = (*played.options, "house_way", "commission", "two_hands", "positions")
        self._beginnings = {thing: chance.below(12) for thing in things}

    def of(self, thing: str, choices: Sequence[Any], version: int) -> Any:
        """The version's choice."""
        return choices[(self._beginnings[thing] + version) % len(choices)]


def _variant(first: Mapping[str, Any], played: Game, property_: Property, turns: _Turns, version: int) -> Content:
    content: Content = {key: value for key, value in first.items() if key not in ("commission", "house_way")}
    most = played.deck_size // played.hand_size - 1
    content |= {
        "version": version,
        "options": {ruling: turns.of(ruling, tokens, version) for ruling, tokens in played.options.items()},
        "player_bank": played.player_bank,
        "two_hands": turns.of("two_hands", TWO_HANDS, version),
        "positions": turns.of("positions", (most, most - 1, 4), version),
    }
    if played.split is not None:
        ways = [id_ for id_ in house_way_ids() if played.hand_size == house_way(id_).HAND_SIZE]
        content["house_way"] = turns.of("house_way", ways, version)
    rounding = turns.of("commission", (*ROUNDINGS, None), version)
    if played.commission and rounding is not None:
        content["commission"] = {"bp": 500, "rounding": rounding}
    if version in _PAYOUT_LIMITS_CENTS:
        content["payout_limit_cents"] = _PAYOUT_LIMITS_CENTS[version]
    content["wagers"] = {
        id_: terms | ({"toke_max_cents": _TOKE_LIMIT_CENTS} if _rule(played, id_).toke else {})
        for id_, terms in content["wagers"].items()
    }
    content = _with_meter(content, played, property_)
    return _with_shares(content, played) if version % 2 else content


def _with_meter(content: Mapping[str, Any], played: Game, property_: Property) -> Content:
    """Its progressive feeds one of the game's meters: the one it shares in odd versions, its own in even ones."""
    wagers = dict(content["wagers"])
    for id_, terms in content["wagers"].items():
        if _rule(played, id_).meter:
            meters = meters_of(property_, played)
            wagers[id_] = {**terms, "meter": meters[(content["version"] - 1) % len(meters)]}
    return {**content, "wagers": wagers}


def _with_shares(content: Content, played: Game) -> Content:
    """Its progressive pays shares of both levels down to common hands, takes large stakes, and earns envy."""
    for id_, terms in content["wagers"].items():
        rule = _rule(played, id_)
        if not rule.meter:
            continue
        classes = [line["hand"] for line in content["paytables"][terms["paytable"]]["lines"]]
        changed = {**terms, "max_cents": max(terms["max_cents"], 2_000), "paytable": "TRIAL-SHARES"}
        shares = {
            "source": TRIAL,
            "ranking": rule.rankings[0],
            "lines": list(map(_share, classes, range(len(classes)))),
        }
        content = {**content, "paytables": {**content["paytables"], "TRIAL-SHARES": shares}}
        if rule.envy:
            changed["envy"] = "TRIAL-ENVY"
            content["envy_tables"] = {**content.get("envy_tables", {}), "TRIAL-ENVY": _envy(classes)}
        content["wagers"] = {**content["wagers"], id_: changed}
    return content


def _share(hand: str, place: int) -> Content:
    percent, level = _SHARES[place % len(_SHARES)]
    assert level in LEVELS
    if place < len(_SHARES):
        return {"hand": hand, "kind": "percent_of_meter", "percent": percent, "level": level}
    return {"hand": hand, "kind": "fixed", "cents": 1_500}


def _envy(classes: Sequence[str]) -> Content:
    lines = [{"hand": hand, "cents": cents} for hand, cents in zip(classes, _ENVY_CENTS, strict=False)]
    return {"source": TRIAL, "lines": lines}


def _rule(played: Game, wager: str) -> WagerRule:
    rule = played.wager(wager)
    assert rule is not None
    return rule
