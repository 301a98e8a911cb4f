"""A replay as text: findings first, the hands, every line with its rule, what came after, event by event, the checks.

Drawn on a terminal, in columns where it goes into a file or a pipe, and in sentences alone for reading aloud.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from cli.replay import saying
from cli.replay.cards import spoken_cards, spoken_sentence
from cli.replay.drawing import Block, Piece
from cli.replay.felt import draw_felt
from cli.replay.saying import Document, Line, Spot
from cli.tables import PAGE_WIDTH, Column, Paper, clean, draw_table, width, wrapped
from domain.games import game
from domain.money import dollars

DRAWN, COLUMNS, SENTENCES = "drawn", "columns", "sentences"
"""How a replay may be written: for a terminal, for a file or a pipe, for reading aloud."""
_OUTCOME_COLOURS = {"win": "green", "lose": "red", "forfeited": "red"}
STYLES: Mapping[str, Mapping[str, Any]] = {
    "": {},
    "bold": {"bold": True},
    "dim": {"dim": True},
    "red": {"fg": "red"},
    "green": {"fg": "green"},
    "yellow": {"fg": "yellow"},
    "bold red": {"fg": "red", "bold": True},
}
"""The styles of pieces on a terminal."""


def print_replay(paper: Paper, document: Document, form: str = COLUMNS, page: int = PAGE_WIDTH) -> None:
    """Prints the document of `projections.replays.replay`, findings first, in lines of at most `page` columns."""
    _Sheet(paper, document, form, page).print_all()


class _Sheet:
    """One document on its way to paper."""

    def __init__(self, paper: Paper, document: Document, form: str, page: int) -> None:
        self.paper = paper
        self.document = document
        self.form = form
        self.page = page

    def print_all(self) -> None:
        self._head()
        self._findings()
        self._hands()
        if self.document["status"] == "open":
            self._wagers()
        for title, lines in saying.lines_by_state(self.document):
            self._lines(title, lines)
        self._say(saying.totals(self.document))
        for title, entries in saying.afterwards(self.document):
            if entries:
                self._heading(title)
                for entry in entries:
                    self._say(self._told(entry), "  ")
        self._frames()
        self._proof()

    def _say(self, text: str, indent: str = "", hanging: str = "  ", **style: Any) -> None:
        hanging = "" if not indent else hanging
        lines = wrapped(text, indent=indent, hanging=hanging, page=self.page)
        self.paper.print_all(self.paper.style(line, **style) if style else line for line in lines)

    def _told(self, sentence: str) -> str:
        return spoken_sentence(sentence) if self.form == SENTENCES else sentence

    def _heading(self, text: str) -> None:
        self.paper.print()
        self._say(text, bold=True)

    def _head(self) -> None:
        for line in wrapped(saying.title(self.document), hanging="  ", page=self.page):
            self.paper.print(self.paper.style(line, bold=True))
        for sentence in saying.head(self.document):
            self._say(sentence)

    def _findings(self) -> None:
        findings = self.document["findings"]
        if not findings:
            self.paper.print("No findings.")
            return
        self._heading(f"Findings ({len(findings)})")
        for each in findings:
            self._say(f"! {self._told(saying.finding(each))}", "  ", fg="yellow")

    def _hands(self) -> None:
        if self.form == DRAWN:
            self.paper.print()
            print_block(self.paper, draw_felt(self.document, self.page))
        elif self.form == SENTENCES:
            self._spoken_hands()
        elif self.document["dealer"]["cards"] is None:
            self._heading("Seats (nothing is dealt yet)")
            seats = [{"seat": str(each["seat"]), "player": each["player"]} for each in self.document["seats"]]
            self.paper.print_all(draw_table(_HANDS, seats, indent="  "))
        else:
            self._hands_in_columns()

    def _hands_in_columns(self) -> None:
        spots = saying.spots(self.document)
        columns = _UNSPLIT if game(self.document["game"]).split is None else _HANDS
        self._heading("Hands")
        heading, *rows = draw_table(columns, [_hand_row(each) for each in spots], indent="  ")
        self.paper.print(heading)
        for row, spot in zip(rows, spots, strict=True):
            self.paper.print(row)
            for text in saying.about_hand(spot, self.document):
                self._say(text, "          ")

    def _spoken_hands(self) -> None:
        self._heading("Hands")
        for spot in saying.spots(self.document):
            for sentence in _spoken_hand(spot, self.document):
                self._say(sentence, "  ")

    def _wagers(self) -> None:
        self._heading("Wagers that stand")
        rows = [
            {**each, "seat": str(each["seat"]), "what": saying.what(each), "forfeited": "forfeited" * each["forfeited"]}
            for each in self.document["wagers"]
        ]
        if not rows:
            self.paper.print("  None.")
        elif self.form == SENTENCES:
            for each in rows:
                stake = f"{each['what']} {dollars(each['stake_cents'])} {each['forfeited']}"
                self._say(f"Seat {each['seat']}, {each['player']}: {stake.strip()}.", "  ")
        else:
            self.paper.print_all(draw_table(_WAGERS, rows, indent="  "))

    def _lines(self, title: str, lines: Sequence[Line]) -> None:
        self._heading(title)
        if not lines:
            self.paper.print("  None.")
            return
        rows = self._line_rows(lines)
        for who, of_one in groupby(zip(lines, rows, strict=True), key=lambda each: saying.whose(each[0])):
            group = list(of_one)
            net = saying.net([line for line, _ in group], self.document)
            self._say(f"{who}: {net}", bold=True)
            for line, row in group:
                self._line(line, row)

    def _line_rows(self, lines: Sequence[Line]) -> Iterable[str | None]:
        """The lines in columns, or nothing where they are said in sentences."""
        rows = [{**line, "what": saying.what(line)} for line in lines]
        heading, *drawn = draw_table(_LINES, rows, indent="  ")
        if self.form == SENTENCES or max(map(width, (heading, *drawn))) > self.page:
            return [None] * len(lines)
        self.paper.print(heading)
        return drawn

    def _line(self, line: Line, row: str | None) -> None:
        colour = _OUTCOME_COLOURS.get(line["outcome"])
        style: Mapping[str, Any] = {} if colour is None else {"fg": colour}
        if row is None:
            self._say(saying.figures(line), "  ", **style)
        else:
            self.paper.print(self.paper.style(row, **style) if style else row)
        for text in (*saying.why(line), *saying.corrected(line, self.document)):
            self._say(text, "      ")

    def _frames(self) -> None:
        self._heading("What happened")
        said = ""
        for frame in self.document["frames"]:
            clock = f"{frame['at'][:10]}, times at the offset {frame['at'][19:].lstrip('.0123456789')}"
            if clock != said:
                self._say(clock, "  ")
                said = clock
            start = f"{frame['version']:>4}  {frame['at'][11:19]}  "
            hanging = " " * len(start) if self.page >= 60 else "      "
            self.paper.print_all(wrapped(f"{start}{self._told(frame['text'])}", hanging=hanging, page=self.page))

    def _proof(self) -> None:
        recheck, integrity = self.document["recheck"], self.document["integrity"]
        wrong = STYLES["bold red"]
        self._heading("Checks")
        self._say(saying.rechecked(self.document), "  ", **({} if recheck["matches"] else wrong))
        for difference in recheck["differences"]:
            self._say(f"! {difference}", "    ")
        self._say(saying.hashes(self.document), "  ", **({} if integrity["verified"] else wrong))
        self._say(integrity["head"], "    ")


def print_block(paper: Paper, block: Block) -> None:
    """Prints rows of pieces in their styles."""
    for row in block:
        paper.print("".join(_styled(paper, piece) for piece in _without_end(row)))


def _styled(paper: Paper, piece: Piece) -> str:
    style = STYLES[piece.style]
    return paper.style(piece.text, **style) if style else piece.text


def _without_end(row: tuple[Piece, ...]) -> Iterator[Piece]:
    """The pieces of a row without spaces at its end, which a style would keep."""
    filled = len(row)
    while filled and not row[filled - 1].text.strip():
        filled -= 1
    return iter(row[:filled])


_HANDS = (
    Column("seat", "Seat"),
    Column("player", "Player"),
    Column("high", "High hand"),
    Column("low", "Low"),
    Column("set_by", "Set by"),
)
_UNSPLIT = (Column("seat", "Seat"), Column("player", "Player"), Column("high", "Cards"))
"""Where hands are not set in two."""
_LINES = (
    Column("what", "Wager"),
    Column("stake_cents", "Stake", "cents"),
    Column("outcome", "Result"),
    Column("won_cents", "Won", "cents"),
    Column("returned_cents", "Returned", "cents"),
    Column("commission_cents", "Comm.", "cents"),
    Column("net_cents", "Net", "cents"),
)
_WAGERS = (
    Column("seat", "Seat"),
    Column("player", "Player"),
    Column("what", "Wager"),
    _LINES[1],
    Column("forfeited", " "),
)


def _hand_row(spot: Spot) -> Mapping[str, Any]:
    return {
        "seat": str(spot["seat"]),
        "player": spot["player"],
        "high": spot["high"] or spot["cards"],
        "low": spot["low"] or "",
        "set_by": saying.set_by(spot),
    }


def _spoken_hand(spot: Spot, document: Document) -> Iterator[str]:
    """A spot in sentences."""
    who = "Dealer" if spot["seat"] == "dealer" else f"Seat {spot['seat']}, {clean(spot['player'])}"
    if spot["cards"] is None:
        yield f"{who}: no cards yet."
        return
    if spot["high"] is None:
        yield f"{who}: {spoken_cards(spot['cards'])}."
    else:
        hands = f"high hand {spoken_cards(spot['high'])}; low hand {spoken_cards(spot['low'])}"
        yield f"{who}: {hands}; set by {saying.set_by(spot)}."
    for text in saying.about_hand(spot, document):
        yield f"  {text[:1].upper()}{text[1:]}."
