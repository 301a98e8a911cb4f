"""The same read models by plainer means: each round looked at as a whole at its end, a void as if nothing had been."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from domain.house_events import MeterOpened, PlayerBoughtIn, PlayerCashedOut
from domain.rounds.events import (
    BankTaken,
    BettingClosed,
    ContributionTaken,
    DoubledDown,
    Event,
    HandsDealt,
    LineCorrected,
    Raised,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagerPlaced,
    WagerSettled,
    WagerWithdrawn,
)
from ledger.records import Record

Figures = dict[str, int]


def rounds_of(records: Iterable[Record]) -> dict[str, list[Record]]:
    """The rounds' records by key, in round order."""
    rounds: dict[str, list[Record]] = {}
    for record in records:
        if record.stream.kind == "round":
            rounds.setdefault(record.stream.key, []).append(record)
    return rounds


def of_kind(records: Iterable[Record], kind: type[Event]) -> list[Any]:
    """The events of one class."""
    return [record.event for record in records if isinstance(record.event, kind)]


def figures_of_round(records: list[Record]) -> dict[str, Figures]:
    """What one round did to each player who touched it."""
    players: dict[str, Figures] = defaultdict(lambda: defaultdict(int))
    standing: dict[tuple[object, ...], tuple[str, int]] = {}
    for event in (record.event for record in records):
        if isinstance(event, WagerPlaced | WagerWithdrawn):
            standing[event.seat, event.wager, event.toke, event.bettor] = (event.player, event.standing_cents)
        elif isinstance(event, DoubledDown | Raised):
            standing[event.seat, event.NAME] = (event.player, event.stake_cents)
    lines = [line for line in of_kind(records, WagerSettled) if line.player is not None]
    corrections = [each for each in of_kind(records, LineCorrected) if each.player is not None]
    for player, cents in standing.values():
        players[player]["staked_cents"] += cents
    for line in lines:
        own = players[line.player]
        own["staked_cents"] += line.stake_cents if line.wager == "bank" else 0
        if not line.toke:
            own["won_cents"] += line.won_cents
            own["returned_cents"] += line.returned_cents
            own["commission_cents"] += line.commission_cents
    for each in corrections:
        players[each.player]["corrected_cents"] += 0 if each.toke else each.difference_cents
    if of_kind(records, RoundSettled):
        for player in {line.player for line in lines}:
            players[player]["rounds"] = 1
    return {player: {} if of_kind(records, RoundVoided) else own for player, own in players.items()}


def balances(records: Iterable[Record]) -> dict[str, Figures]:
    """Every player's figures with net and balance, without positions."""
    every = list(records)
    sums: dict[str, Figures] = defaultdict(lambda: defaultdict(int))
    for event in of_kind(every, PlayerBoughtIn):
        sums[event.player]["bought_in_cents"] += event.amount_cents
    for event in of_kind(every, PlayerCashedOut):
        sums[event.player]["cashed_out_cents"] += event.amount_cents
    for round_ in rounds_of(every).values():
        for player, figures in figures_of_round(round_).items():
            own = sums[player]
            for name, amount in figures.items():
                own[name] += amount
    return {player: _whole(figures) for player, figures in sorted(sums.items())}


def _whole(figures: Figures) -> Figures:
    names = ("staked_cents", "won_cents", "returned_cents", "commission_cents", "corrected_cents")
    whole = {name: figures[name] for name in ("bought_in_cents", "cashed_out_cents", *names, "rounds")}
    gained = figures["won_cents"] + figures["returned_cents"] + figures["corrected_cents"]
    whole["net_cents"] = gained - figures["staked_cents"] - figures["commission_cents"]
    whole["balance_cents"] = figures["bought_in_cents"] - figures["cashed_out_cents"] + whole["net_cents"]
    return whole


def meters(records: Iterable[Record]) -> dict[tuple[str, str], Figures]:
    """Every level's figures, a voided round left out as a whole."""
    every = list(records)
    levels: dict[tuple[str, str], Figures] = {}
    for opened in of_kind(every, MeterOpened):
        for terms in opened.levels:
            levels[opened.meter, terms.level] = defaultdict(int, accrued_micros=terms.base_micros)
    for round_ in rounds_of(every).values():
        if of_kind(round_, RoundVoided):
            continue
        for taken in of_kind(round_, ContributionTaken):
            for part in taken.levels:
                level = levels[taken.meter, part.level]
                level["accrued_micros"] += part.increment_micros
                level["reserve_micros"] += part.hidden_micros
                level["in_count"] += 1
        for hit in (line.hit for line in of_kind(round_, WagerSettled) if line.hit is not None):
            level = levels[hit.meter, hit.level]
            level["accrued_micros"] += hit.reset_micros - hit.win_micros
            level["reserve_micros"] -= hit.reserve_used_micros
            level["hits"] += 1
            level["wins_micros"] += hit.win_micros
    names = ("accrued_micros", "reserve_micros", "in_count", "hits", "wins_micros")
    return {name: {figure: level[figure] for figure in names} for name, level in levels.items()}


def rounds(records: Iterable[Record]) -> list[dict[str, Any]]:
    """What the list of rounds must say of each, in round order."""
    return [_listed(round_) for round_ in rounds_of(records).values()]


def _listed(records: list[Record]) -> dict[str, Any]:
    opened = records[0].event
    assert isinstance(opened, RoundOpened)
    banks = of_kind(records, BankTaken)
    backers = {event.bettor for event in of_kind(records, WagerPlaced) if event.bettor is not None}
    figures = figures_of_round(records).values()
    phases = {"open": RoundOpened, "closed": BettingClosed, "dealt": HandsDealt, "settled": RoundSettled}
    reached = [phase for phase, kind in phases.items() if of_kind(records, kind)]
    phase = "voided" if of_kind(records, RoundVoided) else reached[-1]
    return {
        "round": opened.round,
        "table": opened.table,
        "status": phase if phase in ("settled", "voided") else "open",
        "phase": phase,
        "bank": banks[0].seat if banks else "house",
        "players": sorted({taken.player for taken in opened.seats} | backers),
        "staked_cents": sum(each.get("staked_cents", 0) for each in figures),
        "won_cents": sum(each.get("won_cents", 0) for each in figures),
        "findings": {finding.code for each in records for finding in getattr(each.event, "findings", ())},
        "position": records[-1].position,
    }
