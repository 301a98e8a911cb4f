"""Text in pieces with a style each, so that blocks can be laid side by side before colour or a screen comes into it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from cli.tables import clean, width


class Piece(NamedTuple):
    """Some text in one style: plain, bold, dim, red, green, yellow, or bold red; no style carries a meaning alone."""

    text: str
    style: str = ""


Row = tuple[Piece, ...]
Block = list[Row]


def plain(text: str, style: str = "") -> Row:
    """A row of one piece; what could move a terminal's cursor is written out."""
    return (Piece(clean(text), style),)


def row_width(row: Row) -> int:
    """How many cells a row takes."""
    return sum(width(piece.text) for piece in row)


def block_width(block: Block) -> int:
    """How many cells the widest row takes."""
    return max(map(row_width, block), default=0)


def wrapped_rows(text: str, page: int, style: str = "", hanging: str = "  ") -> Block:
    """`text` in rows of at most `page` cells."""
    lines = textwrap.wrap(clean(text), max(page, 8), subsequent_indent=hanging, break_on_hyphens=False)
    return [plain(line, style) for line in lines]


def ends(left: Row, right: Row, page: int) -> Block:
    """One row with `left` at its beginning and `right` at its end, two where they do not fit."""
    if not right:
        return [left]
    room = page - row_width(left) - row_width(right)
    if room < 1:
        return [left, right]
    return [(*left, Piece(" " * room), *right)]


def indented(block: Iterable[Row], indent: str) -> Block:
    """The rows with `indent` before each."""
    return [(Piece(indent), *row) for row in block]


def beside(blocks: Sequence[Block], each: int, gap: str = "  ") -> Block:
    """Blocks side by side, all but the last filled up to `each` cells."""
    rows = []
    for parts in zip_longest(*blocks, fillvalue=()):
        row: list[Piece] = []
        for place, part in enumerate(parts):
            row += part
            if place < len(parts) - 1:
                row.append(Piece(" " * max(each - row_width(part), 0) + gap))
        rows.append(tuple(row))
    return rows


def in_columns(blocks: Sequence[Block], page: int, least: int, gap: str = "    ") -> Block:
    """Blocks in as many columns as `page` has room for, each at least `least` wide, an empty row between."""
    columns = columns_of(page, least, gap)
    each = column_width(page, least, gap)
    rows: Block = []
    for first in range(0, len(blocks), columns):
        if rows:
            rows.append(())
        rows += beside(blocks[first : first + columns], each, gap)
    return rows


def columns_of(page: int, least: int, gap: str = "    ") -> int:
    """How many columns of at least `least` cells there is room for; one at least."""
    return max((page + len(gap)) // (least + len(gap)), 1)


def column_width(page: int, least: int, gap: str = "    ") -> int:
    """How wide each of those columns is."""
    columns = columns_of(page, least, gap)
    return (page - len(gap) * (columns - 1)) // columns
