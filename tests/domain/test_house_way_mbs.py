"""The way of Marina Bay Sands, row by row."""

import doctest
from itertools import chain
from random import Random

import pytest

import domain.house_ways.mbs
import domain.splits
from domain.cards import JOKER, Hand, parse, rank_of, show
from domain.house_ways import HouseWay, Setting, cardroom, house_way, mbs
from domain.rankings import arranged, category, five, is_foul, two
from tests.domain.hands import crowded_hands, random_hands, with_suits_renamed
from tests.domain.naive_columns import best_split

WHEELS = ["second", "lowest"]
DEALS = [*random_hands(7, 20_000, seed=65), *crowded_hands(7, 5_000, seed=66)]


def sets(cards: str, low: str, high_rank: str, wheel: str = "second") -> Setting:
    """Asserts what goes low, which of two equal ranks lies there being free, and what the high hand is."""
    setting = mbs.set_hand(parse(cards), wheel)
    assert [rank_of(card) for card in setting.low] == [rank_of(card) for card in parse(low)], show(setting.low)
    assert category(five(setting.high, wheel)) == high_rank, show(setting.high)
    assert sorted(setting.high + setting.low) == sorted(parse(cards))
    return setting


# One hand for each line of the way and for each of its exceptions.
TABLE = [
    ("five aces", "As Ad Ah Ac Jk 9d 8c", "As Ad", "three_of_a_kind"),
    ("five aces and queens", "As Ad Ah Ac Jk Qd Qc", "As Ad", "full_house"),
    ("five aces and kings", "As Ad Ah Ac Jk Kd Kc", "Kd Kc", "five_aces"),
    ("quads and trips", "9s 9d 9h 9c 4s 4d 4h", "4s 4d", "four_of_a_kind"),
    ("four aces and trips", "As Ad Ah Ac 4s 4d 4h", "4s 4d", "four_of_a_kind"),
    ("quads and a pair", "9s 9d 9h 9c 4s 4d 2c", "4s 4d", "four_of_a_kind"),
    ("four aces and a pair", "As Ad Ah Jk Qs Qd 2c", "As Ad", "two_pair"),
    ("four aces and kings", "As Ad Ah Jk Ks Kd 2c", "Ks Kd", "four_of_a_kind"),
    ("quads, low", "6s 6d 6h 6c Qs Jd 2c", "Qs Jd", "four_of_a_kind"),
    ("quads, medium", "7s 7d 7h 7c Ks Jd 2c", "7s 7d", "one_pair"),
    ("quads, medium, with an ace", "Ts Td Th Tc As Jd 2c", "As Jd", "four_of_a_kind"),
    ("quads, medium, with the joker", "Ts Td Th Tc Jk Jd 2c", "Jk Jd", "four_of_a_kind"),
    ("quads, jacks", "Js Jd Jh Jc As Kd 2c", "Js Jd", "one_pair"),
    ("quads, aces", "As Ad Ah Ac Ks Jd 2c", "As Ad", "one_pair"),
    ("two trips", "9s 9d 9h 4c 4d 4h 2c", "9s 9d", "three_of_a_kind"),
    ("full house and a pair", "9s 9d 9h 4c 4d Ks Kd", "Ks Kd", "full_house"),
    ("three aces and two pairs", "As Ad Ah 4c 4d Ks Kd", "Ks Kd", "full_house"),
    ("full house", "9s 9d 9h 4c 4d As Kd", "4c 4d", "three_of_a_kind"),
    ("full house with twos", "9s 9d 9h 2c 2d As Qd", "2c 2d", "three_of_a_kind"),
    ("full house with twos, ace-king", "9s 9d 9h 2c 2d As Kd", "As Kd", "full_house"),
    ("full house with twos, joker-king", "9s 9d 9h 2c 2d Jk Kd", "Jk Kd", "full_house"),
    ("full house of aces with twos", "As Ad Jk 2c 2d Kd Qd", "2c 2d", "three_of_a_kind"),
    ("three pairs", "Ks Kd 8c 8h 4s 4d Ac", "Ks Kd", "two_pair"),
    ("two pairs, low-low", "6s 6d 3c 3h Qs Jd 9c", "3c 3h", "one_pair"),
    ("two pairs, low-low, with a king", "6s 6d 3c 3h Ks Jd 9c", "Ks Jd", "two_pair"),
    ("two pairs, medium-low", "7s 7d 6c 6h Qs Jd 9c", "6c 6h", "one_pair"),
    ("two pairs, medium-low, with a king", "Ts Td 2c 2h Ks Jd 9c", "Ks Jd", "two_pair"),
    ("two pairs, medium-low, with the joker", "Ts Td 2c 2h Jk Jd 9c", "Jk Jd", "two_pair"),
    ("two pairs, medium-medium", "9s 9d 7c 7h Ks Jd 2c", "7c 7h", "one_pair"),
    ("two pairs, medium-medium, with an ace", "9s 9d 7c 7h As Jd 2c", "As Jd", "two_pair"),
    ("two pairs, high-low", "Ks Kd 4c 4h Qs 9d 2c", "4c 4h", "one_pair"),
    ("two pairs, jacks-low, with a king", "Js Jd 6c 6h Ks 9d 2c", "6c 6h", "one_pair"),
    ("two pairs, high-low, with an ace", "Ks Kd 4c 4h As 9d 2c", "As 9d", "two_pair"),
    ("two pairs, high-medium, with an ace", "Ks Kd 7c 7h As 9d 2c", "7c 7h", "one_pair"),
    ("two pairs, high-high, with an ace", "Ks Kd Jc Jh As 9d 2c", "Jc Jh", "one_pair"),
    ("two pairs, aces and low", "As Ad 2c 2h Ks 9d 7c", "2c 2h", "one_pair"),
    ("two pairs, aces with the joker and medium", "As Jk 9c 9h Ks 8d 2c", "9c 9h", "one_pair"),
    ("two pairs with a flush", "Ks Js 9s 5s 3s Kd 5d", "5s 5d", "one_pair"),
    ("two low pairs with a flush", "6s 4s 9s Ts 2s 6d 4d", "4s 4d", "one_pair"),
    ("two pairs with a straight and an ace", "5s 6d 7c 8h 9s 9d 5c", "5s 5c", "one_pair"),
    ("trips with a straight", "5s 6d 7c 8h 9s 9d 9c", "9s 9d", "straight"),
    ("trips with a flush", "9s 7s 5s 3s 2s 9d 9h", "9d 9h", "flush"),
    ("three aces with a straight", "As Ad Ac 2h 3s 4d 5c", "As Ad", "straight"),
    ("three aces, two of them in a straight", "As Ad Jk Kc Qh Jd 3s", "As Kc", "one_pair"),
    ("three aces, two of them in a flush", "As Ad Jk 8s 7s 3s Kd", "Ad Kd", "flush"),
    ("straight, one pair", "5s 6d 7c 8h 9s 9d Kc", "Kc 9d", "straight"),
    ("straight beside a pair", "5s 6d 7c 8h 9s Ks Kd", "Ks Kd", "straight"),
    ("flush, high pair and ace", "As Js 9s 5s 3s Jd 8c", "Jd 8c", "flush"),
    ("straight, no pair", "5s 6d 7c 8h 9s Kd Qc", "Kd Qc", "straight"),
    ("straight of seven", "4s 5d 6c 7h 8s 9d Tc", "Tc 9d", "straight"),
    ("straight and flush", "5h 6h 7h 8h 9s Kh 2c", "Kh 2c", "straight"),
    ("straight flush given up for a flush", "5h 6h 7h 8h 9h 2h 3c", "9h 3c", "flush"),
    ("three aces", "As Ad Ah Kc Jd 6s 3d", "As Kc", "one_pair"),
    ("three aces with the joker", "As Ad Jk Kc Jd 6s 3d", "As Kc", "one_pair"),
    ("three of a kind", "9s 9d 9h Kc Jd 6s 3d", "Kc Jd", "three_of_a_kind"),
    ("one pair", "9s 9d Kc Qh 6s 3d 2c", "Kc Qh", "one_pair"),
    ("no pair", "Ks Qd 9c 7h 6s 3d 2c", "Qd 9c", "high_card"),
]


