"""The guide to meters is true: a week is recorded, hit, paid, put right and moved on, command by command."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.cli import week
from tests.cli.conftest import ROOT, Rounds
from tests.cli.test_guides import blocks, play

GUIDE = week.GUIDE.read_text(encoding="utf-8")
FILES = ("open.jsonl", "pay.jsonl", "right.jsonl")
PICTURE = ROOT / "docs" / "pictures" / "meter-prog.svg"


def test_the_guide_answers_what_it_shows(rounds: Rounds) -> None:
    for name, feed in zip(FILES, blocks(GUIDE, "json"), strict=True):
        assert f"`{name}`" in GUIDE
        Path(name).write_text(feed, encoding="utf-8")
    shutil.copy(week.PAGE, week.PAGE.name)
    for block in blocks(GUIDE, "console"):
        play(rounds, block)
    assert Path("prog.svg").read_text(encoding="utf-8") == PICTURE.read_text(encoding="utf-8")
    assert rounds("verify").code == 0


def test_the_week_is_the_one_that_its_module_writes() -> None:
    assert week.PAGE.read_text(encoding="utf-8") == week.written(), "run python -m tests.cli.week"


def test_every_code_that_the_guide_names_is_explained(rounds: Rounds) -> None:
    table = GUIDE.split("| Exception |")[1].split("\n\n")[0]
    codes = set(re.findall(r"`([a-z]+\.[a-z-]+)`", table))
    unexplained = {code for code in codes if rounds("explain", code).code}
    assert len(codes) >= 9
    assert unexplained <= {"meter.adjusted", "round.voided"}, "these are the names of events"
