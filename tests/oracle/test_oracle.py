"""A few hundred rounds of every game worked out by two that share no code. More on demand: `python -m tests.oracle`."""

from collections import Counter

import pytest

from tests.oracle import many_hands
from tests.oracle.batches import Batch
from tests.oracle.play import OPTIONAL


@pytest.mark.parametrize(
    "batch", [Batch("odd", 1, 210, None), Batch("eventful", 1, 110, None)], ids=lambda batch: str(batch.kind)
)
def test_every_cent_is_what_the_texts_say(batch: Batch) -> None:
    seen: Counter[str] = Counter()
    found = [(each.about, each.differences) for each in batch.disagreements(seen)]
    assert not found
    assert {what.split(",")[0] for what in seen} >= set(OPTIONAL)


def test_two_cards_and_all_flushes_stand_in_the_order_of_the_texts() -> None:
    # 78 without a pair and 13 pairs; the joker pairs an ace as another ace does.
    assert many_hands.two_cards() == "91 strengths"
    assert many_hands.all_flushes() == "5798 strengths"


def test_hands_contain_and_are_set_as_the_texts_say() -> None:
    assert not list(many_hands.wrong(count=750, seed=1))
