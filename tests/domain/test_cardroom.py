"""The cardroom's house way, row by row: seed 004, appendix 1, and what ruling R19 adds to it."""

import doctest
from itertools import chain
from random import Random

import pytest

import domain.house_ways.cardroom
from domain.cards import parse, rank_of, show
from domain.house_ways import HouseWay, Setting, cardroom, house_way, house_way_ids
from domain.rankings import arranged, category, five, is_foul, two
from tests.domain.hands import crowded_hands, random_hands, with_suits_renamed
from tests.domain.naive_house_way import best_split


def sets(cards: str, low: str, high_rank: str, wheel: str = "second") -> Setting:
    """Asserts what goes low, which of two equal ranks lies there being free, and what the high hand is."""
    setting = cardroom.set_hand(parse(cards), wheel)
    assert [rank_of(card) for card in setting.low] == [rank_of(card) for card in parse(low)], show(setting.low)
    assert category(five(setting.high, wheel)) == high_rank, show(setting.high)
    assert sorted(setting.high + setting.low) == sorted(parse(cards))
    return setting


def sets_exactly(cards: str, low: str, high: str, wheel: str = "second") -> None:
    """Asserts both hands as they are read, card by card."""
    setting = cardroom.set_hand(parse(cards), wheel)
    assert (show(setting.high), show(setting.low)) == (high, low)


# One hand for each line of the sheet, each exception and each gap that R19 fills.
TABLE = [
    ("no pair", "Ks Qd 9c 7h 6s 3d 2c", "Qd 9c", "high_card"),
    ("one pair", "9s 9d Kc Qh 6s 3d 2c", "Kc Qh", "one_pair"),
    ("two pairs, low-low", "6s 6d 3c 3h Ks Qd 9c", "Ks Qd", "two_pair"),
    ("two pairs, high-low", "Ks Kd 4c 4h Qs 9d 2c", "4c 4h", "one_pair"),
    ("two pairs, high-low, ace", "Ks Kd 4c 4h As 9d 2c", "As 9d", "two_pair"),
    ("two pairs, medium-medium", "9s 9d 7c 7h Ks Qd 2c", "7c 7h", "one_pair"),
    ("two pairs, medium-medium, ace", "9s 9d 7c 7h As Kd 2c", "As Kd", "two_pair"),
    ("two pairs, medium-low, joker", "9s 9d 4c 4h Jk Qd 2c", "Jk Qd", "two_pair"),
    ("two pairs, high-high", "Ks Kd Jc Jh As 9d 2c", "Jc Jh", "one_pair"),
    ("two pairs, high-medium", "Ks Kd 8c 8h As 9d 2c", "8c 8h", "one_pair"),
    ("two pairs, aces-low", "As Ad 4c 4h Ks 9d 2c", "4c 4h", "one_pair"),
    ("three pairs", "Ks Kd 8c 8h 4s 4d Ac", "Ks Kd", "two_pair"),
    ("three of a kind", "9s 9d 9h Kc Jd 6s 3d", "Kc Jd", "three_of_a_kind"),
    ("three aces", "As Ad Ah Kc Jd 6s 3d", "As Kc", "one_pair"),
    ("three aces with the joker", "As Ad Jk Kc Jd 6s 3d", "As Kc", "one_pair"),
    ("full house", "9s 9d 9h 4c 4d Ks 2d", "4c 4d", "three_of_a_kind"),
    ("full house with a pair", "9s 9d 9h 4c 4d Ks Kd", "Ks Kd", "full_house"),
    ("three aces with two pairs", "As Ad Ah 4c 4d Ks Kd", "As Ad", "two_pair"),
    ("full house of aces", "As Ad Ah 4c 4d Ks 2d", "4c 4d", "three_of_a_kind"),
    ("straight, no pair", "5s 6d 7c 8h 9s Kd Qc", "Kd Qc", "straight"),
    ("straight of seven", "4s 5d 6c 7h 8s 9d Tc", "Tc 9d", "straight"),
    ("straight, one pair", "5s 6d 7c 8h 9s 9d Kc", "Kc 9d", "straight"),
    ("straight, one pair beside it", "5s 6d 7c 8h 9s Ks Kd", "Ks Kd", "straight"),
    ("flush, high pair and ace", "As Js 9s 5s 3s Jd 8c", "As 9s", "one_pair"),
    ("flush, medium pair and ace", "As Ts 9s 5s 3s Td 8c", "Td 8c", "flush"),
    ("straight and flush", "5h 6h 7h 8h 9s Kh 2c", "Kh 2c", "straight"),
    ("flush, two pairs given up", "Ks Js 9s 5s 3s Kd Jd", "Js Jd", "one_pair"),
    ("flush, two pairs under 7", "6s 4s 9s Ts 2s 6d 4d", "6d 4d", "flush"),
    ("straight, two pairs given up", "5s 6d 7c 8h 9s 9d 5c", "5s 5c", "one_pair"),
    ("straight, two pairs, ace low", "Ts Jd Qc Kh As Ad Qd", "Ad Qd", "straight"),
    ("quads, low", "5s 5d 5h 5c Ks Jd 2c", "Ks Jd", "four_of_a_kind"),
    ("quads, medium", "9s 9d 9h 9c Ks Jd 2c", "9s 9d", "one_pair"),
    ("quads, medium, ace", "9s 9d 9h 9c As Jd 2c", "As Jd", "four_of_a_kind"),
    ("quads, high", "Ks Kd Kh Kc As Jd 2c", "Ks Kd", "one_pair"),
    ("quads with a pair", "9s 9d 9h 9c 4s 4d 2c", "4s 4d", "four_of_a_kind"),
    ("four aces with a pair", "As Ad Ah Ac 4s 4d 2c", "As Ad", "two_pair"),
    ("two trips", "9s 9d 9h 4c 4d 4h 2c", "9s 9d", "three_of_a_kind"),
    ("quads with trips", "9s 9d 9h 9c 4s 4d 4h", "4s 4d", "four_of_a_kind"),
    ("five aces", "As Ad Ah Ac Jk 9d 8c", "As Ad", "three_of_a_kind"),
    ("five aces and kings", "As Ad Ah Ac Jk Ks Kd", "Ks Kd", "five_aces"),
    ("straight with trips", "5s 6d 7c 8h 9s 9d 9c", "9s 9d", "straight"),
    ("flush with trips", "9s 7s 5s 3s 2s 9d 9h", "9d 9h", "flush"),
    ("quads of aces with a royal flush", "As Ad Ah Jk Ks Qs Js", "Ad Ah", "royal_flush"),
    ("three pairs with a straight", "As Jk Ks Kd Qh Qc Jd", "As Jk", "two_pair"),
    ("straight flush", "5h 6h 7h 8h 9h Th 2c", "Th 2c", "straight_flush"),
]


