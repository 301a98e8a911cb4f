"""High Card Flush: the best flush, the dealer's nine high, straight flushes and the lines of their tables."""

import doctest
from collections.abc import Iterator
from itertools import combinations, pairwise, permutations, product
from math import comb, prod
from random import Random

import pytest

import domain.flushes
from domain.cards import JOKER, RANKS, SUITS, Card, Hand, parse, show
from domain.flushes import (
    best,
    first_flush,
    first_straight_flush,
    length,
    qualifies,
    straight_flush_length,
    strength,
)
from domain.rankings import RANKINGS
from tests.domain.hands import crowded_hands, random_hands, with_suits_renamed
from tests.exhaustive.high_card_flush import EXPECTED, FLUSHES, lines_of
from tests.exhaustive.tally import WeightedHand, differences, tally

# Every neighbouring pair is a distinction that 678a.6(b) and (c) make.
RISING = [
    "3s 2s 9d 7d Kh Jh Qc",
    "As 2s 9d 7d Kh Jh Qc",
    "As 3s 9d 7d Kh Jh Qc",
    "As Qs Kd 7d Kh Jh Qc",
    "4s 3s 2s 7d Kd Jh Qc",
    "8s 6s 3s Kd Qd Jc Tc",
    "8s 7s 2s Kd Qd Jc Tc",
    "9s 3s 2s Kd Qd Jc Tc",
    "Ks Qs Js 9d 7d 5c 3c",
    "As 3s 2s Kd Qd Jc Tc",
    "As Ts 5s Kd Qd Jd 9c",
    "As Ks Qs 9d 7d 5c 3c",
    "5s 4s 3s 2s Ad Kd Qd",
    "As Ks Qs Js Ad Kd Qd",
    "6s 4s 3s 2s 8s Ad Kd",
    "As Ks Qs Js Ts Ad Kd",
    "7s 5s 4s 3s 2s 8s Ad",
    "As Ks Qs Js Ts 9s Ad",
    "9s 7s 5s 4s 3s 2s 8s",
    "As Ks Qs Js Ts 9s 8s",
]


def longest_suits(cards: Hand) -> list[str]:
    """The ranks of each suit in falling order, longest suit first, then by the first rank that the other lacks."""
    suits = [[name[0] for name in show(cards).split() if name[1] == suit] for suit in SUITS]
    in_order = ["".join(sorted(ranks, key=RANKS.index, reverse=True)) for ranks in suits]
    return sorted(in_order, key=worth, reverse=True)


def worth(ranks: str) -> tuple[int, list[int]]:
    return len(ranks), [RANKS.index(rank) for rank in ranks]


def plain_run(cards: Hand, in_order: str) -> int:
    """The longest stretch of these neighbours that some suit holds."""
    stretches = [in_order[start:end] for end in range(len(in_order) + 1) for start in range(end)]
    held = [set(ranks) for ranks in longest_suits(cards)]
    return max(
        len(stretch) for stretch in stretches if len(stretch) < 13 and any(set(stretch) <= ranks for ranks in held)
    )


def deals(count: int, seed: int) -> list[Hand]:
    """Random and crowded hands of a deck without the joker."""
    both = (*random_hands(7, count, seed), *crowded_hands(7, count, seed + 1))
    return [hand for hand in both if JOKER not in hand]


def test_678a_6_the_longer_flush_is_higher_then_the_higher_ranks() -> None:
    for lower, higher in pairwise(RISING):
        assert strength(parse(lower)) < strength(parse(higher)), f"{lower} against {higher}"


def test_678a_6_c_flushes_of_the_same_ranks_are_equal_whatever_the_other_cards_are() -> None:
    assert strength(parse("9s 6s 3s Kd Qd Jc Tc")) == strength(parse("9h 6h 3h 5d 7d 2c 4c"))


def test_678a_11_d_of_two_suits_of_one_length_the_higher_is_the_flush() -> None:
    assert strength(parse("Ks Qs Js Ah 3h 2h 9d")) == strength(parse("Ac 3c 2c 9h 8h 7d 6d"))


def test_678a_6_runs_give_no_advantage_in_the_main_ranking() -> None:
    assert strength(parse("As Ts 5s 2d 4d 8c 7c")) > strength(parse("Ks Qs Js 2d 4d 8c 7c"))


def test_flushes_rank_as_the_plain_second_opinion_ranks_them() -> None:
    judged = sorted((worth(longest_suits(hand)[0]), strength(hand), show(hand)) for hand in deals(15_000, seed=678))
    for (plain_low, low, low_text), (plain_high, high, high_text) in pairwise(judged):
        assert (low == high) == (plain_low == plain_high), f"{low_text} against {high_text}"
        assert low <= high, f"{low_text} against {high_text}"


def test_the_length_and_the_class_are_those_of_the_longest_suit() -> None:
    for hand in deals(3_000, seed=680):
        assert length(hand) == len(longest_suits(hand)[0])
        assert best(hand) == f"flush_{length(hand)}"
        assert best(hand) in RANKINGS["flush_length"]


