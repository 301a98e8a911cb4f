"""The deals of two ace-high hands, counted without looking at a deal, are those that looking finds."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from domain.cards import deck
from domain.games.face_up import is_ace_high
from domain.odds import distribution
from tests.exhaustive import seven_card
from tests.exhaustive.ace_high import (
    NATURAL,
    WITH_JOKER,
    Shape,
    ace_high,
    ace_high_ranks,
    both_ace_high,
    count_deals,
    pairs_of_suits,
)

SMALL = [
    (Shape(cards, most), Shape(others, few)) for cards, most, others, few in product((2, 3, 4), (1, 2), (2, 3), (1, 2))
]


@pytest.mark.parametrize(("dealer", "bettor"), SMALL)
def test_suits_of_two_small_hands_are_as_many_as_trying_all_of_them_finds(dealer: Shape, bettor: Shape) -> None:
    for shared in range(min(dealer.cards, bettor.cards) + 1):
        found = 0
        for mine, yours in product(product(range(4), repeat=dealer.cards), product(range(4), repeat=bettor.cards)):
            apart = all(mine[place] != yours[place] for place in range(shared))
            found += apart and no_flush(mine, dealer) and no_flush(yours, bettor)
        assert pairs_of_suits(dealer, bettor, shared) == found


def no_flush(suits: tuple[int, ...], shape: Shape) -> bool:
    return max(map(suits.count, range(4))) <= shape.most_suited


@pytest.mark.parametrize(("shape", "line"), [(WITH_JOKER, "ace high with joker"), (NATURAL, "ace high without joker")])
def test_one_ace_high_hand_is_as_frequent_as_the_published_table_says(shape: Shape, line: str) -> None:
    assert ace_high(shape) == seven_card.EXPECTED[line]


def test_two_hands_without_a_common_rank_get_their_suits_independently() -> None:
    alone = {shape: ace_high(shape) // len(ace_high_ranks(shape)) for shape in (NATURAL, WITH_JOKER)}
    assert pairs_of_suits(WITH_JOKER, NATURAL, 0) == alone[WITH_JOKER] * alone[NATURAL]


def test_it_makes_no_difference_who_of_the_two_has_the_joker() -> None:
    assert both_ace_high(WITH_JOKER, NATURAL) == both_ace_high(NATURAL, WITH_JOKER)


def test_the_shipped_counts_are_these() -> None:
    assert count_deals() == dict(distribution("ace_high").holdings)


# The shares of 150,000,000 simulated deals that others published for a Face Up bonus, in percent.
SIMULATED = {"both_ace_high": "0.8685", "dealer_ace_high_joker": "0.8617", "dealer_ace_high": "7.6293"}


@pytest.mark.parametrize(("line", "percent"), SIMULATED.items())
def test_the_counts_agree_with_what_others_simulated(line: str, percent: str) -> None:
    shipped = distribution("ace_high")
    share = shipped.first_classes(SIMULATED)[line] / shipped.total
    error = (share * (1 - share) / 150_000_000) ** 0.5
    assert abs(share - float(percent) / 100) < 3 * error + 0.000_000_5


def test_a_bettor_is_ace_high_beside_an_ace_high_dealer_as_often_as_in_random_deals() -> None:
    random, whole = Random(688), deck(joker=True)
    dealers = both = 0
    while dealers < 2_000:
        cards = tuple(random.sample(whole, 14))
        if is_ace_high(cards[:7]):
            dealers += 1
            both += is_ace_high(cards[7:])
    counted = distribution("ace_high").first_classes(("both_ace_high", "dealer_ace_high"))
    share = counted["both_ace_high"] / (counted["both_ace_high"] + counted["dealer_ace_high"])
    assert abs(both - dealers * share) < 4 * (dealers * share * (1 - share)) ** 0.5
