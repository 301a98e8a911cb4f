"""The page of a round as a file: well formed, closed to the outside, every step in it, everything escaped."""

from __future__ import annotations

import doctest
import hashlib
import json
import re
from base64 import b64encode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import cli.replay.cards
import cli.replay.markup
import cli.replay.saying
from cli.replay.markup import joined, tag
from cli.replay.money import purses
from cli.replay.page import page
from cli.replay.phases import marks
from ledger.service import Ledger
from projections.replays import replay_steps
from tests.cli.conftest import ROOT, ROUND, Rounds
from tests.cli.test_guides import play
from tests.cli.test_replay import seen_on_a_terminal
from tests.cli.test_replay_views import case

Document = dict[str, Any]
EMPTY = {"meta", "input", "br"}


class Elements(HTMLParser):
    """Every element with its attributes; an element that is closed out of turn is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.found.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def steps(one_round: Path) -> list[Document]:
    """The documents after each event of the example."""
    with Ledger.open(f"sqlite:///{one_round}", create=False) as ledger:
        return replay_steps(ledger, ROUND)


def test_the_page_is_one_well_formed_file_that_asks_for_nothing(one_round: Path, rounds: Rounds) -> None:
    text = rounds("replay", ROUND, "--format", "html").out
    assert text.startswith("<!doctype html>\n<html lang=")
    elements = Elements(text).found
    assert {name for name, _ in elements} & {"link", "img", "iframe", "object", "base", "form"} == set()
    for name, attributes in elements:
        assert not {"src", "style", "srcset"} & set(attributes), name
        assert not [each for each in attributes if each.startswith("on")], name
        assert (attributes.get("href") or "#").startswith("#")
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in text


def test_its_policy_allows_its_own_style_and_script_and_nothing_else(one_round: Path, rounds: Rounds) -> None:
    text = rounds("replay", ROUND, "--format", "html").out
    (policy,) = (each["content"] for name, each in Elements(text).found if name == "meta" and "http-equiv" in each)
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for element in ("style", "script"):
        (inside,) = re.findall(f"<{element}>(.*?)</{element}>", text, re.DOTALL)
        digest = b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy


def test_the_same_round_gives_the_same_bytes(one_round: Path, rounds: Rounds) -> None:
    assert rounds("replay", ROUND, "-o", "one.html").code == 0
    assert Path("one.html").read_text(encoding="utf-8") == rounds("replay", ROUND, "--format", "html").out


def test_what_changes_is_there_for_every_step_once(steps: list[Document]) -> None:
    runs: dict[str, list[range]] = {}
    for name, each in Elements(page(steps)).found:
        if "data-from" in each:
            first, last = int(each["data-from"] or 0), int(each["data-to"] or 0)
            runs.setdefault(f"{name} {each.get('class')}", []).append(range(first, last + 1))
            assert ("data-last" in each) == (last == len(steps)) == ("hidden" not in each)
    covered = sorted(step for run in runs["article spot"] for step in run)
    assert covered == sorted([*range(1, 24)] * 3)
    assert sorted(step for run in runs["div None"] for step in run) == sorted([*range(1, 24)] * 2)


def test_every_event_has_a_link_and_every_line_its_rule(steps: list[Document]) -> None:
    text = page(steps)
    elements = Elements(text).found
    links = {each.get("href") for name, each in elements if name == "a"}
    assert links >= {f"#step-{number}" for number in range(1, 24)}
    for line in steps[-1]["lines"]:
        assert joined(f"Rule: {line['cite']}") in text
    for frame in steps[-1]["frames"]:
        assert joined(frame["text"]) in text


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '" onload="x', "a&b", "\u202eevil", "\x1b[2J"])
def test_a_name_stays_text(name: str, steps: list[Document]) -> None:
    plain = Elements(page(steps)).found
    renamed = json.loads(json.dumps(steps).replace('"P200"', json.dumps(name)))
    text = page(renamed)
    assert [(each, *attributes) for each, attributes in Elements(text).found] == [
        (each, *attributes) for each, attributes in plain
    ]
    assert not set(text) & {"\x1b", "\u202e"}


def test_with_at_the_page_ends_there(one_round: Path, rounds: Rounds) -> None:
    text = rounds("replay", ROUND, "--at", "12", "--format", "html").out
    assert 'data-steps="12"' in text
    assert 'id="event-13"' not in text
    assert "Rule:" not in text.partition("<script>")[0].partition("</style>")[2]


def test_a_page_before_the_showdown_does_not_hold_what_its_reader_may_not_see(one_round: Path, rounds: Rounds) -> None:
    text = rounds("replay", ROUND, "--at", "13", "--as", "seat:5", "--format", "html").out
    body = text.partition("</style>")[2].partition("<script>")[0]
    assert "queen of spades" not in body
    assert "Qs" not in body
    assert body.count('class="card back"') >= 14
    assert "8 of hearts" in body


def test_a_seats_page_steps_through_what_concerns_it(one_round: Path, rounds: Rounds) -> None:
    frames = json.loads(rounds("replay", ROUND, "--seat", "2", "--format", "json").out)["frames"]
    text = rounds("replay", ROUND, "--seat", "2", "--format", "html").out
    assert f'data-steps="{len(frames)}"' in text
    # Where the button is and the first hand goes is said to everybody.
    assert "P200" not in text.replace("(P200)", "")


def test_a_page_is_of_one_round(one_round: Path, rounds: Rounds) -> None:
    ran = rounds("replay", "--all", "--format", "html")
    assert (ran.code, ran.out) == (2, "")
    assert "a page is for one round" in ran.err


def test_a_recheck_that_differs_is_said_on_the_page_and_by_the_exit(steps: list[Document]) -> None:
    steps[-1]["recheck"] = {"matches": False, "differences": ["line 5.main: won 1 & 2"]}
    assert "DIFFERS" in page(steps)
    assert "won 1 &amp; 2" in page(steps)


def test_the_phases_of_a_round(steps: list[Document]) -> None:
    found = [(mark.name, steps[-1]["frames"][mark.place]["event"]) for mark in marks(steps[-1]["frames"])]
    assert found == [
        ("Opened", "round.opened"),
        ("No more bets", "round.betting-closed"),
        ("Dealt", "round.hands-dealt"),
        ("Setting", "round.hand-set"),
        ("Dealer", "round.dealer-set"),
        ("Settling", "round.wager-settled"),
        ("Settled", "round.settled"),
    ]


def test_money_step_by_step(steps: list[Document]) -> None:
    at_stake = {each.who: each.net_cents for each in purses(steps[7])}
    assert at_stake == {"Seat 2, P100": None, "Seat 5, P200": None}
    ended = {each.who: (each.staked_cents, each.net_cents) for each in purses(steps[-1])}
    assert ended == {"Seat 2, P100": (3100, -100), "Seat 5, P200": (5600, 24650)}
    assert purses(steps[0]) == []


@pytest.mark.parametrize(
    "name", ["bank-surplus", "tokes", "correction", "meter-void-takes-back-everything", "six-h1-fortune-and-envy"]
)
def test_purses_hold_all_the_money_of_the_lines(name: str, rounds: Rounds) -> None:
    for document in case(rounds, name):
        found = purses(document)
        corrected = sum(each["difference_cents"] for each in document["corrections"]) if not document["void"] else 0
        if document["status"] != "open":
            nets = sum(line["net_cents"] for line in document["lines"])
            assert sum(each.net_cents or 0 for each in found) == nets + corrected
            own = [each for each in document["lines"] if each["wager"] != "envy"]
            assert sum(each.staked_cents for each in found) == sum(line["stake_cents"] for line in own)


GUIDE = (ROOT / "docs" / "replay.md").read_text(encoding="utf-8")


def test_the_guide_shows_what_the_commands_answer(one_round: Path, rounds: Rounds) -> None:
    for block in re.findall(r"```console\n(.*?)```", GUIDE, re.DOTALL):
        play(rounds, block)
    assert Path("seat-5.html").stat().st_size > Path("round.html").stat().st_size / 2


def test_the_guide_shows_the_table_as_it_is_drawn(one_round: Path) -> None:
    (drawing,) = re.findall(r"```text\n(.*?)```", GUIDE, re.DOTALL)
    assert drawing in seen_on_a_terminal("replay", ROUND, NO_COLOR="1")


def test_the_guides_pictures_are_there_and_small() -> None:
    for name in re.findall(r"\]\((pictures/[^)]*)\)", GUIDE):
        assert 10_000 < (ROOT / "docs" / name).stat().st_size < 200_000, name


def test_the_examples_run() -> None:
    for module in (cli.replay.markup, cli.replay.cards, cli.replay.saying):
        assert doctest.testmod(module).failed == 0


def test_an_attribute_may_be_zero_true_or_left_out() -> None:
    assert tag("ol", tabindex=0, hidden=True, id=None, class_=False) == '<ol tabindex="0" hidden></ol>'
