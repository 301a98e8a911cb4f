"""Where a recording's time goes: a profile added up by layer of the product."""

from __future__ import annotations

import cProfile
import pstats
from collections import defaultdict
from collections.abc import Callable
from typing import Any

Function = tuple[str, int, str]

# The first part that a function's file or name holds decides; libraries count for who calls them.
_LAYERS = (
    ("domain/intake", "parse"),
    ("<reading of", "parse"),
    ("orjson.loads", "parse"),
    ("ledger/quick_json", "parse"),
    ("domain/strict_json", "parse"),
    ("domain/times", "parse"),
    ("json/", "parse"),
    ("domain/rounds/settlement", "settle"),
    ("domain/rounds/lines", "settle"),
    ("domain/rounds/totals", "settle"),
    ("domain/rounds/showdown", "settle"),
    ("domain/rounds/jackpots", "settle"),
    ("domain/rounds/payout_limit", "settle"),
    ("domain/rankings", "settle"),
    ("domain/seven_card", "settle"),
    ("domain/six_card", "settle"),
    ("domain/flushes", "settle"),
    ("domain/classes", "settle"),
    ("domain/masks", "settle"),
    ("domain/splits", "settle"),
    ("domain/house_ways", "settle"),
    ("domain/desk", "desk"),
    ("domain/meters", "desk"),
    ("ledger/desk", "desk"),
    ("domain/", "decide"),
    ("<making of", "decide"),
    ("<shape of", "codec"),
    ("ledger/codec", "codec"),
    ("ledger/shapes", "codec"),
    ("orjson", "codec"),
    ("ledger/recorder", "recorder"),
    ("ledger/chain", "recorder"),
    ("ledger/store", "recorder"),
    ("ledger/dialects", "recorder"),
    ("ledger/app", "recorder"),
    ("eventsourcing", "recorder"),
    ("sqlalchemy", "recorder"),
    ("sqlite3", "recorder"),
    ("ledger/", "writer"),
)


def profiled(work: Callable[[], object]) -> list[tuple[str, float]]:
    """Each layer's share of the time that `work` takes, the greatest first; shares add up to 1."""
    profile = cProfile.Profile()
    profile.runcall(work)
    stats: dict[Function, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    seconds: dict[str, float] = defaultdict(float)
    for function, (_, _, own_seconds, _, callers) in stats.items():
        for layer, share in _split(function, callers):
            seconds[layer] += own_seconds * share
    total = sum(seconds.values())
    return sorted(((layer, each / total) for layer, each in seconds.items()), key=lambda each: -each[1])


def _split(function: Function, callers: dict[Function, Any]) -> list[tuple[str, float]]:
    """The layers that a function's own time counts for: its own, else those of its direct callers."""
    layer = _layer_of(function)
    if layer is not None:
        return [(layer, 1.0)]
    spent = {caller: figures[2] for caller, figures in callers.items()}
    total = sum(spent.values())
    if not total:
        return [("other", 1.0)]
    return [(_layer_of(caller) or "other", each / total) for caller, each in spent.items()]


def _layer_of(function: Function) -> str | None:
    file, _, name = function
    where = f"{file.replace(chr(92), '/')} {name}"
    return next((layer for part, layer in _LAYERS if part in where), None)
