"""The classes that tables pay for seven cards, however they are set."""

import doctest
from itertools import permutations
from random import Random

import pytest

import domain.seven_card
from domain.cards import JOKER, parse, show
from domain.rankings import RANKINGS
from domain.seven_card import best, first_class, seven_card_classes
from tests.domain.hands import crowded_hands, random_hands, with_suits_renamed
from tests.domain.naive import classes_of_seven


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("8s 9s Ts Js Qs Ks As", "seven_card_straight_flush"),
        ("As 2s 3s 4s 5s 6s 7s", "seven_card_straight_flush"),
        ("As Ks Qs Js Ts Kd Qd", "royal_match"),
        ("As Ks Jk Js Ts Kd Qd", "royal_match"),
        ("As Ks Jk Qs Ts Kd Qd", "royal_match"),
        ("As 2s 3s Jk 5s 6s 7s", "seven_card_straight_flush_joker"),
        ("8s 9s Ts Js Qs Ks Jk", "seven_card_straight_flush_joker"),
        ("As 2s 3s 4s 5s 6s Jk", "seven_card_straight_flush_joker"),
        ("As Ad Ah Ac Jk Kd Kh", "five_aces"),
        ("As Ks Qs Js Ts Kd Qh", "royal_flush"),
        ("As Ks Qs Js Ts Jk Qh", "royal_flush"),
        ("As Ks Qs Js Ts 9s Jk", "seven_card_straight_flush_joker"),
        ("Jk Ks Qs Js Ts Ad Ah", "royal_flush"),
        ("9s Ks Qs Js Ts Kd Qd", "straight_flush"),
        ("As 2s 3s 4s 5s Kd Qd", "straight_flush"),
        ("9s 9d 9h 9c As Ks Qs", "four_of_a_kind"),
        ("As Ad Ah Jk Kd 8s 2s", "four_of_a_kind"),
        ("As Ad Jk Kh Kd 8s 2s", "full_house"),
        ("9s 9d 9h 4c 4d 4h As", "full_house"),
        ("As 9s 7s 4s 2s 9d 9h", "flush"),
        ("Ks 9s 7s 4s Jk 9d 9h", "flush"),
        ("9s 9d 9h 8c 7d 6s 5s", "three_of_a_kind"),
        ("As Ad Jk 8c 7d 6s 5s", "three_of_a_kind"),
        ("9s 9d 8h 8c 7d 6s 5s", "straight"),
        ("As 2d 3h 4c 5d 9s 9h", "straight"),
        ("Ks Kd 8h 8c 3d 3s As", "three_pair"),
        ("Ks Kd 8h 8c Ad Jk 2s", "three_pair"),
        ("Ks Kd 8h 8c 3d 2s As", "two_pair"),
        ("Ks 9d 8h 5c 3d Jk As", "one_pair"),
        ("Ks 9d 8h 5c 3d 2s As", "high_card"),
        ("Ks 9d 8h 4c 3d 2s Jk", "high_card"),
    ],
)
def test_seed_004_bonus_ranking_the_best_class_of_seven_cards(cards: str, name: str) -> None:
    assert best(parse(cards)) == name


def test_R26_royal_match_is_72_hands_and_12_of_them_without_the_joker() -> None:
    found = set()
    for royal_suit, match_suit in permutations("cdhs", 2):
        royal = parse(" ".join(rank + royal_suit for rank in "TJQKA"))
        match = parse(f"K{match_suit} Q{match_suit}")
        for kept in ({*royal}, *({*royal, JOKER} - {out} for out in royal)):
            hand = tuple(kept) + match
            assert best(hand) == "royal_match"
            found.add(frozenset(hand))
    assert len(found) == 72
    assert sum(JOKER not in hand for hand in found) == 12


@pytest.mark.parametrize("cards", [
    "As Ks Qs Js Ts Kd Jk",
    "As Ks Qs Js Ts Jk Qd",
    "As Ks Qs Js Ts Kd Qh",
    "As Ks Qs Js 9s Kd Qd",
])  # fmt: skip
def test_R26_the_king_and_queen_are_natural_and_of_one_suit_and_the_five_a_royal_flush(cards: str) -> None:
    assert "royal_match" not in seven_card_classes(parse(cards))


