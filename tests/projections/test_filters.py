"""Finding a round from a complaint: what is said of a seat holds of one seat, of a line of one line, by an index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest

from domain.cards import parse as cards
from domain.rounds.events import (
    BettingClosed,
    DealtHand,
    HandsDealt,
    ReturnedWager,
    RoundOpened,
    RoundVoided,
    WagerPlaced,
    WagerSettled,
)
from domain.times import instant
from ledger.records import Record
from ledger.service import Ledger
from projections import rounds as listing
from projections.filters import FEW, Filters, Window, beside, wager_ids
from projections.hand_words import CLASSES, hand_meant
from projections.missing import missing_numbers
from projections.reading import view
from projections.rounds import Rounds, list_rounds, round_keys, selection, stream_rounds
from projections.suggesting import nearest, similar_names
from tests.projections.hands import line, opened, placed, settled, voided
from tests.projections.naive import rounds_of
from tests.projections.sources import HandMade

EIGHTS = "8c 8d 8h 8s Kd 3c 2d"
NOTHING = "Ac Kd Jh 9s 7d 5c 3h"
ACES = "Ac Ad Ah Jk Kd 9c 2d"
JACKS = "Jc Jd Jh Jk Kd 9c 2d"


def deal(hands: dict[int, str]) -> HandsDealt:
    """Hands for the seats, and one nobody looks at for the dealer."""
    return HandsDealt((DealtHand(0, cards("Jh Jd As 9c 7d 4s 2h")), *_dealt(hands)), 4)


def _dealt(hands: dict[int, str]) -> Iterable[DealtHand]:
    return (DealtHand(seat, cards(text)) for seat, text in hands.items())


def keys(log: HandMade, **filters: Any) -> list[str]:
    """The keys of the rounds that the filters mean."""
    return [row["round"] for row in list_rounds(log, Filters(**filters)).rows]


@pytest.fixture
def evening(log: HandMade) -> HandMade:
    """R1: seat 1 (P1) has four eights and loses, seat 2 (P2) has nothing and wins $250. R2: the other way round."""
    log.in_round("R1", opened(deck="BLUE-1"), placed(500), BettingClosed(500), deal({1: EIGHTS, 2: NOTHING}))
    log.in_round("R1", line(stake=500), line("P2", 500, won=25_000, seat=2, line_id="2.main"), settled())
    log.in_round("R2", opened("R2", number=2), placed(500), BettingClosed(500), deal({1: NOTHING, 2: EIGHTS}))
    log.in_round("R2", line(stake=500), line("P2", 500, won=25_000, seat=2, line_id="2.main"), settled("R2"))
    return log


def test_a_hand_and_its_money_are_of_one_seat(evening: HandMade) -> None:
    quads = hand_meant("quads")
    assert keys(evening, hand=quads) == ["R1", "R2"]
    assert keys(evening, hand=quads, won=(10_000, 50_000)) == ["R2"]
    assert keys(evening, hand=quads, outcome="lose") == ["R1"]
    assert keys(evening, hand=quads, player="P2") == ["R2"]
    assert keys(evening, hand=quads, seat=1) == ["R1"]
    assert keys(evening, seat=3) == []


def test_a_wager_its_outcome_and_its_win_are_of_one_line(log: HandMade) -> None:
    lines = (line(won=30_000), line(stake=500, wager="fortune", line_id="1.fortune"))
    log.in_round("R1", opened(), BettingClosed(500), *lines, settled())
    assert keys(log, wager="main", outcome="win") == ["R1"]
    assert keys(log, wager="fortune", outcome="win") == []
    assert keys(log, wager="fortune", won=(1, None)) == []
    assert keys(log, won=(30_000, 30_000)) == ["R1"]
    assert keys(log, won=(None, 29_999), outcome="win") == []


def test_the_row_names_the_seats_that_were_meant(evening: HandMade) -> None:
    rows = list_rounds(evening, Filters(hand=hand_meant("four eights"))).rows
    assert [(row["round"], row["seats_found"]) for row in rows] == [("R1", [1]), ("R2", [2])]
    assert [row["seats_found"] for row in list_rounds(evening).rows] == [[], []]


@pytest.mark.parametrize(
    ("said", "dealt", "found"),
    [
        ("four eights", EIGHTS, True),
        ("four sevens", EIGHTS, False),
        ("four aces", ACES, True),
        ("four jacks", JACKS, False),
        ("three jacks", "Jc Jd Jh Jk 4d 9c 2d", True),
    ],
)
def test_the_joker_is_an_ace_and_no_jack(said: str, dealt: str, found: bool, log: HandMade) -> None:
    log.in_round("R1", opened(), BettingClosed(500), deal({1: dealt}))
    assert keys(log, hand=hand_meant(said)) == (["R1"] if found else [])


def test_cards_of_an_empty_seat_and_of_a_misdeal_are_nobodys_hand(log: HandMade) -> None:
    log.in_round("R1", opened(), BettingClosed(500), deal({3: EIGHTS, 1: "8c 8d 8h 8s"}))
    assert keys(log, hand=hand_meant("quads")) == []


def test_a_void_gives_wagers_back_and_what_was_won_is_still_found(evening: HandMade) -> None:
    back = ReturnedWager("2.main", 2, "P2", "main", 500, "house")
    evening.in_round("R1", RoundVoided("R1", "NORTH", "T1", "settled", "wrong deck", ("F1", "M1"), (back,)))
    assert keys(evening, outcome="returned") == ["R1"]
    assert keys(evening, won=(25_000, 25_000)) == ["R1", "R2"]


def test_a_deck_is_found(evening: HandMade) -> None:
    assert keys(evening, deck="BLUE-1") == ["R1"]


@pytest.mark.parametrize("few", range(8))
def test_however_many_are_few_the_same_are_found(few: int, evening: HandMade, monkeypatch: pytest.MonkeyPatch) -> None:
    second = 1_777_932_000
    meant = (
        Filters(outcome="lose"),
        Filters(player="P1"),
        Filters(windows=(Window(None, second, second), Window("NORTH", second, second))),
        Filters(windows=(Window(None, second, second),), outcome="win"),
    )
    monkeypatch.setattr(listing, "FEW", few)
    monkeypatch.setattr(listing, "_PAGE", 1)
    monkeypatch.setattr(listing, "_KEYS", 1)
    for each in meant:
        assert [row["round"] for row in list_rounds(evening, each).rows] == ["R1", "R2"], each
        assert [row["round"] for row in stream_rounds(evening, each)] == ["R1", "R2"], each
        assert [row["round"] for row in round_keys(evening, each).rows] == ["R1", "R2"], each


def test_many_rounds_meant_are_the_same_as_few(evening: HandMade, monkeypatch: pytest.MonkeyPatch) -> None:
    meant = ({"player": "P1"}, {"outcome": "win"}, {"hand": hand_meant("quads"), "outcome": "lose"}, {"seat": 2})
    few = [keys(evening, **each) for each in meant]
    monkeypatch.setattr(listing, "FEW", 0)
    assert [keys(evening, **each) for each in meant] == few
    assert [row["round"] for row in stream_rounds(evening, Filters(player="P1"))] == few[0]


@pytest.mark.parametrize(
    ("said", "best", "rank"),
    [
        ("four_of_a_kind", "four_of_a_kind", None),
        ("Four of a Kind", "four_of_a_kind", None),
        ("quads", "four_of_a_kind", None),
        ("a pair of tens", "one_pair", "T"),
        ("three kings", "three_of_a_kind", "K"),
        ("five aces", "five_aces", None),
        ("full house", "full_house", None),
        ("flush 5", "flush_5", None),
        ("4 2s", "four_of_a_kind", "2"),
    ],
)
def test_a_hand_is_named_as_people_name_it(said: str, best: str, rank: str | None) -> None:
    assert (hand_meant(said).best, hand_meant(said).rank) == (best, rank)
    assert best in CLASSES


def test_a_hand_of_no_name_is_answered_with_its_likes() -> None:
    with pytest.raises(ValueError, match="did you mean straight_flush"):
        hand_meant("strait flush")
    with pytest.raises(ValueError, match=r"did you mean 'pair of queens'\?"):
        hand_meant("a pair of quens")
    for nothing in ("xyzzy", "", "two"):
        with pytest.raises(ValueError, match="such as"):
            hand_meant(nothing)


def test_a_rank_in_the_plural_is_a_pair_of_it() -> None:
    assert hand_meant("Kings") == hand_meant("pair of kings")
    assert hand_meant("deuces") == hand_meant("pair of twos")


def test_every_wager_of_every_game_can_be_asked_for() -> None:
    assert {"main", "tiger_9", "ace_high", "insurance", "double_down", "raise", "bank", "envy"} <= set(wager_ids())


def test_numbers_that_a_table_skipped_are_found_by_day(log: HandMade) -> None:
    for number, table, day in ((1, "T1", "05"), (4, "T1", "05"), (6, "T1", "05"), (2, "T2", "05"), (1, "T1", "06")):
        key = f"{table}-{day}-{number}"
        log.in_round(key, opened(key, table=table, number=number, gaming_day=f"2026-05-{day}"), voided(key=key))
    rows = missing_numbers(log, Filters()).rows
    assert [(row["table"], row["last"], row["missing_count"], row["missing"]) for row in rows] == [
        ("T1", 6, 3, ["2-3", "5"]),
        ("T2", 2, 1, ["1"]),
    ]
    assert missing_numbers(log, Filters(table="T2", day="2026-05-06")).rows == []
    assert len(missing_numbers(log, Filters(table="T2")).rows) == 1


def test_a_name_that_nobody_has_is_answered_with_its_likes(log: HandMade) -> None:
    for number in range(3):
        log.in_round(f"R{number}", opened(f"R{number}", table=f"PG-0{number}", seats={1: f"Anna{number}"}))
    assert similar_names(log, "table", "pg01")[0] == "PG-01"
    assert similar_names(log, "player", "ana1")[0] == "Anna1"
    assert similar_names(log, "day", "2026-05-14") == ["2026-05-04"]
    assert nearest("zzz", ["PG-01"]) == []


def test_very_many_names_are_looked_at_around_the_wanted_one(log: HandMade, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.suggesting._MOST_NAMES", 10)
    for number in range(40):
        log.in_round(f"R{number}", opened(f"R{number}", seats={1: f"P{number:03}"}))
    assert "P031" in similar_names(log, "player", "P31")


@pytest.mark.parametrize(
    "filters",
    [
        Filters(deck="x"),
        Filters(table="x", day="x"),
        Filters(windows=()),
        Filters(hand=hand_meant("four eights"), won=(1, 5)),
        Filters(wager="main", outcome="win"),
        Filters(outcome="forfeited"),
        Filters(won=(1, None)),
        Filters(player="x", hand=hand_meant("flush")),
    ],
    ids=str,
)
def test_a_complaint_is_answered_by_indexes(filters: Filters, long: Ledger) -> None:
    with view(long, Rounds) as open_:
        assert open_.projection is not None
        asides = [aside.positions(FEW) for aside in beside(open_.projection, filters)]
        asked = [selection(open_.projection, filters, 0, [1, 2]), *asides]
        for statement in asked:
            plan = open_.connection.all(statement._replace(text=f"EXPLAIN QUERY PLAN {statement.text}"))
            steps = [step for *_, step in plan]
            assert steps
            assert not [step for step in steps if step.startswith("SCAN")], (statement, steps)


@pytest.mark.parametrize("most", [0, 100])
def test_missing_numbers_are_the_same_however_many_places_are_named(
    most: int, log: HandMade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.missing._MOST_PLACES", most)
    for table, numbers in (("T1", (1, 2, 3)), ("T2", (2, 5)), ("T3", (1,)), ("T4", (3,))):
        for number in numbers:
            key = f"{table}-{number}"
            log.in_round(key, opened(key, table=table, number=number), voided(key=key))
    rows = missing_numbers(log, Filters()).rows
    assert [(row["table"], row["missing_count"], row["missing"]) for row in rows] == [
        ("T2", 3, ["1", "3-4"]),
        ("T4", 2, ["1-2"]),
    ]


class Played(NamedTuple):
    """What a round's own events say of it, for a search without any index."""

    key: str
    table: str
    dealer: str
    second: int
    players: frozenset[tuple[str, int]]
    lines: tuple[tuple[int, str | None, str, str, int], ...]
    findings: frozenset[str]

    @classmethod
    def of(cls, records: Sequence[Record]) -> Played:
        """The round that the records tell."""
        start = records[0].event
        assert isinstance(start, RoundOpened)
        players = {(taken.player, taken.seat) for taken in start.seats}
        lines: list[tuple[int, str | None, str, str, int]] = []
        findings = set()
        for record in records:
            event = record.event
            findings |= {each.code for each in getattr(event, "findings", ())}
            if isinstance(event, WagerPlaced) and event.bettor is not None:
                players.add((event.bettor, event.seat))
            elif isinstance(event, WagerSettled):
                lines.append((event.seat, event.player, event.wager, event.outcome, event.won_cents))
            elif isinstance(event, RoundVoided):
                lines += [(each.seat, each.player, each.wager, "returned", 0) for each in event.returned]
        second = int(instant(records[0].at).timestamp())
        told = (start.round, start.table, start.dealer, second, frozenset(players), tuple(lines))
        return cls(*told, frozenset(findings))

    def is_meant(self, filters: Filters) -> bool:
        """Whether everything asked holds of it."""
        if filters.windows is not None and not any(each.first <= self.second <= each.last for each in filters.windows):
            return False
        own = (filters.table in (None, self.table), filters.dealer in (None, self.dealer))
        return all(own) and (filters.finding is None or filters.finding in self.findings) and self._has_seat(filters)

    def _has_seat(self, filters: Filters) -> bool:
        if filters.wager is None and filters.outcome is None and filters.won is None:
            return (filters.player is None and filters.seat is None) or any(
                filters.player in (None, player) and filters.seat in (None, seat) for player, seat in self.players
            )
        least, most = filters.won or (None, None)
        return any(
            filters.seat in (None, seat)
            and filters.player in (None, player)
            and filters.wager in (None, wager)
            and filters.outcome in (None, outcome)
            and (least is None or won >= least)
            and (most is None or won <= most)
            for seat, player, wager, outcome, won in self.lines
        )


