"""The replay document: its shape, the example to the cent, and what is known when."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.errors import Refusal
from domain.house_events import MeterOpened, SheetPublished
from domain.intake import command_and_digest
from domain.rounds.events import WagerSettled
from domain.streams import Stream
from ledger.records import Record
from ledger.service import Ledger
from projections.replays import Document, NoSuchFrame, NoSuchRound, NoSuchSeat, replay, replay_all
from projections.rounds import Filters, list_rounds
from tests.projections.sources import record_all, url

CASES = Path(__file__).parents[1] / "cases"
ROUND = "PG01-20260314-1"

TEXT, NUMBER, TRUTH, NULL = str, int, bool, type(None)
LINE: dict[str, Any] = {
    "line_id": TEXT,
    "seat": NUMBER,
    "player": (TEXT, NULL),
    "wager": TEXT,
    "stake_cents": NUMBER,
    "outcome": TEXT,
    "odds": (TEXT, NULL),
    "won_cents": NUMBER,
    "returned_cents": NUMBER,
    "commission_cents": NUMBER,
    "net_cents": NUMBER,
    "paid_by": TEXT,
    "cite": TEXT,
    "ruling": (TEXT, NULL),
    "for_seat": (NUMBER, NULL),
    "kind": (TEXT, NULL),
    "hand": (TEXT, NULL),
    "meter_reading": (dict, NULL),
}
HANDS: dict[str, Any] = {
    "cards": (TEXT, NULL),
    "high": (TEXT, NULL),
    "low": (TEXT, NULL),
    "high_rank": (TEXT, NULL),
    "low_rank": (TEXT, NULL),
    "high_name": (TEXT, NULL),
    "low_name": (TEXT, NULL),
    "rule": (TEXT, NULL),
    "best": (TEXT, NULL),
}
SHAPE: dict[str, Any] = {
    "round": TEXT,
    "game": TEXT,
    "sheet": TEXT,
    "property": TEXT,
    "table": TEXT,
    "number": NUMBER,
    "gaming_day": TEXT,
    "status": TEXT,
    "bank": (TEXT, NUMBER),
    "start": (dict, NULL),
    "dealer": HANDS | {"qualifies": (TRUTH, NULL), "laid_high": (TEXT, NULL), "laid_low": (TEXT, NULL)},
    "seats": [HANDS | {"seat": NUMBER, "player": TEXT, "set_by": (TEXT, NULL), "foul": TRUTH, "folded": TRUTH}],
    "lines": [LINE],
    "findings": [{"code": TEXT, "seat": (NUMBER, NULL), "wager": (TEXT, NULL), "text": TEXT}],
    "frames": [{"version": NUMBER, "position": NUMBER, "at": TEXT, "by": TEXT, "event": TEXT, "text": TEXT}],
    "recheck": {"matches": TRUTH, "differences": [TEXT]},
    "integrity": {"verified": TRUTH, "head": TEXT},
    "reversed_lines": [LINE],
    "comparisons": [
        {"seat": NUMBER, "against": (TEXT, NUMBER), "hand": (TEXT, NULL), "result": (TEXT, NULL), "text": TEXT}
    ],
    "seen_by": TEXT,
    "phase": TEXT,
    "misdealt": TRUTH,
    "opened_at": TEXT,
    "dealt_by": TEXT,
    "deck": (TEXT, NULL),
    "dice": (list, NULL),
    "stub": (NUMBER, NULL),
    "exposed": [{"seat": (TEXT, NUMBER), "card": TEXT}],
    "banker": (dict, NULL),
    "wagers": [{"seat": NUMBER, "player": TEXT, "wager": TEXT, "stake_cents": NUMBER, "forfeited": TRUTH}],
    "corrections": [
        {
            "version": NUMBER,
            "at": TEXT,
            "by": TEXT,
            "line_id": TEXT,
            "seat": NUMBER,
            "player": TEXT,
            "wager": TEXT,
            "due_cents": NUMBER,
            "previous_due_cents": NUMBER,
            "difference_cents": NUMBER,
            "gaming_day": TEXT,
            "reason": TEXT,
            "approved_by": [TEXT],
        }
    ],
    "payments": [
        {
            "version": NUMBER,
            "at": TEXT,
            "by": TEXT,
            "line_id": TEXT,
            "seat": NUMBER,
            "wager": TEXT,
            "paid_cents": NUMBER,
            "expected_cents": NUMBER,
            "difference_cents": NUMBER,
        }
    ],
    "jackpots": [
        {
            "line_id": TEXT,
            "seat": NUMBER,
            "player": TEXT,
            "amount_cents": NUMBER,
            "due_cents": NUMBER,
            "state": TEXT,
            "validated_by": (TEXT, NULL),
            "signal": (TRUTH, NULL),
            "refused_by": (TEXT, NULL),
            "reason": (TEXT, NULL),
            "slip": (TEXT, NULL),
            "paid_from": (TEXT, NULL),
            "paid_by": (TEXT, NULL),
            "witness": (TEXT, NULL),
            "paid_cents": (NUMBER, NULL),
            "difference_cents": (NUMBER, NULL),
            "supervisor": (TEXT, NULL),
            "form_due": (TEXT, NULL),
            "form": (TEXT, NULL),
            "withheld_cents": (NUMBER, NULL),
            "cards_held": TRUTH,
        }
    ],
    "totals": (dict, NULL),
    "void": (dict, NULL),
}
RIDING = {"toke", "bettor"}
"""Keys that only a toke or a backer's wager has."""
FACTS = {"straight_flush_length"}
"""Keys that only some games give a seat."""


