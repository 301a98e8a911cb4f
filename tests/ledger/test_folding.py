"""The desk is folded with little memory, and is the same desk; what differs from it is named."""

from __future__ import annotations

from contextlib import closing

import pytest

from domain.desk import Numbers, Table, numbers_key, table_key
from ledger import folding
from ledger.codec import encode_entry, encode_key
from ledger.desk import DeskStore
from ledger.folding import FoldedDesk, ScratchDesk, differences
from ledger.service import Ledger
from tests.ledger.play import a_round, hand_in, ledger_at, play


@pytest.fixture
def crowded(url: str) -> Ledger:
    """A ledger with more desk entries than the folds below may keep, changed again and again."""
    with ledger_at(url) as ledger:
        play(ledger, rounds=2)
        for number in range(3, 60):
            ledger.submit(hand_in(*a_round(number, f"T{number % 12}")))
    return Ledger.open(url, read_only=True)


@pytest.mark.parametrize("hot", [1, 2, 5, 1_000])
def test_the_desk_is_the_stored_one_however_few_entries_are_kept(
    crowded: Ledger, hot: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folding, "HOT", hot)
    with crowded, crowded.store.reading() as connection, closing(ScratchDesk()) as scratch:
        desk = FoldedDesk(scratch)
        for page in crowded.feed.pages():
            for record in page:
                desk.fold(record.event)
                assert len(desk._entries) <= max(hot, 1) + 1
        desk.flush()
        assert list(scratch.stored()) == list(DeskStore(crowded.store.dialect).stored(connection))


def test_what_was_looked_at_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "HOT", 4)
    asked: list[object] = []

    class Asked(ScratchDesk):
        def get(self, key: tuple[str, ...]) -> object:
            asked.append(key)
            return super().get(key)

    with closing(Asked()) as scratch:
        desk = FoldedDesk(scratch)
        keys = [table_key("NORTH", f"T{number}") for number in range(9)]
        for key in keys:
            desk.get(keys[0])
            desk.put(key, Table(open_round=key[2]))
            desk.trim()
        assert desk.get(keys[0]).open_round == "T0"
        assert asked.count(keys[0]) == 1
        assert desk.get(keys[1]).open_round == "T1"
        assert asked.count(keys[1]) == 1


def stored(*names: str) -> list[tuple[str, bytes]]:
    """Entries of those tables as they are stored, with the name as their round."""
    return [(encode_key(key), encode_entry(key, Table(open_round=key[2]))) for key in map(_table, sorted(names))]


def _table(name: str) -> tuple[str, ...]:
    return table_key("NORTH", name)


@pytest.mark.parametrize(
    ("found", "right", "said"),
    [
        ("", "", []),
        ("AB", "AB", []),
        ("", "AB", ["lacks", "lacks"]),
        ("AB", "", ["no event made", "no event made"]),
        ("AC", "ABC", ["lacks"]),
        ("ABC", "AC", ["no event made"]),
        ("BC", "AD", ["lacks", "no event made", "no event made", "lacks"]),
    ],
)
def test_every_difference_is_said_once(found: str, right: str, said: list[str]) -> None:
    texts = list(differences(stored(*found), stored(*right)))
    assert len(texts) == len(said)
    assert all(words in text for words, text in zip(said, texts, strict=True))


def test_an_entry_of_other_content_and_a_key_that_is_no_text_are_said() -> None:
    key = numbers_key("NORTH", "T1", "2026-05-04")
    right = [(encode_key(key), encode_entry(key, Numbers(((1, 2),))))]
    other = [(encode_key(key), encode_entry(key, Numbers(((1, 3),))))]
    (text,) = differences(other, right)
    assert "is not what the log says" in text
    (text,) = differences([*right, (b"\x00", b"")], right)
    assert "no event made" in text
