"""Feed lines become typed commands; what is no command is refused by form first, then unknown key, then amount."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import cards, commands
from domain.errors import AmountInvalid, Malformed, Refusal, UnknownKey
from domain.intake import COMMANDS, body_digest, command_and_digest, command_from, parse, read_line
from domain.meters import LevelTerms
from tests.cases import case
from tests.domain.feed_bodies import BODIES, LEVEL, Body, body, without

AMOUNT_LIMITS = {
    "amount_cents": (1, 10**12),
    "chips_cents": (1, 10**12),
    "house_wager_cents": (1, 10**12),
    "paid_cents": (0, 10**12),
    "due_cents": (0, 10**12),
    "unreasonable_micros": (0, 10**16),
}
LEVEL_AMOUNT_LIMITS = {
    "base_micros": (0, 10**16),
    "reset_micros": (0, 10**16),
    "limit_micros": (0, 10**16),
    "rate_bp": (0, 10_000),
    "hidden_rate_bp": (0, 10_000),
}
NO_AMOUNTS: list[Any] = [True, False, 100.0, 0.1, "100", "", [100], {"cents": 100}, -1, -(10**30), 10**30]
REQUIRED = [
    (name, field.name) for name, command in COMMANDS.items() for field in fields(command) if field.default is MISSING
]
AMOUNTS = [(name, key) for name in BODIES for key in BODIES[name] if key in AMOUNT_LIMITS]


def line_of(content: Any) -> bytes:
    return json.dumps(content).encode()


def refusal_of(content: Body | bytes | str) -> Refusal:
    with pytest.raises(Refusal) as refused:
        command_and_digest(content if isinstance(content, bytes | str) else line_of(content))
    return refused.value


def refuse(content: Body | bytes | str, kind: type[Refusal], *named: str) -> None:
    """Asserts the refusal's kind, and that its message names what is wrong."""
    refusal = refusal_of(content)
    assert type(refusal) is kind, refusal.message
    for each in named:
        assert each in refusal.message


def test_every_command_has_a_body_here() -> None:
    assert set(BODIES) == set(COMMANDS)


@pytest.mark.parametrize("name", BODIES)
def test_a_well_formed_line_is_read_into_its_command(name: str) -> None:
    command = parse(line_of(body(name)))
    assert type(command) is COMMANDS[name]
    assert (command.source, command.command_id, command.by) == ("cli", "c-1", "D7")
    assert command.at == "2026-05-04T18:00:00-04:00"


def test_text_and_bytes_are_read_alike() -> None:
    line = json.dumps(body("buy_in", player="José"), ensure_ascii=False)
    assert parse(line) == parse(line.encode()) == parse(line.encode() + b"\r\n")


def test_values_are_read_into_what_the_rules_work_with() -> None:
    said = {"command_id": "c-1", "at": "2026-05-04T18:00:00-04:00", "by": "D7"}
    assert command_from(body("open_round", deck="blue", source="pit-2")) == commands.OpenRound(
        **said,
        source="pit-2",
        round="r-1",
        property="NORTH",
        table="T1",
        number=7,
        game="fortune",
        sheet="fortune-cardroom@1",
        dealer="D1",
        seats={1: "P100", 12: "P101"},
        deck="blue",
    )
    dealt = command_from(body("deal", stub_cards="3c 4c"))
    hands = {0: cards.parse("As Kd"), 1: cards.parse("2c 2c Jk")}
    assert dealt == commands.Deal(**said, round="r-1", hands=hands, stub=4, stub_cards=cards.parse("3c 4c"))
    exposed = commands.ExposeCard(**said, round="r-1", seat=0, card=cards.card("Td"))
    assert command_from(body("expose_card")) == exposed
    opened = command_from(body("open_meter"))
    assert isinstance(opened, commands.OpenMeter)
    assert opened.levels[0] == LevelTerms("major", 10**9, 0, 1800, 200, None)
    assert [level.level for level in opened.levels] == ["major", "minor"]


