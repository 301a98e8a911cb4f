"""The worth of five and of two cards, fouls, and the lists of classes that tables are ranked by."""

import doctest
from itertools import combinations, pairwise, permutations
from random import Random

import pytest

import domain.rankings
from domain.cards import ACE, JOKER, Card, deck, parse, rank_of, show
from domain.rankings import (
    CATEGORIES,
    RANKINGS,
    arranged,
    category,
    five,
    is_foul,
    two,
)
from tests.domain.hands import crowded_hands, random_hands
from tests.domain.naive import CATEGORIES_RISING, worth_of_five, worth_of_two
from tests.exhaustive.folding import folded_hands

# Every neighbouring pair here is a distinction that a rule makes.
RISING_BELOW_STRAIGHTS = [
    "7c 5d 4h 3s 2c",
    "8c 5d 4h 3s 2c",
    "Kc Qd Jh 9s 7c",
    "Kc Qd Jh 9s 8c",
    "Ac 6d 4h 3s 2c",
    "Jk 7d 4h 3s 2c",
    "2c 2d 5h 4s 3c",
    "2c 2d Ah Ks Qc",
    "3c 3d 5h 4s 2c",
    "Ac Ad 5h 4s 3c",
    "Ac Jk 6h 4s 3c",
    "3c 3d 2h 2s 4c",
    "3c 3d 2h 2s Ac",
    "4c 4d 2h 2s 3c",
    "Kc Kd Qh Qs Jk",
    "Ac Ad 2h 2s 3c",
    "Jk Ad Kh Ks Qc",
    "2c 2d 2h 4s 3c",
    "2c 2d 2h As Kc",
    "Ac Ad Jk 4s 3c",
    "Ac Ad Ah 5s 3c",
]
RISING_STRAIGHTS = {
    "second": ["6c 5d 4h 3s 2c", "7c 6d 5h Jk 3c", "9c Kd Qh Js Tc", "Ac 5d 4h 3s 2c", "Ac Kd Qh Js Tc"],
    "lowest": ["Ac 5d 4h 3s 2c", "6c 5d 4h 3s 2c", "7c 6d 5h Jk 3c", "9c Kd Qh Js Tc", "Ac Kd Qh Js Tc"],
}
RISING_FROM_FLUSHES = [
    "7c 5c 4c 3c 2c",
    "Kc Qc Jc 9c 7c",
    "Ac 6c 4c 3c 2c",
    "9c 6c 4c 3c Jk",
    "Ac Kc Jc 3c 2c",
    "Ac Kc 4c 3c Jk",
    "2c 2d 2h 3s 3c",
    "2c 2d 2h As Ac",
    "3c 3d 3h 2s 2c",
    "Kc Kd Kh As Jk",
    "Ac Ad Jk Ks Kc",
    "2c 2d 2h 2s 3c",
    "2c 2d 2h 2s Jk",
    "Ac Ad Ah Jk 3c",
]
RISING_STRAIGHT_FLUSHES = {
    "second": ["6c 5c 4c 3c 2c", "7c 6c Jk 4c 3c", "9c Kc Qc Jc Tc", "Ac 5c 4c 3c 2c"],
    "lowest": ["Ac 5c 4c 3c 2c", "6c 5c 4c 3c 2c", "7c 6c Jk 4c 3c", "9c Kc Qc Jc Tc"],
}
RISING_TOP = ["Ac Kc Qc Jc Jk", "Ac Ad Ah As Jk"]


@pytest.mark.parametrize("wheel", ["second", "lowest"])
def test_seed_004_poker_rankings_every_hand_beats_every_one_before_it(wheel: str) -> None:
    rising = [
        *RISING_BELOW_STRAIGHTS,
        *RISING_STRAIGHTS[wheel],
        *RISING_FROM_FLUSHES,
        *RISING_STRAIGHT_FLUSHES[wheel],
        *RISING_TOP,
    ]
    for lower, higher in combinations(rising, 2):
        assert five(parse(lower), wheel) < five(parse(higher), wheel), f"{lower} against {higher}"


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Ac Ad Ah As Jk", "five_aces"),
        ("As Ks Qs Js Ts", "royal_flush"),
        ("As Ks Jk Js Ts", "royal_flush"),
        ("Jk Ks Qs Js Ts", "royal_flush"),
        ("9h Kh Qh Jh Th", "straight_flush"),
        ("9h Jk Qh Jh Th", "straight_flush"),
        ("Ah 2h 3h 4h 5h", "straight_flush"),
        ("9h 9s 9d 9c 2h", "four_of_a_kind"),
        ("9h 9s 9d 9c Jk", "four_of_a_kind"),
        ("Ah As Ad Jk 2h", "four_of_a_kind"),
        ("9h 9s 9d 2c 2h", "full_house"),
        ("9h 9s 9d Ac Jk", "full_house"),
        ("Ah As Jk 2c 2h", "full_house"),
        ("9h 7h 5h 3h 2h", "flush"),
        ("9h 7h 5h 3h Jk", "flush"),
        ("9h 8h 7h 6h 5c", "straight"),
        ("9h 8h Jk 6h 5c", "straight"),
        ("9h 9s 9d 3c 2h", "three_of_a_kind"),
        ("Ah As Jk 3c 2h", "three_of_a_kind"),
        ("9h 9s 3d 3c 2h", "two_pair"),
        ("9h 9s Ad Jk 2h", "two_pair"),
        ("9h 9s 4d 3c 2h", "one_pair"),
        ("9h Js Ad Jk 2h", "one_pair"),
        ("9h 8s 7d 6c 4h", "high_card"),
        ("9h 8s 2d 4c Jk", "high_card"),
    ],
)
@pytest.mark.parametrize("wheel", ["second", "lowest"])
def test_seed_004_each_five_card_hand_has_its_name(cards: str, name: str, wheel: str) -> None:
    assert category(five(parse(cards), wheel)) == name


