"""Voids in every phase: stakes go back, and everything that the round moved is taken back exactly (R15)."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.rounds.events import MeterReversal, PlayerReversal, ReturnedWager, RoundVoided, WagerPlaced
from tests.domain.rounds.hands import FULL_HOUSES, LOSES, PLAIN, QUADS, WINS
from tests.domain.rounds.table import (
    Order,
    Table,
    a_level,
    a_sheet,
    a_table,
    back,
    bank,
    close,
    correct,
    deal,
    deal_cards,
    dealt,
    open_round,
    place,
    played,
    settle,
    shares,
    start,
    toke,
    validate,
    void,
    withdraw,
)

BETS = [place(5, "main", 20_00), place(5, "progressive", 1_00), toke(5, "main", 5_00), back(5, "B1", 3_00)]
RETURNED = (
    ReturnedWager("5.main", 5, "P5", "main", 20_00, "house"),
    ReturnedWager("5.main.toke", 5, "P5", "main", 5_00, "house", toke=True),
    ReturnedWager("5.main.by.B1", 5, "B1", "main", 3_00, "house", bettor="B1"),
    ReturnedWager("5.progressive", 5, "P5", "progressive", 1_00, "house"),
)
STAKES_BACK = (PlayerReversal("B1", 3_00, 0, 0, 0, 0, 0), PlayerReversal("P5", 26_00, 0, 0, 0, 0, 0))
CONTRIBUTION_BACK = (
    MeterReversal("PROG", "major", 180_000, 20_000, 1, 0, 0, 0, 0),
    MeterReversal("PROG", "minor", 60_000, 0, 1, 0, 0, 0, 0),
)


@pytest.mark.parametrize(
    ("further", "phase", "meters"),
    [
        pytest.param([], "open", (), id="open"),
        pytest.param([close()], "closed", CONTRIBUTION_BACK, id="closed"),
        pytest.param([close(), start(1), deal({5: WINS})], "dealt", CONTRIBUTION_BACK, id="dealt"),
        pytest.param(
            [close(), start(1), deal_cards(dealt({5: WINS}), stub=3)], "dealt", CONTRIBUTION_BACK, id="misdealt"
        ),
    ],
)
def test_a_void_before_settling_gives_every_stake_back(
    further: list[Order], phase: str, meters: tuple[MeterReversal, ...]
) -> None:
    table = a_table().given(*BETS, *further)
    table.when(void()).then(
        RoundVoided("R1", "NORTH", "T1", phase, "wrong deck", ("F1", "M1"), RETURNED, STAKES_BACK, meters, "2026-05-04")
    )
    major = table.level("major")
    assert (major.accrued_micros, major.reserve_micros, major.in_count) == (10_000_000_000, 0, 0)


def test_a_round_without_wagers_is_voided_too() -> None:
    event = a_table().when(void()).one(RoundVoided)
    assert (event.returned, event.players, event.meters) == ((), (), ())


def test_a_withdrawn_stake_is_not_given_back_again() -> None:
    table = a_table().given(place(5, "main", 20_00), withdraw(5, "main", 5_00))
    assert table.when(void()).one(RoundVoided).returned == (ReturnedWager("5.main", 5, "P5", "main", 15_00, "house"),)


def test_the_lines_of_a_void_come_in_settling_order() -> None:
    stakes = {2: {"main": 5_00, "fortune": 5_00}, 6: {"main": 5_00, "progressive": 1_00}, 4: {"main": 5_00}}
    table = a_table().given(*played(stakes, {}))
    assert [each.line_id for each in table.when(void()).one(RoundVoided).returned] == [
        "6.main",
        "6.progressive",
        "4.main",
        "2.main",
        "2.fortune",
    ]


# After settling


def hit_table() -> Table:
    """Quads take the major level whole, a full house a tenth of the minor."""
    sheet = a_sheet(
        id="trial",
        paytables={"trial": shares(("four_of_a_kind", 100, "major"), ("full_house", 10, "minor"))},
        wagers={"progressive": {"paytable": "trial"}},
    )
    levels = [
        a_level("major", 10_000_123_456, reset=5_000_000_000),
        a_level("minor", 500_000_000, rate_bp=600, hidden_rate_bp=37),
    ]
    return a_table(sheet=sheet, levels=levels)


BOTH = {"main": 10_00, "fortune": 5_00, "progressive": 1_00}
HITS = {0: PLAIN, 6: QUADS[2], 5: FULL_HOUSES[0], 4: FULL_HOUSES[1]}


def settled_hits(table: Table) -> Table:
    return table.given(*played({6: BOTH, 5: BOTH, 4: BOTH}, HITS, further=[back(6, "B1", 5_00)]), settle())


def test_R15_a_void_takes_contribution_win_reset_and_reserve_back_exactly() -> None:
    table = hit_table()
    before = table.meter()
    settled_hits(table)
    assert table.level("major").hits == 1 and table.level("minor").hits == 2
    event = table.when(void()).one(RoundVoided)
    assert event.meters == (
        MeterReversal("PROG", "major", 540_000, 60_000, 3, 10_000_660_000, 5_000_000_000, 60_000, 1),
        MeterReversal("PROG", "minor", 180_000, 11_100, 3, 50_010_000 + 45_010_000, 0, 0, 2),
    )
    assert table.meter() == before


def net(table: Table) -> Counter[str]:
    """What each player has from the round by its events: stakes, lines, corrections and the void's reversals."""
    cents: Counter[str] = Counter()
    for placed in table.events(WagerPlaced):
        cents[placed.player] -= placed.amount_cents
    for line in table.state().lines.values():
        if line.player is None:
            continue
        cents[line.player] -= line.stake_cents if line.wager == "bank" else 0
        if not line.toke:
            cents[line.player] += line.won_cents + line.returned_cents - line.commission_cents
    for correction in table.state().corrections:
        if correction.player is not None and not correction.toke:
            cents[correction.player] += correction.difference_cents
    for voided in table.events(RoundVoided):
        for back_ in voided.players:
            cents[back_.player] += (
                back_.staked_cents
                - back_.won_cents
                - back_.returned_cents
                + back_.commission_cents
                - back_.corrected_cents
            )
    return cents