@pytest.mark.parametrize(
    ("written", "read"),
    [("F1", ("F1",)), (["F1"], ("F1",)), (["F1", "F2"], ("F1", "F2")), (["F1", "F1"], ("F1", "F1")), ([], ())],
)
def test_approvers_are_a_name_or_a_list_of_names_for_the_rules_to_judge(written: Any, read: tuple[str, ...]) -> None:
    command = command_from(body("void_round", approved_by=written))
    assert isinstance(command, commands.VoidRound)
    assert command.approved_by == read


@pytest.mark.parametrize("written", [None, 1, "", {"1": "F1"}, [None], [""], [["F1"]], "x" * 201])
def test_approvers_are_nothing_else(written: Any) -> None:
    refuse(body("void_round", approved_by=written), Malformed, "approved_by")


@pytest.mark.parametrize(("name", "key"), REQUIRED)
def test_a_missing_key_is_malformed_and_named(name: str, key: str) -> None:
    refuse(without(name, key), Malformed, key, "missing")


@pytest.mark.parametrize("name", BODIES)
def test_an_unknown_key_is_named(name: str) -> None:
    refuse(body(name, colour="red"), UnknownKey, "colour")


@pytest.mark.parametrize("key", ["round", "seat", "amount_cents"])
def test_a_key_of_another_command_is_unknown(key: str) -> None:
    refuse(body("shuffler_error", **{key: body("raise")[key]}), UnknownKey, key)


@pytest.mark.parametrize(("name", "key"), AMOUNTS)
def test_the_ends_of_an_amount_are_in(name: str, key: str) -> None:
    for limit in AMOUNT_LIMITS[key]:
        assert getattr(command_from(body(name, **{key: limit})), key) == limit


@pytest.mark.parametrize(("name", "key"), AMOUNTS)
def test_what_is_no_amount_is_refused_as_one(name: str, key: str) -> None:
    low, high = AMOUNT_LIMITS[key]
    for value in [*NO_AMOUNTS, None, low - 1, high + 1]:
        refuse(body(name, **{key: value}), AmountInvalid, f"{key} is ", "write a whole number")


@pytest.mark.parametrize("key", LEVEL_AMOUNT_LIMITS)
def test_a_meters_parameters_are_amounts_from_0(key: str) -> None:
    low, high = LEVEL_AMOUNT_LIMITS[key]
    for limit in (low, high):
        parse(line_of(body("open_meter", levels=[LEVEL | {key: limit}])))
    nothing = [] if key == "limit_micros" else [None]
    for value in [*NO_AMOUNTS, *nothing, low - 1, high + 1]:
        refuse(body("open_meter", levels=[LEVEL | {key: value}]), AmountInvalid, f"levels[0].{key}")


@pytest.mark.parametrize(
    ("levels", "kind", "path"),
    [
        ([LEVEL, LEVEL | {"level": "minor", "colour": "red"}], UnknownKey, "levels[1].colour"),
        ([LEVEL, {key: LEVEL[key] for key in LEVEL if key != "limit_micros"}], Malformed, "levels[1].limit_micros"),
        ([LEVEL, LEVEL], Malformed, "major"),
        ([LEVEL | {"level": ""}], Malformed, "levels[0].level"),
        ([LEVEL, 3], Malformed, "levels[1]"),
        ([], Malformed, "levels"),
        ({"major": LEVEL}, Malformed, "levels"),
        (None, Malformed, "levels"),
    ],
)
def test_a_meters_levels_are_named_with_their_place(levels: Any, kind: type[Refusal], path: str) -> None:
    refuse(body("open_meter", levels=levels), kind, path)


