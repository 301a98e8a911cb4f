"""A process killed at any moment loses nothing that it had answered, and a second run ends as an uninterrupted one."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ledger import integrity
from ledger.service import Ledger
from tests.ledger.play import contents, url_of
from tests.ledger.recording import groups

FEED = Path(__file__).parents[1] / "cases" / "data" / "start-position.jsonl"
SIZE = 8


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    """What an uninterrupted run leaves."""
    with Ledger.open(url_of(tmp_path_factory.mktemp("whole"))) as ledger:
        for group in groups(FEED, SIZE):
            ledger.submit(group)
        return contents(ledger)


def recording(url: str, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.ledger.recording", url, str(FEED), "--size", str(SIZE), *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", cwd=Path(__file__).parents[2])


def check_then_finish(url: str, answered: str, whole: list[tuple[object, ...]]) -> None:
    """What was answered is there, the log is sound, a second run completes it, and a third changes nothing."""
    with Ledger.open(url) as ledger:
        assert integrity.verify(ledger).verified
        there = {each.command_id: each.position for page in ledger.feed.pages() for each in page if each.command_id}
        for line in answered.splitlines():
            command_id, position = line.split()
            assert there[command_id] <= int(position)
        kept = integrity.anchor(ledger)
        for group in groups(FEED, SIZE):
            statuses = {each.status for each in ledger.submit(group)}
            assert "recorded" in statuses or not statuses - {"repeated", "refused"}
        assert contents(ledger) == whole
        assert integrity.verify(ledger, kept).verified
        assert "recorded" not in {each.status for group in groups(FEED, SIZE) for each in ledger.submit(group)}


@pytest.mark.parametrize("step", range(0, 40, 5))
def test_a_kill_at_any_step_of_a_commit_loses_nothing(url: str, step: int, whole: list[tuple[object, ...]]) -> None:
    process = recording(url, "--die-at-step", str(20 + step))
    answered, _ = process.communicate()
    assert process.returncode == -signal.SIGKILL
    check_then_finish(url, answered, whole)


@pytest.mark.parametrize("seed", range(3))
def test_a_kill_at_any_moment_loses_nothing(url: str, seed: int, whole: list[tuple[object, ...]]) -> None:
    process = recording(url)
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(random.Random(seed).random() * 0.2)
    process.kill()
    rest, _ = process.communicate()
    lines = (first + rest).splitlines(keepends=True)
    check_then_finish(url, "".join(each for each in lines if each.endswith("\n")), whole)
