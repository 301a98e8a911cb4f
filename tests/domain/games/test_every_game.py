"""What holds in every game or in all but some: absent commands, payout limits, commission, deals, forfeits, voids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest

from domain.cards import show
from domain.errors import NotInGame
from domain.games import game, game_ids
from domain.rounds.events import HandsDealt
from domain.sheets.node import SheetInvalid
from domain.sheets.reading import read_sheet
from tests.domain.games.playing import (
    Stakes,
    dealt,
    game_of,
    open_at,
    pays,
    played,
    settled,
    sheet,
    went_back,
    whole_deal,
)
from tests.domain.rounds.table import (
    Content,
    Order,
    bank,
    close,
    dealer_sets,
    double_down,
    expose,
    fold,
    forfeit,
    house_way,
    place,
    raise_,
    reset_hand,
    set_low,
    settle,
    start,
    void,
)

SAMPLES = {
    "commission_free": "commission-free@1",
    "face_up": "face-up@1",
    "fortune": "fortune-cardroom@1",
    "high_card_flush": "high-card-flush@1",
    "pai_gow": "pai-gow-pa@1",
    "six_card_fortune": "six-card-fortune@1",
}
OTHER_ID = {"fortune": {"id": "trial"}}
"""The table of these tests has published the cardroom's sample under its own name."""


def sample_of(game_id: str, **changes: object) -> Content:
    """The game's sample sheet with changes."""
    return sheet(SAMPLES[game_id], **{**OTHER_ID.get(game_id, {}), **changes})  # type: ignore[arg-type]


def base_stakes(content: Content, cents: int = 20_00) -> Stakes:
    return {5: {game_of(content).base_wager: cents}}


def test_every_game_has_a_sample_here() -> None:
    assert set(SAMPLES) == set(game_ids())


# Commands that a game lacks

DEALT: Mapping[str, Order] = {
    "set_hand": house_way(5),
    "set_hand with low": set_low(5, "2c 3d"),
    "reset_hand": reset_hand(5),
    "set_dealer": dealer_sets("2c 3d"),
    "double_down": double_down(5),
    "raise": raise_(5, 20_00),
    "fold": fold(5),
}
"""Commands between the deal and settling that some games lack."""
SETTING = {"set_hand", "set_hand with low", "reset_hand", "set_dealer"}
LACKS = {
    "commission_free": {"take_bank", "double_down", "raise", "fold"},
    "face_up": {"take_bank", "double_down", "raise", "fold"},
    "fortune": {"double_down", "raise", "fold"},
    "high_card_flush": {"take_bank", "double_down", *SETTING},
    "pai_gow": {"double_down", "raise", "fold"},
    "six_card_fortune": {"take_bank", "raise", "fold"},
}


@pytest.mark.parametrize("game_id", SAMPLES)
@pytest.mark.parametrize("name", DEALT)
def test_a_command_that_the_game_lacks_is_refused_and_others_are_decided_by_its_rules(game_id: str, name: str) -> None:
    content = sample_of(game_id)
    outcome = dealt(content, base_stakes(content), {}).when(DEALT[name])
    if name in LACKS[game_id]:
        outcome.refused("command.not-in-game")
    else:
        assert not isinstance(outcome.refusal, NotInGame)


@pytest.mark.parametrize("game_id", SAMPLES)
def test_a_player_banks_only_in_the_games_that_have_it(game_id: str) -> None:
    if "take_bank" in LACKS[game_id]:
        open_at(sample_of(game_id)).when(bank(3)).refused("command.not-in-game")
    else:
        open_at(sample_of(game_id, player_bank=True)).when(bank(3)).accepted()


@pytest.mark.parametrize("game_id", SAMPLES)
def test_a_wager_of_another_game_is_not_on_offer(game_id: str) -> None:
    table = open_at(sample_of(game_id))
    own = {rule.id for rule in game(game_id).wagers}
    for other in {rule.id for id_ in SAMPLES for rule in game(id_).wagers} - own:
        table.when(place(5, other, 20_00)).refused("wager.not-offered")
    table.when(place(5, game(game_id).base_wager, 20_00)).accepted()