def test_of_several_faults_form_decides_before_unknown_key_before_amount() -> None:
    amount = {"amount_cents": 1.5}
    refuse(body("raise", **amount), AmountInvalid)
    refuse(amount | {"colour": "red"} | without("raise", "amount_cents") | amount, UnknownKey)
    refuse({"colour": "red"} | body("raise", **amount, seat="2"), Malformed, "seat")
    refuse({"colour": "red"} | without("raise", "round") | amount, Malformed, "round")
    refuse({"colour": "red"} | without("draw_start", "number"), Malformed, "number")
    bad_level = LEVEL | {"base_micros": -1, "level": "minor"}
    refuse(body("open_meter", levels=[bad_level, LEVEL | {"colour": 1}]), UnknownKey)
    refuse(body("open_meter", levels=[bad_level, LEVEL | {"colour": 1, "level": 5}]), Malformed)


MALFORMED: dict[tuple[str, str], list[Any]] = {
    ("buy_in", "command_id"): [None, "", 1, [], True],
    ("buy_in", "by"): [None, "", 1, [], True],
    ("buy_in", "source"): [None, "", 1, [], True],
    ("buy_in", "player"): [None, "", 1, [], True, "x" * 201],
    ("buy_in", "at"): [None, 5, "", "yesterday", "2026-05-04T18:00:00", "2026-02-30T18:00:00Z"],
    ("settle", "round"): [None, 1, "", "a b", "a/b", "é", "r\n", "x" * 65],
    ("open_property", "zone"): [None, "", "Mars/Olympus", "../UTC", "America"],
    ("open_property", "day_starts"): [None, 6, "6:00", "24:00", "06:00:00"],
    ("open_property", "currency"): [None, "", "usd", "US", "DOLLAR"],
    ("open_round", "number"): [None, 0, -1, 1.0, True, "1", 10**9 + 1],
    ("open_round", "sheet"): [None, "x", "x@", "x@0", "x@01", "X@1", "x@1 ", "x@1@2", {}],
    ("open_round", "seats"): [
        *(None, {}, [], "P100", {"0": "P"}, {"01": "P"}, {"-1": "P"}, {"1.0": "P"}),
        *({"dealer": "P"}, {"1": ""}, {"1": None}, {"1": 5}),
    ],
    ("open_round", "deck"): [None, "", 5],
    ("fold", "seat"): [None, 0, -1, 1.0, True, "1", "dealer", [1]],
    ("place_wager", "toke"): [None, 0, 1, "true"],
    ("place_wager", "bettor"): [None, "", 5],
    ("draw_start", "method"): [None, "", "RNG", "cards", True, ["rng"]],
    ("draw_start", "number"): [None, 0, True, 1.0, "3"],
    ("deal", "hands"): [
        *(None, [], "As", {"1": ""}, {"1": ["As"]}, {"1": None}, {"0": "As"}),
        *({"Dealer": "As"}, {"1": "as"}, {"1": "As,Kd"}, {"1": "1s"}),
    ],
    ("deal", "stub"): [None, -1, 4.0, "4", True],
    ("deal", "stub_cards"): [None, "Zz", 5],
    ("expose_card", "seat"): [None, 0, "1", "Dealer", True],
    ("expose_card", "card"): [None, "", "As Kd", "as", 5, ["As"], True],
    ("set_hand", "low"): [None, "", "as", 5, ["As", "Kd"]],
    ("report_payment", "seat"): [None, -1, "0", False],
    ("report_payment", "for_seat"): [None, 0, "1"],
    ("report_payment", "kind"): [None, "", "main"],
    ("validate_jackpot", "signal"): [None, 0, "on"],
    ("pay_jackpot", "paid_from"): [None, "", "Cage", "bank"],
    ("publish_sheet", "sheet"): [None, [], "x", "fortune-cardroom@1"],
    ("publish_sheet", "effective_from"): [None, "", "2026-01-01"],
}
MALFORMED_VALUES = [(name, key, value) for (name, key), values in MALFORMED.items() for value in values]


