"""Reading what an operator publishes into a sheet; every mistake is refused with its path inside the sheet."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from domain import games, house_ways, strict_json
from domain.games.game import Game, WagerRule
from domain.money import BASIS_POINTS, MAX_CENTS
from domain.rankings import RANKINGS
from domain.sheets.building import build, fingerprint
from domain.sheets.node import Node, SheetInvalid, as_object, refuse, shown
from domain.sheets.sheet import Sheet

TWO_HANDS = ("any", "adjacent", "no")
ROUNDINGS = ("half_up", "up_to_quarter")
LINE_FIGURES: Mapping[str, tuple[str, ...]] = {
    "to_1": ("n",),
    "for_1": ("n",),
    "fixed": ("cents",),
    "percent_of_meter": ("percent", "level"),
}
"""The kinds of a paytable's line, with the figures that each has."""
_LINE_OPTIONAL: Mapping[str, tuple[str, ...]] = {"percent_of_meter": ("meter",)}

_REQUIRED = ["id", "version", "game", "title", "source", "positions", "player_bank", "two_hands", "wagers", "paytables"]
_OPTIONAL = ["options", "house_way", "commission", "envy_minimum_cents", "payout_limit_cents", "envy_tables"]
_ID = re.compile(r"[a-z0-9-]{1,40}")
_MAX_VERSION = 10**9
_MAX_ODDS = 10**6
# R20: the cardroom's house way where a sheet names none.
_HOUSE_WAY = "cardroom"


def read_sheet(content: Mapping[str, Any]) -> Sheet:
    """The sheet of `content` as published, its options filled in with the game's defaults (RULINGS).

    Raises SheetInvalid, which names the path of the first mistake.
    """
    filled = _filled(Node(content, "sheet", _REQUIRED, _OPTIONAL))
    return build(fingerprint(filled), filled)


def content_from_text(text: str, suffix: str) -> Mapping[str, Any]:
    """A sheet file's content, still to be read by `read_sheet`; `suffix` is `.json` or `.toml`. Raises SheetInvalid."""
    try:
        if suffix == ".json":
            return as_object(strict_json.loads(text), "sheet")
        if suffix == ".toml":
            return tomllib.loads(text)
    except RecursionError:
        raise SheetInvalid("sheet: it nests too deep to be a sheet") from None
    except ValueError as error:
        raise SheetInvalid(f"sheet: {error}") from None
    raise SheetInvalid(f"sheet: a file ending in {shown(suffix)} is not read; name it .json or .toml")