def misfits(found: Any, shape: Any, where: str = "") -> Iterator[str]:
    """Where a document is not of its shape: a missing or unknown key, a value of another type."""
    if isinstance(shape, dict):
        if set(found) - RIDING - FACTS != set(shape):
            yield f"{where}: {set(found) ^ set(shape)}"
        for key in set(found) & set(shape):
            yield from misfits(found[key], shape[key], f"{where}.{key}")
    elif isinstance(shape, list):
        for place, each in enumerate(found):
            yield from misfits(each, shape[0], f"{where}[{place}]")
    else:
        kinds = shape if isinstance(shape, tuple) else (shape,)
        if type(found) not in kinds:
            yield f"{where}: {found!r}"


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """The published example, recorded."""
    lines = (CASES / "examples" / "one-round.jsonl").read_text().splitlines()
    with Ledger.open(url(tmp_path_factory.mktemp("example") / "example.db")) as ledger:
        record_all(ledger, map(json.loads, lines))
        yield ledger


def case(tmp_path: Path, name: str) -> Ledger:
    """A conformance case, recorded; its refusals are the case's own."""
    ledger = Ledger.open(url(tmp_path / f"{name}.db"))
    for line in (CASES / "data" / f"{name}.jsonl").read_text().splitlines():
        try:
            ledger.record(*command_and_digest(line))
        except Refusal:
            continue
    return ledger


@pytest.fixture(scope="module")
def documents(long: Ledger) -> list[Document]:
    """Every round of the long history."""
    return list(replay_all(long))


def test_the_example_is_met_to_the_cent(example: Ledger) -> None:
    expected = json.loads((CASES / "examples" / "one-round.expected.json").read_text())
    found = replay(example, ROUND)
    for key in ("round", "game", "sheet", "property", "table", "number", "gaming_day", "status", "bank", "start"):
        assert found[key] == expected[key]
    for each, wanted in zip([found["dealer"], *found["seats"]], [expected["dealer"], *expected["seats"]], strict=True):
        assert _cards_as_sets(each, wanted) == _cards_as_sets(wanted, wanted)
    lines = [{name: line[name] for name in expected["lines"][0]} for line in found["lines"]]
    assert lines == expected["lines"]


def _cards_as_sets(found: Document, wanted: Document) -> Document:
    cards = {"cards", "high", "low"}
    return {name: set(found[name].split()) if name in cards else found[name] for name in wanted}


def test_every_key_of_every_document_has_its_shape(documents: list[Document], tmp_path: Path) -> None:
    with case(tmp_path, "meter-void-takes-back-everything") as ledger:
        documents = [*documents, *replay_all(ledger)]
    assert [misfit for document in documents for misfit in misfits(document, SHAPE)] == []
    for part in ("lines", "reversed_lines", "findings", "corrections", "payments", "jackpots", "exposed", "wagers"):
        assert any(document[part] for document in documents), part