@pytest.mark.parametrize(("joker_hand", "natural"), [
    ("8c 7d 6h 5s Jk", "9c 8d 7h 6s 5c"),
    ("9c 8d 7h 5s Jk", "9c 8d 7h 6s 5c"),
    ("Kc Qd Jh Ts Jk", "Ac Kd Qh Js Tc"),
    ("Ac Kd Qh Js Jk", "Ac Kd Qh Js Tc"),
    ("Ac 2d 3h 4s Jk", "Ac 2d 3h 4s 5c"),
    ("3c 4d 5h As Jk", "Ac 2d 3h 4s 5c"),
    ("8c 7c 6c 5c Jk", "9c 8c 7c 6c 5c"),
])  # fmt: skip
@pytest.mark.parametrize("wheel", ["second", "lowest"])
def test_seed_004_the_joker_completes_a_straight_as_the_highest_card_that_fits(
    joker_hand: str, natural: str, wheel: str
) -> None:
    assert five(parse(joker_hand), wheel) == five(parse(natural), wheel)


def test_R7_two_three_four_five_and_the_joker_is_the_wheel_or_six_high() -> None:
    for suits in ("cdhs", "hhhh"):
        low_four = " ".join(rank + suit for rank, suit in zip("2345", suits, strict=True))
        with_joker, wheel, six_high = (parse(f"{low_four} {fifth}") for fifth in ("Jk", "Ah", "6h"))
        assert five(with_joker, "second") == five(wheel, "second") > five(six_high, "second")
        assert five(with_joker, "lowest") == five(six_high, "lowest") > five(wheel, "lowest")


def test_R7_the_wheel_is_second_highest_below_ace_to_ten_and_above_king_to_nine_unless_told_otherwise() -> None:
    wheel, broadway, king_high = map(parse, ("Ac 2d 3h 4s 5c", "Ac Kd Qh Js Tc", "Kc Qd Jh Ts 9c"))
    assert five(broadway) > five(wheel) > five(king_high)
    assert five(wheel) == five(wheel, "second")


def test_R7_a_wheel_of_one_suit_is_a_straight_flush_and_never_a_royal_flush() -> None:
    assert category(five(parse("Ac 2c 3c 4c 5c"), "second")) == "straight_flush"


@pytest.mark.parametrize(("joker_hand", "natural"), [
    ("9c 6c 4c 3c Jk", "Ac 9c 6c 4c 3c"),
    ("Ac 6c 4c 3c Jk", "Ac Kc 6c 4c 3c"),
    ("Ac Kc 4c 3c Jk", "Ac Kc Qc 4c 3c"),
    ("Ac Kc Qc 3c Jk", "Ac Kc Qc Jc 3c"),
])  # fmt: skip
def test_hands_and_fouls_in_a_flush_the_joker_is_the_highest_card_missing(joker_hand: str, natural: str) -> None:
    assert five(parse(joker_hand)) == five(parse(natural))


def test_seed_004_the_joker_pairs_nothing_but_aces() -> None:
    assert category(five(parse("Kc Kd Jk 8h 3s"))) == "one_pair"
    assert category(five(parse("Kc Qd Jk 8h 3s"))) == "high_card"
    assert category(two(parse("Jk Kc"))) == "high_card"
    assert category(two(parse("Jk Ac"))) == "one_pair"


