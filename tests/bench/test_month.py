"""The month is a ledger as recording leaves one, and every question about it is answered."""

from __future__ import annotations

from pathlib import Path

from ledger.integrity import verify
from ledger.service import Ledger
from projections.rounds import list_rounds
from tests.bench import month


def test_a_small_month_verifies_and_has_later_days_and_other_tables(tmp_path: Path) -> None:
    store = month.built(tmp_path / "month.db", rounds=150, template=20)
    with Ledger.open(f"sqlite:///{store}") as ledger:
        assert verify(ledger).verified
        rows = list_rounds(ledger).rows
    assert len(rows) >= 150
    tables = {row["table"] for row in rows}
    assert any(table.endswith("B") for table in tables) and any(not table.endswith("B") for table in tables)
    assert len({row["gaming_day"] for row in rows}) > 1
    assert all(row["round"].startswith(row["table"]) for row in rows)
    assert set(month.questions(store)) >= {"replay", "recheck of a day", "balance of a player"}
    assert month.ask(f"sqlite:///{store}", *month.questions(store)["replay"]).lines > 20
