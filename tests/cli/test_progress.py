"""Progress is for a terminal: one line in one place, taken away before anything else is said."""

from __future__ import annotations

import re
import sys
import time
from contextlib import suppress

import pytest

from cli.options import Settings
from cli.progress import ProgressLine


def said(capsys: pytest.CaptureFixture[str], settings: Settings) -> str:
    """What a piece of work of three steps says on standard error."""
    line = ProgressLine(settings)
    for step in range(3):
        line.say(f"{step} of 3")
    line.clear()
    return capsys.readouterr().err


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error is one, and time passes by the second."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    seconds = iter(range(1, 100))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(seconds)))


def test_nothing_is_said_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, Settings()) == ""


def test_a_terminal_sees_one_line_that_is_taken_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_a_terminal(monkeypatch)
    assert said(capsys, Settings()) == "\r\x1b[K0 of 3\r\x1b[K1 of 3\r\x1b[K2 of 3\r\x1b[K"


def test_quiet_is_quiet_on_a_terminal_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    on_a_terminal(monkeypatch)
    assert said(capsys, Settings(quiet=True)) == ""


def test_what_is_counted_is_said_with_its_pace(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_a_terminal(monkeypatch)
    with ProgressLine(Settings()) as line:
        for done in (1_000, 4_000):
            line.count("events", done, 9_000)
        line.count("pages", 5, 7)
    said = capsys.readouterr().err.split("\r\x1b[K")
    assert [each.partition(",")[0] for each in said[1:3]] == ["1", "4"]
    assert re.fullmatch(r"4,000 of 9,000 events, [\d,]+ a second", said[2])
    assert said[3].startswith("5 of 7 pages")
    assert said[4] == ""


def test_the_line_is_gone_when_the_work_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_a_terminal(monkeypatch)
    with suppress(KeyboardInterrupt), ProgressLine(Settings()) as line:
        line.say("at it")
        raise KeyboardInterrupt
    assert capsys.readouterr().err.endswith("at it\r\x1b[K")