@pytest.mark.parametrize(("name", "key", "value"), MALFORMED_VALUES)
def test_a_value_of_another_form_is_malformed_and_named(name: str, key: str, value: Any) -> None:
    refuse(body(name, **{key: value}), Malformed, f"{name}: {key}")


NEARLY_MALFORMED_VALUES: list[tuple[str, str, Any]] = [
    ("buy_in", "player", "x" * 200),
    ("buy_in", "player", " "),
    ("buy_in", "source", "x"),
    ("buy_in", "at", "2026-05-04t18:00:00.25z"),
    ("settle", "round", "Az09._-"),
    ("settle", "round", "x" * 64),
    ("open_round", "number", 10**9),
    ("open_round", "seats", {"3": "P100", "1": "P100"}),
    ("open_round", "deck", "red"),
    ("place_wager", "toke", False),
    ("place_wager", "seat", 99),
    ("place_wager", "wager", "no_such_wager"),
    ("deal", "hands", {}),
    ("deal", "hands", {"dealer": "Jk", "9": "As  As"}),
    ("deal", "stub", 0),
    ("deal", "stub_cards", ""),
    ("expose_card", "seat", 1),
    ("expose_card", "card", "Jk"),
    ("set_hand", "low", "As Kd Qc"),
    ("report_payment", "seat", 0),
    ("report_payment", "kind", "progressive"),
    ("publish_sheet", "sheet", {}),
    ("pay_jackpot", "paid_from", "rack"),
]


@pytest.mark.parametrize(("name", "key", "value"), NEARLY_MALFORMED_VALUES)
def test_a_value_of_the_form_is_read_whatever_the_rules_say_of_it_later(name: str, key: str, value: Any) -> None:
    parse(line_of(body(name, **{key: value})))


def test_a_start_is_a_machines_number_or_three_dice() -> None:
    drawn = command_from(without("draw_start", "number") | {"method": "dice", "dice": [1, 6, 3]})
    assert isinstance(drawn, commands.DrawStart)
    assert (drawn.dice, drawn.number) == ((1, 6, 3), None)
    refuse(body("draw_start", dice=[1, 6, 3]), Malformed, "dice", "rng")
    refuse(body("draw_start", method="dice", dice=[1, 6, 3]), Malformed, "number", "dice")
    refuse(without("draw_start", "number"), Malformed, "number")
    refuse(without("draw_start", "number") | {"method": "dice"}, Malformed, "dice")
    for dice in ([1, 6], [1, 6, 3, 2], [0, 6, 3], [1, 7, 3], [1, 6, 3.0], [1, 6, True], "163", None):
        refuse(without("draw_start", "number") | {"method": "dice", "dice": dice}, Malformed, "dice")


def test_a_hand_is_set_by_its_low_cards_or_the_house_way() -> None:
    house = command_from(without("set_hand", "low") | {"house_way": True})
    assert isinstance(house, commands.SetHand)
    assert (house.low, house.house_way) == (None, True)
    refuse(body("set_hand", house_way=True), Malformed, "house_way", "low")
    refuse(without("set_hand", "low"), Malformed, "low", "house_way")
    for value in (False, None, 1, "true"):
        refuse(without("set_hand", "low") | {"house_way": value}, Malformed, "house_way")


@pytest.mark.parametrize("name", ["no_such", "", None, 5, ["buy_in"], "Buy_in", "buy_in "])
def test_an_unknown_command_is_malformed_and_the_known_ones_are_listed(name: Any) -> None:
    refuse({"command": name, "command_id": "c-1"}, Malformed, "command is", "cash_out")


def test_a_line_without_a_command_is_malformed() -> None:
    refuse({"command_id": "c-1"}, Malformed, "command is missing")


