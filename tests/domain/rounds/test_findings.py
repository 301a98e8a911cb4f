"""The codes of findings: the rounds give those of the contract, one of mysteries, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import domain.rounds
from tests.domain.rounds.hands import WINS
from tests.domain.rounds.table import a_table, played, settle

CODES = {
    "start.not-recorded",
    "deal.stub-count",
    "deal.missed-spot",
    "deal.hand-size",
    "deal.duplicate-card",
    "deal.wrong-deck",
    "deal.exposed",
    "shuffler.failed",
    "dealer.not-house-way",
    "hand.foul",
    "bank.foul-reset",
    "bank.house-wager-high",
    "bank.out-of-turn",
    "bank.set-early",
    "payment.difference",
    "payout.limited",
    "meter.unreasonable",
    "jackpot.no-signal",
}
"""The contract's."""
OF_MYSTERIES = {"mystery.due"}
"""Beyond the contract, which knows no mysteries (`docs/feed.md`)."""


def test_the_rounds_give_exactly_the_contracts_codes() -> None:
    folder = Path(next(iter(domain.rounds.__path__)))
    sources = [*folder.glob("*.py"), folder.parent / "decide.py"]
    made = re.compile(r'(?:Finding\(\s*|yield )"([a-z]+\.[a-z-]+)",')
    given = {code for path in sources for code in made.findall(path.read_text(encoding="utf-8"))}
    assert given == CODES | OF_MYSTERIES


def test_a_round_played_by_the_book_has_no_finding() -> None:
    outcome = a_table().given(*played({5: {"main": 20_00}}, {5: WINS})).when(settle())
    assert outcome.table.findings() == []


def test_a_finding_never_changes_what_is_paid() -> None:
    # The start was not drawn, and every figure is as it is with one.
    orders = played({5: {"main": 20_00}}, {5: WINS})
    without = [order for order in orders if order.command.NAME != "draw_start"]
    with_start, plain = a_table().given(*orders).when(settle()), a_table().given(*without).when(settle())
    assert plain.settled() == with_start.settled()
    assert [each.code for each in plain.table.state().findings] == ["start.not-recorded"]
    assert all(each.text for each in plain.table.state().findings)
