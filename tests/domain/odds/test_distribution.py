"""The shipped counts are those of every deal: each list is counted again here, another way than the script counts it.

The script judges one hand for each renaming of the suits. Here hands in which no suit can make a flush are judged by
their ranks alone, flush lengths come from binomials, straight flushes suit by suit, insurance from sets of ranks.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, product
from math import comb, prod
from random import Random

import pytest

from domain import games, house_ways
from domain.cards import ACE, JOKER, SUITS, Card, Hand, deck, rank_of, show
from domain.games.commission_free import NINE, is_tiger_nine
from domain.odds import Distribution, NoOdds, distribution
from domain.odds.distributions import COUNTS
from domain.rankings import RANKINGS
from domain.seven_card import seven_card_classes
from domain.six_card import six_card_classes
from tests.domain.counting import choices_of_ranks, dealt_round_the_suits, ways_with_a_long_suit
from tests.exhaustive import high_card_flush, paytable_counts, seven_card, six_card
from tests.exhaustive.ace_high import ALL_DEALS
from tests.exhaustive.folding import folded_hands
from tests.exhaustive.tally import WeightedHand

COUNTED = [ranking for ranking in RANKINGS if ranking != "win"]
TOTALS = {
    "seven_card_bonus": comb(53, 7),
    "six_card": comb(53, 6),
    "flush_length": comb(52, 7),
    "straight_flush_length": comb(52, 7),
    "insurance": comb(53, 6),
    "ace_high": comb(53, 7) * comb(46, 7),
    "tiger_9": comb(53, 7),
}


def every_distribution() -> Iterator[Distribution]:
    for ranking in COUNTED:
        if ranking == "straight_flush_length":
            yield from (distribution(ranking, {"R5": ace}) for ace in ("high_and_low", "high_only"))
        elif ranking == "tiger_9":
            yield from (distribution(ranking, terms) for terms in paytable_counts.DEALERS)
        else:
            yield distribution(ranking)


EVERY = list(every_distribution())


def named(counted: Distribution) -> str:
    return " ".join((counted.ranking, *counted.terms.values()))


def counts_of(counted: Distribution) -> Counter[frozenset[str]]:
    return Counter(dict(counted.holdings))


@pytest.mark.parametrize("counted", EVERY, ids=named)
def test_the_counts_add_up_to_all_deals_and_name_classes_of_their_list(counted: Distribution) -> None:
    assert sum(deals for _, deals in counted.holdings) == counted.total == TOTALS[counted.ranking]
    assert all(deals > 0 for _, deals in counted.holdings)
    assert len(counts_of(counted)) == len(counted.holdings)
    assert set().union(*(held for held, _ in counted.holdings)) == set(RANKINGS[counted.ranking])


def test_there_is_a_file_for_every_list_but_the_one_that_play_decides() -> None:
    assert sorted(path.stem for path in COUNTS.glob("*.json")) == sorted(COUNTED)
    with pytest.raises(NoOdds, match="depends on play"):
        distribution("win")
    with pytest.raises(NoOdds, match="not counted"):
        distribution("eight_card")


@pytest.mark.parametrize("ranking", COUNTED)
def test_terms_that_are_absent_are_the_games_defaults(ranking: str) -> None:
    default = distribution(ranking).terms
    for id_ in games.game_ids():
        game = games.game(id_)
        if any(ranking in wager.rankings for wager in game.wagers):
            for term, value in default.items():
                assert value == ("cardroom" if term == "house_way" else game.options[term][0])
    assert distribution(ranking, {"R1": "push", **default}) is distribution(ranking)


def test_terms_that_nobody_counted_have_no_odds() -> None:
    with pytest.raises(NoOdds, match="not counted for house_way goldstar, R7 second"):
        distribution("tiger_9", {"house_way": "goldstar"})


def test_the_first_class_of_the_list_that_a_deal_holds_and_that_has_a_line_counts() -> None:
    held = [({"flush_4", "flush_3"}, 5), ({"flush_3"}, 7), (set[str](), 11)]
    some = Distribution("flush_length", "", 23, {}, tuple((frozenset(classes), deals) for classes, deals in held))
    assert some.first_classes(("flush_3", "flush_4")) == {"flush_4": 5, "flush_3": 7, None: 11}
    assert some.first_classes(("flush_3",)) == {"flush_3": 12, None: 11}
    assert some.first_classes(("flush_2",)) == {None: 23}


def hands_with_a_long_suit(size: int) -> Iterator[WeightedHand]:
    """The hands in which a suit can make a flush, once for all renamings of the suits."""
    for joker in (False, True):
        yield from folded_hands(size, joker, least_in_one_suit=5 - joker)


def hands_by_ranks(size: int) -> Iterator[WeightedHand]:
    """All other hands, once for each choice of ranks."""
    for joker in (False, True):
        for ranks in choices_of_ranks(size - joker):
            weight = prod(comb(4, held) for held in ranks) - ways_with_a_long_suit(ranks, 5 - joker)
            yield dealt_round_the_suits(ranks) + ((JOKER,) if joker else ()), weight


@pytest.mark.parametrize(
    ("ranking", "size", "classes"), [("seven_card_bonus", 7, seven_card_classes), ("six_card", 6, six_card_classes)]
)
def test_every_set_of_classes_is_held_by_as_many_hands_as_ranks_and_long_suits_say(
    ranking: str, size: int, classes: Callable[[Hand], frozenset[str]]
) -> None:
    counted: Counter[frozenset[str]] = Counter()
    for hand, weight in chain(hands_by_ranks(size), hands_with_a_long_suit(size)):
        counted[classes(hand)] += weight
    assert counted == counts_of(distribution(ranking))


def test_the_best_classes_of_seven_cards_are_the_published_table() -> None:
    best = distribution("seven_card_bonus").first_classes(RANKINGS["seven_card_bonus"])
    published = {name: count for name, count in seven_card.EXPECTED.items() if name in RANKINGS["seven_card_bonus"]}
    assert best == published | {"high_card": comb(53, 7) - sum(published.values())}


def test_the_best_classes_of_six_cards_are_the_published_table() -> None:
    best = distribution("six_card").first_classes(RANKINGS["six_card"])
    published = {name: count for name, count in six_card.BY_CLASS.items() if name in RANKINGS["six_card"]}
    assert best == published | {"high_card": comb(53, 6) - sum(published.values())}


def test_flush_lengths_are_the_published_table_and_what_binomials_say() -> None:
    longest: Counter[int] = Counter()
    for lengths in product(range(8), repeat=4):
        if sum(lengths) == 7:
            longest[max(lengths)] += prod(comb(13, length) for length in lengths)
    counted = distribution("flush_length").first_classes(RANKINGS["flush_length"])
    assert counted == high_card_flush.FLUSHES == {f"flush_{length}": count for length, count in longest.items()}


@pytest.mark.parametrize("ace", ["high_and_low", "high_only"])
def test_R5_straight_flush_lengths_are_the_published_table_and_what_each_suit_says(ace: str) -> None:
    up_to = {longest: hands_without_a_longer_run(longest, ace) for longest in range(2, 8)}
    exact = {longest: up_to[longest] - up_to[longest - 1] for longest in range(3, 8)}
    counted = distribution("straight_flush_length", {"R5": ace}).first_classes(RANKINGS["straight_flush_length"])
    assert counted.pop(None) == up_to[2]
    assert counted == {f"straight_flush_{length}": count for length, count in exact.items()}
    assert exact == high_card_flush.STRAIGHT_FLUSHES[ace]


def hands_without_a_longer_run(longest: int, ace: str) -> int:
    """Seven cards no suit of which has a run longer than this: a suit's ways by its cards, four times over."""
    ways = [0] * 8
    for held in range(1 << 13):
        if held.bit_count() <= 7 and not has_run(held, longest + 1, ace):
            ways[held.bit_count()] += 1
    hands = [1] + [0] * 7
    for _ in SUITS:
        hands = [sum(hands[cards - here] * ways[here] for here in range(cards + 1)) for cards in range(8)]
    return hands[7]


