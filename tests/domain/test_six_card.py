"""What six cards are worth: the one-card low hand, fouls, the classes tables pay, the dealer's eights, insurance."""

import doctest
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb, prod
from random import Random

import pytest

import domain.six_card
from domain.cards import ACE, JOKER, Hand, deck, parse, rank_of, show
from domain.rankings import RANKINGS, category, five
from domain.six_card import (
    best,
    first_class,
    insurance_class,
    insurance_first,
    is_foul,
    one,
    pair_of_eights_or_better,
    six_card_classes,
)
from tests.domain.counting import choices_of_ranks, dealt_round_the_suits, ways_with_a_long_suit
from tests.domain.hands import crowded_hands, random_hands, with_suits_renamed
from tests.domain.naive import NATURAL, RANKS, run_of, texts
from tests.exhaustive.folding import folded_hands
from tests.exhaustive.six_card import BY_CLASS, EXPECTED, lines_of
from tests.exhaustive.tally import WeightedHand, differences, tally

EIGHT = 6


def test_one_card_ranks_by_its_rank_alone_and_the_joker_as_an_ace() -> None:
    for first, second in combinations(deck(joker=True), 2):
        assert (one((first,)) < one((second,))) == (rank_of(first) < rank_of(second))
        assert (one((first,)) == one((second,))) == (rank_of(first) == rank_of(second))
    assert one(parse("Jk")) == one(parse("Ad"))


def test_one_card_is_a_high_card_whatever_it_is() -> None:
    assert {category(one((card,))) for card in deck(joker=True)} == {"high_card"}


@pytest.mark.parametrize(
    ("high", "low", "foul", "foul_if_strict"),
    [
        ("Kc 7d 6h 4s 2c", "Qd", False, False),
        ("Kc 7d 6h 4s 2c", "Kd", False, True),
        ("Kc 7d 6h 4s 2c", "Ad", True, True),
        ("Kc 7d 6h 4s 2c", "Jk", True, True),
        ("Ac 7d 6h 4s 2c", "Jk", False, True),
        ("Jk 7d 6h 4s 2c", "Ad", False, True),
        ("Jk 7d 6h 4s 2c", "Kd", False, False),
        ("2c 2d 6h 4s 3c", "Ad", False, False),
        ("2c 2d 6h 4s 3c", "Jk", False, False),
        ("2c 2d 6h 4s 3c", "2h", False, False),
        ("3c 3d 6h 4s 2c", "3h", False, False),
        ("Ac Ad 6h 4s 2c", "Ah", False, False),
        ("2c 3d 4h 5s 6c", "Ad", False, False),
        ("Ac 2d 3h 4s 5c", "Jk", False, False),
    ],
)
def test_670a_11_b_a_hand_is_foul_where_the_low_card_outranks_the_high_hand_and_if_strict_where_it_equals_it(
    high: str, low: str, foul: bool, foul_if_strict: bool
) -> None:
    for wheel in ("second", "lowest"):
        assert is_foul(parse(high), parse(low), wheel=wheel, strict=False) is foul
        assert is_foul(parse(high), parse(low), wheel=wheel, strict=True) is foul_if_strict


