"""Reads a line in which nothing is wrong or doubtful with a quicker JSON reader; leaves every other one to be read.

What it reads is what the strict reading gives. In a line without a backslash every quotation mark begins or ends a
text; a key that stands twice, of which a quick reader keeps one, leaves fewer of them in the canonical form than in the
line. Floats, and integers that such a reader makes floats of, fit no form. A command with a value that no form looks
into whole is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

from domain.commands import Command
from domain.intake import forms
from domain.intake.forms import Fault
from domain.intake.plans import COMMANDS, PLANS, Plan
from domain.making import quick_init

Reader = Callable[[dict[str, Any]], Command]


class QuickJson(NamedTuple):
    """A JSON reader and writer beside the strict ones, handed in by who has them.

    `loads` raises ValueError for what is no JSON in UTF-8; it may keep one of a key's two values, and make floats of
    integers beyond 64 bits. `canonical` writes sorted keys, no spaces, UTF-8, no needless escapes.
    """

    loads: Callable[[bytes], Any]
    canonical: Callable[[Any], bytes]


class _Doubt(Exception):
    """The line has to be read strictly, which says what is wrong with it."""


def read_quickly(line: bytes, json: QuickJson) -> tuple[Command, bytes] | None:
    """The command of a line and its body's digest, or None where only the strict reading can say what it is."""
    if b"\\" in line:
        return None
    try:
        body = json.loads(line)
        command = _reader(body["command"])(body)
    except (ValueError, KeyError, TypeError, Fault, _Doubt):
        return None
    marks = line.count(b'"')
    if "source" in body:
        del body["source"]
        marks -= 4
    written = json.canonical(body)
    return (command, sha256(written).digest()) if written.count(b'"') == marks else None


@cache
def _reader(name: str) -> Reader:
    """Reads a body of the command `name` in one function, written as source when it is first asked for.

    It raises where the body does not fit. KeyError where the feed has no such command, or it is left alone.
    """
    plan, class_ = PLANS[name], COMMANDS[name]
    if forms.mapping in plan.forms.values():
        raise KeyError(name)
    parts = fields(class_)
    names: dict[str, Any] = {"Doubt": _Doubt, "class_": class_, "new": object.__new__, "init": quick_init(class_)}
    for part in parts:
        names[f"form_{part.name}"] = plan.forms[part.name]
        names[f"default_{part.name}"] = part.default
    source = ["def read(body):", f"    keys = {len(plan.required) + 1}"]
    for part in parts:
        source += _reading(part, plan)
    # The keys found are all there are.
    source.append("    if len(body) != keys: raise Doubt")
    if plan.check is not None:
        names["check"] = plan.check
        source.append("    for _ in check(body): raise Doubt")
    arguments = ", ".join(f"{part.name}=its_{part.name}" for part in parts)
    source += ["    command = new(class_)", f"    init(command, {arguments})", "    return command"]
    exec(compile("\n".join(source), f"<reading of {name}>", "exec"), names)
    read: Reader = names["read"]
    return read


def _reading(part: Field[Any], plan: Plan) -> Iterator[str]:
    """The lines that read one key."""
    name = part.name
    if part.default is MISSING:
        yield f"    its_{name} = body[{name!r}]"
        indent = "    "
    else:
        yield f"    its_{name} = default_{name}"
        yield f"    if {name!r} in body:"
        yield "        keys += 1"
        yield f"        its_{name} = body[{name!r}]"
        indent = "        "
    if plan.forms[name] is forms.text:
        # The form of most keys, in line: a call for each would be what costs most.
        yield f"{indent}if type(its_{name}) is not str or not 0 < len(its_{name}) <= {forms.MAX_TEXT}: raise Doubt"
    else:
        yield f"{indent}its_{name} = form_{name}(its_{name})"
