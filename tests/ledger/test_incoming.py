"""Rows go in in portions while more is decided: the same log as without, and nothing of a group that is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import uuid4

import pytest
from eventsourcing.persistence import IntegrityError

from domain.commands import Command
from domain.streams import Stream
from ledger import integrity
from ledger.incoming import Inserter
from ledger.recorder import Addition
from ledger.records import GENESIS
from ledger.service import Ledger
from tests.ledger.play import Defect, a_round, buy_in, contents, hand_in, ledger_at, property_opened, url_of, wager

ROUNDS = 5
EVENTS = 1 + 7 * ROUNDS


@pytest.fixture
def portions(under_the_lock: None, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Portions of four rows, of groups that are decided under the lock; how many rows each that was begun had."""
    monkeypatch.setattr(Inserter, "PORTION", 4)
    begun: list[int] = []
    start = Inserter.start

    def counted(self: Inserter, connection: object, rows: Sequence[object]) -> object:
        begun.append(len(rows))
        return start(self, connection, rows)  # type: ignore[arg-type]

    monkeypatch.setattr(Inserter, "start", counted)
    return begun


@pytest.fixture
def ledger(url: str, portions: list[int]) -> Iterator[Ledger]:
    """A ledger at `url`, opened with those portions."""
    with ledger_at(url) as opened:
        yield opened


def group() -> list[tuple[Command, bytes]]:
    """A property and some rounds at it."""
    return hand_in(property_opened(), *(each for number in range(ROUNDS) for each in a_round(number)))


def test_a_group_in_portions_leaves_the_log_of_its_commands_one_by_one(
    url: str, tmp_path: Path, portions: list[int]
) -> None:
    with ledger_at(url) as ledger, ledger_at(url_of(tmp_path, "other.db")) as other:
        receipts = ledger.submit(group())
        assert portions == [4] * (EVENTS // 4)
        assert receipts == [receipt for each in group() for receipt in other.submit([each])]
        assert contents(ledger) == contents(other)
        assert integrity.verify(ledger).verified


def test_a_portion_that_is_refused_takes_the_whole_transaction_with_it(ledger: Ledger, portions: list[int]) -> None:
    stream, streams = Stream("player", "P1"), [uuid4().bytes for _ in range(20)]

    def additions(wrong: int) -> list[Addition]:
        versions = [2 if place == wrong else 1 for place in range(20)]
        return [
            Addition(id_, version, "player.bought-in", 1, b"{}", stream._replace(key=id_.hex()))
            for id_, version in zip(streams, versions, strict=True)
        ]

    for wrong in (0, 5, 19):
        with pytest.raises(IntegrityError, match="version"), ledger.recorder.begin() as tx:
            ledger.recorder.append(additions(wrong), tx)
        assert ledger.head() == GENESIS
    with ledger.recorder.begin() as tx:
        ledger.recorder.append(additions(-1), tx)
    assert ledger.head().position == 20
    assert len(portions) > 5


def test_what_a_portion_met_is_raised_rather_than_what_came_of_it(ledger: Ledger, portions: list[int]) -> None:
    wrong = [Addition(uuid4().bytes, 7, "player.bought-in", 1, b"{}", Stream("player", str(each))) for each in range(4)]

    def write() -> None:
        with ledger.recorder.begin() as tx:
            ledger.recorder.append(wrong, tx)
            raise Defect("decided on what is not there")

    with pytest.raises(IntegrityError, match="version"):
        write()
    assert ledger.head() == GENESIS


def test_a_defect_while_a_portion_is_at_work_leaves_nothing(ledger: Ledger, portions: list[int]) -> None:
    ledger.submit(hand_in(property_opened()))
    defect = wager("defect", "r1", name="defect")
    with pytest.raises(Defect):
        ledger.submit(hand_in(*a_round(0), *a_round(1)[:4], defect, *a_round(2)))
    assert portions
    assert ledger.head().position == 1
    assert [each.status for each in ledger.submit(group())] == ["repeated"] + ["recorded"] * 5 * ROUNDS
    assert integrity.verify(ledger).verified


def test_a_rehearsal_sees_what_its_portions_put_in(ledger: Ledger, portions: list[int]) -> None:
    with ledger.rehearsal() as submit:
        assert {each.status for each in submit(group())} == {"recorded"}
        assert {each.status for each in submit(group())} == {"repeated"}
        assert [each.status for each in submit(hand_in(buy_in("late")))] == ["recorded"]
    assert portions
    assert ledger.head() == GENESIS


def test_a_group_in_portions_is_found_again_by_another_process(url: str, ledger: Ledger, portions: list[int]) -> None:
    ledger.submit(group())
    with ledger_at(url) as other:
        assert {each.status for each in other.submit(group())} == {"repeated"}
        assert {each.status for each in other.submit(hand_in(*a_round(ROUNDS)))} == {"recorded"}
    assert [each.status for each in ledger.submit(hand_in(*a_round(ROUNDS + 1)))] == ["recorded"] * 5
    assert integrity.verify(ledger).verified
