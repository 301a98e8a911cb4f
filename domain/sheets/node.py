"""A JSON object of a sheet, read key by key; whatever is wrong with a value is refused with the value's path."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, NoReturn

from domain.errors import Refusal

MAX_TEXT = 200
_SHOWN = 60


class SheetInvalid(Refusal):
    """A sheet that cannot be played by; the message begins with the path of the mistake."""

    code = "sheet.invalid"


class Node:
    """An object of the sheet at `path`, with exactly the `required` keys and any of the `optional` ones."""

    def __init__(self, value: Any, path: str, required: Collection[str], optional: Collection[str] = ()) -> None:
        self._object = as_object(value, path)
        self.path = path
        for key in self._object:
            if key not in required and key not in optional:
                refuse(self.at(key), f"no such key here; the keys are {_listed([*required, *optional])}")
        for key in required:
            if key not in self._object:
                refuse(self.at(key), "the key is missing; add it")

    def __contains__(self, key: str) -> bool:
        return key in self._object

    def __getitem__(self, key: str) -> Any:
        return self._object[key]

    def get(self, key: str, default: Any) -> Any:
        """The value of `key` as it stands, unread, or `default`."""
        return self._object.get(key, default)

    def at(self, key: str) -> str:
        """The path of `key`."""
        return f"{self.path}.{key}"

    def text(self, key: str, pattern: re.Pattern[str] | None = None) -> str:
        """A text of 1 to 200 characters, of the form of `pattern` where one is given."""
        value = self._object[key]
        if not isinstance(value, str) or not 1 <= len(value) <= MAX_TEXT:
            self.refuse(key, f"write a text of 1 to {MAX_TEXT} characters")
        if pattern is not None and not pattern.fullmatch(value):
            self.refuse(key, f"write it in the form {pattern.pattern}")
        if "\0" in value or not _is_unicode(value):
            self.refuse(key, "write it without NUL and lone surrogates")
        return value

    def integer(self, key: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`; true and 5.0 are none."""
        value = self._object[key]
        if type(value) is not int or not low <= value <= high:
            self.refuse(key, f"write a whole number from {low:,} to {high:,}, without quotes and decimal point")
        return value

    def truth(self, key: str) -> bool:
        """True or false."""
        value = self._object[key]
        if not isinstance(value, bool):
            self.refuse(key, "write true or false")
        return value

    def choice(self, key: str, choices: Collection[str], what: str) -> str:
        """One of `choices`, which the refusal calls `what`."""
        value = self._object[key]
        if not isinstance(value, str) or value not in choices:
            self.refuse(key, f"choose one of {what}: {_listed(choices) or 'there is none'}")
        return value

    def objects(self, key: str) -> Mapping[str, Any]:
        """An object whose keys are names of the operator's own; empty where the key is absent."""
        found = as_object(self.get(key, {}), self.at(key))
        for name in found:
            if not 1 <= len(name) <= MAX_TEXT or "\0" in name or not _is_unicode(name):
                refuse(self.at(key), f"{shown(name)} is no name; write a text of 1 to {MAX_TEXT} characters")
        return found

    def entries(self, key: str) -> list[Any]:
        """A list of at least one entry."""
        value = self._object[key]
        if not isinstance(value, list) or not value:
            self.refuse(key, "write a list of at least one entry")
        return value

    def refuse(self, key: str, way_out: str) -> NoReturn:
        """Refuses the value of `key`; `way_out` says what to do about it."""
        refuse(self.at(key), f"{shown(self._object[key])} does not fit; {way_out}")


def refuse(path: str, problem: str) -> NoReturn:
    """Refuses the sheet for what stands at `path`."""
    raise SheetInvalid(f"{path}: {problem}")


def as_object(value: Any, path: str) -> Mapping[str, Any]:
    """`value` where it is an object; anything else at `path` is refused."""
    if not isinstance(value, Mapping):
        refuse(path, f"{shown(value)} does not fit; write an object")
    return value


def shown(value: Any) -> str:
    """`value` as JSON, cut to a length that a message bears."""
    text = json.dumps(value, default=str, ensure_ascii=False).encode(errors="replace").decode()
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _listed(names: Collection[str]) -> str:
    return ", ".join(names)


def _is_unicode(text: str) -> bool:
    return text.isascii() or text == text.encode(errors="replace").decode()
