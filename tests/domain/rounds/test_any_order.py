"""Orders in any order, right and wrong: whatever is refused changes nothing, whatever is recorded adds up."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from domain.cards import deck, show
from domain.meters import Meter
from domain.rounds.events import RoundSettled, WagerSettled
from tests.domain.rounds.table import (
    METER,
    Content,
    Order,
    Outcome,
    Table,
    a_house,
    a_level,
    a_sheet,
    back,
    bank,
    clear_shuffler,
    close,
    correct,
    deal,
    deal_cards,
    dealt,
    expose,
    fold,
    forfeit,
    house_way,
    open_round,
    pay_jackpot,
    place,
    refuse_jackpot,
    report,
    reset_hand,
    set_low,
    settle,
    shares,
    shuffler_error,
    start,
    toke,
    validate,
    void,
    withdraw,
)

BIG = {0: "Ah Js 8s 7d 5s 3s 4c", 6: "6c 6d 6h 6s Ks 8d 9h", 4: "Tc Td Th Ts Jc Qd 3h", 2: "Kc Kd Kh Ac Ad 3d 4h"}
"""A deal in which three seats hold what pays from the meter."""


def a_sheet_of(chance: Random) -> Content:
    """A sheet with options, limits and tables by chance, odd ones too."""
    lines = [
        *shares(("four_of_a_kind", chance.choice([100, 100, 33]), "major"), ("full_house", 100, "minor")),
        {"hand": "flush", "kind": "fixed", "cents": 7_77},
        {"hand": "three_of_a_kind", "kind": "to_1", "n": 0},
        {"hand": "two_pair", "kind": "for_1", "n": 2},
        {"hand": "one_pair", "kind": "to_1", "n": 1},
    ]
    sheet = a_sheet(
        options={
            "R7": chance.choice(["second", "lowest"]),
            "R8": chance.choice(["equal_legal", "strict"]),
            "R10": chance.choice(["lose", "lose_or_reset"]),
            "R14": chance.choice(["sequential", "sequential_equal", "snapshot"]),
        },
        paytables={"odd": lines},
        envy_tables={"low": {"one_pair": 1_00, "four_of_a_kind": 9_99}},
        wagers={
            "fortune": {"envy": "low"},
            "progressive": {"paytable": "odd", "max_cents": 5_00, "envy": "low"},
        },
        player_bank=chance.random() < 0.8,
        commission={"bp": chance.choice([500, 333]), "rounding": chance.choice(["half_up", "up_to_quarter"])},
    )
    if chance.random() < 0.3:
        sheet["payout_limit_cents"] = chance.choice([1, 15_00, 100_00])
    return sheet


def any_order(chance: Random, table: Table) -> Order:
    """One order of a round, near enough to a right one to be accepted often; mostly of the round's phase."""
    by_phase = {
        "open": before_the_cards(chance),
        "closed": [start(chance.randint(0, 8)), forfeit(chance.randint(1, 6), "main"), at_the_shuffler(chance)],
        "dealt": with_the_cards(chance, table),
        "settled": after_settling(chance),
    }
    wrong = chance.random() < 0.15
    phase = chance.choice(list(by_phase)) if wrong else table.state().phase
    return void() if chance.random() < 0.01 else chance.choice(by_phase.get(phase, [close()]))


def which(chance: Random) -> dict[str, Any]:
    """The keys that tell wagers of one seat and id apart."""
    return chance.choice([{}, {}, {"toke": True}, {"bettor": "B1"}])


def at_the_shuffler(chance: Random) -> Order:
    return shuffler_error() if chance.random() < 0.03 else clear_shuffler()


def before_the_cards(chance: Random) -> list[Order]:
    seat, wager = chance.randint(1, 6), chance.choice(["main", "fortune", "progressive"])
    cents = chance.choice([1, 1_00, 4_99, 5_00, 20_01, 37_13, 100_00])
    return [
        place(seat, wager, cents),
        toke(seat, wager, cents),
        back(seat, chance.choice(["B1", "P2"]), cents),
        withdraw(seat, wager, cents, **which(chance)),
        bank(seat, chips=chance.choice([50_00, 10_000_00]), house=chance.choice([5_00, 33_33])),
    ]


def with_the_cards(chance: Random, table: Table) -> list[Order]:
    seat = chance.randint(1, 6)
    hand = [show((card,)) for card in table.state().hands.get(seat, ())] or ["As", "Kd"]
    return [
        set_low(seat, " ".join(chance.sample(hand, min(2, len(hand))))),
        house_way(seat),
        reset_hand(seat),
        forfeit(seat, chance.choice(["main", "fortune", "progressive"]), **which(chance)),
        chance.choice([expose(seat, hand[0]), fold(seat), at_the_shuffler(chance), house_way(seat)]),
    ]


