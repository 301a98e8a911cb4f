"""The dealer of Six-Card Fortune, paragraph by paragraph: 670a.11(d)(1) to (6), with rulings R3 and R4."""

import doctest
from random import Random

import pytest

import domain.house_ways.pa_670a_11_d
from domain.cards import JOKER, Card, Hand, parse, rank_of, show
from domain.house_ways import HouseWay, house_way, pa_670a_11_d
from domain.rankings import arranged, category, five
from domain.six_card import is_foul, one
from tests.domain.hands import crowded_hands, random_hands, with_suits_renamed
from tests.domain.naive import CATEGORIES_RISING, worth_of_five

# The dealer's cards, the low card (which of two equal ranks lies there is free), the high hand's rank, the paragraph.
TABLE = [
    ("9s 9d 9h 5c 5d 5s", "9h", "full_house", "(d)(1)(i)"),
    ("As Ad 7h 7c 3s 3d", "Ad", "two_pair", "(d)(1)(ii)"),
    ("4s 5d 6c 7h 8s 9d", "9d", "straight", "(d)(2)"),
    ("As 2d 3c 4h 5s 6d", "As", "straight", "(d)(2)"),
    ("Kh Jh 9h 6h 4h 2h", "Kh", "flush", "(d)(2)"),
    ("4h 5h 6h 7h 8s Kh", "8s", "flush", "(d)(3)"),
    ("5h 6h 7h 8h 9h Kh", "Kh", "straight_flush", "(d)(5)"),
    ("5h 6h 7h 8h 9h Th", "Th", "straight_flush", "(d)(2)"),
    ("4s 5d 6c 7h 8s Jk", "Jk", "straight", "(d)(2)"),
    ("Ah Kh Qh Jh Th 9h", "Ah", "straight_flush", "(d)(2)"),
    ("4s 5d 6c 7h 8s 8d", "8d", "straight", "(d)(1)"),
    ("9s 9d 9h 9c 4s 4d", "4d", "four_of_a_kind", "(d)(1)"),
    ("Ks Qd 9c 7h 4s 2d", "Qd", "high_card", "(d)(6)"),
    ("9s 9d 9h Ac 5d 2s", "Ac", "three_of_a_kind", "(d)(1)"),
    ("Jk Kd 9c 7h 4s 2d", "Kd", "high_card", "(d)(6)"),
    ("9s 9d Kc 7h 4s 2d", "Kc", "one_pair", "(d)(1)"),
    ("9s 9d 4c 4h As 2d", "As", "two_pair", "(d)(1)"),
    ("9s 9d 9h 4c 4d As", "As", "full_house", "(d)(1)"),
    ("4s 5d Jk 7h 8s 9d", "9d", "straight", "(d)(2)"),
    ("Kh Jh 9h 6h 4h Jk", "Jk", "flush", "(d)(2)"),
    ("4s 5d 6c 7h 9s 9d", "7h", "one_pair", "(d)(1)"),
    ("5h 6h 7h 8h 9h Ts", "Ts", "straight_flush", "(d)(4)"),
    ("As Ad Ah Ac Jk 9d", "9d", "five_aces", "(d)(1)"),
    ("9s 9d 9h 9c As 4d", "As", "four_of_a_kind", "(d)(1)"),
    # Beyond one hand for each rule: what the joker, overlaps and other straight flushes do.
    ("4h 6h 8h Th Qh Qs", "Qs", "flush", "(d)(1)"),
    ("As Kh Qh Jh Th 9h", "As", "straight_flush", "(d)(4)"),
    ("As Ks Qs Js Ts 2d", "2d", "royal_flush", "(d)(1)"),
    ("As Ks Qs Js Ts 2s", "2s", "royal_flush", "(d)(5)"),
    ("As Ks Qs Js Jk 2d", "2d", "royal_flush", "(d)(1)"),
    ("4h 5h 6h 7h Kh Jk", "Kh", "straight_flush", "(d)(5)"),
    ("4h 5h 6h 7h Ks Jk", "Ks", "straight_flush", "(d)(1)"),
    ("As Ad Ah Jk 4s 4d", "4d", "four_of_a_kind", "(d)(1)"),
    ("4s 4d 4h 4c As Jk", "Jk", "four_of_a_kind", "(d)(1)"),
    ("As Ad Jk 9c 7d 2h", "9c", "three_of_a_kind", "(d)(1)"),
    ("As Jk 9c 9d Kd 2h", "Kd", "two_pair", "(d)(1)"),
    ("As Jk 9c 8d 6d 2h", "9c", "one_pair", "(d)(1)"),
    ("As Ad Jk 9c 9d 2h", "2h", "full_house", "(d)(1)"),
    ("As Ad Jk Kd Qc Jh", "Ad", "straight", "(d)(1)"),
    ("As 2d 3c 4h 5s Kd", "Kd", "straight", "(d)(1)"),
    ("As 2d 3c 4h Jk Kd", "Kd", "straight", "(d)(1)"),
]
WHEELS = ["second", "lowest"]
DEALS = [*random_hands(6, 20_000, seed=670), *crowded_hands(6, 5_000, seed=611)]