@pytest.mark.parametrize("wheel", ["second", "lowest"])
def test_R8_only_a_hand_without_a_pair_can_be_equal_to_a_card_by_its_own_top_card(wheel: str) -> None:
    for cards in (*random_hands(6, 5_000, seed=670), *crowded_hands(6, 5_000, seed=671)):
        high, low = cards[:5], cards[5:]
        no_pair = category(five(high, wheel)) == "high_card"
        top, below = max(map(rank_of, high)), rank_of(low[0])
        assert is_foul(high, low, wheel=wheel, strict=False) == (no_pair and below > top), show(cards)
        assert is_foul(high, low, wheel=wheel, strict=True) == (no_pair and below >= top), show(cards)


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("9s Ts Js Qs Ks As", "six_card_straight_flush"),
        ("As 2s 3s 4s 5s 6s", "six_card_straight_flush"),
        ("As Ks Qs Js Ts Jk", "six_card_straight_flush"),
        ("4s 5s Jk 7s 8s 9s", "six_card_straight_flush"),
        ("As Ad Ah Ac Jk 9d", "five_aces"),
        ("As Ks Qs Js Ts 9d", "royal_flush"),
        ("As Ks Jk Js Ts 9d", "royal_flush"),
        ("As Ks Qs Js Ts 8s", "royal_flush"),
        ("9s Ts Js Qs Ks Ad", "straight_flush"),
        ("As 2s 3s 4s 5s 6d", "straight_flush"),
        ("4s 5s 6s 7s Ks Jk", "straight_flush"),
        ("Ks As 2s 3s 4s 5s", "straight_flush"),
        ("9s 9d 9h 9c 4s 4d", "four_of_a_kind"),
        ("As Ad Ah Jk 4s 3d", "four_of_a_kind"),
        ("9s 9d 9h 4c 4d 4h", "two_three_of_a_kinds"),
        ("As Ad Jk 4c 4d 4h", "two_three_of_a_kinds"),
        ("9s 9d 9h 4c 4d Ah", "full_house"),
        ("As Jk 9h 9c 9d Kh", "full_house"),
        ("As Jk Ah 9c 9d Kh", "full_house"),
        ("As Js 9s 6s 4s 2s", "six_card_flush"),
        ("As Js 9s 6s 4s Jk", "six_card_flush"),
        ("As Js 9s 6s 4s 2d", "flush"),
        ("Ks Js 9s 6s Jk 2d", "flush"),
        ("4s 5s 6s 7s 8d Ks", "flush"),
        ("4s 5d 6c 7h 8s 9d", "six_card_straight"),
        ("As 2d 3c 4h 5s 6d", "six_card_straight"),
        ("As Kd Qc Jh Ts Jk", "six_card_straight"),
        ("As 2d 3c 4h 5s Kd", "straight"),
        ("4s 5d 6c 7h 8s 8d", "straight"),
        ("4s 6d 7c 8h Ts Jk", "straight"),
        ("As Ad Jk Kd Qc Jh", "straight"),
        ("9s 9d 9h Ac 5d 2s", "three_of_a_kind"),
        ("As Ad Jk Kd 7c 2h", "three_of_a_kind"),
        ("9s 9d 5h 5c 2d 2s", "three_pair"),
        ("As Jk Kd Kc 5d 5s", "three_pair"),
        ("9s 9d 5h 5c Kd 2s", "two_pair"),
        ("Ks Kd 5h 5c Jk 2s", "two_pair"),
        ("9s 9d 5h 7c Kd 2s", "one_pair"),
        ("As Jk 5h 7c Td 2s", "one_pair"),
        ("Qs Kd As 2h 3c 9d", "high_card"),
        ("Jk 9d 7c 5h 4s 2d", "high_card"),
    ],
)
def test_six_card_ranking_the_best_class_of_six_cards(cards: str, name: str) -> None:
    assert best(parse(cards)) == name


@pytest.mark.parametrize(
    ("cards", "classes"),
    [
        ("Ks Qd 9c 7h 4s 2d", "high_card"),
        ("9s 9d 9h 9c 4s 4d", "four_of_a_kind full_house three_of_a_kind two_pair one_pair high_card"),
        ("9s 9d 9h 9c 4s 3d", "four_of_a_kind three_of_a_kind one_pair high_card"),
        ("9s 9d 9h 4c 4d 4h", "two_three_of_a_kinds full_house three_of_a_kind two_pair one_pair high_card"),
        ("9s 9d 5h 5c 2d 2s", "three_pair two_pair one_pair high_card"),
        ("As Js 9s 6s 4s 2s", "six_card_flush flush high_card"),
        ("4s 5d 6c 7h 8s 9d", "six_card_straight straight high_card"),
        ("5s 6s 7s 8s 9s Ks", "straight_flush six_card_flush flush straight high_card"),
        ("5s 6s 7s 8s 9s Td", "straight_flush flush six_card_straight straight high_card"),
        (
            "8s 9s Ts Js Qs Ks",
            "six_card_straight_flush straight_flush six_card_flush flush six_card_straight straight high_card",
        ),
        ("As Ks Qs Js Ts 2s", "royal_flush straight_flush six_card_flush flush straight high_card"),
        (
            "As Ad Jk Ks Qs Js",
            "royal_flush straight_flush flush straight three_of_a_kind one_pair high_card",
        ),
        ("As Ad Ah Ac Jk Kd", "five_aces four_of_a_kind three_of_a_kind one_pair high_card"),
    ],
)
def test_six_cards_contain_every_lower_class_that_they_make(cards: str, classes: str) -> None:
    assert six_card_classes(parse(cards)) == set(classes.split())


