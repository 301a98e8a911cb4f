"""What a table gives back follows from its lines and the counts alone, and meets every edge that others printed."""

from __future__ import annotations

import doctest
from fractions import Fraction
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domain.odds.distributions
import domain.odds.figures
from domain.odds import NoOdds, decimal, envy_odds, percentage, shipped, table_odds
from domain.rankings import RANKINGS
from domain.sheets import EnvyTable, PayLine, Paytable
from tests.exhaustive import high_card_flush, seven_card, six_card

TABLES = {each.name: each.table for each in shipped() if isinstance(each.table, Paytable)}
ENVY = {each.name: each for each in shipped() if each.is_envy}

EDGES = {
    "F-1": "8.0008",
    "F-2": "7.7656",
    "F-3": "7.8279",
    "F-4": "8.4900",
    "F-5": "7.8279",
    "F-6": "9.2855",
    "F-7": "7.7656",
    "SEED4-BONUS": "8.4900",
    "MBS-V4": "9.9412",
    "FU-FORTUNE-CODE-1": "7.8279",
    "678a.12(b)-TRADE-1": "7.8072",
    "678a.12(b)-TRADE-2": "5.3038",
    "678a.12(b)-CODE-3": "8.0637",
    "678a.12(c)-CODE-1": "13.0864",
    "678a.12(c)-TRADE-2": "6.3515",
    "678a.12(c)-CODE-3": "7.7574",
}
"""House edges in percent as printed with the tables."""

EDGES_ACE_HIGH_ONLY = {
    "678a.12(c)-CODE-1": "20.5082",
    "678a.12(c)-TRADE-2": "14.2415",
    "678a.12(c)-CODE-3": "15.5765",
}


def table(ranking: str, *lines: PayLine) -> Paytable:
    return Paytable("trial", "invented for trials, not a rule", ranking, lines)


@pytest.mark.parametrize(("name", "edge"), EDGES.items())
def test_the_house_edge_is_the_printed_one_to_its_last_digit(name: str, edge: str) -> None:
    odds = table_odds(TABLES[name])
    assert odds.house_edge is not None
    assert percentage(odds.house_edge) == edge


@pytest.mark.parametrize(("name", "edge"), EDGES_ACE_HIGH_ONLY.items())
def test_R5_the_house_edge_with_the_ace_high_only_is_the_printed_one(name: str, edge: str) -> None:
    odds = table_odds(TABLES[name], {"R5": "high_only"})
    assert odds.house_edge is not None
    assert percentage(odds.house_edge) == edge


def test_the_house_edge_of_the_second_fortune_table_is_the_printed_fraction() -> None:
    assert table_odds(TABLES["F-2"]).house_edge == Fraction(11_970_096, 154_143_080)


def test_the_house_edge_of_the_ace_high_bonus_is_the_simulated_one_within_its_error() -> None:
    edge = table_odds(TABLES["FU-ACE-CODE-1"]).house_edge
    assert edge is not None
    assert percentage(edge) == "4.7905"
    # 150 million simulated deals gave about 4.83 %; one deviation of such a simulation is 0.034 %.
    assert abs(edge * 100 - Fraction("4.83")) < Fraction("0.1")


def test_an_insurance_of_seven_cards_would_have_the_printed_edge() -> None:
    """No list ranks it; that its printed edge follows from the table of counts still speaks for the counts."""
    pays = {"ace": 3, "king": 5, "queen": 7, "jack": 15, "ten": 25, "nine": 100}
    hands = {
        rank: sum(n for line, n in seven_card.EXPECTED.items() if line.startswith(f"{rank} high")) for rank in pays
    }
    back = sum(hands[rank] * (n + 1) for rank, n in pays.items())
    assert percentage(1 - Fraction(back, seven_card.ALL_HANDS)) == "7.3457"


@pytest.mark.parametrize(("name", "worth"), [("SEED4-ENVY", "0.0440"), ("WASHINGTON", "0.0463")])
def test_the_worth_of_envy_for_each_other_hand_is_the_printed_one(name: str, worth: str) -> None:
    envy = ENVY[name]
    assert isinstance(envy.table, EnvyTable)
    assert decimal(envy_odds(envy.table, envy.ranking).gives_cents / 100, 4) == worth


def test_washington_envy_is_the_printed_share_of_a_five_dollar_wager() -> None:
    envy = ENVY["WASHINGTON"]
    assert isinstance(envy.table, EnvyTable)
    assert percentage(envy_odds(envy.table, envy.ranking).gives_cents / 500, 2) == "0.93"


def line_counts(ranking: str, *hands: str, terms: dict[str, str] | None = None) -> dict[str, int]:
    odds = table_odds(table(ranking, *(PayLine(hand, "to_1", n=1) for hand in hands)), terms)
    return {each.line.hand: each.deals for each in odds.lines}


def test_the_lines_of_a_whole_seven_card_table_are_the_published_counts() -> None:
    whole = [name for name in seven_card.EXPECTED if name in RANKINGS["seven_card_bonus"]]
    assert line_counts("seven_card_bonus", *whole) == {name: seven_card.EXPECTED[name] for name in whole}


def test_the_lines_of_a_whole_six_card_table_are_the_published_counts() -> None:
    whole = [name for name in six_card.BY_CLASS if name in RANKINGS["six_card"]]
    assert line_counts("six_card", *whole) == {name: six_card.BY_CLASS[name] for name in whole}


