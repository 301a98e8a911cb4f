"""Many threads at once: everybody gets the own receipt, groups share commits, and one's defect is one's own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from domain.commands import Command
from ledger import integrity
from ledger.errors import LedgerClosed
from ledger.front import Front
from ledger.receipts import Receipt
from ledger.service import Ledger
from ledger.writer import Submission, Writer
from tests.ledger.play import Defect, a_round, buy_in, digest, hand_in, ledger_at, open_round, property_opened, wager


def in_threads(jobs: Sequence[Callable[[], Receipt]]) -> list[Receipt | BaseException]:
    """What each job answers or raises, all begun at once."""
    start = threading.Barrier(len(jobs))

    def run(job: Callable[[], Receipt]) -> Receipt | BaseException:
        start.wait()
        try:
            return job()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def test_every_thread_gets_its_own_receipt(ledger: Ledger) -> None:
    ledger.submit(hand_in(property_opened()))

    def job(number: int) -> Callable[[], Receipt]:
        command = buy_in(f"b{number}", f"P{number}", number + 1)
        return lambda: ledger.record(command, digest(command))

    answers = in_threads([job(number) for number in range(24)])
    by_position = {each.position: each for each in ledger.records()}
    for number, answer in enumerate(answers):
        assert isinstance(answer, Receipt)
        assert answer.position is not None
        record = by_position[answer.position]
        assert (record.command_id, answer.command_id) == (f"b{number}", f"b{number}")
        assert record.event.amount_cents == number + 1  # type: ignore[attr-defined]
    assert integrity.verify(ledger).verified


def test_the_same_command_from_many_threads_is_recorded_once(ledger: Ledger) -> None:
    ledger.submit(hand_in(property_opened()))
    command = buy_in("same")
    answers = in_threads([lambda: ledger.record(command, digest(command))] * 16)
    statuses = sorted(each.status for each in answers if isinstance(each, Receipt))
    assert statuses == ["recorded"] + ["repeated"] * 15
    assert ledger.head().position == 2


def test_threads_that_play_whole_rounds_leave_a_sound_ledger(ledger: Ledger) -> None:
    ledger.submit(hand_in(property_opened()))

    def table(number: int) -> Callable[[], Receipt]:
        def play() -> Receipt:
            last: Receipt | None = None
            for round_ in range(5):
                for command in a_round(number * 10 + round_, f"T{number}"):
                    last = ledger.record(command, digest(command))
                    assert last.status == "recorded", last
            assert last is not None
            return last

        return play

    answers = in_threads([table(number) for number in range(8)])
    assert [each for each in answers if not isinstance(each, Receipt)] == []
    assert ledger.head().position == 1 + 8 * 5 * 7
    assert integrity.verify(ledger).verified


class Slow:
    """A writer that waits to be let go, and remembers the groups that it was given."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.go = threading.Event()
        self.entered = threading.Event()
        self.groups: list[int] = []

    def submit(self, submissions: Sequence[Submission]) -> list[Receipt]:
        self.entered.set()
        self.go.wait()
        self.groups.append(len(submissions))
        return self._writer.submit(submissions)


@pytest.fixture
def slow(ledger: Ledger) -> Slow:
    ledger.submit(hand_in(property_opened()))
    return Slow(ledger._recording.writer)


@contextmanager
def crowd(slow: Slow) -> Iterator[ThreadPoolExecutor]:
    """Threads around a slow writer, which is let go in any case: a failed test ends instead of waiting for ever."""
    with ThreadPoolExecutor(12) as pool:
        try:
            yield pool
        finally:
            slow.go.set()


def until(true: Callable[[], bool]) -> None:
    """Waits for other threads to make it `true`."""
    for _ in range(10_000):
        if true():
            return
        time.sleep(0.001)
    raise AssertionError("it never came true")


def submissions(*commands: Command) -> list[Submission]:
    return list(hand_in(*commands))


def test_those_who_wait_share_one_commit(slow: Slow) -> None:
    front = Front(slow)  # type: ignore[arg-type]
    with crowd(slow) as pool:
        first = pool.submit(front.record, submissions(buy_in("0")))
        slow.entered.wait()
        rest = [pool.submit(front.record, submissions(buy_in(f"{each}"))) for each in range(1, 10)]
        until(lambda: front._waiting == 9)
        slow.go.set()
        positions = [each.result()[0].position for each in (first, *rest)]
    front.close()
    assert slow.groups == [1, 9]
    assert sorted(each for each in positions if each is not None) == list(range(2, 12))


