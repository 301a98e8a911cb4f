"""Hands by the names that a table has for them."""

from __future__ import annotations

import pytest

from domain.cards import parse
from domain.games.seven_card import SPLIT
from domain.games.six_card_fortune import GAME as SIX_CARD
from projections.naming import name_of, name_of_flush


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("As Kd 9c 7h 4s", "A-K-9-7-4 high"),
        ("6s 6d 9c 7h 4s", "a pair of sixes"),
        ("Qs Qd 2c 2h 4s", "queens and twos"),
        ("8s 8d 8c 2h 4s", "three eights"),
        ("8s 7d 6c 5h 4s", "a straight, 8-7-6-5-4"),
        ("As 2d 3c 4h 5s", "a straight, A-5-4-3-2"),
        ("Ks 9s 7s 4s 2s", "a flush, K-9-7-4-2"),
        ("8s 8d 8c Kh Ks", "eights full of kings"),
        ("8s 8d 8c 8h Ks", "four eights"),
        ("9s 8s 7s 6s 5s", "a straight flush, 9-8-7-6-5"),
        ("As Ks Qs Js Jk", "a royal flush"),
        ("As Ad Ac Ah Jk", "five aces"),
        ("Jk Ad 9c 7h 4s", "a pair of aces"),
    ],
)
def test_a_high_hand_has_the_name_of_its_class_and_ranks(cards: str, name: str) -> None:
    assert name_of(SPLIT, parse(cards), high=True, wheel="second").text == name


@pytest.mark.parametrize(
    ("cards", "name"),
    [("As Kd", "A-K high"), ("4s 4d", "a pair of fours"), ("Jk Kd", "A-K high"), ("Jk As", "a pair of aces")],
)
def test_a_low_hand_of_two_cards(cards: str, name: str) -> None:
    assert name_of(SPLIT, parse(cards), high=False, wheel="second").text == name


@pytest.mark.parametrize(
    ("cards", "name"), [("As", "an ace"), ("8s", "an eight"), ("Ks", "a king"), ("Jk", "the joker")]
)
def test_a_low_hand_of_one_card(cards: str, name: str) -> None:
    assert SIX_CARD.split is not None
    assert name_of(SIX_CARD.split, parse(cards), high=False, wheel="second").text == name


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("6s 6d Kc 7h 4s", "a pair of sixes with K-7-4"),
        ("Qs Qd 2c 2h 4s", "queens and twos with 4"),
        ("8s 8d 8c 2h 4s", "three eights with 4-2"),
        ("8s 8d 8c 8h Ks", "four eights with K"),
    ],
)
def test_the_whole_name_has_what_decides_between_equal_ones(cards: str, name: str) -> None:
    assert name_of(SPLIT, parse(cards), high=True, wheel="second", whole=True).text == name


def test_the_wheel_is_named_as_it_ranks() -> None:
    assert name_of(SPLIT, parse("As 2d 3c 4h 5s"), high=True, wheel="lowest").text == "a straight, 5-4-3-2-A"


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("As Ts 5s Kd Qd Jd 9c", "a 3-card flush, A-T-5 of spades"),
        ("Kh 9h 7h 4h 2h Ac As", "a 5-card flush, K-9-7-4-2 of hearts"),
    ],
)
def test_a_flush_has_its_length_and_its_cards(cards: str, name: str) -> None:
    assert name_of_flush(parse(cards)).text == name