GOOD = line_of(body("buy_in")).decode()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{", "no JSON"),
        ("", "no JSON"),
        ("buy_in", "no JSON"),
        (GOOD[:-1], "no JSON"),
        (GOOD + GOOD, "no JSON"),
        (GOOD + "x", "no JSON"),
        (GOOD.replace('"P100"', "'P100'"), "no JSON"),
        (GOOD.replace("10000", "010000"), "no JSON"),
        (GOOD.replace("10000", "NaN"), "NaN"),
        (GOOD.replace("10000", "Infinity"), "Infinity"),
        (GOOD.replace("10000", "-Infinity"), "-Infinity"),
        (GOOD.replace("P100", "P\t100"), "no JSON"),
        ("\ufeff" + GOOD, "byte order mark"),
        ("[]", "[]"),
        ("[" + GOOD + "]", "one JSON object"),
        ("3", "3"),
        ("3.5", "3.5"),
        ('"text"', '"text"'),
        ("null", "null"),
        ("true", "true"),
        (GOOD[:-1] + ', "amount_cents": 5}', '"amount_cents" stands twice'),
        (GOOD[:-1] + ', "amount_cents": 10000}', '"amount_cents" stands twice'),
        (GOOD[:-1] + ', "amount\\u005fcents": 5}', '"amount_cents" stands twice'),
        (GOOD[:-1] + ', "note": {"a": {"b": 1, "b": 2}}}', '"b" stands twice'),
        (GOOD.replace("P100", "P\\ud800"), "surrogate"),
        (GOOD.replace("P100", "P\\u0000"), "NUL"),
        (GOOD.replace("P100", "P\ud800"), "surrogate"),
        (GOOD.replace("10000", "1" * 5000), "digits"),
        (GOOD.replace("10000", "[" * 40 + "]" * 40), "deep"),
        (GOOD.replace("10000", "[" * 100_000 + "]" * 100_000), "deep"),
        (GOOD.replace("10000", '{"a":' * 100_000 + "1" + "}" * 100_000), "deep"),
        (b"\xff" + GOOD.encode(), "UTF-8"),
        (GOOD.encode().replace(b"P100", b"P\xed\xa0\x80"), "UTF-8"),
        (GOOD.encode("utf-16"), "UTF-8"),
    ],
)
def test_a_line_that_readers_could_take_differently_is_malformed(line: bytes | str, named: str) -> None:
    refuse(line, Malformed, named)


@pytest.mark.parametrize(
    "player", ["\\\\u0000", "\\ud83c\\udccf", "\\u00e9", "🂿", "\\\\ud800", "\\\\\\\\u0000", "[[[[{{{{" * 20]
)
def test_a_line_that_only_looks_odd_is_read(player: str) -> None:
    parse(GOOD.replace("P100", player))


def test_numbers_with_an_exponent_are_no_amounts_but_json() -> None:
    refuse(GOOD.replace("10000", "1e4"), AmountInvalid, "10000.0")
    refuse(GOOD.replace("10000", "1e999"), AmountInvalid, "amount_cents")


@pytest.mark.parametrize(
    ("line", "command_id", "round_"),
    [
        (line_of(body("settle", colour=1)), "c-1", "r-1"),
        (line_of(body("raise", amount_cents=1.5)), "c-1", "r-1"),
        (line_of(without("settle", "command_id")), None, "r-1"),
        (line_of(body("settle", command_id=5, round="a b")), None, None),
        (line_of(body("settle", command_id="")), None, "r-1"),
        (line_of({"command": "no_such", "command_id": "c-9"}), "c-9", None),
        (line_of(body("settle")).replace(b'"c-1"', b'"c-1", "by": "D8"'), "c-1", "r-1"),
        (line_of(body("settle")).replace(b'"c-1"', b'"c-1", "command_id": "c-2"'), None, "r-1"),
        (line_of(body("settle", by="\ud800")), "c-1", "r-1"),
        (line_of(body("settle", command_id="\ud800")), None, "r-1"),
        (line_of(body("settle"))[:-1], None, None),
        (b"[]", None, None),
        (b"\xff", None, None),
    ],
)
def test_a_refusal_carries_what_could_be_read_of_the_id_and_the_round(
    line: bytes, command_id: str | None, round_: str | None
) -> None:
    refusal = refusal_of(line)
    assert (refusal.command_id, refusal.round) == (command_id, round_)