def test_R25_kickers_decide_and_suits_never_do() -> None:
    assert five(parse("Ac Ad 9h 5s 3c")) == five(parse("Ah As 9c 5d 3h"))
    assert five(parse("Ac Ad 9h 5s 3c")) > five(parse("Ah As 9c 5d 2h"))
    assert five(parse("Ac Jk 9h 5s 3c")) == five(parse("Ah As 9c 5d 3h"))


def test_the_order_of_the_cards_plays_no_part() -> None:
    for text in ("8c 7d Jk 5h 4s", "9c 9d 4h 4s Jk", "Ac 2d 3h 4s 5c", "Ac Kc 4c 3c Jk"):
        assert len({five(cards) for cards in permutations(parse(text))}) == 1


@pytest.mark.parametrize("wheel", ["second", "lowest"])
def test_five_cards_rank_as_the_plain_second_opinion_ranks_them(wheel: str) -> None:
    hands = [*random_hands(5, 15_000, seed=645), *crowded_hands(5, 10_000, seed=646)]
    judged = sorted((worth_of_five(hand, wheel), five(hand, wheel), show(hand)) for hand in hands)
    for (plain_low, low, low_text), (plain_high, high, high_text) in pairwise(judged):
        assert (low == high) == (plain_low == plain_high), f"{low_text} against {high_text}"
        assert low <= high, f"{low_text} against {high_text}"
    for (place, _), strength, text in judged:
        assert category(strength) == CATEGORIES_RISING[place], text


def test_two_cards_rank_as_the_plain_second_opinion_ranks_them() -> None:
    judged = sorted((worth_of_two(hand), two(hand)) for hand in combinations(deck(joker=True), 2))
    for (plain_low, low), (plain_high, high) in pairwise(judged):
        assert (low == high) == (plain_low == plain_high)
        assert low <= high


def test_the_best_low_hand_is_two_aces_and_the_worst_is_three_two() -> None:
    strengths = {show(hand): two(hand) for hand in combinations(deck(joker=True), 2)}
    assert max(strengths.values()) == strengths["Ac Ad"] == strengths["As Jk"]
    assert min(strengths.values()) == strengths["2c 3d"]
    assert strengths["2c 2d"] > strengths["Kc Ad"] > strengths["Qc Ad"] > strengths["Qc Kd"]


def test_all_five_card_hands_without_the_joker_fall_into_the_known_numbers() -> None:
    counted = dict.fromkeys(CATEGORIES, 0)
    for hand, weight in folded_hands(5, joker=False):
        counted[category(five(hand))] += weight
    assert counted == {
        "high_card": 1_302_540,
        "one_pair": 1_098_240,
        "two_pair": 123_552,
        "three_of_a_kind": 54_912,
        "straight": 10_200,
        "flush": 5_108,
        "full_house": 3_744,
        "four_of_a_kind": 624,
        "straight_flush": 36,
        "royal_flush": 4,
        "five_aces": 0,
    }


def test_all_five_card_hands_with_the_joker_fall_into_the_numbers_known_for_a_53_card_deck() -> None:
    counted = dict.fromkeys(CATEGORIES, 0)
    for joker in (False, True):
        for hand, weight in folded_hands(5, joker):
            counted[category(five(hand))] += weight
    assert counted.pop("royal_flush") + counted.pop("straight_flush") == 204
    assert counted == {
        "high_card": 1_418_964,
        "one_pair": 1_215_024,
        "two_pair": 138_600,
        "three_of_a_kind": 63_360,
        "straight": 20_532,
        "flush": 7_804,
        "full_house": 4_368,
        "four_of_a_kind": 828,
        "five_aces": 1,
    }


@pytest.mark.parametrize(
    ("high", "low", "foul", "foul_if_strict"),
    [
        ("Kc 7d 6h 4s 2c", "Qd Js", False, False),
        ("Kc 7d 6h 4s 2c", "Kd 3s", False, False),
        ("Kc 7d 6h 4s 2c", "Kd 7s", False, True),
        ("Kc 7d 6h 4s 2c", "Kd 8s", True, True),
        ("Kc 7d 6h 4s 2c", "2d 2s", True, True),
        ("Jk 7d 6h 4s 2c", "Ad 6s", False, False),
        ("Jk 7d 6h 4s 2c", "Ad 7s", False, True),
        ("Ac 7d 6h 4s 2c", "Jk 7s", False, True),
        ("Ac 7d 6h 4s 2c", "Jk 8s", True, True),
        ("9c 9d 6h 4s 2c", "9h 9s", False, False),
        ("9c 9d 4h 3s 2c", "9h 9s", False, False),
        ("9c 9d 6h 4s 2c", "Th Ts", True, True),
        ("9c 9d 6h 4s 2c", "Ah Ks", False, False),
        ("Kc Kd 6h 4s 2c", "Ah Jk", True, True),
        ("2c 2d 3h 3s 4c", "Ah As", False, False),
        ("Ac 2d 3h 4s 5c", "Ah As", False, False),
    ],
)
def test_R8_a_hand_is_foul_where_the_low_outranks_the_high_and_if_strict_where_it_equals_it(
    high: str, low: str, foul: bool, foul_if_strict: bool
) -> None:
    for wheel in ("second", "lowest"):
        assert is_foul(parse(high), parse(low), wheel=wheel, strict=False) is foul
        assert is_foul(parse(high), parse(low), wheel=wheel, strict=True) is foul_if_strict


