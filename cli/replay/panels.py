"""What stands on the screen while one steps through a round, as rows of pieces: the table, the events, the money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cli.replay import saying
from cli.replay.cards import in_a_row
from cli.replay.drawing import Block, Piece, Row, ends, indented, plain, row_width, wrapped_rows
from cli.replay.felt import draw_felt
from cli.replay.money import purses
from cli.replay.saying import Document, Line, Spot
from cli.replay.stepper import Stepper
from cli.tables import Column, draw_table
from domain.money import dollars

KEYS = (
    ("left, right", "one step back or on"),
    ("home, end", "the first step, the last step"),
    ("g", "go to an event by its number"),
    ("p, P", "the next phase, the phase before"),
    ("s", "what concerns one seat; again for the next, then all"),
    ("e", "the dealer's eyes, each seat's, then surveillance's"),
    ("m", "the money: who has what at stake, and where it went"),
    ("up, down", "scroll the table where it is higher than the screen"),
    ("?", "this help"),
    ("q", "leave"),
)
SHORT_KEYS = "<-/-> step  Home/End  g event  p phase  s seat  e eyes  m money  ? help  q quit"
NAME_WIDTH = 11
"""How wide the names stand beside the cards; a longer one has a row of its own."""
_MONEY_EVENTS = ("wager-", "bank-taken", "contribution", "doubled-down", "raised", "payment", "corrected", "jackpot.")


def title(stepper: Stepper, page: int) -> Block:
    """Which round, which step, which phase, and whose view."""
    document = stepper.document
    left = (Piece(f"{saying.title(document)} ", "bold"),)
    view = ", ".join(_view(stepper))
    place = f"{stepper.phase}, event {stepper.version} of {stepper.steps[-1]['frames'][-1]['version']}"
    right = plain(f"{view}; {place}" if view else place)
    return ends(left, right, page)[:2]


def _view(stepper: Stepper) -> list[str]:
    """Which seat is looked at and with whose eyes, where that is not all of them with those of surveillance."""
    views = [f"seat {stepper.seat}" if stepper.seat else "", f"as {saying.viewer(stepper.document)}"]
    return [each for each in views if each and each != "as surveillance"]


def table(document: Document, page: int, height: int) -> Block:
    """Findings, then the table drawn as large as there is room for, then the lines so far."""
    rows: Block = []
    for each in document["findings"]:
        rows += wrapped_rows(f"! {saying.finding(each)}", page, "yellow")
    felt = draw_felt(document, page)
    rows += felt if len(rows) + len(felt) <= height else _in_rows(document, page)
    for heading, lines in saying.lines_by_state(document):
        if lines:
            rows += [(), *_lines(heading, lines, document, page)]
    sums = saying.totals(document)
    rows += wrapped_rows(sums, page, "dim") if sums else []
    for heading, entries in saying.afterwards(document):
        if entries:
            rows += [(), plain(heading, "bold")]
            for entry in entries:
                rows += wrapped_rows(entry, page)
    return rows


def _in_rows(document: Document, page: int) -> Block:
    """The table with a row or two for each spot."""
    rows: Block = []
    for spot in saying.spots(document):
        name, cards, net = _name(spot, document), _cards(spot), _net(spot, document)
        if len(name) > NAME_WIDTH:
            rows += wrapped_rows(name, page, "bold")
            name = ""
        rows += ends((*plain(f"{name:<{NAME_WIDTH}} ", "bold"), *cards), net, page)
        for text in _short(spot, document):
            rows += indented(wrapped_rows(text, page - NAME_WIDTH - 1, "dim"), " " * (NAME_WIDTH + 1))
    return rows


def _name(spot: Spot, document: Document) -> str:
    if spot["seat"] == "dealer":
        return "Dealer"
    return f"{spot['seat']} {spot['player']}{' bank' if spot['seat'] == document['bank'] else ''}"


def _cards(spot: Spot) -> Row:
    if spot["cards"] is None:
        return (Piece("no cards yet", "dim"),)
    if spot["high"] is None:
        return in_a_row(spot["cards"])
    return (*in_a_row(spot["high"]), Piece("  |  "), *in_a_row(spot["low"]))


def _net(spot: Spot, document: Document) -> Row:
    text, cents = saying.spot_net(document, spot)
    if not text:
        return ()
    return (Piece(text.removeprefix("net "), "green" if cents > 0 else "red" if cents < 0 else ""),)


def _short(spot: Spot, document: Document) -> Iterator[str]:
    """The most that one row has room for: the comparison, else names and wagers."""
    compared = "; ".join(text.replace(" hand: ", ": ") for text in saying.compared(document, spot))
    marks = ["FOUL"] * bool(spot["foul"]) + ["folded"] * bool(spot["folded"])
    names = saying.hand_names(spot)
    wagers = saying.wagers_of(document, spot["seat"])
    text = "; ".join(each for each in (*marks, compared or names, "" if compared else wagers) if each)
    if text:
        yield text


_LINES = (
    Column("who", "Seat", "figure"),
    Column("what", "Wager"),
    Column("stake_cents", "Stake", "cents"),
    Column("outcome", "Result"),
    Column("won_cents", "Won", "cents"),
    Column("returned_cents", "Back", "cents"),
    Column("commission_cents", "Comm.", "cents"),
    Column("net_cents", "Net", "cents"),
)


def _lines(heading: str, lines: Sequence[Line], document: Document, page: int) -> Block:
    rows: Block = [plain(heading, "bold")]
    table_rows = [{**line, "who": str(line["seat"] or ""), "what": saying.what(line)} for line in lines]
    drawn = list(draw_table(_LINES, table_rows))
    if max(map(len, drawn)) > page:
        drawn = ["", *(saying.figures(line) for line in lines)]
    rows += [plain(drawn[0], "dim")] if drawn[0] else []
    for line, text in zip(lines, drawn[1:], strict=True):
        style = {"win": "green", "lose": "red", "forfeited": "red"}.get(line["outcome"], "")
        rows += wrapped_rows(text, page, style) if len(text) > page else [plain(text, style)]
        for why in (saying.rule(line), *saying.corrected(line, document)):
            rows += indented(wrapped_rows(why, page - 4, "dim"), "    ")
    return rows


def events(stepper: Stepper, page: int, height: int) -> Block:
    """The events around the one that is looked at, those to come dimmed."""
    rows: Block = []
    first = last = 0
    for place, frame in enumerate(stepper.steps[-1]["frames"]):
        now = place == stepper.place
        entry = _event(frame, page, now, to_come=place > stepper.place)
        if now:
            first, last = len(rows), len(rows) + len(entry)
        rows += entry
    top = max(min(first - (height - (last - first)) // 2, len(rows) - height), 0)
    return rows[top : top + height]


def _event(frame: Mapping[str, Any], page: int, now: bool, *, to_come: bool) -> Block:
    style = "bold" if now else "dim" if to_come else ""
    start = f"{'>' if now else ' '}{frame['version']:>3} {frame['at'][11:16]} "
    rows = wrapped_rows(frame["text"], page - len(start), style, hanging="")
    return [(Piece(start if not place else " " * len(start), style), *row) for place, row in enumerate(rows)]


def said(stepper: Stepper, page: int, height: int) -> Block:
    """The event that is looked at: when, by whom, and what; cut where there is no room."""
    frame = stepper.document["frames"][-1]
    rows = wrapped_rows(f"{frame['at'][11:19]}, {frame['by']}: {frame['text']}", page)
    if len(rows) > height:
        rows = [*rows[: height - 1], (*rows[height - 1][:1], Piece(" ..."))]
        rows[-1] = plain(rows[-1][0].text[: page - 4] + " ...")
    return rows


def money(stepper: Stepper, page: int) -> Block:
    """Everybody's money at this step, and the events that moved it."""
    document = stepper.document
    heading = ", ".join(("Money at this step", *_view(stepper), f"event {stepper.version}"))
    rows: Block = wrapped_rows(heading, page, "bold")
    found = purses(document)
    if not found:
        rows.append(plain("Nothing is staked yet."))
    for each in found:
        net = "at stake" if each.net_cents is None else f"net {saying.signed(each.net_cents)}"
        rows += ends(plain(each.who, "bold"), plain(net), page)
        moved = (
            f"staked {dollars(each.staked_cents)}, won {dollars(each.won_cents)}, returned "
            f"{dollars(each.returned_cents)}, commission {dollars(each.commission_cents)}"
        )
        if each.corrected_cents:
            moved += f", corrected {saying.signed(each.corrected_cents)}"
        rows += indented(wrapped_rows(moved, page - 2), "  ")
    sums = saying.totals(document)
    rows += wrapped_rows(sums, page) if sums else []
    rows += [(), plain("Where it went", "bold")]
    for frame in document["frames"]:
        if any(part in frame["event"] for part in _MONEY_EVENTS):
            rows += _event(frame, page, now=False, to_come=False)
    return rows


def short_keys() -> Block:
    """The keys in one row."""
    return [plain(SHORT_KEYS, "dim")]


def help_rows(page: int) -> Block:
    """The keys and what they do."""
    rows: Block = [plain("Stepping through a round", "bold"), ()]
    for keys, does in KEYS:
        first, *rest = wrapped_rows(does, page - 13, hanging="")
        rows.append((Piece(f"{keys:<12} ", "bold"), *first))
        rows += indented(rest, " " * 13)
    rows += [(), *wrapped_rows("A card that does not lie face up for whose eyes you look with is ??.", page)]
    return rows


def too_small(page: int, height: int, least: tuple[int, int]) -> Block:
    """What stands there where the terminal has no room for the table."""
    wide, high = least
    text = f"This terminal is {page} x {height}; stepping needs {wide} x {high}. Make it larger, or q to leave."
    return wrapped_rows(text, page, hanging="")


def widest(block: Block) -> int:
    """How wide a block is."""
    return max(map(row_width, block), default=0)