@pytest.mark.parametrize(
    ("cards", "does"),
    [
        ("9h 6h 3h Kd Qd Jc Tc", True),
        ("9h 3h 2h Kd Qd Jc Tc", True),
        ("8h 6h 3h Kd Qd Jc Tc", False),
        ("8h 7h 6h Kd Qd Jc Tc", False),
        ("8h 7h 6h 9d 3d 2d Tc", True),
        ("Ah Kh Ad Kd Ac Kc Qs", False),
        ("5h 4h 3h 2h Kd Qd Jc", True),
    ],
)
def test_678a_11_d_the_dealer_qualifies_with_a_three_card_flush_nine_high_or_better(cards: str, does: bool) -> None:
    assert qualifies(parse(cards)) is does


@pytest.mark.parametrize(
    ("cards", "high_and_low", "high_only"),
    [
        ("As Ks Qs Js Ts 9s 8s", 7, 7),
        ("As 2s 3s 4s 5s 6s 7s", 7, 6),
        ("As 2s 3s 4s 5s 6s 8s", 6, 5),
        ("As 2s 3s Kd Qd 9d 7c", 3, 2),
        ("As Ks 2s 3s 9d 8c 7h", 3, 2),
        ("Qs Ks As 2s 3s 9d 7c", 3, 3),
        ("Ks As 2s 9d 7d 5c 3c", 2, 2),
        ("9s 8s 7s 6s 4h 5d Kc", 4, 4),
        ("Ah Th 7h 4h 6s 7s 8s", 3, 3),
        ("Ks Qs 9s 5d 2d 8h 4c", 2, 2),
        ("As Qs 9d 7d 5h 3h 2c", 1, 1),
    ],
)
def test_R5_the_longest_straight_flush_in_any_suit_without_going_around_the_ace(
    cards: str, high_and_low: int, high_only: int
) -> None:
    assert straight_flush_length(parse(cards), "high_and_low") == high_and_low
    assert straight_flush_length(parse(cards), "high_only") == high_only


def test_straight_flushes_are_as_long_as_the_plain_second_opinion_finds_them() -> None:
    for hand in deals(2_000, seed=682):
        assert straight_flush_length(hand, "high_and_low") == plain_run(hand, "A" + RANKS), show(hand)
        assert straight_flush_length(hand, "high_only") == plain_run(hand, RANKS), show(hand)


def test_flushes_are_judged_alike_in_any_order_and_with_the_suits_renamed() -> None:
    random = Random(678)
    for hand in deals(2_000, seed=684):
        renamed = with_suits_renamed(hand, random)
        assert strength(renamed) == strength(hand)
        assert straight_flush_length(renamed, "high_and_low") == straight_flush_length(hand, "high_and_low")


def test_the_line_paid_for_a_flush_is_the_longest_contained_that_the_table_has() -> None:
    six = parse("7s 5s 4s 3s 2s 9s Ad")
    assert first_flush(six, RANKINGS["flush_length"]) == "flush_6"
    assert first_flush(six, {"flush_7": 300, "flush_5": 10, "flush_4": 1}) == "flush_5"
    assert first_flush(six, ("flush_7",)) is None
    assert first_flush(parse("9h 6h 3h Kd Qd Jc Tc"), ("flush_7", "flush_6", "flush_5", "flush_4")) is None


def test_R6_a_three_card_straight_flush_is_paid_where_the_table_has_the_line() -> None:
    three = parse("Ah Th 7h 4h 6s 7s 8s")
    assert first_straight_flush(three, RANKINGS["straight_flush_length"], "high_and_low") == "straight_flush_3"
    assert first_straight_flush(three, ("straight_flush_5", "straight_flush_4"), "high_and_low") is None


def test_R5_the_line_paid_for_a_straight_flush_follows_the_place_of_the_ace() -> None:
    four = parse("As 2s 3s 4s Kd Qd 9c")
    table = ("straight_flush_4", "straight_flush_3")
    assert first_straight_flush(four, table, "high_and_low") == "straight_flush_4"
    assert first_straight_flush(four, table, "high_only") == "straight_flush_3"


def test_a_longer_flush_beside_a_straight_flush_in_another_suit_pays_both_lines() -> None:
    both = parse("Ah Th 7h 4h 6s 7s 8s")
    assert first_flush(both, RANKINGS["flush_length"]) == "flush_4"
    assert first_straight_flush(both, RANKINGS["straight_flush_length"], "high_only") == "straight_flush_3"


LENGTHS = [
    lengths
    for lengths in product(range(8), repeat=4)
    if sum(lengths) == 7 and list(lengths) == sorted(lengths, reverse=True)
]


def hands_by_their_long_suits() -> Iterator[WeightedHand]:
    """All hands: suits of three and more as they are, one holding of a shorter suit, which decides nothing, for all."""
    for lengths in LENGTHS:
        long = [(suit, size) for suit, size in enumerate(lengths) if size >= 3]
        short = tuple(Card(rank * 4 + suit) for suit, size in enumerate(lengths) if size < 3 for rank in range(size))
        weight = len(set(permutations(lengths))) * prod(comb(13, size) for size in lengths if size < 3)
        for holdings in product(*(combinations(range(suit, 52, 4), size) for suit, size in long)):
            yield tuple(Card(card) for holding in holdings for card in holding) + short, weight


def test_every_line_of_the_tables_of_all_high_card_flush_hands() -> None:
    counted = tally(hands_by_their_long_suits(), lines_of)
    assert differences(counted, EXPECTED) == []
    assert counted["all hands"] == comb(52, 7)


def test_the_published_counts_of_flushes_add_up_to_all_hands() -> None:
    assert sum(FLUSHES.values()) == comb(52, 7)


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(domain.flushes).failed == 0
