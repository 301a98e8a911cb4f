"""A fresh ledger under small rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.service import Ledger
from tests.ledger.play import ledger_in


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with ledger_in(tmp_path) as opened:
        yield opened
