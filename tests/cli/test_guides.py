"""The guides for table systems and operators are true: their examples run, and no command or key is left out."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from domain.commands import Command
from domain.intake import COMMANDS
from domain.mystery import commitment_of, trigger_of
from domain.sheets import reading
from tests.cli.conftest import ROOT, Rounds
from tests.cli.test_docs import as_pattern

FEED = (ROOT / "docs" / "feed.md").read_text(encoding="utf-8")
SHEETS = (ROOT / "docs" / "sheets.md").read_text(encoding="utf-8")
OF_ALL = {field.name for field in fields(Command)}


def blocks(page: str, language: str) -> list[str]:
    """The page's blocks of `language`, in order."""
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def play(rounds: Rounds, block: str) -> None:
    """Runs the commands of a console block and compares what each answers."""
    for part in re.split(r"(?m)^\$ rounds ", block)[1:]:
        command, _, answer = part.partition("\n")
        wanted, _, ended = answer.partition("[exit ")
        ran = rounds(*shlex.split(command))
        assert ran.code == int(ended.partition("]")[0] or 0), (command, ran)
        assert re.fullmatch(as_pattern(wanted), ran.out + ran.err, re.DOTALL), (command, ran)


def test_the_first_feed_answers_what_the_page_shows(rounds: Rounds) -> None:
    (feed,) = blocks(FEED, "json")
    Path("first.jsonl").write_text(feed, encoding="utf-8")
    for block in blocks(FEED, "console"):
        play(rounds, block)


def test_the_next_version_of_a_sheet_is_published_as_the_page_shows(rounds: Rounds) -> None:
    begin, publish = blocks(SHEETS, "console")
    play(rounds, begin)
    version, wager, table = blocks(SHEETS, "toml")[0].split("\n\n")
    sample = Path("flush.toml").read_text(encoding="utf-8")
    changed = sample.replace("version = 1", version)
    changed = re.sub(r"\[wagers\.flush_bonus\][^\[]*", wager + "\n\n", changed) + "\n" + table
    Path("flush.toml").write_text(changed, encoding="utf-8")
    play(rounds, publish)


def test_the_sheet_whose_wager_feeds_two_meters_is_published(rounds: Rounds) -> None:
    begin, publish = blocks(SHEETS, "console")
    play(rounds, begin)
    wager, table = blocks(SHEETS, "toml")[1].split("\n\n")
    sample = Path("flush.toml").read_text(encoding="utf-8").replace("version = 1", "version = 2")
    changed = re.sub(r"\[wagers\.progressive\][^\[]*", wager + "\n\n", sample) + "\n" + table
    Path("flush.toml").write_text(changed, encoding="utf-8")
    ran = rounds(*shlex.split(publish.split("$ rounds ")[1].splitlines()[0]))
    assert ran.code == 0, ran.err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_on_the_page_with_exactly_its_keys(name: str) -> None:
    (row,) = [line for line in FEED.splitlines() if re.match(rf"\|[^|]*`{name}`[^|]*\|", line)]
    keys = set(re.findall(r"`([a-z_]+)\??`", row.split("|")[2]))
    own = {field.name for field in fields(COMMANDS[name])} - OF_ALL
    assert keys == own


def test_every_key_of_a_sheet_is_on_the_page() -> None:
    table = SHEETS.split("## The keys")[1]
    named = {key for line in table.splitlines() if line.startswith("| `") for key in re.findall("`([a-z_]+)`", line)}
    assert set(reading._REQUIRED + reading._OPTIONAL) <= named


def test_the_check_of_a_mystery_on_the_page_is_the_ledgers_own() -> None:
    code = FEED.split("## Mysteries")[1].split("```python\n")[1].split("```")[0]
    secret, begins, must_hit_by = "5e" * 32, 500_000_000, 1_000_000_000
    trigger = trigger_of(secret, begins, must_hit_by)
    facts: dict[str, object] = {"secret": secret, "commitment": commitment_of(secret), "trigger_micros": trigger}
    facts |= {"begins_micros": begins, "must_hit_by_micros": must_hit_by}
    exec(code, dict(facts))
    for wrong in ({"commitment": commitment_of("5f" * 32)}, {"trigger_micros": trigger + 1}):
        with pytest.raises(AssertionError):
            exec(code, facts | wrong)