def has_run(held: int, length: int, ace: str) -> bool:
    """Whether the ranks, a two the lowest bit, hold a run of this length, which the ace may begin as well."""
    order = [*([ACE] if ace == "high_and_low" else []), *range(13)]
    runs = (order[start : start + length] for start in range(len(order) - length + 1))
    return any(all(held >> rank & 1 for rank in run) for run in runs)


def test_insurance_pays_sets_of_six_ranks_without_straight_in_suits_without_flush() -> None:
    no_flush = 4**6 - 4 * (3 * 6 + 1)
    wheel, counted = {ACE, 0, 1, 2, 3}, Counter[str | None]()
    for ranks in combinations(range(ACE), 6):
        runs = [set(range(lowest, lowest + 5)) for lowest in range(9)]
        if not any(run <= set(ranks) for run in (*runs, wheel)):
            name = ("eight", "nine", "ten", "jack", "queen", "king")[max(ranks) - 6]
            counted[f"{name}_high"] += no_flush
    shipped = distribution("insurance")
    assert shipped.first_classes(RANKINGS["insurance"][:-1]) == counted | {None: comb(53, 6) - counted.total()}
    together = shipped.first_classes(("king_high_or_less",))["king_high_or_less"]
    assert together == counted.total() == six_card.EXPECTED["insurance: king high or less"]


