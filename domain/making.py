"""Makes frozen dataclasses quick to make: facts and orders are made by the million, and never changed after that.

The guard of a frozen dataclass stands in the way of its own `__init__`, which has to go around it for every field. Here
an instance is of an unguarded class of the same layout while its fields are set, and of its own class from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import update_wrapper
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar, dataclass_transform

T = TypeVar("T")
_BECOME = object.__dict__["__class__"].__set__


class _Making(NamedTuple):
    """What instances of one class are made by."""

    init: Callable[..., None]
    unguarded_copy: Callable[[Any], Any]


_makings: dict[type, _Making] = {}
_values: dict[type, Callable[[Any], Any]] = {}


@dataclass_transform(frozen_default=True)
def frozen(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """A frozen dataclass with slots, most of whose methods are not written before they are used.

    `dataclass` writes and compiles six for every class, which for a hundred of them is most of the time of a start.
    """

    def made(class_: type[T]) -> type[T]:
        # For a class that says nothing of itself, `dataclass` would write down how it is called.
        class_.__doc__ = class_.__doc__ or class_.__name__
        made_: type[T] = dataclass(init=False, repr=False, eq=False, frozen=True, slots=True, kw_only=kw_only)(class_)
        for name, method in _METHODS.items():
            if name not in vars(made_):
                setattr(made_, name, method)
        return made_

    return made


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


def _as_values(instance: Any) -> Any:
    class_ = type(instance)
    values = _values.get(class_)
    if values is None:
        names = [part.name for part in fields(class_) if part.compare]
        values = _values[class_] = attrgetter(*names) if names else lambda _: ()
    return values(instance)


def _equal(self: Any, other: Any) -> bool:
    return _as_values(self) == _as_values(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(_as_values(self))


def _repr(self: Any) -> str:
    values = ", ".join(f"{part.name}={getattr(self, part.name)!r}" for part in fields(self) if part.repr)
    return f"{type(self).__qualname__}({values})"


class _WhenUsed:
    """Stands in for the `__init__` of a class until somebody asks for it."""

    def __get__(self, instance: Any, class_: type) -> Any:
        assert "__slots__" in vars(class_), f"{class_.__name__} builds on what is @frozen() and is not"
        _making(class_)
        return getattr(class_ if instance is None else instance, "__init__")  # noqa: B009


_METHODS: Mapping[str, Any] = {"__init__": _WhenUsed(), "__eq__": _equal, "__hash__": _hash, "__repr__": _repr}


def _lower_the_guard(base: type) -> None:
    """A base has no instances of its own, and those of the classes built on it have guards of their own."""
    del base.__setattr__, base.__delattr__


def _quicken_when_used(class_: type) -> None:
    """Who starts the program waits only for the classes that it uses."""
    for part in fields(class_):
        assert part.init and part.default_factory is MISSING, f"{part.name} is not made from what is given alone"
    if isinstance(vars(class_)["__init__"], _WhenUsed):
        return

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
    source += ["def equal(self, other):", "    if other.__class__ is not class_:", "        return NotImplemented"]
    source += [f"    return {' and '.join(f'self.{part.name} == other.{part.name}' for part in parts) or True}"]
    exec(compile("\n".join(source), f"<making of {class_.__name__}>", "exec"), names)
    init = names["init"]
    init.__name__, init.__qualname__, init.__module__ = "__init__", f"{class_.__qualname__}.__init__", class_.__module__
    setattr(class_, "__init__", init)  # noqa: B010
    if vars(class_)["__eq__"] is _equal:
        setattr(class_, "__eq__", names["equal"])  # noqa: B010
    return _Making(init, names["unguarded_copy"])


def _parameters(parts: tuple[Field[Any], ...]) -> str:
    """The parameters of `__init__` as dataclasses have them: those by name only come last."""
    by_place = [_parameter(part) for part in parts if not part.kw_only]
    by_name = [_parameter(part) for part in parts if part.kw_only]
    return ", ".join([*by_place, "*", *by_name] if by_name else by_place)


def _parameter(part: Field[Any]) -> str:
    return part.name if part.default is MISSING else f"{part.name}=default_{part.name}"