def after_settling(chance: Random) -> list[Order]:
    seat, cents = chance.randint(0, 6), chance.choice([0, 1, 5_00, 10_00])
    wager = chance.choice(["main", "fortune", "progressive", "bank", "house"])
    envy = {"for_seat": chance.randint(1, 6), "kind": chance.choice(["fortune", "progressive"])}
    return [
        report(seat, wager, cents, **which(chance)),
        correct(seat, wager, cents, **which(chance)),
        correct(seat, "envy", cents, **envy),
        validate(seat, signal=chance.random() < 0.5),
        refuse_jackpot(seat),
        pay_jackpot(seat, slip=chance.choice("ABCDEFGH"), paid_from=chance.choice(["cage", "rack"])),
    ]


def onwards(chance: Random, table: Table) -> Order:
    """What ends the phase that the round is in."""
    round_ = table.state()
    if round_.phase == "open":
        return close()
    if round_.phase == "closed":
        if chance.random() < 0.05:
            return deal_cards(dealt({}), stub=3)
        return deal(BIG if chance.random() < 0.5 else shuffled(chance))
    waiting = [seat for seat in round_.seats if seat not in round_.set_hands]
    return house_way(chance.choice(waiting)) if waiting and chance.random() < 0.6 else settle()


def shuffled(chance: Random) -> dict[int, str]:
    cards = list(deck(joker=True))
    chance.shuffle(cards)
    return {spot: show(cards[spot * 7 : spot * 7 + 7]) for spot in range(7)}


def checked(table: Table, order: Order) -> Outcome:
    """The order's outcome; a refused one left everything as it was."""
    before = {stream: len(events) for stream, events in table.house.streams.items()}
    meter = table.meter()
    outcome = table.when(order)
    if outcome.refusal is not None:
        assert {stream: len(events) for stream, events in table.house.streams.items()} == before
        assert table.meter() == meter
    return outcome


def net_of_players(table: Table) -> Counter[str]:
    """Each player's cents from the settled lines alone."""
    cents: Counter[str] = Counter()
    for line in table.state().lines.values():
        if line.player is not None:
            cents[line.player] -= line.stake_cents
            cents[line.player] += 0 if line.toke else line.won_cents + line.returned_cents - line.commission_cents
    return cents


def assert_settled_well(table: Table, before: Meter, after: Meter) -> None:
    """Line by line and in sum: nobody is paid twice, and the meter moved by what the round says."""
    (settled,) = table.events(RoundSettled)
    lines = table.events(WagerSettled)
    assert sum(net_of_players(table).values()) * 10_000 == settled.totals.players_micros
    for line in lines:
        assert line.won_cents >= 0 and 0 <= line.returned_cents <= line.stake_cents, line
        assert line.outcome in ("win", "lose", "push", "forfeited"), line
        assert line.won_cents == 0 or line.outcome == "win", line
        assert line.paid_by == "meter" or line.hit is None, line
    bank_lines = [line for line in lines if line.paid_by == "bank"]
    assert sum(line.net_cents + line.commission_cents for line in bank_lines) == 0
    moved = sum(level.accrued_micros for level in after.levels.values()) - sum(
        level.accrued_micros for level in before.levels.values()
    )
    assert moved == settled.totals.meter_micros


@pytest.mark.parametrize("seed", range(60))
def test_orders_in_any_order_never_break_a_rule_of_adding_up(seed: int) -> None:
    chance = Random(seed)
    sheet = a_sheet_of(chance)
    levels = [
        a_level("major", 100_000_000, reset=50_000_000, limit=chance.choice([None, 100_100_000])),
        a_level("minor", 5_555_555, reset=3_333_333, rate_bp=613, hidden_rate_bp=37),
    ]
    table = a_house(sheet=sheet, levels=levels)
    for number in range(1, 6):
        seats = {1: "P1", 2: "P2", 4: "P4", 5: "P2", 6: "P6"}
        if number > 1 and table.desk().shuffler_failed:
            table.given(clear_shuffler())
        table.given(open_round(f"R{number}", number=number, seats=seats))
        before = table.meter(METER)
        banker = bank(chance.choice(sorted(seats)), house=chance.choice([5_00, 9_99]))
        for order in [banker] if chance.random() < 0.4 else []:
            checked(table, order)
        for seat in chance.sample(sorted(seats), 4):
            for wager in ("main", "progressive", "fortune"):
                checked(table, place(seat, wager, chance.choice([1_00, 5_00, 37_13])))
        for _ in range(400):
            round_ = table.state()
            if round_.phase in ("settled", "voided") or round_.misdealt:
                break
            checked(table, onwards(chance, table) if chance.random() < 0.2 else any_order(chance, table))
        if table.state().phase == "settled":
            assert_settled_well(table, before, table.meter(METER))
            for _ in range(25):
                checked(table, any_order(chance, table))
        if table.state().phase != "voided" and (chance.random() < 0.3 or table.state().phase != "settled"):
            outcome = checked(table, void())
            if outcome.refusal is None:
                assert table.meter(METER) == before
        assert table.state().phase in ("settled", "voided")
        assert table.desk().open_round is None
