"""What rounds would have come to: nothing under their own rules, the difference by seat under others, never stored."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from domain.desk import PublishedSheet
from domain.sheets.reading import read_sheet
from ledger.service import Ledger
from projections.rechecks import in_processes, recheck_rounds
from projections.rounds import Filters, list_rounds, round_keys
from projections.rules import Rules
from projections.what_if import Change, NoSuchHouseWay, NoSuchSheet, Sum, change_of, consider, published_sheet
from tests.projections.sources import url


def keys(ledger: Ledger, **filters: Any) -> list[str]:
    """The rounds that the filters mean."""
    return [row["round"] for row in round_keys(ledger, Filters(**filters)).rows]


def compared(ledger: Ledger, change: Change, rounds: list[str]) -> Sum:
    """The rounds under the change."""
    total = Sum(change)
    for each in consider(change, ledger, Rules(ledger), rounds):
        total.take(each)
    return total


def sheet_of_round(ledger: Ledger, key: str) -> Mapping[str, Any]:
    """The content of the sheet that the round pinned."""
    opened = ledger.round_records(key)[0].event
    found = ledger.sheet(getattr(opened, "sheet", ""))
    assert found is not None
    return found.content


def changed(content: Mapping[str, Any], **other: Any) -> PublishedSheet:
    """The sheet with other terms, read as a file of one is."""
    kept = {name: value for name, value in (dict(content) | other).items() if value is not None}
    read = read_sheet(kept)
    return PublishedSheet(read.ref, read.fingerprint, "", read.content)


def test_the_keys_are_those_of_the_list_in_its_order(long: Ledger) -> None:
    assert keys(long) == [row["round"] for row in list_rounds(long).rows]
    assert keys(long, status="voided") == [row["round"] for row in list_rounds(long, Filters(status="voided")).rows]


def test_under_its_own_sheet_no_round_is_different(long: Ledger) -> None:
    refs = {row["sheet"] for row in list_rounds(long).rows}
    for ref in sorted(refs):
        rounds = [row["round"] for row in list_rounds(long).rows if row["sheet"] == ref]
        total = compared(long, change_of(published_sheet(long, ref), None), rounds)
        assert (total.rows, total.left_out, total.house_cents) == ([], [], 0)
        assert total.compared + total.states["not settled"] == len(rounds)


def test_without_commission_players_keep_exactly_what_they_paid(long: Ledger) -> None:
    rows = list_rounds(long, Filters(status="settled")).rows
    paid = next(row for row in rows if row["commission_cents"])
    content = sheet_of_round(long, paid["round"])
    rounds = [row for row in rows if row["sheet"] == paid["sheet"]]
    total = compared(long, change_of(changed(content, commission=None), None), [row["round"] for row in rounds])
    by_round: dict[str, int] = {}
    for row in total.rows:
        by_round[row["round"]] = by_round.get(row["round"], 0) + row["difference_cents"]
    assert by_round == {row["round"]: row["commission_cents"] for row in rounds if row["commission_cents"]}
    assert total.house_cents == -sum(by_round.values())


def test_another_house_way_sets_the_dealer_and_what_was_left_to_the_house(long: Ledger) -> None:
    rounds = keys(long)
    total = compared(long, change_of(None, "mbs"), rounds)
    assert sum(total.states.values()) == len(rounds)
    assert total.compared > 0
    assert total.states["other game"] > 0
    document = total.as_json()
    assert document["players_difference_cents"] == -document["house_difference_cents"]


def test_a_void_and_an_open_round_do_not_count(long: Ledger) -> None:
    voided = keys(long, status="voided")
    total = compared(long, change_of(None, "mbs"), voided)
    assert (total.compared, total.states["not settled"]) == (0, len(voided))
    assert total.as_json()["changed"] == 0


def test_a_wager_that_the_other_sheet_does_not_offer_is_said(long: Ledger) -> None:
    row = next(row for row in list_rounds(long, Filters(wager="progressive", status="settled")).rows)
    content = sheet_of_round(long, row["round"])
    wagers = {name: terms for name, terms in content["wagers"].items() if name != "progressive"}
    used = {terms["paytable"] for terms in wagers.values()}
    tables = {name: table for name, table in content["paytables"].items() if name in used}
    envy = {terms["envy"] for terms in wagers.values() if "envy" in terms}
    envy_tables = {name: table for name, table in content["envy_tables"].items() if name in envy}
    other = changed(content, wagers=wagers, paytables=tables, envy_tables=envy_tables)
    (left,) = compared(long, change_of(other, None), [row["round"]]).left_out
    assert "does not offer progressive" in left["why"]


def test_what_is_of_another_game_is_refused(long: Ledger) -> None:
    face_up = next(row["sheet"] for row in list_rounds(long, Filters(game="face_up")).rows)
    total = compared(long, change_of(published_sheet(long, face_up), None), keys(long, game="pai_gow"))
    with pytest.raises(Exception, match="fits face_up, and none of these rounds is"):
        total.check()
    compared(long, change_of(published_sheet(long, face_up), None), keys(long)).check()


def test_unknown_names_are_answered_with_what_there_is(long: Ledger) -> None:
    with pytest.raises(NoSuchHouseWay, match="there are "):
        change_of(None, "mbz")
    with pytest.raises(NoSuchSheet, match="there are "):
        published_sheet(long, "nothing@1")


def test_nothing_of_it_is_stored(long: Ledger) -> None:
    before = long.head()
    compared(long, change_of(None, "mbs"), keys(long))
    assert long.head() == before


def test_rounds_are_rechecked_the_same_in_one_process_and_in_several(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = url(played)
    with Ledger.open(at) as ledger:
        rounds = keys(ledger)
    alone = [each for batch in in_processes(at, rounds, recheck_rounds) for each in batch]
    monkeypatch.setattr("projections.rechecks.WORTH_A_PROCESS", 1)
    spread = [each for batch in in_processes(at, rounds, recheck_rounds, 2, batch=7) for each in batch]
    assert spread == alone
    assert [each.round for each in spread] == rounds
    assert not any(each.differences for each in spread)
