"""The sentences: every class of event has one, and they say what a pit supervisor would."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from domain import house_events
from domain.cards import parse as cards
from domain.meters import Held, LevelChange, LevelTerms
from domain.money import dollars_of_micros
from domain.rounds import events as happened
from domain.rounds.events import Event, Finding, Hit, ReturnedWager
from domain.rounds.state import Round
from ledger.service import Ledger
from projections.replays import replay_all
from projections.telling import tell, words
from tests.projections.hands import contribution, corrected, line, meter, opened, placed, settled, voided, withdrawn

HIGH, LOW = cards("8c 8d 8h 8s 3s"), cards("Ac Kd")
MAJOR = LevelTerms("major", 10**8, 50 * 10**6, 1_800, 200, None)
TABLE = Round(opened(seats={2: "P100", 5: "P200"}))


def classes() -> list[type[Event]]:
    """Every class of event that can be stored."""
    modules = (happened, house_events)
    found = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    return sorted((kind for kind in found if issubclass(kind, Event) and kind is not Event), key=lambda kind: kind.NAME)


@pytest.mark.parametrize("kind", classes(), ids=lambda kind: kind.NAME)
def test_every_class_of_event_has_a_sentence_of_its_own(kind: type[Event]) -> None:
    assert kind in words.registry


def test_an_event_without_a_sentence_is_an_error_and_not_silence() -> None:
    with pytest.raises(TypeError, match="nobody has put Event into words"):
        tell(Event())


SAID = [
    (
        opened("R1", {2: "P100"}, deck="BLUE-12"),
        (
            "Round R1 opens at table T1 of NORTH, number 1 of gaming day 2026-05-04: fortune under sheet "
            "fortune-cardroom@1, dealer D1, deck BLUE-12; seat 2 P100."
        ),
    ),
    (placed(5_000, seat=5), "Seat 5 (P200) places $50.00 on main."),
    (placed(5_000, standing=7_500, seat=5), "Seat 5 (P200) places $50.00 on main; $75.00 stands."),
    (placed(400, seat=5, toke=True), "Seat 5 (P200) places a toke of $4.00 for the dealers on main."),
    (placed(2_000, player="P9", bettor="P9", seat=5), "P9 backs seat 5 (P200) with $20.00 on main."),
    (withdrawn(300, 200), "Seat 1 takes $3.00 off main; $2.00 stands."),
    (withdrawn(300, 0), "Seat 1 takes $3.00 off main; nothing stands."),
    (
        happened.BankTaken(5, "P200", 10_000, 1_000, 3_000),
        "Seat 5 (P200) takes the bank with $100.00 in chips, $30.00 at risk; the house wagers $10.00 against the bank.",
    ),
    (
        happened.BettingClosed(5_700, 2),
        "No more bets: $57.00 is staked, the bank button is at seat 2 (P100).",
    ),
    (
        contribution(180_000, 20_000),
        "Seat 1: the $1.00 progressive wager is taken; meter PROG: major +$0.18 and +$0.02 to its reserve.",
    ),
    (
        happened.StartDrawn("rng", 3, 5),
        "The machine draws 3: counted from the dealer, seat 5 (P200) gets the first hand.",
    ),
    (
        happened.StartDrawn("dice", 8, 0, (2, 3, 3)),
        "The dice show 2, 3, 3, 8 in all: counted from the dealer, the dealer gets the first hand.",
    ),
    (
        happened.HandsDealt((happened.DealtHand(0, LOW), happened.DealtHand(5, HIGH)), 1, cards("2c")),
        "The hands are dealt, 1 card left (2c): the dealer Ac Kd; seat 5 (P200) 8c 8d 8h 8s 3s.",
    ),
    (
        happened.CardExposed(5, cards("8c")[0], 2),
        "8c of seat 5 (P200) is exposed; 2 cards exposed so far.",
    ),
    (
        happened.RoundMisdealt((Finding("deal.stub-count", "3 cards are left, 4 should be"),)),
        "Misdeal: 3 cards are left, 4 should be; only a void ends the round.",
    ),
    (
        happened.HandSet(5, HIGH, LOW, "house_way", rule="four of a kind: kept"),
        "Seat 5 (P200) sets 8c 8d 8h 8s 3s high and Ac Kd low, the house way: four of a kind: kept.",
    ),
    (
        happened.HandSet(5, HIGH, LOW, "player", foul=True),
        "Seat 5 (P200) sets 8c 8d 8h 8s 3s high and Ac Kd low; a foul, the low hand outranks the high hand.",
    ),
    (
        happened.HandReset(5, HIGH, LOW, "floor", "quads", ("F1",)),
        (
            "The foul hand of seat 5 (P200) is reset the house way by the floor, approved by F1: "
            "8c 8d 8h 8s 3s high and Ac Kd low (quads)."
        ),
    ),
    (happened.DoubledDown(5, "P200", 5_000), "Seat 5 (P200) doubles down with $50.00."),
    (happened.Raised(5, "P200", 5_000), "Seat 5 (P200) raises by $50.00."),
    (happened.Folded(5, "P200"), "Seat 5 (P200) folds."),
    (
        happened.DealerSet(HIGH, LOW, HIGH, LOW, "quads"),
        "The dealer sets 8c 8d 8h 8s 3s high and Ac Kd low, the house way: quads.",
    ),
    (
        happened.DealerSet(HIGH, LOW, LOW, HIGH, "quads", (Finding("dealer.not-house-way", "other"),)),
        (
            "The dealer sets 8c 8d 8h 8s 3s high and Ac Kd low; the house way is Ac Kd high and 8c 8d 8h 8s 3s low "
            "(quads), and the round is settled by it."
        ),
    ),
    (
        happened.WagerForfeited(5, "P200", "main", "left the table", ("F1",)),
        "Seat 5 (P200), main is declared forfeited: left the table. Approved by F1.",
    ),
    (
        line("P200", 5_000, 5_000, 5_000, 250, seat=5, odds="1 to 1"),
        "Seat 5 (P200), main of $50.00: wins $50.00 at 1 to 1, $50.00 back, commission $2.50. Net +$47.50. [the rule]",
    ),
    (line("P200", 5_000, seat=5, toke=True), "Seat 5 (P200), main toke of $50.00: loses. Net -$50.00. [the rule]"),
    (
        line("P200", 5_000, 0, 5_000, seat=5, ruling="R9"),
        "Seat 5 (P200), main of $50.00: pushes, $50.00 back. Net $0.00. [the rule; ruling R9]",
    ),
    (
        line("P100", 0, 500, seat=2, wager="envy", for_seat=5, kind="fortune", odds="fixed", hand="four_of_a_kind"),
        "Seat 2 (P100), fortune envy for seat 5 (P200): wins $5.00 fixed for four of a kind. Net +$5.00. [the rule]",
    ),
    (
        line(None, 1_000, 1_000, 1_000, seat=0, wager="house"),
        "The house's $10.00 against the bank: wins $10.00, $10.00 back. Net +$10.00. [the rule]",
    ),
    (
        line("P200", 3_000, 0, 1_000, seat=5, wager="bank"),
        "The bank of seat 5 (P200), $30.00 at risk: pushes, $10.00 back. Net -$20.00. [the rule]",
    ),
    (
        line(
            "P200",
            100,
            100_000,
            seat=5,
            wager="progressive",
            odds="10% of major",
            hit=Hit("PROG", "major", 10, 10_000_000_000, 0, 10_000_000_000, 1_000_000_000, 0, 0),
        ),
        (
            "Seat 5 (P200), progressive of $1.00: wins $1,000.00 at 10% of major; 10% of $10,000.00 on level major of "
            "meter PROG, which goes from $10,000.00 to $9,000.00. Net +$999.00. [the rule]"
        ),
    ),
    (
        line(
            "P200",
            100,
            5_015,
            seat=5,
            wager="progressive",
            odds="100% of major",
            hit=Hit("PROG", "major", 100, 100_305_000, 0, 100_305_000, 50_150_000, 10_000_000, 0),
        ),
        (
            "Seat 5 (P200), progressive of $1.00: wins $50.15 at 100% of major; an equal part of 100% of $100.305 on "
            "level major of meter PROG, which goes from $100.305 to $60.155. Net +$49.15. [the rule]"
        ),
    ),
    (
        settled(),
        (
            "The round is settled, the dealer's hand being Jh Jd 7d 4s 2h high and As 9c low (one pair). In sum: "
            "players $0.00, house $0.00, meter $0.00, reserve $0.00."
        ),
    ),
    (
        happened.PaymentReported("5.main", 5, "main", 9_000, 10_000),
        "$90.00 really moved for seat 5 (P200)'s main (line 5.main), $100.00 was due: a difference.",
    ),
    (
        corrected(50, line_id="5.main", seat=5),
        (
            "Line 5.main is corrected: $0.50 is due instead of $0.00, +$0.50 for P1 on gaming day 2026-05-05. "
            "Reason: commission waived. Approved by F1, M1."
        ),
    ),
    (
        voided(),
        (
            "The round is voided: wrong deck. Approved by F1, M1. No wager stood. "
            "Its lines, corrections and meter movements are taken back."
        ),
    ),
    (
        happened.RoundVoided(
            "R1", "N", "T1", "dealt", "misdeal", ("F1",), (ReturnedWager("5.main", 5, "P200", "main", 500, "house"),)
        ),
        "The round is voided: misdeal. Approved by F1. Back go $5.00 of seat 5 (P200), main.",
    ),
    (
        happened.JackpotValidated("5.progressive", 5, "progressive", 100_000, "F1", True),
        "F1 validates the jackpot of $1,000.00 of seat 5 (P200) (line 5.progressive); the system's light was on.",
    ),
    (
        happened.JackpotRefused("5.progressive", 5, "progressive", 100_000, "F1", "no wager on the film"),
        "F1 refuses the jackpot of $1,000.00 of seat 5 (P200) (line 5.progressive): no wager on the film.",
    ),
    (
        happened.JackpotPaid("R1", "5.progressive", 5, "progressive", 100_000, "000123", "cage", "C1", "F2", 100_000),
        (
            "The jackpot of $1,000.00 of seat 5 (P200) (line 5.progressive) is paid from the cage on slip 000123 "
            "by C1, witnessed by F2."
        ),
    ),
    (
        happened.JackpotPaid(
            "R1",
            "5.progressive",
            5,
            "progressive",
            1_000_000,
            "000124",
            "cage",
            "C1",
            "F2",
            997_500,
            -2_500,
            "2026-05-04",
            "M1",
            2026,
            "W-2G",
            "W2G-7",
            239_400,
        ),
        (
            "The jackpot of $10,000.00 of seat 5 (P200) (line 5.progressive) is paid from the cage on slip 000124 "
            "by C1, witnessed by F2. The slip says $9,975.00, -$25.00 beside the line, allowed by M1. "
            "Form W-2G is due (W2G-7), $2,394.00 withheld."
        ),
    ),
    (
        happened.MysteryRevealed(
            "LINK", "grand", 1, "ab" * 32, "cd" * 32, 5 * 10**8, 10**9, 8 * 10**8, "ef" * 32, 5 * 10**8, 5, "5.mystery"
        ),
        (
            "The mystery of level grand of meter LINK is revealed (cycle 1): its trigger was $800.00 between $500.00 "
            f"and $1,000.00, secret {'ab' * 32}; seat 5 (P200) took it past."
        ),
    ),
    (
        happened.MysteryRevealed(
            "LINK", "grand", 1, "ab" * 32, "cd" * 32, 5 * 10**8, 10**9, 8 * 10**8, "ef" * 32, 8 * 10**8
        ),
        (
            "The mystery of level grand of meter LINK is revealed (cycle 1): its trigger was $800.00 between $500.00 "
            f"and $1,000.00, secret {'ab' * 32}; the round is void, so nobody wins."
        ),
    ),
    (
        house_events.PropertyOpened("NORTH", "America/New_York", "06:00", "USD"),
        "Property NORTH opens: its days start at 06:00 in America/New_York, its money is USD.",
    ),
    (
        house_events.SheetPublished("s@1", "f", "2026-05-04T18:00:00Z", ("M1", "M2"), {}),
        "Sheet s@1 is published, in force from 2026-05-04T18:00:00Z. Approved by M1, M2.",
    ),
    (
        house_events.ShufflerFailed("NORTH", "T1", "R1"),
        "The shuffler of table T1 of NORTH reports an error; round R1 had been dealt and is a misdeal.",
    ),
    (
        house_events.ShufflerCleared("NORTH", "T1", ("F1",)),
        "The shuffler of table T1 of NORTH is cleared. Approved by F1.",
    ),
    (
        house_events.PlayerBoughtIn("NORTH", "T1", "P1", 20_000, "2026-05-04"),
        "P1 buys in for $200.00 at table T1 of NORTH.",
    ),
    (
        house_events.PlayerCashedOut("NORTH", "T1", "P1", 20_000, "2026-05-04"),
        "P1 cashes out $200.00 at table T1 of NORTH.",
    ),
    (
        house_events.MeterChanged(
            "PROG",
            "NORTH",
            "2026-05-05T06:00:00Z",
            (LevelChange(MAJOR, replace(MAJOR, rate_bp=2_000, limit_micros=10**9, reset_micros=10**6)),),
            ("F1", "M1"),
            "2026-05-04",
            10**6,
            2 * 10**6,
            "notice 12",
        ),
        (
            "Meter PROG has new terms for wagers from 2026-05-05T06:00:00Z on: level major rate 20.00 % instead of "
            "18.00 %, limit $1,000.00 instead of none, reset $1.00 instead of $50.00; contributions above $2.00 are "
            "unreasonable. Reason: notice 12. Approved by F1, M1."
        ),
    ),
    (
        house_events.MeterAdjusted(
            "PROG",
            "NORTH",
            "major",
            -500_000,
            "rate_correction",
            "memo 4",
            ("F1", "M1"),
            "2026-05-04",
            Held(10**9, 0),
            Held(10**9 - 500_000, 0),
            "2026-05-02",
        ),
        (
            "Level major of meter PROG is adjusted by -$0.50, from $1,000.00 to $999.50, for gaming day 2026-05-02. "
            "Reason: rate correction. Evidence: memo 4. Approved by F1, M1."
        ),
    ),
    (
        house_events.MeterAdjusted(
            "PROG",
            "NORTH",
            "major",
            -500_000,
            "hidden_to_revenue",
            "memo 4",
            ("F1", "M1"),
            "2026-05-04",
            Held(10**9, 500_000),
            Held(10**9, 0),
        ),
        (
            "The reserve of level major of meter PROG is adjusted by -$0.50, from $0.50 to $0.00. "
            "Reason: hidden to revenue. Evidence: memo 4. Approved by F1, M1."
        ),
    ),
    (
        house_events.MeterTransferred(
            "PROG",
            "NORTH",
            "major",
            "OTHER",
            10**6,
            "table_moved",
            "memo 5",
            ("F1", "M1"),
            "2026-05-04",
            Held(10**9, 0),
            Held(999 * 10**6, 0),
            Held(0, 0),
            Held(10**6, 0),
        ),
        (
            "$1.00 of level major of meter PROG goes to meter OTHER, which leaves $999.00. Reason: table moved. "
            "Evidence: memo 5. Approved by F1, M1."
        ),
    ),
    (
        house_events.MeterRetired(
            "PROG",
            "NORTH",
            "major",
            "revenue",
            "game_removed",
            "memo 6",
            ("F1", "M1"),
            "2026-05-04",
            10**9,
            Held(10**9, 20_000),
            Held(0, 0),
        ),
        (
            "Level major of meter PROG is retired: $1,000.00 and $0.02 of its reserve goes to revenue. "
            "Reason: game removed. Evidence: memo 6. Approved by F1, M1."
        ),
    ),
    (
        house_events.MeterRead("PROG", "NORTH", "major", 100_000, 100_000, 10**9, "2026-05-04"),
        "The sign of level major of meter PROG shows $1,000.00, as it should.",
    ),
    (
        house_events.MeterRead("PROG", "NORTH", "major", 99_990, 100_000, 10**9, "2026-05-04"),
        "The sign of level major of meter PROG shows $999.90, -$0.10 beside $1,000.00.",
    ),
    (meter(), "Meter PROG opens at NORTH with major at $100.00, fed from 2025-01-01T00:00:00Z on. Approved by M1."),
]


@pytest.mark.parametrize(
    ("event", "sentence"), SAID, ids=[f"{event.NAME}-{place}" for place, (event, _) in enumerate(SAID)]
)
def test_what_is_said(event: Event, sentence: str) -> None:
    assert tell(event, TABLE) == sentence


def test_every_class_of_event_is_among_what_is_said() -> None:
    assert {type(event) for event, _ in SAID} == set(classes())


def test_a_seats_view_names_neither_the_others_nor_their_cards() -> None:
    dealt = happened.HandsDealt((happened.DealtHand(2, LOW), happened.DealtHand(5, HIGH)), 4)
    assert tell(dealt, TABLE, seat=2) == "The hands are dealt, 4 cards left: seat 2 (P100) Ac Kd."
    assert "P200" not in tell(opened(seats={2: "P100", 5: "P200"}), TABLE, seat=2)


def test_micros_are_said_exactly() -> None:
    assert [dollars_of_micros(each) for each in (0, 10_000, 12_345, -1, 1_234_567_890_100)] == [
        "$0.00",
        "$0.01",
        "$0.012345",
        "-$0.000001",
        "$1,234,567.8901",
    ]


def test_every_frame_of_a_played_history_is_a_sentence(long: Ledger) -> None:
    texts = [_without_line_ids(frame["text"]) for document in replay_all(long) for frame in document["frames"]]
    assert len(texts) > 4_000
    assert all(text[0] == text[0].upper() and text.endswith((".", "]")) for text in texts)
    assert not [
        text for text in texts if "None" in text or "  " in text or "_" in text.partition("[")[0].replace("@", "")
    ]


def _without_line_ids(text: str) -> str:
    return re.sub(r"\b\d\.[a-z][a-z_]*", "of the line", text)
