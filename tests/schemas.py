"""The schema of the feed's commands, written from the forms that read them: `python -m tests.schemas`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from domain.intake import forms
from domain.intake.plans import COMMANDS, PLANS, Plan

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"
FEED = FOLDER / "feed.json"

Schema = dict[str, Any]
_TEXT: Schema = {"type": "string", "minLength": 1, "maxLength": forms.MAX_TEXT}
_CARDS: Schema = {"type": "string", "pattern": "^(([2-9TJQKA][cdhs]|Jk)( |$))+$"}
_CARD: Schema = {"type": "string", "pattern": "^([2-9TJQKA][cdhs]|Jk)$"}
_SEATS = "^[1-9][0-9]{0,8}$"

_PLAIN: Mapping[Any, Schema] = {
    forms.text: _TEXT,
    forms.truth: {"type": "boolean"},
    forms.only_true: {"const": True},
    forms.instant: {"type": "string", "format": "date-time", "description": "RFC 3339 with an offset"},
    forms.zone: {"type": "string", "description": "an IANA time zone"},
    forms.day_starts: {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"},
    forms.day: {"type": "string", "format": "date"},
    forms.people: {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]},
    forms.hand: _CARDS,
    forms.hand_from_none: {"anyOf": [_CARDS, {"const": ""}]},
    forms.card: _CARD,
    forms.spot: {"anyOf": [{"type": "integer", "minimum": 1}, {"const": forms.DEALER}]},
    forms.seats: {
        "type": "object",
        "patternProperties": {_SEATS: _TEXT},
        "additionalProperties": False,
        "minProperties": 1,
    },
    forms.hands: {
        "type": "object",
        "patternProperties": {f"{_SEATS}|^{forms.DEALER}$": _CARDS},
        "additionalProperties": False,
    },
    forms.dice: {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": 6},
        "minItems": 3,
        "maxItems": 3,
    },
    forms.mapping: {"$ref": "sheet.json"},
    forms.signed_micros: {"type": "integer", "not": {"const": 0}, "description": "millionths of a dollar"},
}


def schema_of(form: Any) -> Schema:
    """The schema of what a form reads."""
    if form in _PLAIN:
        return _PLAIN[form]
    if isinstance(form, partial):
        return {"type": "array", "items": schema_of_plan(form.keywords["plan"]), "minItems": 1}
    bound = inspect.getclosurevars(form).nonlocals
    if "choices" in bound:
        return {"enum": list(bound["choices"])}
    if "matches" in bound:
        return {"type": "string", "pattern": f"^({bound['matches'].__self__.pattern})$"}
    if "low" in bound:
        described = {"description": bound["unit"]} if "unit" in bound else {}
        return {"type": "integer", "minimum": bound["low"], "maximum": bound["high"], **described}
    assert set(bound) == {"form"}, f"a form that the schema does not know: {form}"
    return {"anyOf": [schema_of(bound["form"]), {"type": "null"}]}


def schema_of_plan(plan: Plan, **constant: Schema) -> Schema:
    """The schema of an object with the plan's keys and no others."""
    return {
        "type": "object",
        "properties": {key: constant.get(key) or schema_of(form) for key, form in plan.forms.items()},
        "required": list(plan.required),
        "additionalProperties": False,
    }


def feed_schema() -> Schema:
    """The schema of one line of a feed."""
    commands = {
        name: {
            "description": _described(name),
            **schema_of_plan(plan._replace(required=("command", *plan.required)), command={"const": name}),
        }
        for name, plan in PLANS.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "feed.json",
        "title": "Command of a table feed",
        "description": "One line that `rounds record` takes; feed.md has what no schema can say.",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in commands],
        "$defs": commands,
    }


def _described(name: str) -> str:
    """The first line that the command's class says of itself; where that is nothing but its name, the name in words."""
    class_ = COMMANDS[name]
    said = (inspect.getdoc(class_) or "").partition("\n")[0]
    return name.replace("_", " ") if said.partition("(")[0] in ("", class_.__name__) else said


def written() -> str:
    """The schema as it is kept."""
    return json.dumps(feed_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FEED.write_text(written(), encoding="utf-8")