WAYS = ("cardroom", "mbs", "trump")


def tiger_nines(way: str, hands: Iterable[WeightedHand]) -> int:
    """How many of the hands are set with a 9-high low hand."""
    set_hand = house_ways.house_way(way).set_hand
    return sum(weight for hand, weight in hands if is_tiger_nine(set_hand(hand, "second").low))


def test_645c_1_h_a_tiger_nine_comes_as_often_as_ranks_say_and_a_sample_of_long_suits() -> None:
    by_ranks = [(hand, weight) for hand, weight in hands_by_ranks(7) if NINE in map(rank_of, hand)]
    long_suits, weights = zip(*hands_with_a_long_suit(7), strict=True)
    sample = [(hand, 1) for hand in Random(645).choices(long_suits, weights, k=2_000)]
    for way in WAYS:
        shipped = distribution("tiger_9", {"house_way": way}).first_classes(("tiger_9",))["tiger_9"]
        rest, seen = shipped - tiger_nines(way, by_ranks), tiger_nines(way, sample)
        assert abs(seen - rest * len(sample) / sum(weights)) < 4 * seen**0.5, way


@pytest.mark.parametrize("way", WAYS)
def test_R7_where_a_wheel_ranks_makes_no_difference_to_a_tiger_nine(way: str) -> None:
    set_hand, random = house_ways.house_way(way).set_hand, Random(7)
    for _ in range(1_000):
        wheel = [Card(rank * 4 + random.randrange(4)) for rank in (ACE, 0, 1, 2, 3)]
        wheel[random.randrange(5)] = random.choice([JOKER, *wheel])
        others = random.sample([card for card in deck(joker=True) if card not in wheel], 7 - len(set(wheel)))
        hand = (*set(wheel), *others)
        second, lowest = (is_tiger_nine(set_hand(hand, place).low) for place in ("second", "lowest"))
        assert second == lowest, show(hand)
    counted = [distribution("tiger_9", {"house_way": way, "R7": place}).holdings for place in ("second", "lowest")]
    assert counted[0] == counted[1]


def test_an_ace_high_dealer_comes_as_often_as_the_published_table_says() -> None:
    shipped = distribution("ace_high")
    by_joker = shipped.first_classes(("dealer_ace_high_joker", "dealer_ace_high"))
    assert by_joker["dealer_ace_high_joker"] == seven_card.EXPECTED["ace high with joker"] * comb(46, 7)
    assert by_joker["dealer_ace_high"] == seven_card.EXPECTED["ace high without joker"] * comb(46, 7)
    assert shipped.total == ALL_DEALS


@pytest.mark.parametrize("ranking", COUNTED)
def test_a_data_file_is_as_the_script_writes_it_and_says_how_it_was_made(ranking: str) -> None:
    text = (COUNTS / f"{ranking}.json").read_text(encoding="utf-8")
    content = json.loads(text)
    assert paytable_counts.as_text(content) == text
    assert content["script"] == f"python -m tests.exhaustive.paytable_counts {ranking}"
    assert content["ranking"] == ranking
    assert content["seconds"] > 0