@pytest.mark.parametrize(("cards", "low", "high_rank"), [line[1:] for line in TABLE], ids=[line[0] for line in TABLE])
@pytest.mark.parametrize("wheel", ["second", "lowest"])
def test_seed_004_appendix_1_and_R19_one_hand_for_each_line(cards: str, low: str, high_rank: str, wheel: str) -> None:
    sets(cards, low, high_rank, wheel)


def test_seed_004_appendix_1_no_pair_highest_card_high_and_the_next_two_low() -> None:
    sets_exactly("2c Ks 9c Qd 7h 3d 6s", low="Qd 9c", high="Ks 7h 6s 3d 2c")
    sets_exactly("2c Jk 9c Kd 7h 3d 6s", low="Kd 9c", high="Jk 7h 6s 3d 2c")


def test_seed_004_appendix_1_one_pair_high_and_the_next_two_low() -> None:
    sets_exactly("2c 9d Kc 9s 6s 3d Qh", low="Kc Qh", high="9s 9d 6s 3d 2c")
    sets_exactly("2c Ad Kc Jk 6s 9d Qh", low="Kc Qh", high="Ad Jk 9d 6s 2c")


@pytest.mark.parametrize("pair", ["2s 2d 3c 3h", "6s 6d 5c 5h"])
def test_seed_004_appendix_1_two_low_pairs_always_stay_together(pair: str) -> None:
    sets(f"{pair} Ks Qd 9c", "Ks Qd", "two_pair")
    sets(f"{pair} As Qd 9c", "As Qd", "two_pair")
    sets(f"{pair} 8s Td 9c", "Td 9c", "two_pair")


