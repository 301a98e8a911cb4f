"""A sheet's content as TOML, the form in which a person changes it most easily."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE_KEY = re.compile("[A-Za-z0-9_-]+")


def sheet_toml(content: Mapping[str, Any]) -> str:
    """`content` as a TOML file that reads back equal; a paytable's lines stand one below the other.

    >>> print(sheet_toml({"id": "mine", "paytables": {"T-1.b": {"lines": [{"hand": "flush", "n": 4}]}}}), end="")
    id = "mine"
    <BLANKLINE>
    [paytables."T-1.b"]
    lines = [
      { hand = "flush", n = 4 },
    ]
    """
    return "".join(line + "\n" for line in _table(content, ""))


def _table(content: Mapping[str, Any], path: str) -> Iterator[str]:
    """The lines of one table, the tables within it last: TOML gives a key to the heading above it."""
    inner = {key: value for key, value in content.items() if isinstance(value, Mapping)}
    own = [(key, value) for key, value in content.items() if key not in inner]
    if path and (own or not inner):
        yield ""
        yield f"[{path}]"
    for key, value in own:
        yield f"{_key(key)} = {_value(value)}"
    for key, value in inner.items():
        yield from _table(value, f"{path}.{_key(key)}" if path else _key(key))


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[\n" + "".join(f"  {_value(each)},\n" for each in value) + "]"
    # A TOML string is a JSON string but for DEL, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
