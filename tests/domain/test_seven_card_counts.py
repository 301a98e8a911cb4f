"""The best class of all 154,143,080 seven-card hands, exactly, in the time of a test.

Suits matter only where one suit has five cards (four beside the joker). Those hands are judged one for each renaming of
the suits. Of all others one hand is judged for each choice of ranks, and stands for as many hands as there are ways to
give it suits without such a suit. That judging by ranks alone is right there is held by the random hands of
`test_seven_card` and by the whole count of `tests.exhaustive.seven_card`.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb

import pytest

from domain.cards import JOKER, Hand, deck, parse
from domain.seven_card import best
from tests.domain.counting import choices_of_ranks, dealt_round_the_suits, ways_with_a_long_suit
from tests.exhaustive.folding import folded_hands
from tests.exhaustive.seven_card import ALL_HANDS, EXPECTED, count, differences


def hands_without_a_long_suit(joker: bool) -> Iterator[tuple[Hand, int]]:
    for counts in choices_of_ranks(7 - joker):
        ways = 1
        for held in counts:
            ways *= comb(4, held)
        hand = dealt_round_the_suits(counts) + ((JOKER,) if joker else ())
        yield hand, ways - ways_with_a_long_suit(counts, 5 - joker)


def test_every_line_of_the_table_of_all_seven_card_hands() -> None:
    counted: Counter[str] = Counter()
    for joker in (False, True):
        counted += count(folded_hands(7, joker, least_in_one_suit=5 - joker))
        counted += count(hands_without_a_long_suit(joker))
    assert differences(counted) == []
    assert counted.total() == ALL_HANDS == comb(53, 7)


def test_the_published_counts_add_up_to_all_hands() -> None:
    assert sum(EXPECTED.values()) == ALL_HANDS


@pytest.mark.parametrize("joker", [False, True])
def test_folded_hands_stand_for_all_hands_and_each_hand_once(joker: bool) -> None:
    folded = list(folded_hands(4, joker))
    assert sum(weight for _, weight in folded) == comb(52, 4 - joker)
    assert len({frozenset(hand) for hand, _ in folded}) == len(folded)


def test_all_hands_with_four_aces_are_five_aces_beside_the_joker_and_quads_without() -> None:
    aces = parse("Ac Ad Ah As")
    others = [card for card in deck(joker=True) if card not in aces]
    counted = Counter(best((*aces, *three)) for three in combinations(others, 3))
    assert counted == {"five_aces": comb(48, 2), "four_of_a_kind": comb(48, 3)}
    assert counted["five_aces"] == EXPECTED["five_aces"]


def test_all_hands_with_ten_to_king_of_a_suit_fall_as_counted_by_hand() -> None:
    four = parse("Ts Js Qs Ks")
    others = [card for card in deck(joker=True) if card not in four]
    counted = Counter(best((*four, *three)) for three in combinations(others, 3))
    # 7-8-9 or 8-9-A of the suit; with the joker two cards of either three, 8-9 being in both.
    assert counted["seven_card_straight_flush"] == 2
    assert counted["seven_card_straight_flush_joker"] == 3 + 3 - 1
    # The ace or the joker beside a king and queen of one of three other suits.
    assert counted["royal_match"] == 2 * 3
    # The ace or the joker with any two others, less the hands above: 8-9-A, the four with the joker, the six matches.
    with_ace_or_joker = comb(49, 3) - comb(47, 3)
    assert counted["royal_flush"] == with_ace_or_joker - 1 - 5 - 6
    # The nine with two others that are neither ace nor joker, less 7-8-9.
    assert counted["straight_flush"] == comb(46, 2) - 1
    assert counted["five_aces"] == 0
