"""Writes, for one dataclass, the pair of functions that turn its instances into plain JSON objects and back.

The functions are written once as source and compiled, with the check of each plain value in line: reading a log decodes
millions of objects, and a call for every field is what would cost most.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, NamedTuple, NoReturn, Union, get_args, get_origin, get_type_hints

Convert = Callable[[Any], Any]

PLAIN: Mapping[object, str] = {int: "an integer", str: "a text", bool: "true or false"}
"""Types that are stored as they are, and what a person calls them."""

_ABSENT = object()


class Misfit(ValueError):
    """A value that is not of the shape that its class gives; the message names the field."""


class Shape(NamedTuple):
    """How values of a type are written as plain JSON values and read back; both raise `Misfit`."""

    encode: Convert
    decode: Convert


class _Part:
    """One field: its type, its default, and how its value is checked."""

    def __init__(self, index: int, field: Field[Any], type_: Any) -> None:
        self.index = index
        self.name = field.name
        self.type = type_
        self.required = field.default is MISSING
        self.default = field.default
        inner = _of_optional(type_)
        self.optional = inner is not None
        self.plain = type_ if type_ in PLAIN else inner if inner in PLAIN else None

    def check(self, value: str) -> str:
        """The condition under which the plain value `value` is wrong."""
        wrong = f"type({value}) is not plain_{self.index}"
        return f"{value} is not None and {wrong}" if self.optional else wrong


def compile_class(class_: type, shape_of: Callable[[Any], Shape]) -> Shape:
    """The stored form of the dataclass `class_`, fields of other than plain types by `shape_of`."""
    hints = get_type_hints(class_)
    if any(field.default_factory is not MISSING for field in fields(class_)):
        raise TypeError(f"{class_.__name__} makes a default by a function, which has no stored form")
    parts = [_Part(index, field, hints[field.name]) for index, field in enumerate(fields(class_))]
    names: dict[str, Any] = {"Misfit": Misfit, "absent": _ABSENT, "class_": class_} | _troubles(class_, parts)
    for part in parts:
        names[f"plain_{part.index}"] = part.plain
        names[f"default_{part.index}"] = part.default
        if part.plain is None:
            names[f"encode_{part.index}"], names[f"decode_{part.index}"] = shape_of(part.type)
    source = "\n".join([*_encoder(parts), *_decoder(parts)])
    exec(compile(source, f"<shape of {class_.__name__}>", "exec"), names)
    return Shape(names["encode"], names["decode"])


def _of_optional(type_: Any) -> Any:
    """The X of `X | None`, None for any other type."""
    arguments = get_args(type_)
    if get_origin(type_) in (Union, types.UnionType) and len(arguments) == 2 and type(None) in arguments:
        return next(each for each in arguments if each is not type(None))
    return None


def _encoder(parts: list[_Part]) -> list[str]:
    lines = ["def encode(value):", "    if type(value) is not class_: other_class(value)", "    made = {}"]
    for part in sorted(parts, key=lambda each: each.name):
        lines.append(f"    part = value.{part.name}")
        if part.plain is not None:
            # Checked before it is compared with the default: 0 equals False and is something else.
            lines.append(f"    if {part.check('part')}: wrong({part.index}, part)")
        indent = "    "
        if not part.required:
            other = "is not None" if part.default is None else f"!= default_{part.index}"
            lines.append(f"    if part {other}:")
            indent = "        "
        if part.plain is not None:
            lines.append(f"{indent}made[{part.name!r}] = part")
        else:
            lines.append(f"{indent}try: made[{part.name!r}] = encode_{part.index}(part)")
            lines.append(f"{indent}except Misfit as misfit: inside({part.index}, misfit)")
    return [*lines, "    return made"]


def _decoder(parts: list[_Part]) -> list[str]:
    lines = [
        "def decode(stored):",
        "    if type(stored) is not dict: no_object(stored)",
        "    get = stored.get",
        f"    seen = {sum(part.required for part in parts)}",
    ]
    for part in parts:
        value, indent = f"part_{part.index}", "    "
        lines.append(f"    {value} = get({part.name!r}, absent)")
        if not part.required:
            lines += [f"    if {value} is absent: {value} = default_{part.index}", "    else:", "        seen += 1"]
            indent = "        "
        if part.plain is not None:
            lines.append(f"{indent}if {part.check(value)}: wrong({part.index}, {value})")
        else:
            if part.required:
                lines.append(f"    if {value} is absent: wrong({part.index}, absent)")
            lines.append(f"{indent}try: {value} = decode_{part.index}({value})")
            lines.append(f"{indent}except Misfit as misfit: inside({part.index}, misfit)")
    arguments = ", ".join(f"part_{part.index}" for part in parts)
    return [*lines, "    if len(stored) != seen: unknown(stored)", f"    return class_({arguments})"]


def _troubles(class_: type, parts: list[_Part]) -> dict[str, Callable[..., NoReturn]]:
    """What the compiled functions call where something does not fit."""
    name = class_.__name__

    def other_class(value: Any) -> NoReturn:
        raise Misfit(f"{said(value)} is no {name}")

    def no_object(stored: Any) -> NoReturn:
        raise Misfit(f"{said(stored)} is no object, as a {name} is stored")

    def wrong(index: int, value: Any) -> NoReturn:
        reason = (
            "is missing" if value is _ABSENT else f"{said(value)} is not {PLAIN.get(parts[index].plain, 'a value')}"
        )
        raise Misfit(f"{name}.{parts[index].name}: {reason}")

    def inside(index: int, misfit: Misfit) -> NoReturn:
        raise Misfit(f"{name}.{parts[index].name}: {misfit}") from None

    def unknown(stored: dict[str, Any]) -> NoReturn:
        more = sorted(set(stored) - {part.name for part in parts})
        raise Misfit(f"{name} has no field {', '.join(more)}")

    return {"other_class": other_class, "no_object": no_object, "wrong": wrong, "inside": inside, "unknown": unknown}


def said(value: Any) -> str:
    """`value` as an error shows it, shortened."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