# The deal


@pytest.mark.parametrize("game_id", SAMPLES)
def test_the_stub_is_the_rest_of_the_games_deck(game_id: str) -> None:
    """Six spots and the dealer: 53 - 49, 53 - 42 and 52 - 49 cards are left."""
    left = {"six_card_fortune": 11, "high_card_flush": 3}.get(game_id, 4)
    content = sample_of(game_id)
    for stub, findings in ((left, []), (left - 1, ["deal.stub-count"]), (left + 1, ["deal.stub-count"])):
        orders = [place(5, game(game_id).base_wager, 20_00), close(), *([start(1)] if game(game_id).joker else [])]
        outcome = open_at(content).given(*orders).when(whole_deal(content, {}).but(stub=stub))
        assert [code for code, _ in outcome.findings] == findings


@pytest.mark.parametrize("game_id", SAMPLES)
def test_seed_004_misdealt_hands_3_is_the_cardrooms_rule_alone(game_id: str) -> None:
    content = sample_of(game_id)
    table = dealt(content, base_stakes(content), {})
    cards = show(table.events(HandsDealt)[0].hands[1].cards).split()
    findings = [table.when(expose(1, name)).findings for name in cards[:4]]
    assert findings == [[], [], [], [("deal.exposed", 1)] if game_id == "fortune" else []]
    assert table.state().misdealt is (game_id == "fortune")


def test_a_card_is_exposed_where_it_was_dealt() -> None:
    content = sample_of("six_card_fortune")
    table = dealt(content, base_stakes(content), {5: "Ac Kd 9c 6d 4d 3h"})
    table.when(expose(5, "As")).refused("deal.card-not-there")
    table.when(expose(5, "Ac")).accepted()


# Payout limits


class Rich(NamedTuple):
    """A seat that wins on several lines, none of them a meter's."""

    content: Content
    stakes: Stakes
    hands: Mapping[int, str]
    decisions: Sequence[Order] = ()


QUEEN_HIGH = "Qs Jd 9c 7h 6s 3d 2c"
QUADS = "4s 4d 4h 4c Kh 8h 5d"
NO_COMMISSION: Mapping[str, Rich] = {
    "six_card_fortune": Rich(
        sample_of("six_card_fortune"),
        {5: {"main": 20_00, "fortune": 5_00, "progressive": 1_00}, 4: {"main": 20_00}},
        {0: "8c 8d Qh Jd 5s 2c", 5: "9c 9d 9h Ks 4h 4d", 4: "3c 3d 3h 3s 7d 5c"},
        [double_down(5)],
    ),
    "high_card_flush": Rich(
        sample_of("high_card_flush"),
        {5: {"ante": 10_00, "flush_bonus": 5_00, "straight_flush_bonus": 5_00, "progressive": 1_00}},
        {0: "9c 7c 5c 4d 3h 2s Kd", 5: "Kh Qh Jh Th 2h 6d 4s"},
        [raise_(5, 20_00)],
    ),
    "face_up": Rich(
        sample_of("face_up"),
        {5: {"main": 20_00, "ace_high": 5_00, "fortune": 5_00, "progressive": 1_00}, 4: {"main": 20_00}},
        {0: "As Jd 9c 7h 6s 3d 2c", 5: "Kc Kd Kh Tc Td 8h 5s", 4: QUADS.replace("Kh", "Ks").replace("8h", "8d")},
    ),
    "commission_free": Rich(
        sample_of("commission_free"),
        {5: {"main": 20_00, "tiger_9": 5_00, "fortune": 5_00, "progressive": 1_00}},
        {0: "Tc Td 9h 7h 6s 3d 2c", 5: QUADS},
    ),
    "pai_gow": Rich(
        sample_of("pai_gow", commission={"bp": 0, "rounding": "half_up"}),
        {5: {"main": 20_00, "fortune": 5_00, "progressive": 1_00}, 4: {"main": 20_00}},
        {0: QUEEN_HIGH, 5: "Ts Td Th Tc Kd 8h 5d", 4: "4s 4d 4h 4c Kh 8d 5c"},
    ),
    "fortune": Rich(
        sample_of("fortune", commission={"bp": 0, "rounding": "half_up"}),
        {5: {"main": 20_00, "fortune": 5_00, "progressive": 1_00}, 4: {"main": 20_00}},
        {0: QUEEN_HIGH, 5: "Ts Td Th Tc Kd 8h 5d", 4: "4s 4d 4h 4c Kh 8d 5c"},
    ),
}