@pytest.mark.parametrize(
    ("cards", "classes"),
    [
        ("Ks 9d 8h 5c 3d 2s As", "high_card"),
        ("9s 9d 9h 9c As Kd 2c", "four_of_a_kind three_of_a_kind one_pair high_card"),
        ("9s 9d 9h 9c As Ad 2c", "four_of_a_kind full_house three_of_a_kind two_pair one_pair high_card"),
        ("9s 9d 9h 4c 4d 4h 2c", "full_house three_of_a_kind two_pair one_pair high_card"),
        ("9s 9d 9h 4c 4d 2h 2c", "full_house three_of_a_kind three_pair two_pair one_pair high_card"),
        ("9s 9d 9h 8c 7d 6s 5s", "three_of_a_kind straight one_pair high_card"),
        ("Ks Qs Js Ts 9s 2d 3d", "straight_flush flush straight high_card"),
        ("As Ks Qs Js Ts 2d 3d", "royal_flush straight_flush flush straight high_card"),
        (
            "As Ks Qs Js Ts Kd Qd",
            "royal_match royal_flush straight_flush flush straight two_pair one_pair high_card",
        ),
        (
            "8s 9s Ts Js Qs Ks As",
            "seven_card_straight_flush royal_flush straight_flush flush straight high_card",
        ),
        (
            "As Ad Ah Ac Jk Kd 2h",
            "five_aces four_of_a_kind three_of_a_kind one_pair high_card",
        ),
        (
            "As Ad Jk Ks Qs Js 2h",
            "royal_flush straight_flush flush straight three_of_a_kind one_pair high_card",
        ),
    ],
)
def test_a_hand_contains_every_lower_class_that_its_cards_make(cards: str, classes: str) -> None:
    assert seven_card_classes(parse(cards)) == set(classes.split())


def test_seven_cards_contain_what_the_plain_second_opinion_finds() -> None:
    for hand in (*random_hands(7, 10_000, seed=3), *crowded_hands(7, 3_000, seed=4)):
        classes = classes_of_seven(hand)
        assert seven_card_classes(hand) == classes, show(hand)
        assert best(hand) == min(classes, key=RANKINGS["seven_card_bonus"].index), show(hand)


def test_seven_cards_are_judged_alike_in_any_order_and_with_the_suits_renamed() -> None:
    random = Random(5)
    for hand in (*random_hands(7, 3_000, seed=5), *crowded_hands(7, 3_000, seed=6)):
        assert seven_card_classes(hand) == seven_card_classes(with_suits_renamed(hand, random)), show(hand)


def test_R11_trips_with_a_straight_take_the_line_of_trips_and_a_plain_straight_its_own() -> None:
    table = {"four_of_a_kind": 25, "full_house": 5, "flush": 4, "three_of_a_kind": 3, "straight": 2}
    assert first_class(parse("9s 9d 9h 8c 7d 6s 5s"), table) == "three_of_a_kind"
    assert first_class(parse("9s 9d Kh 8c 7d 6s 5s"), table) == "straight"


def test_R24_three_pairs_pay_only_where_the_table_has_the_line() -> None:
    three_pairs = parse("Ks Kd 8h 8c 3d 3s As")
    assert first_class(three_pairs, ("straight", "three_pair")) == "three_pair"
    assert first_class(three_pairs, ("straight", "two_pair")) == "two_pair"
    assert first_class(three_pairs, ("three_of_a_kind", "straight")) is None


def test_the_line_paid_is_the_first_class_contained_that_the_table_has() -> None:
    royal = parse("As Ks Qs Js Ts 2d 3d")
    assert first_class(royal, RANKINGS["seven_card_bonus"]) == "royal_flush"
    assert first_class(royal, {"straight_flush", "flush"}) == "straight_flush"
    assert first_class(royal, ["straight", "flush"]) == "flush"
    assert first_class(royal, ()) is None


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(domain.seven_card).failed == 0
