"""Stepping through a round on the whole screen: every key, every size, whose eyes, and where it is refused."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from cli.replay.cards import face
from cli.replay.panels import KEYS
from cli.replay.screen import LEAST, Stepping
from cli.replay.stepper import Stepper
from ledger.service import Ledger
from projections.replays import replay_steps
from projections.viewing import viewer
from tests.cli.conftest import ROUND, Rounds, environment
from tests.cli.test_replay_views import case

Document = dict[str, Any]
Act = Callable[["Pilot[None]", Stepping], Awaitable[None]]


@pytest.fixture
def ledger(one_round: Path) -> Iterator[Ledger]:
    """The example's ledger, open."""
    with Ledger.open(f"sqlite:///{one_round}", create=False) as opened:
        yield opened


def stepper(ledger: Ledger, key: str = ROUND, **options: Any) -> Stepper:
    return Stepper(lambda seat, eyes: replay_steps(ledger, key, seat, viewer(eyes)), **options)


def played(steps: Stepper, act: Act, size: tuple[int, int] = (80, 24), *, ascii_only: bool = False) -> None:
    """Runs the screen without a terminal and does something with it."""

    async def run() -> None:
        app = Stepping(steps, ascii_only=ascii_only)
        async with app.run_test(size=size) as pilot:
            await act(pilot, app)

    asyncio.run(run())


def part(app: Stepping, name: str) -> str:
    """The text of a part of the screen."""
    return str(app.screen_stack[0].query_one(f"#{name}", Static).render())


def picture(app: Stepping) -> str:
    """All that is visible, as the library's screenshot has it."""
    rows: dict[int, str] = {}
    for x, row, text in re.findall(
        r'<text[^>]* x="([\d.]+)"[^>]*-line-(\d+)\)">([^<]*)</text>', app.export_screenshot()
    ):
        at = round(float(x) / CELL)
        rows[int(row)] = rows.get(int(row), "").ljust(at) + unescape(text).replace("\xa0", " ").rstrip("\n")
    return "\n".join(rows[row] for row in sorted(rows))


CELL = 12.2
"""How wide a character is in a screenshot."""


def test_every_step_shows_what_was_known_then(ledger: Ledger) -> None:
    steps = stepper(ledger)

    async def act(pilot: Pilot[None], app: Stepping) -> None:
        await pilot.press("home")
        for document in replay_steps(ledger, ROUND):
            frame = document["frames"][-1]
            assert f"event {frame['version']} of 23" in part(app, "title")
            felt = part(app, "felt")
            for spot in (document["dealer"], *document["seats"]):
                cards = (spot["high"] or spot["cards"] or "").split()
                assert all(face(card) in felt for card in cards)
            for line in document["lines"]:
                assert line["cite"] in " ".join(felt.split())
            await pilot.press("right")
        assert "event 23 of 23" in part(app, "title")

    played(steps, act)


def test_the_keys_move_as_the_help_says(ledger: Ledger) -> None:
    steps = stepper(ledger)
    wanted = [
        ("home", 1), ("right", 2), ("left", 1), ("left", 1), ("p", 8), ("p", 12), ("p", 13), ("P", 12), ("end", 23),
        ("right", 23), ("P", 16), ("space", 17), ("backspace", 16),
    ]  # fmt: skip

    async def act(pilot: Pilot[None], app: Stepping) -> None:
        for key, version in wanted:
            await pilot.press(key)
            assert app.stepper.version == version, key

    played(steps, act)


