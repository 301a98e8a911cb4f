"""The bank button's way around the table and what a banker may ask of the house: seed 004, Moving the bank button."""

from __future__ import annotations

import pytest

from domain.rounds.events import HOUSE, BettingClosed
from tests.domain.rounds.table import (
    SEATS,
    Table,
    a_house,
    a_table,
    back,
    bank,
    close,
    deal,
    house_way,
    open_round,
    place,
    settle,
    start,
    void,
)


def play(table: Table, number: int, mains: dict[int, int], *, banker: int | None = None, house: int = 5_00) -> None:
    """One round from its opening to its end; every hand is set the house way."""
    table.given(open_round(f"R{number}", number=number))
    table.given(*(place(seat, "main", cents) for seat, cents in mains.items()))
    table.given(*([] if banker is None else [bank(banker, house=house)]))
    table.given(close(), start(1), deal())
    table.given(*(house_way(seat) for seat in [*mains, *([] if banker is None else [banker])]), settle())


def buttons(table: Table, rounds: list[dict[int, int]]) -> list[int]:
    """Where the button stood in each round."""
    for number, mains in enumerate(rounds, 1):
        play(table, number, mains)
    return [table.events(BettingClosed, f"R{number}")[0].button for number in range(1, len(rounds) + 1)]


def everybody(*seats: int) -> dict[int, int]:
    return dict.fromkeys(seats, 10_00)


def test_seed_004_the_button_starts_at_the_dealer_and_goes_from_the_dealers_right_around() -> None:
    rounds = [everybody(1, 4, 6)] * 6
    assert buttons(a_house(), rounds) == [HOUSE, 6, 4, 1, HOUSE, 6]


def test_seed_004_the_button_goes_to_the_next_active_player() -> None:
    # Seat 4 leaves before the button reaches it; seat 5 comes when it has passed.
    rounds = [everybody(2, 4, 6), everybody(2, 4, 6), everybody(2, 6), everybody(1, 5), everybody(5)]
    assert buttons(a_house(), rounds) == [HOUSE, 6, 2, 1, HOUSE]


def test_the_button_returns_to_the_dealer_after_a_round_without_players() -> None:
    assert buttons(a_house(), [everybody(2, 4), everybody(2, 4), {}, everybody(2, 4)]) == [HOUSE, 4, HOUSE, 4]


def test_a_voided_round_does_not_move_the_button() -> None:
    table = a_house()
    play(table, 1, everybody(2, 4))
    table.given(open_round("R2", number=2), place(2, "main", 10_00), place(4, "main", 10_00), close())
    assert table.state().closed == BettingClosed(20_00, 4)
    table.given(void())
    play(table, 3, everybody(2, 4))
    assert table.events(BettingClosed)[0].button == 4


def bank_findings(table: Table) -> list[str]:
    return [code for code, _ in table.findings() if code.startswith("bank.")]


def test_seed_004_a_banker_at_whose_spot_the_button_stands_is_in_turn() -> None:
    table = a_house()
    play(table, 1, everybody(1, 4, 6))
    play(table, 2, everybody(1, 4), banker=6)
    assert bank_findings(table) == []


def test_seed_004_the_banker_alone_is_an_active_player() -> None:
    table = a_house()
    play(table, 1, everybody(6))
    play(table, 2, {}, banker=6)
    assert table.events(BettingClosed)[0].button == 6 and bank_findings(table) == []


@pytest.mark.parametrize(("seat", "others"), [(4, (1, 6)), (1, (4, 6))])
def test_seed_004_a_banker_elsewhere_is_out_of_turn(seat: int, others: tuple[int, ...]) -> None:
    table = a_house()
    play(table, 1, everybody(1, 4, 6))
    play(table, 2, everybody(*others), banker=seat)
    assert bank_findings(table) == ["bank.out-of-turn"]


def test_seed_004_nobody_banks_the_first_hand_of_a_table() -> None:
    table = a_table().given(place(1, "main", 10_00), bank(6))
    outcome = table.when(close())
    assert outcome.findings == [("bank.out-of-turn", 6)]
    assert "the dealer" in outcome.details[0].text


def test_seed_004_nobody_banks_while_the_button_is_back_at_the_dealer() -> None:
    table = a_house()
    play(table, 1, everybody(2))
    play(table, 2, everybody(2))
    play(table, 3, {}, banker=2)
    assert bank_findings(table) == ["bank.out-of-turn"]


