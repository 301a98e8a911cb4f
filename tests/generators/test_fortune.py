"""The generator of random feeds: the same bytes everywhere, fair cards, and everything that can happen does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from domain.cards import deck
from domain.rankings import best
from tests.generators.chance import Chance
from tests.generators.decks import deal
from tests.generators.fortune import feed
from tests.generators.scene import EVENTFUL
from tests.properties.played import play


def test_the_draws_of_a_seed_never_change() -> None:
    chance = Chance(2026)
    assert [chance.below(100) for _ in range(8)] == [11, 50, 51, 86, 10, 22, 60, 55]
    assert chance.shuffled(range(6)) == [0, 1, 3, 5, 2, 4]


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_a_feed_is_the_same_in_any_process(hash_seed: str) -> None:
    command = [sys.executable, "-m", "tests.generators.fortune", "--rounds", "20", "--seed", "5", "--bias"]
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    root = Path(__file__).parents[2]
    written = subprocess.run(command, env=environment, cwd=root, capture_output=True, encoding="utf-8", check=True)
    assert written.stdout == "".join(json.dumps(each) + "\n" for each in feed(5, 20, bias=True))


def test_a_feed_opens_the_rounds_that_it_was_asked_for_and_ends_each() -> None:
    commands = list(feed(3, 90, retries=0))
    opened = [each["round"] for each in commands if each["command"] == "open_round"]
    ended = {each["round"] for each in commands if each["command"] in ("settle", "void_round")}
    assert len(opened) == len(set(opened)) == 90
    assert ended == set(opened)


@pytest.mark.parametrize("bias", [False, True])
def test_a_deal_is_the_whole_deck_each_card_once(bias: bool) -> None:
    chance = Chance(1)
    for _ in range(200):
        dealt = deal(chance, 6, bias=bias)
        assert all(len(cards) == 7 for cards in dealt.hands.values())
        assert sorted([*dealt.stub, *(card for cards in dealt.hands.values() for card in cards)]) == sorted(deck(True))


def test_a_biased_deal_holds_every_class_that_pays_from_a_meter() -> None:
    chance = Chance(1)
    found = {best(cards) for _ in range(300) for cards in deal(chance, 6, bias=True).hands.values()}
    assert found >= {
        "seven_card_straight_flush",
        "royal_match",
        "seven_card_straight_flush_joker",
        "five_aces",
        "royal_flush",
        "straight_flush",
        "four_of_a_kind",
    }


def test_a_long_feed_gives_every_fortune_command_and_every_finding(tmp_path: Path) -> None:
    with play(feed(11, 220, bias=True, habits=EVENTFUL), tmp_path) as played:
        assert {each["command"] for each in played.commands} == {
            "buy_in",
            "cash_out",
            "clear_shuffler",
            "close_betting",
            "correct_line",
            "deal",
            "draw_start",
            "expose_card",
            "forfeit",
            "open_meter",
            "open_property",
            "open_round",
            "pay_jackpot",
            "place_wager",
            "publish_sheet",
            "refuse_jackpot",
            "report_payment",
            "reset_hand",
            "set_dealer",
            "set_hand",
            "settle",
            "shuffler_error",
            "take_bank",
            "validate_jackpot",
            "void_round",
            "withdraw_wager",
        }
        assert {finding["code"] for document in played.documents.values() for finding in document["findings"]} == {
            "bank.foul-reset",
            "bank.house-wager-high",
            "bank.out-of-turn",
            "bank.set-early",
            "deal.duplicate-card",
            "deal.exposed",
            "deal.hand-size",
            "deal.missed-spot",
            "deal.stub-count",
            "dealer.not-house-way",
            "hand.foul",
            "jackpot.no-signal",
            "meter.unreasonable",
            "payment.difference",
            "payout.limited",
            "shuffler.failed",
            "start.not-recorded",
        }
