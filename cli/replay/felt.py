"""The table drawn: the dealer above, the seats in columns, each with cards, wagers, and how its hands compare."""

from __future__ import annotations

from collections.abc import Iterator

from cli.replay import saying
from cli.replay.cards import drawn, drawn_width, in_a_row
from cli.replay.drawing import (
    Block,
    Piece,
    Row,
    beside,
    block_width,
    column_width,
    ends,
    in_columns,
    plain,
    row_width,
    wrapped_rows,
)
from cli.replay.saying import Document, Spot

LEAST = 36
"""How narrow a seat may be drawn, so that two stand side by side on a page of 80."""
WIDEST = 76


def draw_felt(document: Document, page: int, *, low: bool = False) -> Block:
    """The table as it stands in the document, at most `page` cells wide; `low` draws each hand in one row."""
    dealer, *seats = saying.spots(document)
    each = column_width(page, LEAST)
    rows = draw_spot(dealer, document, min(page, WIDEST), low=low)
    rows.append(())
    return rows + in_columns([draw_spot(seat, document, each, low=low) for seat in seats], page, LEAST)


def draw_spot(spot: Spot, document: Document, page: int, *, low: bool = False) -> Block:
    """One spot: who sits there, the cards, what they are called, the wagers, and how the hands compare."""
    rows = _head(_name(spot, document), _net(spot, document), page)
    rows += _cards(spot, page, low=low)
    for text, style in _about(spot, document):
        rows += wrapped_rows(text, page, style)
    return rows


def _head(name: str, net: Row, page: int) -> Block:
    """Who sits there and the net, on one row where they fit."""
    *above, last = wrapped_rows(name, page, "bold", hanging="")
    return [*above, *ends(last, net, page)]


def _name(spot: Spot, document: Document) -> str:
    if spot["seat"] == "dealer":
        return "Dealer"
    return f"Seat {spot['seat']} {spot['player']}{' (banks)' if spot['seat'] == document['bank'] else ''}"


def _net(spot: Spot, document: Document) -> Row:
    text, cents = saying.spot_net(document, spot)
    if not text:
        return ()
    return (Piece(text, "green" if cents > 0 else "red" if cents < 0 else ""),)


def _cards(spot: Spot, page: int, *, low: bool) -> Block:
    hands = [hand for hand in (spot["high"] or spot["cards"], spot["low"]) if hand]
    if not hands:
        return [plain("no cards yet", "dim")]
    room = sum(drawn_width(len(hand.split())) for hand in hands) + len(hands) - 1
    if room <= page and not low:
        first, *rest = map(drawn, hands)
        return beside([first, *rest], block_width(first), " ")
    rows = [in_a_row(hand) for hand in hands]
    together = (*rows[0], Piece("  |  "), *rows[1]) if len(rows) > 1 else rows[0]
    return [together] if row_width(together) <= page else rows


def _about(spot: Spot, document: Document) -> Iterator[tuple[str, str]]:
    compared = list(saying.compared(document, spot))
    names = " | ".join(name for name in (spot["high_name"], spot["low_name"]) if name)
    if names and not compared:
        yield names, ""
    yield from ((text, "") for text in compared)
    if spot["foul"]:
        yield "FOUL: the low hand outranks the high hand", "bold red"
    yield from ((text, "dim") for text in _plainly(spot))
    if spot["folded"] and not compared:
        yield "folded", ""
    wagers = saying.wagers_of(document, spot["seat"])
    if wagers:
        yield wagers, ""


def _plainly(spot: Spot) -> Iterator[str]:
    """What helps to understand a hand: who set it, by which row of the house way, whether it is given up."""
    how = saying.set_by(spot)
    rule = f", {spot['rule']}" if spot.get("rule") else ""
    if how and spot["high"] is not None:
        yield f"set by {how}{rule}" if spot["seat"] != "dealer" else f"{how}{rule}"
    if spot.get("laid_low") is not None and spot["laid_low"] != spot["low"]:
        yield f"the dealer laid {spot['laid_high']} high and {spot['laid_low']} low"
    if spot.get("qualifies") is not None:
        yield "qualifies" if spot["qualifies"] else "does not qualify"
