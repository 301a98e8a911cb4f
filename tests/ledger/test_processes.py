"""Several processes on one store: every command once, one order, one sound chain."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from ledger import integrity
from ledger.service import Ledger
from tests.ledger.play import ledger_at, url_of
from tests.ledger.recording import groups
from tests.postgres import libpq

FEEDS = [
    Path(__file__).parents[1] / "cases" / "data" / f"{name}.jsonl"
    for name in ("start-position", "houseway-cardroom-table", "tokes")
]
HERE = Path(__file__).parents[2]


def record(url: str, feeds: list[Path], sources: list[str]) -> list[list[str]]:
    """What each process was answered, one for each feed: command id and position a line."""
    processes = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.ledger.recording",
                url,
                str(feed),
                "--size",
                "5",
                "--source",
                source,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=HERE,
        )
        for feed, source in zip(feeds, sources, strict=True)
    ]
    answers = [each.communicate() for each in processes]
    assert [errors for _, errors in answers] == [""] * len(feeds)
    return [lines.splitlines() for lines, _ in answers]


def test_the_same_feed_from_three_processes_is_recorded_once(url: str, tmp_path: Path) -> None:
    answers = record(url, FEEDS[:1] * 3, ["cli"] * 3)
    recorded = [line for lines in answers for line in lines]
    assert len(recorded) == len(set(recorded))
    with Ledger.open(url) as ledger:
        ids = [each.command_id for page in ledger.feed.pages() for each in page if each.command_id]
        assert len(ids) == len(set(ids)) == len(recorded)
        assert integrity.verify(ledger).verified
        with Ledger.open(url_of(tmp_path, "alone.db")) as reference:
            expected = [each for group in groups(FEEDS[0], 5) for each in reference.submit(group)]
        again = [each for group in groups(FEEDS[0], 5) for each in ledger.submit(group)]
        assert [each.status == "refused" for each in again] == [each.status == "refused" for each in expected]


def test_different_feeds_from_three_processes_share_one_sound_log(url: str, tmp_path: Path) -> None:
    answers = record(url, [_of_its_own(each, tmp_path) for each in FEEDS], ["pit-1", "pit-2", "pit-3"])
    assert all(answers)
    with Ledger.open(url) as ledger:
        report = integrity.verify(ledger)
        assert report.verified, report
        positions = {int(line.split()[1]) for lines in answers for line in lines}
        assert max(positions) == report.count


def _of_its_own(feed: Path, folder: Path) -> Path:
    """The feed with a property and a sheet that no other feed has."""
    text = feed.read_text().replace("NORTH", feed.stem).replace("fortune-cardroom", feed.stem)
    made = folder / feed.name
    made.write_text(text)
    return made


ROUNDS = 12


def test_eight_processes_at_tables_of_their_own_lose_and_repeat_nothing_and_a_reader_misses_nothing(url: str) -> None:
    with ledger_at(url) as ledger, held_open(url):
        writers = [start(url, table) for table in range(1, 9)]
        positions: list[int] = []
        while any(each.poll() is None for each in writers):
            positions += [each.position for each in ledger.feed.after(len(positions))]
        answers = [each.communicate() for each in writers]
        positions += [each.position for page in ledger.feed.pages(len(positions)) for each in page]
        assert [errors for _, errors in answers] == [""] * 8
        receipts = [line.split() for lines, _ in answers for line in lines.splitlines()]
        assert {status for _, status, _ in receipts} == {"recorded"}
        assert len({command_id for command_id, _, _ in receipts}) == len(receipts) == 8 * ROUNDS * 5
        assert positions == list(range(1, 2 + 8 * ROUNDS * 7))
        by_position = {each.position: each for page in ledger.feed.pages() for each in page}
        firsts = {each.command_id: each for each in by_position.values() if each.command_id}
        for command_id, _, position in receipts:
            first = firsts[command_id]
            assert first.position + (first.command_size or 0) - 1 == int(position)
        assert integrity.verify(ledger).verified


def start(url: str, table: int) -> subprocess.Popen[str]:
    """A process that plays at a table."""
    command = [sys.executable, "-m", "tests.ledger.writing", url, str(table), str(ROUNDS)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", cwd=HERE)


@contextmanager
def held_open(url: str) -> Iterator[None]:
    """In PostgreSQL, a transaction of somebody else that has written something and does not end."""
    if url.startswith("sqlite"):
        yield
        return
    with psycopg.connect(libpq(url)) as somebody:
        somebody.execute("CREATE TABLE elsewhere AS SELECT pg_current_xact_id() AS mine")
        yield
        somebody.rollback()