def classes_of_six(cards: Hand) -> set[str]:
    """The plain second opinion: every class that some choice among the six cards is, the joker tried as every card."""
    held = texts(cards)
    counts = Counter("A" if card == "Jk" else card[0] for card in held)
    found = {"high_card"} | of_equal_ranks(counts)
    others = [card for card in held if card != "Jk"]
    wholes = [held] if "Jk" not in held else [[*others, card] for card in NATURAL if card not in others]
    for whole in wholes:
        found |= of_six(whole).union(*(of_five(list(cards)) for cards in combinations(whole, 5)))
    return found


def of_equal_ranks(counts: Counter[str]) -> set[str]:
    twos, threes, fours = ([rank for rank in counts if counts[rank] >= size] for size in (2, 3, 4))
    wanted = {
        "one_pair": twos,
        "two_pair": twos[1:],
        "three_pair": twos[2:],
        "three_of_a_kind": threes,
        "two_three_of_a_kinds": threes[1:],
        "full_house": threes and twos[1:],
        "four_of_a_kind": fours,
        "five_aces": counts["A"] == 5,
    }
    return {name for name, cards in wanted.items() if cards}


def of_five(cards: list[str]) -> set[str]:
    run = run_of(cards, "second")
    suited = len({card[1] for card in cards}) == 1
    wanted = {
        "straight": run is not None,
        "flush": suited,
        "straight_flush": suited and run is not None,
        "royal_flush": suited and run == 9,
    }
    return {name for name, is_it in wanted.items() if is_it}


def of_six(cards: list[str]) -> set[str]:
    in_order = "A" + RANKS
    runs = [set(in_order[start : start + 6]) for start in range(9)]
    running = {card[0] for card in cards} in runs
    suited = len({card[1] for card in cards}) == 1
    wanted = {
        "six_card_straight": running,
        "six_card_flush": suited,
        "six_card_straight_flush": suited and running,
    }
    return {name for name, is_it in wanted.items() if is_it}


def test_six_cards_contain_what_the_plain_second_opinion_finds() -> None:
    for hand in (*random_hands(6, 8_000, seed=31), *crowded_hands(6, 4_000, seed=32)):
        classes = classes_of_six(hand)
        assert six_card_classes(hand) == classes, show(hand)
        assert best(hand) == min(classes, key=RANKINGS["six_card"].index), show(hand)


def test_six_cards_are_judged_alike_in_any_order_and_with_the_suits_renamed() -> None:
    random = Random(6)
    for hand in (*random_hands(6, 3_000, seed=33), *crowded_hands(6, 3_000, seed=34)):
        assert six_card_classes(hand) == six_card_classes(with_suits_renamed(hand, random)), show(hand)


def test_the_line_paid_is_the_first_class_contained_that_the_table_has() -> None:
    six_suited = parse("As Js 9s 6s 4s 2s")
    assert first_class(six_suited, ("six_card_flush", "flush", "straight")) == "six_card_flush"
    assert first_class(six_suited, ("flush", "straight")) == "flush"
    assert first_class(parse("4s 5d 6c 7h 8s 9d"), ("flush", "straight")) == "straight"
    assert first_class(parse("9s 9d 9h 4c 4d 4h"), {"full_house": 8, "three_of_a_kind": 3}) == "full_house"
    assert first_class(parse("9s 9d 5h 5c 2d 2s"), ("three_of_a_kind", "straight")) is None
    assert first_class(parse("9s 9d 5h 5c 2d 2s"), RANKINGS["six_card"]) == "three_pair"


@pytest.mark.parametrize(
    ("cards", "qualifies"),
    [
        ("8s 8d 5c 4h 3s 2d", True),
        ("7s 7d Ac Kh Qs Jd", False),
        ("7s 7d 2c 2h As Kd", True),
        ("2s 2d 2c Ah Ks Qd", True),
        ("As Jk 5c 4h 9s 7d", True),
        ("As Kd Qc Jh 9s 8d", False),
        ("Jk Kd Qc Jh 8s 7d", False),
        ("As 2d 3c 4h 5s 9d", True),
        ("7s 7d 6c 5h 4s 3d", True),
        ("2s 4s 6s 8s 9s Kd", True),
    ],
)
@pytest.mark.parametrize("wheel", ["second", "lowest"])
def test_670a_11_g_the_dealer_has_a_pair_of_eights_or_better_on_the_six_cards(
    cards: str, qualifies: bool, wheel: str
) -> None:
    assert pair_of_eights_or_better(parse(cards), wheel) is qualifies


