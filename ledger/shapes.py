"""Turns frozen dataclasses into plain JSON values and back, by their annotations and nothing else.

For each class a pair of functions is written once, as source, and compiled: that is what makes reading the log fast.
A value of another type than annotated is refused both ways, so are a missing and an unknown field; there are no floats.
Fields at their default are left out. Keys come in ascending order, so equal values have equal bytes.

| annotation | stored as |
|---|---|
| `int`, `str`, `bool` | itself |
| `X | None` | the value or null |
| a dataclass | an object |
| `tuple[X, ...]`, `tuple[X, Y]` | an array |
| `Card`, `Hand` | text: `"As"`, `"As Kd Jk"` |
| `Mapping[str, X]` | an object, keys ascending |
| `Any` | plain JSON without floats |
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from domain.cards import Card, card, deck, parse, show

Convert = Callable[[Any], Any]

_PRIMITIVES: Mapping[object, str] = {int: "an integer", str: "a text", bool: "true or false"}
_ABSENT = object()
_CARDS: Mapping[int, str] = {each: show((each,)) for each in deck(joker=True)}


class Misfit(ValueError):
    """A value that is not of the shape that its class gives; the message names the field."""


class Shape(NamedTuple):
    """How values of a type are written as plain JSON values and read back; both raise `Misfit`."""

    encode: Convert
    decode: Convert


def shape(type_: Any) -> Shape:
    """The stored form of `type_`; TypeError where there is none, as for floats."""
    return _shape(type_)


@cache
def _shape(type_: Any) -> Shape:
    if type_ in _PRIMITIVES:
        check = _checking(type_)
        return Shape(check, check)
    if type_ is Card:
        return Shape(_encode_card, _decode_card)
    if type_ is Any:
        return Shape(_encode_json, _decode_json)
    if isinstance(type_, type) and is_dataclass(type_):
        return _of_class(type_)
    origin, arguments = get_origin(type_), get_args(type_)
    if origin in (Union, types.UnionType) and len(arguments) == 2 and type(None) in arguments:
        return _optional(shape(next(each for each in arguments if each is not type(None))))
    if origin is tuple:
        return _of_tuple(arguments)
    if isinstance(origin, type) and issubclass(origin, Mapping) and arguments[0] is str:
        return _of_mapping(shape(arguments[1]))
    raise TypeError(f"{type_!r} has no stored form")


def _checking(type_: Any) -> Convert:
    wanted = _PRIMITIVES[type_]

    def check(value: Any) -> Any:
        if type(value) is not type_:
            raise Misfit(f"{_said(value)} is not {wanted}")
        return value

    return check


def _encode_card(value: Any) -> str:
    try:
        return _CARDS[value]
    except (KeyError, TypeError):
        raise Misfit(f"{_said(value)} is not a card") from None


def _decode_card(value: Any) -> Card:
    try:
        return card(value)
    except (ValueError, TypeError):
        raise Misfit(f"{_said(value)} is not a card") from None


def _encode_hand(value: Any) -> str:
    if type(value) is tuple:
        try:
            return " ".join(map(_CARDS.__getitem__, value))
        except (KeyError, TypeError):
            pass
    raise Misfit(f"{_said(value)} is not cards")


def _decode_hand(value: Any) -> Any:
    if type(value) is str:
        try:
            return parse(value)
        except ValueError:
            pass
    return _misfit(value, "cards")


def _encode_json(value: Any) -> Any:
    """Plain JSON with keys in ascending order."""
    if value is None or type(value) in (str, int, bool):
        return value
    if isinstance(value, Mapping):
        if not all(type(key) is str for key in value):
            return _misfit(value, "an object with texts as keys")
        return {key: _encode_json(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_encode_json(each) for each in value]
    return _misfit(value, "plain JSON without floats")


def _decode_json(value: Any) -> Any:
    if type(value) is dict:
        for each in value.values():
            _decode_json(each)
    elif type(value) is list:
        for each in value:
            _decode_json(each)
    elif type(value) is float:
        _misfit(value, "plain JSON without floats")
    return value


def _optional(inner: Shape) -> Shape:
    encode, decode = inner
    return Shape(
        lambda value: None if value is None else encode(value), lambda value: None if value is None else decode(value)
    )


def _of_tuple(arguments: tuple[Any, ...]) -> Shape:
    if arguments == (Card, ...):
        return Shape(_encode_hand, _decode_hand)
    if len(arguments) == 2 and arguments[1] is ...:
        return _of_run(shape(arguments[0]))
    return _of_fixed(tuple(shape(each) for each in arguments))


def _of_run(item: Shape) -> Shape:
    encode_item, decode_item = item

    def encode(value: Any) -> Any:
        return [encode_item(each) for each in value] if type(value) is tuple else _misfit(value, "a tuple")

    def decode(value: Any) -> Any:
        return tuple([decode_item(each) for each in value]) if type(value) is list else _misfit(value, "an array")

    return Shape(encode, decode)


def _of_fixed(items: tuple[Shape, ...]) -> Shape:
    wanted = f"{len(items)} values"

    def encode(value: Any) -> Any:
        if type(value) is not tuple or len(value) != len(items):
            return _misfit(value, wanted)
        return [item.encode(each) for item, each in zip(items, value, strict=True)]

    def decode(value: Any) -> Any:
        if type(value) is not list or len(value) != len(items):
            return _misfit(value, wanted)
        return tuple([item.decode(each) for item, each in zip(items, value, strict=True)])

    return Shape(encode, decode)


def _of_mapping(item: Shape) -> Shape:
    encode_item, decode_item = item

    def encode(value: Any) -> Any:
        if not isinstance(value, Mapping) or not all(type(key) is str for key in value):
            return _misfit(value, "a mapping with texts as keys")
        return {key: encode_item(value[key]) for key in sorted(value)}

    def decode(value: Any) -> Any:
        if type(value) is not dict:
            return _misfit(value, "an object")
        return {key: decode_item(each) for key, each in value.items()}

    return Shape(encode, decode)


def _of_class(class_: type) -> Shape:
    hints = get_type_hints(class_)
    parts = fields(class_)
    if any(part.default_factory is not MISSING for part in parts):
        raise TypeError(f"{class_.__name__} makes a default by a function, which has no stored form")
    names: dict[str, Any] = {
        "absent": _ABSENT,
        "class_": class_,
        "misplaced": _misplaced(class_, frozenset(part.name for part in parts)),
    }
    for index, part in enumerate(parts):
        type_ = hints[part.name]
        names[f"type_{index}"] = type_
        names[f"encode_{index}"], names[f"decode_{index}"] = (
            (None, None) if type_ in _PRIMITIVES else _naming(class_, part.name, shape(type_))
        )
        names[f"default_{index}"] = part.default
    order = sorted(range(len(parts)), key=lambda index: parts[index].name)
    source = "\n".join([*_encoder(parts, hints, order), *_decoder(parts, hints)])
    exec(compile(source, f"<shape of {class_.__name__}>", "exec"), names)
    return Shape(names["encode"], names["decode"])


def _encoder(parts: tuple[Field[Any], ...], hints: Mapping[str, Any], order: list[int]) -> list[str]:
    lines = [
        "def encode(value):",
        "    if type(value) is not class_: misplaced(value)",
        "    made = {}",
    ]
    for index in order:
        name = parts[index].name
        store = f"made[{name!r}] = "
        lines.append(f"    part = value.{name}")
        if hints[name] in _PRIMITIVES:
            lines.append(f"    if type(part) is not type_{index}: misplaced(value, {name!r}, part)")
            store += "part"
        else:
            store += f"encode_{index}(part)"
        if parts[index].default is MISSING:
            lines.append(f"    {store}")
        elif parts[index].default is None:
            lines.append(f"    if part is not None: {store}")
        else:
            lines.append(f"    if part != default_{index}: {store}")
    return [*lines, "    return made"]


def _decoder(parts: tuple[Field[Any], ...], hints: Mapping[str, Any]) -> list[str]:
    required = sum(part.default is MISSING for part in parts)
    lines = [
        "def decode(stored):",
        "    if type(stored) is not dict: misplaced(stored)",
        "    get = stored.get",
        f"    seen = {required}",
    ]
    for index, part in enumerate(parts):
        name, optional = part.name, part.default is not MISSING
        lines.append(f"    part_{index} = get({name!r}, absent)")
        indent = "    "
        if optional:
            lines += [
                f"    if part_{index} is absent: part_{index} = default_{index}",
                "    else:",
                "        seen += 1",
            ]
            indent = "        "
        if hints[name] in _PRIMITIVES:
            check = f"if type(part_{index}) is not type_{index}: misplaced(stored, {name!r}, part_{index})"
            lines.append(indent + check)
        else:
            if not optional:
                lines.append(f"    if part_{index} is absent: misplaced(stored, {name!r}, absent)")
            lines.append(f"{indent}part_{index} = decode_{index}(part_{index})")
    arguments = ", ".join(f"part_{index}" for index in range(len(parts)))
    return [*lines, "    if len(stored) != seen: misplaced(stored)", f"    return class_({arguments})"]


def _naming(class_: type, name: str, inner: Shape) -> Shape:
    """`inner`, saying in which field a value did not fit."""

    def convert(function: Convert) -> Convert:
        def named(value: Any) -> Any:
            try:
                return function(value)
            except Misfit as misfit:
                raise Misfit(f"{class_.__name__}.{name}: {misfit}") from None

        return named

    return Shape(convert(inner.encode), convert(inner.decode))


def _misplaced(class_: type, known: frozenset[str]) -> Callable[..., None]:
    def misplaced(value: Any, name: str | None = None, part: Any = None) -> None:
        if name is not None:
            wanted = _PRIMITIVES.get(get_type_hints(class_)[name], "a value")
            reason = "is missing" if part is _ABSENT else f"{_said(part)} is not {wanted}"
            raise Misfit(f"{class_.__name__}.{name}: {reason}")
        if type(value) is not dict:
            raise Misfit(f"{_said(value)} is no {class_.__name__}")
        unknown = ", ".join(sorted(set(value) - known))
        raise Misfit(f"{class_.__name__} has no field {unknown}")

    return misplaced


def _misfit(value: Any, wanted: str) -> Any:
    raise Misfit(f"{_said(value)} is not {wanted}")


def _said(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
