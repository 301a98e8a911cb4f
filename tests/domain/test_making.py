"""Classes whose instances are made quickly are frozen dataclasses in everything else."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

from domain import commands, desk, meters
from domain.making import changed, make_quickly
from domain.rounds import events, scene

MADE = [
    each
    for module in (commands, desk, events, meters, scene)
    for each in vars(module).values()
    if isinstance(each, type) and each.__module__ == module.__name__ and is_dataclass(each) and fields(each)
    if not each.__subclasses__()
]


def values(class_: type) -> dict[str, Any]:
    """A value of its own for every field."""
    return {part.name: f"a {part.name}" for part in fields(class_)}


@pytest.mark.parametrize("class_", MADE)
def test_every_field_is_set_and_guarded(class_: Any) -> None:
    made = class_(**values(class_))
    assert type(made) is class_
    assert {part.name: getattr(made, part.name) for part in fields(class_)} == values(class_)
    for part in fields(class_):
        with pytest.raises(FrozenInstanceError):
            setattr(made, part.name, 1)
        with pytest.raises(FrozenInstanceError):
            delattr(made, part.name)
    assert not hasattr(made, "__dict__")


@pytest.mark.parametrize("class_", MADE)
def test_what_is_left_out_has_its_default_and_what_is_not_is_asked_for(class_: Any) -> None:
    required = {part.name: 1 for part in fields(class_) if part.default is MISSING}
    made = class_(**required)
    assert all(getattr(made, part.name) == required.get(part.name, part.default) for part in fields(class_))
    if required:
        with pytest.raises(TypeError, match="missing"):
            class_(**dict(list(required.items())[1:]))
    with pytest.raises(TypeError, match="unexpected"):
        class_(**required, no_field=1)


@pytest.mark.parametrize("class_", MADE)
def test_arguments_come_in_the_order_of_the_fields(class_: Any) -> None:
    parts = list(inspect.signature(class_).parameters.values())
    by_place = [part.name for part in fields(class_) if not part.kw_only]
    assert [part.name for part in parts if part.kind is not inspect.Parameter.KEYWORD_ONLY] == by_place
    assert {part.name for part in parts} == {part.name for part in fields(class_)}
    if len(by_place) == len(parts):
        assert class_(*values(class_).values()) == class_(**values(class_))


@pytest.mark.parametrize("class_", MADE)
def test_equality_hash_copies_and_changes_are_those_of_a_dataclass(class_: Any) -> None:
    one, same = class_(**values(class_)), class_(**values(class_))
    name = fields(class_)[-1].name
    other = replace(one, **{name: "another"})
    assert other == changed(one, **{name: "another"}) and type(changed(one)) is class_
    with pytest.raises(AttributeError):
        changed(one, no_field=1)
    assert one == same == copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one))
    assert hash(one) == hash(same)
    assert other != one and getattr(other, name) == "another" and type(other) is class_
    assert repr(one) == f"{class_.__qualname__}({', '.join(f'{k}={v!r}' for k, v in values(class_).items())})"


def test_a_class_made_from_more_than_its_arguments_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Made:
        parts: dict[str, int] = field(default_factory=dict)

    with pytest.raises(AssertionError, match="parts"):
        make_quickly({"__name__": __name__, "Made": Made})


def test_only_frozen_dataclasses_of_the_module_itself_are_changed() -> None:
    @dataclass(slots=True)
    class Open:
        part: int

    before = Open.__init__, events.SeatTaken.__init__
    make_quickly({"__name__": __name__, "Open": Open, "Taken": events.SeatTaken, "number": 1})
    assert before == (Open.__init__, events.SeatTaken.__init__)
    made = Open(1)
    made.part = 2
    assert made.part == 2