@pytest.mark.parametrize(("cards", "low", "high_rank"), [line[1:] for line in TABLE], ids=[line[0] for line in TABLE])
@pytest.mark.parametrize("wheel", WHEELS)
def test_appendix_a_one_hand_for_each_line(cards: str, low: str, high_rank: str, wheel: str) -> None:
    sets(cards, low, high_rank, wheel)


@pytest.mark.parametrize("cards", [
    "Ks Kd 8c 8h 4s 4d Ac",
    "9s 9d 9h Kc Jd 6s 3d",
    "9s 9d Kc Qh 6s 3d 2c",
    "Ks Qd 9c 7h 6s 3d 2c",
])  # fmt: skip
def test_rows_that_are_not_known_are_those_of_seed_004(cards: str) -> None:
    setting, cardrooms = mbs.set_hand(parse(cards), "second"), cardroom.set_hand(parse(cards), "second")
    assert (setting.high, setting.low) == (cardrooms.high, cardrooms.low)


@pytest.mark.parametrize("cards", ["As Ad Ah Ac Jk 9d 8c", "As Ad Ah Jk Qs Qd 2c", "As Ad Jk Kc Jd 6s 3d"])
def test_the_joker_stays_high_where_an_ace_can_go_low(cards: str) -> None:
    setting = mbs.set_hand(parse(cards), "second")
    assert JOKER in setting.high