@pytest.mark.parametrize(("higher", "lower"), [("J", "2"), ("K", "6"), ("7", "6"), ("T", "2"), ("T", "7"), ("8", "7")])
def test_seed_004_appendix_1_high_low_and_medium_pairs_split_unless_an_ace_goes_low(higher: str, lower: str) -> None:
    pairs = f"{higher}s {higher}d {lower}c {lower}h"
    sets(f"{pairs} Qs 9d 3c", f"{lower}c {lower}h", "one_pair")
    sets(f"{pairs} As 9d 3c", "As 9d", "two_pair")
    sets(f"{pairs} Jk 9d 3c", "Jk 9d", "two_pair")


@pytest.mark.parametrize(("higher", "lower"), [("J", "7"), ("K", "T"), ("Q", "J"), ("K", "J")])
def test_seed_004_appendix_1_a_high_pair_with_a_high_or_medium_one_always_splits(higher: str, lower: str) -> None:
    pairs = f"{higher}s {higher}d {lower}c {lower}h"
    sets(f"{pairs} As 5d 3c", f"{lower}c {lower}h", "one_pair")
    sets(f"{pairs} Jk 5d 3c", f"{lower}c {lower}h", "one_pair")


def test_seed_004_appendix_1_a_pair_of_aces_is_a_high_pair_and_leaves_no_ace_for_the_low_hand() -> None:
    sets("As Jk 4c 4h Ks 9d 2c", "4c 4h", "one_pair")
    sets("As Ad Kc Kh Qs 9d 2c", "Kc Kh", "one_pair")


def test_seed_004_appendix_1_three_pairs_highest_pair_low() -> None:
    sets_exactly("8c Ks 4s 8h Kd 4d Ac", low="Ks Kd", high="8h 8c 4s 4d Ac")
    sets("Ks Kd 8c 8h As Ad 2c", "As Ad", "two_pair")


def test_seed_004_appendix_1_three_of_a_kind_stays_high() -> None:
    sets_exactly("9s 2d 9h Ac Kd 6s 9d", low="Ac Kd", high="9s 9h 9d 6s 2d")


def test_seed_004_appendix_1_three_aces_two_high_and_one_low() -> None:
    sets_exactly("Ah Kc Jd Jk 6s 3d As", low="Ah Kc", high="As Jk Jd 6s 3d")


def test_seed_004_appendix_1_full_house_the_pair_low_whatever_the_rest() -> None:
    sets("2s 2d Kc Kh Ks As Qd", "2s 2d", "three_of_a_kind")
    sets("As Ad 3c 3h 3s Kd Qd", "As Ad", "three_of_a_kind")
    sets("As Ad Jk 3h 3s Kd Qd", "3h 3s", "three_of_a_kind")


def test_seed_004_appendix_1_full_house_with_a_pair_the_higher_pair_low() -> None:
    sets("9s 9d 9h 4c 4d Kd Ks", "Ks Kd", "full_house")
    sets("2s 2d 2h 4c 4d As Jk", "As Jk", "full_house")


def test_seed_004_appendix_1_three_aces_with_two_pairs_a_pair_of_aces_low_and_two_pairs_high() -> None:
    sets_exactly("4d Ks Ad Jk Kd 4c As", low="As Ad", high="Ks Kd 4d 4c Jk")


def test_seed_004_appendix_1_straight_or_flush_without_a_pair_stays_high() -> None:
    sets("2s 3d 4c 5h 6s Kd Qc", "Kd Qc", "straight")
    sets("2s 7s 4s 5s 9s Kd Qc", "Kd Qc", "flush")


def test_R19_of_several_straights_or_flushes_the_best_low_hand_that_keeps_one() -> None:
    sets_exactly("4s 5d 6c 7h 8s 9d Tc", low="Tc 9d", high="8s 7h 6c 5d 4s")
    sets_exactly("2s 4s 6s 8s Ts Qs Ks", low="Ks Qs", high="Ts 8s 6s 4s 2s")
    sets("As Ks Qd Jc Th 9s 8d", "As Ks", "straight")


def test_seed_004_appendix_1_straight_and_flush_the_one_with_the_higher_low_hand() -> None:
    sets_exactly("5h 6h 7h 8h 9s Kh 2c", low="Kh 2c", high="9s 8h 7h 6h 5h")
    sets_exactly("5s 6h 7h 8h 9h 2h Kc", low="Kc 5s", high="9h 8h 7h 6h 2h")