def test_g_goes_to_an_event_and_says_where_there_is_none(ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        await pilot.press("g", "9", "9", "enter")
        assert "There is no event 99; 1 to 23" in picture(app)
        app.screen.query_one(Input).value = "12"
        await pilot.press("enter")
        assert app.stepper.version == 12
        await pilot.press("g", "enter")
        assert "There is no event without a number" in picture(app)
        await pilot.press("escape")
        assert app.stepper.version == 12

    played(stepper(ledger), act)


def test_what_is_asked_keeps_the_table_where_it_is(ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        await pilot.press("g", "1", "left", "home", "2", "end")
        assert app.stepper.version == 23
        await pilot.press("enter")
        assert app.stepper.version == 21

    played(stepper(ledger), act)


def test_s_goes_through_the_seats_and_keeps_the_moment(ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        app.stepper.to_event(14)
        await pilot.press("s")
        assert (app.stepper.seat, app.stepper.version) == (2, 13)
        assert "seat 2; " in part(app, "title")
        assert "P200" not in part(app, "felt")
        await pilot.press("s")
        assert (app.stepper.seat, app.stepper.version) == (5, 13 - 1)
        await pilot.press("s")
        assert app.stepper.seat is None

    played(stepper(ledger), act)


def test_e_looks_with_other_eyes(ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        app.stepper.to_event(12)
        unseen = {}
        for _ in range(4):
            await pilot.press("e")
            unseen[app.stepper.eyes] = part(app, "felt").count("??")
        assert unseen == {"dealer": 21, "seat:2": 14, "seat:5": 14, "surveillance": 0}
        await pilot.press("e")
        assert "as the dealer" in part(app, "title")
        assert "Qc" not in part(app, "said")

    played(stepper(ledger), act)


def test_m_is_the_money_and_closes_again(ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        await pilot.press("home", "right", "m")
        seen = picture(app)
        assert re.search(r"Seat 5, P200 +at stake", seen)
        assert "staked $50.00, won $0.00" in seen
        assert "Seat 5 (P200) places $50.00 on main." in seen
        await pilot.press("escape", "end", "m")
        assert re.search(r"Seat 5, P200 +net \+\$246\.50", picture(app))
        await pilot.press("m")
        assert len(app.screen_stack) == 1

    played(stepper(ledger), act)


def test_the_money_is_followed_to_other_steps_seats_and_eyes(ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        await pilot.press("home", "m")
        assert "Nothing is staked yet." in picture(app)
        await pilot.press("right")
        assert (app.stepper.version, "Money at this step, event 2" in picture(app)) == (2, True)
        assert re.search(r"Seat 5, P200 +at stake", picture(app))
        await pilot.press("end", "s")
        seen = picture(app)
        assert "Money at this step, seat 2, event " in seen
        assert "Seat 2, " in seen and "Seat 5, " not in seen
        await pilot.press("s", "s", "e")
        assert "Money at this step, as the dealer, event " in picture(app)
        await pilot.press("p", "P", "left", "g")
        assert len(app.screen_stack) == 2
        await pilot.press("m", "question_mark", "right", "s")
        assert (app.stepper.seat, len(app.screen_stack)) == (None, 2)

    played(stepper(ledger), act)


def test_the_help_has_every_key_and_every_key_is_bound(ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        await pilot.press("question_mark")
        seen = picture(app)
        for keys, does in KEYS:
            assert keys in seen
            assert does in seen
        await pilot.press("escape")
        bound = set(app.active_bindings) | {"up", "down"}
        named = {"?": "question_mark", "P": "P"}
        assert {named.get(key, key) for keys, _ in KEYS for key in keys.split(", ")} <= bound

    played(stepper(ledger), act, (100, 30))


@pytest.mark.parametrize("keys", [["q"], ["ctrl+c"], ["m", "ctrl+c"]])
def test_q_leaves_and_so_does_ctrl_c(keys: list[str], ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        await pilot.press(*keys)
        await pilot.pause()
        assert not app.is_running

    played(stepper(ledger), act)


@pytest.mark.parametrize("size", [LEAST, (60, 20), (80, 24), (120, 40), (200, 60)])
def test_nothing_is_wider_than_the_screen(size: tuple[int, int], ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        for _ in range(7):
            for name in ("title", "felt", "said"):
                assert max(map(len, part(app, name).splitlines())) <= size[0]
            await pilot.press("P")
        assert app.screen.query_one("#table").max_scroll_x == 0

    played(stepper(ledger), act, size)


def test_the_events_stand_beside_the_table_where_there_is_room(ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        await pilot.press("home")
        assert app.screen.query_one("#events").display
        assert ">  1 19:00 Round PG01" in part(app, "events")
        assert "╭───┬───┬" not in part(app, "felt")
        await pilot.press("p", "p")
        assert "╭───┬───┬" in part(app, "felt")
        assert "> 12 19:00 The hands are dealt" in part(app, "events")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not app.screen.query_one("#events").display

    played(stepper(ledger), act, (130, 40))


def test_a_tiny_terminal_says_so_and_a_larger_one_shows_the_table(ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        assert "This terminal is 30 x 8; stepping needs 40 x 12." in " ".join(picture(app).split())
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "This terminal" not in picture(app)
        assert "│ 8♠│ 8♥│ 8♦│ 8♣│ 3♠│" in picture(app)

    played(stepper(ledger), act, (30, 8))


def test_without_utf_8_it_is_ascii(ledger: Ledger) -> None:
    async def act(pilot: Pilot[None], app: Stepping) -> None:
        await pilot.press("p", "P")
        assert all(part(app, name).isascii() for name in ("title", "felt", "said", "keys", "events"))
        assert "| 8s| 8h| 8d| 8c| 3s| | Ac| Kd|" in part(app, "felt")
        await pilot.press("m")
        assert picture(app).isascii()

    played(stepper(ledger), act, ascii_only=True)


@pytest.mark.parametrize(
    "name", ["correction", "meter-void-takes-back-everything", "misdeals", "foul-loses-house-bank"]
)
def test_findings_stand_on_top_and_voids_and_corrections_before_and_after(name: str, rounds: Rounds) -> None:
    documents = case(rounds, name)
    document = max(documents, key=lambda each: len(each["findings"]) + 2 * len(each["reversed_lines"]))
    with Ledger.open(f"sqlite:///{name}.db", create=False) as ledger:

        async def act(pilot: Pilot[None], app: Stepping) -> None:
            felt = part(app, "felt")
            if document["findings"]:
                assert felt.startswith(f"! {document['findings'][0]['code']}")
            for entry in document["corrections"]:
                assert f"Corrected by event {entry['version']}: before" in felt
            if document["reversed_lines"]:
                assert felt.index("Before the void") < felt.index("After the void")
                await pilot.press("left")
                assert "void" not in part(app, "felt")

        played(stepper(ledger, document["round"]), act)


def test_at_and_seat_and_as_say_where_it_begins(ledger: Ledger) -> None:
    steps = stepper(ledger, seat=5, eyes="seat:5", at=14)
    assert (steps.version, steps.seat, steps.eyes, steps.seats) == (14, 5, "seat:5", (2, 5))
    steps.next_seat()
    assert steps.seat is None
    steps.go(-5)
    assert steps.version == 1
    steps.go(500)
    assert steps.version == 23


@pytest.mark.parametrize(
    "arguments",
    [
        (ROUND, "--step"),
        (ROUND, "--step", "--format", "json"),
        (ROUND, "--step", "-o", "x.txt"),
        (ROUND, "--step", "--plain"),
        ("--all", "--step"),
    ],
)
def test_it_is_refused_where_nobody_looks(arguments: tuple[str, ...], one_round: Path, rounds: Rounds) -> None:
    ran = rounds("replay", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "rounds: replay.step: --step " in ran.err
    assert len(ran.err.splitlines()) == 1


def test_on_a_terminal_it_runs_and_leaves_it_as_it_was(one_round: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cli", "replay", ROUND, "--step"]
    variables = environment(LC_ALL="C.UTF-8", TERM="xterm-256color", COLUMNS="80", LINES="24")
    running = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=variables)
    os.close(theirs)
    seen = b""
    while b"event 23 of 23" not in seen:
        seen += os.read(ours, 1 << 16)
    os.write(ours, b"q")
    while True:
        try:
            chunk = os.read(ours, 1 << 16)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
    assert running.wait(30) == 0
    assert seen.rindex(b"\x1b[?1049l") > seen.index(b"\x1b[?1049h")
    os.close(ours)


def test_only_stepping_loads_what_it_is_made_of(one_round: Path) -> None:
    code = f"""
import json, sys
from cli.main import app
app.main(["replay", {ROUND!r}, "--format", "html"], standalone_mode=False)
app.main(["replay", {ROUND!r}], standalone_mode=False)
print(json.dumps([name for name in ("textual", "rich") if name in sys.modules]))
"""
    ran = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout.splitlines()[-1]) == []
