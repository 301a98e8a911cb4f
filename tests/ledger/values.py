"""Arbitrary values of any stored class, drawn by its annotations."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from domain.cards import Card

_integers = st.integers(-(2**63), 2**63 - 1)
_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_json = st.recursive(
    st.none() | st.booleans() | _integers | _texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=8,
)


def values(type_: Any) -> st.SearchStrategy[Any]:
    """Values of `type_`; fields with a default are at it about half of the time."""
    simple = {int: _integers, str: _texts, bool: st.booleans(), Any: _json}
    if type_ in simple:
        return simple[type_]
    if type_ is Card:
        return st.integers(0, 52)
    if isinstance(type_, type) and is_dataclass(type_):
        return _of_class(type_)
    origin, arguments = get_origin(type_), get_args(type_)
    if origin in (Union, types.UnionType):
        return st.one_of(*(st.none() if each is type(None) else values(each) for each in arguments))
    if origin is tuple:
        if arguments[-1] is ...:
            return st.lists(values(arguments[0]), max_size=3).map(tuple)
        return st.tuples(*(values(each) for each in arguments))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(_texts, values(arguments[1]), max_size=3)
    raise TypeError(type_)


def _of_class(class_: type) -> st.SearchStrategy[Any]:
    hints = get_type_hints(class_)
    parts = {}
    for field in fields(class_):
        drawn = values(hints[field.name])
        parts[field.name] = drawn if field.default is MISSING else st.just(field.default) | drawn
    return st.builds(class_, **parts)