def sets_exactly(cards: str, low: str, high: str, wheel: str = "second") -> None:
    """Asserts both hands as they are read, card by card."""
    setting = pa_670a_11_d.set_hand(parse(cards), wheel)
    assert (show(setting.high), show(setting.low)) == (high, low)


@pytest.mark.parametrize(("cards", "low", "high_rank", "paragraph"), TABLE)
@pytest.mark.parametrize("wheel", WHEELS)
def test_670a_11_d_one_hand_for_each_rule(cards: str, low: str, high_rank: str, paragraph: str, wheel: str) -> None:
    setting = pa_670a_11_d.set_hand(parse(cards), wheel)
    assert [height(card) for card in setting.low] == [height(card) for card in parse(low)], show(setting.low)
    assert category(five(setting.high, wheel)) == high_rank, show(setting.high)
    assert setting.rule.startswith(f"{paragraph} "), setting.rule


def test_670a_11_d_1_i_the_lower_of_two_trips_stays_whole_beside_a_pair_of_the_higher() -> None:
    sets_exactly("9s 5c 9d 5d 9h 5s", low="9d", high="5s 5d 5c 9s 9h")


def test_670a_11_d_1_ii_of_three_pairs_the_two_lower_are_high() -> None:
    sets_exactly("As Ad 7h 7c 3s 3d", low="Ad", high="7h 7c 3s 3d As")


def test_670a_11_d_2_the_lowest_five_of_a_six_card_hand_are_high() -> None:
    sets_exactly("4s 9d 5d 6c 7h 8s", low="9d", high="8s 7h 6c 5d 4s")
    sets_exactly("Kh Jh 9h 6h 4h 2h", low="Kh", high="Jh 9h 6h 4h 2h")
    sets_exactly("5h 6h 7h 8h 9h Th", low="Th", high="9h 8h 7h 6h 5h")


def test_670a_11_d_5_the_straight_flush_of_a_six_card_flush_is_high_even_if_a_higher_card_could_go_low() -> None:
    sets_exactly("Ah 2h 3h 4h 5h Kh", low="Kh", high="Ah 5h 4h 3h 2h")


def test_670a_11_d_6_without_a_set_the_second_highest_card_goes_low() -> None:
    sets_exactly("9c Ks 2d Qd 7h 4s", low="Qd", high="Ks 9c 7h 4s 2d")
    sets_exactly("9c Jk 2d Kd 7h 4s", low="Kd", high="Jk 9c 7h 4s 2d")


def test_R3_within_a_category_the_highest_low_card() -> None:
    sets_exactly("4s 6d 7c 8h Ts Jk", low="Ts", high="8h 7c 6d Jk 4s")
    sets_exactly("Ks Qs Js Ts 8s Jk", low="Ks", high="Qs Js Ts Jk 8s")


def test_a_royal_flush_is_a_straight_flush_among_others_and_given_up_for_a_higher_low_card() -> None:
    sets_exactly("As Qs Js Ts 8s Jk", low="As", high="Qs Js Ts Jk 8s")
    sets_exactly("Ah Kh Qh Jh Th 9h", low="Ah", high="Kh Qh Jh Th 9h")


@pytest.mark.parametrize("wheel", WHEELS)
def test_R4_ace_to_six_is_six_high_with_the_ace_low_wherever_the_wheel_ranks(wheel: str) -> None:
    sets_exactly("As 2d 3c 4h 5s 6d", low="As", high="6d 5s 4h 3c 2d", wheel=wheel)
    sets_exactly("Ah 2h 3h 4h 5h 6h", low="Ah", high="6h 5h 4h 3h 2h", wheel=wheel)
    sets_exactly("As 2d 3c Jk 5s 6d", low="As", high="6d 5s Jk 3c 2d", wheel=wheel)


