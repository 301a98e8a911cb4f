"""The comparison of hands in words says what the settlement says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ledger.service import Ledger
from projections.replays import replay, replay_all
from tests.projections.test_replays import case, documents, example

__all__ = ["documents", "example"]
Document = dict[str, Any]

# What the two results say of a main wager in the games whose copies go to the banker.
OUTCOMES = {2: "win", 1: "push", 0: "lose"}


def texts(document: Document, seat: int) -> list[str]:
    return [each["text"] for each in document["comparisons"] if each["seat"] == seat]


def test_each_hand_is_compared_in_words(example: Ledger) -> None:
    document = replay(example, document_of(example))
    assert texts(document, 5) == ["Four eights beat a pair of jacks", "A-K high beats A-9 high"]
    assert texts(document, 2) == ["A pair of queens beats a pair of jacks", "K-T high loses to A-9 high"]
    assert [each["result"] for each in document["comparisons"]] == ["wins", "wins", "wins", "loses"]


def document_of(ledger: Ledger) -> str:
    (document,) = replay_all(ledger)
    return str(document["round"])


def test_the_results_agree_with_the_lines(documents: list[Document]) -> None:
    checked = 0
    for document in documents:
        lines = {line["seat"]: line for line in document["lines"] if line["wager"] in ("main", "house")}
        if document["game"] not in ("pai_gow", "fortune") or document["status"] != "settled":
            continue
        for seat, line in lines.items():
            results = [each["result"] for each in document["comparisons"] if each["seat"] == seat]
            if None in results or line["outcome"] == "forfeited":
                continue
            assert line["outcome"] == OUTCOMES[results.count("wins")]
            checked += 1
    assert checked > 20


@pytest.mark.parametrize(
    ("name", "seat", "said"),
    [
        ("copy-goes-to-the-banker", 1, "a copy goes to the banker"),
        ("foul-loses-house-bank", 1, "The hand is a foul"),
        ("six-f3-low-joker-over-ace-wins", 1, "The joker beats an ace"),
        ("hcf-c2-fold-keeps-side-wagers", 1, "The hand is folded"),
        ("hcf-d2-dealer-nine-high-qualifies", 1, "-card flush"),
        ("bank-surplus", 0, " "),
    ],
)
def test_what_is_not_a_plain_comparison_says_so(name: str, seat: int, said: str, tmp_path: Path) -> None:
    with case(tmp_path, name) as ledger:
        found = [text for document in replay_all(ledger) for text in texts(document, seat)]
    assert any(said in text for text in found), found


def test_nothing_is_compared_before_a_line_is_settled(example: Ledger) -> None:
    whole = replay(example, document_of(example))
    first = next(frame["version"] for frame in whole["frames"] if frame["event"] == "round.wager-settled")
    assert replay(example, whole["round"], at=first - 1)["comparisons"] == []
    assert replay(example, whole["round"], at=first)["comparisons"] == whole["comparisons"]
