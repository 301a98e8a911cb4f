"""Hands as bit masks, and the longest run among ranks."""

import doctest
from random import Random

import pytest

import domain.masks
from domain.cards import JOKER, RANKS, rank_of, suit_of
from domain.masks import by_suit, longest_run
from tests.domain.hands import random_hands


def longest_window(ranks: set[str], jokers: int, in_order: str) -> int:
    """The plain second opinion: the longest stretch of these neighbours of which no more are missing than jokers."""
    windows = [in_order[start:end] for end in range(len(in_order) + 1) for start in range(end)]
    no_rank_twice = [window for window in windows if len(set(window)) == len(window)]
    return max((len(window) for window in no_rank_twice if len(set(window) - ranks) <= jokers), default=0)


def mask_of(ranks: set[str]) -> int:
    return sum(1 << RANKS.index(rank) for rank in ranks)


def test_each_suit_holds_its_ranks_and_the_joker_none() -> None:
    for cards in random_hands(7, 2_000, seed=52):
        *suits, jokers = by_suit(cards)
        assert jokers == (JOKER in cards)
        for suit, mask in enumerate(suits):
            assert mask == sum(1 << rank_of(card) for card in cards if suit_of(card) == suit)


@pytest.mark.parametrize(
    ("ranks", "jokers", "high_and_low", "high_only"),
    [
        ("", 0, 0, 0),
        ("A", 0, 1, 1),
        ("A2", 0, 2, 1),
        ("KA2", 0, 2, 2),
        ("QKA2", 0, 3, 3),
        ("KA23", 0, 3, 2),
        ("A2345", 0, 5, 4),
        ("TJQKA", 0, 5, 5),
        ("468", 0, 1, 1),
        ("4568T", 0, 3, 3),
        ("4568T", 1, 5, 5),
        ("456", 1, 4, 4),
        ("QKA", 1, 4, 4),
        ("A23", 1, 4, 3),
    ],
)
def test_R5_the_ace_is_at_either_end_or_above_only_and_never_in_the_middle(
    ranks: str, jokers: int, high_and_low: int, high_only: int
) -> None:
    assert longest_run(mask_of(set(ranks)), jokers) == high_and_low
    assert longest_run(mask_of(set(ranks)), jokers, False) == high_only


@pytest.mark.parametrize("jokers", [0, 1])
def test_the_longest_run_is_the_longest_window_of_neighbours(jokers: int) -> None:
    random = Random(14)
    held = [set(random.sample(RANKS, size)) for size in range(14) for _ in range(60)]
    for ranks in held:
        assert longest_run(mask_of(ranks), jokers) == longest_window(ranks, jokers, "A" + RANKS), ranks
        assert longest_run(mask_of(ranks), jokers, False) == longest_window(ranks, jokers, RANKS), ranks


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(domain.masks).failed == 0