@pytest.mark.parametrize(("few", "enough", "page"), [(FEW, 2_000, 500), (30, 0, 7), (0, 0, 3), (FEW, 5, 500)])
def test_any_filters_find_what_a_search_without_indexes_finds(
    few: int, enough: int, page: int, long: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [record for log_page in long.feed.pages() for record in log_page]
    played = [Played.of(of_round) for of_round in rounds_of(records).values()]
    chance = Random(7)
    for name, value in {"FEW": few, "_FEW_ENOUGH": enough, "_PAGE": page}.items():
        monkeypatch.setattr(listing, name, value)
    found_some = 0
    for _ in range(120):
        model = chance.choice([each for each in played if each.lines])
        seat, player, wager, outcome, won = chance.choice(model.lines)
        window = Window(None, model.second - chance.randrange(3_000), model.second + chance.randrange(3_000))
        asked: dict[str, Any] = {
            "seat": seat, "player": player, "wager": wager, "outcome": outcome, "won": (won, won + 5_000),
            "table": model.table, "dealer": model.dealer, "windows": (window,),
            "finding": chance.choice([*sorted(model.findings), None]),
        }  # fmt: skip
        filters = Filters(**{name: asked[name] for name in chance.sample(sorted(asked), chance.randrange(1, 5))})
        wanted = [each.key for each in played if each.is_meant(filters)]
        limit = chance.choice([None, 1, 2, 10])
        assert [row["round"] for row in list_rounds(long, filters, limit).rows] == wanted[:limit], filters
        found_some += len(wanted) > 1
    assert found_some > 50
