"""Of several faults the first of the contract's order decides: round and phase, approval, the rest."""

from __future__ import annotations

import pytest

from domain.commands import RoundCommand
from tests.domain.rounds.hands import PLAIN, QUADS, WINS
from tests.domain.rounds.table import (
    Order,
    Table,
    a_house,
    a_table,
    bank,
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
    pay_jackpot,
    place,
    played,
    publish,
    refuse_jackpot,
    report,
    reset_hand,
    set_low,
    settle,
    start,
    validate,
    void,
    withdraw,
)

NOBODY = {"approved_by": ()}

OPEN = {"place_wager", "withdraw_wager", "take_bank", "close_betting"}
CLOSED = {"draw_start", "forfeit", "deal"}
DEALT = {"expose_card", "set_hand", "reset_hand", "set_dealer", "forfeit", "settle"}
SETTLED = {"report_payment", "correct_line", "validate_jackpot", "pay_jackpot", "refuse_jackpot"}
LACKING = {"fold"}
"""What fortune has not; in the phase in which other games have it the refusal says so."""

# One of each command, of a seat that nobody has and approved by nobody.
FAULTY: list[Order] = [
    place(9, "no-such", 1),
    withdraw(9, "no-such", 1),
    bank(9),
    close(),
    start(99),
    forfeit(9, "no-such", **NOBODY),
    deal_cards({9: ()}, stub=0),
    expose(9, "As"),
    set_low(9, "As"),
    reset_hand(9, **NOBODY),
    dealer_sets("As"),
    settle(),
    report(9, "no-such", 1),
    correct(9, "no-such", 1, **NOBODY),
    validate(9, validated_by="D1"),
    pay_jackpot(9, witness="CAGE1"),
    refuse_jackpot(9, refused_by="D1"),
    fold(9),
]


def name(order: Order) -> str:
    return order.command.NAME


def at_phase(phase: str) -> Table:
    orders = played({5: {"main": 20_00, "progressive": 1_00}}, {0: PLAIN, 5: QUADS[1]})
    deal_at = next(place for place, order in enumerate(orders) if name(order) == "deal")
    until = {
        "open": [],
        "closed": orders[: deal_at - 1],
        "dealt": orders[: deal_at + 1],
        "settled": [*orders, settle()],
        "voided": [void()],
    }
    return a_table().given(*until[phase])


@pytest.mark.parametrize(
    ("phase", "accepted"),
    [("open", OPEN), ("closed", CLOSED), ("dealt", DEALT), ("settled", SETTLED), ("voided", set())],
)
@pytest.mark.parametrize("order", FAULTY, ids=name)
def test_the_phase_comes_before_everything_else(order: Order, phase: str, accepted: set[str]) -> None:
    outcome = at_phase(phase).when(order)
    if name(order) in accepted:
        assert outcome.refusal is None or outcome.refusal.code != "command.out-of-phase"
    elif phase == "dealt" and name(order) in LACKING:
        outcome.refused("command.not-in-game")
    else:
        outcome.refused("command.out-of-phase")


@pytest.mark.parametrize("order", [*FAULTY, void(**NOBODY)], ids=name)
def test_the_round_comes_before_its_phase(order: Order) -> None:
    assert issubclass(order.command, RoundCommand)
    a_table().when(order.but(round="NO-SUCH")).refused("round.unknown")


@pytest.mark.parametrize("order", FAULTY, ids=name)
def test_a_misdeal_comes_before_the_phase_and_the_rest(order: Order) -> None:
    table = a_table().given(place(5, "main", 20_00), close(), start(1), deal_cards(dealt({5: WINS}), stub=3))
    table.when(order).refused("round.misdeal")


def test_an_out_of_phase_refusal_names_the_phase_and_what_it_accepts() -> None:
    message = at_phase("dealt").when(close()).refused("command.out-of-phase")
    assert "is dealt" in message and "set_hand" in message and "place_wager" not in message
    assert "accepts reveal_mystery" in at_phase("voided").when(close()).refused("command.out-of-phase")


@pytest.mark.parametrize(
    ("phase", "order"),
    [
        ("closed", forfeit(9, "no-such", **NOBODY)),
        ("dealt", forfeit(9, "no-such", **NOBODY)),
        ("dealt", reset_hand(9, **NOBODY)),
        ("settled", correct(9, "no-such", 1, **NOBODY)),
        ("settled", correct(5, "main", 1, approved_by=("F1",))),
        ("settled", validate(9, validated_by="D1")),
        ("settled", refuse_jackpot(9, refused_by="D1")),
        ("settled", pay_jackpot(9, witness="CAGE1")),
        ("open", void(**NOBODY)),
    ],
)
def test_approval_comes_before_the_rest(phase: str, order: Order) -> None:
    at_phase(phase).when(order).refused("approval.insufficient")


@pytest.mark.parametrize(
    "order",
    [
        publish({"id": "a", "version": 1}, **NOBODY),
        open_meter(property="NO-SUCH", **NOBODY),
        open_meter(**NOBODY),
        clear_shuffler(property="NO-SUCH", **NOBODY),
    ],
)
def test_approval_comes_before_the_rest_also_around_the_rounds(order: Order) -> None:
    a_house().when(order).refused("approval.insufficient")


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (house_way(5), "round.unknown"),
        (open_property(), "property.exists"),
    ],
)
def test_a_house_without_rounds_knows_none(order: Order, code: str) -> None:
    a_house().when(order).refused(code)


def test_every_command_of_a_round_is_in_one_of_the_tables_above() -> None:
    assert {name(order) for order in FAULTY} == OPEN | CLOSED | DEALT | SETTLED | LACKING
    assert deal().command.NAME in CLOSED