def test_a_group_waits_a_moment_for_those_who_were_answered_last(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Front, "GATHER_SECONDS", 60.0)
    front = Front(slow)  # type: ignore[arg-type]
    with crowd(slow) as pool:
        jobs = [pool.submit(front.record, submissions(buy_in("0")))]
        slow.entered.wait()
        jobs += [pool.submit(front.record, submissions(buy_in(f"{each}"))) for each in range(1, 4)]
        until(lambda: front._waiting == 3)
        slow.go.set()
        assert {each.result()[0].status for each in jobs} == {"recorded"}
        for each in range(4, 7):
            assert slow.groups == [1, 3]
            jobs.append(pool.submit(front.record, submissions(buy_in(f"{each}"))))
            until(lambda: front._waiting == len(jobs) - 4 or len(slow.groups) > 2)
        assert {each.result()[0].status for each in jobs} == {"recorded"}
    front.close()
    assert slow.groups == [1, 3, 3]


def test_who_is_alone_is_recorded_in_his_own_thread(slow: Slow) -> None:
    front = Front(slow)  # type: ignore[arg-type]
    slow.go.set()
    for number in range(3):
        assert front.record(submissions(buy_in(f"{number}")))[0].status == "recorded"
    assert front._thread is None
    front.close()


def test_a_defect_of_who_is_alone_lets_the_next_one_in(ledger: Ledger, slow: Slow) -> None:
    ledger.submit(hand_in(open_round("o", "r1")))
    front = Front(slow)  # type: ignore[arg-type]
    slow.go.set()
    with pytest.raises(Defect):
        front.record(submissions(wager("bad", "r1", name="defect")))
    assert front.record(submissions(buy_in("1")))[0].status == "recorded"
    front.close()


def test_closing_waits_for_who_records_alone(slow: Slow) -> None:
    front = Front(slow)  # type: ignore[arg-type]
    with crowd(slow) as pool:
        alone = pool.submit(front.record, submissions(buy_in("0")))
        slow.entered.wait()
        closing = pool.submit(front.close)
        until(lambda: front._closed)
        assert not closing.done()
        slow.go.set()
        closing.result()
        assert slow.groups == [1]
        assert alone.result()[0].status == "recorded"


def test_who_comes_alone_after_a_crowd_is_answered(slow: Slow) -> None:
    front = Front(slow)  # type: ignore[arg-type]
    slow.go.set()
    front._expected = 5
    assert front.record(submissions(buy_in("1")))[0].status == "recorded"
    assert front._expected == 1
    front.close()


def test_who_finds_the_backlog_full_waits_to_be_let_in(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Front, "BACKLOG", 3)
    monkeypatch.setattr(Front, "GROUP", 3)
    front = Front(slow)  # type: ignore[arg-type]
    with crowd(slow) as pool:
        jobs = [pool.submit(front.record, submissions(buy_in("0")))]
        slow.entered.wait()
        jobs += [pool.submit(front.record, submissions(buy_in(f"{each}"))) for each in range(1, 9)]
        until(lambda: front._waiting >= 3)
        time.sleep(0.05)
        assert front._waiting == 3
        slow.go.set()
        assert {each.result()[0].status for each in jobs} == {"recorded"}
    front.close()
    assert max(slow.groups) <= 3


def test_more_than_the_backlog_at_once_is_let_in_alone(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Front, "BACKLOG", 2)
    monkeypatch.setattr(Front, "GROUP", 2)
    receipts = ledger.record_all(hand_in(property_opened(), *a_round(1)))
    assert [each.status for each in receipts] == ["recorded"] * 6


def test_nothing_handed_in_is_answered_with_nothing(ledger: Ledger) -> None:
    assert ledger.record_all([]) == []
    assert ledger.submit([]) == []


def test_one_callers_defect_does_not_fail_the_others(ledger: Ledger, slow: Slow) -> None:
    ledger.submit(hand_in(open_round("o", "r1")))
    front = Front(slow)  # type: ignore[arg-type]
    with crowd(slow) as pool:
        first = pool.submit(front.record, submissions(buy_in("0")))
        slow.entered.wait()
        good = [pool.submit(front.record, submissions(buy_in(f"g{each}"))) for each in range(3)]
        bad = pool.submit(front.record, submissions(wager("bad", "r1", name="defect")))
        until(lambda: front._waiting == 4)
        slow.go.set()
        assert [each.result()[0].status for each in (first, *good)] == ["recorded"] * 4
        with pytest.raises(Defect):
            bad.result()
    front.close()
    assert integrity.verify(ledger).verified


def test_closing_answers_who_is_in_and_lets_nobody_else_in(url: str) -> None:
    ledger = ledger_at(url)
    ledger.submit(hand_in(property_opened()))
    slow = Slow(ledger._recording.writer)
    front = Front(slow)  # type: ignore[arg-type]
    with crowd(slow) as pool:
        first = pool.submit(front.record, submissions(buy_in("0")))
        slow.entered.wait()
        second = pool.submit(front.record, submissions(buy_in("1")))
        until(lambda: front._waiting == 1)
        closing = pool.submit(front.close)
        until(lambda: front._closed)
        with pytest.raises(LedgerClosed):
            front.record(submissions(buy_in("2")))
        slow.go.set()
        closing.result()
        assert first.result()[0].status == second.result()[0].status == "recorded"
    ledger.close()
