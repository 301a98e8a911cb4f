"""`rounds simulate`: the same bytes everywhere, fair cards, people who behave, and everything that can happen does."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from cli.simulation.book import Book
from cli.simulation.chance import Chance
from cli.simulation.coordinator import AUTHOR
from cli.simulation.decks import deal
from cli.simulation.feed import feed
from cli.simulation.habits import EVENTFUL, ROOM
from cli.simulation.house import PROPERTIES, meters_of
from cli.simulation.sheets import VERSIONS, sheets_of
from domain.cards import deck, rank_of
from domain.games import game, game_ids
from domain.house_ways import house_way, house_way_ids
from domain.rankings import RANKINGS
from domain.sheets import sample, sample_ids
from domain.sheets.reading import ROUNDINGS, TWO_HANDS, read_sheet
from tests.cli.conftest import ROOT, Rounds
from tests.properties.played import play

# The bytes of small feeds. They change with the simulator, with a rule and with a sample sheet, and then on purpose:
# `rounds simulate ... | sha256sum` gives the new figure.
SMALL_FEEDS = {
    "commission_free": "150a963ea03b0188d7bced6e2c49e98726a058e888468ccf37bbd44bf6f3e96e",
    "face_up": "6fe71e92b509bba47f4f039b852c925cc1b791be358dd2fe9f782364dfce1e0b",
    "fortune": "d78ee1da10949ffd5632fc8533cbc43cc90e010fe45ea2b15917d7cacae37a1d",
    "high_card_flush": "1e9b3910e67bff73b9183f9754b6c2c38e1ecc67a3ac92c9fa982f63a71ea3b9",
    "pai_gow": "91a8b1c938864db4511678d6a1b0b83fde7f37d95bdbafc7537b3ee2851a5c49",
    "six_card_fortune": "66b821682bb0e02d381c0bfc4cb1709c929facae4775d9e8458cdadfb4ccb477",
    "all": "d272ad204e138b59c4b2b0e35e59bc765ead042f39c9176de81ada2b286050ee",
}
EVERYTHING = ("--rounds", "25", "--seed", "5", "--players", "17", "--bias", "--eventful", "--mistakes")
EVERYTHING_DIGEST = "facc206ade1d47202797ebee0be26f389ba6ba625a1823988384f7f832b26665"


@pytest.mark.parametrize("name", [*game_ids(), "all"])
def test_a_small_feed_of_each_game_has_the_bytes_it_always_had(name: str, rounds: Rounds) -> None:
    ran = rounds("simulate", "--game", name, "--rounds", "12", "--seed", "1")
    assert ran.code == 0
    assert sha256(ran.out.encode()).hexdigest() == SMALL_FEEDS[name]


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_a_feed_is_the_same_in_any_process(hash_seed: str, process: Rounds) -> None:
    elsewhere = {"PYTHONHASHSEED": hash_seed, "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    written = process("simulate", *EVERYTHING, env=elsewhere).out
    assert sha256(written.encode()).hexdigest() == EVERYTHING_DIGEST


def test_a_file_holds_the_bytes_that_are_written_otherwise(rounds: Rounds) -> None:
    printed = rounds("simulate", "--rounds", "3").out
    assert rounds("simulate", "--rounds", "3", "-o", "feed.jsonl").out == ""
    assert Path("feed.jsonl").read_text(encoding="utf-8") == printed


def test_another_seed_is_another_evening(rounds: Rounds) -> None:
    assert rounds("simulate", "--rounds", "3").out != rounds("simulate", "--rounds", "3", "--seed", "2").out


def test_the_draws_of_a_seed_never_change() -> None:
    chance = Chance(2026)
    assert [chance.below(100) for _ in range(8)] == [11, 50, 51, 86, 10, 22, 60, 55]
    assert chance.shuffled(range(6)) == [0, 1, 3, 5, 2, 4]


@pytest.mark.parametrize("name", [*game_ids(), "all"])
def test_a_new_ledger_records_every_line(name: str, rounds: Rounds) -> None:
    assert rounds("simulate", "--game", name, "--rounds", "6", "--seed", "3", "-o", "feed.jsonl").code == 0
    ran = rounds("record", "feed.jsonl", "--format", "jsonl")
    assert ran.code == 0
    assert {receipt["status"] for receipt in ran.rows()} <= {"recorded", "repeated"}


def test_a_coordinator_moves_what_is_there_when_he_comes_to_it(rounds: Rounds) -> None:
    # Between his reading the signs and his entry, a hit of this evening empties the reserve that he takes.
    call = ("simulate", "--game", "face_up", "--rounds", "1000", "--seed", "703")
    habits = ("--eventful", "--bias", "--mistakes", "--coordinator")
    assert rounds(*call, *habits, "-o", "feed.jsonl").code == 0


def test_a_jackpot_that_was_corrected_to_nothing_is_not_paid(rounds: Rounds) -> None:
    call = ("simulate", "--game", "high_card_flush", "--rounds", "60", "--eventful", "--bias", "--seed", "6")
    assert rounds(*call, "-o", "feed.jsonl").code == 0


def test_only_mistakes_that_were_asked_for_are_refused(rounds: Rounds) -> None:
    call = ("simulate", "--rounds", "60", "--eventful", "--mistakes", "-o", "feed.jsonl")
    assert rounds(*call).code == 0
    ran = rounds("record", "feed.jsonl", "--format", "jsonl")
    assert ran.code == 1
    assert {receipt["code"] for receipt in ran.rows() if receipt["status"] == "refused"} == {
        "amount.invalid",
        "approval.insufficient",
        "command.out-of-phase",
        "command.unknown-key",
        "round.unknown",
        "seat.empty",
        "wager.limit",
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--game", "baccarat"), "game.unknown: no game 'baccarat'; there are commission_free, face_up, "),
        (("--start", "tomorrow"), "day.invalid: 'tomorrow' is no date"),
        (("--start", "9999-12-31"), "day.invalid: 9999-12-31 is too far away"),
        (("--format", "csv"), "simulate.format"),
        (("--rounds", "0"), "--rounds"),
        (("--players", "0"), "--players"),
    ],
)
def test_what_cannot_be_played_is_said(arguments: tuple[str, ...], said: str, rounds: Rounds) -> None:
    ran = rounds("simulate", *arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert said in ran.err


def test_a_feed_opens_the_rounds_that_it_was_asked_for_and_ends_each() -> None:
    commands = list(feed(3, 90, habits=replace(EVENTFUL, sent_again=0)))
    opened = [each["round"] for each in commands if each["command"] == "open_round"]
    ended = {each["round"] for each in commands if each["command"] in ("settle", "void_round")}
    assert len(opened) == len(set(opened)) == 90
    assert ended == set(opened)


def test_every_game_is_played_and_only_the_game_asked_for() -> None:
    played = Counter(each["game"] for each in feed(1, 60) if each["command"] == "open_round")
    assert set(played) == set(game_ids())
    alone = {each["game"] for each in feed(1, 10, games=("face_up",)) if each["command"] == "open_round"}
    assert alone == {"face_up"}


def test_the_simulator_plays_a_game_from_its_description_and_names_none() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "cli" / "simulation").glob("*.py")]
    assert len(sources) > 10
    named = re.compile("|".join(rf"""["']{name}["']""" for name in game_ids()))
    assert [found for source in sources for found in named.findall(source)] == []


def test_both_properties_play_and_their_tables_share_meters() -> None:
    commands = list(feed(1, 40))
    assert {each["property"] for each in commands if each["command"] == "open_round"} == {"RIVERSIDE", "HARBOUR"}
    for property_ in PROPERTIES:
        shared = Counter(meter for name in game_ids() for meter in meters_of(property_, game(name)))
        assert max(shared.values()) > 1


def test_no_more_people_play_than_there_are() -> None:
    seats = [each["seats"] for each in feed(8, 30, players=4, habits=EVENTFUL) if each["command"] == "open_round"]
    assert {player for each in seats for player in each.values()} == {"P001", "P002", "P003", "P004"}
    assert [len(each) for each in seats if len(each) > 4 * 2] == []


def test_one_person_alone_can_play() -> None:
    assert sum(each["command"] == "open_round" for each in feed(2, 5, players=1)) == 5


def test_play_begins_on_the_evening_asked_for_and_goes_on_in_time() -> None:
    evening = PROPERTIES[0].at(date(2027, 12, 31), time(18))
    commands = list(feed(1, 40, start=date(2027, 12, 31), habits=replace(ROOM, late=0, sent_again=0)))
    first = next(each for each in commands if each["command"] == "open_round")
    assert timedelta(0) < datetime.fromisoformat(first["at"]) - evening < timedelta(minutes=10)
    times = [datetime.fromisoformat(each["at"]) for each in commands]
    assert times == sorted(times)


def test_nobody_bets_what_he_does_not_have_and_who_leaves_takes_what_he_has() -> None:
    habits = replace(EVENTFUL, correction=0, void_settled=0, sent_again=0)
    book = Book()
    for command in feed(5, 150, habits=habits, bias=True):
        book.take(command)
        for name in (command.get("player"), command.get("bettor")):
            assert name is None or book.chips_cents(name) >= 0
        if command["command"] == "settle":
            round_ = book.round(command["round"])
            assert round_ is not None
            assert [player for player in round_.seats.values() if book.chips_cents(player) < 0] == []
        if command["command"] == "cash_out":
            assert book.chips_cents(command["player"]) == 0


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("name", game_ids())
def test_a_deal_is_the_whole_deck_each_card_once(name: str, bias: bool) -> None:
    played, chance = game(name), Chance(1)
    for _ in range(100):
        dealt = deal(chance, played, 6, bias=bias)
        assert {len(cards) for cards in dealt.hands.values()} == {played.hand_size}
        assert sorted([*dealt.stub, *(card for cards in dealt.hands.values() for card in cards)]) == sorted(
            deck(played.joker)
        )


def test_every_spot_gets_every_rank_as_often_as_another() -> None:
    chance, played = Chance(12), game("high_card_flush")
    ranks: Counter[tuple[int, int]] = Counter()
    for _ in range(2_000):
        for spot, cards in deal(chance, played, 6).hands.items():
            ranks.update((spot, rank_of(card)) for card in cards)
    # 2,000 deals of 7 of 52 cards: 1,076.9 of each rank a spot; five standard deviations are about 150.
    assert all(920 < count < 1_230 for count in ranks.values())


@pytest.mark.parametrize("name", game_ids())
def test_biased_deals_hold_every_class_that_pays_from_a_meter(name: str) -> None:
    played, chance = game(name), Chance(1)
    sheet = read_sheet(_sample_of(name))
    table = next(sheet.wagers[rule.id].paytable for rule in played.wagers if rule.meter)
    wanted = {line.hand for line in table.lines}
    for _ in range(300):
        for cards in deal(chance, played, 6, bias=True).hands.values():
            wanted -= set(_classes(name, cards, table.ranking))
    assert wanted == set()


def _sample_of(name: str) -> Mapping[str, Any]:
    return next(content for ref in sample_ids() if (content := sample(ref))["game"] == name)


def _classes(name: str, cards: tuple[Any, ...], ranking: str) -> Iterable[str]:
    """The highest class of the ranking that the cards contain."""
    if ranking == "straight_flush_length":
        return (f"straight_flush_{game(name).facts(cards, {'R5': 'high_and_low'})['straight_flush_length']}",)  # type: ignore[misc]
    found = game(name).first_class(cards, RANKINGS[ranking])
    return () if found is None else (found,)


@pytest.mark.parametrize("name", game_ids())
def test_the_sheets_of_a_game_take_every_option_between_them(name: str) -> None:
    played = game(name)
    sheets = [read_sheet(content) for content in sheets_of(Chance(4), PROPERTIES[0], name)]
    assert len({sheet.ref for sheet in sheets}) == VERSIONS
    for ruling, tokens in played.options.items():
        assert {sheet.options[ruling] for sheet in sheets} == set(tokens)
    ways = [id_ for id_ in house_way_ids() if played.hand_size == house_way(id_).HAND_SIZE]
    assert {sheet.house_way for sheet in sheets} == (set(ways) if played.split else {None})
    assert {sheet.two_hands for sheet in sheets} == set(TWO_HANDS)
    assert any(sheet.player_bank for sheet in sheets) == played.player_bank
    assert len({sheet.payout_limit_cents for sheet in sheets}) > 1
    if played.commission and played.base_wager == "main":
        roundings = {sheet.commission.rounding if sheet.commission else None for sheet in sheets}
        assert roundings == {*ROUNDINGS, None}


@pytest.mark.parametrize("name", game_ids())
def test_the_first_sheet_of_a_game_is_its_sample(name: str) -> None:
    first = sheets_of(Chance(1), PROPERTIES[0], name)[0]
    content = _sample_of(name)
    assert {key: value for key, value in first.items() if key not in ("id", "version", "wagers")} == {
        key: value for key, value in content.items() if key not in ("id", "version", "wagers")
    }


def test_an_eventful_month_has_every_command_and_every_finding(tmp_path: Path) -> None:
    habits = replace(EVENTFUL, misdeal=1_500, exposed=4_000, many_exposed=4_000)
    commands: set[str] = set()
    findings: set[str] = set()
    for name in game_ids():
        folder = tmp_path / name
        folder.mkdir()
        with play(feed(11, 60, games=(name,), habits=habits, bias=True), folder) as played:
            commands |= {each["command"] for each in played.commands}
            for document in played.documents.values():
                findings |= {finding["code"] for finding in document["findings"]}
    assert commands == COMMANDS
    assert findings == FINDINGS


COMMANDS = {
    "buy_in",
    "cash_out",
    "clear_shuffler",
    "close_betting",
    "correct_line",
    "deal",
    "double_down",
    "draw_start",
    "expose_card",
    "fold",
    "forfeit",
    "open_meter",
    "open_property",
    "open_round",
    "pay_jackpot",
    "place_wager",
    "publish_sheet",
    "raise",
    "refuse_jackpot",
    "report_payment",
    "reset_hand",
    "set_dealer",
    "set_hand",
    "settle",
    "shuffler_error",
    "take_bank",
    "validate_jackpot",
    "void_round",
    "withdraw_wager",
}
FINDINGS = {
    "bank.foul-reset",
    "bank.house-wager-high",
    "bank.out-of-turn",
    "bank.set-early",
    "deal.duplicate-card",
    "deal.exposed",
    "deal.hand-size",
    "deal.missed-spot",
    "deal.stub-count",
    "deal.wrong-deck",
    "dealer.not-house-way",
    "hand.foul",
    "jackpot.no-signal",
    "meter.unreasonable",
    "payment.difference",
    "payout.limited",
    "shuffler.failed",
    "start.not-recorded",
}


def test_a_room_plays_at_the_rates_of_a_room(tmp_path: Path) -> None:
    with play(feed(21, 300), tmp_path) as played:
        hands = sum(bool(seat["set_by"]) for document in played.documents.values() for seat in document["seats"])
        found = Counter(finding["code"] for each in played.documents.values() for finding in each["findings"])
        statuses = Counter(document["status"] for document in played.documents.values())
    assert 0.002 < found["hand.foul"] / hands < 0.03
    assert statuses["settled"] > 285
    assert statuses["voided"] > 0


def test_a_coordinator_walks_beside_tables_that_play_as_without() -> None:
    def said(commands: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Without the commands' ids, which are counted through."""
        return [{key: value for key, value in each.items() if key != "command_id"} for each in commands]

    walked = said(feed(4, 150, games=("fortune", "face_up"), coordinator=True))
    assert [each for each in walked if each["by"] != AUTHOR] == said(feed(4, 150, games=("fortune", "face_up")))
    assert {each["command"] for each in walked if each["by"] == AUTHOR} >= {"read_meter"}


def test_what_a_coordinator_does_is_recorded_and_every_meter_sums_up(rounds: Rounds) -> None:
    # This table closes for hours, so that there are many walks.
    commands = list(feed(8, 300, players=2, games=("fortune",), tables=1, coordinator=True))
    Path("feed.jsonl").write_text("\n".join(map(json.dumps, commands)), encoding="utf-8")
    assert rounds("record", "feed.jsonl").code == 0
    assert rounds("verify").code == 0
    done = Counter(each["command"] for each in commands if each["by"] == AUTHOR)
    assert done.keys() == {"read_meter", "adjust_meter", "change_meter", "transfer_meter"}
