"""Which keys a command has and what form each has: derived once from the commands' own fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from functools import partial
from typing import Any, NamedTuple

from domain import commands
from domain.commands import Command
from domain.errors import AmountInvalid, Malformed, Refusal, UnknownKey
from domain.intake import forms
from domain.intake.forms import Fault, Form, misfit, shown
from domain.meters import LevelTerms, NewTerms
from domain.mystery import SECRET_PATTERN

_WEIGHTS: Mapping[type[Refusal], int] = {Malformed: 0, UnknownKey: 1, AmountInvalid: 2}
"""Of several faults the lightest decides."""


class Plan(NamedTuple):
    """An object's keys: the form of each, which must be there, and what they must be to one another."""

    forms: Mapping[str, Form]
    required: tuple[str, ...]
    check: Callable[[Mapping[str, Any]], Iterator[Fault]] | None = None


def read_object(body: Mapping[str, Any], plan: Plan) -> dict[str, Any]:
    """The values of `body`, each read by its form. Raises Fault: form before unknown key before amount."""
    read: dict[str, Any] = {}
    faults: list[Fault] = []
    find_form = plan.forms.get
    for key, value in body.items():
        form = find_form(key)
        if form is None:
            problem = f"is no key here; leave it out, the keys are {', '.join(plan.forms)}"
            faults.append(Fault(UnknownKey, problem, f".{shown(key)[1:-1]}"))
            continue
        try:
            read[key] = form(value)
        except Fault as fault:
            faults.append(fault.below(f".{key}"))
    for key in plan.required:
        if key not in body:
            faults.append(Fault(Malformed, "is missing; add it", f".{key}"))
    if plan.check is not None and all(fault.refusal is not Malformed for fault in faults):
        faults.extend(plan.check(body))
    if faults:
        raise _first(faults)
    return read


def read_objects(value: Any, plan: Plan, build: Callable[..., Any], name: str) -> tuple[Any, ...]:
    """A list of at least one object of `plan`, each made into `build`'s; no two have the same `name`."""
    if type(value) is not list or not value:
        raise misfit(value, "write a list of at least one object")
    read: list[dict[str, Any]] = []
    faults: list[Fault] = []
    for place, each in enumerate(value):
        try:
            read.append(read_object(forms.mapping(each), plan))
        except Fault as fault:
            faults.append(fault.below(f"[{place}]"))
    names = [each[name] for each in value if isinstance(each, dict) and name in each]
    faults.extend(
        Fault(Malformed, f"has the {name} {shown(each)} twice; keep one of them")
        for place, each in enumerate(names)
        if each in names[:place]
    )
    if faults:
        raise _first(faults)
    return tuple(build(**each) for each in read)


def _first(faults: list[Fault]) -> Fault:
    return min(faults, key=lambda fault: _WEIGHTS[fault.refusal])


def _check_start(body: Mapping[str, Any]) -> Iterator[Fault]:
    method = body["method"]
    wanted, other = ("number", "dice") if method == "rng" else ("dice", "number")
    if wanted not in body:
        yield Fault(Malformed, f"is missing; the method {method} needs it", f".{wanted}")
    if other in body:
        yield Fault(Malformed, f"does not go with the method {method}; leave it out", f".{other}")


def _check_hand(body: Mapping[str, Any]) -> Iterator[Fault]:
    if "low" not in body and "house_way" not in body:
        yield Fault(Malformed, 'is missing; add it, or "house_way": true', ".low")
    if "low" in body and "house_way" in body:
        yield Fault(Malformed, "does not go with low; leave one of them out", ".house_way")


_HASH = forms.pattern(SECRET_PATTERN, "write 64 digits of 0-9 and a-f")
_LEVELS = Plan(
    {
        "level": forms.text,
        "base_micros": forms.micros,
        "reset_micros": forms.micros,
        "rate_bp": forms.basis_points,
        "hidden_rate_bp": forms.basis_points,
        "limit_micros": forms.or_null(forms.micros),
        "must_hit_by_micros": forms.micros,
        "commitment": _HASH,
    },
    tuple(field.name for field in fields(LevelTerms) if field.default is MISSING),
)

_NEW_TERMS = Plan(
    {name: form for name, form in _LEVELS.forms.items() if name in {each.name for each in fields(NewTerms)}},
    ("level",),
)

