"""Progress is for a terminal: one line in one place, taken away before anything else is said."""

from __future__ import annotations

import sys
import time

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
