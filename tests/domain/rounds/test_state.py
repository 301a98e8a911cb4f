"""A round as a fold of its events: the same from any start, and nothing is decided while folding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from domain.cards import show
from domain.house_events import PropertyOpened
from domain.rounds.events import WagerPlaced
from domain.rounds.state import Round, Wager, fold
from domain.streams import Stream
from tests.domain.rounds.hands import PLAIN, QUADS, WINS
from tests.domain.rounds.table import (
    Order,
    Table,
    a_table,
    back,
    bank,
    correct,
    expose,
    forfeit,
    pay_jackpot,
    place,
    played,
    refuse_jackpot,
    report,
    settle,
    toke,
    validate,
    void,
    withdraw,
)


def eventful() -> Table:
    stakes = {5: {"main": 20_00, "progressive": 1_00}, 4: {"main": 10_00, "progressive": 1_00}}
    further = [toke(5, "main", 1_00), back(4, "B1", 2_00), withdraw(4, "main", 5_00)]
    orders = played(stakes, {0: PLAIN, 5: QUADS[1], 4: QUADS[2]}, further=further)
    table = a_table().given(*orders, expose(1, _first(orders, 1)), forfeit(4, "main", bettor="B1"), settle())
    return table.given(report(5, "main", 1), correct(5, "main", 1), validate(5), refuse_jackpot(4), pay_jackpot(5))


def _first(orders: list[Order], seat: int) -> str:
    (deal,) = [order for order in orders if "hands" in order.keys]
    return show(deal.keys["hands"][seat][:1])


def shown(round_: Round) -> Mapping[str, Any]:
    return vars(round_)


def banked_and_voided() -> Table:
    return a_table().given(*played({5: {"main": 20_00}}, {5: WINS}, banker=bank(3)), settle(), void())


@pytest.mark.parametrize("history", [eventful, banked_and_voided])
def test_folding_the_whole_stream_gives_what_folding_one_event_after_another_gave(
    history: Callable[[], Table],
) -> None:
    table = history()
    events = table.house.streams[Stream("round", "R1")]
    folded = fold(events)
    assert folded is not None
    assert shown(folded) == shown(table.state())
    assert folded.version == len(events)


def test_no_events_are_no_round() -> None:
    assert fold([]) is None


def test_an_event_of_another_stream_stops_the_fold() -> None:
    round_ = a_table().state()
    with pytest.raises(TypeError, match="PropertyOpened"):
        round_.evolve(PropertyOpened("NORTH", "UTC", "06:00", "USD"))


def test_a_wager_that_went_back_whole_is_gone_and_an_owner_is_known_for_each() -> None:
    table = a_table().given(place(5, "main", 20_00), back(5, "B1", 5_00), withdraw(5, "main", 5_00, bettor="B1"))
    round_ = table.state()
    assert round_.stakes == {Wager(5, "main"): 20_00}
    assert round_.owner(Wager(5, "main", "B1")) == "B1"
    assert round_.owner(Wager(5, "main", toke=True)) == "P5"


def test_what_a_line_is_due_follows_the_last_correction() -> None:
    table = eventful()
    assert table.state().due_cents["5.main"] == 1
    assert table.state().due_cents["5.progressive"] == 75_00


def test_an_event_is_frozen() -> None:
    event = WagerPlaced(5, "P5", "main", 1, 1)
    with pytest.raises(AttributeError):
        event.seat = 6  # type: ignore[misc]
