"""Makes frozen dataclasses quick to make: facts and orders are made by the million, and never changed after that.

The guard of a frozen dataclass stands in the way of its own `__init__`, which has to go around it for every field. Here
an instance is of an unguarded class of the same layout while its fields are set, and of its own class from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import update_wrapper
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
_BECOME = object.__dict__["__class__"].__set__


class _Making(NamedTuple):
    """What instances of one class are made by."""

    init: Callable[..., None]
    unguarded_copy: Callable[[Any], Any]


_makings: dict[type, _Making] = {}


def make_quickly(module: Mapping[str, Any]) -> None:
    """Gives the frozen dataclasses with slots that are defined in `module`, its `vars()`, a quick `__init__`.

    Nothing else about them changes. The fields of a class that others build on are set by those others' `__init__`.
    """
    name = module["__name__"]
    for class_ in [each for each in module.values() if isinstance(each, type) and each.__module__ == name]:
        if is_dataclass(class_) and "__setattr__" in vars(class_):
            if class_.__subclasses__():
                _lower_the_guard(class_)
            elif fields(class_):
                _quicken_when_used(class_)


def quick_init(class_: type) -> Callable[..., None]:
    """The `__init__` of a class that is made quickly, for who calls it without the class."""
    return _making(class_).init


def changed(instance: T, **changes: Any) -> T:
    """`dataclasses.replace` for an instance of a class that is made quickly."""
    made: T = _making(type(instance)).unguarded_copy(instance)
    for name, value in changes.items():
        setattr(made, name, value)
    made.__class__ = type(instance)
    return made


def _lower_the_guard(base: type) -> None:
    """A base has no instances of its own, and those of the classes built on it have guards of their own."""
    del base.__setattr__, base.__delattr__


def _quicken_when_used(class_: type) -> None:
    """Who starts the program waits only for the classes that it uses."""
    for part in fields(class_):
        assert part.init and part.default_factory is MISSING, f"{part.name} is not made from what is given alone"

    def init(self: Any, *values: Any, **named: Any) -> None:
        _making(class_).init(self, *values, **named)

    setattr(class_, "__init__", update_wrapper(init, vars(class_)["__init__"]))  # noqa: B010


def _making(class_: type) -> _Making:
    making = _makings.get(class_)
    if making is None:
        making = _makings[class_] = _quicken(class_)
    return making


def _quicken(class_: type) -> _Making:
    assert class_.__base__ is not None
    twin = type(class_.__name__, (class_.__base__,), {"__slots__": vars(class_)["__slots__"]})
    names: dict[str, Any] = {"new": object.__new__, "become": _BECOME, "twin": twin, "class_": class_}
    parts = fields(class_)
    names |= {f"default_{part.name}": part.default for part in parts}
    source = [f"def init(self, {_parameters(parts)}):", "    become(self, twin)"]
    source += [f"    self.{part.name} = {part.name}" for part in parts]
    source += ["    self.__class__ = class_"]
    source += ["def unguarded_copy(instance):", "    made = new(twin)"]
    source += [f"    made.{part.name} = instance.{part.name}" for part in parts]
    source += ["    return made"]
    exec(compile("\n".join(source), f"<making of {class_.__name__}>", "exec"), names)
    init = update_wrapper(names["init"], vars(class_)["__init__"])
    setattr(class_, "__init__", init)  # noqa: B010
    return _Making(init, names["unguarded_copy"])


def _parameters(parts: tuple[Field[Any], ...]) -> str:
    """The parameters of `__init__` as dataclasses have them: those by name only come last."""
    by_place = [_parameter(part) for part in parts if not part.kw_only]
    by_name = [_parameter(part) for part in parts if part.kw_only]
    return ", ".join([*by_place, "*", *by_name] if by_name else by_place)


def _parameter(part: Field[Any]) -> str:
    return part.name if part.default is MISSING else f"{part.name}=default_{part.name}"