def won(rich: Rich, limit: int | None) -> tuple[list[int], list[str]]:
    """What seat 5's lines win in their order, and the codes of the findings."""
    content = rich.content if limit is None else {**rich.content, "payout_limit_cents": limit}
    outcome = settled(content, rich.stakes, rich.hands, decisions=rich.decisions)
    lines = [line for line in outcome.settled() if line.seat == 5]
    assert {line.paid_by for line in lines} == {"house"}
    return [line.won_cents for line in lines], [code for code, _ in outcome.findings]


@pytest.mark.parametrize("game_id", NO_COMMISSION)
def test_a_payout_limit_is_cut_from_the_lines_settled_last(game_id: str) -> None:
    """What is left of a limit is what the lines settled first would have won of it."""
    rich = NO_COMMISSION[game_id]
    whole, findings = won(rich, None)
    assert findings == [] and sum(cents > 0 for cents in whole) >= 2
    for limit in (sum(whole) + 1, sum(whole), sum(whole) - 1, whole[0] + 1, whole[0] - 1, 1):
        if limit < 1:
            continue
        left, expected = limit, []
        for cents in whole:
            expected.append(min(cents, left))
            left -= expected[-1]
        limited, codes = won(rich, limit)
        # An envy line that is cut to nothing is gone.
        assert limited + [0] * (len(whole) - len(limited)) == expected
        assert set(codes) == ({"payout.limited"} if limit < sum(whole) else set())


def test_every_game_has_a_payout_to_limit() -> None:
    assert set(NO_COMMISSION) == set(game_ids())


# Commission


@pytest.mark.parametrize("game_id", ["pai_gow", "fortune", "face_up", "six_card_fortune"])
def test_commission_is_on_the_main_wager_alone(game_id: str) -> None:
    """Face Up takes none by its sample; a sheet may say otherwise."""
    rich = NO_COMMISSION[game_id]
    hands = {**rich.hands, 0: QUEEN_HIGH} if game_id == "face_up" else rich.hands
    content = {**rich.content, "commission": {"bp": 500, "rounding": "half_up"}}
    outcome = settled(content, rich.stakes, hands, decisions=rich.decisions)
    assert outcome.line("5.main").outcome == "win"
    charged = {line.line_id: line.commission_cents for line in outcome.settled() if line.commission_cents}
    assert charged.pop("5.main") == 1_00
    assert set(charged) <= {"4.main"}


@pytest.mark.parametrize("game_id", ["commission_free", "high_card_flush"])
def test_R12_a_game_without_vigorish_or_without_a_main_wager_has_no_commission_on_its_sheet(game_id: str) -> None:
    content = {**NO_COMMISSION[game_id].content, "commission": {"bp": 500, "rounding": "half_up"}}
    with pytest.raises(SheetInvalid, match=r"sheet\.commission"):
        read_sheet(content)


@pytest.mark.parametrize("game_id", ["face_up", "six_card_fortune", "high_card_flush", "commission_free"])
def test_a_sheet_without_commission_takes_none(game_id: str) -> None:
    rich = NO_COMMISSION[game_id]
    assert "commission" not in rich.content
    outcome = settled(rich.content, rich.stakes, rich.hands, decisions=rich.decisions)
    assert {line.commission_cents for line in outcome.settled()} == {0}