FORMS: Mapping[str, Form] = {
    "source": forms.text,
    "command_id": forms.text,
    "at": forms.instant,
    "by": forms.text,
    "round": forms.pattern("[A-Za-z0-9._-]{1,64}", "write 1 to 64 of A-Z a-z 0-9 . _ -"),
    "property": forms.text,
    "table": forms.text,
    "zone": forms.zone,
    "day_starts": forms.day_starts,
    "currency": forms.pattern("[A-Z]{3}", "write the three capital letters of a currency, such as USD"),
    "supervisor_from_cents": forms.cents,
    "reported_winnings": forms.choice("gross", "net"),
    "sheet": forms.pattern("[a-z0-9-]{1,40}@[1-9][0-9]{0,8}", "write a sheet as id@version"),
    "effective_from": forms.instant,
    "approved_by": forms.people,
    "number": forms.count(1),
    "game": forms.text,
    "dealer": forms.text,
    "seats": forms.seats,
    "deck": forms.text,
    "seat": forms.seat,
    "wager": forms.text,
    "amount_cents": forms.cents,
    "toke": forms.truth,
    "bettor": forms.text,
    "chips_cents": forms.cents,
    "house_wager_cents": forms.cents,
    "method": forms.choice("rng", "dice"),
    "dice": forms.dice,
    "hands": forms.hands,
    "stub": forms.count(0),
    "stub_cards": forms.hand_from_none,
    "card": forms.card,
    "low": forms.hand,
    "house_way": forms.only_true,
    "for_seat": forms.seat,
    "kind": forms.choice("fortune", "progressive"),
    "paid_cents": forms.cents_from_zero,
    "due_cents": forms.cents_from_zero,
    "reason": forms.text,
    "validated_by": forms.text,
    "signal": forms.truth,
    "slip": forms.text,
    "paid_from": forms.choice("cage", "rack"),
    "paid_by": forms.text,
    "witness": forms.text,
    "supervisor": forms.text,
    "form": forms.text,
    "refused_by": forms.text,
    "player": forms.text,
    "meter": forms.text,
    "levels": partial(read_objects, plan=_LEVELS, build=LevelTerms, name="level"),
    "unreasonable_micros": forms.micros,
    "level": forms.text,
    "secret": _HASH,
    "commitment": _HASH,
    "amount_micros": forms.micros_from_one,
    "evidence": forms.text,
    "gaming_day": forms.day,
    "to": forms.text,
    "display_cents": forms.cents_from_zero,
}
"""The form of every key, where a command has no other for it."""

_LINE = {"seat": forms.line_seat}
_OVERRIDES: Mapping[type[Command], Mapping[str, Form]] = {
    commands.PublishSheet: {"sheet": forms.mapping},
    commands.ExposeCard: {"seat": forms.spot},
    commands.ReportPayment: _LINE,
    commands.CorrectLine: _LINE,
    commands.ValidateJackpot: _LINE,
    commands.PayJackpot: _LINE,
    commands.RefuseJackpot: _LINE,
    commands.ChangeMeter: {"levels": partial(read_objects, plan=_NEW_TERMS, build=NewTerms, name="level")},
    commands.AdjustMeter: {"amount_micros": forms.signed_micros},
}
_CHECKS: Mapping[type[Command], Callable[[Mapping[str, Any]], Iterator[Fault]]] = {
    commands.DrawStart: _check_start,
    commands.SetHand: _check_hand,
}


def _plan(command: type[Command]) -> Plan:
    overrides = _OVERRIDES.get(command, {})
    own = fields(command)
    return Plan(
        {"command": forms.text} | {field.name: overrides.get(field.name) or FORMS[field.name] for field in own},
        tuple(field.name for field in own if field.default is MISSING),
        _CHECKS.get(command),
    )


COMMANDS: Mapping[str, type[Command]] = {
    each.NAME: each
    for each in vars(commands).values()
    if isinstance(each, type) and issubclass(each, Command) and "NAME" in vars(each)
}
"""Every command of the feed by its name."""

PLANS: Mapping[str, Plan] = {name: _plan(command) for name, command in COMMANDS.items()}
"""The keys of every command by its name."""
