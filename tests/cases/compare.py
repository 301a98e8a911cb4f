"""What differs between the answers a case expects and the product's: every given key must be equal, others are free."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.cases.case import Case

Row = Mapping[str, Any]

_CARDS = {"cards", "high", "low"}
_SPECIAL = {"type", "round", "lines", "some_lines", "reversed", "seats"}


def receipts(case: Case, answered: Sequence[Row]) -> Iterator[str]:
    """Receipts by their line: the status, and the code where one is expected; no line has none, none has two."""
    expected = case.of("receipt")
    if [each["line"] for each in expected] != [each["line"] for each in answered]:
        yield f"receipts are of the lines {[each['line'] for each in answered]}"
        return
    for wanted, receipt in zip(expected, answered, strict=True):
        keys = [key for key in ("status", "code") if wanted.get(key) is not None]
        if any(receipt.get(key) != wanted[key] for key in keys):
            yield f"line {wanted['line']}: {receipt}, expected {wanted}"


def rounds(case: Case, documents: Mapping[str, Row]) -> Iterator[str]:
    """Replay documents by round."""
    for wanted in case.of("round"):
        document = documents.get(wanted["round"])
        if document is None:
            yield f"round {wanted['round']} is not there"
        else:
            yield from (f"{wanted['round']}: {each}" for each in _round(wanted, document))
    for key, document in documents.items():
        if document["status"] == "settled" and document["recheck"]["matches"] is not True:
            yield f"{key}: the recheck differs: {document['recheck']['differences']}"


def balances(case: Case, rows: Sequence[Row]) -> Iterator[str]:
    """Rows of players by their name."""
    yield from _rows(case.of("balance"), rows, "player")


def meters(case: Case, shown: Mapping[str, Row]) -> Iterator[str]:
    """Levels of meters, by meter and level."""
    for name in dict.fromkeys(each["meter"] for each in case.of("meter")):
        wanted = [{key: row[key] for key in row if key != "meter"} for row in case.of("meter") if row["meter"] == name]
        yield from _rows(wanted, shown[name]["levels"], "level")


def _rows(expected: Sequence[Row], rows: Sequence[Row], key: str) -> Iterator[str]:
    by_key = {row[key]: row for row in rows}
    for wanted in expected:
        row = by_key.get(wanted[key])
        if row is None:
            yield f"{key} {wanted[key]} has no row"
        else:
            given = {name: wanted[name] for name in wanted if name != "type"}
            yield from _differences(given, row, f"{key} {wanted[key]}")


def _round(wanted: Row, document: Row) -> Iterator[str]:
    plain = {key: wanted[key] for key in wanted if key not in _SPECIAL}
    yield from _differences(plain, document, "")
    yield from _rows(wanted.get("seats", []), document["seats"], "seat")
    for each in (document["dealer"], *document["seats"]):
        yield from _split(each)
    if "reversed" in wanted and wanted["reversed"] != bool(document.get("reversed_lines")):
        yield f"reversed_lines: {document.get('reversed_lines')}, expected some: {wanted['reversed']}"
    if "lines" in wanted:
        yield from _all_lines(wanted["lines"], document["lines"])
    yield from _some_lines(wanted.get("some_lines", []), document["lines"])


def _split(hands: Row) -> Iterator[str]:
    """Whatever was set is the cards that were dealt."""
    if hands and hands.get("high") and hands.get("low"):
        if sorted([*hands["high"].split(), *hands["low"].split()]) != sorted(hands["cards"].split()):
            yield f"{hands['high']} and {hands['low']} are not {hands['cards']}"


def _all_lines(expected: Sequence[Row], lines: Sequence[Row]) -> Iterator[str]:
    """Settling order, complete; envy lines come last, in any order among themselves."""
    in_order = [line for line in expected if line["wager"] != "envy"]
    if len(lines) != len(expected) or any(line["wager"] == "envy" for line in lines[: len(in_order)]):
        yield f"{len(lines)} lines, expected {len(expected)}: {[(line['seat'], line['wager']) for line in lines]}"
        return
    for number, wanted in enumerate(in_order):
        yield from _differences(wanted, lines[number], f"line {number + 1}")
    yield from _some_lines(expected[len(in_order) :], lines[len(in_order) :])


def _some_lines(expected: Sequence[Row], lines: Sequence[Row]) -> Iterator[str]:
    left = list(lines)
    for wanted in expected:
        found = next((line for line in left if not any(_differences(wanted, line, ""))), None)
        if found is None:
            yield f"no line is {wanted}"
        else:
            left.remove(found)


def _differences(expected: Row, actual: Row, path: str) -> Iterator[str]:
    for key, value in expected.items():
        name = f"{path} {key}".strip()
        if key not in actual:
            yield f"{name} is missing"
        elif isinstance(value, dict) and isinstance(actual[key], dict):
            yield from _differences(value, actual[key], name)
        elif not (_same_cards(value, actual[key]) if key in _CARDS else _same(value, actual[key])):
            yield f"{name}: {actual[key]!r}, expected {value!r}"


def _same(expected: Any, actual: Any) -> bool:
    # True is no amount of 1.
    return type(expected) is type(actual) and bool(expected == actual)


def _same_cards(expected: str | None, actual: str | None) -> bool:
    """Equal as ranks, since which of two equally ranked cards lies low is free; suits are held by `_split`."""
    if expected is None or actual is None:
        return expected is actual
    return _ranks(expected) == _ranks(actual)


def _ranks(cards: str) -> list[str]:
    return sorted(card if card == "Jk" else card[0] for card in cards.split())
