"""Text for people: tables whose columns line up, headings, and colour that never carries a meaning by itself."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import click

from domain.money import MICROS_PER_CENT, dollars

MICROS_PER_DOLLAR = 100 * MICROS_PER_CENT
PAGE_WIDTH = 80
LIST_WIDTH = 100
_GAP = "  "
_FOLD = "    "
_IN_ASCII = str.maketrans("♣♦♥♠╭╮╰╯┬┴├┤┼│─━▶·–−×…", "cdhs+++++++++|--> --x.")
_UNSHOWN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@dataclass(frozen=True)
class Column:
    """A column: its key in the row, its title, and what it holds: text, int, cents, micros, list, clock or figure.

    Of a clock, a time of RFC 3339, the table shows the minute of the day. A figure is a number that is written out
    already. `in_table` is False for one that only CSV has room for.
    """

    key: str
    title: str = ""
    kind: str = "text"
    in_table: bool = True

    @property
    def is_number(self) -> bool:
        return self.kind in ("int", "cents", "micros", "figure")


class Paper:
    """Lines of text on a byte stream, coloured or plain; `page` is how many columns a table may have."""

    def __init__(
        self, stream: IO[bytes], *, colour: bool = False, encoding: str = "utf-8", page: int = LIST_WIDTH
    ) -> None:
        self.page = page
        self._stream = stream
        self._colour = colour
        self._encoding = encoding

    def print(self, line: str = "") -> None:
        if self._encoding == "ascii":
            line = in_ascii(line)
        self._stream.write((line.rstrip() + "\n").encode(self._encoding, "replace"))

    def print_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.print(line)

    def heading(self, text: str) -> None:
        """A heading with an empty line above."""
        self.print()
        self.print(self.style(text, bold=True))

    def style(self, text: str, **style: Any) -> str:
        """`text` with its style where there is colour."""
        return click.style(text, **style) if self._colour else text


def in_ascii(text: str) -> str:
    """A drawing for a terminal that knows ASCII only; a suit is its letter, as in the record.

    >>> in_ascii("│ 8♠│")
    '| 8s|'
    """
    return text.translate(_IN_ASCII)


def draw_table(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]], indent: str = "") -> Iterator[str]:
    """The lines of a table, one for the titles and one a row.

    Numbers stand to the right; columns without any value are left out.

    >>> for line in draw_table([Column("player", "Player"), Column("net_cents", "Net", "cents")],
    ...                        [{"player": "P1", "net_cents": -500}, {"player": "P20", "net_cents": 150000}]):
    ...     print(line)
    Player        Net
    P1         -$5.00
    P20     $1,500.00
    """
    for cells in _cells(columns, rows):
        yield (indent + _GAP.join(cells)).rstrip()


def draw_list(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]], page: int = LIST_WIDTH) -> Iterator[str]:
    """A table, whose last column stands below each row where lines would be longer than `page`.

    >>> for line in draw_list([Column("round", "Round"), Column("findings", "Findings", "list")],
    ...                       [{"round": "R1", "findings": ["hand.foul", "deal.exposed"]}, {"round": "R2"}], page=24):
    ...     print(line)
    Round
    R1
        Findings: hand.foul
          deal.exposed
    R2
    """
    whole = list(draw_table(columns, rows))
    if max(map(width, whole)) <= page:
        yield from whole
        return
    *others, last = _kept(columns, rows)
    if last.is_number or not others:
        yield from _folded([*others, last], rows, page)
        return
    lines = list(draw_table(others, rows))
    if max(map(width, lines)) > page:
        lines = list(_folded(others, rows, page))
    height = len(lines) // (len(rows) + 1)
    yield from lines[:height]
    for place, row in enumerate(rows, 1):
        yield from lines[place * height : (place + 1) * height]
        if _has_value(row.get(last.key)):
            yield from wrapped(f"{last.title}: {_text(last.kind, row[last.key])}", "    ", "  ", page)


def _folded(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]], page: int) -> Iterator[str]:
    """A table with as many lines for each row as it needs; those after the first are indented.

    >>> for line in _folded([Column("p", "Player"), Column("won", "Won", "cents"), Column("net", "Net", "cents")],
    ...                     [{"p": "P1", "won": 150000, "net": -500}], 18):
    ...     print(line)
    Player        Won
           Net
    P1      $1,500.00
        -$5.00
    """
    for cells in _cells(columns, rows):
        line = ""
        for cell in cells:
            if line and width(line) + len(_GAP) + width(cell) > page:
                yield line.rstrip()
                line = _FOLD + cell
            else:
                line += (_GAP if line else "") + cell
        yield line.rstrip()


def _kept(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> list[Column]:
    return [each for each in columns if each.in_table and any(_has_value(row.get(each.key)) for row in rows)]


def _cells(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    """The padded cells of the titles and of each row, of the columns that hold anything."""
    kept = _kept(columns, rows)
    texts = [[column.title or column.key, *_texts(column, [row.get(column.key) for row in rows])] for column in kept]
    widths = [max(map(width, each)) for each in texts]
    for cells in zip(*texts, strict=True):
        yield [
            _padded(cell, size, right=column.is_number) for cell, size, column in zip(cells, widths, kept, strict=True)
        ]


def draw_record(columns: Sequence[Column], row: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """One row written downwards, a title and a value a line; among numbers the values line up on the right.

    >>> for line in draw_record([Column("player", "Player"), Column("net_cents", "Net", "cents")],
    ...                         {"player": "P1", "net_cents": -500}):
    ...     print(line)
    Player      P1
    Net     -$5.00
    """
    shown = [each for each in columns if each.in_table and _has_value(row.get(each.key))]
    titles = [each.title or each.key for each in shown]
    values = [_texts(each, [row[each.key]])[0] for each in shown]
    title_size, value_size = max(map(width, titles)), max(map(width, values))
    to_the_right = any(each.is_number for each in shown)
    for title, value in zip(titles, values, strict=True):
        padded = _padded(value, value_size, right=True) if to_the_right else value
        yield f"{indent}{_padded(title, title_size, right=False)}{_GAP}{padded}"


def _has_value(value: Any) -> bool:
    return value is not None and value != "" and value != [] and value != ()


def _texts(column: Column, values: Sequence[Any]) -> list[str]:
    if column.kind == "micros":
        decimals = max((_decimals(value) for value in values if value is not None), default=2)
        return ["" if value is None else micros_text(value, decimals) for value in values]
    return [_text(column.kind, value) for value in values]


def clean(text: str) -> str:
    """`text` with what could move a terminal's cursor or hide other text written out (ids are the caller's own).

    >>> clean("P\\x1b[2J")
    'P\\\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(
        each if unicodedata.category(each) not in _UNSHOWN else each.encode("unicode_escape").decode() for each in text
    )