def test_the_lines_of_whole_high_card_flush_tables_are_the_published_counts() -> None:
    assert line_counts("flush_length", *RANKINGS["flush_length"]) == high_card_flush.FLUSHES
    for ace, published in high_card_flush.STRAIGHT_FLUSHES.items():
        counted = line_counts("straight_flush_length", *RANKINGS["straight_flush_length"], terms={"R5": ace})
        assert counted == {f"straight_flush_{length}": count for length, count in published.items()}


def test_insurance_wins_on_the_published_hands() -> None:
    (line,) = table_odds(table("insurance", PayLine("king_high_or_less", "to_1", n=2))).lines
    assert line.deals == 3_517_500
    assert percentage(line.chance) == "15.3218"


def test_a_flush_line_pays_a_six_card_flush_where_the_table_has_no_line_for_it() -> None:
    both = line_counts("six_card", "six_card_flush", "flush")
    assert line_counts("six_card", "flush") == {"flush": both["six_card_flush"] + both["flush"]}


def test_king_high_or_less_pays_what_the_exact_lines_leave() -> None:
    exact = line_counts("insurance", *RANKINGS["insurance"][:-1])
    counted = line_counts("insurance", "queen_high", "king_high_or_less")
    assert counted == {
        "queen_high": exact["queen_high"],
        "king_high_or_less": sum(exact.values()) - exact["queen_high"],
    }


@pytest.mark.parametrize(
    ("line", "stake_cents", "returned"),
    [
        (PayLine("flush_4", "to_1", n=3), None, 4),
        (PayLine("flush_4", "to_1", n=0), None, 1),
        (PayLine("flush_4", "for_1", n=3), None, 3),
        (PayLine("flush_4", "fixed", cents=700), 200, Fraction(7, 2)),
        (PayLine("flush_4", "fixed", cents=700), None, None),
        (PayLine("flush_4", "percent_of_meter", percent=10, level="major"), 200, None),
    ],
    ids=lambda value: value.odds if isinstance(value, PayLine) else None,
)
def test_what_a_kind_of_line_gives_back_of_a_unit_staked(
    line: PayLine, stake_cents: int | None, returned: Fraction | int | None
) -> None:
    four = sum(high_card_flush.FLUSHES[f"flush_{length}"] for length in (4, 5, 6, 7))
    chance = Fraction(four, high_card_flush.ALL_HANDS)
    odds = table_odds(table("flush_length", line), stake_cents=stake_cents)
    assert odds.lines[0].chance == chance
    assert odds.losing_chance == 1 - chance
    if returned is None:
        assert odds.lines[0].gives_back is odds.house_edge is None
        assert odds.gives_back == 0
    else:
        assert odds.lines[0].gives_back == odds.gives_back == chance * returned
        assert odds.house_edge == 1 - chance * returned


def test_beside_a_share_of_a_meter_only_the_other_lines_are_given_back() -> None:
    share = PayLine("flush_7", "percent_of_meter", percent=100, level="major")
    other = PayLine("flush_6", "for_1", n=50)
    odds = table_odds(table("flush_length", share, other))
    assert odds.house_edge is None
    assert odds.lines[0].chance == Fraction(6_864, high_card_flush.ALL_HANDS)
    assert odds.gives_back == odds.lines[1].gives_back == Fraction(50 * 267_696, high_card_flush.ALL_HANDS)


def test_645c_1_g_thirty_to_one_on_a_tiger_nine_depends_on_the_house_way() -> None:
    edges = {
        way: table_odds(TABLES["645c.1(g)"], {"house_way": way}).house_edge for way in ("cardroom", "mbs", "trump")
    }
    assert all(edge is not None and 0 < edge < Fraction(1, 4) for edge in edges.values()), edges
    assert edges["cardroom"] != edges["mbs"]


def test_a_table_of_the_list_win_has_no_edge_of_its_own() -> None:
    with pytest.raises(NoOdds, match="depends on play"):
        table_odds(TABLES["even"])


@st.composite
def any_table(draw: st.DrawFn) -> Paytable:
    ranking = draw(st.sampled_from([ranking for ranking in RANKINGS if ranking != "win"]))
    hands = draw(st.lists(st.sampled_from(RANKINGS[ranking]), min_size=1, unique=True))
    kinds = [("to_1", 0), ("to_1", 5), ("for_1", 5)]
    return table(ranking, *(PayLine(hand, kind, n=n) for hand in hands for kind, n in [draw(st.sampled_from(kinds))]))


@given(any_table())
def test_lines_and_losses_are_all_deals_and_the_edge_is_what_is_not_given_back(some: Paytable) -> None:
    odds = table_odds(some)
    assert sum(each.deals for each in odds.lines) + odds.losing_deals == odds.counted.total
    assert sum(each.chance for each in odds.lines) + odds.losing_chance == 1
    won = sum(
        each.chance * (each.line.n or 0) if each.line.kind == "to_1" else each.chance * ((each.line.n or 0) - 1)
        for each in odds.lines
    )
    assert odds.house_edge == odds.losing_chance - won


@given(any_table())
def test_the_order_of_the_lines_makes_no_difference(some: Paytable) -> None:
    turned = table(some.ranking, *reversed(some.lines))
    assert {each.line: each.deals for each in table_odds(turned).lines} == {
        each.line: each.deals for each in table_odds(some).lines
    }


@given(st.fractions(), st.integers(0, 6))
def test_a_decimal_is_the_fraction_to_half_of_its_last_digit(value: Fraction, digits: int) -> None:
    text = decimal(value, digits)
    assert abs(Fraction(text) - value) * 2 * 10**digits <= 1
    assert len(text.partition(".")[2]) == digits


@pytest.mark.parametrize("module", [domain.odds.figures, domain.odds.distributions])
def test_the_examples_in_the_docstrings_are_true(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0
