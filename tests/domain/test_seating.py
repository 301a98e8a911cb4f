"""Seats, start positions and the bank button against a walk around the table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rounds.events import HOUSE
from domain.seating import SeatUnknown, TwoHands, check_seats, next_button, start_position


def counter_clockwise(positions: int, *, after: int) -> Iterator[int]:
    """The spots from the dealer's right around: the highest seat down to 1, then the dealer, and so on."""
    spot = after
    while True:
        spot = spot - 1 if spot > 0 else positions
        yield spot


@given(st.integers(1, 18), st.integers(1, 8), st.data())
def test_counting_the_start_is_a_walk_that_begins_at_the_banker_as_one(
    number: int, positions: int, data: st.DataObject
) -> None:
    bank = data.draw(st.integers(0, positions))
    walk, spot = counter_clockwise(positions, after=bank), bank
    for _ in range(number - 1):
        spot = next(walk)
    assert start_position(number, bank=bank, positions=positions) == spot


@pytest.mark.parametrize(("number", "spot"), [(1, 0), (2, 6), (7, 1), (8, 0), (9, 6), (18, 4)])
def test_the_rulings_own_examples_at_six_seats(number: int, spot: int) -> None:
    assert start_position(number, bank=HOUSE, positions=6) == spot


@given(st.integers(0, 8), st.sets(st.integers(1, 8)))
def test_seed_004_the_button_is_at_the_next_active_spot_of_the_same_walk(last: int, active: set[int]) -> None:
    walk = counter_clockwise(8, after=last)
    expected = next(spot for spot in walk if spot in active or spot == HOUSE)
    assert next_button(last, active) == expected


def test_seats_of_different_players_are_all_allowed() -> None:
    for token in ("any", "adjacent", "no"):
        check_seats({seat: f"P{seat}" for seat in range(1, 7)}, positions=6, two_hands=token)


@pytest.mark.parametrize("seat", [0, -1, 7])
def test_a_seat_that_the_table_lacks(seat: int) -> None:
    with pytest.raises(SeatUnknown, match="1 to 6"):
        check_seats({seat: "P1"}, positions=6, two_hands="any")


@pytest.mark.parametrize(
    ("token", "allowed"), [("no", "one seat"), ("adjacent", "two neighbouring seats"), ("any", "two seats")]
)
def test_the_refusal_says_what_is_allowed(token: str, allowed: str) -> None:
    with pytest.raises(TwoHands, match=f"P1 holds seats 1, 3, 5; .* at most {allowed}"):
        check_seats({1: "P1", 3: "P1", 5: "P1"}, positions=6, two_hands=token)


@given(st.dictionaries(st.integers(1, 6), st.sampled_from(["A", "B", "C"])), st.sampled_from(["any", "adjacent", "no"]))
def test_two_hands_by_a_plain_reading(seats: dict[int, str], token: str) -> None:
    def fine(player: str) -> bool:
        held = sorted(seat for seat, name in seats.items() if name == player)
        return len(held) <= 1 or (
            len(held) == 2 and (token == "any" or (token == "adjacent" and held[1] == held[0] + 1))
        )

    allowed = all(fine(player) for player in seats.values())
    try:
        check_seats(seats, positions=6, two_hands=token)
    except TwoHands:
        assert not allowed
    else:
        assert allowed
