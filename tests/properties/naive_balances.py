"""Balances worked out the plain way from commands and replay documents: void rounds are left out, not taken back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from tests.properties.naive_lines import Command, Document, Documents, Line, settled_lines

Row = dict[str, int]

_FIGURES = (
    "bought_in_cents",
    "cashed_out_cents",
    "staked_cents",
    "won_cents",
    "returned_cents",
    "commission_cents",
    "corrected_cents",
    "rounds",
)
NAMES = (*_FIGURES, "net_cents", "balance_cents")
"""The figures of a row."""


def balances(commands: Iterable[Command], documents: Documents) -> dict[str, Row]:
    """Each player's figures in cents once every round is over."""
    rows: dict[str, Row] = defaultdict(lambda: dict.fromkeys(_FIGURES, 0))
    for document in documents.values():
        _add_round(rows, document)
    seats: dict[str, dict[str, str]] = {}
    due: dict[tuple[Any, ...], int] = {}
    for command in commands:
        match command["command"]:
            case "buy_in":
                rows[command["player"]]["bought_in_cents"] += command["amount_cents"]
            case "cash_out":
                rows[command["player"]]["cashed_out_cents"] += command["amount_cents"]
            case "open_round":
                seats[command["round"]] = command["seats"]
            case "correct_line":
                owner = command.get("bettor") or seats[command["round"]][str(command["seat"])]
                _add_correction(rows, due, command, owner, documents[command["round"]])
    return {player: _summed(row) for player, row in rows.items()}


def _add_round(rows: dict[str, Row], document: Document) -> None:
    if document["status"] != "settled":
        return
    of_players = [line for line in document["lines"] if line["player"] is not None]
    for line in of_players:
        row = rows[line["player"]]
        row["staked_cents"] += line["stake_cents"]
        if not line.get("toke"):
            row["won_cents"] += line["won_cents"]
            row["returned_cents"] += line["returned_cents"]
            row["commission_cents"] += line["commission_cents"]
    for player in {line["player"] for line in of_players}:
        rows[player]["rounds"] += 1


def _add_correction(
    rows: dict[str, Row], due: dict[tuple[Any, ...], int], command: Command, owner: str, document: Document
) -> None:
    """The difference to what was due before; a toke's goes to the dealers."""
    toke = command.get("toke", False)
    key = (document["round"], *(command.get(name) for name in ("seat", "wager", "for_seat", "kind")), toke, owner)
    before = due.get(key)
    if before is None:
        line = next(line for line in settled_lines(document) if key[1:] == _key(line))
        before = line["won_cents"] + line["returned_cents"] - line["commission_cents"]
    due[key] = command["due_cents"]
    if document["status"] == "settled" and not toke:
        rows[owner]["corrected_cents"] += command["due_cents"] - before


def _key(line: Line) -> tuple[Any, ...]:
    named = (line["seat"], line["wager"], line["for_seat"], line["kind"])
    return (*named, line.get("toke", False), line["player"])


def _summed(row: Row) -> Row:
    net = row["won_cents"] + row["returned_cents"] - row["staked_cents"] - row["commission_cents"]
    net += row["corrected_cents"]
    return row | {"net_cents": net, "balance_cents": row["bought_in_cents"] - row["cashed_out_cents"] + net}
