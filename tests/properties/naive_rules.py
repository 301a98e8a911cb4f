"""What every settled document must hold by its sheet: the commission of each win, and the payout limit of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.properties.naive_lines import Command, Document, Documents, Line, settled_lines

Sheet = Mapping[str, Any]


def broken_lines(commands: list[Command], documents: Documents) -> list[str]:
    """What is not as the rounds' sheets say, nothing where all is."""
    sheets = {_ref(each["sheet"]): each["sheet"] for each in commands if each["command"] == "publish_sheet"}
    played = [(documents[each["round"]], each) for each in commands if each["command"] == "open_round"]
    return [
        f"{document['round']}: {fault}"
        for document, opened in played
        for fault in (
            *_commissions(document, sheets[opened["sheet"]], opened["seats"]),
            *_limits(document, sheets[opened["sheet"]], opened["seats"]),
        )
    ]


def _ref(sheet: Sheet) -> str:
    return f"{sheet['id']}@{sheet['version']}"


def _commissions(document: Document, sheet: Sheet, seats: Mapping[str, str]) -> Iterator[str]:
    """A seat's own main pays its own commission and its backers', rounded for each wager (R12, seed 004)."""
    due: dict[int, int] = {}
    for line in settled_lines(document):
        if line["wager"] == "main" and not line.get("toke"):
            due[line["seat"]] = due.get(line["seat"], 0) + _commission(line["won_cents"], sheet)
    for line in settled_lines(document):
        expected = 0
        if line["wager"] == "main" and _is_own(line, seats):
            expected = due[line["seat"]]
        elif line["wager"] == "bank":
            expected = _commission(line["won_cents"], sheet)
        if line["commission_cents"] != expected:
            yield f"{line['line_id']} pays {line['commission_cents']} cents of commission, expected {expected}"


def _commission(won_cents: int, sheet: Sheet) -> int:
    terms = sheet.get("commission")
    if terms is None:
        return 0
    exact: int = won_cents * terms["bp"]
    if terms["rounding"] == "half_up":
        return (exact + 5_000) // 10_000
    return -(-exact // 250_000) * 25


def _limits(document: Document, sheet: Sheet, seats: Mapping[str, str]) -> Iterator[str]:
    """What a seat wins without meter, toke, backers and bank stays within the sheet's limit."""
    limit = sheet.get("payout_limit_cents")
    won: dict[int, int] = {}
    for line in settled_lines(document):
        if line["paid_by"] != "meter" and line["wager"] != "bank" and _is_own(line, seats):
            won[line["seat"]] = won.get(line["seat"], 0) + line["won_cents"]
    over = {seat: cents for seat, cents in won.items() if limit is not None and cents > limit}
    yield from (f"seat {seat} wins {cents} cents, more than {limit}" for seat, cents in over.items())
    cut = {finding["seat"] for finding in document["findings"] if finding["code"] == "payout.limited"}
    yield from (f"seat {seat} was cut to {won[seat]} cents, not {limit}" for seat in sorted(cut) if won[seat] != limit)


def _is_own(line: Line, seats: Mapping[str, str]) -> bool:
    return not line.get("toke") and line["player"] is not None and line["player"] == seats.get(str(line["seat"]))
