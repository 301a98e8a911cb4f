"""The forms that a feed's values have: each reads a JSON value into what the command holds, or finds its fault."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from domain import cards, times
from domain.cards import Card, Hand
from domain.errors import AmountInvalid, Malformed, Refusal
from domain.money import BASIS_POINTS, MAX_CENTS, MAX_MICROS

MAX_TEXT = 200
MAX_COUNT = 10**9
"""What bounds a number that no rule limits; every store and reader holds it."""
DEALER = "dealer"
_SEAT_KEY = re.compile("[1-9][0-9]{0,8}")
_SEATS = {str(seat): seat for seat in range(1, 10)}
_SHOWN = 60
_RECENT = 256
"""How many texts that fit a pattern are remembered: a feed says the same ones again and again."""

Form = Callable[[Any], Any]
"""Reads a JSON value; raises Fault where the value is of another form."""


class Fault(Exception):
    """What is wrong with a value: the refusal it leads to, the problem and the way out, and the path to it."""

    def __init__(self, refusal: type[Refusal], problem: str, path: str = "") -> None:
        super().__init__(problem)
        self.refusal = refusal
        self.problem = problem
        self.path = path

    def below(self, step: str) -> Fault:
        """The same fault, seen from one step further out."""
        return Fault(self.refusal, self.problem, step + self.path)


def misfit(value: Any, way_out: str, refusal: type[Refusal] = Malformed) -> Fault:
    """The fault of a value that has another form; `way_out` says what to write."""
    return Fault(refusal, f"is {shown(value)}; {way_out}")


def shown(value: Any) -> str:
    """`value` as JSON, cut to a length that a message bears."""
    text = json.dumps(value, ensure_ascii=False).encode(errors="replace").decode()
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def text(value: Any) -> str:
    """A text of 1 to 200 characters."""
    if type(value) is not str or not 0 < len(value) <= MAX_TEXT:
        raise misfit(value, f"write a text of 1 to {MAX_TEXT} characters")
    return value


def pattern(expression: str, way_out: str) -> Form:
    """A text of the form of `expression`."""
    matches = re.compile(expression).fullmatch
    recent: set[str] = set()

    def read(value: Any) -> str:
        if type(value) is str and value in recent:
            return value
        if type(value) is not str or not matches(value):
            raise misfit(value, way_out)
        if len(recent) >= _RECENT:
            recent.clear()
        recent.add(value)
        return value

    return read


def choice(*choices: str) -> Form:
    """One of `choices`."""

    def read(value: Any) -> str:
        if type(value) is not str or value not in choices:
            raise misfit(value, f"write {' or '.join(map(json.dumps, choices))}")
        return value

    return read


def count(low: int, high: int = MAX_COUNT) -> Form:
    """A whole number that is no amount; true and 1.0 are none."""

    def read(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise misfit(value, f"write a whole number from {low} to {high:,}")
        return value

    return read


def amount(low: int, high: int, unit: str) -> Form:
    """A whole number of `unit` from `low` to `high`; whatever else is there is refused as an amount."""

    def read(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            way_out = f"write a whole number of {unit} from {low} to {high:,}, without quotes or a decimal point"
            raise misfit(value, way_out, AmountInvalid)
        return value

    return read


def or_null(form: Form) -> Form:
    """What `form` reads, or null."""

    def read(value: Any) -> Any:
        return None if value is None else form(value)

    return read


seat = count(1)
line_seat = count(0)
"""The seat of a line; the house's own line has 0."""
cents = amount(1, MAX_CENTS, "cents")
cents_from_zero = amount(0, MAX_CENTS, "cents")
micros = amount(0, MAX_MICROS, "millionths of a dollar")
micros_from_one = amount(1, MAX_MICROS, "millionths of a dollar")
basis_points = amount(0, BASIS_POINTS, "basis points")


def signed_micros(value: Any) -> int:
    """An amount that raises, or with a minus lowers; never nothing."""
    if value == 0 and type(value) is int:
        raise misfit(value, "write what is to be raised, or with a minus lowered", AmountInvalid)
    read: int = _signed_micros(value)
    return read


_signed_micros = amount(-MAX_MICROS, MAX_MICROS, "millionths of a dollar")


def day(value: Any) -> str:
    """A date of the calendar."""
    if type(value) is not str or not times.valid_day(value):
        raise misfit(value, "write a date such as 2026-05-04")
    return value


def truth(value: Any) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise misfit(value, "write true or false")
    return value


def only_true(value: Any) -> bool:
    """True: a key that is left out otherwise."""
    if value is not True:
        raise misfit(value, "write true, or leave the key out")
    return True


def instant(value: Any) -> str:
    """A time, kept as given; it is RFC 3339 with an offset."""
    if type(value) is not str or not times.valid_instant(value):
        raise misfit(value, "write a time with its offset, such as 2026-05-04T18:00:00-04:00")
    return value


def zone(value: Any) -> str:
    """The name of an IANA time zone."""
    if type(value) is not str or not times.valid_zone(value):
        raise misfit(value, "write the IANA name of a time zone, such as America/New_York")
    return value


def day_starts(value: Any) -> str:
    """A time of the wall clock."""
    if type(value) is not str or not times.valid_day_starts(value):
        raise misfit(value, "write a time of day such as 06:00")
    return value


def people(value: Any) -> tuple[str, ...]:
    """One name, or a list of names; one that stands twice stays twice, the rules judge it."""
    return tuple(map(text, value)) if type(value) is list else (text(value),)


def hand(value: Any) -> Hand:
    """At least one card; whether they are the right ones is the rules' to say."""
    try:
        return cards.parse(text(value))
    except ValueError as error:
        raise misfit(value, str(error)) from None


def hand_from_none(value: Any) -> Hand:
    """Cards, perhaps none: what is left in a shoe."""
    return () if value == "" else hand(value)


def card(value: Any) -> Card:
    """One card."""
    try:
        return cards.card(text(value))
    except ValueError as error:
        raise misfit(value, str(error)) from None


def spot(value: Any) -> int:
    """A seat, or the dealer's spot, which is 0."""
    if value == DEALER:
        return 0
    number: int = seat(value)
    return number


def seats(value: Any) -> dict[int, str]:
    """Players by seat, at least one."""
    taken = {_seat_key(key): _inside(key, text, player) for key, player in mapping(value).items()}
    if not taken:
        raise misfit(value, 'name at least one seat, such as {"1": "P100"}')
    return taken


def hands(value: Any) -> dict[int, Hand]:
    """Hands by seat, 0 the dealer's."""
    return {0 if key == DEALER else _seat_key(key): _inside(key, hand, each) for key, each in mapping(value).items()}


def dice(value: Any) -> tuple[int, ...]:
    """Three dice."""
    if type(value) is not list or len(value) != 3 or not all(type(die) is int and 1 <= die <= 6 for die in value):
        raise misfit(value, "write three dice of 1 to 6, such as [3,5,1]")
    return tuple(value)


def mapping(value: Any) -> Mapping[str, Any]:
    """An object, its content still unread."""
    if not isinstance(value, Mapping):
        raise misfit(value, "write an object")
    return value


def _seat_key(key: str) -> int:
    known = _SEATS.get(key)
    if known is not None:
        return known
    if not _SEAT_KEY.fullmatch(key):
        raise Fault(Malformed, f'has the key {shown(key)}; name seats "1", "2" and so on')
    return int(key)


def _inside(key: str, form: Form, value: Any) -> Any:
    try:
        return form(value)
    except Fault as fault:
        raise fault.below(f".{key}") from None
