"""How older shapes of an event are read today: one function a step, from one version of the stored JSON to the next.

A stored event keeps its meaning. Whoever changes the shape of an event raises its `SCHEMA`, adds the step from the
version before here, and keeps a stored sample of both in `tests/events/`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcast = Callable[[dict[str, Any]], dict[str, Any]]


def _as_it_is(content: dict[str, Any]) -> dict[str, Any]:
    """A version that only added fields: what an older event lacks is at its default."""
    return content


def _paid_what_was_due(content: dict[str, Any]) -> dict[str, Any]:
    """A slip could not say another amount than the line."""
    return content | {"paid_cents": content["amount_cents"]}


UPCASTS: Mapping[tuple[str, int], Upcast] = {
    ("jackpot.paid", 1): _paid_what_was_due,
    ("meter.opened", 1): _as_it_is,
    ("property.opened", 1): _as_it_is,
    ("round.contribution-taken", 1): _as_it_is,
    ("round.voided", 1): _as_it_is,
}
"""By event name and the version that the step starts from."""
