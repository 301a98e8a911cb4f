"""Nobody is shown a card before it lies face up for them: not in hands, nor in words, nor in what follows from it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from domain.cards import show
from domain.rounds import events as happened
from ledger.records import Record
from ledger.service import Ledger
from projections.replays import NoSuchSeat, replay, replay_all, replay_steps
from projections.viewing import NoSuchViewer, viewer
from tests.projections.test_replays import ROUND, case, example

__all__ = ["example"]
Document = dict[str, Any]

CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b")
# What a foul, a rank or a name would tell of cards.
TELLING = ("high_rank", "low_rank", "high_name", "low_name", "best", "rule")
GAMES = (
    "faceup-both-ace-high-and-two-hands",
    "six-h1-fortune-and-envy",
    "hcf-c2-fold-keeps-side-wagers",
    "bank-surplus",
    "misdeals",
    "foul-reset-by-the-floor-wins",
)


def face_up(records: list[Record], game: str, own: int) -> set[str]:
    """The cards that somebody who holds the hand of spot `own` has seen after these events (0: the dealer)."""
    hands: dict[int, set[str]] = {}
    wagered: set[int] = set()
    seen: set[str] = set()
    for record in records:
        event = record.event
        if isinstance(event, happened.HandsDealt):
            hands = {each.seat: set(show(each.cards).split()) for each in event.hands}
            seen |= hands.get(own, set()) if own else set()
            seen |= hands.get(0, set()) if game == "face_up" else set()
        elif isinstance(event, happened.CardExposed):
            seen.add(show((event.card,)))
        elif isinstance(event, happened.WagerPlaced | happened.BankTaken):
            wagered.add(event.seat)
        elif isinstance(event, happened.DealerSet):
            seen |= hands[0]
        elif isinstance(event, happened.HandSet | happened.HandReset):
            seen |= hands[event.seat] if own == 0 and event.set_by != "player" else set()
        elif isinstance(event, happened.WagerSettled | happened.RoundSettled):
            seen |= hands[0].union(*(hands[seat] for seat in wagered))
    return seen


@pytest.mark.parametrize("name", GAMES)
def test_no_card_is_told_before_it_is_seen(name: str, tmp_path: Path) -> None:
    hidden = 0
    with case(tmp_path, name) as ledger:
        for whole in replay_all(ledger):
            records = ledger.round_records(whole["round"])
            for own in (0, *(seat["seat"] for seat in whole["seats"])):
                eyes = viewer(f"seat:{own}" if own else "dealer")
                for document in replay_steps(ledger, whole["round"], eyes=eyes):
                    version = document["frames"][-1]["version"]
                    told = CARD.findall(json.dumps({**document, "round": "", "deck": "", "recheck": {}}))
                    assert set(told) <= face_up(list(records[:version]), whole["game"], own)
                    hidden += json.dumps(document["seats"]).count("??")
    assert hidden


def test_what_follows_from_unseen_cards_is_not_told(tmp_path: Path) -> None:
    with case(tmp_path, "foul-loses-house-bank") as ledger:
        (whole, *_) = replay_all(ledger)
        foul = next(finding for finding in whole["findings"] if finding["code"] == "hand.foul")
        steps = replay_steps(ledger, whole["round"], eyes=viewer("dealer"))
    before = next(step for step in steps if step["frames"][-1]["event"] == "round.hand-set")
    seat = next(each for each in before["seats"] if each["seat"] == foul["seat"])
    assert [seat[name] for name in TELLING] == [None] * len(TELLING)
    assert seat["foul"] is False
    assert foul not in before["findings"]
    assert "foul" not in before["frames"][-1]["text"]
    assert foul in steps[-1]["findings"]


def test_a_seat_sees_its_own_hand_from_the_deal_and_the_others_at_the_showdown(example: Ledger) -> None:
    steps = {
        each["frames"][-1]["event"]: each for each in reversed(replay_steps(example, ROUND, eyes=viewer("seat:2")))
    }
    dealt = {seat["seat"]: seat["cards"] for seat in steps["round.hands-dealt"]["seats"]}
    assert dealt == {2: "Qc Qs Kc Th 6d 5h 3c", 5: "?? ?? ?? ?? ?? ?? ??"}
    assert steps["round.hands-dealt"]["dealer"]["cards"] == "?? ?? ?? ?? ?? ?? ??"
    assert steps["round.dealer-set"]["dealer"]["high_name"] == "a pair of jacks"
    assert steps["round.wager-settled"]["seats"][1]["high"] == "8s 8h 8d 8c 3s"


def test_surveillance_sees_what_the_record_has(example: Ledger) -> None:
    assert replay(example, ROUND, eyes=viewer("surveillance")) == replay(example, ROUND)


def test_the_steps_are_the_document_after_each_event(example: Ledger) -> None:
    steps = replay_steps(example, ROUND)
    assert steps == [replay(example, ROUND, at=number) for number in range(1, len(steps) + 1)]


def test_a_seats_steps_are_those_that_concern_it(example: Ledger) -> None:
    steps = replay_steps(example, ROUND, seat=2)
    assert [step["frames"][-1] for step in steps] == steps[-1]["frames"]
    assert len(steps) < len(replay_steps(example, ROUND))


@pytest.mark.parametrize("text", ["", "seat", "seat:", "seat:0", "seat:x", "seat:-1", "camera", "dealer:1"])
def test_nobody_else_looks(text: str) -> None:
    with pytest.raises(NoSuchViewer, match="seat:3"):
        viewer(text)


def test_a_seat_where_nobody_sat_sees_nothing(example: Ledger) -> None:
    with pytest.raises(NoSuchSeat, match="seats taken: 2, 5"):
        replay(example, ROUND, eyes=viewer("seat:4"))
