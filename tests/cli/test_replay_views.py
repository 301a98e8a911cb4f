"""A replay as it is drawn on a terminal, told in sentences, and seen with different eyes."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.replay import panels
from cli.replay.cards import spoken_cards
from cli.replay.drawing import Block, block_width
from cli.replay.felt import draw_felt
from cli.replay.text import COLUMNS, DRAWN, SENTENCES, print_replay
from cli.tables import Paper, width
from domain.money import dollars
from tests.cli.conftest import ROUND, Rounds
from tests.cli.test_replay import seen_on_a_terminal

Document = dict[str, Any]
CASES = Path(__file__).parents[1] / "cases" / "data"
WIDTHS = (24, 40, 60, 80, 120)


def case(rounds: Rounds, name: str) -> list[Document]:
    """The rounds of a conformance case, whose refusals are its own, from a store of its own."""
    store = f"sqlite:///{name}.db"
    rounds("--db", store, "record", "-q", CASES / f"{name}.jsonl")
    return rounds("--db", store, "replay", "--all", "--format", "jsonl").rows()


@pytest.fixture
def documents(evening: Path, rounds: Rounds) -> list[Document]:
    """Every round of an eventful evening, and a fold."""
    return [
        *rounds("replay", "--all", "--format", "jsonl").rows(),
        *case(rounds, "hcf-c2-fold-keeps-side-wagers"),
        *case(rounds, "foul-loses-house-bank"),
        *case(rounds, "bank-surplus"),
    ]


def written(document: Document, form: str, page: int, encoding: str = "utf-8") -> str:
    stream = io.BytesIO()
    print_replay(Paper(stream, encoding=encoding), document, form, page)
    return stream.getvalue().decode(encoding)


def text_of(block: Block) -> str:
    return "\n".join("".join(piece.text for piece in row) for row in block)


def test_every_round_fits_every_page(documents: list[Document]) -> None:
    for place, page in enumerate(WIDTHS):
        # Every round on one of these pages, and all of them on the common one.
        for document in documents if page == 80 else documents[place :: len(WIDTHS)]:
            assert block_width(draw_felt(document, page)) <= page
            for form in (DRAWN, SENTENCES):
                assert [line for line in written(document, form, page).splitlines() if width(line) > page] == []


def test_seats_stand_side_by_side_as_far_as_there_is_room(documents: list[Document]) -> None:
    document = max(documents, key=lambda each: len(each["seats"]))
    titles = {page: max(text_of([row]).count("Seat ") for row in draw_felt(document, page)) for page in WIDTHS}
    assert titles == {24: 1, 40: 1, 60: 1, 80: 2, 120: 3}


def test_the_drawn_table_has_each_hand_its_comparison_and_its_wagers(one_round: Path, rounds: Rounds) -> None:
    drawn = seen_on_a_terminal("replay", ROUND, NO_COLOR="1")
    assert "│ 8♠│ 8♥│ 8♦│ 8♣│ 3♠│ │ A♣│ K♦│" in drawn
    unbroken = " ".join(drawn.split())
    assert "high hand: four eights beat a pair" in unbroken
    assert re.search(r"Seat 5 P200 +net \+\$246\.50", drawn)
    assert "main $50.00, fortune $5.00," in drawn


def test_a_terminal_without_utf_8_gets_ascii_with_the_letters_of_the_suits(one_round: Path) -> None:
    for drawn in (
        seen_on_a_terminal("replay", ROUND, LC_ALL="C"),
        seen_on_a_terminal("replay", ROUND, LC_ALL="", LANG="C"),
        seen_on_a_terminal("replay", ROUND, PYTHONIOENCODING="ascii"),
    ):
        assert drawn.isascii()
        assert re.sub(r"\x1b\[\d*m", "", drawn).count("| 8s| 8h| 8d| 8c| 3s| | Ac| Kd|") == 1


@pytest.mark.parametrize("name", ["P" * 200, "Player of a rather long name " * 5, "<b>"])
def test_a_long_name_is_wrapped(name: str, one_round: Path, rounds: Rounds) -> None:
    document = json.loads(rounds("replay", ROUND, "--format", "json").out.replace('"P200"', json.dumps(name)))
    for page in WIDTHS:
        assert block_width(draw_felt(document, page)) <= page
        assert block_width(panels.table(document, max(page, 39), 10)) <= max(page, 39)
        felt = re.sub(r"\s+", "", text_of(draw_felt(document, 40)))
        assert re.sub(r"\s+", "", name) in felt


def test_a_red_card_is_also_red_by_its_sign(documents: list[Document]) -> None:
    reds = {
        piece.text.strip()[-1]
        for document in documents
        for row in draw_felt(document, 80)
        for piece in row
        if piece.style == "red" and not piece.text.startswith(("net", "corrected"))
    }
    assert reds == {"♥", "♦"}


def test_into_a_file_and_a_pipe_it_is_columns_not_a_drawing(one_round: Path, rounds: Rounds) -> None:
    piped = rounds("replay", ROUND).out
    assert rounds("replay", ROUND, "-o", "replay.txt").code == 0
    assert Path("replay.txt").read_text(encoding="utf-8") == piped
    assert "│" not in piped
    assert written(json.loads(rounds("replay", ROUND, "--format", "json").out), COLUMNS, 80) == piped


def test_plain_is_sentences_that_can_be_read_aloud(one_round: Path, rounds: Rounds) -> None:
    plain = rounds("replay", ROUND, "--plain").out
    unbroken = " ".join(plain.split())
    assert "Seat 5, P200: high hand 8 of spades, 8 of hearts, 8 of diamonds, 8 of clubs, 3 of spades;" in unbroken
    assert "main: stake $50.00, wins, won $50.00, returned $50.00, commission $2.50, net +$47.50." in unbroken
    assert "Rule: seed 004, Object of the Game: both hands beat the banker's" in unbroken
    assert not set(plain) & set("│♠♥♦♣")
    assert re.findall(r"\b[2-9TJQKA][cdhs]\b", plain) == []
    assert "  Wager " not in plain


def test_plain_is_text(one_round: Path, rounds: Rounds) -> None:
    ran = rounds("replay", ROUND, "--plain", "--format", "json")
    assert (ran.code, ran.out) == (2, "")
    assert "--plain is text; it cannot be json" in ran.err


def test_plain_is_the_same_on_a_terminal(one_round: Path, rounds: Rounds) -> None:
    assert seen_on_a_terminal("replay", ROUND, "--plain", NO_COLOR="1") == rounds("replay", ROUND, "--plain").out


@pytest.mark.parametrize("form", [DRAWN, COLUMNS, SENTENCES])
def test_a_void_is_shown_before_and_after(form: str, rounds: Rounds) -> None:
    document = next(each for each in case(rounds, "meter-void-takes-back-everything") if each["reversed_lines"])
    text = written(document, form, 80)
    before, after = text.index("Before the void"), text.index("After the void")
    assert "Rule: a void returns every wager whole" in text[after:]
    assert "Rule: a void" not in text[before:after]


@pytest.mark.parametrize("form", [DRAWN, COLUMNS, SENTENCES])
def test_a_correction_is_shown_before_and_after(form: str, rounds: Rounds) -> None:
    document = next(each for each in case(rounds, "correction") if each["corrections"])
    text = " ".join(written(document, form, 80).split())
    for entry in document["corrections"]:
        assert f"Corrected by event {entry['version']}: before {dollars(entry['previous_due_cents'])} was" in text
    assert "before its correction," in text


def test_a_fold_a_foul_and_a_banker_are_said(documents: list[Document]) -> None:
    everything = "".join(text_of(draw_felt(each, 80)) for each in documents)
    for said in ("folded", "FOUL: the low hand outranks", "(banks)", "the hand is folded"):
        assert said in everything


def test_what_one_does_not_see_is_question_marks(one_round: Path, rounds: Rounds) -> None:
    dealt = json.loads(rounds("replay", ROUND, "--format", "json").out)["frames"]
    (version,) = (str(frame["version"]) for frame in dealt if frame["event"] == "round.hands-dealt")
    out = rounds("replay", ROUND, "--at", version, "--as", "seat:5").out
    assert "Seen by seat 5: cards that do not lie face up for them are ??." in out
    assert "dealer          ?? ?? ?? ?? ?? ?? ??" in out
    assert "2       P100    ?? ?? ?? ?? ?? ?? ??" in out
    assert "Qc" not in out
    assert "8c 8d 8h 8s" in out
    assert "7 unseen cards" in rounds("replay", ROUND, "--at", version, "--as", "dealer", "--plain").out
    assert rounds("replay", ROUND, "--as", "seat:5", "--format", "json").out.count('"seen_by": "seat:5"') == 1


def test_json_has_every_card_unless_it_is_asked_otherwise(one_round: Path, rounds: Rounds) -> None:
    for arguments in ((), ("--as", "surveillance")):
        assert "??" not in rounds("replay", ROUND, "--at", "12", "--format", "json", *arguments).out


@pytest.mark.parametrize(
    ("eyes", "code", "said"),
    [
        ("camera", 2, "replay.no-such-viewer: 'camera' looks at no round; say surveillance, dealer, or a seat"),
        ("seat:4", 3, f"replay.no-such-seat: nobody sat at seat 4 in round {ROUND}; seats taken: 2, 5"),
    ],
)
def test_nobody_else_can_look(eyes: str, code: int, said: str, one_round: Path, rounds: Rounds) -> None:
    ran = rounds("replay", ROUND, "--as", eyes)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


def test_one_looks_at_one_round(one_round: Path, rounds: Rounds) -> None:
    assert rounds("replay", "--all", "--as", "dealer").code == 2


def test_cards_read_aloud() -> None:
    assert spoken_cards("Th Jk ?? ??") == "10 of hearts, joker, 2 unseen cards"


def test_what_could_move_a_cursor_is_written_out_in_a_drawing(one_round: Path, rounds: Rounds) -> None:
    document = json.loads(rounds("replay", ROUND, "--format", "json").out)
    document["seats"][0]["player"] = "P\x1b[2J"
    assert "\x1b" not in text_of(draw_felt(document, 80))
    assert "\x1b" not in written(document, SENTENCES, 80)
