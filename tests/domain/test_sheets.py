"""A sheet is read whole or refused with the path of its mistake; once stored it is readable for ever."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domain.games
import domain.house_ways
from domain.games.game import Game
from domain.rankings import RANKINGS
from domain.sheets import Commission, PayLine, Sheet, fingerprint, sample, sample_ids, sheet_of
from domain.sheets.node import SheetInvalid
from domain.sheets.reading import content_from_text, read_sheet
from tests.cases import case

Content = dict[str, Any]
GONE = object()
FORTUNE = "fortune-cardroom@1"
BONUS = "paytables.SEED4-BONUS.lines"


def changed(*changes: tuple[str, Any], base: Content | None = None) -> Content:
    """The cardroom's sheet with the value at each dotted path changed, or taken out by GONE."""
    content: Content = copy.deepcopy(dict(sample(FORTUNE)) if base is None else base)
    for path, value in changes:
        *way, last = (int(step) if step.isdecimal() else step for step in path.split("."))
        inner: Any = content
        for step in way:
            inner = inner[step]
        if value is GONE:
            del inner[last]
        else:
            inner[last] = value
    return content


def refuse(content: Any, path: str, *named: str) -> None:
    """Asserts that the refusal begins with the path and names what it should."""
    with pytest.raises(SheetInvalid) as refused:
        read_sheet(content)
    message = refused.value.message
    assert message.startswith(f"{path}: "), message
    assert refused.value.code == "sheet.invalid"
    for each in named:
        assert each in message


def test_the_cardrooms_sheet_is_read_into_what_the_rules_look_up() -> None:
    sheet = read_sheet(sample(FORTUNE))
    assert (sheet.ref, sheet.game, sheet.positions, sheet.house_way) == (FORTUNE, "fortune", 6, "cardroom")
    assert (sheet.player_bank, sheet.two_hands, sheet.envy_minimum_cents) == (True, "any", 500)
    assert (sheet.commission, sheet.payout_limit_cents) == (Commission(500, "half_up"), None)
    main, fortune, progressive = (sheet.wagers[id_] for id_ in ("main", "fortune", "progressive"))
    assert (main.min_cents, main.max_cents, main.toke_max_cents) == (500, 100_000, 10_000)
    assert (main.envy, main.meters, progressive.meters) == (None, (), ("PROG",))
    assert main.paytable.hands["win"] == PayLine("win", "to_1", n=1)
    assert fortune.paytable.name == "SEED4-BONUS"
    assert fortune.paytable.hands["royal_match"].n == 1000
    assert "one_pair" not in fortune.paytable.hands
    assert fortune.envy is not None
    assert fortune.envy.cents["royal_match"] == 75_000
    assert progressive.envy is None


def test_a_line_is_quoted_as_the_contract_writes_it() -> None:
    assert PayLine("straight", "to_1", n=2).odds == "2 to 1"
    assert PayLine("straight", "to_1", n=0).odds == "0 to 1"
    assert PayLine("straight", "for_1", n=50).odds == "50 for 1"
    assert PayLine("straight", "fixed", cents=500).odds == "fixed"
    assert PayLine("straight", "percent_of_meter", percent=10, level="major").odds == "10% of major"


def test_an_absent_option_means_the_default_and_is_filled_in() -> None:
    game = domain.games.game("fortune")
    defaults = {ruling: tokens[0] for ruling, tokens in game.options.items()}
    for options in (GONE, {}, {"R7": "second"}):
        sheet = read_sheet(changed(("options", options)))
        assert sheet.options == sheet.content["options"] == defaults
    assert read_sheet(changed(("options.R7", "lowest"))).options == defaults | {"R7": "lowest"}


def test_R20_an_absent_house_way_is_the_cardrooms() -> None:
    sheet = read_sheet(changed(("house_way", GONE)))
    assert sheet.house_way == sheet.content["house_way"] == "cardroom"


def test_an_absent_ranking_is_win() -> None:
    assert read_sheet(changed(("paytables.even.ranking", GONE))).wagers["main"].paytable.ranking == "win"


