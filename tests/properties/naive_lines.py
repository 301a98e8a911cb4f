"""Lines of replay documents as the naive second looks read them; nothing of the product is used in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Command = Mapping[str, Any]
Document = Mapping[str, Any]
Documents = Mapping[str, Document]
Line = Mapping[str, Any]

MICROS_PER_CENT = 10_000


def settled_lines(document: Document) -> list[Line]:
    """The lines as they were settled, also of a round that was voided later; none where it never was."""
    return list(document["lines"] if document["status"] == "settled" else document.get("reversed_lines") or [])


def standing_lines(document: Document) -> list[Line]:
    """The wagers that stood when betting closed, settled or returned."""
    return settled_lines(document) or list(document["lines"])
