"""`docs/projections.md` names every read model, table and column, so that somebody with SQL alone can use it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from projections.catalog import KINDS
from projections.store import Projection

DOCUMENT = (Path(__file__).parents[2] / "docs" / "projections.md").read_text()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.NAME)
def test_every_table_and_column_is_in_the_document(kind: type[Projection]) -> None:
    section = DOCUMENT.split(f"### {kind.NAME}\n")[1].split("\n##")[0]
    words = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]*)`", section))))
    for table in kind(1).tables():
        part = table.name.removeprefix(f"projection_{kind.NAME}_1")
        assert part in words | {""}
        assert set(table.names) <= words