def test_the_same_content_after_filling_in_has_the_same_fingerprint() -> None:
    published = read_sheet(sample(FORTUNE))
    for path in ("options", "options.R7", "house_way", "paytables.even.ranking"):
        assert read_sheet(changed((path, GONE))).fingerprint == published.fingerprint
    other_order = json.loads(json.dumps(sample(FORTUNE), sort_keys=True))
    assert list(other_order) != list(sample(FORTUNE))
    assert read_sheet(other_order).fingerprint == published.fingerprint


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("title", "other"),
        ("version", 2),
        ("options.R7", "lowest"),
        ("wagers.main.max_cents", 100_001),
        (f"{BONUS}.0.n", 2501),
        ("paytables.even.source", "somebody said so"),
        ("commission", GONE),
        ("payout_limit_cents", 10**12),
    ],
)
def test_other_content_has_another_fingerprint(path: str, value: Any) -> None:
    assert read_sheet(changed((path, value))).fingerprint != read_sheet(sample(FORTUNE)).fingerprint


ACCEPTED: list[tuple[str, Any]] = [
    ("id", "a"),
    ("id", "0-" * 20),
    ("version", 10**9),
    ("title", "x" * 200),
    ("title", "Pai gow – José's"),
    ("positions", 1),
    ("two_hands", "no"),
    ("two_hands", "adjacent"),
    ("player_bank", False),
    ("commission.bp", 0),
    ("commission.bp", 10_000),
    ("commission.rounding", "up_to_quarter"),
    ("payout_limit_cents", 1),
    ("wagers.main.min_cents", 100_000),
    ("wagers.main.max_cents", 10**12),
    ("wagers.main.toke_max_cents", GONE),
    ("wagers.progressive", GONE),
    ("wagers.progressive.envy", "SEED4-ENVY"),
    ("wagers.progressive.meter", "x" * 200),
    ("wagers.progressive.meter", ["PROG"]),
    (f"{BONUS}.0", {"hand": "high_card", "kind": "to_1", "n": 0}),
    (f"{BONUS}.0", {"hand": "high_card", "kind": "for_1", "n": 1}),
    (f"{BONUS}.0", {"hand": "high_card", "kind": "fixed", "cents": 1}),
    ("paytables.unused", {"source": "x", "ranking": "six_card", "lines": [{"hand": "flush", "kind": "to_1", "n": 1}]}),
    ("envy_tables.unused", {"source": "trial", "lines": [{"hand": "no_such_hand", "cents": 1}]}),
]


@pytest.mark.parametrize(("path", "value"), ACCEPTED)
def test_what_a_sheet_may_say(path: str, value: Any) -> None:
    read_sheet(changed((path, value)))


def test_a_sheet_without_envy_needs_neither_table_nor_minimum() -> None:
    gone = [(path, GONE) for path in ("wagers.fortune.envy", "envy_tables", "envy_minimum_cents")]
    sheet = read_sheet(changed(*gone))
    assert (sheet.envy_minimum_cents, sheet.wagers["fortune"].envy) == (None, None)


