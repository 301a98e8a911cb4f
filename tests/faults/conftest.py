"""One nursery for every test that starts processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.nursery import Nursery


@pytest.fixture(scope="session")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """A nursery, warm."""
    with Nursery(tmp_path_factory.mktemp("nursery")) as opened:
        yield opened
