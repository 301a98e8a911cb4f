"""What a person should know of a meter beside its figures: what has ended, its mysteries, and terms to come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cli.tables import micros_text, percent_text

_FIGURES = {
    "rate_bp": "rate",
    "hidden_rate_bp": "hidden rate",
    "reset_micros": "reset",
    "limit_micros": "limit",
    "unreasonable_micros": "contributions are unreasonable above",
}


def notes(document: Mapping[str, Any]) -> list[str]:
    """A sentence each, of the document that `rounds meter show` gives."""
    return [*_ended(document), *_mysteries(document), *_to_come(document)]


def _ended(document: Mapping[str, Any]) -> Iterator[str]:
    for level in document["levels"]:
        if level["retired"]:
            yield f"Level {level['level']} is retired: no wager feeds it."


def _mysteries(document: Mapping[str, Any]) -> Iterator[str]:
    for level in document["levels"]:
        mystery = level["mystery"]
        if mystery is not None:
            yield (
                f"Level {level['level']} is a mystery that must hit by {micros_text(mystery['must_hit_by_micros'])}. "
                f"Cycle {mystery['cycle']} began at {micros_text(mystery['begins_micros'])} under the commitment "
                f"{mystery['commitment']}."
            )


def _to_come(document: Mapping[str, Any]) -> Iterator[str]:
    for change in document["changes"]:
        if not change["in_force"]:
            level = "" if change["level"] is None else f"level {change['level']}, "
            new, old = (_figure(change["figure"], change[side]) for side in ("after", "before"))
            yield f"From {change['effective_from']} on: {level}{_FIGURES[change['figure']]} {new} instead of {old}."


def _figure(name: str, value: int | None) -> str:
    if value is None:
        return "none"
    return percent_text(value) if name.endswith("_bp") else micros_text(value)