def test_optional_parts_have_their_keys(documents: list[Document]) -> None:
    starts = {tuple(document["start"]) for document in documents if document["start"]}
    assert starts == {("method", "number", "position")}
    bankers = {tuple(document["banker"]) for document in documents if document["banker"]}
    assert bankers == {("seat", "player", "chips_cents", "house_wager_cents", "at_risk_cents")}
    voids = {tuple(document["void"]) for document in documents if document["void"]}
    assert voids == {("at", "by", "phase", "reason", "approved_by")}
    readings = {
        tuple(line["meter_reading"])
        for document in documents
        for line in document["lines"]
        if line["meter_reading"] is not None
    }
    (reading,) = readings
    assert reading[:3] == ("meter", "level", "percent")
    assert len(reading) == 9


def test_a_document_can_be_written_as_json_and_the_key_reversed_is_not_in_it(documents: list[Document]) -> None:
    text = json.dumps(documents)
    assert '"reversed":' not in text
    assert json.loads(text) == documents


def test_toke_and_bettor_are_only_on_lines_that_ride(documents: list[Document]) -> None:
    lines = [line for document in documents for line in (*document["lines"], *document["reversed_lines"])]
    assert {line["toke"] for line in lines if "toke" in line} == {True}
    assert {line["line_id"].rpartition(".")[2] for line in lines if "toke" in line} == {"toke"}
    assert all(line["player"] == line["bettor"] for line in lines if "bettor" in line)
    assert any("bettor" in line for line in lines)


def test_every_settled_round_rechecks_and_is_whole(documents: list[Document]) -> None:
    assert [each["recheck"] for each in documents if each["recheck"] != {"matches": True, "differences": []}] == []
    assert all(each["integrity"]["verified"] for each in documents)


def test_replay_all_gives_the_documents_of_the_listed_rounds_in_round_order(
    long: Ledger, documents: list[Document]
) -> None:
    listed = list_rounds(long).rows
    assert [each["round"] for each in documents] == [row["round"] for row in listed]
    assert [each["status"] for each in documents] == [row["status"] for row in listed]
    voided = [each["round"] for each in replay_all(long, Filters(status="voided"))]
    assert voided == [each["round"] for each in documents if each["status"] == "voided"]
    assert documents[5] == replay(long, documents[5]["round"])


def test_lines_stand_in_settling_order(long: Ledger, documents: list[Document]) -> None:
    for document in documents:
        records = long.round_records(document["round"])
        settled = [record.event.line_id for record in records if isinstance(record.event, WagerSettled)]
        shown = document["lines"] if document["status"] != "voided" else document["reversed_lines"]
        assert [line["line_id"] for line in shown] == settled


def test_seats_come_in_ascending_order_and_best_only_where_there_is_a_wager(documents: list[Document]) -> None:
    for document in documents:
        seats = [seat["seat"] for seat in document["seats"]]
        assert seats == sorted(seats)
        wagered = {wager["seat"] for wager in document["wagers"]} | {document["bank"]}
        for seat in document["seats"]:
            if seat["seat"] not in wagered:
                assert seat["best"] is None
            elif document["phase"] in ("dealt", "settled") and not document["misdealt"]:
                assert seat["best"] is not None


def test_at_an_event_only_what_was_known_after_it_is_shown(example: Ledger) -> None:
    whole = replay(example, ROUND)
    versions = {frame["event"]: frame["version"] for frame in reversed(whole["frames"])}

    opened = replay(example, ROUND, at=1)
    assert (opened["status"], opened["phase"], opened["start"], opened["lines"]) == ("open", "open", None, [])
    assert set(opened["dealer"].values()) == {None}
    assert [frame["version"] for frame in opened["frames"]] == [1]

    drawn = replay(example, ROUND, at=versions["round.start-drawn"])
    assert drawn["start"] == {"method": "rng", "number": 3, "position": 5}
    assert [seat["cards"] for seat in drawn["seats"]] == [None, None]

    dealt = replay(example, ROUND, at=versions["round.hands-dealt"])
    assert dealt["dealer"]["cards"] == "Jh Jd As 9c 7d 4s 2h"
    assert (dealt["dealer"]["high"], dealt["dealer"]["high_rank"], dealt["dealer"]["best"]) == (None, None, "one_pair")
    assert [seat["set_by"] for seat in dealt["seats"]] == [None, None]

    one_set = replay(example, ROUND, at=versions["round.hand-set"])
    assert [seat["set_by"] for seat in one_set["seats"]] == ["player", None]

    dealer_set = replay(example, ROUND, at=versions["round.dealer-set"])
    assert (dealer_set["dealer"]["high_rank"], dealer_set["dealer"]["low"]) == ("one_pair", "As 9c")
    assert (dealer_set["status"], dealer_set["lines"], dealer_set["totals"]) == ("open", [], None)

    first_line = replay(example, ROUND, at=versions["round.wager-settled"])
    assert [line["line_id"] for line in first_line["lines"]] == ["5.main"]
    assert first_line["status"] == "open"

    assert replay(example, ROUND, at=len(whole["frames"])) == whole


