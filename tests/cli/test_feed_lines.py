"""A feed's lines are the same however its bytes arrive."""

from __future__ import annotations

from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from cli import feed_lines
from cli.feed_lines import FeedLine

LONGEST = 6
LINES = st.lists(st.sampled_from([b"", b" ", b"\t\r", b"a", b" b ", b"c\r", b"123456", b"1234567", b"12345678901234"]))


def told(text: bytes) -> list[FeedLine]:
    """The lines as a person counts them."""
    lines = [line if len(line) <= LONGEST else None for line in text.split(b"\n")]
    return [FeedLine(number, line) for number, line in enumerate(lines, 1) if line is None or line.strip()]


@given(LINES, st.booleans(), st.lists(st.integers(1, 9), min_size=1))
def test_lines_are_numbered_and_cut_alike_in_chunks_of_any_size(
    lines: list[bytes], ended: bool, sizes: list[int]
) -> None:
    text = b"\n".join(lines) + (b"\n" if ended else b"")
    splitter = feed_lines._Splitter()
    found: list[FeedLine] = []
    place = turn = 0
    with mock.patch.object(feed_lines, "LONGEST_LINE_BYTES", LONGEST):
        while place < len(text):
            size = sizes[turn % len(sizes)]
            found += splitter.lines(text[place : place + size])
            place, turn = place + size, turn + 1
        found += splitter.rest()
    assert found == told(text)