def test_670a_11_g_a_pair_of_eights_or_better_is_any_class_above_a_pair_or_a_pair_of_eights_up() -> None:
    for hand in (*random_hands(6, 5_000, seed=35), *crowded_hands(6, 3_000, seed=36)):
        counts = Counter(map(rank_of, hand))
        eights_up = any(counts[rank] == 2 for rank in range(EIGHT, ACE + 1))
        above = best(hand) not in ("one_pair", "high_card")
        assert pair_of_eights_or_better(hand, "second") == (above or eights_up), show(hand)


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Ks Jd 8c 7h 4s 2d", "king_high"),
        ("Qs Jd 8c 7h 4s 2d", "queen_high"),
        ("Js 9d 8c 7h 4s 2d", "jack_high"),
        ("Ts 9d 7c 5h 3s 2d", "ten_high"),
        ("9s 7d 6c 5h 3s 2d", "nine_high"),
        ("8s 7d 5c 4h 3s 2d", "eight_high"),
    ],
)
def test_670a_11_h_2_insurance_goes_by_the_exact_top_card(cards: str, name: str) -> None:
    assert insurance_class(parse(cards)) == name
    assert insurance_first(parse(cards), (name, "king_high_or_less")) == name
    assert insurance_first(parse(cards), ("king_high_or_less",)) == "king_high_or_less"
    assert insurance_first(parse(cards), [each for each in RANKINGS["insurance"][:6] if each != name]) is None


@pytest.mark.parametrize("cards", [
    "As Jd 8c 7h 4s 2d",
    "Ks Kd 8c 7h 4s 2d",
    "2s 2d 8c 7h 4s 3d",
    "9s 8d 7c 6h 5s Kd",
    "Ks 9s 7s 5s 3s 2d",
])  # fmt: skip
def test_670a_11_h_2_better_than_king_high_is_not_insured(cards: str) -> None:
    assert insurance_class(parse(cards)) is None
    assert insurance_first(parse(cards), RANKINGS["insurance"]) is None


def test_R22_a_joker_is_an_ace_for_insurance_also_where_it_completes_nothing() -> None:
    assert insurance_class(parse("Jk Qh 9d 6h 4d 2h")) is None
    assert insurance_first(parse("Jk Qh 9d 6h 4d 2h"), ("king_high_or_less",)) is None


def test_the_lowest_six_cards_are_eight_high() -> None:
    eights_and_less = deck(joker=False)[: 4 * (EIGHT + 1)]
    lowest = Counter(map(insurance_class, combinations(eights_and_less, 6)))
    assert set(lowest) == {None, "eight_high"}
    # Under the eight five of the ranks two to seven: without the 4, the 5 or the 6 they make no straight. Of the ways
    # to give six cards suits 4 are a six-card flush, 6 × 4 × 3 a flush of five.
    assert lowest["eight_high"] == 3 * (4**6 - 4 - 6 * 4 * 3)


def hands_without_a_long_suit(joker: bool) -> Iterator[WeightedHand]:
    """One hand for each choice of ranks, standing for those of its suits that hold no flush."""
    for counts in choices_of_ranks(6 - joker):
        hand = dealt_round_the_suits(counts) + ((JOKER,) if joker else ())
        ways = prod(comb(4, held) for held in counts)
        yield hand, ways - ways_with_a_long_suit(counts, 5 - joker)


def all_hands() -> Iterator[WeightedHand]:
    """All six-card hands: where suits matter one for each renaming of them, otherwise one for each choice of ranks."""
    for joker in (False, True):
        yield from folded_hands(6, joker, least_in_one_suit=5 - joker)
        yield from hands_without_a_long_suit(joker)


def test_every_line_of_the_table_of_all_six_card_hands() -> None:
    counted = tally(all_hands(), lines_of)
    assert differences(counted, EXPECTED) == []
    assert counted["all hands"] == comb(53, 6)


def test_the_published_counts_of_six_cards_add_up_to_all_hands() -> None:
    assert sum(BY_CLASS.values()) == comb(53, 6)
    assert EXPECTED["insurance: king high or less"] == BY_CLASS["king high"] + BY_CLASS["queen high or less"]


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(domain.six_card).failed == 0