def test_a_long_value_is_shown_short() -> None:
    refusal = refusal_of(body("settle", round="x" * 100_000))
    assert len(refusal.message) < 200
    assert "xxx…" in refusal.message


def test_messages_can_be_written_anywhere() -> None:
    refusal_of(body("settle", round="é\ud800")).message.encode()
    refusal_of(body("settle", **{"k\ud800": 1})).message.encode()


def test_the_same_body_has_the_same_digest_whatever_the_order_spacing_and_escapes() -> None:
    here = body("buy_in", player="é")
    lines = [
        json.dumps(here),
        json.dumps(dict(reversed(here.items())), indent=1).replace("\n", " "),
        json.dumps(here, ensure_ascii=False, separators=(",", ":")),
        json.dumps(here | {"source": "pit-2"}),
    ]
    assert len({command_and_digest(line)[1] for line in lines}) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"amount_cents": 10_001},
        {"by": "D8"},
        {"at": "2026-05-04T22:00:00+00:00"},
        {"at": "2026-05-04T18:00:00.0-04:00"},
        {"player": "P1000"},
        {"player": "p100"},
        {"command": "cash_out"},
    ],
)
def test_another_body_has_another_digest(changed: Body) -> None:
    assert body_digest(body("buy_in")) != body_digest(body("buy_in") | changed)


def test_a_key_written_out_at_its_default_is_another_body() -> None:
    assert body_digest(body("place_wager")) != body_digest(body("place_wager", toke=False))


def test_seats_in_another_order_are_the_same_body() -> None:
    one = body("open_round", seats={"1": "P1", "2": "P2"})
    assert body_digest(one) == body_digest(body("open_round", seats={"2": "P2", "1": "P1"}))


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(COMMANDS)), st.data())
def test_whatever_stands_in_a_key_is_read_or_refused_but_never_crashes(name: str, data: st.DataObject) -> None:
    here = body(name)
    key = data.draw(st.sampled_from(sorted(here)) | st.text(max_size=8))
    content = here | {key: data.draw(JSON_VALUES)}
    try:
        command, digest = command_and_digest(line_of(content))
    except (Malformed, UnknownKey, AmountInvalid) as refusal:
        refusal.message.encode()
        return
    assert type(command) is COMMANDS[content["command"]]
    assert digest == body_digest(content)


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused_but_never_crash(line: bytes) -> None:
    assert refusal_of(line).code == "feed.malformed"


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=200),
    st.integers(1, 10**12),
    st.integers(1, 10**9),
    st.booleans(),
)
def test_what_is_written_of_a_wager_is_what_the_command_holds(
    text: str, amount_cents: int, seat: int, toke: bool
) -> None:
    written = body("place_wager", by=text, bettor=text, amount_cents=amount_cents, seat=seat, toke=toke)
    command = parse(line_of(written))
    assert {"command": "place_wager"} | {
        field.name: getattr(command, field.name) for field in fields(command) if field.name != "source"
    } == written


@pytest.mark.parametrize("name", [each.name for each in case.load(case.DATA)])
def test_every_line_of_the_cases_is_read_or_refused_as_expected(name: str) -> None:
    here = next(each for each in case.load(case.DATA) if each.name == name)
    expected = {each["line"]: each for each in here.of("receipt")}
    for number, line in enumerate(here.feed.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        code = expected[number]["code"]
        if code in ("feed.malformed", "command.unknown-key", "amount.invalid"):
            assert refusal_of(line).code == code
        elif expected[number]["status"] != "refused":
            parse(line)


def test_every_line_of_the_example_round_is_read() -> None:
    for feed in case.EXAMPLES.glob("*.jsonl"):
        for line in feed.read_bytes().splitlines():
            assert read_line(line) == json.loads(line)
            parse(line)