def _text(kind: str, value: Any) -> str:
    if value is None:
        return ""
    if kind == "cents":
        return dollars(value)
    if kind == "int":
        return f"{value:,}"
    if kind == "clock":
        return str(value[11:16])
    if isinstance(value, (list, tuple)):
        return clean(" ".join(map(str, value)))
    return clean(str(value))


def micros_text(micros: int, decimals: int | None = None) -> str:
    """A meter's micros as dollars, exact, with at least two decimals.

    >>> micros_text(10_000_180_000), micros_text(-1)
    ('$10,000.18', '-$0.000001')
    """
    places = _decimals(micros) if decimals is None else decimals
    whole, rest = divmod(abs(micros), MICROS_PER_DOLLAR)
    return f"{'-' if micros < 0 else ''}${whole:,}.{rest:06d}"[: -(6 - places) or None]


def _decimals(micros: int) -> int:
    digits = f"{abs(micros) % MICROS_PER_DOLLAR:06d}".rstrip("0")
    return max(2, len(digits))


def wrapped(text: str, indent: str = "", hanging: str = "", page: int = PAGE_WIDTH) -> list[str]:
    """`text` in lines of at most `page` columns; `hanging` is added to the indent of all lines but the first."""
    return textwrap.wrap(
        clean(text), page, initial_indent=indent, subsequent_indent=indent + hanging, break_on_hyphens=False
    )


def counted(count: int, thing: str) -> str:
    """So many of a thing.

    >>> counted(1, "event"), counted(1200, "event")
    ('1 event', '1,200 events')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def words(token: str) -> str:
    """A token of the contract as a person reads it.

    >>> words("four_of_a_kind")
    'four of a kind'
    """
    return token.replace("_", " ")


def percent_text(basis_points: int) -> str:
    """Basis points as a percentage.

    >>> percent_text(1850)
    '18.50 %'
    """
    whole, rest = divmod(basis_points, 100)
    return f"{whole}.{rest:02d} %"


def width(text: str) -> int:
    """How many terminal cells `text` takes; wide East Asian characters take two, combining ones none.

    >>> width("P100"), width("東京")
    (4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text
    )


def _padded(text: str, size: int, *, right: bool) -> str:
    filler = " " * (size - width(text))
    return filler + text if right else text + filler
