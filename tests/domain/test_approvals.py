"""Who may approve: enough different people, none of them the author or the round's dealer."""

from __future__ import annotations

from itertools import product

import pytest

from domain.approvals import require_approval
from domain.errors import ApprovalInsufficient


@pytest.mark.parametrize(
    ("approved_by", "people"),
    [(("F1",), 1), (("F1", "F1"), 1), (("F1", "M1"), 1), (("F1", "M1"), 2), (("F1", "M1", "F1"), 2)],
)
def test_enough_different_people_approve(approved_by: tuple[str, ...], people: int) -> None:
    require_approval(approved_by, by="C1", dealer="D1", people=people)


@pytest.mark.parametrize(
    ("approved_by", "people", "says"),
    [
        ((), 1, "nobody"),
        ((), 2, "nobody"),
        (("F1",), 2, "F1: 2 different people"),
        (("F1", "F1"), 2, "2 different people"),
        (("C1",), 1, "C1 gave the command"),
        (("D1",), 1, "D1 is the round's dealer"),
        (("F1", "M1", "C1"), 2, "C1 gave the command"),
        (("F1", "M1", "D1"), 2, "D1 is the round's dealer"),
    ],
)
def test_too_few_or_one_who_may_not(approved_by: tuple[str, ...], people: int, says: str) -> None:
    with pytest.raises(ApprovalInsufficient, match=says):
        require_approval(approved_by, by="C1", dealer="D1", people=people)


def test_without_a_dealer_only_the_author_may_not() -> None:
    require_approval(("D1",), by="C1")


def test_every_choice_of_up_to_three_people() -> None:
    for count in range(4):
        for chosen in product(("C1", "D1", "F1", "M1"), repeat=count):
            allowed = not {"C1", "D1"} & set(chosen) and len(set(chosen)) >= 2
            try:
                require_approval(chosen, by="C1", dealer="D1", people=2)
            except ApprovalInsufficient:
                assert not allowed, chosen
            else:
                assert allowed, chosen
