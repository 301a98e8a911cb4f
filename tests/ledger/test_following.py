"""A writer beside another process on one store: its memory follows what the other appended and is never behind it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from domain.commands import Command
from domain.desk import Numbers, numbers_key, property_key, table_key
from domain.house_events import PropertyOpened
from ledger import integrity
from ledger.app import NewEvent, new_stream_id
from ledger.service import Ledger
from ledger.tail import TailStore
from tests.ledger.play import buy_in, close, hand_in, ledger_at, open_round, property_opened, void, wager

EXCHANGES = 3
"""Begin, ask and lock; what came since; the rows, the desk and the commit."""


def record(ledger: Ledger, *commands: Command) -> list[str]:
    return [each.code or each.status for each in ledger.submit(hand_in(*commands))]


def both(url: str) -> tuple[Ledger, Ledger]:
    """Two ledgers on one store that have both recorded something."""
    first, second = ledger_at(url), ledger_at(url)
    assert record(first, property_opened()) == ["recorded"]
    assert record(second, buy_in("first of the second")) == ["recorded"]
    assert record(first, buy_in("first of the first")) == ["recorded"]
    return first, second


def test_two_processes_play_one_round_in_turns(url: str) -> None:
    first, second = both(url)
    with first, second:
        assert record(first, open_round("o", "R1")) == ["recorded"]
        for number in range(6):
            assert record((second, first)[number % 2], wager(f"w{number}", "R1")) == ["recorded"]
        assert [each.version for each in first.submit(hand_in(close("c", "R1")))] == [10]
        assert record(second, void("v", "R1")) == ["recorded"]
        stakes = [each.event for each in second.round_records("R1")[1:7]]
        assert [getattr(each, "standing_cents", None) for each in stakes] == list(range(500, 3001, 500))
        assert integrity.verify(first).verified


def test_a_table_that_the_other_process_took_is_busy_and_then_free(url: str) -> None:
    first, second = both(url)
    with first, second:
        for number in range(1, 4):
            assert record(first, open_round(f"o{number}", f"R{number}", number=number)) == ["recorded"]
            assert record(second, open_round(f"p{number}", f"S{number}", number=number)) == ["table.busy"]
            assert record(second, void(f"v{number}", f"R{number}")) == ["recorded"]
        assert integrity.verify(second).verified
        assert first.desk.get(numbers_key("NORTH", "T1", "2026-05-04")) == Numbers(((1, 3),))


def test_a_command_that_the_other_process_has_recorded_since_is_answered_again(url: str) -> None:
    first, second = both(url)
    with first, second:
        receipts = first.submit(hand_in(buy_in("1"), open_round("o", "R1"), close("c", "R1")))
        again = second.submit(hand_in(buy_in("1"), open_round("o", "R1"), close("c", "R1"), buy_in("2")))
        assert again[:3] == [each.repeated() for each in receipts]
        assert again[3].status == "recorded"
        assert record(first, buy_in("2"), buy_in("1", cents=1)) == ["repeated", "command.id-reused"]


def test_what_was_saved_without_the_desk_meanwhile_reaches_it(url: str) -> None:
    first, second = both(url)
    with first, second:
        second.app.save(NewEvent(new_stream_id(), 1, PropertyOpened("SOUTH", "UTC", "06:00", "USD")))
        assert record(first, buy_in("1")) == ["recorded"]
        assert first.desk.get(property_key("SOUTH")) is not None
        assert integrity.verify(first).verified


def test_who_is_too_far_behind_to_follow_reads_anew(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TailStore, "MOST", 4)
    first, second = both(url)
    with first, second:
        assert record(first, open_round("o", "R1")) == ["recorded"]
        assert set(record(second, *(wager(f"w{number}", "R1") for number in range(6)))) == {"recorded"}
        assert [each.version for each in first.submit(hand_in(wager("last", "R1")))] == [8]
        assert integrity.verify(first).verified


def test_an_entry_that_is_not_remembered_is_read_when_it_is_needed(url: str) -> None:
    first, second = both(url)
    with first, second:
        assert record(second, open_round("o", "R1", table="T2"), void("v", "R1")) == ["recorded", "recorded"]
        assert record(first, open_round("p", "S1", table="T2", number=2)) == ["recorded"]
        assert first.desk.get(table_key("NORTH", "T2")).open_round == "S1"
        assert integrity.verify(first).verified


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_a_group_under_the_lock_beside_another_process_makes_three_exchanges(url: str, under_the_lock: None) -> None:
    first, second = both(url)
    with first, second:
        exchanges = Exchanges(first)
        for number in range(3):
            assert record(second, buy_in(f"s{number}")) == ["recorded"]
            exchanges.begin()
            assert record(first, buy_in(f"f{number}")) == ["recorded"]
            assert exchanges.counted() == EXCHANGES


class Exchanges:
    """Counts how often a ledger's connection waits for its server: each exchange, of however many statements."""

    def __init__(self, ledger: Ledger) -> None:
        self._dialect = ledger.store.dialect
        self._count = 0
        together = self._dialect.together
        self._inside = False
        sa.event.listen(ledger.engine, "before_cursor_execute", self._statement)

        @contextmanager
        def counted(connection: sa.Connection) -> Iterator[None]:
            self._count += 1
            self._inside = True
            try:
                with together(connection):
                    yield
            finally:
                self._inside = False

        self._dialect.together = counted  # type: ignore[method-assign]

    def begin(self) -> None:
        self._count = 0

    def counted(self) -> int:
        return self._count

    def _statement(self, *_: object) -> None:
        self._count += not self._inside
