"""How older shapes of an event are read today: one function a step, from one version of the stored JSON to the next.

A stored event keeps its meaning. Whoever changes the shape of an event raises its `SCHEMA`, adds the step from the
version before here, and keeps a stored sample of both in `tests/events/`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcast = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTS: Mapping[tuple[str, int], Upcast] = {}
"""By event name and the version that the step starts from."""
