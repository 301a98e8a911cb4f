"""One well-formed body of every feed command, for tests that vary it."""

from __future__ import annotations

from typing import Any

Body = dict[str, Any]

LEVEL = {
    "level": "major",
    "base_micros": 10**9,
    "reset_micros": 0,
    "rate_bp": 1800,
    "hidden_rate_bp": 200,
    "limit_micros": None,
}
PLACE = {"property": "NORTH", "table": "T1"}
AT_LEVEL = {"meter": "PROG", "level": "major"}
PAPERS = {"evidence": "form 7", "approved_by": ["M1", "M2"]}
LINE = {"round": "r-1", "seat": 2, "wager": "fortune"}

BODIES: dict[str, Body] = {
    "open_property": {"property": "NORTH", "zone": "America/New_York", "day_starts": "06:00", "currency": "USD"},
    "publish_sheet": {"sheet": {"id": "x"}, "effective_from": "2026-01-01T00:00:00Z", "approved_by": "M1"},
    "open_round": PLACE
    | {"round": "r-1", "number": 7, "game": "fortune", "sheet": "fortune-cardroom@1", "dealer": "D1"}
    | {"seats": {"1": "P100", "12": "P101"}},
    "place_wager": {"round": "r-1", "seat": 2, "wager": "main", "amount_cents": 500},
    "withdraw_wager": {"round": "r-1", "seat": 2, "wager": "main", "amount_cents": 500},
    "take_bank": {"round": "r-1", "seat": 2, "chips_cents": 100_000, "house_wager_cents": 500},
    "close_betting": {"round": "r-1"},
    "draw_start": {"round": "r-1", "method": "rng", "number": 3},
    "deal": {"round": "r-1", "hands": {"dealer": "As Kd", "1": "2c 2c Jk"}, "stub": 4},
    "expose_card": {"round": "r-1", "seat": "dealer", "card": "Td"},
    "set_hand": {"round": "r-1", "seat": 2, "low": "As Kd"},
    "reset_hand": {"round": "r-1", "seat": 2, "approved_by": "F1"},
    "double_down": {"round": "r-1", "seat": 2},
    "raise": {"round": "r-1", "seat": 2, "amount_cents": 500},
    "fold": {"round": "r-1", "seat": 2},
    "set_dealer": {"round": "r-1", "low": "As Kd"},
    "settle": {"round": "r-1"},
    "report_payment": LINE | {"paid_cents": 0},
    "forfeit": LINE | {"approved_by": "F1", "reason": "left the table"},
    "void_round": {"round": "r-1", "reason": "misdeal", "approved_by": ["F1", "F2"]},
    "correct_line": LINE | {"due_cents": 0, "reason": "misread", "approved_by": ["F1", "F2"]},
    "validate_jackpot": LINE | {"validated_by": "F1", "signal": False},
    "pay_jackpot": LINE | {"slip": "S-1", "paid_from": "cage", "paid_by": "C1", "witness": "F1"},
    "refuse_jackpot": LINE | {"refused_by": "F1", "reason": "no qualifying hand"},
    "reveal_mystery": {"round": "r-1", "secret": "00" * 32, "commitment": "ab" * 32} | AT_LEVEL,
    "shuffler_error": dict(PLACE),
    "clear_shuffler": PLACE | {"approved_by": "F1"},
    "buy_in": PLACE | {"player": "P100", "amount_cents": 10_000},
    "cash_out": PLACE | {"player": "P100", "amount_cents": 10_000},
    "open_meter": {"meter": "PROG", "property": "NORTH", "levels": [LEVEL, LEVEL | {"level": "minor"}]}
    | {"unreasonable_micros": 10**7, "effective_from": "2026-01-01T00:00:00Z", "approved_by": "M1"},
    "change_meter": {"meter": "PROG", "levels": [{"level": "major", "rate_bp": 2000}]}
    | {"effective_from": "2026-06-01T06:00:00-04:00", "approved_by": ["M1", "M2"]},
    "adjust_meter": AT_LEVEL | {"amount_micros": -(10**6), "reason": "equipment_fault"} | PAPERS,
    "transfer_meter": AT_LEVEL | {"amount_micros": 10**6, "to": "OTHER", "reason": "table_moved"} | PAPERS,
    "retire_meter": AT_LEVEL | {"to": "revenue", "reason": "game_removed"} | PAPERS,
    "read_meter": AT_LEVEL | {"display_cents": 100_000},
}
"""By command, without what every command says."""


def body(command: str, **changes: Any) -> Body:
    """A well-formed body of `command` with `changes`."""
    said_by_all = {"command": command, "command_id": "c-1", "at": "2026-05-04T18:00:00-04:00", "by": "D7"}
    return said_by_all | BODIES[command] | changes


def without(command: str, key: str) -> Body:
    """A body of `command` that lacks `key`."""
    return {name: value for name, value in body(command).items() if name != key}