def test_seed_004_a_player_banks_once_as_the_button_goes_around() -> None:
    # P1 holds seats 6 and 2: he banks with the button at 6, and again when it comes to 2.
    seats = {**SEATS, 6: "P1", 2: "P1", 1: "P7"}
    table = a_house().given(open_round("R1", seats=seats), place(4, "main", 10_00), close(), start(1), deal())
    table.given(house_way(4), settle())
    for number, seat in ((2, 6), (3, 2)):
        table.given(open_round(f"R{number}", number=number, seats=seats), bank(seat), close(), start(1), deal())
        table.given(house_way(seat), settle())
        assert bank_findings(table) == ([] if number == 2 else ["bank.out-of-turn"])
    assert "second time" in table.state().findings[0].text


def test_seed_004_once_the_button_was_at_the_dealer_a_player_may_bank_again() -> None:
    table = a_house()
    play(table, 1, everybody(6))
    play(table, 2, {}, banker=6)
    play(table, 3, everybody(6))  # back at the dealer
    play(table, 4, {}, banker=6)
    assert bank_findings(table) == []


def test_seed_004_a_player_who_declines_leaves_the_bank_to_the_house() -> None:
    table = a_house()
    play(table, 1, everybody(4, 6))
    play(table, 2, everybody(4, 6))
    assert table.events(BettingClosed)[0].button == 6 and table.state().bank_seat == HOUSE


def test_a_table_has_a_button_of_its_own() -> None:
    table = a_house()
    play(table, 1, everybody(2, 4))
    table.given(open_round("X1", table="T2"), place(4, "main", 10_00), close())
    assert table.events(BettingClosed)[0].button == HOUSE


# The house's wager against the banker


def house_wager_findings(table: Table, banker: int, house: int) -> list[tuple[str, int | None]]:
    return table.given(open_round("LAST", number=99)).when(bank(banker, house=house)).findings


@pytest.mark.parametrize(("house", "found"), [(30_00, []), (30_01, [("bank.house-wager-high", 4)])])
def test_seed_004_the_house_wagers_up_to_the_bankers_last_wager_against_the_house(
    house: int, found: list[tuple[str, int]]
) -> None:
    table = a_house()
    play(table, 1, {4: 50_00, 2: 10_00})
    play(table, 2, {4: 30_00, 2: 10_00})
    assert house_wager_findings(table, 4, house) == found


@pytest.mark.parametrize(("house", "found"), [(5_00, []), (5_01, [("bank.house-wager-high", 6)])])
def test_seed_004_the_table_minimum_where_the_banker_did_not_play_the_previous_hand(
    house: int, found: list[tuple[str, int]]
) -> None:
    table = a_house()
    play(table, 1, {6: 50_00})
    play(table, 2, {4: 30_00})
    assert house_wager_findings(table, 6, house) == found


def test_the_last_wager_against_the_house_is_remembered_through_hands_that_players_banked() -> None:
    table = a_house()
    play(table, 1, {6: 50_00, 4: 30_00})
    play(table, 2, {4: 99_00}, banker=6, house=50_00)
    play(table, 3, {6: 77_00}, banker=4, house=30_00)
    assert bank_findings(table) == []
    assert house_wager_findings(table, 6, 50_00) == []


def test_of_two_hands_the_larger_wager_counts_not_the_sum() -> None:
    seats = {**SEATS, 6: "P1", 2: "P1", 1: "P7"}
    table = a_house().given(open_round("R1", seats=seats), place(6, "main", 30_00), place(2, "main", 40_00), close())
    table.given(start(1), deal(), house_way(6), house_way(2), settle(), open_round("R2", number=2, seats=seats))
    assert table.when(bank(6, house=40_01)).findings == [("bank.house-wager-high", 6)]
    table.given(void(), open_round("R3", number=3, seats=seats))
    assert table.when(bank(6, house=40_00)).findings == []


def test_a_backers_wager_is_not_the_players_own_last_wager() -> None:
    table = a_table().given(place(4, "main", 10_00), back(4, "P6", 90_00), close(), start(1), deal(), house_way(4))
    table.given(settle())
    assert house_wager_findings(table, 6, 5_01) == [("bank.house-wager-high", 6)]


def test_the_finding_says_what_would_have_been_right() -> None:
    table = a_house()
    play(table, 1, {4: 30_00})
    text = table.given(open_round("R2", number=2)).when(bank(4, house=31_00)).details[0].text
    assert "$31.00" in text and "$30.00" in text and "last wager" in text
    table.given(void(), open_round("R3", number=3))
    assert "the table minimum" in table.when(bank(5, house=31_00)).details[0].text
