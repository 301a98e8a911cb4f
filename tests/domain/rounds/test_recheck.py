"""A settled round computed a second time from its own events: whatever was changed in them is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from domain.cards import parse
from domain.rounds.events import (
    DealerSet,
    Event,
    HandReset,
    HandsDealt,
    HandSet,
    Hit,
    RoundSettled,
    RoundVoided,
    Totals,
    WagerPlaced,
    WagerSettled,
)
from domain.streams import Stream
from tests.domain.rounds.hands import FULL_HOUSES, LOSES, PLAIN, QUADS, WINS
from tests.domain.rounds.table import (
    Table,
    a_level,
    a_sheet,
    a_table,
    bank,
    correct,
    dealer_sets,
    played,
    report,
    reset_hand,
    set_low,
    settle,
    shares,
    void,
)

BOTH = {"main": 20_00, "progressive": 1_00}


def with_hits() -> Table:
    """Two hits of one level, a payment and a correction after settling."""
    sheet = a_sheet(
        id="trial",
        paytables={"trial": shares(("four_of_a_kind", 100, "major"), ("full_house", 10, "major"))},
        wagers={"progressive": {"paytable": "trial"}},
    )
    table = a_table(sheet=sheet, levels=[a_level("major", 10_000_000_000)])
    orders = played({6: BOTH, 5: BOTH, 4: {"main": 5_00, "fortune": 5_00}}, {0: PLAIN, 6: FULL_HOUSES[0], 5: QUADS[1]})
    return table.given(*orders, dealer_sets("Js 8s"), settle(), report(5, "main", 1), correct(5, "main", 1))


def banked_with_a_foul() -> Table:
    orders = played(
        {5: {"main": 20_00}},
        {3: "8c 8d 8h Ac Kd 5s 4s", 5: LOSES.replace("5s 4s", "6d 7s").replace("8s", "9h")},
        banker=bank(3),
        lows={3: "8c 8d"},
    )
    return a_table().given(*orders, settle())


def changed(table: Table, kind: type[Event], *, place: int = 0, **fields: Any) -> list[Event]:
    """The round's events with one of them changed."""
    events = list(table.house.streams[Stream("round", "R1")])
    at = [index for index, event in enumerate(events) if isinstance(event, kind)][place]
    events[at] = replace(events[at], **fields)
    return events


def differences(table: Table, events: Sequence[Event]) -> list[str]:
    return table.recheck("R1", events)


def test_an_untouched_round_has_none() -> None:
    for table in (with_hits(), banked_with_a_foul(), with_hits().given(void())):
        assert table.recheck("R1") == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("won_cents", 1),
        ("returned_cents", 1),
        ("commission_cents", 99),
        ("stake_cents", 1),
        ("outcome", "push"),
        ("paid_by", "bank"),
        ("odds", "2 to 1"),
        ("cite", "elsewhere"),
        ("ruling", "R99"),
        ("player", "P9"),
        ("hand", "flush"),
    ],
)
def test_every_field_of_a_line_is_compared(field: str, value: Any) -> None:
    table = with_hits()
    (difference,) = differences(table, changed(table, WagerSettled, place=0, **{field: value}))
    assert difference.startswith(f"line 6.main {field}: recorded {value!r}, computed ")


def test_a_hit_is_computed_from_the_reading_that_it_recorded() -> None:
    table = with_hits()
    hit = next(event.hit for event in table.events(WagerSettled) if event.line_id == "5.progressive")
    assert hit is not None
    more = replace(hit, win_micros=hit.win_micros + 10_000)
    (difference,) = differences(table, changed(table, WagerSettled, place=3, hit=more))
    assert difference.startswith("line 5.progressive hit")


def test_a_changed_reading_changes_what_is_computed_of_every_later_hit() -> None:
    table = with_hits()
    first = table.state().lines["6.progressive"].hit
    assert isinstance(first, Hit)
    events = changed(table, WagerSettled, place=1, hit=replace(first, accrued_before_micros=20_000_000_000))
    assert {line.split()[1] for line in differences(table, events) if line.startswith("line")} == {
        "6.progressive",
        "5.progressive",
    }


