"""The way of the Trump Plaza: four of a kind in its own way, all else as Marina Bay Sands."""

import doctest
from random import Random

import pytest

import domain.house_ways.trump
from domain.cards import Hand, parse, rank_of, show
from domain.house_ways import HouseWay, house_way, mbs, trump
from domain.rankings import arranged, category, five, is_foul, two
from tests.domain.hands import crowded_hands, random_hands, with_suits_renamed
from tests.domain.naive_columns import best_split

WHEELS = ["second", "lowest"]
DEALS = [*random_hands(7, 20_000, seed=67), *crowded_hands(7, 5_000, seed=68)]

# One hand for each line on four of a kind, and for other lines one each.
TABLE = [
    ("quads 2 to 6", "6s 6d 6h 6c Qs Jd 2c", "Qs Jd", "four_of_a_kind"),
    ("quads 2 to 6, an ace", "2s 2d 2h 2c As Jd 9c", "As Jd", "four_of_a_kind"),
    ("quads 7 to 10", "7s 7d 7h 7c Qs Jd 2c", "7s 7d", "one_pair"),
    ("quads 7 to 10, a king", "7s 7d 7h 7c Ks Jd 2c", "Ks Jd", "four_of_a_kind"),
    ("quads 7 to 10, an ace", "Ts Td Th Tc As Jd 2c", "As Jd", "four_of_a_kind"),
    ("quads 7 to 10, the joker", "Ts Td Th Tc Jk Jd 2c", "Jk Jd", "four_of_a_kind"),
    ("quads jack to king", "Js Jd Jh Jc Ks Qd 2c", "Js Jd", "one_pair"),
    ("quads jack to king, an ace", "Ks Kd Kh Kc As Qd 2c", "As Qd", "four_of_a_kind"),
    ("quads jack to king, the joker", "Js Jd Jh Jc Jk Qd 2c", "Jk Qd", "four_of_a_kind"),
    ("quads of aces", "As Ad Ah Ac Ks Qd 2c", "As Ad", "one_pair"),
    ("quads of aces with the joker", "As Ad Ah Jk Ks Qd 2c", "As Ad", "one_pair"),
    ("quads and a pair", "9s 9d 9h 9c 4s 4d 2c", "4s 4d", "four_of_a_kind"),
    ("four aces and a pair", "As Ad Ah Jk Qs Qd 2c", "Qs Qd", "four_of_a_kind"),
    ("quads and trips", "9s 9d 9h 9c 4s 4d 4h", "4s 4d", "four_of_a_kind"),
    ("five aces and kings", "As Ad Ah Ac Jk Kd Kc", "Kd Kc", "five_aces"),
    ("full house with twos, ace-king", "9s 9d 9h 2c 2d As Kd", "As Kd", "full_house"),
    ("three aces and two pairs", "As Ad Ah 4c 4d Ks Kd", "Ks Kd", "full_house"),
    ("two pairs, medium-low, with a king", "Ts Td 2c 2h Ks Jd 9c", "Ks Jd", "two_pair"),
    ("trips with a straight", "5s 6d 7c 8h 9s 9d 9c", "9s 9d", "straight"),
    ("three aces, two of them in a straight", "As Ad Jk Kc Qh Jd 3s", "As Kc", "one_pair"),
    ("straight beside a pair", "5s 6d 7c 8h 9s Ks Kd", "Ks Kd", "straight"),
    ("flush, high pair and ace", "As Js 9s 5s 3s Jd 8c", "Jd 8c", "flush"),
]


@pytest.mark.parametrize(("cards", "low", "high_rank"), [line[1:] for line in TABLE], ids=[line[0] for line in TABLE])
@pytest.mark.parametrize("wheel", WHEELS)
def test_the_list_one_hand_for_each_line(cards: str, low: str, high_rank: str, wheel: str) -> None:
    setting = trump.set_hand(parse(cards), wheel)
    assert [rank_of(card) for card in setting.low] == [rank_of(card) for card in parse(low)], show(setting.low)
    assert category(five(setting.high, wheel)) == high_rank, show(setting.high)


def test_four_of_a_kind_apart_the_way_is_that_of_marina_bay_sands() -> None:
    for cards in DEALS[-10_000:]:
        ranks = [rank_of(card) for card in cards]
        if max(map(ranks.count, ranks)) != 4:
            assert trump.set_hand(cards, "second") == mbs.set_hand(cards, "second")


@pytest.mark.parametrize(("wheel", "deals"), [("second", DEALS), ("lowest", DEALS[-8_000:])], ids=WHEELS)
def test_the_way_never_sets_a_foul_hand_and_sets_all_seven_cards(wheel: str, deals: list[Hand]) -> None:
    for cards in deals:
        setting = trump.set_hand(cards, wheel)
        assert not is_foul(setting.high, setting.low, wheel=wheel, strict=True), show(cards)
        assert (len(setting.high), len(setting.low)) == (5, 2)
        assert sorted(setting.high + setting.low) == sorted(cards)
        assert setting.high == arranged(setting.high, wheel)


@pytest.mark.parametrize("wheel", WHEELS)
def test_the_way_is_the_best_of_the_splits_that_its_row_allows(wheel: str) -> None:
    for cards in DEALS[:1_000] + DEALS[20_000:23_000]:
        setting = trump.set_hand(cards, wheel)
        assert (two(setting.low), five(setting.high, wheel)) == best_split(cards, wheel, "trump"), show(cards)


def test_the_order_of_the_cards_changes_nothing() -> None:
    random = Random(24)
    for cards in DEALS[20_000:24_000]:
        setting = trump.set_hand(cards, "second")
        assert trump.set_hand(tuple(random.sample(cards, 7)), "second") == setting, show(cards)
        assert trump.set_hand(with_suits_renamed(cards, random), "second").rule == setting.rule, show(cards)


def test_the_way_is_found_by_the_id_that_a_sheet_names() -> None:
    way: HouseWay = trump
    assert house_way("trump") is way
    assert way.HAND_SIZE == 7


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(domain.house_ways.trump).failed == 0