def test_rows_name_what_they_did() -> None:
    assert sets("9s 9d 9h 2c 2d As Kd", "As Kd", "full_house").rule == (
        "full house with twos, an ace and a king: kept, ace-king low"
    )
    assert sets("Js Jd 6c 6h As 9d 2c", "As 9d", "two_pair").rule == (
        "two pairs, high and low, with an ace: kept together"
    )
    rules = {mbs.set_hand(cards, "second").rule for cards in DEALS}
    assert len(rules) >= 25
    assert all(len(rule) <= 80 for rule in rules)


@pytest.mark.parametrize(("wheel", "deals"), [("second", DEALS), ("lowest", DEALS[-8_000:])], ids=WHEELS)
def test_the_way_never_sets_a_foul_hand_and_sets_all_seven_cards(wheel: str, deals: list[Hand]) -> None:
    for cards in deals:
        setting = mbs.set_hand(cards, wheel)
        assert not is_foul(setting.high, setting.low, wheel=wheel, strict=True), show(cards)
        assert (len(setting.high), len(setting.low)) == (5, 2)
        assert sorted(setting.high + setting.low) == sorted(cards)
        assert setting.high == arranged(setting.high, wheel)


@pytest.mark.parametrize("wheel", WHEELS)
def test_the_way_is_the_best_of_the_splits_that_its_row_allows(wheel: str) -> None:
    for cards in DEALS[:2_000] + DEALS[20_000:23_000]:
        setting = mbs.set_hand(cards, wheel)
        assert (two(setting.low), five(setting.high, wheel)) == best_split(cards, wheel, "mbs"), show(cards)


def test_the_order_of_the_cards_changes_nothing_and_the_suits_only_which_equals_lie_low() -> None:
    random = Random(23)
    for cards in chain(DEALS[:1_500], DEALS[20_000:22_000]):
        setting = mbs.set_hand(cards, "second")
        assert mbs.set_hand(tuple(random.sample(cards, 7)), "second") == setting, show(cards)
        renamed = mbs.set_hand(with_suits_renamed(cards, random), "second")
        assert (two(renamed.low), five(renamed.high)) == (two(setting.low), five(setting.high)), show(cards)
        assert renamed.rule == setting.rule


def test_the_way_is_found_by_the_id_that_a_sheet_names() -> None:
    way: HouseWay = mbs
    assert house_way("mbs") is way
    assert way.HAND_SIZE == 7


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(domain.house_ways.mbs).failed == 0
    assert doctest.testmod(domain.splits).failed == 0
