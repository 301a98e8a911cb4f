"""The comparison of conformance cases finds what is wrong and lets pass what is free."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.cases import compare
from tests.cases.case import EXAMPLES, load_example

CASE = load_example(EXAMPLES / "one-round.jsonl")
ROUND = "PG01-20260314-1"

Document = dict[str, Any]


def answered() -> Document:
    """The example's own document, as if the product had answered it."""
    document: Document = json.loads((EXAMPLES / "one-round.expected.json").read_text(encoding="utf-8"))
    return document | {"recheck": {"matches": True, "differences": []}, "reversed_lines": []}


def test_an_equal_document_has_no_difference() -> None:
    assert list(compare.rounds(CASE, {ROUND: answered()})) == []
    assert list(compare.balances(CASE, answered()["balance"])) == []
    assert list(compare.meters(CASE, {"PROG": {"levels": answered()["meter"]}})) == []


def test_more_keys_than_expected_are_free() -> None:
    document = answered() | {"deck": "BLUE-12"}
    document["lines"] = [line | {"line_id": str(number)} for number, line in enumerate(document["lines"])]
    assert list(compare.rounds(CASE, {ROUND: document})) == []


def test_the_order_of_cards_and_the_suit_of_an_equally_ranked_one_are_free() -> None:
    document = answered()
    document["seats"][1] |= {"high": "3s 8s 8h 8d 8c", "low": "Kd Ac"}
    document["dealer"] |= {"high": "7d 4s 2h Jd Jh"}
    assert list(compare.rounds(CASE, {ROUND: document})) == []


def line(number: int, **change: Any) -> Callable[[Document], None]:
    return lambda document: document["lines"][number].update(change)


@pytest.mark.parametrize(
    "spoil",
    [
        line(0, won_cents=5001),
        line(0, outcome="push"),
        line(3, odds="1 to 1"),
        line(6, for_seat=4),
        line(2, stake_cents=100.0),
        lambda document: document["lines"].reverse(),
        lambda document: document["lines"].pop(),
        lambda document: document["lines"].append(document["lines"][0]),
        lambda document: document["lines"].insert(0, document["lines"].pop()),
        lambda document: document["lines"][1].pop("paid_by"),
        lambda document: document["seats"][0].update(low="Kc 6d", high="Qc Qs Th 5h 3c"),
        lambda document: document["seats"][0].update(foul=True),
        lambda document: document["seats"].pop(),
        lambda document: document["dealer"].update(high="Jh Jd 7d 4s 2c"),
        lambda document: document["dealer"].update(high_rank="two_pair"),
        lambda document: document["start"].update(position="dealer"),
        lambda document: document.update(status="open"),
        lambda document: document.update(bank=0),
        lambda document: document["recheck"].update(matches=False),
    ],
)
def test_whatever_is_wrong_in_a_round_is_found(spoil: Callable[[Document], Any]) -> None:
    document = answered()
    spoil(document)
    assert list(compare.rounds(CASE, {ROUND: document}))


def test_a_missing_round_row_or_level_is_found() -> None:
    assert list(compare.rounds(CASE, {}))
    assert list(compare.balances(CASE, answered()["balance"][:1]))
    assert list(compare.meters(CASE, {"PROG": {"levels": answered()["meter"][1:]}}))


def test_receipts_are_compared_by_line() -> None:
    receipts: list[Document] = [{"line": number, "status": "recorded"} for number in range(1, 19)]
    assert list(compare.receipts(CASE, receipts)) == []
    assert list(compare.receipts(CASE, receipts[:-1]))
    assert list(compare.receipts(CASE, [*receipts, receipts[-1]]))
    receipts[4] |= {"status": "refused", "code": "round.exists"}
    assert list(compare.receipts(CASE, receipts))