def test_R8_only_hands_without_a_pair_can_be_equal_whatever_is_dealt() -> None:
    for cards in (*random_hands(7, 5_000, seed=8), *crowded_hands(7, 5_000, seed=9)):
        high, low = cards[:5], cards[5:]
        assert is_foul(high, low, wheel="second", strict=False) == (
            category(five(high)) in ("high_card", "one_pair")
            and worth_of_two(low) > (worth_of_five(high, "second")[0] == 1, *_top_two(high))
        )


def _top_two(high: tuple[Card, ...]) -> tuple[int, int]:
    """The paired rank twice, or the two highest ranks."""
    falling = sorted(map(rank_of, high), key=lambda rank: ([*map(rank_of, high)].count(rank), rank), reverse=True)
    return falling[0], falling[1]


@pytest.mark.parametrize(
    ("cards", "wheel", "shown"),
    [
        ("2c 9d Kh Ts 7c", "second", "Kh Ts 9d 7c 2c"),
        ("2c 9d 2h Ts 7c", "second", "2h 2c Ts 9d 7c"),
        ("2c 9d 2h 9s Jk", "second", "9s 9d 2h 2c Jk"),
        ("2c 2d 2h 9s 9c", "second", "2h 2d 2c 9s 9c"),
        ("9c Jk 7h 6s 5c", "second", "9c Jk 7h 6s 5c"),
        ("5c 6d 7h 8s Jk", "second", "Jk 8s 7h 6d 5c"),
        ("2c 3d 4h 5s Jk", "second", "Jk 5s 4h 3d 2c"),
        ("2c 3d 4h Jk Ac", "second", "Ac Jk 4h 3d 2c"),
        ("2c 3d 4h Jk Ac", "lowest", "Jk 4h 3d 2c Ac"),
        ("2c 3d 4h 5s Jk", "lowest", "Jk 5s 4h 3d 2c"),
        ("3c Ac 7c Kc Jk", "second", "Ac Kc Jk 7c 3c"),
        ("Ac Jk Ah Ks Kc", "second", "Ah Ac Jk Ks Kc"),
        ("Js Jk As Ks Qs", "second", "As Ks Qs Js Jk"),
    ],
)
def test_a_hand_is_arranged_as_it_is_read_the_joker_where_it_stands_in(cards: str, wheel: str, shown: str) -> None:
    assert show(arranged(parse(cards), wheel)) == shown


def test_arranging_keeps_the_cards_and_forgets_their_order() -> None:
    random = Random(7)
    for cards in (*random_hands(5, 2_000, seed=1), *crowded_hands(5, 2_000, seed=2)):
        assert sorted(arranged(cards)) == sorted(cards)
        assert arranged(tuple(random.sample(cards, 5))) == arranged(cards)


def test_the_ranking_lists_are_those_that_a_sheet_may_name() -> None:
    assert {name: " ".join(classes) for name, classes in RANKINGS.items()} == {
        "seven_card_bonus": "seven_card_straight_flush royal_match seven_card_straight_flush_joker five_aces "
        "royal_flush straight_flush four_of_a_kind full_house flush three_of_a_kind straight three_pair two_pair "
        "one_pair high_card",
        "six_card": "six_card_straight_flush five_aces royal_flush straight_flush four_of_a_kind two_three_of_a_kinds "
        "full_house six_card_flush flush six_card_straight straight three_of_a_kind three_pair two_pair one_pair "
        "high_card",
        "flush_length": "flush_7 flush_6 flush_5 flush_4 flush_3 flush_2",
        "straight_flush_length": "straight_flush_7 straight_flush_6 straight_flush_5 straight_flush_4 straight_flush_3",
        "insurance": "king_high queen_high jack_high ten_high nine_high eight_high king_high_or_less",
        "ace_high": "both_ace_high dealer_ace_high_joker dealer_ace_high",
        "tiger_9": "tiger_9",
        "win": "win",
    }


def test_an_ace_is_the_highest_rank_and_the_joker_counts_with_it() -> None:
    assert rank_of(JOKER) == ACE == max(map(rank_of, deck(joker=False)))


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(domain.rankings).failed == 0