def _filled(sheet: Node) -> dict[str, Any]:
    game = games.game(sheet.choice("game", games.game_ids(), "the games"))
    filled: dict[str, Any] = {
        "id": sheet.text("id", _ID),
        "version": sheet.integer("version", 1, _MAX_VERSION),
        "game": game.id,
        "title": sheet.text("title"),
        "source": sheet.text("source"),
        # Every spot and the dealer get a whole hand of one deck.
        "positions": sheet.integer("positions", 1, game.deck_size // game.hand_size - 1),
        "options": _options(sheet, game),
        **_house_rules(sheet, game),
        "paytables": _tables(sheet, "paytables", _paytable, ("ranking",)),
        "envy_tables": _tables(sheet, "envy_tables", _envy_table),
    }
    filled["wagers"] = _wagers(sheet, game, filled)
    if filled["player_bank"]:
        _check_bank(filled["wagers"][game.base_wager]["paytable"], game, filled)
    return filled


def _check_bank(paytable: str, game: Game, filled: Mapping[str, Any]) -> None:
    # Seed 004: the banker covers all wagers on the table, each once.
    (line,) = filled["paytables"][paytable]["lines"]
    if line["kind"] != "to_1" or line["n"] > 1:
        path = f"sheet.wagers.{game.base_wager}.paytable"
        refuse(path, f"{shown(paytable)} does not fit; where a player banks name a table of 1 to 1, which he covers")


def _house_rules(sheet: Node, game: Game) -> dict[str, Any]:
    rules: dict[str, Any] = {}
    if game.low_size:
        rules["house_way"] = _house_way(sheet, game)
    elif "house_way" in sheet:
        sheet.refuse("house_way", f"{game.id} has none; leave the key out")
    if "commission" in sheet:
        rules["commission"] = _commission(sheet, game)
    rules["player_bank"] = sheet.truth("player_bank")
    if rules["player_bank"] and not game.player_bank:
        sheet.refuse("player_bank", f"no player banks in {game.id}; write false")
    rules["two_hands"] = sheet.choice("two_hands", TWO_HANDS, "the ways")
    for key in ("envy_minimum_cents", "payout_limit_cents"):
        if key in sheet:
            rules[key] = sheet.integer(key, 1, MAX_CENTS)
    return rules


def _tables(
    sheet: Node, key: str, read: Callable[[Node], dict[str, Any]], optional: tuple[str, ...] = ()
) -> dict[str, Any]:
    return {
        name: read(Node(table, f"{sheet.at(key)}.{name}", ("source", "lines"), optional))
        for name, table in sheet.objects(key).items()
    }


def _options(sheet: Node, game: Game) -> dict[str, str]:
    given = Node(sheet.get("options", {}), "sheet.options", (), game.options)
    return {
        ruling: given.choice(ruling, tokens, "the tokens") if ruling in given else tokens[0]
        for ruling, tokens in game.options.items()
    }


def _house_way(sheet: Node, game: Game) -> str:
    fitting = [id_ for id_ in house_ways.house_way_ids() if game.hand_size == house_ways.house_way(id_).HAND_SIZE]
    if "house_way" in sheet:
        return sheet.choice("house_way", fitting, f"the house ways for {game.hand_size} cards")
    if _HOUSE_WAY not in fitting:
        refuse("sheet.house_way", f"the key is missing; name one of {', '.join(fitting)}")
    return _HOUSE_WAY


def _commission(sheet: Node, game: Game) -> dict[str, Any]:
    if not game.commission:
        sheet.refuse("commission", f"{game.id} takes none; leave the key out")
    terms = Node(sheet["commission"], "sheet.commission", ("bp", "rounding"))
    return {
        "bp": terms.integer("bp", 0, BASIS_POINTS),
        "rounding": terms.choice("rounding", ROUNDINGS, "the roundings of R12"),
    }


def _paytable(table: Node) -> dict[str, Any]:
    ranking = table.choice("ranking", RANKINGS, "the ranking lists") if "ranking" in table else "win"
    lines = [_pay_line(line, f"{table.at('lines')}[{place}]") for place, line in enumerate(table.entries("lines"))]
    for place, line in enumerate(lines):
        _check_hand(line["hand"], ranking, f"{table.at('lines')}[{place}].hand")
    _check_once(lines, table)
    return {"source": table.text("source"), "ranking": ranking, "lines": lines}


def _pay_line(value: Any, path: str) -> dict[str, Any]:
    known = as_object(value, path)
    figures = LINE_FIGURES.get(str(known.get("kind")))
    # Where the kind itself is wrong, that is the mistake to name, and no figure is.
    optional = _LINE_OPTIONAL.get(str(known.get("kind")), ())
    line = Node(known, path, ("hand", "kind", *(figures or ())), optional if figures else known)
    kind = line.choice("kind", LINE_FIGURES, "the kinds")
    read: dict[str, Any] = {"hand": line.text("hand"), "kind": kind}
    for figure in LINE_FIGURES[kind]:
        read[figure] = line.text(figure) if figure == "level" else line.integer(figure, *_range_of(figure, kind))
    return read | {key: line.text(key) for key in optional if key in line}


def _range_of(figure: str, kind: str) -> tuple[int, int]:
    if figure == "n":
        # 0 to 1 is a push; 0 for 1 would be a line that pays nothing.
        return (0 if kind == "to_1" else 1), _MAX_ODDS
    return (1, 100) if figure == "percent" else (1, MAX_CENTS)


def _envy_table(table: Node) -> dict[str, Any]:
    lines = []
    for place, value in enumerate(table.entries("lines")):
        line = Node(value, f"{table.at('lines')}[{place}]", ("hand", "cents"))
        lines.append({"hand": line.text("hand"), "cents": line.integer("cents", 1, MAX_CENTS)})
    _check_once(lines, table)
    return {"source": table.text("source"), "lines": lines}


def _check_once(lines: list[dict[str, Any]], table: Node) -> None:
    seen: set[str] = set()
    for place, line in enumerate(lines):
        if line["hand"] in seen:
            refuse(f"{table.at('lines')}[{place}].hand", f"{shown(line['hand'])} has a line already; keep one of them")
        seen.add(line["hand"])


def _check_hand(hand: str, ranking: str, path: str) -> None:
    if hand not in RANKINGS[ranking]:
        classes = ", ".join(RANKINGS[ranking])
        refuse(path, f"{shown(hand)} is no class of the ranking {ranking}; its classes are {classes}")


def _wagers(sheet: Node, game: Game, filled: Mapping[str, Any]) -> dict[str, Any]:
    rules = {rule.id: rule for rule in game.wagers}
    offered = Node(sheet["wagers"], "sheet.wagers", (game.base_wager,), rules)
    # In the order of settling, whatever order the file has.
    return {id_: _wager(offered[id_], rule, filled) for id_, rule in rules.items() if id_ in offered}


def _wager(value: Any, rule: WagerRule, filled: Mapping[str, Any]) -> dict[str, Any]:
    path = f"sheet.wagers.{rule.id}"
    limits = ("min_cents", "max_cents") if rule.placed else ()
    meter = ("meter",) if rule.meter else ()
    optional = [key for key, has in (("toke_max_cents", rule.toke), ("envy", rule.envy)) if has]
    terms = Node(value, path, ("paytable", *limits, *meter), optional)
    read: dict[str, Any] = {"paytable": terms.choice("paytable", filled["paytables"], "the sheet's paytables")}
    for key in (*limits, "toke_max_cents"):
        if key in terms:
            read[key] = terms.integer(key, 1, MAX_CENTS)
    if rule.placed and read["min_cents"] > read["max_cents"]:
        terms.refuse("min_cents", f"it is above max_cents ({read['max_cents']}); lower it or raise max_cents")
    if "envy" in terms:
        read["envy"] = terms.choice("envy", filled["envy_tables"], "the sheet's envy tables")
    if "meter" in terms:
        read["meter"] = _meter(terms)
    _check_tables(read, rule, terms, filled)
    return read


def _meter(terms: Node) -> str | list[str]:
    """One meter, or a list of different ones that the same stake feeds."""
    if not isinstance(terms["meter"], list):
        return terms.text("meter")
    named = terms.entries("meter")
    for place, meter in enumerate(named):
        Node({"meter": meter}, terms.path, ("meter",)).text("meter")
        if meter in named[:place]:
            terms.refuse("meter", f"it names {shown(meter)} twice; keep one of them")
    return list(named)


def _check_lines_meters(read: Mapping[str, Any], table: Mapping[str, Any]) -> None:
    """A line that pays a percentage names one of the wager's meters; where there is only one it may leave it out."""
    meters = [read["meter"]] if isinstance(read["meter"], str) else read["meter"]
    for place, line in enumerate(table["lines"]):
        path = f"sheet.paytables.{read['paytable']}.lines[{place}].meter"
        if line["kind"] != "percent_of_meter" or line.get("meter") in meters:
            continue
        if "meter" in line:
            refuse(path, f"{shown(line['meter'])} is none of the wager's meters; name one of {', '.join(meters)}")
        if len(meters) > 1:
            refuse(path, f"the key is missing; the wager feeds several meters, name one of {', '.join(meters)}")


def _check_tables(read: Mapping[str, Any], rule: WagerRule, terms: Node, filled: Mapping[str, Any]) -> None:
    """The wager's tables are of a ranking it can be looked up in, and ask for nothing it lacks."""
    table = filled["paytables"][read["paytable"]]
    if table["ranking"] not in rule.rankings:
        allowed = ", ".join(rule.rankings)
        terms.refuse("paytable", f"its ranking is {table['ranking']}; name a table of the ranking {allowed}")
    if "meter" not in read and any(line["kind"] == "percent_of_meter" for line in table["lines"]):
        terms.refuse("paytable", "it pays a percentage of a meter, which this wager does not have; name another table")
    if "meter" in read:
        _check_lines_meters(read, table)
    if "envy" in read:
        for place, line in enumerate(filled["envy_tables"][read["envy"]]["lines"]):
            _check_hand(line["hand"], table["ranking"], f"sheet.envy_tables.{read['envy']}.lines[{place}].hand")
        # R13: the minimum binds the Fortune wager, not the progressive one.
        if rule.id == "fortune" and "envy_minimum_cents" not in filled:
            refuse("sheet.envy_minimum_cents", "the key is missing; add the least fortune stake that earns envy")
