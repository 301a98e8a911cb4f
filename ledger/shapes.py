"""Turns frozen dataclasses into plain JSON values and back, by their annotations and nothing else.

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
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any, Union, get_args, get_origin

from domain.cards import Card, card, deck, parse, show
from ledger.compiled import PLAIN, Convert, Misfit, Shape, compile_class, said

_CARDS: Mapping[int, str] = {each: show((each,)) for each in deck(joker=True)}


def shape(type_: Any) -> Shape:
    """The stored form of `type_`; TypeError where there is none, as for floats."""
    return _shape(type_)


@cache
def _shape(type_: Any) -> Shape:
    if type_ in PLAIN:
        check = _checking(type_)
        return Shape(check, check)
    if type_ is Card:
        return Shape(_encode_card, _decode_card)
    if type_ is Any:
        return Shape(_encode_json, _decode_json)
    if isinstance(type_, type) and is_dataclass(type_):
        return compile_class(type_, shape)
    origin, arguments = get_origin(type_), get_args(type_)
    if origin in (Union, types.UnionType) and len(arguments) == 2 and type(None) in arguments:
        return _optional(shape(next(each for each in arguments if each is not type(None))))
    if origin is tuple:
        return _of_tuple(arguments)
    if isinstance(origin, type) and issubclass(origin, Mapping) and arguments[0] is str:
        return _of_mapping(shape(arguments[1]))
    raise TypeError(f"{type_!r} has no stored form")


def _checking(type_: Any) -> Convert:
    wanted = PLAIN[type_]

    def check(value: Any) -> Any:
        if type(value) is not type_:
            raise Misfit(f"{said(value)} is not {wanted}")
        return value

    return check


def _encode_card(value: Any) -> str:
    try:
        return _CARDS[value]
    except (KeyError, TypeError):
        raise Misfit(f"{said(value)} is not a card") from None


def _decode_card(value: Any) -> Card:
    try:
        return card(value)
    except (ValueError, TypeError):
        raise Misfit(f"{said(value)} is not a card") from None


def _encode_hand(value: Any) -> str:
    if type(value) is tuple:
        try:
            return " ".join(map(_CARDS.__getitem__, value))
        except (KeyError, TypeError):
            pass
    raise Misfit(f"{said(value)} is not cards")


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


def _misfit(value: Any, wanted: str) -> Any:
    raise Misfit(f"{said(value)} is not {wanted}")
