"""A meter's life drawn as SVG: a panel a level, what it held over time, with hits, entries, readings and its limit.

Every kind of mark has a shape of its own, so that nothing is said by colour alone, and a title with its figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import escape
from typing import Any
from zoneinfo import ZoneInfo

from cli.tables import clean, micros_text
from domain.money import MICROS_PER_CENT

Row = Mapping[str, Any]
WIDTH, PANEL, TOP, LEFT, RIGHT, BOTTOM = 960, 260, 54, 96, 24, 46
_INNER = PANEL - BOTTOM - 16
_MOST_POINTS = 2_000
_STEPS = (1, 2, 5)
_SPANS = (1, 2, 3, 6, 12, 24, 48, 24 * 7, 24 * 14, 24 * 30, 24 * 91, 24 * 365)
_STYLE = """
text { font: 12px system-ui, sans-serif; fill: #222; }
.title { font-size: 16px; font-weight: 600; }
.name { font-size: 13px; font-weight: 600; }
.axis { stroke: #888; stroke-width: 1; fill: none; }
.grid { stroke: #ddd; stroke-width: 1; }
.held { stroke: #1f5f99; stroke-width: 1.6; fill: none; stroke-linejoin: round; }
.limit { stroke: #a33; stroke-width: 1.2; stroke-dasharray: 6 4; fill: none; }
.hit { fill: #a33; } .entry { fill: #7a5200; } .reading { fill: #fff; stroke: #1f7a3d; stroke-width: 1.5; }
.off { fill: #1f7a3d; }
"""


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a panel's times and amounts lie on the page."""

    top: int
    first: datetime
    last: datetime
    low: int
    high: int

    def x(self, at: datetime) -> float:
        span = max((self.last - self.first).total_seconds(), 1)
        share = (at - self.first).total_seconds() / span
        return LEFT + min(max(share, 0.0), 1.0) * (WIDTH - LEFT - RIGHT)

    def y(self, micros: int) -> float:
        # Only a place on the page; no amount is computed from it.
        return self.top + 16 + (self.high - micros) / max(self.high - self.low, 1) * _INNER


def svg(document: Row) -> str:
    """The drawing as one text."""
    levels = [level for level in document["levels"] if level["points"]]
    height = TOP + PANEL * len(levels) + 24
    zone = ZoneInfo(document["zone"])
    first, last = _span(document, levels)
    name = escape(clean(f"Meter {document['meter']}, {document['property']}"))
    days = f"{first.astimezone(zone):%Y-%m-%d %H:%M} to {last.astimezone(zone):%Y-%m-%d %H:%M}, {document['zone']}"
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{name}">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text class="title" x="{LEFT}" y="24">{name}</text>',
        f'<text x="{LEFT}" y="42">{escape(days)}</text>',
    ]
    for place, level in enumerate(levels):
        lines += _panel(level, TOP + PANEL * place, first, last, zone)
    lines += _legend(TOP + PANEL * len(levels) + 12)
    return "\n".join([*lines, "</svg>", ""])


def _span(document: Row, levels: Sequence[Row]) -> tuple[datetime, datetime]:
    """From when to when: as was asked for, else the life's own beginning and end."""
    times = [_time(point["at"]) for level in levels for point in level["points"]]
    times += [_time(each["at"]) for level in levels for each in level["readings"]]
    first = _time(document["from"]) if document.get("from") else min(times)
    last = _time(document["until"]) if document.get("until") else max(times)
    return first, max(last, first + timedelta(minutes=10))


def _panel(level: Row, top: int, first: datetime, last: datetime, zone: ZoneInfo) -> Iterator[str]:
    frame = _frame(level, top, first, last)
    yield f'<text class="name" x="{LEFT}" y="{top + 10}">{escape(clean(level["level"]))}</text>'
    for amount in _ticks(frame.low, frame.high):
        y = frame.y(amount)
        yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{micros_text(amount)}</text>'
    bottom = top + 16 + _INNER
    yield f'<path class="axis" d="M{LEFT} {top + 16}V{bottom}H{WIDTH - RIGHT}"/>'
    for at, text in _times(frame, zone):
        x = frame.x(at)
        yield f'<line class="axis" x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 4}"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{text}</text>'
    yield from _limit(level, frame)
    yield f'<path class="held" d="{_held(level, frame)}"/>'
    yield from _marks(level, frame, zone)


def _frame(level: Row, top: int, first: datetime, last: datetime) -> _Frame:
    """The amounts that the level had, with some air, from nought on where that is not far below; a limit far above is
    left out."""
    held = [point["accrued_micros"] for point in level["points"]]
    held += [each["display_cents"] * MICROS_PER_CENT for each in level["readings"]]
    low, high = min(held), max(held)
    if 0 < low < high // 2:
        low = 0
    limits = [each["limit_micros"] for each in level["limits"] if each["limit_micros"] is not None]
    near = [limit for limit in limits if limit <= high + 2 * max(high - low, high // 10)]
    high = max([high, *near])
    air = max((high - low) // 12, 10_000)
    return _Frame(top, first, last, low - (air if low else 0), high + air)


def _ticks(low: int, high: int) -> Iterator[int]:
    """Four to eight round amounts."""
    step = next(
        size * 10**power for power in range(4, 18) for size in _STEPS if (high - low) // (size * 10**power) <= 6
    )
    amount = -(-low // step) * step
    while amount <= high:
        yield amount
        amount += step


def _times(frame: _Frame, zone: ZoneInfo) -> Iterator[tuple[datetime, str]]:
    """At most ten round times on the property's clock; a midnight is its date."""
    hours = (frame.last - frame.first).total_seconds() / 3600
    span = next((each for each in _SPANS if hours / each <= 8), _SPANS[-1])
    local = frame.first.astimezone(zone).replace(minute=0, second=0, microsecond=0, tzinfo=None)
    at = local.replace(hour=local.hour // span * span if span < 24 else 0)
    for _ in range(200):
        moment = at.replace(tzinfo=zone).astimezone(UTC)
        if moment > frame.last:
            return
        if moment >= frame.first:
            yield moment, f"{at:%b} {at.day}" if at.hour == 0 else f"{at:%H:%M}"
        at += timedelta(hours=span)


def _held(level: Row, frame: _Frame) -> str:
    """In steps: a level holds what it held until it is moved, and then jumps."""
    points = [(frame.x(_time(each["at"])), frame.y(each["accrued_micros"])) for each in level["points"]]
    (x, y), *others = _thinned(points)
    return f"M{x:.1f} {y:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in others)


def _thinned(points: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Of many points those that are seen: of each tenth of a column the first, the highest, the lowest and the last."""
    if len(points) <= _MOST_POINTS:
        yield from points
        return
    columns: dict[int, list[tuple[float, float]]] = {}
    for point in points:
        columns.setdefault(int(point[0]), []).append(point)
    for found in columns.values():
        highest, lowest = min(found, key=lambda each: each[1]), max(found, key=lambda each: each[1])
        wanted = {found.index(each) for each in (highest, lowest)} | {0, len(found) - 1}
        yield from (found[place] for place in sorted(wanted))


def _limit(level: Row, frame: _Frame) -> Iterator[str]:
    """The limit in steps, where it is on the panel."""
    course = [(max(_time(each["from"]), frame.first), each["limit_micros"]) for each in level["limits"]]
    ends = [at for at, _ in course[1:]] + [frame.last]
    for (begins, limit), ends_at in zip(course, ends, strict=False):
        if limit is not None and frame.low <= limit <= frame.high and begins < ends_at:
            x1, x2, y = frame.x(begins), frame.x(ends_at), frame.y(limit)
            yield (
                f'<line class="limit" x1="{x1:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y:.1f}">'
                f"<title>limit {micros_text(limit)}</title></line>"
            )


def _marks(level: Row, frame: _Frame, zone: ZoneInfo) -> Iterator[str]:
    for hit in level["hits"]:
        x, y = frame.x(_time(hit["at"])), frame.y(hit["accrued_before_micros"])
        text = (
            f"hit of {hit['percent']} %: {micros_text(hit['win_micros'])} in round {hit['round']}, "
            f"{_clock(hit['at'], zone)}"
        )
        yield _mark("hit", f"M{x:.1f} {y - 3:.1f}l-5 -9h10z", text)
    for entry in level["entries"]:
        x, y = frame.x(_time(entry["at"])), frame.y(entry["accrued_after_micros"])
        text = (
            f"{entry['kind']}: {micros_text(entry['amount_micros'])}, {entry['reason'].replace('_', ' ')}, "
            f"{_clock(entry['at'], zone)}"
        )
        yield _mark("entry", f"M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z", text)
    for reading in level["readings"]:
        x, y = frame.x(_time(reading["at"])), frame.y(reading["display_cents"] * MICROS_PER_CENT)
        off = reading["display_cents"] - reading["expected_cents"]
        text = f"read {micros_text(reading['display_cents'] * MICROS_PER_CENT)}"
        text += f", {micros_text(off * MICROS_PER_CENT)} off" if off else ", as it should"
        yield _mark(
            "reading off" if off else "reading",
            f"M{x - 4:.1f} {y - 4:.1f}h8v8h-8z",
            f"{text}, {_clock(reading['at'], zone)}",
        )


def _mark(kind: str, path: str, text: str) -> str:
    return f'<path class="{kind}" d="{path}"><title>{escape(clean(text))}</title></path>'


def _legend(y: int) -> Iterator[str]:
    shapes = (
        ('<path class="held" d="M{x} {y}h18"/>', "held"),
        ('<path class="hit" d="M{m} {b}l-5 -9h10z"/>', "hit"),
        ('<path class="entry" d="M{m} {t}l6 6l-6 6l-6 -6z"/>', "adjusted, moved, voided"),
        ('<path class="reading" d="M{m} {t}m-4 2h8v8h-8z"/>', "sign read"),
        ('<path class="reading off" d="M{m} {t}m-4 2h8v8h-8z"/>', "sign read, off"),
        ('<path class="limit" d="M{x} {y}h18"/>', "limit"),
    )
    x = LEFT
    for shape, text in shapes:
        yield shape.format(x=x, y=y, m=x + 9, t=y - 6, b=y + 5)
        yield f'<text x="{x + 24}" y="{y + 4}">{text}</text>'
        x += 44 + 7 * len(text)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.upper().replace("Z", "+00:00")).astimezone(UTC)


def _clock(text: str, zone: ZoneInfo) -> str:
    return f"{_time(text).astimezone(zone):%Y-%m-%d %H:%M}"