REFUSED: dict[str, list[Any]] = {
    "id": [GONE, None, "", "Fortune", "a b", "a@1", "ä", "x" * 41, 1, "a\n"],
    "version": [GONE, None, 0, -1, 1.0, True, "1", 10**9 + 1],
    "game": [GONE, None, "", "roulette", "Fortune", 1, ["fortune"]],
    "title": [GONE, None, "", "x" * 201, 5, "a\0", "a\ud800"],
    "source": [GONE, None, "", 5],
    "positions": [GONE, None, 0, 7, 6.0, True, "6"],
    "options": [None, [], "default"],
    "options.R7": ["first", "", None, True, 1],
    "options.R99": ["x"],
    "options.R1": ["push", "lose"],
    "house_way": [None, "", "dealer", "no_such", 1, ["cardroom"]],
    "commission": [None, 500, []],
    "commission.bp": [GONE, None, -1, 10_001, 500.0, True, "500"],
    "commission.rounding": [GONE, None, "down", "", 1],
    "commission.rate": [500],
    "player_bank": [GONE, None, 0, 1, "true"],
    "two_hands": [GONE, None, True, "two", ""],
    "envy_minimum_cents": [GONE, None, 0, -1, 500.0, True, "500", 10**12 + 1],
    "payout_limit_cents": [None, 0, -1, 1.5, 10**12 + 1],
    "colour": ["red"],
    "wagers": [GONE, None, []],
    "wagers.main": [GONE, None, "even"],
    "wagers.tiger_9": [{"paytable": "even", "min_cents": 1, "max_cents": 1}],
    "wagers.house": [{"paytable": "even", "min_cents": 1, "max_cents": 1}],
    "wagers.main.paytable": [GONE, None, "", "no_such", "SEED4-BONUS", "SAMPLE-PROG-7", 1, ["even"]],
    "wagers.fortune.paytable": ["even", "SAMPLE-PROG-7"],
    "wagers.main.min_cents": [GONE, None, 0, -1, 500.0, True, "500", 100_001],
    "wagers.main.max_cents": [GONE, None, 0, -1, 1000.5, "1000", 10**12 + 1],
    "wagers.main.toke_max_cents": [None, 0, -1, 1.5, "1"],
    "wagers.main.envy": ["SEED4-ENVY"],
    "wagers.main.meter": ["PROG"],
    "wagers.main.colour": ["red"],
    "wagers.fortune.meter": ["PROG"],
    "wagers.fortune.envy": [None, "no_such", 1],
    "wagers.progressive.toke_max_cents": [100],
    "wagers.progressive.meter": [GONE, None, "", 1, "x" * 201, [], ["PROG", "PROG"], [""], [1], ["PROG", None], {}],
    "paytables": [GONE, None, []],
    "paytables.even": [None, [], "win"],
    "paytables.even.source": [GONE, None, "", 5],
    "paytables.even.ranking": [None, "", "no_such", 1, ["win"]],
    "paytables.even.lines": [GONE, None, [], {}, {"win": 1}],
    "paytables.even.colour": ["red"],
    "envy_tables": [None, []],
    "envy_tables.SEED4-ENVY.source": [GONE, None, ""],
    "envy_tables.SEED4-ENVY.lines": [GONE, None, [], {}],
    "envy_tables.SEED4-ENVY.colour": ["red"],
    f"{BONUS}.0": [None, "royal_match", []],
    f"{BONUS}.0.hand": [GONE, None, "", 5, "six_card_flush", "Royal_Match", "win"],
    f"{BONUS}.0.kind": [GONE, None, "", "to_2", 1, ["to_1"]],
    f"{BONUS}.0.n": [GONE, None, -1, 2.0, True, "2", 10**6 + 1],
    f"{BONUS}.0.cents": [100],
    f"{BONUS}.0.percent": [10],
    f"{BONUS}.0.level": ["major"],
    f"{BONUS}.0.colour": ["red"],
    "paytables.SAMPLE-PROG-7.lines.0.percent": [GONE, None, 0, 101, 50.0, True, "50"],
    "paytables.SAMPLE-PROG-7.lines.0.level": [GONE, None, "", 1],
    "paytables.SAMPLE-PROG-7.lines.0.n": [1],
    "paytables.SAMPLE-PROG-7.lines.6.n": [0, -1],
    "envy_tables.SEED4-ENVY.lines.1.hand": [GONE, None, "", "six_card_flush"],
    "envy_tables.SEED4-ENVY.lines.1.cents": [GONE, None, 0, -1, 1.5, "1"],
    "envy_tables.SEED4-ENVY.lines.1.kind": ["fixed"],
}


@pytest.mark.parametrize(("path", "value"), [(path, value) for path, values in REFUSED.items() for value in values])
def test_a_mistake_in_a_sheet_is_refused_with_its_path(path: str, value: Any) -> None:
    shown = re.sub(r"\.lines\.([0-9]+)", r".lines[\1]", path)
    refuse(changed((path, value)), f"sheet.{shown}")


@pytest.mark.parametrize(
    ("path", "value", "named_at"),
    [
        ("wagers", {}, "wagers.main"),
        ("wagers.main.max_cents", 499, "wagers.main.min_cents"),
        ("paytables.even", GONE, "wagers.main.paytable"),
        ("paytables.even.ranking", "tiger_9", "paytables.even.lines[0].hand"),
        ("envy_tables", GONE, "wagers.fortune.envy"),
        ("envy_tables.SEED4-ENVY", GONE, "wagers.fortune.envy"),
        (f"{BONUS}.0.hand", "royal_match", "paytables.SEED4-BONUS.lines[1].hand"),
        ("envy_tables.SEED4-ENVY.lines.1.hand", "five_aces", "envy_tables.SEED4-ENVY.lines[3].hand"),
        ("paytables.", {}, "paytables"),
        ("paytables." + "x" * 201, {}, "paytables"),
        ("options", {"R7": "second", "R8": "none"}, "options.R8"),
    ],
)
def test_a_mistake_that_shows_elsewhere_is_named_where_it_shows(path: str, value: Any, named_at: str) -> None:
    refuse(changed((path, value)), f"sheet.{named_at}")


@pytest.mark.parametrize("content", [None, [], "fortune", 1, {}])
def test_what_is_no_sheet_at_all_is_refused(content: Any) -> None:
    refuse(content, "sheet.id" if content == {} else "sheet")


