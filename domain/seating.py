"""Where people sit and where things start: counting seats, two hands of one player, the bank button.

Seat 1 is at the dealer's far left, the highest at the far right; counter-clockwise is descending, then the dealer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from domain.errors import Refusal
from domain.rounds.events import HOUSE


class SeatUnknown(Refusal):
    """A seat that the table does not have."""

    code = "seat.unknown"


class TwoHands(Refusal):
    """More seats of one player than the sheet allows."""

    code = "seat.two-hands"


def start_position(number: int, *, bank: int, positions: int) -> int:
    """The spot that gets the first hand: the banker is 1, counted counter-clockwise, empty spots too; 0 is the dealer.

    >>> start_position(2, bank=HOUSE, positions=6), start_position(8, bank=HOUSE, positions=6)
    (6, 0)
    >>> start_position(4, bank=3, positions=6)
    0
    """
    return (bank - number + 1) % (positions + 1)


def check_seats(seats: Mapping[int, str], *, positions: int, two_hands: str) -> None:
    """Refuses seats that the table lacks or that one player may not hold together (`two_hands` of the sheet)."""
    for seat in seats:
        if not 1 <= seat <= positions:
            raise SeatUnknown(f"seat {seat} is not at this table; its seats are 1 to {positions}")
    held: dict[str, list[int]] = {}
    for seat, player in sorted(seats.items()):
        held.setdefault(player, []).append(seat)
    for player, numbers in held.items():
        if not _may_hold(numbers, two_hands):
            allowed = {"no": "one seat", "any": "two seats", "adjacent": "two neighbouring seats"}[two_hands]
            raise TwoHands(
                f"{player} holds seats {', '.join(map(str, numbers))}; the sheet allows one player at most {allowed}"
            )


def _may_hold(numbers: list[int], two_hands: str) -> bool:
    if len(numbers) == 1:
        return True
    if len(numbers) > 2 or two_hands == "no":
        return False
    return two_hands == "any" or numbers[1] - numbers[0] == 1


def next_button(last: int, active: Collection[int]) -> int:
    """Where the bank button stands after it stood at `last`: the next active seat counter-clockwise, then the dealer.

    >>> next_button(HOUSE, {1, 4}), next_button(4, {1, 4}), next_button(1, {1, 4})
    (4, 1, 0)
    """
    below = [seat for seat in active if last == HOUSE or seat < last]
    return max(below, default=HOUSE)
