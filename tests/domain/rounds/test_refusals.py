"""Every refusal of a round and around it, each beside a nearly equal order that is accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest

from domain import errors, house_decide, meter_decide, seating
from domain.errors import Refusal
from domain.meters import NewTerms
from domain.rounds import refusals
from tests.domain.rounds.hands import PLAIN, QUADS, WINS
from tests.domain.rounds.table import (
    Order,
    Table,
    a_house,
    a_level,
    a_sheet,
    a_table,
    adjust_meter,
    back,
    bank,
    buy_in,
    change_meter,
    clear_shuffler,
    close,
    correct,
    deal,
    deal_cards,
    dealer_sets,
    dealt,
    expose,
    fold,
    forfeit,
    house_way,
    open_meter,
    open_property,
    open_round,
    pay_jackpot,
    place,
    played,
    publish,
    read_meter,
    refuse_jackpot,
    report,
    reset_hand,
    retire_meter,
    set_low,
    settle,
    shares,
    shuffler_error,
    start,
    toke,
    transfer_meter,
    validate,
    void,
    withdraw,
)


class Pair(NamedTuple):
    """After `given` the first order is refused with `code`; after `meanwhile` the second is accepted."""

    code: str
    given: list[Order]
    refused: Order
    accepted: Order
    meanwhile: list[Order] = []  # noqa: RUF012
    at: Callable[[], Table] = a_table


FULL_AND_EMPTY = [transfer_meter(10**16, "revenue"), adjust_meter(10**16, "house_added")]
MAIN = place(5, "main", 20_00)
BET = [MAIN, place(5, "fortune", 5_00), place(5, "progressive", 1_00)]
CLOSED = [*BET, close(), start(1)]
DEALT = [*CLOSED, deal({0: PLAIN, 5: QUADS[1]})]
FOUL = [*CLOSED, deal({5: "8c 8d 8h Ac Kd 5s 4s"}), set_low(5, "8c 8d")]
SETTLED = [*DEALT, house_way(5), settle()]
WRONG = deal_cards(dealt({5: WINS}), stub=3)


def of_shares() -> Table:
    """A table whose progressive pays a tenth of the meter for four of a kind."""
    sheet = a_sheet(
        id="trial",
        paytables={"trial": shares(("four_of_a_kind", 10, "major"))},
        wagers={"progressive": {"paytable": "trial"}},
    )
    return a_table(sheet=sheet, levels=[a_level("major", 10_000_000_000)])


def of_two_seats() -> Table:
    return a_table(seats={5: "P5", 2: "P2"})


def house_of_two_hands() -> Table:
    return a_house(sheet=a_sheet(two_hands="adjacent"))


PAIRS = [
    # Properties, sheets, meters, shufflers
    Pair("property.exists", [], open_property("NORTH"), open_property("SOUTH"), at=a_house),
    Pair("property.currency", [], open_property("SOUTH", currency="EUR"), open_property("SOUTH"), at=a_house),
    Pair("property.unknown", [], buy_in("P1", 1, property="SOUTH"), buy_in("P1", 1, property="NORTH"), at=a_house),
    Pair("sheet.exists", [], publish(a_sheet()), publish(a_sheet(version=2)), at=a_house),
    Pair("meter.exists", [], open_meter(), open_meter(meter="OTHER"), at=a_house),
    Pair(
        "meter.levels",
        [],
        open_meter([a_level("a", 1), a_level("a", 1)], meter="OTHER"),
        open_meter([a_level("a", 1), a_level("A", 1)], meter="OTHER"),
        at=a_house,
    ),
    Pair(
        "meter.unknown", [], adjust_meter(1, "house_added", meter="OTHER"), adjust_meter(1, "house_added"), at=a_house
    ),
    Pair("meter.unknown", [], read_meter(1, level="grand"), read_meter(1), at=a_house),
    Pair("meter.reason", [], adjust_meter(-1, "house_added"), adjust_meter(1, "house_added"), at=a_house),
    Pair("meter.reason", [], adjust_meter(1, "seed_recovery"), adjust_meter(-1, "seed_recovery"), at=a_house),
    Pair("meter.reason", [], retire_meter("revenue", reason="full"), retire_meter("revenue"), at=a_house),
    Pair(
        "meter.insufficient",
        [],
        adjust_meter(-10_000_000_001, "equipment_fault"),
        adjust_meter(-10_000_000_000, "equipment_fault"),
        at=a_house,
    ),
    Pair("meter.insufficient", [], adjust_meter(-1, "hidden_to_revenue"), read_meter(1), at=a_house),
    Pair(
        "meter.insufficient",
        [],
        transfer_meter(10_000_000_001, "revenue"),
        transfer_meter(10_000_000_000, "revenue"),
        at=a_house,
    ),
    Pair(
        "meter.full",
        [adjust_meter(10**16 - 10**10, "house_added"), *25 * FULL_AND_EMPTY],
        adjust_meter(1, "house_added"),
        adjust_meter(1, "house_added", level="minor"),
        at=a_house,
    ),
    Pair(
        "meter.full",
        [adjust_meter(10**16 - 10**10, "house_added"), *25 * FULL_AND_EMPTY],
        transfer_meter(1, "revenue"),
        retire_meter("revenue"),
        at=a_house,
    ),
    Pair("meter.target", [], transfer_meter(1, "PROG"), transfer_meter(1, "revenue"), at=a_house),
    Pair(
        "meter.levels",
        [open_meter(meter="SAME"), open_meter([a_level("major", 0)], meter="LESS")],
        retire_meter("LESS"),
        retire_meter("SAME"),
        at=a_house,
    ),
    Pair("meter.retired", [retire_meter("revenue")], read_meter(1), read_meter(1, level="minor"), at=a_house),
    Pair(
        "meter.retired", [retire_meter("revenue", "minor")], retire_meter("revenue", "minor"), retire_meter("revenue")
    ),
    Pair(
        "meter.limit",
        [],
        change_meter(NewTerms("major", limit_micros=9_999_999_999)),
        change_meter(NewTerms("major", limit_micros=10_000_000_000)),
        at=a_house,
    ),
    Pair(
        "meter.unchanged",
        [],
        change_meter(NewTerms("major", rate_bp=1800)),
        change_meter(NewTerms("major", rate_bp=1801)),
        at=a_house,
    ),
    Pair(
        "meter.time",
        [],
        change_meter(NewTerms("major", rate_bp=0), effective_from="2026-05-04T17:59:59-04:00"),
        change_meter(NewTerms("major", rate_bp=0), effective_from="2026-05-04T18:00:00-04:00"),
        at=a_house,
    ),
    Pair(
        "meter.time",
        [],
        adjust_meter(1, "rate_correction", gaming_day="2026-05-05"),
        adjust_meter(1, "rate_correction", gaming_day="2026-05-04"),
        at=a_house,
    ),
    Pair(
        "meter.mystery",
        [],
        open_meter([replace(a_level("major", 1), must_hit_by_micros=2)], meter="OTHER"),
        open_meter([a_level("major", 1)], meter="OTHER"),
        at=a_house,
    ),
    Pair("shuffler.not-failed", [shuffler_error(table="T2")], clear_shuffler(), clear_shuffler(table="T2")),
    Pair("approval.insufficient", [], publish(a_sheet(version=2), approved_by=()), publish(a_sheet(version=2))),
    # Opening
    Pair("round.unknown", [], MAIN.but(round="R2"), MAIN.but(round="R1")),
    Pair("round.exists", [], open_round("R1", number=2, table="T2"), open_round("R2", number=2, table="T2")),
    Pair("table.busy", [], open_round("R2", number=2), open_round("R2", number=2), [void()]),
    Pair("round.number-used", [void()], open_round("R2", number=1), open_round("R2", number=2)),
    Pair("sheet.unknown", [], open_round(sheet="fortune-cardroom@2"), open_round(), at=a_house),
    Pair(
        "sheet.not-effective",
        [],
        open_round(at="2026-05-04T11:59:59-04:00"),
        open_round(at="2026-05-04T12:00:00-04:00"),
        at=a_house,
    ),
    Pair("sheet.other-game", [], open_round(game="face_up"), open_round(game="fortune"), at=a_house),
    Pair("seat.unknown", [], open_round(seats={7: "P1"}), open_round(seats={6: "P1"}), at=a_house),
    Pair(
        "seat.two-hands",
        [],
        open_round(seats={1: "P1", 3: "P1"}),
        open_round(seats={1: "P1", 2: "P1"}),
        at=house_of_two_hands,
    ),
    # Wagers
    Pair("seat.empty", [], place(4, "main", 20_00), place(5, "main", 20_00), at=of_two_seats),
    Pair("wager.not-offered", [MAIN], place(5, "tiger_9", 5_00), place(5, "fortune", 5_00)),
    Pair("wager.not-offered", BET, toke(5, "progressive", 1_00), toke(5, "fortune", 1_00)),
    Pair("wager.limit", [], place(5, "main", 4_99), place(5, "main", 5_00)),
    Pair("wager.limit", [], place(5, "main", 1000_01), place(5, "main", 1000_00)),
    Pair("wager.limit", [MAIN], toke(5, "main", 100_01), toke(5, "main", 100_00)),
    Pair("wager.limit", [MAIN], back(5, "B1", 980_01), back(5, "B1", 980_00)),
    Pair("wager.limit", [MAIN], withdraw(5, "main", 15_01), withdraw(5, "main", 15_00)),
    Pair("wager.needs-main", [], place(5, "fortune", 5_00), place(5, "fortune", 5_00), [MAIN]),
    Pair("wager.needs-main", [], toke(5, "main", 5_00), toke(5, "main", 5_00), [MAIN]),
    Pair("wager.needs-main", [], back(5, "B1", 5_00), back(5, "B1", 5_00), [MAIN]),
    Pair("wager.needs-main", BET, withdraw(5, "main", 20_00), withdraw(5, "fortune", 5_00)),
    Pair("wager.none", [MAIN], withdraw(5, "main", 20_01), withdraw(5, "main", 20_00)),
    Pair("wager.none", CLOSED, forfeit(5, "main", bettor="B1"), forfeit(5, "main")),
    Pair("wager.forfeited", [*CLOSED, forfeit(5, "main")], forfeit(5, "main"), forfeit(5, "fortune")),
    Pair("wager.backer", [MAIN], back(5, "P5", 5_00), back(5, "P4", 5_00)),
    Pair("wager.backer", BET, place(5, "fortune", 5_00, bettor="B1"), place(5, "main", 5_00, bettor="B1")),
    Pair("wager.backer", [MAIN], back(5, "B1", 5_00, toke=True), back(5, "B1", 5_00)),
    Pair("wager.main-toke-with-bank", [*BET, bank(3)], toke(5, "main", 1_00), toke(5, "fortune", 1_00)),
    Pair("wager.main-toke-with-bank", [MAIN, toke(5, "main", 1)], bank(3), withdraw(5, "main", 1, toke=True)),
    Pair("bank.refused", [bank(3)], bank(4), MAIN),
    Pair("bank.refused", [MAIN], bank(5), bank(3)),
    Pair("bank.uncovered", [MAIN], bank(3, chips=24_99), bank(3, chips=25_00)),
    Pair("bank.uncovered", [bank(3, chips=25_00)], place(5, "main", 20_01), MAIN),
    Pair(
        "meter.not-open",
        [MAIN],
        place(5, "progressive", 1_00, at="2026-05-04T11:59:59-04:00"),
        place(5, "progressive", 1_00, at="2026-05-04T12:00:00-04:00"),
    ),
    # Cards
    Pair("start.number", [MAIN, close()], start(8), start(7)),
    Pair("shuffler.failed", [*CLOSED, shuffler_error()], deal({5: WINS}), deal({5: WINS}), [clear_shuffler()]),
    Pair("deal.spot-unknown", CLOSED, deal_cards({**dealt({5: WINS}), 7: ()}), deal({5: WINS})),
    Pair("deal.spot-unknown", DEALT, expose(7, "6c"), expose(5, "6c")),
    Pair("deal.card-not-there", DEALT, expose(5, "As"), expose(5, "6c")),
    Pair("deal.card-not-there", [*DEALT, expose(5, "6c")], expose(5, "6c"), expose(5, "6d")),
    Pair("round.misdeal", [*CLOSED, WRONG], house_way(5), void()),
    Pair("command.not-in-game", DEALT, fold(5), house_way(5)),
    Pair("command.out-of-phase", BET, deal({5: WINS}), deal({5: WINS}), [close()]),
    Pair("command.out-of-phase", CLOSED, start(1), deal({5: WINS})),
    Pair("command.out-of-phase", [void()], void(), open_round("R2", number=2)),
    # Hands
    Pair("hand.not-in-play", DEALT, house_way(4), house_way(5)),
    Pair("hand.cards", DEALT, set_low(5, "Ks As"), set_low(5, "Ks 9h")),
    Pair("hand.set", [*DEALT, house_way(5)], house_way(5), settle()),
    Pair("hand.set", [*DEALT, dealer_sets("Js 8s")], house_way(5), forfeit(5, "main")),
    Pair("hand.set", [*DEALT, dealer_sets("Js 8s")], dealer_sets("Js 8s"), expose(5, "6c")),
    Pair("hand.not-set", DEALT, settle(), settle(), [house_way(5)]),
    Pair("hand.reset-refused", [*DEALT, house_way(5)], reset_hand(5), settle()),
    Pair("hand.reset-refused", FOUL, reset_hand(4), reset_hand(5)),
    # Lines
    Pair("line.unknown", SETTLED, report(4, "main", 40_00), report(5, "main", 40_00)),
    Pair("line.already-due", SETTLED, correct(5, "main", 39_00), correct(5, "main", 39_01)),
    Pair("approval.insufficient", SETTLED, correct(5, "main", 1, approved_by=("F1",)), correct(5, "main", 1)),
    Pair("approval.insufficient", SETTLED, validate(5, validated_by="D1"), validate(5)),
    Pair("jackpot.state", SETTLED, pay_jackpot(5), pay_jackpot(5), [validate(5)]),
    Pair("jackpot.state", [*SETTLED, validate(5)], refuse_jackpot(5), pay_jackpot(5)),
    Pair(
        "jackpot.nothing-due",
        [*SETTLED, validate(5), correct(5, "progressive", 0)],
        pay_jackpot(5),
        pay_jackpot(5),
        [correct(5, "progressive", 1)],
    ),
    Pair(
        "jackpot.from-rack",
        [*SETTLED, validate(5)],
        pay_jackpot(5, paid_from="rack"),
        pay_jackpot(5, paid_from="cage"),
        at=of_shares,
    ),
    Pair("jackpot.paid", [*SETTLED, validate(5), pay_jackpot(5)], void(), correct(5, "progressive", 1)),
    Pair(
        "slip.used",
        [
            *played(
                {5: {"main": 20_00, "progressive": 1_00}, 4: {"main": 20_00, "progressive": 1_00}},
                {0: PLAIN, 5: QUADS[1], 4: QUADS[2]},
            ),
            settle(),
            validate(5),
            validate(4),
            pay_jackpot(5),
        ],
        pay_jackpot(4, slip="S1"),
        pay_jackpot(4, slip="S2"),
    ),
]

OF_OTHER_GAMES = {"hand.out-of-turn", "hand.decided", "raise.limit"}
"""Codes that fortune never gives."""
OF_READING = {"feed.malformed", "command.unknown-key", "amount.invalid"}
"""Codes that a line is refused with before it is a command."""


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.code)
def test_a_refused_order_changes_nothing_and_its_neighbour_is_accepted(pair: Pair) -> None:
    table = pair.at().given(*pair.given)
    before = {stream: list(events) for stream, events in table.house.streams.items()}
    outcome = table.when(pair.refused)
    outcome.refused(pair.code)
    assert table.house.streams == before
    if pair.accepted == pair.refused:
        assert outcome.refusal is not None and outcome.refusal.retry, "the same order is accepted later"
    table.given(*pair.meanwhile).when(pair.accepted).accepted()


def reasons(refusal: type[Refusal]) -> Iterator[type[Refusal]]:
    for each in refusal.__subclasses__():
        yield each
        yield from reasons(each)


def test_every_reason_has_a_pair() -> None:
    deciding = (refusals, errors, house_decide, meter_decide, seating)
    modules = {each.__name__ for each in deciding}
    codes = {each.code for each in reasons(Refusal) if each.__module__ in modules}
    assert {pair.code for pair in PAIRS} == codes - OF_OTHER_GAMES - OF_READING
    assert codes >= OF_OTHER_GAMES | OF_READING


def test_every_code_has_one_form() -> None:
    for each in reasons(Refusal):
        if each.__module__.startswith("tests."):
            continue
        head, _, tail = each.code.partition(".")
        assert head.isalpha() and tail.replace("-", "").isalpha() and each.code == each.code.lower(), each
        assert each.__doc__, each