def test_a_refusal_names_the_value_and_the_way_out() -> None:
    refuse(changed(("wagers.fortune.paytable", "BONUS")), "sheet.wagers.fortune.paytable", '"BONUS"', "SEED4-BONUS")
    refuse(changed(("wagers.main.min_cents", 100_001)), "sheet.wagers.main.min_cents", "100001", "100000")
    refuse(changed(("positions", 7)), "sheet.positions", "7", "from 1 to 6")
    refuse(changed(("house_way", "dealer")), "sheet.house_way", "cardroom")
    refuse(changed(("options.R8", "never")), "sheet.options.R8", "equal_legal, strict")
    refuse(changed((f"{BONUS}.0.hand", "flush_7")), "sheet.paytables.SEED4-BONUS.lines[0].hand", "seven_card_bonus")


@pytest.fixture
def trial_game(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game without commission, split hands, player bank and joker, whose bonus is raised during the hand."""
    fortune = domain.games.game("fortune")
    wagers = tuple(replace(rule, placed=rule.id != "fortune") for rule in fortune.wagers)
    game = replace(
        fortune, id="trial", joker=False, split=None, wagers=wagers, options={}, player_bank=False, commission=False
    )
    monkeypatch.setattr(domain.games, "game_ids", lambda: ("trial",))
    monkeypatch.setattr(domain.games, "game", lambda id_: {"trial": game}[id_])
    return game


def trial_content() -> Content:
    """A sheet of the trial game."""
    gone = ("options", "house_way", "commission", "wagers.fortune.min_cents", "wagers.fortune.max_cents")
    return changed(("game", "trial"), ("player_bank", False), *((path, GONE) for path in gone))


@pytest.mark.usefixtures("trial_game")
def test_a_sheet_says_only_what_its_game_has() -> None:
    sheet = read_sheet(trial_content())
    assert (sheet.house_way, sheet.commission, sheet.options) == (None, None, {})
    assert (sheet.wagers["fortune"].min_cents, sheet.wagers["fortune"].max_cents) == (None, None)
    for path, value in [
        ("game", "fortune"),
        ("house_way", "cardroom"),
        ("commission", {"bp": 500, "rounding": "half_up"}),
        ("player_bank", True),
        ("options", {"R7": "second"}),
        ("wagers.fortune.min_cents", 100),
        ("wagers.fortune.max_cents", 100),
    ]:
        named_at = "options.R7" if path == "options" else path
        refuse(changed((path, value), base=trial_content()), f"sheet.{named_at}")


def test_the_spots_and_the_dealer_get_whole_hands_of_one_deck(
    monkeypatch: pytest.MonkeyPatch, trial_game: Game
) -> None:
    for joker, hand_size, most in ((False, 7, 6), (True, 7, 6), (True, 6, 7), (False, 13, 3), (True, 53, 0)):
        game = replace(trial_game, joker=joker, hand_size=hand_size)
        monkeypatch.setattr(domain.games, "game", lambda id_, game=game: game)
        refuse(changed(("positions", most + 1), base=trial_content()), "sheet.positions")
        if most:
            read_sheet(changed(("positions", most), base=trial_content()))


def test_a_house_way_for_another_hand_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    six = replace(domain.games.game("fortune"), hand_size=6)
    monkeypatch.setattr(domain.games, "game", lambda id_: six)
    refuse(sample(FORTUNE), "sheet.house_way", "cardroom", "6 cards")
    refuse(changed(("house_way", GONE)), "sheet.house_way", "missing")


def test_a_stored_sheet_is_readable_whatever_became_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    published = read_sheet(sample(FORTUNE))
    stored = json.loads(json.dumps(published.content, sort_keys=True))
    monkeypatch.setattr(domain.games, "game_ids", lambda: ())
    monkeypatch.setattr(domain.house_ways, "house_way_ids", lambda: ())
    refuse(stored, "sheet.game")
    sheet = sheet_of("stored under this", stored)
    assert replace(sheet, fingerprint=published.fingerprint) == published
    assert fingerprint(stored) == published.fingerprint


def test_a_stored_sheet_is_built_once() -> None:
    published = read_sheet(sample(FORTUNE))
    assert sheet_of(published.fingerprint, published.content) is sheet_of(published.fingerprint, {})


def test_no_number_of_sheets_is_kept_for_ever() -> None:
    content = read_sheet(sample(FORTUNE)).content
    first = sheet_of("kept 0", content)
    for number in range(1, 1000):
        sheet_of(f"kept {number}", content)
    assert sheet_of("kept 0", content) is not first
    assert sheet_of("kept 0", content) == first


def test_reading_changes_nothing_of_what_is_read() -> None:
    content = changed(("options", {}), ("house_way", GONE))
    before = copy.deepcopy(content)
    read_sheet(content)
    assert content == before


def test_every_sample_is_read_and_names_the_source_of_each_table() -> None:
    assert FORTUNE in sample_ids()
    for ref in sample_ids():
        sheet = read_sheet(sample(ref))
        assert sheet.ref == ref
        tables = [wager.paytable for wager in sheet.wagers.values()] + [
            wager.envy for wager in sheet.wagers.values() if wager.envy is not None
        ]
        assert all(table.source for table in tables)


def test_a_sample_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        sample("fortune-cardroom@99")


def test_every_sheet_of_the_cases_is_read_or_refused_as_expected() -> None:
    read = 0
    for here in case.load(case.DATA):
        expected = {each["line"]: each for each in here.of("receipt")}
        for number, line in enumerate(here.feed.read_text(encoding="utf-8").splitlines(), 1):
            if '"publish_sheet"' not in line or json.loads(line)["sheet"]["game"] not in domain.games.game_ids():
                continue
            if expected[number]["status"] == "recorded":
                read_sheet(json.loads(line)["sheet"])
                read += 1
    assert read >= len(case.load(case.DATA)) / 2


TOML = """
id = "trial"
version = 3
game = "fortune"
title = "Trial"
source = "invented for trials, not a rule"
positions = 6
player_bank = false
two_hands = "no"

[wagers.main]
paytable = "even"
min_cents = 500
max_cents = 500

[paytables.even]
source = "invented for trials, not a rule"
lines = [{ hand = "win", kind = "to_1", n = 1 }]
"""


def test_a_sheet_file_is_json_or_toml() -> None:
    from_toml = content_from_text(TOML, ".toml")
    assert read_sheet(from_toml).ref == "trial@3"
    assert content_from_text(json.dumps(from_toml), ".json") == from_toml


@pytest.mark.parametrize(
    ("text", "suffix", "named"),
    [
        ("{", ".json", "no JSON"),
        ("[]", ".json", "object"),
        ('{"id": "a", "id": "a"}', ".json", "stands twice"),
        ('{"a": NaN}', ".json", "NaN"),
        ("a = \nb = 1", ".toml", "line 1"),
        ("a = 1\na = 2\n", ".toml", "line 2"),
        ("a = " + "[" * 100_000, ".toml", "deep"),
        ("a = " + "1" * 10_000, ".toml", "digits"),
        ("{}", ".yaml", ".json or .toml"),
        ("{}", "", ".json or .toml"),
    ],
)
def test_a_sheet_file_that_cannot_be_read_is_refused(text: str, suffix: str, named: str) -> None:
    with pytest.raises(SheetInvalid, match=re.escape(named)):
        content_from_text(text, suffix)


@pytest.mark.parametrize("value", ["5.0", "1e3", "2026-01-01", "inf"])
def test_toml_values_that_json_has_not_are_no_amounts(value: str) -> None:
    content = content_from_text(TOML.replace("min_cents = 500", f"min_cents = {value}"), ".toml")
    refuse(content, "sheet.wagers.main.min_cents")


def test_a_float_in_a_json_file_is_refused_with_its_path() -> None:
    refuse(content_from_text(json.dumps(changed(("positions", 6.0))), ".json"), "sheet.positions", "6.0")


@given(st.sampled_from(sorted(REFUSED)), st.none() | st.integers() | st.text(max_size=5) | st.lists(st.integers()))
def test_whatever_stands_in_a_sheet_is_read_or_refused_but_never_crashes(path: str, value: Any) -> None:
    try:
        sheet = read_sheet(changed((path, value)))
    except SheetInvalid as refusal:
        refusal.message.encode()
        return
    assert read_sheet(sheet.content) == sheet


@given(st.permutations(list(RANKINGS["seven_card_bonus"])), st.integers(1, 15), st.integers(0, 10**6))
def test_a_paytable_is_looked_up_by_the_class_whatever_the_order_of_its_lines(
    hands: list[str], lines: int, n: int
) -> None:
    table = [{"hand": hand, "kind": "to_1", "n": n} for hand in hands[:lines]]
    sheet: Sheet = read_sheet(changed((BONUS, table)))
    assert {hand: line.n for hand, line in sheet.wagers["fortune"].paytable.hands.items()} == dict.fromkeys(
        hands[:lines], n
    )