def test_a_changed_card_a_changed_stake_and_a_changed_sheet_option_are_noticed() -> None:
    table = with_hits()
    hands = table.events(HandsDealt)[0].hands
    swapped = tuple(replace(each, cards=parse(QUADS[0])) if each.seat == 6 else each for each in hands)
    assert differences(table, changed(table, HandsDealt, hands=swapped))
    (stake,) = [event for event in table.events(WagerPlaced) if (event.seat, event.wager) == (4, "fortune")]
    place = table.events(WagerPlaced).index(stake)
    assert differences(table, changed(table, WagerPlaced, place=place, standing_cents=6_00))


def test_lines_that_are_missing_or_too_many_are_named() -> None:
    table = with_hits()
    events = list(table.house.streams[Stream("round", "R1")])
    last = max(index for index, event in enumerate(events) if isinstance(event, WagerSettled))
    missing = differences(table, events[:last] + events[last + 1 :])
    assert "round.settled is computed and not recorded" in missing
    double = differences(table, [*events[: last + 1], *events[last:]])
    assert any("recorded and not computed" in each for each in double)


def test_totals_and_the_dealers_hand_are_compared() -> None:
    table = with_hits()
    assert differences(table, changed(table, RoundSettled, totals=Totals(0, 0, 0, 0, 0)))
    assert differences(table, changed(table, RoundSettled, dealer_rule="by heart"))


def test_what_the_house_way_set_is_set_again() -> None:
    table = with_hits()
    set_hand = table.events(HandSet)[0]
    (difference,) = differences(table, changed(table, HandSet, rule="by heart"))
    assert difference.startswith(f"seat {set_hand.seat} house way")
    (difference,) = differences(table, changed(table, DealerSet, rule="by heart"))
    assert difference.startswith("the dealer house way")


def test_a_hand_is_made_of_the_cards_dealt() -> None:
    table = with_hits()
    set_hand = table.events(HandSet)[0]
    found = differences(table, changed(table, HandSet, high=set_hand.high[:-1] + set_hand.low[:1]))
    assert f"seat {set_hand.seat}: set" in found[0]


def test_a_replay_that_ends_within_the_settlement_matches() -> None:
    table = with_hits()
    events = table.house.streams[Stream("round", "R1")]
    first = next(place for place, event in enumerate(events) if isinstance(event, WagerSettled))
    assert all(differences(table, events[:end]) == [] for end in range(first, len(events)))


def test_a_foul_is_judged_again() -> None:
    foul = a_table().given(*played({5: {"main": 20_00}}, {5: "8c 8d 8h Ac Kd 5s 4s"}, lows={5: "8c 8d"}), settle())
    found = differences(foul, changed(foul, HandSet, foul=False))
    assert "seat 5 foul: recorded False, computed True" in found
    legal = a_table().given(*played({5: {"main": 20_00}}, {5: WINS}, lows={5: "Kh Th"}), settle())
    assert differences(legal, legal.house.streams[Stream("round", "R1")]) == []


def test_a_reset_by_the_floor_and_one_at_settling_are_done_again() -> None:
    floor = a_table().given(*played({5: {"main": 20_00}}, {5: "8c 8d 8h Ac Kd 5s 4s"}, lows={5: "8c 8d"}))
    floor.given(reset_hand(5), settle())
    assert differences(floor, changed(floor, HandReset, rule="by heart"))[0].startswith("seat 5 house way")
    banked = banked_with_a_foul()
    found = differences(banked, changed(banked, HandReset, rule="by heart"))
    assert found[0].startswith("seat 3 house way") and any("round.hand-reset rule" in each for each in found)


@pytest.mark.parametrize("field", ["returned", "players", "meters", "phase"])
def test_a_void_is_computed_again(field: str) -> None:
    table = with_hits().given(void())
    value: Any = "open" if field == "phase" else ()
    (difference,) = differences(table, changed(table, RoundVoided, place=0, **{field: value}))
    assert difference.startswith(f"round.voided {field}")


def test_a_round_that_is_not_settled_has_its_hands_checked() -> None:
    table = a_table().given(*played({5: {"main": 20_00}}, {5: WINS}, lows={5: "Kh Th"})[:-1], set_low(5, "Kh Th"))
    assert table.recheck("R1") == []
    assert differences(table, changed(table, HandSet, foul=True))