def test_R4_a_joker_beside_five_consecutive_or_suited_cards_goes_low() -> None:
    sets_exactly("2d 3c 4h 5s 6d Jk", low="Jk", high="6d 5s 4h 3c 2d")
    sets_exactly("As 2d 3c 4h 5s Jk", low="Jk", high="As 5s 4h 3c 2d")
    sets_exactly("2s 5s 7s 9s As Jk", low="Jk", high="As 9s 7s 5s 2s")
    sets_exactly("5h 6h 7h 8h 9h Jk", low="Jk", high="9h 8h 7h 6h 5h")


def test_the_joker_goes_low_rather_than_an_ace() -> None:
    sets_exactly("As Ad Jk Kc Kd Kh", low="Jk", high="Kh Kd Kc As Ad")
    sets_exactly("As Kd Qc Jh Ts Jk", low="Jk", high="As Kd Qc Jh Ts")
    sets_exactly("As Ks Qs Js Ts Jk", low="Jk", high="As Ks Qs Js Ts")
    sets_exactly("As Jk Kc Kd Qh Qs", low="Jk", high="Kd Kc Qs Qh As")


def test_a_straight_flush_comes_before_a_joker_beside_five_consecutive_cards() -> None:
    sets_exactly("4h 5h 6h 7h 8s Jk", low="8s", high="Jk 7h 6h 5h 4h")


def height(card: Card) -> tuple[int, bool]:
    """A card's rank, the joker above the aces."""
    return rank_of(card), card == JOKER


def plain_low(cards: Hand, wheel: str) -> tuple[int, bool]:
    """A second reading: the highest category that five cards make, in it the highest low card (R3); else (d)(6)."""
    by_category: dict[int, list[Card]] = {}
    for low in cards:
        made = worth_of_five([card for card in cards if card != low], wheel)[0]
        # A royal flush is a straight flush here (six-card rows).
        made -= CATEGORIES_RISING[made] == "royal_flush"
        by_category.setdefault(made, []).append(low)
    top = max(by_category)
    if top == 0:
        return sorted(map(height, cards))[-2]
    return max(map(height, by_category[top]))


@pytest.mark.parametrize("wheel", WHEELS)
def test_R3_the_highest_category_then_the_highest_low_card_as_a_plain_second_reading_has_it(wheel: str) -> None:
    for cards in DEALS[:2_000] + DEALS[20_000:21_500]:
        (low,) = pa_670a_11_d.set_hand(cards, wheel).low
        assert height(low) == plain_low(cards, wheel), show(cards)


@pytest.mark.parametrize(("wheel", "deals"), [("second", DEALS), ("lowest", DEALS[-8_000:])], ids=WHEELS)
def test_the_dealer_never_sets_a_foul_hand_and_sets_all_six_cards(wheel: str, deals: list[Hand]) -> None:
    for cards in deals:
        setting = pa_670a_11_d.set_hand(cards, wheel)
        assert not is_foul(setting.high, setting.low, wheel=wheel, strict=True), show(cards)
        assert (len(setting.high), len(setting.low)) == (5, 1)
        assert sorted(setting.high + setting.low) == sorted(cards)
        assert setting.high == arranged(setting.high, wheel)


def test_the_order_of_the_cards_changes_nothing_and_the_suits_only_which_equals_lie_low() -> None:
    random = Random(22)
    for cards in (*DEALS[:2_000], *DEALS[20_000:23_000]):
        setting = pa_670a_11_d.set_hand(cards, "second")
        assert pa_670a_11_d.set_hand(tuple(random.sample(cards, 6)), "second") == setting, show(cards)
        renamed = pa_670a_11_d.set_hand(with_suits_renamed(cards, random), "second")
        assert (one(renamed.low), five(renamed.high)) == (one(setting.low), five(setting.high)), show(cards)
        assert renamed.rule == setting.rule


def test_every_rule_cites_its_paragraph() -> None:
    rules = {pa_670a_11_d.set_hand(cards, "second").rule for cards in DEALS}
    rules |= {pa_670a_11_d.set_hand(parse(line[0]), "second").rule for line in TABLE}
    assert len(rules) == 20
    assert all(rule.startswith("(d)(") and len(rule) <= 80 for rule in rules)
    paragraphs = {rule.split(" ")[0] for rule in rules}
    assert paragraphs == {"(d)(1)", "(d)(1)(i)", "(d)(1)(ii)", "(d)(2)", "(d)(3)", "(d)(4)", "(d)(5)", "(d)(6)"}


def test_the_way_is_found_by_the_id_that_a_sheet_names() -> None:
    way: HouseWay = pa_670a_11_d
    assert house_way("670a.11(d)") is way
    assert way.HAND_SIZE == 6


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(domain.house_ways.pa_670a_11_d).failed == 0