def test_R19_a_straight_flush_may_be_broken_for_a_plain_flush_with_a_better_low_hand() -> None:
    sets_exactly("5h 6h 7h 8h 9h 2h 3c", low="9h 3c", high="8h 7h 6h 5h 2h")
    sets_exactly("5h 6h 7h 8h 9h Th 2c", low="Th 2c", high="9h 8h 7h 6h 5h")
    sets_exactly("As Ks Qs Js Ts 9s 2d", low="As 2d", high="Ks Qs Js Ts 9s")


def test_R19_among_equal_low_hands_the_best_high_hand() -> None:
    sets_exactly("9h 8h 7h 6h 5h 9c 2d", low="9c 2d", high="9h 8h 7h 6h 5h")
    sets_exactly("Jk 9c 9s 8s 7s 6s 2d", low="9c 2d", high="Jk 9s 8s 7s 6s")


def test_R19_the_joker_completes_what_is_kept_or_is_the_ace_of_the_low_hand() -> None:
    sets_exactly("5s 6d 7c 8h Jk Kd Qc", low="Kd Qc", high="Jk 8h 7c 6d 5s")
    sets_exactly("5s 6d 7c 8h 9d Jk Kd", low="Jk Kd", high="9d 8h 7c 6d 5s")


def test_seed_004_appendix_1_straight_or_flush_with_one_pair_is_kept() -> None:
    sets("5s 6d 7c 8h 9s Ks Kd", "Ks Kd", "straight")
    sets("5s 6d 7c 8h 9s 5d 2c", "5d 2c", "straight")
    sets("Ks Js 9s 5s 3s Kd 8c", "Kd 8c", "flush")


@pytest.mark.parametrize("pair", ["J", "Q", "K"])
def test_R19_a_high_pair_and_an_ace_that_cannot_both_be_kept_ace_low_and_the_pair_high(pair: str) -> None:
    sets(f"As {pair}s 9s 5s 3s {pair}d 8c", "As 9s", "one_pair")
    sets(f"Jk {pair}s 9s 5s 3s {pair}d 8c", "Jk 9s", "one_pair")


def test_R19_the_best_other_single_goes_low_with_the_ace() -> None:
    sets_exactly("As Js 9s 5s 3s Jd Kc", low="As Kc", high="Js Jd 9s 5s 3s")


def test_seed_004_appendix_1_the_exception_needs_a_high_pair() -> None:
    sets("As Ts 9s 5s 3s Td 8c", "Td 8c", "flush")


def test_seed_004_appendix_1_the_exception_needs_an_ace() -> None:
    sets("Ks Js 9s 5s 3s Jd 8c", "Jd 8c", "flush")


def test_seed_004_appendix_1_the_exception_is_for_what_leaves_neither_ace_nor_pair_low() -> None:
    sets("Ac Js 9s 5s 3s Jd 2s", "Ac Jd", "flush")
    sets("As Ts 9s 5s 3s Jc Jd", "Jc Jd", "flush")


def test_R19_the_exception_does_not_mean_a_pair_of_aces() -> None:
    sets("As Ks 9s 5s 3s Ad 8c", "Ad 8c", "flush")
    sets("Ac Jk 9s 5s 3s 2s 8d", "Ac 8d", "flush")
    sets("9d 8c 7h 6s Jk Ad 2c", "Ad 2c", "straight")


def test_seed_004_appendix_1_straight_or_flush_with_two_pairs_is_kept_if_a_pair_or_an_ace_can_go_low() -> None:
    sets("Ts Jd Qc Kh As Ad Qd", "Ad Qd", "straight")
    sets("As 9s 7s 4s 2s 9d 4d", "As 7s", "two_pair")
    sets("6s 5d 4c 3h 2s Ks Kd", "Ks Kd", "straight")
    sets("Jk 8d 7c 6h 5s Ad 8s", "Ad 8d", "straight")
    sets("Qs Js 9s 5s Jk Qd Jd", "Js Jd", "one_pair")