def test_a_payout_limit_is_cut_before_the_commission_is_taken() -> None:
    content = sample_of("pai_gow", payout_limit_cents=10_00)
    outcome = settled(content, {5: {"main": 20_00}}, {0: QUEEN_HIGH, 5: "As Ad Kh Th 8c 5h 4h"})
    outcome.lines(("5.main", "win", 10_00, 20_00, 50))


# Forfeits and voids of wagers made during the hand

EIGHTS = "8c 8d Qh Jd 5s 2c"
SEVENS = "7c 7d Qh Jd 5s 2c"
SIX_WINS = "9h 9s Kd 6d 4c 3d"


@pytest.mark.parametrize("dealer", [EIGHTS, SEVENS])
def test_R23_a_forfeited_double_down_is_lost_where_it_would_win_or_go_back(dealer: str) -> None:
    decisions = [double_down(5), forfeit(5, "double_down")]
    outcome = settled(
        sample_of("six_card_fortune"), {5: {"main": 20_00}}, {0: dealer, 5: SIX_WINS}, decisions=decisions
    )
    outcome.lines(("5.main", "win", 20_00, 20_00, 0), ("5.double_down", "forfeited", 0, 0, 0))


def test_R23_a_forfeited_main_leaves_the_double_down_to_play() -> None:
    decisions = [double_down(5), forfeit(5, "main")]
    outcome = settled(
        sample_of("six_card_fortune"), {5: {"main": 20_00}}, {0: EIGHTS, 5: SIX_WINS}, decisions=decisions
    )
    outcome.lines(("5.main", "forfeited", 0, 0, 0), ("5.double_down", "win", 20_00, 20_00, 0))


def test_R23_a_double_down_is_forfeited_once_and_only_where_it_stands() -> None:
    content = sample_of("six_card_fortune")
    table = dealt(content, {5: {"main": 20_00}}, {0: EIGHTS, 5: SIX_WINS})
    table.when(forfeit(5, "double_down")).refused("wager.none")
    table.given(double_down(5)).when(forfeit(5, "double_down")).accepted()
    table.when(forfeit(5, "double_down")).refused("wager.forfeited")


def test_a_void_returns_double_downs_whole_before_and_after_settling() -> None:
    content, stakes = sample_of("six_card_fortune"), {5: {"main": 20_00, "insurance": 5_00}, 4: {"main": 10_00}}
    expected = {"5.main": 20_00, "5.double_down": 20_00, "5.insurance": 5_00, "4.main": 10_00}
    table = played(content, stakes, {0: EIGHTS, 5: SIX_WINS}, decisions=[double_down(5)])
    assert went_back(table.when(void())) == expected
    late = played(content, stakes, {0: EIGHTS, 5: SIX_WINS}, decisions=[double_down(5)]).given(settle())
    assert went_back(late.when(void())) == expected


def test_a_void_returns_forfeited_wagers_too() -> None:
    content = sample_of("six_card_fortune")
    decisions = [double_down(5), forfeit(5, "double_down"), forfeit(5, "main")]
    table = played(content, {5: {"main": 20_00}}, {0: EIGHTS, 5: SIX_WINS}, decisions=decisions)
    assert went_back(table.when(void())) == {"5.main": 20_00, "5.double_down": 20_00}


@pytest.mark.parametrize("game_id", SAMPLES)
def test_every_settled_game_sums_to_zero_and_so_does_its_void(game_id: str) -> None:
    rich = NO_COMMISSION[game_id]
    outcome = settled(rich.content, rich.stakes, rich.hands, decisions=rich.decisions)
    assert sum(outcome.totals()) == 0
    outcome.table.when(void()).accepted()


def test_R17_and_R16_a_table_of_0_to_1_pushes() -> None:
    content = sample_of("six_card_fortune", lines={"main": pays(win=0), "double_down": pays(win=0)})
    settled(content, {5: {"main": 20_00}}, {0: EIGHTS, 5: SIX_WINS}, decisions=[double_down(5)]).lines(
        ("5.main", "push", 0, 20_00, 0), ("5.double_down", "push", 0, 20_00, 0)
    )
