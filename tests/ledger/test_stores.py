"""Ledgers that earlier versions wrote open, verify, replay and go on."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from domain.intake import command_and_digest
from ledger import integrity
from ledger.integrity import Anchor
from ledger.service import Ledger
from ledger.upgrade import upgrade
from projections import balances, meters
from projections.replays import replay_all
from tests.cases import compare
from tests.cases.case import EXAMPLES, load_example
from tests.ledger.play import url_of

STORES = Path(__file__).with_name("stores")
FEED = EXAMPLES / "one-round.jsonl"
CASE = load_example(FEED)


def kept() -> dict[str, Anchor]:
    """The stores and their anchors, as the page beside them says."""
    page = (STORES / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.+?)` \|.*\| (\d+), `([0-9a-f]{64})` \|$", page, re.MULTILINE)
    return {name: Anchor(int(count), head) for name, count, head in rows}


def test_every_kept_store_is_on_the_page() -> None:
    assert {path.name for path in STORES.glob("*.sqlite")} == set(kept()) != set()


@pytest.mark.parametrize("name", kept())
def test_a_kept_store_verifies_replays_and_goes_on(name: str, tmp_path: Path) -> None:
    shutil.copy(STORES / name, tmp_path / "rounds.db")
    upgrade(url_of(tmp_path))
    with Ledger.open(url_of(tmp_path)) as ledger:
        assert integrity.verify(ledger, kept()[name]).verified
        documents = {each["round"]: each for each in replay_all(ledger)}
        assert list(compare.rounds(CASE, documents)) == []
        assert all(each["integrity"]["verified"] for each in documents.values())
        assert list(compare.balances(CASE, balances.balances(ledger).rows)) == []
        assert meters.discrepancies(ledger).rows == []

        lines = FEED.read_bytes().splitlines()
        assert {each.status for each in ledger.submit([command_and_digest(line) for line in lines])} == {"repeated"}
        more = next(each for each in map(json.loads, lines) if each["command"] == "buy_in") | {"command_id": "later"}
        assert ledger.submit([command_and_digest(json.dumps(more))])[0].position == kept()[name].count + 1
        assert integrity.verify(ledger, kept()[name]).verified