def test_a_void_of_a_settled_round_leaves_every_players_net_at_zero() -> None:
    table = settled_hits(hit_table())
    assert any(net(table).values())
    event = table.when(void()).one(RoundVoided)
    assert set(net(table).values()) == {0}
    assert event.phase == "settled"
    (six,) = [each for each in event.players if each.player == "P6"]
    # 10 + 5 + 1 staked; 10 + 125 + 10,000.66 won, 10 + 5 returned, 0.50 + 0.25 commission.
    assert six == PlayerReversal("P6", 16_00, 10_00 + 125_00 + 10_000_66, 15_00, 75, 0, 1)


def test_a_void_takes_corrections_back_too_but_not_a_tokes() -> None:
    orders = played({5: {"main": 20_00}}, {5: WINS}, further=[toke(5, "main", 5_00)])
    table = a_table().given(*orders, settle(), correct(5, "main", 50_00), correct(5, "main", 45_00))
    table.given(correct(5, "main", 0, toke=True))
    (reversal,) = table.when(void()).one(RoundVoided).players
    assert reversal == PlayerReversal("P5", 25_00, 20_00, 20_00, 1_00, 6_00, 1)
    assert net(table) == {"P5": 0}


def test_a_void_takes_the_bank_line_back() -> None:
    orders = played({1: {"main": 20_00}}, {3: "Qs Jd 9c 7h 6s 3d 2c", 0: LOSES, 1: WINS}, banker=bank(3, house=5_00))
    table = a_table().given(*orders, settle())
    event = table.when(void()).one(RoundVoided)
    # The bank: 25.00 at risk, lost 20.00 and won 5.00: 10.00 returned.
    assert PlayerReversal("P3", 25_00, 0, 10_00, 0, 0, 1) in event.players
    assert net(table) == {"P1": 0, "P3": 0}
    assert {each.player for each in event.players} == {"P1", "P3"}


def test_a_void_counts_a_round_less_only_for_those_it_was_settled_for() -> None:
    table = a_table().given(*played({5: {"main": 20_00}}, {5: WINS}), settle())
    assert [each.rounds for each in table.when(void()).one(RoundVoided).players] == [1]
    assert [each.rounds for each in a_table().given(*BETS).when(void()).one(RoundVoided).players] == [0, 0]


def test_a_validated_jackpot_does_not_keep_a_round_from_being_voided() -> None:
    settled_hits(hit_table()).given(validate(6)).when(void()).accepted()


# Who, when, and what follows


@pytest.mark.parametrize("wrong", [(), ("F1",), ("F1", "F1"), ("F1", "D1"), ("C1", "F1"), ("F1", "M1", "D1")])
def test_two_other_people_than_author_and_dealer_approve_a_void(wrong: tuple[str, ...]) -> None:
    a_table().when(void(approved_by=wrong)).refused("approval.insufficient")
    a_table().when(void(approved_by=("F1", "M1", "M2"))).accepted()


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-05-05T05:59:59-04:00", "2026-05-04"),
        ("2026-05-05T06:00:00-04:00", "2026-05-05"),
        ("2026-06-01T09:59:59Z", "2026-05-31"),
    ],
)
def test_a_void_takes_back_on_its_own_gaming_day(at: str, day: str) -> None:
    table = a_table().given(*BETS, close())
    assert table.when(void(at=at)).one(RoundVoided).gaming_day == day


def test_a_round_is_voided_once() -> None:
    table = a_table().given(void())
    assert "wrong deck" in table.when(void()).refused("command.out-of-phase")


def test_a_voided_round_accepts_nothing() -> None:
    table = a_table().given(*BETS, void())
    for order in (place(5, "main", 5_00), close(), start(1), deal(), settle(), correct(5, "main", 1), validate(5)):
        table.when(order).refused("command.out-of-phase")


def test_a_void_before_settling_frees_the_table_and_a_later_one_leaves_it_alone() -> None:
    table = a_table().given(void(), open_round("R2", number=2))
    assert table.desk().open_round == "R2"
    table = a_table().given(*played({5: {"main": 20_00}}, {5: WINS}), settle(), open_round("R2", number=2))
    table.given(void(round="R1"))
    assert table.desk().open_round == "R2"


def test_the_void_of_an_older_round_takes_only_its_own_part_of_the_meter() -> None:
    table = a_table().given(*played({5: {"main": 20_00, "progressive": 1_00}}, {5: WINS}), settle())
    table.given(open_round("R2", number=2), place(5, "main", 20_00), place(5, "progressive", 1_00), close())
    table.given(void(round="R1"))
    major = table.level("major")
    assert (major.accrued_micros, major.reserve_micros, major.in_count) == (10_000_180_000, 20_000, 1)