def test_the_head_is_the_hash_of_the_last_event_shown(example: Ledger) -> None:
    records = example.round_records(ROUND)
    assert replay(example, ROUND)["integrity"] == {"verified": True, "head": records[-1].hash.hex()}
    assert replay(example, ROUND, at=4)["integrity"]["head"] == records[3].hash.hex()


def test_a_seats_view_leaves_the_other_seats_out(example: Ledger) -> None:
    view = replay(example, ROUND, seat=2)
    assert [seat["seat"] for seat in view["seats"]] == [2]
    assert {line["seat"] for line in view["lines"]} == {2}
    assert {wager["seat"] for wager in view["wagers"]} == {2}
    text = " ".join(frame["text"] for frame in view["frames"] if frame["event"] != "round.wager-settled")
    assert "8c 8d 8h 8s Ac Kd 3s" not in text
    assert "Qc Qs Kc Th 6d 5h 3c" in text
    assert "Jh Jd As 9c 7d 4s 2h" in text
    assert {frame["event"] for frame in view["frames"]} >= {"round.opened", "round.hands-dealt", "round.settled"}
    assert len(view["frames"]) < len(replay(example, ROUND)["frames"])


def test_a_seats_view_shows_the_exposed_cards_of_the_seat_and_the_dealer_only(
    long: Ledger, documents: list[Document]
) -> None:
    seen = set()
    for document in documents:
        for seat in [each["seat"] for each in document["seats"]] if document["exposed"] else []:
            view = replay(long, document["round"], seat=seat)
            assert view["exposed"] == [each for each in document["exposed"] if each["seat"] in ("dealer", seat)]
            seen.add(len(view["exposed"]) < len(document["exposed"]))
    assert True in seen


def test_what_is_not_there_is_named_with_what_is(example: Ledger) -> None:
    with pytest.raises(NoSuchRound, match="no round PG99 in this ledger"):
        replay(example, "PG99")
    for at in (0, 24):
        with pytest.raises(NoSuchFrame, match=f"has events 1 to 23, not {at}"):
            replay(example, ROUND, at=at)
    with pytest.raises(NoSuchSeat, match=r"nobody sat at seat 3 .* seats taken: 2, 5"):
        replay(example, ROUND, seat=3)


def test_a_voided_settlement_shows_the_stakes_returned_and_the_earlier_lines_apart(tmp_path: Path) -> None:
    with case(tmp_path, "meter-void-takes-back-everything") as ledger:
        document = replay(ledger, "meter-void-takes-back-everything-1")
        assert (document["status"], document["phase"]) == ("voided", "voided")
        assert [(line["wager"], line["outcome"], line["net_cents"]) for line in document["lines"]] == [
            ("main", "returned", 0),
            ("progressive", "returned", 0),
        ]
        assert [line["outcome"] for line in document["reversed_lines"]] != []
        assert document["void"]["phase"] == "settled"
        assert [jackpot["state"] for jackpot in document["jackpots"]] == ["voided"]
        before = replay(ledger, "meter-void-takes-back-everything-1", at=len(document["frames"]) - 1)
        assert before["lines"] == document["reversed_lines"]
        assert (before["status"], before["reversed_lines"], before["void"]) == ("settled", [], None)


def test_a_misdeal_shows_its_cards_without_judging_them_and_nothing_reversed(tmp_path: Path) -> None:
    with case(tmp_path, "misdeals") as ledger:
        for document in replay_all(ledger):
            assert document["misdealt"]
            assert document["reversed_lines"] == []
            assert [line["outcome"] for line in document["lines"]] == ["returned"]
        codes = {finding["code"] for document in replay_all(ledger) for finding in document["findings"]}
        assert {"deal.stub-count", "deal.missed-spot", "deal.hand-size", "deal.duplicate-card"} <= codes
        sizes = [len((seat["cards"] or "").split()) for each in replay_all(ledger) for seat in each["seats"]]
        assert set(sizes) != {7}


