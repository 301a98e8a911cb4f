"""JSON read strictly, for feed lines and sheet files: what two readers could understand differently is refused."""

from __future__ import annotations

import json
from typing import Any, NoReturn

MAX_DEPTH = 32


class NotStrict(ValueError):
    """Text that is no JSON, or JSON that readers disagree about; `repeated` names the key that stands twice."""

    def __init__(self, problem: str, repeated: str | None = None) -> None:
        super().__init__(problem)
        self.repeated = repeated


def loads(text: str) -> Any:
    """The value of `text`; NotStrict where it is no JSON, repeats a key, nests deeply or holds what is no Unicode text.

    NaN and infinities, integers of thousands of digits, NUL and lone surrogates are refused. Numbers with a fraction
    or an exponent arrive as float, for the reader of the key to refuse.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        if text.startswith("\ufeff"):
            raise NotStrict("it begins with a byte order mark; leave it out") from None
        raise NotStrict(f"no JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise NotStrict(_TOO_DEEP) from None
    except NotStrict:
        raise
    except ValueError:
        raise NotStrict("a number of thousands of digits") from None
    if "\\u" in text or not text.isascii():
        _refuse_no_text(value)
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _refuse_deep(value, MAX_DEPTH)
    return value


def canonical(value: Any) -> bytes:
    """The one form of equal JSON values: sorted keys, no spaces, UTF-8."""
    return _ENCODER.encode(value).encode()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise NotStrict(f"the key {json.dumps(repeated)} stands twice in one object; keep one of them", repeated)
    return found


def _constant(name: str) -> NoReturn:
    raise NotStrict(f"no JSON: {name} is no number")


def _refuse_no_text(value: Any) -> None:
    """JSON's escapes can spell what no text holds; databases and other readers choke on it."""
    try:
        text = canonical(value).decode()
    except UnicodeEncodeError:
        raise NotStrict("half of a surrogate pair in a text") from None
    if "\\u0000" in text.replace("\\\\", ""):
        raise NotStrict("the character NUL in a text")


def _refuse_deep(value: Any, depth: int) -> None:
    if isinstance(value, (dict, list)):
        if depth == 0:
            raise NotStrict(_TOO_DEEP)
        for each in value.values() if isinstance(value, dict) else value:
            _refuse_deep(each, depth - 1)


_TOO_DEEP = f"objects and lists nested more than {MAX_DEPTH} deep"
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