def test_seed_004_appendix_1_else_the_two_pair_rule_sets_a_straight_or_flush_with_two_pairs() -> None:
    sets("Ks Js 9s 5s 3s Kd Jd", "Js Jd", "one_pair")
    sets("5s 6d 7c 8h 9s 9d 5c", "5s 5c", "one_pair")
    sets("As 9s 7s 4s 2s 9d 4d", "As 7s", "two_pair")


def test_seed_004_appendix_1_two_pairs_under_7_keep_the_straight_or_flush() -> None:
    sets("6s 4s 9s Ts 2s 6d 4d", "6d 4d", "flush")
    sets("2s 3d 4c 5h 6s 6d 5c", "6d 5c", "straight")
    sets("7s 4s 9s Ts 2s 7d 4d", "4s 4d", "one_pair")


def test_R19_trips_with_a_straight_or_flush_a_pair_of_the_three_low() -> None:
    sets("5s 6d 7c 8h 9s 9d 9c", "9s 9d", "straight")
    sets("As Ad Ac 2h 3s 4d 5c", "As Ad", "straight")
    sets("As Ad Jk 8h 7s 6d 5c", "As Ad", "straight")


def test_R19_trips_that_the_straight_or_flush_needs_two_of_the_best_low_that_keeps_it() -> None:
    sets("As Ad Jk 8s 7s 3s Kd", "Ad Kd", "flush")


def test_R19_two_trips_the_lower_high_and_a_pair_of_the_higher_low() -> None:
    sets("9s 9d 9h 4c 4d 4h 2c", "9s 9d", "three_of_a_kind")
    sets("As Ad Jk 4c 4d 4h 2c", "As Ad", "three_of_a_kind")


@pytest.mark.parametrize("rank", ["2", "6"])
def test_seed_004_appendix_1_four_of_a_kind_2_to_6_stays_together(rank: str) -> None:
    sets(f"{rank}s {rank}d {rank}h {rank}c Ks Jd 9c", "Ks Jd", "four_of_a_kind")


@pytest.mark.parametrize("rank", ["7", "T"])
def test_seed_004_appendix_1_four_of_a_kind_7_to_10_splits_unless_an_ace_goes_low(rank: str) -> None:
    quads = f"{rank}s {rank}d {rank}h {rank}c"
    sets(f"{quads} Ks Jd 2c", f"{rank}s {rank}d", "one_pair")
    sets(f"{quads} As Jd 2c", "As Jd", "four_of_a_kind")
    sets(f"{quads} Jk Jd 2c", "Jk Jd", "four_of_a_kind")


@pytest.mark.parametrize("rank", ["J", "Q", "K"])
def test_seed_004_appendix_1_four_of_a_kind_jack_to_ace_always_splits(rank: str) -> None:
    sets(f"{rank}s {rank}d {rank}h {rank}c As 9d 2c", f"{rank}s {rank}d", "one_pair")


def test_seed_004_appendix_1_four_aces_always_split_the_joker_among_them() -> None:
    sets("As Ad Ah Ac 9s 8h 2c", "As Ad", "one_pair")
    sets("As Ad Ah Jk 9s 8h 2c", "As Ad", "one_pair")


def test_seed_004_appendix_1_four_of_a_kind_with_a_pair_the_pair_low() -> None:
    sets("Ks Kd Kh Kc 2s 2d Ac", "2s 2d", "four_of_a_kind")
    sets("9s 9d 9h 9c As Jk 2c", "As Jk", "four_of_a_kind")


def test_seed_004_appendix_1_four_aces_with_a_pair_a_pair_of_aces_low_and_two_pairs_high() -> None:
    sets_exactly("4s As Ad 4d Ah Jk 2c", low="Ah Ad", high="As Jk 4s 4d 2c")


def test_R19_four_of_a_kind_with_trips_a_pair_of_the_trips_low() -> None:
    sets("9s 9d 9h 9c 4s 4d 4h", "4s 4d", "four_of_a_kind")
    sets("As Ad Ah Jk Ks Kd Kh", "Ks Kd", "four_of_a_kind")
    sets("As Ad Jk 4c 4s 4d 4h", "As Ad", "four_of_a_kind")


def test_R19_five_aces_three_high_and_two_low_unless_kings_are_held() -> None:
    sets("As Ad Ah Ac Jk 9d 8c", "As Ad", "three_of_a_kind")
    sets("As Ad Ah Ac Jk Qd Qc", "As Ad", "full_house")
    sets("As Ad Ah Ac Jk Kd Qc", "As Ad", "three_of_a_kind")
    sets("As Ad Ah Ac Jk Kd Kc", "Kd Kc", "five_aces")