def test_a_jackpot_is_followed_from_claim_to_payment(tmp_path: Path) -> None:
    with case(tmp_path, "jackpot-payment") as ledger:
        whole = replay(ledger, "jackpot-payment-1")
        states = [
            replay(ledger, "jackpot-payment-1", at=frame["version"])["jackpots"][0]["state"]
            for frame in whole["frames"]
            if frame["event"] in ("round.settled", "jackpot.validated", "jackpot.paid")
        ]
        assert states == ["claimed", "validated", "paid"]
        (jackpot,) = whole["jackpots"]
        assert (jackpot["slip"], jackpot["paid_from"], jackpot["witness"]) == ("000123", "cage", "F2")


def test_a_share_that_was_corrected_says_so_and_the_cards_of_nothing_are_not_held(tmp_path: Path) -> None:
    with case(tmp_path, "meter-two-ten-percent-hits-sequential") as ledger:
        (key,) = {each["round"] for each in replay_all(ledger)}
        first, second = replay(ledger, key)["jackpots"]
        assert first["cards_held"] and first["due_cents"] == first["amount_cents"] > 1_00
        at = {"at": "2026-05-05T18:00:00-04:00", "by": "C1", "reason": "misread", "approved_by": ["F1", "M1"]}
        line = {"command": "correct_line", "round": key, "seat": first["seat"], "wager": "progressive"}
        for due, held in ((1_00, True), (0, False)):
            command = line | at | {"command_id": f"due-{due}", "due_cents": due}
            assert ledger.record(*command_and_digest(json.dumps(command))).status == "recorded"
            corrected, other = replay(ledger, key)["jackpots"]
            assert corrected == first | {"due_cents": due, "cards_held": held}
            assert other == second


def test_start_and_bank_name_the_dealer_or_the_seat(documents: list[Document]) -> None:
    starts = {document["start"]["position"] for document in documents if document["start"]}
    assert "dealer" in starts
    assert starts <= {"dealer", *range(1, 8)}
    assert {document["bank"] for document in documents} > {"house"}
    assert any(document["dice"] for document in documents)


def test_a_dealer_who_left_the_house_way_is_shown_beside_it(documents: list[Document]) -> None:
    left = [
        document
        for document in documents
        if any(finding["code"] == "dealer.not-house-way" for finding in document["findings"])
    ]
    assert left
    for document in left:
        assert document["dealer"]["laid_low"] != document["dealer"]["low"]
        (text,) = [frame["text"] for frame in document["frames"] if frame["event"] == "round.dealer-set"]
        assert f"the house way is {document['dealer']['high']} high" in text


def test_a_changed_line_is_a_difference_of_the_recheck(example: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    records = example.round_records(ROUND)
    changed = [
        record._replace(event=replace(record.event, won_cents=record.event.won_cents + 1))
        if isinstance(record.event, WagerSettled) and record.event.line_id == "5.main"
        else record
        for record in records
    ]
    _feed_instead(example, monkeypatch, {Stream("round", ROUND): changed})
    recheck = replay(example, ROUND)["recheck"]
    assert recheck["matches"] is False
    assert any("line 5.main won_cents: recorded 5001, computed 5000" in text for text in recheck["differences"])


def test_what_cannot_be_computed_anew_is_a_difference_and_the_document_still_opens(
    example: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    (record,) = example.feed.stream(Stream("sheet", "fortune-cardroom@1"))
    assert isinstance(record.event, SheetPublished)
    swapped = record._replace(event=replace(record.event, fingerprint="0" * 64))
    _feed_instead(example, monkeypatch, {Stream("sheet", "fortune-cardroom@1"): [swapped]})
    document = replay(example, ROUND)
    assert document["recheck"]["matches"] is False
    assert document["recheck"]["differences"][0].startswith("cannot be computed anew")
    assert len(document["lines"]) == 7


def test_the_sheet_and_the_meters_terms_are_read_from_their_own_streams(example: Ledger) -> None:
    kinds = {
        type(example.feed.stream(stream)[0].event)
        for stream in (Stream("sheet", "fortune-cardroom@1"), Stream("meter", "PROG"))
    }
    assert kinds == {SheetPublished, MeterOpened}


def _feed_instead(ledger: Ledger, patch: pytest.MonkeyPatch, streams: dict[Stream, list[Record]]) -> None:
    real = ledger.feed.stream
    patch.setattr(ledger.feed, "stream", lambda stream: streams.get(stream) or real(stream))
