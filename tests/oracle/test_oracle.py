"""A few hundred rounds of every game worked out by two that share no code. More on demand: `python -m tests.oracle`."""

from collections import Counter

import pytest

from tests.oracle.batches import Batch
from tests.oracle.play import OPTIONAL


@pytest.mark.parametrize(
    "batch",
    [Batch("odd", 1, 240, None), Batch("eventful", 1, 120, None), Batch("evening", 1, 60, None)],
    ids=lambda batch: str(batch.kind),
)
def test_every_cent_is_what_the_texts_say(batch: Batch) -> None:
    seen: Counter[str] = Counter()
    found = [(each.about, each.differences) for each in batch.disagreements(seen)]
    assert not found
    assert {what.split(",")[0] for what in seen} >= set(OPTIONAL)