def test_R19_the_order_of_the_rows_four_aces_with_a_royal_flush_are_four_of_a_kind() -> None:
    setting = sets("As Ad Ah Jk Ks Qs Js", "Ad Ah", "royal_flush")
    assert setting.rule == "four of a kind, high: split"


def test_R19_the_order_of_the_rows_three_pairs_with_a_straight_are_three_pairs() -> None:
    setting = sets("As Jk Ks Kd Qh Qc Jd", "As Jk", "two_pair")
    assert setting.rule == "three pairs: the highest low"


def test_R19_the_order_of_the_rows_a_full_house_with_a_straight_is_a_full_house() -> None:
    setting = sets("As Ad Jk Ks Kd Qc Jd", "Ks Kd", "three_of_a_kind")
    assert setting.rule == "full house: the pair low"


def test_R7_the_house_way_keeps_the_wheel_wherever_it_ranks() -> None:
    sets("As 2d 3c 4h 5s Kd Qc", "Kd Qc", "straight", "second")
    sets("As 2d 3c 4h 5s Kd Qc", "Kd Qc", "straight", "lowest")


def test_R7_where_the_wheel_is_lowest_the_joker_stays_high_as_a_six_and_the_ace_goes_low() -> None:
    for wheel in ("second", "lowest"):
        sets_exactly("As Jk 2d 3c 4h 5s Kd", low="As Kd", high="Jk 5s 4h 3c 2d", wheel=wheel)


DEALS = [*random_hands(7, 20_000, seed=4), *crowded_hands(7, 10_000, seed=19)]


@pytest.mark.parametrize("wheel", ["second", "lowest"])
def test_the_house_way_never_sets_a_foul_hand_and_sets_all_seven_cards(wheel: str) -> None:
    for cards in DEALS:
        setting = cardroom.set_hand(cards, wheel)
        assert not is_foul(setting.high, setting.low, wheel=wheel, strict=True), show(cards)
        assert (len(setting.high), len(setting.low)) == (5, 2)
        assert sorted(setting.high + setting.low) == sorted(cards)


@pytest.mark.parametrize("wheel", ["second", "lowest"])
def test_the_house_way_is_the_best_of_the_splits_that_its_row_allows(wheel: str) -> None:
    for cards in DEALS[:6_000] + DEALS[20_000:26_000]:
        setting = cardroom.set_hand(cards, wheel)
        assert (two(setting.low), five(setting.high, wheel)) == best_split(cards, wheel), show(cards)


def test_the_order_of_the_cards_changes_nothing_and_the_suits_only_which_equals_lie_low() -> None:
    random = Random(21)
    for cards in chain(DEALS[:2_000], DEALS[20_000:24_000]):
        setting = cardroom.set_hand(cards, "second")
        assert cardroom.set_hand(tuple(random.sample(cards, 7)), "second") == setting, show(cards)
        renamed = cardroom.set_hand(with_suits_renamed(cards, random), "second")
        assert (two(renamed.low), five(renamed.high)) == (two(setting.low), five(setting.high)), show(cards)
        assert renamed.rule == setting.rule


def test_hands_read_best_first() -> None:
    for cards in DEALS[:2_000]:
        setting = cardroom.set_hand(cards, "second")
        assert rank_of(setting.low[0]) >= rank_of(setting.low[1])
        assert setting.high == arranged(setting.high)


def test_every_row_comes_up_and_names_what_it_did() -> None:
    rules = {cardroom.set_hand(cards, "second").rule for cards in DEALS}
    # The rows with their exceptions, the two pair rule once for each pairing of sizes.
    assert len(rules) == 33
    assert all(len(rule) <= 80 for rule in rules)


def test_a_house_way_is_found_by_the_id_that_a_sheet_names() -> None:
    way: HouseWay = cardroom
    assert house_way("cardroom") is way
    assert way.HAND_SIZE == 7
    assert "cardroom" in house_way_ids()
    assert list(house_way_ids()) == sorted(house_way_ids())


def test_a_house_way_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        house_way("boardroom")


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(domain.house_ways.cardroom).failed == 0
