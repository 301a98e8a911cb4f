"""The desk's folds: what the log says of tables, numbers, slips and properties beside any single stream."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from domain.desk import ENTRY_TYPES, Commitment, Numbers, Property, PublishedSheet, Slip, Table, fold
from domain.house_events import PlayerBoughtIn, PropertyOpened, SheetPublished, ShufflerCleared, ShufflerFailed
from domain.meters import Meter
from domain.rounds.events import (
    Event,
    HandsDealt,
    JackpotPaid,
    PlayedMain,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    Totals,
    WagerPlaced,
)
from tests.domain.rounds.table import House

KEY = ("table", "NORTH", "T1")


def opened(round_: str, number: int = 1, day: str = "2026-05-04") -> RoundOpened:
    return RoundOpened(round_, "NORTH", "T1", number, day, "fortune", "s@1", "f" * 64, "D1", ())


def settled(round_: str, *played: tuple[str, int], bank: int = 0, banker: str | None = None, button: int = 0) -> Event:
    mains = tuple(PlayedMain(player, cents) for player, cents in played)
    return RoundSettled(
        round_, "NORTH", "T1", bank, button, (), (), "", Totals(0, 0, 0, 0, 0), banker=banker, played=mains
    )


def voided(round_: str, phase: str) -> Event:
    return RoundVoided(round_, "NORTH", "T1", phase, "wrong deck", ("F1", "M1"))


def after(*events: Event) -> House:
    house = House()
    for event in events:
        fold(event, house)
    return house


def table(*events: Event) -> Table:
    found = after(*events).get(KEY)
    assert isinstance(found, Table)
    return found


def test_most_events_change_nothing() -> None:
    class Nothing(House):
        def put(self, key: object, entry: object) -> None:
            raise AssertionError(key)

    fold(WagerPlaced(5, "P5", "main", 1, 1), Nothing())
    fold(HandsDealt((), 4), Nothing())
    fold(PlayerBoughtIn("NORTH", "T1", "P1", 1, "2026-05-04"), Nothing())


def test_a_property_is_found_by_its_id_and_the_last_opened_says_the_currency() -> None:
    house = after(PropertyOpened("NORTH", "UTC", "06:00", "USD"), PropertyOpened("SOUTH", "UTC", "05:00", "USD"))
    assert house.get(("property", "NORTH")) == Property("NORTH", "UTC", "06:00", "USD")
    assert house.get(("property", "")) == house.get(("property", "SOUTH"))


def test_a_sheet_is_found_by_id_and_version() -> None:
    house = after(SheetPublished("s@1", "f" * 64, "2026-05-04T12:00:00Z", ("M1",), {"id": "s"}))
    assert house.get(("sheet", "s@1")) == PublishedSheet("s@1", "f" * 64, "2026-05-04T12:00:00Z", {"id": "s"})


def test_a_table_has_an_open_round_from_opening_to_settling() -> None:
    assert table(opened("R1")).open_round == "R1"
    assert table(opened("R1"), settled("R1")).open_round is None


def test_a_void_before_settling_ends_the_round_and_a_later_one_leaves_the_table_alone() -> None:
    for phase in ("open", "closed", "dealt"):
        assert table(opened("R1"), voided("R1", phase)).open_round is None
    assert table(opened("R1"), settled("R1"), opened("R2"), voided("R1", "settled")).open_round == "R2"


def test_the_shuffler_stays_failed_until_it_is_cleared_whatever_the_rounds_do() -> None:
    failed = ShufflerFailed("NORTH", "T1", "R1")
    assert table(failed, opened("R1"), settled("R1")).shuffler_failed
    assert not table(failed, ShufflerCleared("NORTH", "T1", ("F1",))).shuffler_failed


def test_the_button_stays_where_the_settled_round_had_it() -> None:
    assert table(settled("R1", button=4)).button == 4
    assert table(settled("R1", button=4), voided("R2", "dealt")).button == 4


def test_who_banked_is_remembered_until_the_button_is_back_at_the_dealer() -> None:
    first = settled("R1", bank=6, banker="P6", button=6)
    second = settled("R2", bank=4, banker="P4", button=4)
    assert table(first, second).banked == ("P6", "P4")
    assert table(first, settled("R2", button=4)).banked == ("P6",)
    assert table(first, second, settled("R3", button=0)).banked == ()
    # A bank that is out of turn while the button is at the dealer counts for the way around that begins.
    assert table(first, settled("R2", bank=2, banker="P2", button=0)).banked == ("P2",)


def test_last_mains_are_of_the_players_of_the_last_round_only() -> None:
    assert table(settled("R1")).last_mains == {}
    assert table(settled("R1", ("P1", 500), ("P2", 700)), settled("R2", ("P2", 900))).last_mains == {"P2": 900}


def test_last_mains_keep_what_a_player_last_had_against_the_house() -> None:
    # Round 2 was banked by a player: nobody had a wager against the house.
    before = settled("R1", ("P1", 500), ("P2", 700))
    assert table(before, settled("R2", ("P1", 0), ("P3", 0))).last_mains == {"P1": 500, "P3": 0}


def test_last_mains_of_two_seats_are_the_larger() -> None:
    assert table(settled("R1", ("P1", 500), ("P1", 700))).last_mains == {"P1": 700}
    assert table(settled("R1", ("P1", 700), ("P1", 500))).last_mains == {"P1": 700}


def test_a_table_that_settled_nothing_yet_has_no_last_mains() -> None:
    assert table(opened("R1")).last_mains is None


def test_a_slip_remembers_the_line_that_it_paid() -> None:
    paid = JackpotPaid("R1", "5.progressive", 5, "progressive", 75_00, "S1", "cage", "CAGE1", "F2", 75_00)
    assert after(paid).get(("slip", "S1")) == Slip("R1", "5.progressive")


def test_numbers_are_kept_for_each_table_and_gaming_day() -> None:
    house = after(opened("R1", 1), opened("R2", 2), opened("R3", 1, "2026-05-05"))
    assert house.get(("numbers", "NORTH", "T1", "2026-05-04")) == Numbers(((1, 2),))
    assert house.get(("numbers", "NORTH", "T1", "2026-05-05")) == Numbers(((1, 1),))


@given(st.lists(st.integers(1, 40)))
def test_runs_of_numbers_hold_exactly_the_numbers_used(used: list[int]) -> None:
    numbers = Numbers()
    for number in used:
        numbers = numbers.using(number)
    assert [number for number in range(42) if number in numbers] == sorted(set(used))
    assert list(numbers.runs) == sorted(numbers.runs)
    # Neighbouring runs are joined, so a table's day is one run however long it is.
    assert all(before[1] + 1 < later[0] for before, later in zip(numbers.runs, numbers.runs[1:], strict=False))


def test_every_entry_has_a_type_by_the_first_part_of_its_key() -> None:
    assert {
        "property": Property,
        "sheet": PublishedSheet,
        "table": Table,
        "numbers": Numbers,
        "slip": Slip,
        "meter": Meter,
        "commitment": Commitment,
    } == ENTRY_TYPES
